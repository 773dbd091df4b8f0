//! The files that a recording can become.

use std::path::Path;

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
    let wrong = Run::shell(&folder.join("out.txt"), &[], "true");
    assert_eq!(wrong.code, Some(1), "{}", wrong.err);
    assert!(wrong.err.contains("--format"), "{}", wrong.err);
}

#[test]
fn steps_and_phases_are_summed_up() {
    let output = folder("summary").join("steps.stepscope");
    let run = Run::shell(&output, &[], &script("steps"));
    assert!(["Ranges", "Steps", "forward"].iter().all(|part| run.out.contains(part)), "{}", run.out);
    assert_eq!(slices(&read(&output), "step"), 3);
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
