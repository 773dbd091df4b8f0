//! Programs that the environment has recorded.

use std::path::Path;

use stepscope_collector::{MemoryDevice, VARIABLE};
use stepscope_collector::{Options, allocated, is_recording, mark, span, start, stop};
use stepscope_format::Kind;

use crate::recording::Found;
use crate::role::{command, folder};

/// Never starts anything.
#[expect(clippy::exit, reason = "this is what is tested: no destructor of this function runs")]
pub(crate) fn unaware(_folder: &Path) {
    let _outer = span!("outer");
    std::thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || {
                for index in 0_u64..100 {
                    let _span = span!("span", index, thread = thread);
                }
            });
        }
    });
    allocated(MemoryDevice::Host, 1, 2);
    mark("end", 0);
    // Closes what is open by ending: no destructor runs.
    std::process::exit(0);
}

/// Starts and stops as it likes.
pub(crate) fn aware(folder: &Path) {
    let own = folder.join("own");
    let first = start(&Options::new(&own)).expect("a recording");
    mark("first", 0);
    stop();
    let second = start(&Options::new(&own)).expect("a recording");
    mark("second", 0);
    stop();
    println!("{}", first == second);
    assert_eq!(first == second, is_recording());
}

#[track_caller]
fn run(role: &str, folder: &Path, options: &str) -> String {
    let mut command = command(role, folder);
    let output = command.env(VARIABLE, options).output().expect("this program starts again");
    assert!(output.status.success(), "{role}: {}", output.status);
    String::from_utf8(output.stderr).expect("UTF-8")
}

#[test]
fn a_program_that_knows_of_nothing_is_recorded_to_its_end() {
    let folder = folder("unaware");
    let options = format!(
        r#"{{"start":true,"output":{:?},"targets":["nvtx"],"facts":{{"model":"small"}}}}"#,
        folder.join("here")
    );
    assert_eq!(run("unaware", &folder, &options), "");
    let found = Found::of(&folder.join("here"));
    assert_eq!((found.recovered.processes, found.recovered.closed), (1, 1));
    assert_eq!(found.named(Kind::Span, "span").len(), 400);
    assert_eq!((found.named(Kind::Open, "outer").len(), found.named(Kind::Mark, "end").len()), (1, 1));
    assert!(found.processes[0].facts.contains(&("model".to_owned(), "small".to_owned())));
    assert!(found.named(Kind::Memory, "").is_empty(), "memory was not asked for");
}

#[test]
fn a_program_that_records_itself_does_not_stop_the_environments_recording() {
    let folder = folder("aware");
    let options = format!(r#"{{"start":true,"output":{:?}}}"#, folder.join("here"));
    assert_eq!(run("aware", &folder, &options), "");
    let found = Found::of(&folder.join("here"));
    assert_eq!((found.recovered.processes, found.recovered.closed), (1, 1));
    assert_eq!((found.named(Kind::Mark, "first").len(), found.named(Kind::Mark, "second").len()), (1, 1));
    assert!(!folder.join("own").exists());
    // By itself it has two recordings.
    assert_eq!(run("aware", &folder, ""), "");
    assert_eq!(Found::of(&folder.join("own")).recovered.processes, 2);
}

#[test]
fn what_is_wrong_with_the_options_is_one_line_and_harms_nothing() {
    let folder = folder("wrong_options");
    let not_a_folder = folder.join("file");
    std::fs::write(&not_a_folder, "").expect("a file");
    let cases = [
        (r#"{"start":tru}"#.to_owned(), "column"),
        (r#"{"start":true,"outptu":"x"}"#.to_owned(), "outptu"),
        (format!(r#"{{"start":true,"output":{not_a_folder:?}}}"#), "exist"),
    ];
    for (options, part) in cases {
        let told = run("unaware", &folder, &options);
        assert_eq!(told.lines().count(), 1, "{told}");
        assert!(told.starts_with("stepscope: nothing is recorded: ") && told.contains(part), "{told}");
    }
    for options in [r#"{"start":false}"#, "{}", " "] {
        assert_eq!(run("unaware", &folder, options), "");
    }
    assert_eq!(std::fs::read_dir(&folder).expect("the folder").count(), 1);
}
