//! The commands in README and docs run.

use std::path::{Path, PathBuf};

use stepscope_tests::generator::Spec;

use crate::support::{Printed, fixture, folder, page, program};

/// Commands that start something or inspect the machine: only their options are checked.
const STARTING: [&str; 5] = ["demo", "doctor", "record", "recover", "serve"];

/// The pages below a folder.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("docs").map(|entry| entry.expect("an entry").path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let files = files.into_iter().filter(|path| path.extension().is_some_and(|end| end == "md"));
    files.chain(folders.iter().flat_map(|folder| pages(folder))).collect()
}

/// The words of a command as a shell splits them, up to a comment, a pipe or a file.
fn words(line: &str) -> Vec<String> {
    let (mut found, mut word, mut is_quoted) = (Vec::new(), String::new(), false);
    for letter in line.chars() {
        match letter {
            '\'' => is_quoted = !is_quoted,
            '#' | '|' | '>' if !is_quoted => break,
            ' ' if !is_quoted => found.push(std::mem::take(&mut word)),
            letter => word.push(letter),
        }
    }
    found.push(word);
    found.retain(|word| !word.is_empty());
    found
}

/// The commands in code of a page: the words after `stepscope`.
fn commands(text: &str) -> Vec<Vec<String>> {
    let mut is_code = false;
    let mut found = Vec::new();
    for line in text.lines() {
        is_code ^= line.starts_with("```");
        let command = line.strip_prefix("$ ").unwrap_or(line).strip_prefix("stepscope ");
        found.extend(command.filter(|_| is_code).map(words));
    }
    found
}

#[test]
#[cfg(target_os = "linux")]
fn commands_of_the_documents_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = folder("documents");
    let (text, _) = Spec { steps: 16, ..Spec::small(3) }.generate();
    for name in ["trace.json", "trace.json.gz", "before.json", "after.json"] {
        std::fs::write(folder.join(name), &text).expect("a trace");
    }
    std::fs::create_dir(folder.join("ranks")).expect("a folder");
    for rank in 0..16 {
        let (text, _) = Spec { rank, world_size: 16, steps: 2, groups: 2, ..Spec::small(3) }.generate();
        std::fs::write(folder.join(format!("ranks/rank{rank}.json")), text).expect("a trace");
    }
    for name in ["before", "after"] {
        std::os::unix::fs::symlink(folder.join("ranks"), folder.join(name)).expect("a folder");
    }
    std::fs::copy(fixture("nsys/schema_2023/input.sqlite"), folder.join("run.sqlite")).expect("an export");
    std::os::unix::fs::symlink(fixture("mindspore/graphs/input"), folder.join("profiler")).expect("a folder");
    let page = page(&folder);
    let documents = pages(&root.join("docs/src")).into_iter().chain([
        root.join("README.md"),
        root.join("collector/cli/README.md"),
        root.join("collector/python/README.md"),
    ]);
    let mut count = 0;
    for path in documents {
        for mut words in commands(&std::fs::read_to_string(&path).expect("a page")) {
            if STARTING.contains(&words[0].as_str()) {
                // Before the command that is recorded.
                let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
                words.insert(end, "--help".to_owned());
            }
            // Another page may have written it.
            if let Some(output) = words.iter().skip_while(|word| *word != "-o").nth(1) {
                let _ = std::fs::remove_file(folder.join(output));
            }
            let printed = Printed::of(program().current_dir(&folder).env("STEPSCOPE_PAGE", &page).args(&words));
            assert_eq!(printed.code, Some(0), "{}: stepscope {}: {}", path.display(), words.join(" "), printed.err);
            count += 1;
        }
    }
    assert!(count > 50, "{count} commands");
}

#[test]
fn words_are_those_of_a_shell() {
    assert_eq!(words("find trace.json 'gemm dur>1ms'    # events"), ["find", "trace.json", "gemm dur>1ms"]);
    assert_eq!(words("redact a.json -o - | gzip > b"), ["redact", "a.json", "-o", "-"]);
    assert_eq!(commands("stepscope no\n```sh\n$ stepscope a b\n```"), [["a", "b"]]);
}
