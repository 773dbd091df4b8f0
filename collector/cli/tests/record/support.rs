//! Running the program, and reading what it wrote.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use stepscope::Loader;
use stepscope::trace::{EventId, Trace};

/// The built program, without the tester's environment.
pub(crate) fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stepscope"));
    for variable in ["STEPSCOPE_OPTIONS", "STEPSCOPE_LIBRARY", "NVTX_INJECTION64_PATH", "CUDA_INJECTION64_PATH", "RANK"]
    {
        command.env_remove(variable);
    }
    command.stdin(Stdio::null());
    as_in_the_foreground(&mut command);
    command
}

/// Restores the default effect of the signals that end a program: a shell makes its background processes ignore them.
pub(crate) fn as_in_the_foreground(command: &mut Command) {
    let defaults = || {
        for signal in [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGTERM] {
            #[expect(unsafe_code, reason = "what is done with signals is the system's C interface")]
            // SAFETY: allowed between fork and exec, and takes no pointer.
            unsafe {
                libc::signal(signal, libc::SIG_DFL);
            }
        }
        Ok(())
    };
    #[expect(unsafe_code, reason = "what runs between fork and exec may call but little")]
    // SAFETY: it calls nothing but `signal`, allocates nothing, and takes no lock.
    unsafe {
        command.pre_exec(defaults);
    }
}

/// A file beside the built program or beside the tests: a library, or an example in its folder.
pub(crate) fn built(name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_BIN_EXE_stepscope")).parent()?;
    // Libraries beside the tests are built with them; beside the program is a copy that only `cargo build` renews.
    ["deps", ".", "../inject"].map(|place| folder.join(place).join(name)).into_iter().find(|path| path.is_file())
}

/// The injection library, from the variable or from a build.
pub(crate) fn injection_library() -> Option<PathBuf> {
    let told = std::env::var_os("STEPSCOPE_LIBRARY").map(PathBuf::from);
    told.filter(|path| path.is_file()).or_else(|| built("libstepscope_inject.so"))
}

/// An empty folder for one test.
pub(crate) fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("record").join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

/// Result of a run.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Run {
    pub(crate) fn of(command: &mut Command) -> Self {
        Self::from(command.output().expect("the program starts"))
    }

    /// Records a shell's script.
    pub(crate) fn shell(output: &Path, options: &[&str], script: &str) -> Self {
        Self::of(program().arg("record").arg("-o").arg(output).args(options).args(["--", "sh", "-c", script]))
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

/// Reads a file as the analyzer does.
pub(crate) fn read(path: &Path) -> Trace {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut loader = Loader::new(&path.to_string_lossy());
    for chunk in bytes.chunks(1 << 16) {
        loader.space(chunk.len()).copy_from_slice(chunk);
        loader.advance(chunk.len()).expect("a trace");
    }
    loader.finish().expect("a trace").trace
}

/// Number of slices with a name.
pub(crate) fn slices(trace: &Trace, name: &str) -> usize {
    trace.slices.ids().filter(|id: &EventId| trace.name_of(*id) == name).count()
}

/// A counter's values, for any process whose label ends with `process`.
pub(crate) fn values(trace: &Trace, process: &str, name: &str) -> Vec<f64> {
    let named = trace.counters.iter().filter(|counter| {
        trace.strings.get(counter.name).contains(name) && trace.process_label(counter.process).ends_with(process)
    });
    named.flat_map(|counter| counter.samples.iter().map(|sample| sample.value)).collect()
}

/// Waits for a condition.
#[track_caller]
pub(crate) fn until(what: &str, is: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}: never");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Whether a folder has so many raw recordings with something in them.
pub(crate) fn has_recordings(folder: &Path, count: usize) -> bool {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter(|file| file.metadata().is_ok_and(|about| about.len() > 4096)).count() >= count
}
