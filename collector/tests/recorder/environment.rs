//! Programs that are recorded because of the environment.

use std::fs::File;
use std::path::Path;

use stepscope_collector::{
    MINDSPORE_VARIABLE, MemoryDevice, Options, Profiler, Recorded, Scheduler, VARIABLE, allocated, is_recording, mark,
    recover, span, start, stop, stop_recordings,
};
use stepscope_format::Kind;

use crate::recording::RecordedFolder;
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
    // As without the environment: its folder exists, and the recording is found under that name.
    let mut file = File::create(own.join("own.stepscope")).expect("a file beside its recordings");
    let recovered = recover(&own, &mut file).expect("its recording");
    assert_eq!((recovered.lost, recovered.processes), if first == second { (1, 1) } else { (0, 2) });
    assert!(recovered.records >= 2);
}

/// Profiles itself, and does something with each recording, which it thinks to be its own.
pub(crate) fn profiles(folder: &Path) {
    let remove = |recorded: &Recorded| std::fs::remove_file(&recorded.file);
    let profiler = Profiler::new(Options::new(folder.join("own")));
    let mut profiler = profiler.scheduler(Scheduler::steps(1..3)).on_trace_ready(remove).start().expect("a profiler");
    for _ in 0..4 {
        profiler.step().expect("the next step");
    }
    profiler.stop().expect("an end");
}

/// Is recorded until the recorder outside ends it, and continues.
pub(crate) fn left(folder: &Path) {
    let (own, here) = (folder.join("own"), folder.join("here"));
    let profiler = Profiler::new(Options::new(&own)).on_trace_ready(|_| Err(std::io::Error::other("not ours")));
    let mut profiler = profiler.start().expect("a profiler");
    profiler.step().expect("the next step");
    stop_recordings(&here).expect("its end");
    while is_recording() {
        let _span = span!("flood");
    }
    std::fs::remove_dir_all(&here).expect("it is taken away");
    profiler.stop().expect("an end");
    assert_eq!(recover(&own, &mut Vec::new()).expect("nothing more").processes, 0);
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
    let found = RecordedFolder::of(&folder.join("here"));
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
    let told = run("aware", &folder, &options);
    assert!(
        told.starts_with("stepscope: recorded from outside (STEPSCOPE_OPTIONS): ") && told.lines().count() == 1,
        "{told}"
    );
    let found = RecordedFolder::of(&folder.join("here"));
    assert_eq!((found.recovered.processes, found.recovered.closed), (1, 1));
    assert_eq!((found.named(Kind::Mark, "first").len(), found.named(Kind::Mark, "second").len()), (1, 1));
    // The file that it made of its recording in between says that it is incomplete.
    let made = std::fs::read(folder.join("own/own.stepscope")).expect("its file");
    let part = b"what was recorded once this file had been made";
    assert!(made.windows(part.len()).any(|window| window == part));
    assert_eq!(std::fs::read_dir(folder.join("own")).expect("its folder").count(), 1);
    // Alone, it has two recordings.
    assert_eq!(run("aware", &folder, ""), "");
    assert_eq!(RecordedFolder::of(&folder.join("own")).recovered.processes, 2);
}

#[test]
fn a_profiler_s_handler_gets_no_recording_that_is_the_environment_s() {
    let folder = folder("profiles");
    let options = format!(r#"{{"start":true,"output":{:?}}}"#, folder.join("here"));
    let told = run("profiles", &folder, &options);
    assert_eq!(told, "stepscope: recorded from outside (STEPSCOPE_OPTIONS): on_trace_ready is not called\n");
    let found = RecordedFolder::of(&folder.join("here"));
    assert_eq!((found.recovered.closed, found.named(Kind::Span, "step").len()), (1, 4));
    // Alone, it has its own recordings.
    assert_eq!(run("profiles", &folder, ""), "");
    assert_eq!(std::fs::read_dir(folder.join("own")).expect("its folder").count(), 0);
}

#[test]
fn a_recording_that_was_taken_away_is_nothing_to_fail_of() {
    let folder = folder("left");
    let output = folder.join("here");
    std::fs::create_dir(&output).expect("a folder");
    let options = format!(r#"{{"start":true,"make_output":false,"segment_bytes":16384,"output":{output:?}}}"#);
    assert_eq!(run("left", &folder, &options).lines().count(), 1);
    assert!(!output.exists());
}

#[test]
fn what_is_not_understood_is_left_out_and_the_rest_is_done() {
    let folder = folder("unknown_options");
    let options = format!(r#"{{"start":true,"outptu":"x","targets":"nvtx","output":{:?}}}"#, folder.join("here"));
    let told = run("unaware", &folder, &options);
    let wrong = "targets: invalid type: string \"nvtx\", expected a sequence";
    assert_eq!(told, format!("stepscope: STEPSCOPE_OPTIONS: not understood here, and left out: `outptu`, `{wrong}`\n"));
    assert_eq!(RecordedFolder::of(&folder.join("here")).recovered.processes, 1);
}

#[test]
fn mindspores_options_are_understood_in_both_variables() {
    for (index, variable) in [VARIABLE, MINDSPORE_VARIABLE].into_iter().enumerate() {
        let folder = folder(&format!("mindspore_options_{index}"));
        let here = folder.join("here");
        let options = format!(r#"{{"start":true,"output_path":{here:?},"profile_memory":false,"l2_cache":true}}"#);
        let output = command("unaware", &folder).env(variable, options).output().expect("this program starts again");
        let told = String::from_utf8_lossy(&output.stderr);
        let line = format!("stepscope: {variable}: not recorded: l2_cache (MindSpore's own profiler can)\n");
        assert_eq!((output.status.success(), &*told), (true, &*line));
        let found = RecordedFolder::of(&here);
        assert_eq!((found.recovered.processes, found.named(Kind::Span, "span").len()), (1, 400));
        assert!(found.named(Kind::Memory, "").is_empty(), "memory was not asked for");
    }
}

#[test]
fn what_is_wrong_with_the_options_is_one_line_and_harms_nothing() {
    let folder = folder("wrong_options");
    let not_a_folder = folder.join("file");
    std::fs::write(&not_a_folder, "").expect("a file");
    let cases = [
        (r#"{"start":tru}"#.to_owned(), "column"),
        (r#"{"start":true,"keep":60}"#.to_owned(), "`keep`: "),
        (format!(r#"{{"start":true,"output":{not_a_folder:?}}}"#), &*not_a_folder.to_string_lossy()),
        (r#"{"start":true,"output":"/proc/a/b"}"#.to_owned(), "/proc/a/b: "),
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
