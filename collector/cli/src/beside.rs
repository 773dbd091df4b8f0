//! Files that are installed with the program.

use std::path::{Path, PathBuf};

/// Their folders, from the program's folder: beside it, as `cargo xtask dist` leaves it; the systems' usual one; that
/// of Python's wheels, of which `pip install --target` keeps only `share`.
const FOLDERS: [&str; 3] = [".", "../lib/stepscope", "../share/stepscope"];

/// A file or folder that was installed with the program.
pub(crate) fn installed(name: &str, is_there: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    FOLDERS.iter().find_map(|folder| beside(&format!("{folder}/{name}"), &is_there))
}

/// A folder of the checkout that a debug build comes from. A release build trusts no path of the machine that built it:
/// on another machine anybody may have put files there.
pub(crate) fn in_checkout(name: &str, is_there: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    #[cfg(debug_assertions)]
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    #[cfg(not(debug_assertions))]
    let root: Option<&Path> = None;
    root.map(|root| root.join(name)).filter(|place| is_there(place))
}

/// A path from the program's folder, if it is there.
pub(crate) fn beside(place: &str, is_there: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?.canonicalize().ok()?;
    program.parent()?.join(place).canonicalize().ok().filter(|place| is_there(place))
}
