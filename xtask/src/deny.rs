//! `cargo xtask deny`: licences, sources, bans and advisories of all that others have written (`deny.toml`).

use crate::paths;
use crate::setup;
use crate::shell::{Result, command, heading, run, succeeds};

/// Those with a lock file of their own.
const WORKSPACES: [&str; 3] = ["Cargo.toml", "crate/fuzz/Cargo.toml", "collector/peers/Cargo.toml"];

/// Checks each workspace; advisories only where their database can be had, and says so where it can't.
pub(crate) fn task(args: &[String]) -> Result {
    if !args.is_empty() {
        return Err("deny takes no options".into());
    }
    setup::deny()?;
    let deny = |workspace: &str, options: &[&str]| {
        let mut deny = command("cargo-deny");
        deny.args(options).arg("--manifest-path").arg(paths::root().join(workspace));
        deny.arg("--config").arg(paths::root().join("deny.toml"));
        deny
    };
    let check = |workspace: &str, options: &[&str], what: &[&str]| {
        let mut deny = deny(workspace, options);
        // What an exception is made for is not in every workspace.
        deny.args(["check", "--hide-inclusion-graph", "--allow", "license-exception-not-encountered"]);
        run(deny.args(what))
    };
    heading("licences, bans, sources");
    for workspace in WORKSPACES {
        check(workspace, &[], &["licenses", "bans", "sources"])?;
    }
    heading("advisories");
    if !succeeds(deny(WORKSPACES[0], &[]).args(["fetch", "db"])) {
        eprintln!("NOT CHECKED: advisories: their database (github.com/rustsec/advisory-db) can't be had from here");
        return Ok(());
    }
    for workspace in WORKSPACES {
        // All that is needed was fetched just now.
        check(workspace, &["--offline"], &["advisories"])?;
    }
    Ok(())
}
