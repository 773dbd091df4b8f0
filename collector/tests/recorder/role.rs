//! This program again, as the one that is recorded.

use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use stepscope_collector::{Options, start};

#[cfg(feature = "tracing")]
use crate::layer;
use crate::{
    ahead, arguments, device, disk, environment, events, flight, forks, functions, handles, kill, names, profile,
    stopped, storm,
};

const ROLE: &str = "STEPSCOPE_TEST_ROLE";
const FOLDER: &str = "STEPSCOPE_TEST_FOLDER";

/// Function of a role; its argument is the folder.
type Role = fn(&Path);

const ROLES: &[(&str, Role)] = &[
    ("functions", functions::functions),
    #[cfg(feature = "tracing")]
    ("tracing", layer::told),
    ("ahead", ahead::roll),
    ("arguments", arguments::said),
    ("turns", profile::turns),
    ("epochs", profile::epochs),
    ("partial", profile::partial),
    ("unaware", environment::unaware),
    ("aware", environment::aware),
    ("profiles", environment::profiles),
    ("left", environment::left),
    ("busy", kill::busy),
    ("deep", kill::deep),
    ("groups", device::groups),
    ("on a counter", device::on_a_counter),
    ("forks", forks::forks),
    ("full disk", disk::fill),
    ("names", names::many),
    ("flight", flight::fly),
    ("stopped", stopped::stopped),
    ("orphaned", stopped::orphaned),
    ("storm", storm::storm),
    ("every event", events::every),
    ("handles", handles::strangers),
    ("twice", events::twice),
];

/// A folder for one test, empty.
pub(crate) fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("recorder").join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

/// This program in a role.
pub(crate) fn command(role: &str, folder: &Path) -> Command {
    assert!(ROLES.iter().any(|(known, _)| *known == role), "no role {role}");
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args(["role::plays_its_role", "--exact", "--nocapture", "--test-threads=1"]);
    command.env(ROLE, role).env(FOLDER, folder).env_remove("RANK").stdout(std::process::Stdio::null());
    command.env_remove(stepscope_collector::VARIABLE);
    command
}

/// Starts this program in a role.
pub(crate) fn begin(role: &str, folder: &Path) -> Child {
    command(role, folder).spawn().expect("this program starts again")
}

/// Runs this program in a role to its end.
#[track_caller]
pub(crate) fn play(role: &str, folder: &Path) {
    let status = begin(role, folder).wait().expect("an end");
    assert!(status.success(), "{role}: {status}");
}

/// The test that `begin` runs; without a role it does nothing.
#[test]
fn plays_its_role() {
    let (Ok(role), Some(folder)) = (std::env::var(ROLE), std::env::var_os(FOLDER)) else { return };
    let (_, run) = ROLES.iter().find(|(known, _)| *known == role).expect("a role");
    run(Path::new(&folder));
}

/// Records this process with small segments, so that threads often continue in the next one.
pub(crate) fn record(folder: &Path) -> PathBuf {
    start(&Options { segment_bytes: 64 << 10, ..Options::new(folder) }).expect("a recording")
}
