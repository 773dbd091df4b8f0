//! No file so large that nobody can hold it.

use super::{files, none, short, text};

const MOST_LINES: usize = 600;

/// Files that may be larger, each with its reason: there are none.
const EXCEPTIONS: [(&str, &str); 0] = [];

#[test]
fn files_are_small() {
    let mut problems = Vec::new();
    for folder in ["crate", "collector", "tests", "www", "xtask"] {
        for path in files(folder, &[".rs", ".js", ".mjs", ".css", ".py"]) {
            let (name, lines) = (short(&path), text(&path).lines().count());
            let excepted = EXCEPTIONS.iter().any(|(exception, _)| *exception == name);
            if lines > MOST_LINES && !excepted {
                problems.push(format!("{name} has {lines} lines; {MOST_LINES} are the most"));
            } else if lines <= MOST_LINES && excepted {
                problems.push(format!("{name} has only {lines} lines: it needs no exception"));
            }
        }
    }
    for (name, reason) in EXCEPTIONS {
        if !stepscope_tests::files::root().join(name).is_file() {
            problems.push(format!("{name} is gone, its exception is not ({reason})"));
        }
    }
    none(&problems);
}
