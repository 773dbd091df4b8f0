//! Samples, compared with known load. Bounds are wide: the test machine has other load.

use crate::role::script;
use crate::support::{Run, folder, read, values};

#[test]
fn a_busy_thread_shows_as_busy() {
    let output = folder("burns").join("burns.stepscope");
    let run = Run::shell(&output, &["--sample", "20"], &format!("exec env {}", script("burns")));
    assert_eq!(run.code, Some(0), "{}", run.err);
    let trace = read(&output);
    let of = |name: &str| {
        let values = values(&trace, "--test-threads=1", name);
        assert!(!values.is_empty(), "{name}: {}", run.err);
        values.into_iter().fold(f64::NEG_INFINITY, f64::max)
    };
    // Running or ready to run: another thread may have had the processor.
    for (running, waiting) in [
        ("CPU time (% of a core): running, thread burner", "CPU time (% of a core): waiting, thread burner"),
        ("CPU time (% of a core): running", "CPU time (% of a core): waiting"),
    ] {
        let busy = of(running) + of(waiting);
        assert!((50.0..400.0).contains(&busy), "{running}: {busy}");
    }
    assert!((1.0..100_000.0).contains(&of("RSS (MiB)")) && of("threads") >= 2.0);
    let machine = |name: &str| values(&trace, "machine", name);
    let user = machine("CPU utilization (%): user");
    assert!(user.len() > 10 && user.iter().all(|share| (0.0..=100.0).contains(share)), "{user:?}");
    assert!(machine("system memory used (MiB)").iter().all(|used| *used > 10.0));
    assert!(run.err.contains("overhead: sampling"), "{}", run.err);
}

/// Faster than the scheduler's ticks, at which a thread's time is accounted.
#[test]
fn no_thread_runs_longer_than_there_is_time() {
    let output = folder("ticks").join("ticks.stepscope");
    let run = Run::shell(&output, &["--sample", "1000"], &format!("exec env {}", script("burns")));
    assert_eq!(run.code, Some(0), "{}", run.err);
    let trace = read(&output);
    for name in ["running", "waiting"] {
        let found = values(&trace, "--test-threads=1", &format!("CPU time (% of a core): {name}, thread burner"));
        assert!(!found.is_empty(), "{name}: {}", run.err);
        let most = found.iter().copied().fold(0.0, f64::max);
        assert!(most <= 100.0, "{name}: {most} of {} samples", found.len());
    }
}

#[test]
fn without_samples_there_is_no_recording_of_ours() {
    let folder = folder("none");
    let run = Run::shell(&folder.join("none.stepscope"), &["--sample", "0"], "exit 5");
    assert_eq!(run.code, Some(5));
    assert!(run.err.contains("nothing was recorded"), "{}", run.err);
    assert_eq!(std::fs::read_dir(&folder).expect("the folder").count(), 0);
}
