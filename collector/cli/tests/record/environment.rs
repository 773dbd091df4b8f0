//! The command's environment.

use std::path::Path;

use stepscope_collector::{EnvironmentOptions, Options, Target};

use crate::role::script;
use crate::support::{Run, folder, program, read, slices, values};

/// A command's value of a variable.
fn seen(folder: &Path, variable: &str, options: &[&str], own: &[(&str, &str)]) -> (String, Run) {
    let said = folder.join("said");
    let script = format!("printf %s \"${variable}\" > '{}'", said.display());
    let mut command = program();
    command.arg("record").arg("-o").arg(folder.join("out.stepscope")).args(options).args(["--", "sh", "-c", &script]);
    let run = Run::of(command.envs(own.iter().copied()));
    (std::fs::read_to_string(said).unwrap_or_default(), run)
}

#[test]
fn options_reach_the_recorder() {
    let folder = folder("options");
    let options = ["--targets", "nvtx,python", "--keep", "1.5m", "--keep-bytes", "9999999", "--fast-clock"];
    let (said, run) = seen(&folder, "STEPSCOPE_OPTIONS", &options, &[]);
    let found = EnvironmentOptions::parse(&said).unwrap_or_else(|error| panic!("{error}: {said} {}", run.err));
    assert!(found.start && found.wants(Target::Python) && !found.wants(Target::Cuda));
    assert_eq!(found.output, folder.join("out.recording"));
    let keep = Options::from(&found).keep.expect("only the latest");
    assert_eq!((keep.time.as_secs(), keep.bytes), (90, 9_999_999));
    let own = [("STEPSCOPE_OPTIONS", r#"{"segment_bytes":16384,"output":"elsewhere"}"#)];
    let (said, run) = seen(&folder, "STEPSCOPE_OPTIONS", &[], &own);
    let found = EnvironmentOptions::parse(&said).expect("options");
    assert_eq!((found.segment_bytes, found.output), (16384, folder.join("out.recording")));
    assert!(run.err.contains("STEPSCOPE_OPTIONS is set already"), "{}", run.err);
    let wrong = seen(&folder, "STEPSCOPE_OPTIONS", &[], &[("STEPSCOPE_OPTIONS", "{]")]).1;
    assert_eq!(wrong.code, Some(1), "{}", wrong.err);
}

#[test]
fn mindspores_own_profiler_beside_a_recording_is_named() {
    let own = folder("mindspore");
    let theirs = r#"{"start": true, "output_path": "/XXX"}"#;
    let (said, run) = seen(&own, "MS_PROFILER_OPTIONS", &[], &[("MS_PROFILER_OPTIONS", theirs)]);
    assert_eq!(said, theirs);
    assert!(run.err.contains("MindSpore's own profiler runs beside this recording"), "{}", run.err);
    let off = [("MS_PROFILER_OPTIONS", r#"{"start": false}"#)];
    let run = seen(&folder("mindspore_off"), "MS_PROFILER_OPTIONS", &[], &off).1;
    assert!(!run.err.contains("MindSpore"), "{}", run.err);
}

#[test]
fn what_is_said_here_comes_before_what_was_said_there() {
    let folder = folder("before");
    let own =
        r#"{"targets":["cuda","memory"],"keep":{"seconds":9,"bytes":9},"make_output":true,"segment_bytes":32768}"#;
    let (said, run) =
        seen(&folder, "STEPSCOPE_OPTIONS", &["--targets", "nvtx", "--keep", "2s"], &[("STEPSCOPE_OPTIONS", own)]);
    let found = EnvironmentOptions::parse(&said).unwrap_or_else(|error| panic!("{error}: {said} {}", run.err));
    assert_eq!(found.targets, Some(vec![Target::Nvtx]));
    let options = Options::from(&found);
    let keep = options.keep.expect("only the latest");
    assert_eq!((keep.time.as_secs(), keep.bytes), (2, 1 << 30));
    assert!(!options.make_output);
    assert_eq!(options.segment_bytes, 32768, "what is not said here stays");
}

/// The environment is meant for processes below this program, or for those below one that records this one.
#[test]
fn the_program_does_not_record_itself_as_its_environment_says() {
    let folder = folder("own");
    let (elsewhere, output) = (folder.join("elsewhere"), folder.join("out.stepscope"));
    let own = format!(r#"{{"start":true,"output":{elsewhere:?}}}"#);
    // Long enough to be sampled on a busy machine.
    let run = Run::of(
        program().arg("record").arg("-o").arg(&output).args(["--", "sleep", "2"]).env("STEPSCOPE_OPTIONS", own),
    );
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(!elsewhere.exists(), "{}", run.err);
    assert!(!values(&read(&output), "sleep 2", "RSS (MiB)").is_empty(), "{}", run.err);

    let inner = folder.join("inner.stepscope");
    let mut command = program();
    command.arg("record").arg("-o").arg(&output).arg("--").arg(program().get_program());
    command.arg("record").arg("-o").arg(&inner).args(["--", "sh", "-c", &format!("exec env {}", script("burns"))]);
    let run = Run::of(&mut command);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let (outer, inner) = (read(&output), read(&inner));
    assert_eq!((slices(&outer, "burn"), slices(&inner, "burn")), (0, 1), "{}", run.err);
    for trace in [&outer, &inner] {
        assert!(!values(trace, "--test-threads=1", "RSS (MiB)").is_empty(), "{}", run.err);
    }
}

#[test]
fn the_injection_library_is_told_to_nvidia_s() {
    let folder = folder("injection");
    let library = folder.join("libstepscope_inject.so");
    std::fs::write(&library, "").expect("a file");
    let library = library.to_str().expect("UTF-8");
    let with = ("STEPSCOPE_LIBRARY", library);
    for variable in ["NVTX_INJECTION64_PATH", "CUDA_INJECTION64_PATH", "STEPSCOPE_LIBRARY"] {
        assert_eq!(seen(&folder, variable, &[], &[with]).0, library, "{variable}");
    }
    assert_eq!(seen(&folder, "CUDA_INJECTION64_PATH", &["--targets", "nvtx"], &[with]).0, "");
    let (said, run) = seen(&folder, "NVTX_INJECTION64_PATH", &[], &[with, ("NVTX_INJECTION64_PATH", "/other.so")]);
    assert_eq!(said, "/other.so");
    assert!(run.err.contains("NVTX_INJECTION64_PATH is set already and stays: /other.so"), "{}", run.err);
    let (said, run) = seen(&folder, "NVTX_INJECTION64_PATH", &[], &[("STEPSCOPE_LIBRARY", "/no/such.so")]);
    assert_eq!((said.as_str(), run.code), ("", Some(0)));
    assert!(run.err.contains("no NVTX, no CUDA"), "{}", run.err);
}

#[test]
fn hooks_for_python_come_first() {
    let folder = folder("hooks");
    std::fs::write(folder.join("sitecustomize.py"), "").expect("a file");
    let hooks = folder.to_str().expect("UTF-8");
    let own = [("STEPSCOPE_PYTHON_HOOKS", hooks), ("PYTHONPATH", "/mine")];
    assert_eq!(seen(&folder, "PYTHONPATH", &["--python-hooks"], &own).0, format!("{hooks}:/mine"));
    assert_eq!(seen(&folder, "PYTHONPATH", &[], &own).0, "/mine", "only who asks for them has them");
    let (_, run) = seen(&folder, "PYTHONPATH", &["--python-hooks"], &[("STEPSCOPE_PYTHON_HOOKS", "/no/such")]);
    assert!(run.err.contains("no hooks for Python"), "{}", run.err);
}
