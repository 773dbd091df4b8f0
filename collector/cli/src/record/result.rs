//! Messages about a finished recording.

use std::path::Path;
use std::time::{Duration, Instant};

use stepscope::present::text::{bytes, count, counted};
use stepscope_collector::sample::Sampled;
use stepscope_collector::{Options, Span, span, start, stop};

use super::command::Ended;
use super::convert::ConvertedFile;
use super::messages::{say, seconds};
use super::options::{CommandLines, Format};

/// Bytes of the files in a folder.
pub(super) fn size(folder: &Path) -> u64 {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter_map(|file| Some(file.metadata().ok()?.len())).sum()
}

/// Prints the files, the losses, and the overhead of recording.
pub(super) fn tell(made: &[ConvertedFile], raw_bytes: u64, ended: &Ended, sampled: Sampled, folder: &Path) {
    for ConvertedFile { path, recovered } in made {
        let size = path.metadata().map_or(0, |about| about.len());
        let records = counted(recovered.records, "record", "records");
        let what = match recovered.processes {
            0 => "samples; none of the command's processes was recorded".to_owned(),
            1 => format!("{records} of 1 recorded process"),
            processes => format!("{records} of {processes} recorded processes"),
        };
        say(format_args!("{}: {}, {what}", path.display(), bytes(size)));
    }
    say(format_args!("recorded {} in {}", bytes(raw_bytes), seconds(ended.took)));
    lost(made);
    if ended.left {
        say(format_args!(
            "processes that the command started still run, unrecorded from here (--wait all waits for them)"
        ));
    }
    overhead(made, ended, sampled, folder);
}

/// Contents of a recording that its readers can see.
pub(super) fn contents(kept: CommandLines) -> &'static str {
    match kept {
        CommandLines::Masked => {
            "the recording contains command lines (secrets masked), paths, the host name and the program's span names and arguments; \
             only you can read it; `stepscope redact` makes a copy to share"
        }
        CommandLines::None => {
            "the recording contains the host name and the program's span names and arguments, but no command lines; only you can \
             read it; `stepscope redact` makes a copy to share"
        }
    }
}

/// Lists files of an earlier recording beside the new ones: of ranks that this one does not have, or the one of all
/// ranks. Together in one folder they would be taken for one recording.
pub(super) fn earlier(made: &[ConvertedFile], output: &Path) {
    let name = output.file_name().unwrap_or_default().to_string_lossy();
    let Some((_, base)) = Format::of_name(&name) else { return };
    let end = &name[base.len()..];
    let is_rank = |other: &str| {
        let rank = other.strip_prefix(base).and_then(|rest| rest.strip_suffix(end)?.strip_prefix(".rank"));
        rank.is_some_and(|rank| !rank.is_empty() && rank.bytes().all(|digit| digit.is_ascii_digit()))
    };
    let files = output.parent().and_then(|folder| std::fs::read_dir(folder).ok()).into_iter().flatten().flatten();
    let names = files.filter(|file| made.iter().all(|made| made.path.file_name() != Some(&file.file_name())));
    let names = names.map(|file| file.file_name().to_string_lossy().into_owned());
    let mut stale: Vec<String> = names.filter(|other| *other == name || is_rank(other)).collect();
    stale.sort();
    if !stale.is_empty() {
        say(format_args!("of an earlier recording, not of this one: {}", stale.join(", ")));
    }
}

fn lost(made: &[ConvertedFile]) {
    let sum = |of: fn(&ConvertedFile) -> u64| made.iter().map(of).sum::<u64>();
    let dropped = sum(|made| made.recovered.dropped);
    let damaged = sum(|made| made.recovered.damages.len() as u64);
    let open = sum(|made| made.recovered.open);
    if dropped > 0 {
        say(format_args!("{} dropped: the disk was full", counted(dropped, "record was", "records were")));
    }
    let lost = sum(|made| made.recovered.lost);
    if lost > 0 {
        say(format_args!("{} not be recorded: the files say which", counted(lost, "event could", "events could")));
    }
    if damaged > 0 {
        say(format_args!("{} in raw recordings left out", counted(damaged, "damaged place", "damaged places")));
    }
    if open > 0 {
        say(format_args!("{} open when their process ended", counted(open, "span was", "spans were")));
    }
}

/// Prints the overhead of recording: the sampler's own time is measured, the cost of spans is measured here and now.
fn overhead(made: &[ConvertedFile], ended: &Ended, sampled: Sampled, folder: &Path) {
    let of = |time: Duration| time.as_secs_f64() * 100.0 / ended.took.as_secs_f64().max(1e-3);
    let records: u64 = made.iter().map(|made| made.recovered.records).sum();
    let mut parts = Vec::new();
    if sampled.passes > 0 {
        let time = Duration::from_nanos(sampled.cpu);
        let gpus =
            if sampled.gpus > 0 { format!(" and {}", counted(sampled.gpus, "GPU", "GPUs")) } else { String::new() };
        parts.push(format!(
            "sampling {}{gpus} {} {} of one core ({:.2} %)",
            counted(sampled.processes, "process", "processes"),
            counted(sampled.passes, "time", "times"),
            seconds(time),
            of(time)
        ));
    }
    if records > 0
        && let Some(cost) = cost_of_a_span(&folder.join("cost"))
    {
        let time = cost.saturating_mul(u32::try_from(records).unwrap_or(u32::MAX));
        parts.push(format!("records about {} ({} × {} ns)", seconds(time), count(records), cost.as_nanos()));
    }
    if !parts.is_empty() {
        say(format_args!("overhead: {}", parts.join("; ")));
    }
}

/// Cost of a span on this machine, in that folder's file system: the best of some rounds.
fn cost_of_a_span(folder: &Path) -> Option<Duration> {
    const SPANS: u32 = 5000;
    // As the environment sets it for the command.
    start(&Options { ahead: false, ..Options::new(folder) }).ok()?;
    let round = || {
        let begun = Instant::now();
        for _ in 0..SPANS {
            let _span: Span = span!("cost");
        }
        begun.elapsed() / SPANS
    };
    let best = (0..5).map(|_| round()).min();
    stop();
    let _ = std::fs::remove_dir_all(folder);
    best
}
