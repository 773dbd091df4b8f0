//! Tests of the Python package with the program, and of the wheel with both. They run with the program of this build,
//! on the Python of the project's set-up that has notebooks and pandas, else on the system's.
#![cfg(target_os = "linux")]

mod unittest;

fn unittest(module: &str) {
    unittest::unittest(module, "STEPSCOPE_NOTEBOOK", |command| {
        command.env("STEPSCOPE_PROGRAM", env!("CARGO_BIN_EXE_stepscope")).env_remove("STEPSCOPE_WIDGET");
    });
}

#[test]
fn traces_are_summed_up_reported_and_shown() {
    unittest("test_sharing");
}

#[test]
fn python_in_the_documents_shares() {
    unittest("test_documents.Sharing");
}

#[test]
fn the_wheel_holds_and_installs_all() {
    unittest("test_wheel");
}
