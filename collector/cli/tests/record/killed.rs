//! Killed at any moment: the command, and the program itself.

use std::os::unix::fs::FileExt;
use std::process::Stdio;

use stepscope_format::raw::header;

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

/// The samples of the process show how long it was stuck, not its last record alone.
#[test]
fn a_span_is_open_until_its_process_was_last_seen() {
    let output = folder("stuck").join("stuck.stepscope");
    let run = Run::shell(&output, &[], &format!("exec env {}", script("sticks")));
    assert_eq!(run.code, Some(137), "{}", run.err);
    let trace = read(&output);
    let stuck = trace.slices.ids().find(|id| trace.name_of(*id) == "stuck").expect("the open span");
    let process = trace.tracks[trace.slices.track(stuck).index()].process;
    // A living process has memory.
    let memory = trace
        .counters
        .iter()
        .find(|counter| counter.process == process && trace.strings.get(counter.name).contains("RSS"));
    let seen = memory.expect("samples of it").samples.iter().filter(|sample| sample.value > 0.0);
    let latest = seen.map(|sample| sample.at).max().expect("it was seen");
    assert!(latest > trace.slices.start(stuck), "{}", run.err);
    assert_eq!(trace.slices.end(stuck), latest, "{}", run.err);
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
    assert!(!recovered.err.contains("dropped"), "{}", recovered.err);
    // As after a full disk.
    let all = std::fs::read_dir(&raw).expect("the folder").flatten().map(|file| file.path());
    let one = all.filter(|path| path.extension().is_some_and(|end| end == "steprec")).min().expect("a recording");
    let file = std::fs::File::options().write(true).open(one).expect("a recording");
    file.write_all_at(&5_u64.to_le_bytes(), header::DROPPED as u64 * 8).expect("room");
    let output = folder.join("out.stepscope");
    let before = std::fs::read(&output).expect("it was made");
    for options in [&["--dry-run"][..], &[]] {
        let refused = Run::of(program().arg("recover").args(options).arg(&raw));
        assert_eq!(refused.code, Some(1), "{}", refused.err);
        assert!(refused.err.contains("out.stepscope exists: --force replaces"), "{}", refused.err);
        assert!(std::fs::read(&output).expect("it stays") == before, "it stays as it was");
    }
    let recovered = Run::of(program().args(["recover", "--force"]).arg(&raw));
    assert!(recovered.err.contains("5 records were dropped: the disk was full"), "{}", recovered.err);
    let piped = program().args(["recover", "-o", "-"]).arg(&raw).output().expect("the program starts");
    assert!(piped.status.success() && piped.stdout == std::fs::read(&output).expect("it was made"), "{piped:?}");
    // The folder stays, also if its parent is given.
    assert!(raw.is_dir());
    std::fs::remove_file(&output).expect("it was made");
    let dry = Run::of(program().args(["recover", "--dry-run"]).arg(&folder));
    assert_eq!(dry.code, Some(0), "{}", dry.err);
    assert!(dry.err.contains("out.stepscope: would be written") && !output.exists(), "{}", dry.err);
    let around = Run::of(program().arg("recover").arg(&folder));
    assert_eq!(around.code, Some(0), "{}", around.err);
    assert!(slices(&read(&output), "waits") > 1, "{}", around.err);
    // Several folders get a file each; deeper folders and links are skipped.
    for place in ["other.recording", "deep/er.recording"] {
        let place = folder.join(place);
        std::fs::create_dir_all(&place).expect("a folder");
        for file in std::fs::read_dir(&raw).expect("the folder").flatten() {
            std::fs::copy(file.path(), place.join(file.file_name())).expect("a copy");
        }
    }
    std::os::unix::fs::symlink(&raw, folder.join("link.recording")).expect("a link");
    let named = Run::of(program().arg("recover").arg(&folder).arg("-o").arg(folder.join("all.stepscope")));
    assert_eq!(named.code, Some(2), "{}", named.err);
    let both = Run::of(program().arg("recover").arg(&folder));
    assert_eq!(both.code, Some(1), "one of the files is there: {}", both.err);
    assert!(!folder.join("deep/er.stepscope").exists() && !folder.join("link.stepscope").exists(), "{}", both.err);
    let made = [output, folder.join("other.stepscope")].map(|path| slices(&read(&path), "waits"));
    assert!(made[0] > 1 && made[0] == made[1], "{made:?} {}", both.err);
    // A folder without recordings is reported.
    let empty = folder.join("empty");
    std::fs::create_dir(&empty).expect("a folder");
    let wrong = Run::of(program().arg("recover").arg(&empty));
    assert_eq!(wrong.code, Some(1), "{}", wrong.err);
    assert!(wrong.err.contains("no recordings"), "{}", wrong.err);
}
