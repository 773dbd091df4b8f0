//! The Python package and the hooks for unchanged scripts: their own tests, run with the library of this build, by the
//! Python that the project's set-up made, with packages that can be recorded, else the system's.
#![cfg(target_os = "linux")]

#[path = "../support/library.rs"]
mod library;
#[path = "../../../cli/tests/python/unittest.rs"]
mod unittest;

use library::library;

fn unittest(module: &str) {
    unittest::unittest(module, "STEPSCOPE_PYTHON", |command| {
        command.env("STEPSCOPE_LIBRARY", library());
    });
}

#[test]
fn the_package_records() {
    unittest("test_package");
}

#[test]
fn python_in_the_documents_records() {
    for class in ["Names", "Recording", "Frameworks"] {
        unittest(&format!("test_documents.{class}"));
    }
}

#[test]
fn unchanged_scripts_are_recorded() {
    unittest("test_hooks");
}
