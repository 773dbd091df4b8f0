//! Checks of the fuzz targets: `stepscope_tests::oracle::TARGETS`, which the workspace's tests use, too.
//!
//! ```text
//! cargo xtask fuzz                          all targets, 30 seconds each; installs cargo-fuzz
//! cargo xtask fuzz sqlite --seconds 600
//! ```
//!
//! Inputs that fail are put into `tests/found/TARGET`, so that every test run tries them.

use stepscope_tests::oracle::TARGETS;

/// Checks an input by the target with that name.
///
/// # Panics
///
/// If the check fails, or there is no such target.
pub fn check(target: &str, data: &[u8]) {
    let found = TARGETS.iter().find(|(name, _)| *name == target);
    let Some((_, check)) = found else { panic!("there is no target {target}") };
    if let Err(what) = check(data) {
        panic!("{what}");
    }
}
