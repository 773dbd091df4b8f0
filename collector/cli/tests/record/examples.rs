//! The examples of the top folder, each run as in its README, and their recordings.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Run, built, folder, injection_library, program};

/// A file of the top folder's `examples`.
fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

/// Fails unless a recording has five steps, with the phases that the examples mark.
#[track_caller]
fn has_five_steps(recording: &Path) {
    let run = Run::of(program().args(["summary", "--json"]).arg(recording));
    assert_eq!(run.code, Some(0), "{}", run.err);
    let report: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    let steps = report["ranks"][0]["steps"].as_array().expect("steps");
    let names: Vec<&str> = steps.iter().filter_map(|step| step["name"].as_str()).collect();
    assert_eq!(names, ["0", "1", "2", "3", "4"]);
    for step in steps {
        for phase in ["dataloader", "forward"] {
            assert_eq!(step["phases"][phase]["calls"], 1, "{phase} of {step}");
        }
    }
}

/// An example that the build left beside the tests.
fn rust(name: &str) -> Option<Command> {
    let path = built(&format!("examples/{name}"));
    if path.is_none() {
        eprintln!("SKIPPED: the example {name} was not built");
    }
    path.map(Command::new)
}

#[test]
fn the_example_in_rust_records_its_steps() {
    let Some(mut record) = rust("record") else { return };
    let folder = folder("example-rust");
    let run = Run::of(record.current_dir(&folder).env_remove("STEPSCOPE_OPTIONS"));
    assert_eq!((run.code, run.out.as_str()), (Some(0), "recorded into example.recording\n"), "{}", run.err);
    has_five_steps(&folder.join("example.recording"));
}

#[test]
fn the_example_in_rust_reads_a_trace() {
    let Some(mut read) = rust("read_trace") else { return };
    let trace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/kineto/cuda/input.json");
    let run = Run::of(read.arg(trace));
    assert_eq!(run.code, Some(0), "{}", run.err);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines[..2], ["step 3: 210.0 µs", "step 4: 185.0 µs"]);
    assert_eq!(lines[2], "multi_tensor_apply_kernel: 105.0 µs, 2 calls");
    assert_eq!(lines.len(), 5);
}

#[test]
fn the_example_in_c_records_its_steps() {
    let Some(library) = injection_library() else {
        eprintln!("SKIPPED: the example in C: libstepscope_inject.so was not built");
        return;
    };
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("SKIPPED: the example in C: no cc here");
        return;
    }
    let folder = folder("example-c");
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../inject/include");
    let mut compile = Command::new("cc");
    compile.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-I"]).arg(include).arg(example("record.c"));
    compile.arg(&library).arg(format!("-Wl,-rpath,{}", library.parent().expect("a folder").display()));
    let run = Run::of(compile.arg("-o").arg(folder.join("record")));
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    let run = Run::of(Command::new(folder.join("record")).current_dir(&folder).env_remove("STEPSCOPE_OPTIONS"));
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    has_five_steps(&folder.join("example.recording"));
}

#[test]
fn the_example_in_python_records_its_steps_and_reads_them() {
    let Some(library) = injection_library() else {
        eprintln!("SKIPPED: the example in Python: libstepscope_inject.so was not built");
        return;
    };
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("SKIPPED: the example in Python: no python3 here");
        return;
    }
    let folder = folder("example-python");
    let mut python = Command::new("python3");
    python.arg(example("record.py")).current_dir(&folder).env_remove("STEPSCOPE_OPTIONS");
    python.env("PYTHONPATH", Path::new(env!("CARGO_MANIFEST_DIR")).join("../python"));
    python.env("PYTHONDONTWRITEBYTECODE", "1").env("STEPSCOPE_LIBRARY", library);
    let run = Run::of(python.env("STEPSCOPE_PROGRAM", env!("CARGO_BIN_EXE_stepscope")));
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    assert_eq!(run.out.lines().count(), 5, "{}", run.out);
    assert!(run.out.starts_with("step 0: "), "{}", run.out);
    has_five_steps(&folder.join("example.recording"));
}
