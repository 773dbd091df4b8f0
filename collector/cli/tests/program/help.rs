//! The front door: help on one screen, the short form of `summary`, completions, manual pages.

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
