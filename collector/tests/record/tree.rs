//! All processes of a tree.

use std::time::{Duration, Instant};

use crate::role::script;
use crate::support::{Run, folder, read, slices, values};

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
    assert!(run.err.contains("of 5 recorded processes"), "four and the sampler: {}", run.err);
    assert!(!output.with_extension("recording").exists(), "the raw recordings are gone");
    assert!(run.out.contains("Ranges") && run.out.contains("orphan"), "{}", run.out);
}

#[test]
fn what_the_command_leaves_running_holds_nothing_up() {
    let output = folder("left").join("left.stepscope");
    let begun = Instant::now();
    let run = Run::shell(&output, &["--no-summary"], "sleep 25 >/dev/null 2>&1 & exit 4");
    assert_eq!(run.code, Some(4), "{}", run.err);
    assert!(begun.elapsed() < Duration::from_secs(20));
    assert!(run.err.contains("go on, unrecorded from here"), "{}", run.err);
}

/// Nothing reaches a process whose environment is emptied, but what is seen from outside.
#[test]
fn a_process_without_its_environment_is_sampled_at_most() {
    let output = folder("emptied").join("emptied.stepscope");
    let run = Run::shell(&output, &["--sample", "100"], "env -i sleep 0.5");
    assert!(run.err.contains("of 1 recorded processes"), "the sampler: {}", run.err);
    assert!(!values(&read(&output), "sleep 0.5", "RSS (MiB)").is_empty(), "{}", run.err);
}
