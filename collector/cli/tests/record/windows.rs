//! A process that records itself in several windows, with files made of them beside: it is one rank, and counted once.

use std::path::Path;

use serde_json::Value;
use stepscope_collector::{Cycle, Options, Profiler, Scheduler, export_compact, span};

use crate::role::{ROLE, command};
use crate::support::{Run, folder, program};

/// Two windows of three steps each, the first of which is a warm-up step; in each, a child that records itself.
#[expect(unsafe_code, reason = "fork and _exit are the system's C interface")]
pub(crate) fn record(folder: &Path) {
    let cycle = Cycle { wait: 1, warm_up: 1, active: 2, repeat: 2, ..Cycle::default() };
    let options = Options { segment_bytes: 64 << 10, ..Options::new(folder.join("raw")) };
    let mut profiler = Profiler::new(options)
        .scheduler(Scheduler::cycle(cycle))
        .on_trace_ready(export_compact(folder))
        .start()
        .expect("a profiler");
    for step in 0..8 {
        if step % 4 == 2 {
            // SAFETY: the child calls the recorder, which is made for it, and `_exit`.
            let child = unsafe { libc::fork() };
            if child == 0 {
                drop(span!("in a worker"));
                // SAFETY: it ends the process.
                unsafe { libc::_exit(0) }
            }
            let mut status = 0;
            // SAFETY: it writes the status alone.
            assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
        profiler.step().expect("the next step");
    }
    profiler.stop().expect("an end");
}

/// A folder that one or several processes have recorded themselves into.
fn recorded(name: &str, processes: usize) -> std::path::PathBuf {
    let folder = folder(name);
    for _ in 0..processes {
        let run = Run::of(command().env(ROLE, format!("windows {}", folder.display())));
        assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    }
    folder
}

/// The steps of each rank of a folder, and the messages about files.
fn steps(folder: &Path) -> (Vec<Vec<String>>, String) {
    let run = Run::of(program().args(["summary", "--json", "--verbose"]).arg(folder));
    assert_eq!(run.code, Some(0), "{}", run.err);
    let summary: Value = serde_json::from_str(&run.out).expect("JSON");
    let name = |step: &Value| step["name"].as_str().expect("a name").to_owned();
    let steps = |rank: &Value| rank["steps"].as_array().expect("steps").iter().map(name).collect();
    (summary["ranks"].as_array().expect("ranks").iter().map(steps).collect(), run.err)
}

fn files(folder: &Path, extension: &str) -> Vec<std::path::PathBuf> {
    let all = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<_> = all.filter(|path| path.extension().is_some_and(|end| end == extension)).collect();
    files.sort();
    files
}

#[test]
fn the_windows_of_a_process_are_one_rank_and_read_once() {
    let folder = recorded("windows", 1);
    let (compact, raw) = (files(&folder, "stepscope"), files(&folder.join("raw"), "steprec"));
    assert_eq!((compact.len(), raw.len()), (2, 4), "{compact:?} {raw:?}");
    let all = [["1", "2", "3", "5", "6", "7"].map(str::to_owned).to_vec()];
    let (found, told) = steps(&folder);
    assert_eq!(found, all, "{told}");
    for path in &compact {
        let raw = folder.join("raw").join(path.file_stem().expect("a name")).with_extension("steprec");
        let line = format!("{}: the same recording as {}, which is read instead", raw.display(), path.display());
        assert!(told.contains(&line), "{told}");
    }
    let workers = Run::of(program().args(["find", "--json"]).arg(&folder).arg("\"in a worker\""));
    assert_eq!(workers.out.matches("\"in a worker\"").count(), 2, "{}{}", workers.out, workers.err);
    // The raw recordings alone, and with one window not exported.
    assert_eq!(steps(&folder.join("raw")).0, all);
    std::fs::remove_file(&compact[0]).expect("a file");
    assert_eq!(steps(&folder).0, all);
    // With its raw recording deleted instead.
    let second = folder.join("raw").join(compact[1].file_stem().expect("a name")).with_extension("steprec");
    std::fs::remove_file(second).expect("a file");
    assert_eq!(steps(&folder).0, all);
    // A file of the whole folder of recordings, beside them and the file of one.
    let recovered = Run::of(program().arg("recover").arg(folder.join("raw")).arg("-o").arg(folder.join("z.stepscope")));
    assert_eq!(recovered.code, Some(0), "{}", recovered.err);
    let (found, told) = steps(&folder);
    assert_eq!(found, all, "{told}");
    assert_eq!(told.matches("the same recording as").count(), 3, "{told}");
}

#[test]
fn each_process_is_a_rank() {
    let folder = recorded("processes", 2);
    let (found, told) = steps(&folder);
    let each = ["1", "2", "3", "5", "6", "7"].map(str::to_owned).to_vec();
    assert_eq!(found, [each.clone(), each.clone()], "{told}");
    // Without the files made of them, too: the recordings show that there were two runs.
    let raw = folder.join("raw");
    let (found, told) = steps(&raw);
    assert_eq!(found, [each.clone(), each], "{told}");
    let run = Run::of(program().arg("summary").arg(&raw));
    assert!(run.out.contains("raw (run 1)") && run.out.contains("raw (run 2)"), "{}", run.out);
    assert!(!run.err.contains("mark steps"), "{}", run.err);
}

/// As the Python profiler does it.
#[test]
fn windows_in_folders_of_their_own_are_one_rank() {
    let folder = recorded("folders", 1);
    let raw = files(&folder.join("raw"), "steprec");
    let window = |name: &str| {
        let window = folder.join("apart").join(name);
        std::fs::create_dir_all(&window).expect("a folder");
        window
    };
    // The parent's recordings are the ones that were exported.
    let own: Vec<_> = files(&folder, "stepscope").iter().map(|path| path.with_extension("steprec")).collect();
    for path in &raw {
        let name = path.file_name().expect("a name");
        let own = own.iter().position(|own| own.file_name() == Some(name));
        std::fs::copy(path, window(own.map_or("0", |own| ["0", "1"][own])).join(name)).expect("a copy");
    }
    let (found, told) = steps(&folder.join("apart"));
    assert_eq!(found, [["1", "2", "3", "5", "6", "7"].map(str::to_owned).to_vec()], "{told}");
}
