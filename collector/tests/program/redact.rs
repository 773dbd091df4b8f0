//! `stepscope redact`, and that nothing that is shown or handed on holds a secret.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::support::{Printed, fixture, folder, program};

/// A value that must not be anywhere.
const SECRET: &str = "made-up-value";

fn redact(file: &Path, output: &Path, options: &[&str]) -> Printed {
    Printed::of(program().arg("redact").arg(file).arg("-o").arg(output).args(options))
}

/// The summary of a file, without what it is called.
fn summary(file: &Path) -> Value {
    let text = Printed::of(program().args(["summary", "--json"]).arg(file));
    assert_eq!(text.code, Some(0), "{}", text.err);
    let name = file.file_name().expect("a name").to_string_lossy().into_owned();
    serde_json::from_str(&text.out.replace(&name, "trace")).expect("JSON")
}

/// The same without the warning of secrets, which a copy does not have.
fn without_warning(mut summary: Value) -> Value {
    for input in summary["inputs"].as_array_mut().expect("inputs") {
        input["warnings"].as_array_mut().expect("warnings").retain(|warning| warning["code"] != "secrets");
        // As it is packed.
        input.as_object_mut().expect("an input").remove("bytes");
    }
    summary
}

fn packed(folder: &Path, text: &[u8]) -> PathBuf {
    let path = folder.join("packed.json.gz");
    let mut gz = GzEncoder::new(fs::File::create(&path).expect("a file"), Compression::fast());
    gz.write_all(text).and_then(|()| gz.finish().map(drop)).expect("written");
    path
}

#[test]
fn a_clean_copy_has_the_same_numbers() {
    let folder = folder("redact");
    let input = fixture("kineto/secrets/input.json");
    let text = fs::read_to_string(&input).expect("the fixture");
    let packed = packed(&folder, text.as_bytes());
    for (file, name) in [(&input, "clean.json"), (&packed, "clean.json.gz"), (&packed, "unpacked.json")] {
        let clean = folder.join(name);
        let said = redact(file, &clean, &[]);
        assert_eq!((said.code, said.out.as_str()), (Some(0), ""), "{}", said.err);
        assert!(said.err.contains("HF_TOKEN") && !said.err.contains(SECRET), "{}", said.err);
        let bytes = fs::read(&clean).expect("a copy");
        let mut copy = String::new();
        match name.ends_with(".gz") {
            true => drop(MultiGzDecoder::new(&bytes[..]).read_to_string(&mut copy).expect("text")),
            false => copy = String::from_utf8(bytes).expect("text"),
        }
        assert_eq!(copy.len(), text.len());
        assert!(
            !copy.contains(SECRET)
                && copy.contains("--max-tokens")
                && copy.contains("\"tokenizer\"") == text.contains("\"tokenizer\"")
        );
        assert_eq!(without_warning(summary(&clean)), without_warning(summary(file)));
        let again = redact(&clean, &folder.join("again.json"), &["--force"]);
        assert!(again.err.contains("no secrets found"), "{}", again.err);
    }
    let printed = redact(&input, Path::new("-"), &[]);
    assert_eq!(printed.code, Some(0), "{}", printed.err);
    assert_eq!(printed.out, fs::read_to_string(folder.join("clean.json")).expect("a copy"));
}

#[test]
fn nothing_is_overwritten_and_what_cannot_be_redacted_is_refused() {
    let folder = folder("redact-refuses");
    let input = folder.join("a.json");
    fs::copy(fixture("kineto/secrets/input.json"), &input).expect("a copy");
    let before = fs::read(&input).expect("a file");
    for options in [&[][..], &["--force"]] {
        let message = redact(&input, &input, options).failure(1);
        assert!(message.contains("it is the input"), "{message}");
    }
    fs::write(folder.join("other.json"), "mine").expect("a file");
    let message = redact(&input, &folder.join("other.json"), &[]).failure(1);
    assert!(message.contains("--force"), "{message}");
    assert_eq!(fs::read(&input).expect("a file"), before);
    let database = folder.join("a.sqlite");
    fs::write(&database, b"SQLite format 3\0\x10\0\x01\x01").expect("a file");
    let message = redact(&database, &folder.join("b"), &[]).failure(1);
    assert!(message.contains("stepscope export"), "{message}");
    fs::write(folder.join("a.zip"), b"PK\x03\x04").expect("a file");
    let message = redact(&folder.join("a.zip"), &folder.join("b"), &[]).failure(1);
    assert!(message.contains("unpack"), "{message}");
    let message = redact(&folder, &folder.join("b"), &[]).failure(1);
    assert!(message.contains("folder"), "{message}");
    assert!(!folder.join("b").exists());
}

#[test]
fn folders_and_hosts_are_renamed_if_that_is_wanted() {
    let folder = folder("redact-names");
    let input = folder.join("a.json");
    let text = r#"{"schemaVersion": 1, "hostname": "gpu-17", "USER": "somebody", "deviceProperties": [], "traceEvents": [
        {"ph": "X", "cat": "python_function", "name": "/home/somebody/job/train.py(3): main", "pid": 1, "tid": 1, "ts": 1, "dur": 9},
        {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 2, "dur": 5, "args": {"where": "gpu-17:29500"}}]}"#;
    fs::write(&input, text).expect("a file");
    let clean = folder.join("clean.json");
    let said = redact(&input, &clean, &["--paths", "--hosts"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let copy = fs::read_to_string(&clean).expect("a copy");
    for (gone, instead) in
        [("gpu-17", "\"host-1:29500\""), ("somebody", "\"path-1/train.py(3): main\""), ("/home", "\"user-1\"")]
    {
        assert!(!copy.contains(gone) && copy.contains(instead), "{copy}");
    }
    let slices = |file: &Path| summary(file)["inputs"][0]["slices"].clone();
    assert_eq!(slices(&clean), slices(&input));
}

#[test]
fn recordings_are_redacted() {
    use stepscope_collector::{Options, Span, argument, span, start, stop};
    let folder = folder("redact-recording");
    let raw = folder.join("raw");
    let facts = vec![("experiment".to_owned(), "seventeen".to_owned())];
    let path = start(&Options { facts, ..Options::new(&raw) }).expect("a recording");
    {
        // What a program says of itself is its own.
        let _span: Span = span!("fetch https://somebody:made-up-value@store/x");
        argument("password", "made-up-value");
    }
    stop();
    assert!(fs::read(&path).expect("a recording").windows(SECRET.len()).any(|window| window == SECRET.as_bytes()));
    let compact = folder.join("a.stepscope");
    let mut file = fs::File::create(&compact).expect("a file");
    stepscope_collector::recover_file(&path, &mut file).expect("a compact file");
    for (input, name) in [(&path, "from-raw.stepscope"), (&compact, "clean.stepscope")] {
        let clean = folder.join(name);
        let said = redact(input, &clean, &["--paths", "--hosts"]);
        assert_eq!(said.code, Some(0), "{}", said.err);
        let bytes = fs::read(&clean).expect("a copy");
        assert!(!bytes.windows(SECRET.len()).any(|window| window == SECRET.as_bytes()));
        let (before, after) = (summary(&compact), summary(&clean));
        for key in ["operators", "steps", "phases", "average"] {
            let text = |summary: &Value| summary["ranks"][0][key].to_string().replace("host-1", "store");
            let numbers = |text: String| text.chars().filter(char::is_ascii_digit).collect::<String>();
            assert_eq!(numbers(text(&after)), numbers(text(&before)), "{key}");
        }
        assert!(
            after["inputs"][0]["warnings"]
                .as_array()
                .expect("warnings")
                .iter()
                .all(|warning| warning["code"] != "secrets")
        );
    }
}

/// A folder that stands for the built page: all that a report takes of it are the scripts.
fn page(folder: &Path) -> PathBuf {
    let page = folder.join("page");
    fs::create_dir_all(page.join("assets")).expect("a folder");
    fs::write(page.join("index.html"), "<!doctype html>").expect("a page");
    let scripts = "<script id=\"stepscope-analyzer\" data-hash=\"sha256-AAAA\"></script>\n";
    fs::write(page.join("assets/analyzer.html"), scripts).expect("scripts");
    page
}

/// The files that a report carries, unpacked.
fn carried(html: &str) -> Vec<String> {
    use base64::Engine;
    let pieces = html.split("data-stepscope-file=").skip(1);
    let texts = pieces.map(|piece| piece.split_once('>').expect("a tag").1.split_once('<').expect("an end").0);
    texts
        .map(|text| {
            let bytes = base64::engine::general_purpose::STANDARD.decode(text).expect("Base64");
            let mut out = String::new();
            MultiGzDecoder::new(&bytes[..]).read_to_string(&mut out).expect("gzip");
            out
        })
        .collect()
}

#[test]
fn what_is_shown_exported_or_carried_has_no_secrets() {
    let folder = folder("secrets-shown");
    let plain = folder.join("a.json");
    fs::copy(fixture("kineto/secrets/input.json"), &plain).expect("a copy");
    let text = fs::read(&plain).expect("the fixture");
    let packed = packed(&folder, &text);
    let page = page(&folder);
    for file in [&plain, &packed] {
        for command in
            [&["summary"][..], &["summary", "--json"], &["find", "--json"], &["summary", "--by", "operators"]]
        {
            let mut run = program();
            run.args(command).arg(file);
            if command[0] == "find" {
                run.arg("fetch");
            }
            let printed = Printed::of(&mut run);
            assert_eq!(printed.code, Some(0), "{}", printed.err);
            assert!(!printed.out.contains(SECRET) && !printed.err.contains(SECRET), "{command:?}: {}", printed.out);
        }
        for name in ["export.json", "export.pftrace"] {
            let out = folder.join(name);
            let said = Printed::of(program().arg("export").arg(file).arg("-o").arg(&out));
            assert_eq!(said.code, Some(0), "{}", said.err);
            let bytes = fs::read(&out).expect("an export");
            assert!(!bytes.windows(SECRET.len()).any(|window| window == SECRET.as_bytes()), "{name}");
        }
        let html = folder.join("report.html");
        let said =
            Printed::of(program().args(["report", "--trace", "--page"]).arg(&page).arg(file).arg("-o").arg(&html));
        assert_eq!(said.code, Some(0), "{}", said.err);
        let html = fs::read_to_string(&html).expect("a report");
        assert!(!html.contains(SECRET));
        let carried = carried(&html);
        assert_eq!((carried.len(), carried[0].len()), (1, text.len()), "positions stay");
        assert!(!carried[0].contains(SECRET) && carried[0].contains("HF_TOKEN"));
    }
    let warned = Printed::of(program().args(["summary"]).arg(&plain));
    assert!(warned.out.contains("HF_TOKEN"), "the name is told: {}", warned.out);
}
