//! This program again, as the recorded one: it starts to record as its environment says, like any program with the
//! recorder.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use stepscope_collector::{Category, EnvironmentOptions, Options, Span, VARIABLE, is_recording, span, start, stop};

use crate::windows;

use crate::device::uses_a_device;

/// The variable with the role.
pub(crate) const ROLE: &str = "STEPSCOPE_TEST_ROLE";

/// This program, to play a role in which it starts recording itself.
pub(crate) fn command() -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args(["role::plays_its_role", "--exact", "--nocapture", "--test-threads=1"]);
    command.env_remove("RANK").env(VARIABLE, "{}");
    command
}

/// A shell's command for a role; `$ROLE` must be defined by [`script`].
pub(crate) fn script(role: &str) -> String {
    let program = std::env::current_exe().expect("this program");
    format!("{ROLE}='{role}' '{}' role::plays_its_role --exact --nocapture --test-threads=1", program.display())
}

/// The test that `script` runs; without a role it does nothing.
#[test]
fn plays_its_role() {
    let Ok(role) = std::env::var(ROLE) else { return };
    let options = EnvironmentOptions::get().expect("options").expect("options are set");
    let (what, argument) = role.split_once(' ').unwrap_or((&role, ""));
    // The library that it loads has a recorder of its own, not this program's.
    if what == "device" {
        return uses_a_device(Path::new(argument));
    }
    if !is_recording() && !["late", "windows"].contains(&what) {
        start(&Options::from(&options)).expect("a recording");
    }
    match what {
        "spans" => spans(argument),
        "steps" => steps(),
        "kills itself" | "kills" => kill_itself(),
        "sticks" => stick(),
        "until" => until(Path::new(argument)),
        "burns" => burn(),
        "many" => many(),
        "floods" => flood(Path::new(argument)),
        "late" => late(Path::new(argument)),
        "windows" => windows::record(Path::new(argument)),
        _ => panic!("no role {role}"),
    }
    stop();
}

/// Ten spans of a name.
fn spans(name: &str) {
    for _ in 0..10 {
        let _span = Span::enter(name);
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Some steps with phases.
fn steps() {
    for step in 0..3 {
        let _step = span!("step", in Category::Step, step);
        let _forward = span!("forward", in Category::Forward);
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn kill_itself() {
    let _outer = span!("outer");
    for _ in 0..10 {
        let _inner = span!("inner");
    }
    let own = std::process::id().to_string();
    let _ = Command::new("kill").args(["-KILL", &own]).status();
    std::thread::sleep(Duration::from_secs(60));
}

/// Records nothing for a while, inside of a span, and is killed.
fn stick() {
    let _stuck = span!("stuck");
    let kill = format!("sleep 0.5; kill -KILL {}", std::process::id());
    let _ = Command::new("sh").args(["-c", &kill]).status();
    std::thread::sleep(Duration::from_secs(60));
}

/// Spans until a file is there; not for ever.
fn until(file: &Path) {
    let begun = Instant::now();
    while !file.exists() && begun.elapsed() < Duration::from_secs(60) {
        let _span = span!("waits");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// So many spans that a pipe does not hold them.
fn many() {
    for index in 0_u64..200_000 {
        let _span = span!("many", index.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    }
}

/// Spans until they are no longer recorded; not for ever. The file shows that there are some.
fn flood(begun: &Path) {
    let since = Instant::now();
    for index in 0_u64.. {
        let _span = span!("flood", index);
        if index == 1000 {
            std::fs::write(begun, "").expect("a file");
        }
        if !is_recording() || since.elapsed() > Duration::from_secs(60) {
            break;
        }
    }
    assert!(!is_recording(), "it goes on");
}

/// Starts after recording has ended.
fn late(there: &Path) {
    assert!(!is_recording(), "it is recorded");
    std::fs::write(there, "").expect("a file");
}

/// Keeps one thread busy, and one idle.
fn burn() {
    let busy = std::thread::Builder::new().name("burner".to_owned());
    let burning = busy.spawn(|| {
        let _span = span!("burn");
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_millis(1500) {
            std::hint::spin_loop();
        }
    });
    burning.expect("a thread").join().expect("an end");
}
