//! The library that is tested.

use std::path::PathBuf;

/// The shared library, which cargo builds with its tests.
pub(crate) fn library() -> PathBuf {
    let test = std::env::current_exe().expect("this test");
    let places = test.ancestors().skip(1).take(2).map(|folder| folder.join("libstepscope_inject.so"));
    // Beside the test's folder is a copy that only `cargo build` renews.
    places.into_iter().find(|path| path.is_file()).expect("libstepscope_inject.so beside the tests")
}
