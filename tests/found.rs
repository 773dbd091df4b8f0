//! Inputs that fuzzing has found, kept in `tests/found/TARGET`, tried without a fuzzer.

use std::fs;

use stepscope_tests::files::root;
use stepscope_tests::oracle::TARGETS;

#[test]
fn what_once_failed_holds() {
    for (target, check) in TARGETS {
        let folder = root().join("tests/found").join(target);
        // A target that never found anything has no folder.
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            let input = fs::read(&path).expect("an input");
            check(&input).unwrap_or_else(|what| panic!("{}: {what}", path.display()));
        }
    }
}

#[test]
fn every_target_has_a_program_and_a_corpus() {
    let fuzz = root().join("crate/fuzz");
    let mut programs: Vec<String> = fs::read_dir(fuzz.join("fuzz_targets"))
        .expect("the targets")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().replace(".rs", ""))
        .collect();
    programs.sort();
    assert_eq!(programs, TARGETS.map(|(target, _)| target));
    let seeds = fs::read_to_string(fuzz.join("examples/seeds.rs")).expect("what makes the corpora");
    for (target, _) in TARGETS {
        assert!(seeds.contains(&format!("\"{target}\"")), "no seeds for {target}");
    }
}
