//! NVTX as Python programs use it: PyPI's `nvtx`, if it is installed.

use std::path::PathBuf;
use std::process::Command;

use stepscope_format::{ArgumentValue, Kind};

use crate::recording::RecordedFolder;
use crate::role::{folder, recorded};

/// A Python that has the package; `None`, with a message, if there is none.
fn python() -> Option<PathBuf> {
    let named = std::env::var_os("STEPSCOPE_PYTHON").map(PathBuf::from);
    let python = named.unwrap_or_else(|| PathBuf::from("python3"));
    let imports = Command::new(&python).args(["-c", "import nvtx"]).stderr(std::process::Stdio::null()).status();
    let has_it = imports.is_ok_and(|status| status.success());
    if !has_it {
        println!("SKIPPED: {} has no package `nvtx` (STEPSCOPE_PYTHON may name one that has)", python.display());
    }
    has_it.then_some(python)
}

const SCRIPT: &str = r#"
import nvtx, os, threading

@nvtx.annotate("work", domain="mine", category="io")
def work(n):
    with nvtx.annotate("inner", payload=n):
        return n

for n in range(3):
    work(n)
nvtx.push_range("größe 🦀")
nvtx.pop_range()
nvtx.mark("moment")
across = nvtx.start_range("across")
thread = threading.Thread(target=lambda: (nvtx.end_range(across), work(7)))
thread.start()
thread.join()
if os.fork() == 0:
    work(8)
    os._exit(0)
os.wait()
"#;

#[test]
fn pythons_nvtx_is_recorded() {
    let Some(python) = python() else { return };
    let folder = folder("python");
    let output = recorded(&python, &folder, "").args(["-c", SCRIPT]).output().expect("an end");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let found = RecordedFolder::of(&folder.join("recordings"));
    assert_eq!(found.recovered.processes, 2);
    let count = |kind, name: &str| found.named(kind, name).len();
    assert_eq!((count(Kind::Span, "mine:work"), count(Kind::Span, "inner")), (5, 5), "in two threads and a child");
    assert_eq!((count(Kind::Span, "größe 🦀"), count(Kind::Mark, "moment")), (1, 1));
    assert_eq!((count(Kind::AsyncBegin, "across"), count(Kind::AsyncEnd, "across")), (1, 1));
    let payloads = found.named(Kind::Argument, "payload");
    let mut payloads: Vec<i64> = payloads
        .iter()
        .map(|record| match ArgumentValue::of(record) {
            Some(ArgumentValue::Signed(value)) => value,
            Some(ArgumentValue::Unsigned(value)) => value.cast_signed(),
            value => panic!("{value:?}"),
        })
        .collect();
    payloads.sort_unstable();
    assert_eq!(payloads, [0, 1, 2, 7, 8]);
    let categories = found.named(Kind::Argument, "category");
    assert_eq!(categories.len(), 5);
    for record in categories {
        let Some(ArgumentValue::Text(_)) = ArgumentValue::of(&record) else { panic!("{record:?}") };
    }
}
