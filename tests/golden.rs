//! Each folder `fixtures/<format>/<case>/` is a test: an input, its description (`case.toml`), and the expected
//! results.
//!
//! ```text
//! input.*                    the file, packed or not, or an archive of files; or
//! input/                     a folder of files, of one rank or several
//! case.toml                  source = its origin; note = its purpose; further goldens; known deviations
//! expected/summary.json      the whole report
//! expected/left_out.txt      for a folder or archive: the files that belong to no rank, with reasons
//! expected/error.txt         instead, if it is rejected: the message
//! expected/perfetto_detail.json, expected/perfetto_summary.json     where case.toml asks for them
//! ```
//!
//! `STEPSCOPE_BLESS=1 cargo test -p stepscope-tests --test golden` writes the expected results.

#![expect(clippy::panic, reason = "a test says so what is wrong")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use stepscope::analyze::{AnalysisConfig, CompareConfig, Sides};
use stepscope::export::perfetto::{ExportConfig, Level, write};
use stepscope::export::report_json::{Diff, DiffSide, Summary};
use stepscope::input::Sources;
use stepscope::table::messages::Language;
use stepscope::{Code, Error, ErrorKind, Interval, Loaded, Nanos, Rank};
use stepscope_tests::files::{FileOf, FolderRanks, deserialized, error_codes, files_of, folder_ranks, load_file, root};
use stepscope_tests::oracle::{identities, reread, reread_range};

const CHUNKS: [usize; 4] = [1, 7, 100, 4096];

/// A chunk that is larger than any fixture.
const WHOLE: usize = 1 << 20;

/// The name in the reports; detection must not need another.
const HIDDEN_NAME: &str = "input";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// Origin of the input.
    source: String,
    /// Purpose of the case.
    note: String,
    /// Further files in `expected/`.
    #[serde(default)]
    goldens: Vec<Golden>,
    /// Reason for different numbers after an export is read back, if any.
    export_differs: Option<String>,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum Golden {
    PerfettoDetail,
    PerfettoSummary,
}

fn fixtures() -> PathBuf {
    root().join("tests/fixtures")
}

fn folders(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    folders.retain(|path| path.is_dir());
    folders.sort();
    folders
}

/// Folders of cases: those of `references/` are tested in `tests/references`, those of `timeline/` in `tests/timeline.rs`.
fn cases() -> Vec<PathBuf> {
    let formats = folders(&fixtures())
        .into_iter()
        .filter(|format| !format.ends_with("references") && !format.ends_with("timeline"));
    formats.flat_map(|format| folders(&format)).collect()
}

/// The files of a case; a single one has the name in the reports.
fn inputs_of(case: &Path) -> Result<Vec<FileOf>, String> {
    let entries = fs::read_dir(case).expect("a folder").map(|entry| entry.expect("an entry").path());
    let named = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("input."));
    let mut inputs: Vec<PathBuf> = entries.filter(|path| named(path) || path.ends_with("input")).collect();
    match (inputs.pop(), inputs.len()) {
        (Some(folder), 0) if folder.is_dir() => Ok(files_of(&folder)),
        (Some(file), 0) => Ok(vec![(HIDDEN_NAME.to_owned(), fs::read(file).expect("the input"))]),
        (_, others) => Err(format!("{others} further inputs")),
    }
}

/// Whether a file is opened as the files in it, or rejected as an archive.
fn is_archive(file: &[u8]) -> bool {
    let mut sources = Sources::default();
    sources.add(HIDDEN_NAME, &mut &*file);
    let opened = sources.list().first().is_some_and(|source| source.path != HIDDEN_NAME);
    let refused = |(_, error): &(usize, Error)| matches!(error.kind, ErrorKind::Unsupported(_));
    opened || file.starts_with(b"PK") || sources.plan(&BTreeMap::new()).left_out.iter().any(refused)
}

fn report(files: &[FileOf], chunk: usize) -> Result<FolderRanks, Error> {
    let config = AnalysisConfig::standard();
    if let [(name, file)] = files
        && name == HIDDEN_NAME
        && !is_archive(file)
    {
        let loaded = load_file(HIDDEN_NAME, file, chunk)?;
        let ranks = vec![Rank::new(HIDDEN_NAME, file.len() as u64, loaded, &config)];
        return Ok(FolderRanks { ranks, ..FolderRanks::default() });
    }
    folder_ranks(files, chunk, &config)
}

fn summary(found: &FolderRanks) -> String {
    let mut text = String::from_utf8(Summary::of(&found.ranks).to_json_pretty()).expect("UTF-8");
    text.push('\n');
    text
}

fn left_out(found: &FolderRanks) -> String {
    found.left_out.iter().map(|error| format!("{error}\n")).collect()
}

/// Exports the first steps and the middle of a trace, each alone.
fn reread_parts(rank: &Rank) -> Result<(), String> {
    let all = rank.trace.span();
    let third = Nanos(all.len().0 / 3);
    let middle = Interval::new(all.start + third, all.end - third);
    let steps = rank.analysis.steps.steps.iter().map(|step| step.span);
    let mut spans = steps.take(2).chain([middle, all]);
    spans.try_for_each(|span| reread_range(rank, span).map_err(|error| format!("the export of {span:?}: {error}")))
}

/// All errors of a case.
fn check(case: &Path) -> Vec<String> {
    let mut wrong = Vec::new();
    let about = fs::read_to_string(case.join("case.toml")).map_err(|error| error.to_string());
    let about: Case = match about.and_then(|text| toml::from_str(&text).map_err(|error| error.to_string())) {
        Ok(about) => about,
        Err(error) => return vec![format!("case.toml: {error}")],
    };
    if about.source.is_empty() || about.note.is_empty() {
        wrong.push("case.toml says too little".into());
    }
    let files = match inputs_of(case) {
        Ok(files) => files,
        Err(error) => return vec![error],
    };
    let size: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    if size > 60_000 {
        wrong.push(format!("{size} bytes are too many for a fixture"));
    }
    let found = report(&files, WHOLE);
    let mut expected = Vec::new();
    match &found {
        Ok(folder) => {
            expected.push(("summary.json", summary(folder)));
            if !folder.left_out.is_empty() {
                expected.push(("left_out.txt", left_out(folder)));
            }
            let ranks: Vec<&Rank> = folder.ranks.iter().collect();
            for (golden, name, level) in [
                (Golden::PerfettoDetail, "perfetto_detail.json", Level::Detail),
                (Golden::PerfettoSummary, "perfetto_summary.json", Level::Summary),
            ] {
                if about.goldens.contains(&golden) {
                    let mut text = Vec::new();
                    write(&ranks, ExportConfig::of(level), &mut text).expect("memory takes all");
                    expected.push((name, String::from_utf8(text).expect("UTF-8")));
                }
            }
            wrong.extend(ranks.iter().filter_map(|rank| identities(rank).err()));
            // Without events there is no export to read back.
            let mut exported = ranks.iter().filter(|rank| rank.trace.meta.events > 0);
            if about.export_differs.is_none() {
                wrong.extend(exported.clone().filter_map(|rank| reread_parts(rank).err()));
            }
            match (exported.try_for_each(|rank| reread(rank)), about.export_differs) {
                (Err(error), None) => wrong.push(error),
                (Ok(()), Some(reason)) => wrong.push(format!("export_differs is no longer needed: {reason}")),
                (Err(_), Some(_)) | (Ok(()), None) => {}
            }
        }
        Err(error) => expected.push(("error.txt", format!("{error}\n"))),
    }
    for chunk in CHUNKS {
        let other = report(&files, chunk);
        let same = match (&found, &other) {
            (Ok(found), Ok(other)) => summary(found) == summary(other) && left_out(found) == left_out(other),
            (Err(found), Err(other)) => found == other,
            _ => false,
        };
        if !same {
            wrong.push(format!("chunks of {chunk} bytes give something else"));
        }
    }
    wrong.extend(compare(&case.join("expected"), &expected));
    wrong
}

/// Compares a folder with its expected contents, or writes them.
fn compare(folder: &Path, expected: &[(&str, String)]) -> Vec<String> {
    let names: BTreeSet<&str> = expected.iter().map(|(name, _)| *name).collect();
    if std::env::var_os("STEPSCOPE_BLESS").is_some() {
        let _ = fs::remove_dir_all(folder);
        fs::create_dir_all(folder).expect("a folder");
        for (name, text) in expected {
            fs::write(folder.join(name), text).expect("a file");
        }
        return Vec::new();
    }
    let mut wrong = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let name = entry.expect("an entry").file_name();
        if !names.contains(&*name.to_string_lossy()) {
            wrong.push(format!("expected/{} is expected by nobody", name.display()));
        }
    }
    for (name, found) in expected {
        let path = folder.join(name);
        let Ok(text) = fs::read_to_string(&path) else {
            wrong.push(format!("expected/{name} is missing; STEPSCOPE_BLESS=1 writes it"));
            continue;
        };
        if text != *found {
            let line = text.lines().zip(found.lines()).position(|(a, b)| a != b);
            let line = line.unwrap_or_else(|| text.lines().count().min(found.lines().count()));
            let at = |text: &str| text.lines().nth(line).unwrap_or("(nothing)").to_owned();
            wrong.push(format!("{}:{}: expected {}, found {}", path.display(), line + 1, at(&text), at(found)));
        }
    }
    wrong
}

#[test]
fn every_case_is_as_expected() {
    let cases = cases();
    assert!(cases.len() > 50, "{} cases in {}", cases.len(), fixtures().display());
    let problems: Vec<String> = cases
        .iter()
        .flat_map(|case| {
            let name = case.strip_prefix(fixtures()).unwrap_or(case).display().to_string();
            check(case).into_iter().map(move |problem| format!("{name}: {problem}"))
        })
        .collect();
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

/// Each rank beside the one before, in any format: a side is the same after its transfer to another worker.
#[test]
fn every_case_can_be_compared_from_afar() {
    let found = cases().into_iter().filter_map(|case| report(&inputs_of(&case).expect("inputs"), WHOLE).ok());
    let ranks: Vec<Rank> = found.flat_map(|folder| folder.ranks).collect();
    assert!(ranks.len() > 50, "{} ranks", ranks.len());
    for config in [false, true].map(|shapes| CompareConfig { shapes }) {
        let sides: Vec<DiffSide> = ranks.iter().map(|rank| DiffSide::of(rank, config)).collect();
        for (index, pair) in sides.windows(2).enumerate() {
            let direct = Diff::of(Sides { a: &ranks[index], b: &ranks[index + 1] }, config);
            let back = DiffSide::from_bytes(&pair[0].to_bytes()).expect("a side");
            assert_eq!(back, pair[0], "{}", ranks[index].file);
            let afar = Diff::between(Sides { a: &back, b: &pair[1] }, Language::English);
            assert!(afar.to_json() == direct.to_json(), "{} beside {}", ranks[index + 1].file, ranks[index].file);
        }
    }
}

/// A trace and its reports are the same after its transfer to another worker.
#[test]
fn every_case_can_be_read_by_another_worker() {
    let found = cases().into_iter().filter_map(|case| report(&inputs_of(&case).expect("inputs"), WHOLE).ok());
    let ranks: Vec<Rank> = found.flat_map(|folder| folder.ranks).collect();
    assert!(ranks.len() > 50, "{} ranks", ranks.len());
    for rank in ranks {
        let loaded = Loaded { trace: rank.trace, warnings: rank.warnings };
        let back = deserialized(loaded.clone());
        assert!(format!("{back:?}") == format!("{loaded:?}"), "{}", rank.file);
        let of = |loaded| Rank::new(&rank.file, rank.file_bytes, loaded, &AnalysisConfig::standard());
        let (here, there) = (of(loaded), of(back));
        assert_eq!(there.bytes_held(), here.bytes_held(), "{}", rank.file);
        assert!(Summary::of(&[there]).to_json() == Summary::of(&[here]).to_json(), "{}", rank.file);
    }
}

/// Codes that no file of 60 KB can cause, or that have tests of their own.
const TESTED_ELSEWHERE: [(Code, &str); 4] = [
    (Code::MetadataTooLong, "limits.rs"),
    (Code::CapturedLaunches, "generated/idle.rs"),
    (Code::CaptureStep, "generated/idle.rs"),
    (Code::OutOfOrder, "generated/steps.rs"),
];

#[test]
fn every_warning_has_a_case() {
    let mut seen = BTreeSet::new();
    for case in cases() {
        if let Ok(found) = report(&inputs_of(&case).expect("inputs"), WHOLE) {
            let warnings = found.ranks.iter().flat_map(|rank| &rank.warnings);
            seen.extend(warnings.map(|warning| warning.code.name()));
        }
    }
    let missing: Vec<&str> = Code::ALL
        .iter()
        .filter(|code| TESTED_ELSEWHERE.iter().all(|(other, _)| other != *code))
        .map(|code| code.name())
        .filter(|name| !seen.contains(name))
        .collect();
    assert!(missing.is_empty(), "no case in {} has the warnings {missing:?}", fixtures().display());
    for (code, test) in TESTED_ELSEWHERE {
        assert!(!seen.contains(code.name()), "{} has a case: {test} is not needed for it", code.name());
        let text = fs::read_to_string(root().join("tests").join(test)).expect("a test");
        assert!(text.contains(&format!("Code::{code:?}")), "{test} does not test {code:?}");
    }
}

/// Errors that no file of 60 KB can cause, with reasons.
const NO_SUCH_FILE: [(&str, &str); 2] =
    [("too_many_events", "takes 4 billion events"), ("io", "the analyzer does none; the program and the page do")];

#[test]
fn every_error_has_a_case() {
    let mut seen = BTreeSet::new();
    for case in cases() {
        match report(&inputs_of(&case).expect("inputs"), WHOLE) {
            Ok(found) => seen.extend(found.left_out.iter().map(Error::code)),
            Err(error) => drop(seen.insert(error.code())),
        }
    }
    for code in error_codes() {
        let excepted = NO_SUCH_FILE.iter().find(|(other, _)| *other == code);
        match (seen.contains(&*code), excepted) {
            (true, None) | (false, Some(_)) => {}
            (false, None) => panic!("no case in {} has the error {code}", fixtures().display()),
            (true, Some((_, reason))) => panic!("{code} has a case, though it {reason}"),
        }
    }
}
