//! Running the program, and folders with traces for it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use stepscope_tests::generator::Spec;

/// The built program.
pub(crate) fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stepscope"));
    command.env_remove("COLUMNS").env_remove("STEPSCOPE_PAGE").env_remove("NO_COLOR");
    command
}

/// An empty folder for one test.
pub(crate) fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

/// Writes a small trace of a rank.
pub(crate) fn trace(folder: &Path, name: &str, rank: u64) -> PathBuf {
    let path = folder.join(name);
    let (text, _) = Spec { rank, ..Spec::small(3) }.generate();
    std::fs::write(&path, text).expect("a trace for the test");
    path
}

/// A golden case's input.
pub(crate) fn fixture(path: &str) -> PathBuf {
    stepscope_tests::files::root().join("tests/fixtures").join(path)
}

/// Output of a finished program.
pub(crate) struct Printed {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Printed {
    pub(crate) fn of(command: &mut Command) -> Self {
        let Output { status, stdout, stderr } = command.output().expect("the program starts");
        let text = |bytes| String::from_utf8(bytes).expect("the program prints UTF-8");
        Self { code: status.code(), out: text(stdout), err: text(stderr) }
    }

    /// The output of a success.
    pub(crate) fn success(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (Some(0), ""));
        self.out
    }

    /// The message of a failure, which prints nothing else.
    pub(crate) fn failure(self, code: i32) -> String {
        assert_eq!((self.code, self.out.as_str()), (Some(code), ""), "{}", self.err);
        assert!(self.err.starts_with("error: "), "{}", self.err);
        self.err
    }
}

/// A folder in place of the built page: a report needs only the scripts from it.
pub(crate) fn page(folder: &Path) -> PathBuf {
    let page = folder.join("page");
    std::fs::create_dir_all(page.join("assets")).expect("a folder");
    std::fs::write(page.join("index.html"), "<!doctype html>").expect("a page");
    let scripts = "<script id=\"stepscope-analyzer\" data-hash=\"sha256-AAAA\"></script>\n";
    std::fs::write(page.join("assets/analyzer.html"), scripts).expect("scripts");
    page
}
