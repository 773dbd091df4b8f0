//! The interface for C: the header matches the library and its behavior.
#![cfg(target_os = "linux")]
#![expect(clippy::panic, reason = "a test says so what is wrong")]

#[path = "../support/mod.rs"]
mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use support::{folder, library, lines, lines_of};

const RECORDED: [&str; 28] = [
    "thread main of C",
    "mark mark 5",
    "mark signed 6",
    "mark signed 0",
    "argument value Signed(-1) of 65535",
    "counter loss 0.25",
    "flow_start arrow 9",
    "argument int Signed(-3) of 1",
    "argument uint Unsigned(18446744073709551615) of 1",
    "argument double Float(0.5) of 2",
    "argument bool Bool(true) of 2",
    "argument text \"conv1\" of 2",
    "span forward outer 8 depth 1",
    "flow_step arrow 9",
    "span general inner \u{fffd} 0 depth 2",
    "async_begin request 3",
    "memory device 2 at 4096 100",
    "memory device -1 at 8192 50",
    "memory device 2 at 4096 -100",
    "async_end request 3",
    "argument samples Unsigned(32) of 0",
    "span step step 0 depth 0",
    "span general outer 1 depth 1",
    "span general inner \u{fffd} 2 depth 2",
    "flow_end arrow 9",
    "span step step 1 depth 0",
    "argument info \"batch 9\" of 0",
    "span general timer 0 depth 0",
];

fn inject() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Compiles the program that calls every function, runs it, and reads what it recorded.
fn every_function(test: &str, compiler: &str, flags: &[&str]) {
    if Command::new(compiler).arg("--version").output().is_err() {
        eprintln!("SKIPPED: no {compiler} here, which would compile the test of the header");
        return;
    }
    let folder = folder(test);
    let (program, recordings, compact) =
        (folder.join("every"), folder.join("recordings"), folder.join("all.stepscope"));
    let library = library();
    let mut compile = Command::new(compiler);
    compile.args(flags).args(["-Wall", "-Wextra", "-Werror", "-pedantic", "-O1", "-I"]).arg(inject().join("include"));
    compile.arg(inject().join("tests/c_api/every.c")).arg("-xnone").arg(&library);
    compile.arg(format!("-Wl,-rpath,{}", library.parent().expect("a folder").display())).arg("-o").arg(&program);
    run(&mut compile);
    run(Command::new(&program).arg(&recordings).arg(&compact).env_remove("STEPSCOPE_OPTIONS"));
    let mut found = lines(&recordings);
    assert_eq!(lines_of(&std::fs::read(&compact).expect("the compact file")), found);
    // The system's name, before the program's.
    assert_eq!(found.remove(0), "thread every");
    assert_eq!(found, RECORDED);
}

#[track_caller]
fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{text}", output.status);
    assert_eq!(text, "", "{command:?}");
}

#[test]
fn every_function_from_c() {
    every_function("c", "cc", &["-std=c99"]);
}

#[test]
fn every_function_from_cpp() {
    every_function("cpp", "c++", &["-std=c++11", "-xc++"]);
}

#[test]
fn a_program_is_switched_on_by_the_environment() {
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("SKIPPED: no cc here, which would compile a program that is recorded");
        return;
    }
    let folder = folder("environment");
    let (source, program) = (folder.join("plain.c"), folder.join("plain"));
    let text = "#include \"stepscope.h\"\nint main(void) { uint32_t name = stepscope_name(\"work\");\n\
        stepscope_end(stepscope_begin(name, STEPSCOPE_GENERAL, 3)); return stepscope_is_recording(); }\n";
    std::fs::write(&source, text).expect("the program's text");
    let library = library();
    let mut compile = Command::new("cc");
    compile.arg("-I").arg(inject().join("include")).arg(&source).arg(&library);
    compile.arg(format!("-Wl,-rpath,{}", library.parent().expect("a folder").display())).arg("-o").arg(&program);
    run(&mut compile);
    let recordings = folder.join("recordings");
    let options = format!(r#"{{"start":true,"output":"{}"}}"#, recordings.display());
    let status = Command::new(&program).env("STEPSCOPE_OPTIONS", options).status().expect("it runs");
    assert_eq!(status.code(), Some(1), "it is being recorded");
    assert_eq!(lines(&recordings), ["thread plain", "span general work 3 depth 0"]);
    // An error is printed once, and has no other effect.
    let output = Command::new(&program).env("STEPSCOPE_OPTIONS", r#"{"strat":true}"#).output().expect("it runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && error.lines().count() == 1 && error.contains("strat"), "{error}");
}

/// The functions that a text declares or defines.
fn functions(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, _) in text.match_indices("stepscope_") {
        let before = text[..at].chars().next_back();
        let name: String =
            text[at..].chars().take_while(|letter| letter.is_ascii_alphanumeric() || *letter == '_').collect();
        let called = text[at + name.len()..].starts_with('(');
        if called && before.is_some_and(|letter| letter == ' ' || letter == '*') {
            found.insert(name);
        }
    }
    found
}

#[test]
fn header_and_library_have_the_same_functions() {
    let header = std::fs::read_to_string(inject().join("include/stepscope.h")).expect("the header");
    // Comments mention functions, too.
    let mut declared = String::new();
    let mut rest = header.as_str();
    while let Some((code, comment)) = rest.split_once("/*") {
        declared.push_str(code);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    declared.push_str(rest);
    let mut defined = String::new();
    for entry in std::fs::read_dir(inject().join("src/c_api")).expect("the sources") {
        let path: PathBuf = entry.expect("a source").path();
        let text = std::fs::read_to_string(path).expect("a source");
        let exported =
            text.split("#[unsafe(no_mangle)]").skip(1).filter_map(|item| item.split_once("fn ")).map(|(_, rest)| rest);
        for item in exported {
            defined.push_str(&format!(" {}\n", item.split_once('{').map_or(item, |(signature, _)| signature)));
        }
    }
    let (declared, defined) = (functions(&declared), functions(&defined));
    assert!(declared.len() >= 30, "{declared:?}");
    assert_eq!(declared, defined);
    // Every defined function is also in the library.
    let bytes = std::fs::read(library()).expect("the library");
    for name in &declared {
        let symbol = format!("\0{name}\0");
        assert!(bytes.windows(symbol.len()).any(|window| window == symbol.as_bytes()), "{name} is no symbol");
    }
}
