//! Command lines in recordings, and access to recordings.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::support::{Run, folder, program};

/// A value that must not be anywhere.
const SECRET: &[u8] = b"made-up-value";

/// Records a command with secrets in its arguments; its child has some, too.
fn record(folder: &Path, name: &str, options: &[&str]) -> Run {
    let script = "sh -c 'sleep 0.3; :' child --api-key made-up-value --epochs 3; :";
    let command =
        ["sh", "-c", script, "train", "--password=made-up-value", "--tokenizer", "small", "HF_TOKEN=made-up-value"];
    let mut run = program();
    run.args(["record", "--raw", "--sample", "50", "-o"]).arg(folder.join(name)).args(options).arg("--").args(command);
    Run::of(&mut run)
}

/// All files and folders below one, with their modes.
fn modes(folder: &Path, found: &mut Vec<(std::path::PathBuf, u32)>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let about = entry.metadata().expect("a file");
        found.push((entry.path(), about.permissions().mode() & 0o777));
        if about.is_dir() {
            modes(&entry.path(), found);
        }
    }
}

fn has(path: &Path, text: &[u8]) -> bool {
    std::fs::read(path).expect("a file").windows(text.len()).any(|window| window == text)
}

#[test]
fn command_lines_are_kept_without_secrets_for_their_owner_alone() {
    let folder = folder("secrets");
    // The old file may be read by all; the one that replaces it may not.
    std::fs::write(folder.join("out.stepscope"), "before").expect("a file");
    let run = record(&folder, "out.stepscope", &[]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.err.contains("stepscope redact"), "{}", run.err);
    let exported = record(&folder, "exported.json", &[]);
    assert_eq!(exported.code, Some(0), "{}", exported.err);
    let mut found = Vec::new();
    modes(&folder, &mut found);
    assert!(found.len() >= 5, "{found:?}");
    for (path, mode) in &found {
        let expected = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(*mode, expected, "{}", path.display());
        if path.is_file() {
            assert!(!has(path, SECRET), "{}", path.display());
        }
    }
    let out = folder.join("out.stepscope");
    for kept in [&b"--api-key"[..], b"--epochs 3", b"--password=***", b"--tokenizer small"] {
        assert!(has(&out, kept), "{}", String::from_utf8_lossy(kept));
    }
    assert!(!run.out.contains("made-up-value") && !run.err.contains("made-up-value"));
}

#[test]
fn no_command_line_is_kept_where_none_is_wanted() {
    let folder = folder("no-command-line");
    let run = record(&folder, "out.stepscope", &["--command", "none"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let mut found = Vec::new();
    modes(&folder, &mut found);
    for (path, _) in found.iter().filter(|(path, _)| path.is_file()) {
        for text in [SECRET, b"--api-key", b"--tokenizer", b"HF_TOKEN"] {
            assert!(!has(path, text), "{}", path.display());
        }
    }
    assert!(has(&folder.join("out.stepscope"), b"sleep"), "processes have their programs' names");
}
