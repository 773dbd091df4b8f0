//! `stepscope redact`, and that nothing shown or passed on contains a secret.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::support::{Printed, fixture, folder, page, program};

/// A value that must not be anywhere.
const SECRET: &str = "made-up-value";

/// Whether a file's bytes have it.
fn has_secret(file: &Path) -> bool {
    fs::read(file).expect("a file").windows(SECRET.len()).any(|window| window == SECRET.as_bytes())
}

fn redact(file: &Path, output: &Path, options: &[&str]) -> Printed {
    Printed::of(program().arg("redact").arg(file).arg("-o").arg(output).args(options))
}

/// The summary of a file, without its name.
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
    assert!(message.contains("database") && message.contains("stepscope export"), "{message}");
    fs::write(folder.join("a.zip"), b"PK\x03\x04").expect("a file");
    let message = redact(&folder.join("a.zip"), &folder.join("b"), &[]).failure(1);
    assert!(message.contains(".zip, .tar or .tar.gz"), "{message}");
    let message = redact(&folder.join("a.zip"), &folder.join("b.zip"), &[]).failure(1);
    assert!(message.contains("no text"), "{message}");
    let message = redact(&folder, &folder.join("b"), &[]).failure(1);
    assert!(message.contains("folder"), "{message}");
    assert!(!folder.join("b").exists() && !folder.join("b.zip").exists());
}

/// A tar archive of some files, as its program writes it.
fn tarred(folder: &Path, files: &[&str], name: &str, compressed: bool) -> PathBuf {
    let mut tar = std::process::Command::new("tar");
    tar.current_dir(folder).arg(if compressed { "-czf" } else { "-cf" }).arg(name).args(files);
    assert!(tar.status().expect("tar").success());
    folder.join(name)
}

#[cfg(unix)]
#[test]
fn archives_are_packed_again_without_secrets() {
    let folder = folder("redact-archives");
    let text = fs::read(fixture("kineto/secrets/input.json")).expect("the fixture");
    let long = format!("{}/rank1.pt.trace.json", "deep".repeat(30));
    fs::create_dir_all(folder.join(&long).parent().expect("a folder")).expect("a folder");
    fs::write(folder.join("rank0.pt.trace.json"), &text).expect("a file");
    fs::write(folder.join(&long), String::from_utf8_lossy(&text).replace("\"pid\": 7", "\"pid\": 8")).expect("a file");
    packed(&folder, &text);
    fs::write(folder.join("a.db"), [&b"SQLite format 3\0"[..], SECRET.as_bytes()].concat()).expect("a file");
    let files = ["rank0.pt.trace.json", "packed.json.gz", "a.db", &long];
    let plain = tarred(&folder, &files, "a.tar", false);
    let compressed = tarred(&folder, &files, "a.tar.gz", true);
    for (input, name) in [(&plain, "clean.tar"), (&plain, "clean.zip"), (&compressed, "clean.tar.gz")] {
        let clean = folder.join(name);
        let said = redact(input, &clean, &[]);
        assert_eq!((said.code, said.out.as_str()), (Some(0), ""), "{}", said.err);
        assert!(said.err.contains("HF_TOKEN") && !said.err.contains(SECRET), "{}", said.err);
        assert!(said.err.contains("left out") && said.err.contains("a.db"), "{}", said.err);
        // Packed again, so that archive readers see no difference.
        let again = redact(&clean, &folder.join("again.tar"), &["--force"]);
        assert!(again.err.contains("no secrets found") && !again.err.contains("left out"), "{}", again.err);
        let unpacked = folder.join("unpacked");
        fs::create_dir_all(&unpacked).expect("a folder");
        let mut tar = std::process::Command::new("tar");
        assert!(tar.current_dir(&unpacked).args(["-xf", "../again.tar"]).status().expect("tar").success());
        for file in ["rank0.pt.trace.json", &long] {
            assert!(!has_secret(&unpacked.join(file)), "{name}: {file}");
            assert_eq!(fs::metadata(unpacked.join(file)).expect("a file").len(), text.len() as u64, "{name}: {file}");
        }
        let mut inner = String::new();
        let bytes = fs::read(unpacked.join("packed.json.gz")).expect("a file");
        MultiGzDecoder::new(&bytes[..]).read_to_string(&mut inner).expect("text");
        assert!(!inner.contains(SECRET) && inner.len() == text.len());
        assert!(!unpacked.join("a.db").exists());
        let slices = |file: &Path| {
            let ranks = summary(file)["inputs"].as_array().expect("inputs").clone();
            ranks.into_iter().map(|rank| rank["slices"].clone()).collect::<Vec<_>>()
        };
        assert_eq!(slices(&clean), slices(&folder.join("clean.tar")));
    }
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
        // The program's own names may contain anything.
        let _span: Span = span!("fetch https://somebody:made-up-value@store/x");
        argument("password", "made-up-value");
    }
    stop();
    assert!(has_secret(&path));
    let compact = folder.join("a.stepscope");
    let mut file = fs::File::create(&compact).expect("a file");
    stepscope_collector::recover_file(&path, &mut file).expect("a compact file");
    for (input, name) in [(&path, "from-raw.stepscope"), (&compact, "clean.stepscope")] {
        let clean = folder.join(name);
        let said = redact(input, &clean, &["--paths", "--hosts"]);
        assert_eq!(said.code, Some(0), "{}", said.err);
        assert!(!has_secret(&clean));
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
            assert!(!has_secret(&out), "{name}");
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
