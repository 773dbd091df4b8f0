//! This program again, as the one that the library is injected into.

use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use crate::{cupti, cupti_clients, cupti_windows, nvtx};

const ROLE: &str = "STEPSCOPE_TEST_ROLE";
const FOLDER: &str = "STEPSCOPE_TEST_FOLDER";

/// Function of a role; its argument is the folder.
type Role = fn(&Path);

const ROLES: [(&str, Role); 12] = [
    ("ranges", nvtx::ranges),
    ("several objects", nvtx::several_objects),
    ("forks", nvtx::forks),
    ("not wanted", nvtx::not_wanted),
    ("every record", cupti::every_record),
    ("malformed", cupti::malformed),
    ("busy", cupti::busy),
    ("beside the runtime", cupti::beside_the_runtime),
    ("another client", cupti_clients::another),
    ("announced client", cupti_clients::announced),
    ("announced early", cupti_clients::announced_early),
    ("windows", cupti_windows::windows),
];

/// A folder for one test, empty.
pub(crate) fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("inject").join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

/// The library that is tested, as programs load it.
pub(crate) fn injection() -> PathBuf {
    built("libstepscope_inject.so")
}

/// A library that was built for the tests.
pub(crate) fn built(name: &str) -> PathBuf {
    let program = std::env::current_exe().expect("this program");
    let path = program.parent().expect("its folder").join(name);
    assert!(path.exists(), "{} was not built", path.display());
    path
}

/// A program with the environment that `stepscope record` gives it; the recordings go to the folder's `recordings`.
pub(crate) fn recorded(program: &Path, folder: &Path, options: &str) -> Command {
    let output = folder.join("recordings");
    let options = format!(r#"{{"start":true,"output":"{}"{options}}}"#, output.display());
    let mut command = Command::new(program);
    command.env("STEPSCOPE_OPTIONS", options).env_remove("RANK");
    command.env("NVTX_INJECTION64_PATH", injection()).env("CUDA_INJECTION64_PATH", injection());
    command
}

/// This program in a role.
pub(crate) fn command(role: &str, folder: &Path, options: &str) -> Command {
    assert!(ROLES.iter().any(|(known, _)| *known == role), "no role {role}");
    let mut command = recorded(&std::env::current_exe().expect("this program"), folder, options);
    command.args(["role::plays_its_role", "--exact", "--nocapture", "--test-threads=1"]);
    command.env(ROLE, role).env(FOLDER, folder).stdout(std::process::Stdio::null());
    command
}

/// Starts this program in a role.
pub(crate) fn begin(role: &str, folder: &Path) -> Child {
    command(role, folder, "").spawn().expect("this program starts again")
}

/// Runs this program in a role to its end; returns what it printed.
#[track_caller]
pub(crate) fn play(role: &str, folder: &Path, options: &str) -> String {
    let output = command(role, folder, options).stderr(std::process::Stdio::piped()).output().expect("an end");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{role}: {}\n{errors}", output.status);
    errors
}

/// The test that `begin` runs; without a role it does nothing.
#[test]
fn plays_its_role() {
    let (Ok(role), Some(folder)) = (std::env::var(ROLE), std::env::var_os(FOLDER)) else { return };
    let (_, run) = ROLES.iter().find(|(known, _)| *known == role).expect("a role");
    run(Path::new(&folder));
}
