//! The output formats of a recording.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::role::script;
use crate::support::{Run, folder, program, read, slices};

#[test]
fn json_for_perfetto_is_made_of_the_same_recording() {
    let folder = folder("formats");
    let output = folder.join("out.json.gz");
    let run = Run::shell(&output, &["--no-summary"], &script("steps"));
    assert_eq!(run.code, Some(0), "{}", run.err);
    let summary = Run::of(program().args(["summary", "--by", "steps"]).arg(&output));
    assert!(summary.out.contains("step"), "{}{}", summary.out, summary.err);
    let json = Run::of(program().args(["summary", "--json"]).arg(&output)).out;
    assert!(json.contains(r#""framework": "Stepscope""#), "{json}");
    let names: Vec<_> =
        std::fs::read_dir(&folder).expect("the folder").flatten().map(|file| file.file_name()).collect();
    assert_eq!(names, ["out.json.gz"]);
    let packets = folder.join("out.pftrace");
    let run = Run::shell(&packets, &["--no-summary"], &script("steps"));
    let bytes = std::fs::read(&packets).unwrap_or_else(|error| panic!("{error}: {}", run.err));
    // A packet with a sequence, and the names of spans.
    assert!(bytes.starts_with(&[0x0A]) && bytes.windows(7).any(|window| window == b"forward"));
    let unread = Run::of(program().arg("summary").arg(&packets));
    assert_eq!((unread.code, unread.err.lines().count()), (Some(1), 1), "{}", unread.err);
    assert!(unread.err.contains("known, but not read: Perfetto's own format"), "{}", unread.err);
    // A name without a known end gets the given format.
    let plain = folder.join("plain");
    let run = Run::shell(&plain, &["--no-summary", "--format", "json.gz"], &script("steps"));
    let bytes = std::fs::read(&plain).unwrap_or_else(|error| panic!("{error}: {}", run.err));
    assert!(bytes.starts_with(&[0x1F, 0x8B]), "it is compressed");
}

#[test]
fn an_output_that_cannot_be_is_told_before_the_command_runs() {
    let folder = folder("usage");
    let (ran, missing) = (folder.join("ran"), folder.join("missing"));
    let run = |output: &str, options: &[&str]| {
        Run::shell(&folder.join(output), options, &format!("touch '{}'", ran.display()))
    };
    for (output, options, part) in [
        ("out.foo", &[][..], "out.foo: no name of a recording"),
        ("same.stepscope", &["--format", "json.gz"], "same.stepscope: --format says another format"),
        ("same.json.gz", &["--format", "pftrace"], "same.json.gz: --format says another format"),
        ("missing/out.stepscope", &[], "missing: this folder does not exist"),
        ("out.stepscope", &["--temporary", missing.to_str().expect("UTF-8")], "missing: this folder does not exist"),
    ] {
        let run = run(output, options);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{output}: {}", run.err);
        assert!(run.err.starts_with("error: ") && run.err.contains(part), "{output}: {}", run.err);
    }
    let recover = Run::of(program().arg("recover").arg(&folder).args(["-o", "out.foo"]));
    assert_eq!(recover.code, Some(2), "{}", recover.err);
    assert_eq!(std::fs::read_dir(&folder).expect("the folder").count(), 0, "nothing ran, and nothing is left");
}

/// A folder without write permission is the wrong choice.
#[test]
fn a_folder_that_cannot_be_written_to_is_told_before_the_command_runs() {
    let folder = folder("forbidden");
    let (ran, forbidden) = (folder.join("ran"), folder.join("forbidden"));
    std::fs::create_dir(&forbidden).expect("a folder");
    let is_done = |words: &[&str]| {
        Command::new(words[0]).args(&words[1..]).arg(&forbidden).output().is_ok_and(|output| output.status.success())
    };
    std::fs::set_permissions(&forbidden, Permissions::from_mode(0o555)).expect("the folder is ours");
    // Root may write all the same, but not to a read-only file system.
    let is_root = std::fs::create_dir(forbidden.join("probe")).is_ok();
    if is_root && !is_done(&["mount", "-t", "tmpfs", "-o", "ro,size=16k", "none"]) {
        eprintln!("SKIPPED: a read-only file system cannot be mounted here");
        return;
    }
    let script = format!("touch '{}'", ran.display());
    let place = forbidden.to_str().expect("UTF-8");
    let runs = [
        Run::shell(&forbidden.join("out.stepscope"), &[], &script),
        Run::shell(&folder.join("out.stepscope"), &["--temporary", place], &script),
        // The raw recordings have a place, the output has none.
        Run::shell(&forbidden.join("out.stepscope"), &["--temporary", folder.to_str().expect("UTF-8")], &script),
    ];
    assert!(!is_root || is_done(&["umount"]), "{place} stays mounted");
    for run in runs {
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{}", run.err);
        assert!(run.err.starts_with(&format!("error: {place}: ")) && run.err.lines().count() == 1, "{}", run.err);
    }
    assert!(!ran.exists());
}

#[test]
fn quiet_is_quiet() {
    let folder = folder("quiet");
    let run = Run::shell(&folder.join("out.stepscope"), &["-q", "--raw"], &format!("{} >/dev/null", script("steps")));
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (Some(0), "", ""));
    assert_eq!(slices(&read(&folder.join("out.stepscope")), "step"), 3);
}

#[test]
fn ranks_of_an_earlier_recording_are_told_of_and_stay() {
    let folder = folder("earlier");
    for name in ["out.rank0.stepscope", "out.rank7.stepscope", "out.rankx.stepscope", "out.rank7.json.gz"] {
        std::fs::write(folder.join(name), name).expect("a file");
    }
    let rank = |rank: u32| format!("RANK={rank} {}", script("steps"));
    let output = folder.join("out.stepscope");
    let run = Run::shell(&output, &["--no-summary"], &format!("{}; {}", rank(0), rank(1)));
    let told = "of an earlier recording, not of this one: out.rank7.stepscope\n";
    assert!(run.err.contains(told), "{}", run.err);
    assert_eq!(std::fs::read(folder.join("out.rank7.stepscope")).expect("it stays"), b"out.rank7.stepscope");
    assert_eq!(slices(&read(&folder.join("out.rank0.stepscope")), "step"), 3, "what has the same name is replaced");
    let run = Run::shell(&output, &["--no-summary"], &script("steps"));
    let told = "not of this one: out.rank0.stepscope, out.rank1.stepscope, out.rank7.stepscope\n";
    assert!(run.err.contains(told), "{}", run.err);
}

/// Standard output is the command's alone: it may go through a pipe.
#[test]
fn the_summary_leaves_standard_output_to_the_command() {
    let output = folder("stdout").join("seq.stepscope");
    let run = Run::of(program().args(["record", "-o"]).arg(&output).args(["--", "seq", "1", "3"]));
    assert_eq!((run.code, run.out.as_str()), (Some(0), "1\n2\n3\n"), "{}", run.err);
    assert!(run.err.lines().count() > 3, "{}", run.err);
}

#[test]
fn steps_and_phases_are_summed_up() {
    let output = folder("summary").join("steps.stepscope");
    let run = Run::shell(&output, &[], &script("steps"));
    assert!(["Ranges", "Steps", "forward"].iter().all(|part| run.err.contains(part)), "{}", run.err);
    assert_eq!(slices(&read(&output), "step"), 3);
    let (_, steps) = run.err.split_once("Steps by category").expect("a table");
    assert!(!["busy", "kernel", "memcpy", "device"].iter().any(|part| steps.contains(part)), "{steps}");
}

/// Warnings about the numbers stand above them.
#[test]
fn the_summary_tells_what_was_odd() {
    let output = folder("odd").join("odd.stepscope");
    let run = Run::shell(&output, &[], &format!("{} & {}; wait", script("steps"), script("steps")));
    let lines = Run::of(program().args(["summary"]).arg(&output)).out;
    let odd: Vec<&str> =
        lines.lines().filter(|line| line.starts_with("warning: ") || line.starts_with("note: ")).collect();
    assert!(!odd.is_empty(), "{lines}");
    let (before, _) = run.err.split_once("Ranges").expect("a table");
    assert!(odd.iter().all(|line| before.contains(line)), "{}", run.err);
}

/// Unmarked steps are not shown.
#[test]
fn without_steps_there_are_no_tables_of_them() {
    let output = folder("unmarked").join("unmarked.stepscope");
    let run = Run::shell(&output, &[], &script("many"));
    assert!(run.err.contains("marks no steps") && run.err.contains("Ranges"), "{}", run.err);
    assert!(!run.err.contains("Steps by"), "{}", run.err);
}

#[test]
fn the_file_is_named_after_the_command_and_none_is_overwritten() {
    let folder = folder("named");
    for expected in ["true.stepscope", "true-2.stepscope", "true-3.stepscope"] {
        let run = Run::of(program().current_dir(&folder).args(["record", "--no-summary", "true"]));
        assert!(folder.join(expected).is_file(), "{expected}: {}", run.err);
    }
    let run =
        Run::of(program().current_dir(&folder).args(["record", "--raw", "--quiet", "-o", "kept.stepscope", "true"]));
    assert!(Path::is_dir(&folder.join("kept.recording")), "{}", run.err);
}
