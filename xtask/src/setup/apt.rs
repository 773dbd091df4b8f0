//! Debian's packages, where there is `apt-get` and the right to use it.

use std::process::Command;
use std::sync::OnceLock;

use crate::shell::{Result, capture, command, find, run, succeeds};

/// A command as root, or `None` where that is not allowed without asking for a password.
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

/// `apt-get` as root, or `None` where it is missing or not allowed.
fn apt_get() -> Option<Command> {
    find("apt-get")?;
    // As an argument: sudo takes no variables over.
    let mut apt = as_root("env")?;
    apt.args(["DEBIAN_FRONTEND=noninteractive", "apt-get"]);
    Some(apt)
}

/// Whether packages can be installed here without asking anybody.
pub(super) fn usable() -> bool {
    apt_get().is_some()
}

/// Refreshes the lists of packages, once a run.
///
/// A list that can't be had (some third party's) does not matter: what is missing then fails by name.
pub(super) fn update() {
    static DONE: OnceLock<()> = OnceLock::new();
    DONE.get_or_init(|| {
        if let Some(mut apt) = apt_get() {
            let _ = run(apt.args(["update", "-qq"]));
        }
    });
}

/// Installs packages without what they only recommend.
pub(super) fn install(packages: &[&str]) -> Result {
    update();
    let mut apt = apt_get().ok_or_else(|| {
        format!("apt-get can't be used here; as root, run: apt-get install -y {}", packages.join(" "))
    })?;
    run(apt.args(["install", "-y", "-qq", "--no-install-recommends"]).args(packages))
}
