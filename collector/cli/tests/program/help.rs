//! Help on one screen, the short form of `summary`, completions, manual pages.

use std::path::Path;

use crate::support::{Printed, folder, program, trace};

#[test]
fn help_fits_a_screen() {
    for option in ["--help", "-h", "help"] {
        let text = Printed::of(program().arg(option)).success();
        assert!(text.lines().count() <= 40, "{option}: {} lines", text.lines().count());
        let wide: Vec<&str> = text.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(wide.is_empty(), "{option}: {wide:#?}");
        let uses = text.split("Common uses:\n").nth(1).unwrap_or_default();
        assert_eq!(uses.lines().take_while(|line| line.starts_with("  stepscope ")).count(), 5, "{text}");
    }
}

#[test]
fn a_file_alone_is_summarized() {
    let folder = folder("help_file");
    let trace = trace(&folder, "trace.json", 0);
    let whole = Printed::of(program().arg("summary").arg(&trace)).success();
    assert_eq!(Printed::of(program().arg(&trace)).success(), whole);
    let part = Printed::of(program().args(["summary", "--by", "steps"]).arg(&trace)).success();
    assert_eq!(Printed::of(program().args(["--by", "steps"]).arg(&trace)).success(), part);
    // A file without an extension, and one that has a command's name in its place.
    std::fs::copy(&trace, folder.join("run")).expect("a copy");
    assert_eq!(Printed::of(program().current_dir(&folder).arg("run")).code, Some(0));
    let message = Printed::of(program().arg(folder.join("absent.json"))).failure(1);
    assert!(message.contains("absent.json"), "{message}");
    // A mistyped command is no file.
    let message = Printed::of(program().args(["sumary", "trace.json"])).failure(2);
    assert!(message.contains("unrecognized subcommand") && message.contains("summary"), "{message}");
}

#[test]
fn shells_complete_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = Printed::of(program().args(["completions", shell])).success();
        for name in ["summary", "record", "demo", "what-if"] {
            assert!(script.contains(name), "{shell}: no {name}");
        }
    }
}

#[test]
fn packages_get_manual_pages_and_completions() {
    let folder = folder("help_manual");
    Printed::of(program().arg("manual").arg(&folder)).success();
    for place in ["bash-completion/completions/stepscope", "zsh/site-functions/_stepscope"] {
        assert!(folder.join(place).is_file(), "{place}");
    }
    assert!(folder.join("fish/vendor_completions.d/stepscope.fish").is_file());
    let page = |name: &str| std::fs::read_to_string(folder.join("man/man1").join(name)).expect(name);
    assert!(page("stepscope.1").contains("Common uses"), "{}", page("stepscope.1"));
    assert!(page("stepscope-summary.1").contains("stepscope\\-summary"), "{}", page("stepscope-summary.1"));
    assert!(!folder.join("man/man1/stepscope-manual.1").exists(), "a hidden command has no page");
}

/// The commands in the order in which the program's help lists them.
fn commands() -> Vec<String> {
    let text = Printed::of(program().arg("--help")).success();
    let lines = text.split("Commands:\n").nth(1).expect("commands").lines();
    let names = lines.take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// The book's page of all options matches the program's help. `STEPSCOPE_BLESS=1` writes it.
#[test]
#[cfg(target_os = "linux")]
fn the_book_lists_all_options() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/options.md");
    let mut page = "# All options\n\n[The command line](command-line.md) shows the usual commands. This page is the output of `stepscope help` \
                    for each command,\nwritten by `STEPSCOPE_BLESS=1 cargo test -p stepscope-cli --test program help`.\n"
        .to_owned();
    for name in commands() {
        let text = Printed::of(program().env_remove("STEPSCOPE_PYTHON").args(["help", &name])).success();
        let lines: Vec<&str> = text.trim_end().lines().map(str::trim_end).collect();
        page.push_str(&format!("\n## {name}\n\n```text\n{}\n```\n", lines.join("\n")));
    }
    if std::env::var_os("STEPSCOPE_BLESS").is_some() {
        std::fs::write(&path, page).expect("the page can be written");
    } else {
        let written = std::fs::read_to_string(&path).expect("the page");
        assert!(written == page, "docs/src/options.md is not what the program prints; STEPSCOPE_BLESS=1 writes it");
    }
}
