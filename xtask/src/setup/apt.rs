//! Debian's packages, if `apt-get` is there and allowed.

use std::process::Command;
use std::sync::OnceLock;

use crate::shell::{Result, capture, command, find, run, succeeds};

/// A command as root, or `None` if that needs a password.
pub(super) fn as_root(program: &str) -> Option<Command> {
    if capture(command("id").arg("-u")).as_deref() == Some("0") {
        return Some(command(program));
    }
    if find("sudo").is_none() || !succeeds(command("sudo").args(["-n", "true"])) {
        return None;
    }
    let mut sudo = command("sudo");
    sudo.args(["-n", program]);
    Some(sudo)
}

/// `apt-get` as root, or `None` if it is missing or not allowed.
fn apt_get() -> Option<Command> {
    find("apt-get")?;
    // As an argument: sudo does not pass on variables.
    let mut apt = as_root("env")?;
    apt.args(["DEBIAN_FRONTEND=noninteractive", "apt-get"]);
    Some(apt)
}

/// Whether packages can be installed here without a password.
pub(super) fn usable() -> bool {
    apt_get().is_some()
}

/// Refreshes the lists of packages, once a run.
///
/// A list that cannot be downloaded (some third party's) does not matter: a missing package then fails by name.
pub(super) fn update() {
    static DONE: OnceLock<()> = OnceLock::new();
    DONE.get_or_init(|| {
        if let Some(mut apt) = apt_get() {
            let _ = run(apt.args(["update", "-qq"]));
        }
    });
}

/// Installs packages without their recommendations.
pub(super) fn install(packages: &[&str]) -> Result {
    update();
    let mut apt = apt_get().ok_or_else(|| {
        format!("apt-get can't be used here; as root, run: apt-get install -y {}", packages.join(" "))
    })?;
    run(apt.args(["install", "-y", "-qq", "--no-install-recommends"]).args(packages))
}
