//! `cargo xtask deny`: licences, sources, bans and advisories of all dependencies (`deny.toml`).

use std::process::Command;

use crate::paths;
use crate::setup;
use crate::shell::{Result, command, heading, run, succeeds};
use crate::skips::skip;

/// The reason why advisories are not checked on some machines.
const NO_DATABASE: &str = "their database (github.com/rustsec/advisory-db) can't be had from here";

/// The workspaces with a lock file of their own.
const WORKSPACES: [&str; 3] = ["Cargo.toml", "crate/fuzz/Cargo.toml", "collector/peers/Cargo.toml"];

/// Checks each workspace.
pub(crate) fn task(args: &[String]) -> Result {
    if !args.is_empty() {
        return Err("deny takes no options".into());
    }
    licences()?;
    if advisories()? { Ok(()) } else { Err(format!("advisories are NOT CHECKED: {NO_DATABASE}")) }
}

/// Checks as a part of the tests, which must pass where only the registry can be reached.
pub(crate) fn test() -> Result {
    licences()?;
    if !advisories()? {
        skip(&format!("advisories: {NO_DATABASE}"));
    }
    Ok(())
}

/// Licences, bans and sources, which only need the registry.
fn licences() -> Result {
    setup::deny()?;
    heading("licences, bans, sources");
    for workspace in WORKSPACES {
        check(workspace, &[], &["licenses", "bans", "sources"])?;
    }
    Ok(())
}

/// Advisories; `false` if their database cannot be downloaded.
fn advisories() -> Result<bool> {
    heading("advisories");
    if !succeeds(deny(WORKSPACES[0], &[]).args(["fetch", "db"])) {
        return Ok(false);
    }
    for workspace in WORKSPACES {
        // All data was downloaded just before.
        check(workspace, &["--offline"], &["advisories"])?;
    }
    Ok(true)
}

fn deny(workspace: &str, options: &[&str]) -> Command {
    let mut deny = command("cargo-deny");
    deny.args(options).arg("--manifest-path").arg(paths::root().join(workspace));
    deny.arg("--config").arg(paths::root().join("deny.toml"));
    deny
}

fn check(workspace: &str, options: &[&str], what: &[&str]) -> Result {
    let mut deny = deny(workspace, options);
    // Not every workspace has the dependency of each exception.
    deny.args(["check", "--hide-inclusion-graph", "--allow", "license-exception-not-encountered"]);
    run(deny.args(what))
}
