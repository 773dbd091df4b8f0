//! Facts that a recording has about its process.

use stepscope_format::secrets::{FoundSecrets, mask_arguments, masked_value};

use super::options::{CommandLine, Options};

/// The longest value: a command can be very long.
pub(crate) const LONGEST: usize = 1000;

/// The variables in which launchers give a process's rank and the number of ranks: PyTorch's, Paddle's, MindSpore's,
/// MPI's.
const RANKS: [(&str, &str); 4] = [
    ("RANK", "WORLD_SIZE"),
    ("PADDLE_TRAINER_ID", "PADDLE_TRAINERS_NUM"),
    ("RANK_ID", "RANK_SIZE"),
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
];

/// The rank and the number of ranks, from launchers' variables.
pub(crate) fn rank_of(variable: impl Fn(&str) -> Option<String>) -> Option<(String, Option<String>)> {
    RANKS.iter().find_map(|(rank, size)| Some((variable(rank)?, variable(size))))
}

/// Keys and values: the options' own, then facts about the recorder, the rank, the machine and the command under other
/// keys.
pub(super) fn of_process(options: &Options) -> Vec<(String, String)> {
    let mut facts: Vec<(String, String)> = Vec::new();
    let mut add = |key: &str, value: &str| {
        let value = masked_value(key, value.to_owned(), &mut FoundSecrets::default());
        let value: String = value.trim().chars().take(LONGEST).filter(|character| *character != '\0').collect();
        if !value.is_empty() && facts.iter().all(|(known, _)| known != key) {
            facts.push((key.to_owned(), value));
        }
    };
    for (key, value) in &options.facts {
        add(key, value);
    }
    add("recorder", concat!("stepscope ", env!("CARGO_PKG_VERSION")));
    let variable = |name: &str| std::env::var(name).ok().filter(|value| value.parse::<u64>().is_ok());
    if let Some((rank, size)) = rank_of(variable) {
        add("rank", &rank);
        add("world_size", &size.unwrap_or_default());
    }
    add("local_rank", &variable("LOCAL_RANK").unwrap_or_default());
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    add("host", &read("/proc/sys/kernel/hostname"));
    add("boot", &read("/proc/sys/kernel/random/boot_id"));
    if options.command_line == CommandLine::Masked {
        add("command", &command_line(std::env::args_os().map(|part| part.to_string_lossy().into_owned().into_bytes())));
    }
    facts
}

/// A command line as recordings keep it: without secrets, arguments with spaces between them, cut if it is long.
pub(crate) fn command_line(arguments: impl Iterator<Item = Vec<u8>>) -> String {
    let mut arguments: Vec<Vec<u8>> = arguments.collect();
    // Before it is cut: the cut part may contain the name of a secret.
    mask_arguments(&mut arguments, &mut FoundSecrets::default());
    String::from_utf8_lossy(&arguments.join(&b' ')).chars().take(LONGEST).collect()
}
