//! Grouping of files into ranks: folders, archives, pipes, and the user's options.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::{Printed, fixture, folder, program, trace};

fn json(arguments: &mut Command) -> (Vec<String>, Vec<Option<u64>>, String) {
    let printed = Printed::of(arguments);
    assert_eq!(printed.code, Some(0), "{}", printed.err);
    let summary: Value = serde_json::from_str(&printed.out).expect("JSON");
    let list = |name: &str| summary[name].as_array().expect("a list").clone();
    let names = list("inputs").iter().map(|input| input["name"].as_str().expect("a name").to_owned()).collect();
    (names, list("ranks").iter().map(|rank| rank["rank"].as_u64()).collect(), printed.err)
}

fn summary() -> Command {
    let mut command = program();
    command.args(["summary", "--json"]);
    command
}

#[test]
fn an_archive_is_a_folder_of_ranks() {
    let (names, ranks, err) = json(summary().arg(fixture("containers/zip_of_ranks/input.zip")));
    assert_eq!((names, ranks), (vec!["rank0.json".into(), "rank1.json".into()], vec![Some(0), Some(1)]));
    assert!(err.starts_with("left out: ") && err.contains("input.zip/job/notes.txt"), "{err}");
    for case in ["zip_cut_streamed/input.zip", "tar_gz/input.tar.gz", "zip_of_gzip/input.zip", "tar/input.tar"] {
        let (names, ranks, _) = json(summary().arg(fixture("containers").join(case)));
        assert_eq!((names.len(), ranks), (2, vec![Some(0), Some(1)]), "{case}");
    }
}

#[test]
fn what_cannot_be_read_of_an_archive_is_told() {
    for (case, why) in [
        ("zip_encrypted/input.zip", "encrypted"),
        ("zip_unknown_method/input.zip", "bzip2"),
        ("seven_zip/input.7z", "a 7z archive"),
        ("zip_of_nothing/input.zip", "no file in this archive"),
    ] {
        let message = Printed::of(summary().arg(fixture("containers").join(case))).failure(1);
        assert!(message.contains(why), "{case}: {message}");
    }
    let both = folder("no_trace_in_archive");
    for name in ["a.txt", "b.txt"] {
        std::fs::write(both.join(name), "what is this").expect("a file for the test");
    }
    let printed = Printed::of(summary().arg(&both));
    assert_eq!(printed.code, Some(1));
    let told =
        printed.err.lines().filter(|line| line.starts_with("left out: ") && line.contains("first bytes are not JSON"));
    assert_eq!(told.count(), 2, "each says why: {}", printed.err);
    assert!(printed.err.contains("there is no trace in it"), "{}", printed.err);
}

#[test]
fn what_was_exported_twice_is_read_once_and_a_person_may_choose() {
    let run = fixture("folders/exported_twice/input/log");
    let protobuf = "host_nodepid_21839_time_2026_11_21_03_01_46_647153.paddle_trace.pb";
    let chrome = "host_nodepid_21839_time_2026_11_21_03_01_46_633604.paddle_trace.json";
    let (names, _, err) = json(summary().arg(&run));
    assert_eq!(names, [protobuf]);
    assert_eq!(err, "left out: 2 files (--verbose names them and says why)\n");
    // Named files, too: nothing is lost.
    let (names, _, err) = json(summary().args([run.join(chrome), run.join(protobuf)]));
    assert_eq!(names, [protobuf]);
    assert!(err.contains("json: the same recording as ") && err.contains("which is read instead"), "{err}");
    let (names, _, err) =
        json(summary().args(["--rank", &format!("{chrome}=0"), "--rank", &format!("{protobuf}=none")]).arg(&run));
    assert_eq!((names, err.contains("json.gz: the same")), (vec![chrome.to_owned()], true), "{err}");
}

#[test]
fn left_out_files_of_one_tool_come_with_a_hint() {
    let root = folder("records_of_msprof");
    let data = fixture("mindspore_tables/records_of_msprof/input/run/profiler/PROF_1/device_0/data");
    for name in ["Framework.host.vm.point.0.slice_0", "aicore.data.46.dev.profiler_default_tag.0.slice_0"] {
        std::fs::copy(data.join(name), root.join(name)).expect("a file");
    }
    std::fs::write(root.join("hwts.data.46.dev.profiler_default_tag.0.slice_0"), [7; 64]).expect("a file");
    let (_, _, err) = json(summary().arg(&root));
    let told =
        "left out: 2 files, known, but not read: msprof's raw records: MindSpore's `Profiler.offline_analyse(PATH)` or";
    assert!(err.starts_with(told), "{err}");
}

#[test]
fn folders_are_read_with_the_folders_in_them() {
    let root = folder("nested");
    for (node, rank) in [("node0", 0), ("node1", 1)] {
        std::fs::create_dir_all(root.join(node).join("deep")).expect("a folder");
        trace(&root.join(node).join("deep"), &format!("rank{rank}.json"), rank);
        std::fs::write(root.join(node).join("notes.txt"), "no trace").expect("a file");
        std::fs::write(root.join(node).join(".hidden"), "not looked at").expect("a file");
    }
    let (names, _, err) = json(summary().arg(&root));
    assert_eq!(names, ["rank0.json", "rank1.json"]);
    assert_eq!(err, "left out: 2 files (--verbose names them and says why)\n");
    let (_, _, err) = json(summary().arg("--verbose").arg(&root));
    assert_eq!(err.lines().filter(|line| line.starts_with("left out: ") && line.contains("notes.txt")).count(), 2);
}

#[test]
fn a_person_says_which_files_are_a_rank() {
    let root = folder("regrouped");
    let files: Vec<_> =
        [("a.json", 0), ("b.json", 1), ("c.json", 2)].map(|(name, rank)| trace(&root, name, rank)).into();
    let (names, ranks, _) = json(summary().args(["--rank", "a.json=7", "--rank", "c.json=7"]).args(&files));
    assert_eq!((names, ranks), (vec!["b.json".into(), "a.json + 1".into()], vec![Some(1), Some(7)]));
    let (names, ..) = json(summary().args(["--rank", "b.json=none"]).arg(&root));
    assert_eq!(names, ["a.json", "c.json"]);
    let tables = Printed::of(program().args(["summary", "--rank", "a.json=0", "--rank", "b.json=0"]).args(&files[..2]))
        .success();
    assert!(tables.lines().any(|line| line.starts_with("2 files · a.json (") && line.contains("b.json (")), "{tables}");
    let absent = Printed::of(summary().args(["--rank", "d.json=1"]).args(&files)).failure(1);
    assert!(absent.contains("--rank d.json: none of the files that are read has this name"), "{absent}");
    for wrong in ["a.json", "a.json=x"] {
        Printed::of(summary().args(["--rank", wrong]).args(&files)).failure(2);
    }
}

#[test]
fn a_pipe_is_read_from_front_to_back() {
    let bytes = std::fs::read(trace(&folder("pipe_in"), "a.json", 3)).expect("the trace");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    packed.write_all(&bytes).expect("memory");
    for bytes in [bytes.clone(), packed.finish().expect("memory")] {
        let len = bytes.len();
        let summary = of_pipe(bytes);
        assert_eq!((&summary["ranks"][0]["rank"], &summary["inputs"][0]["bytes"]), (&3.into(), &len.into()));
    }
    // Files with random access are collected first.
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/");
    for (case, format) in
        [("chrome/cpuprofile/input.cpuprofile", "v8_cpuprofile"), ("nsys/schema_2021/input.sqlite", "nsys")]
    {
        let bytes = std::fs::read(format!("{fixtures}{case}")).expect("a fixture");
        let len = bytes.len();
        let summary = of_pipe(bytes);
        assert_eq!((&summary["inputs"][0]["format"], &summary["inputs"][0]["bytes"]), (&format.into(), &len.into()));
    }
}

/// The summary of a file from a pipe.
fn of_pipe(bytes: Vec<u8>) -> Value {
    let mut child = summary()
        .arg("/dev/stdin")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || input.write_all(&bytes));
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(writer.join().expect("a thread").is_ok() && output.status.success(), "{said}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}
