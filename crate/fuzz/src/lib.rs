//! What the fuzz targets check: `stepscope_tests::oracle::TARGETS`, which the workspace's tests use, too.
//!
//! ```text
//! cargo xtask fuzz                          all targets, 30 seconds each; installs cargo-fuzz
//! cargo xtask fuzz sqlite --seconds 600
//! ```
//!
//! What is found goes into `tests/found/TARGET`, so that every test run tries it.

use stepscope_tests::oracle::TARGETS;

/// Checks an input of the target of that name.
///
/// # Panics
///
/// With what does not hold, or if there is no such target.
pub fn check(target: &str, data: &[u8]) {
    let found = TARGETS.iter().find(|(name, _)| *name == target);
    let Some((_, check)) = found else { panic!("there is no target {target}") };
    if let Err(what) = check(data) {
        panic!("{what}");
    }
}
