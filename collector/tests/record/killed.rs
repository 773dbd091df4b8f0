//! Killed at any moment: the command, and the program itself.

use std::process::Stdio;

use crate::role::script;
use crate::support::{Run, folder, has_recordings, program, read, slices, until};

#[test]
fn a_killed_command_is_recorded_up_to_its_end() {
    let output = folder("target").join("target.stepscope");
    let run = Run::shell(&output, &[], &format!("exec env {}", script("kills itself")));
    assert_eq!(run.code, Some(137), "{}", run.err);
    let trace = read(&output);
    assert_eq!((slices(&trace, "outer"), slices(&trace, "inner")), (1, 10), "{}", run.err);
    assert!(run.err.contains("1 span was open"), "{}", run.err);
}

#[test]
fn what_a_killed_program_leaves_is_read_and_recovered() {
    let folder = folder("self");
    let never = folder.join("never");
    let role = script(&format!("until {}", never.display()));
    let mut command = program();
    command.arg("record").arg("-o").arg(folder.join("out.stepscope")).args([
        "--",
        "sh",
        "-c",
        &format!("exec env {role}"),
    ]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the program starts");
    let raw = folder.join("out.recording");
    until("recordings", || has_recordings(&raw, 2));
    std::thread::sleep(std::time::Duration::from_millis(300));
    child.kill().expect("it runs");
    let _ = child.wait();
    std::fs::write(never, "").expect("the file for which the role waits");
    assert!(!folder.join("out.stepscope").exists());
    let summary = Run::of(program().arg("summary").arg(&raw));
    assert_eq!(summary.code, Some(0), "{}", summary.err);
    assert!(summary.out.contains("waits"), "{}", summary.out);
    let recovered = Run::of(program().arg("recover").arg(&raw));
    assert_eq!(recovered.code, Some(0), "{}", recovered.err);
    assert!(slices(&read(&folder.join("out.stepscope")), "waits") > 1, "{}", recovered.err);
    // The folder stays, and what is no folder of recordings is said to be none.
    assert!(raw.is_dir());
    let wrong = Run::of(program().arg("recover").arg(&folder));
    assert_eq!(wrong.code, Some(1), "{}", wrong.err);
    assert!(wrong.err.contains("no recordings"), "{}", wrong.err);
}
