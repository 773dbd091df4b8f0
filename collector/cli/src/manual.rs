//! Manual pages and completion scripts, generated from the command line's description.

use std::fs;
use std::path::Path;

use clap::CommandFactory;
use clap_complete::{Shell, generate};
use clap_mangen::Man;

use crate::args::{Arguments, CompletionOptions, ManualOptions};
use crate::output::print;
use crate::result::Result;

/// The program's name, which the scripts complete.
const NAME: &str = "stepscope";

/// Paths of the shells' scripts in packages, below `share`.
const SCRIPTS: [(Shell, &str); 3] = [
    (Shell::Bash, "bash-completion/completions/stepscope"),
    (Shell::Zsh, "zsh/site-functions/_stepscope"),
    (Shell::Fish, "fish/vendor_completions.d/stepscope.fish"),
];

/// Prints the script of a shell.
pub(crate) fn completions(options: &CompletionOptions) -> Result {
    print(&script(options.shell))
}

/// Writes all pages and scripts below a folder.
pub(crate) fn write(options: &ManualOptions) -> Result {
    let folder = &options.folder;
    for (shell, place) in SCRIPTS {
        write_file(&folder.join(place), &script(shell))?;
    }
    let pages = folder.join("man/man1");
    let mut command = Arguments::command();
    command.build();
    let listed = command.get_subcommands().filter(|one| !one.is_hide_set() && one.get_name() != "help");
    for subcommand in listed {
        let name = format!("{NAME}-{}", subcommand.get_name());
        let title: &'static str = Box::leak(name.clone().into_boxed_str());
        write_page(&pages, &name, subcommand.clone().name(title))?;
    }
    write_page(&pages, NAME, command)
}

fn script(shell: Shell) -> Vec<u8> {
    let mut bytes = Vec::new();
    generate(shell, &mut Arguments::command(), NAME, &mut bytes);
    bytes
}

fn write_page(folder: &Path, name: &str, command: clap::Command) -> Result {
    let mut bytes = Vec::new();
    Man::new(command).date("").render(&mut bytes).map_err(|error| format!("the manual page {name}: {error}"))?;
    write_file(&folder.join(format!("{name}.1")), &bytes)
}

fn write_file(path: &Path, bytes: &[u8]) -> Result {
    let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
    folder.and_then(|()| fs::write(path, bytes)).map_err(|error| format!("{}: {error}", path.display()))
}
