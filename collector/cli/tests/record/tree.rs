//! All processes of a tree.

use std::time::{Duration, Instant};

use crate::role::script;
use crate::support::{Run, folder, program, read, slices, until, values};

#[test]
fn children_subshells_double_forks_and_execs_are_recorded() {
    let output = folder("tree").join("tree.stepscope");
    let [background, nested, orphan, last] =
        ["background", "nested", "orphan", "last"].map(|name| script(&format!("spans {name}")));
    let all = format!(
        "{background} & sh -c \"({})\"; (setsid sh -c \"sleep 0.2; {}\" &) ; exec env {last}",
        nested.replace('"', "\\\""),
        orphan.replace('"', "\\\"")
    );
    let run = Run::shell(&output, &["--wait", "all", "--sample", "50"], &all);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let trace = read(&output);
    for name in ["background", "nested", "orphan", "last"] {
        assert_eq!(slices(&trace, name), 10, "{name}: {}", run.err);
    }
    assert!(run.err.contains("of 4 recorded processes"), "the sampler is none of them: {}", run.err);
    assert!(!output.with_extension("recording").exists(), "the raw recordings are gone");
    assert!(run.err.contains("Ranges") && run.err.contains("orphan"), "{}", run.err);
}

#[test]
fn what_the_command_leaves_running_holds_nothing_up() {
    let output = folder("left").join("left.stepscope");
    let begun = Instant::now();
    let run = Run::shell(&output, &["--no-summary"], "sleep 25 >/dev/null 2>&1 & exit 4");
    assert_eq!(run.code, Some(4), "{}", run.err);
    assert!(begun.elapsed() < Duration::from_secs(20));
    assert!(run.err.contains("still run, unrecorded from here"), "{}", run.err);
}

/// Its recording stops, and no process that it starts is recorded in the folder that was there.
#[test]
fn what_the_command_leaves_running_is_not_recorded_further() {
    for options in [&["--no-summary"][..], &["--no-summary", "--raw"]] {
        let kept = options.contains(&"--raw");
        let folder = folder(if kept { "daemon-raw" } else { "daemon" });
        let [begun, said, late] = ["begun", "said", "late"].map(|name| folder.join(name));
        let all = format!(
            "({}; {}) >/dev/null 2>'{}' & until [ -e '{}' ]; do sleep 0.05; done; exit 4",
            script(&format!("floods {}", begun.display())),
            script(&format!("late {}", late.display())),
            said.display(),
            begun.display()
        );
        let run = Run::shell(&folder.join("out.stepscope"), options, &all);
        assert_eq!(run.code, Some(4), "{}", run.err);
        assert!(slices(&read(&folder.join("out.stepscope")), "flood") > 900, "{}", run.err);
        until("the end of what is left", || late.exists());
        assert_eq!(std::fs::read_to_string(said).expect("a file"), "");
        let raw = std::fs::read_dir(folder.join("out.recording")).map(|files| {
            files.flatten().filter(|file| file.path().extension().is_some_and(|end| end == "steprec")).count()
        });
        assert_eq!(raw.ok(), kept.then_some(2), "{}", run.err);
        if kept {
            let summary = Run::of(program().arg("summary").arg(folder.join("out.recording")));
            assert_eq!(summary.code, Some(0), "{}", summary.err);
            assert!(!summary.err.contains("stopped"), "{}", summary.err);
        }
    }
}

/// A process with an emptied environment is only sampled from outside.
#[test]
fn a_process_without_its_environment_is_sampled_at_most() {
    let output = folder("emptied").join("emptied.stepscope");
    let run = Run::shell(&output, &["--sample", "100"], "env -i sleep 2.5");
    assert!(run.err.contains("none of the command's processes was recorded"), "{}", run.err);
    assert!(!values(&read(&output), "sleep 2.5", "RSS (MiB)").is_empty(), "{}", run.err);
}
