//! Files that tests read: the project's own fixtures, and real traces if they are next to the project.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use stepscope::analyze::AnalysisConfig;
use stepscope::export::perfetto::{ExportConfig, Level, write};
use stepscope::input::{Opened, Sources, Unpacker};
use stepscope::trace::{deserialize, serialize};
use stepscope::{Error, Loaded, Loader, Rank};

/// The workspace's root.
#[must_use]
pub fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_path_buf()
}

/// Real traces and other tools' results on them, if they are next to this checkout.
///
/// Otherwise reports on standard error that tests with them are skipped.
#[must_use]
pub fn real_traces() -> Option<PathBuf> {
    let folder = root().join("../shared/traces");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("SKIPPED: no real traces at ../shared/traces");
    None
}

/// A file's text, inflated if it is compressed.
///
/// # Panics
///
/// If it cannot be read: a test has no use for that.
#[must_use]
#[expect(clippy::panic, reason = "a test helper")]
pub fn text_of(path: &Path) -> Vec<u8> {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return bytes;
    }
    let mut text = Vec::new();
    let result = flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_end(&mut text);
    result.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text
}

/// Reads a trace in chunks of a given size.
///
/// # Errors
///
/// If it is not a trace.
pub fn load(name: &str, text: &[u8], chunk: usize) -> Result<Loaded, Error> {
    let mut loader = Loader::new(name);
    for piece in text.chunks(chunk) {
        loader.space(piece.len()).copy_from_slice(piece);
        loader.advance(piece.len())?;
    }
    loader.finish()
}

/// Reads a trace of which other readers read pieces, each from one place up to the next one, in chunks of a given size.
/// Also returns the number of merged pieces.
///
/// # Errors
///
/// If it is no trace.
pub fn load_in_pieces(name: &str, text: &[u8], places: &[usize], chunk: usize) -> (Result<Loaded, Error>, usize) {
    let mut joined = 0;
    let mut sources = Sources::default();
    sources.add(name, &mut &*text);
    let rest = |from: u64| text.get(usize::try_from(from).unwrap_or(usize::MAX)..).unwrap_or_default();
    let mut loader = Loader::new(name);
    let read = |loader: &mut Loader| {
        while loader.stopped().is_none() {
            let rest = rest(loader.next_byte());
            let some = &rest[..rest.len().min(chunk)];
            if some.is_empty() {
                break;
            }
            loader.space(some.len()).copy_from_slice(some);
            loader.advance(some.len())?;
        }
        Ok(())
    };
    let places: Vec<u64> = places.iter().map(|place| *place as u64).chain([u64::MAX]).collect();
    loader.stop_at(places[0]);
    for piece in places.windows(2) {
        if let Err(error) = read(&mut loader) {
            return (Err(error), joined);
        }
        let mut frozen: Vec<Vec<u8>> = Vec::new();
        if let Some(mut reading) = sources.piece(0, piece[0], piece[1]) {
            for some in rest(piece[0]).chunks(chunk) {
                if reading.is_done() {
                    break;
                }
                reading.space(some.len()).copy_from_slice(some);
                reading.advance(some.len());
            }
            reading.serialize(&mut |bytes| frozen.push(bytes.to_vec()));
        }
        let mut frozen = frozen.into_iter();
        joined += usize::from(loader.join(&mut |bytes| frozen.next().map(|next| *bytes = next).is_some(), piece[1]));
    }
    let result = read(&mut loader).and_then(|()| loader.finish());
    (result, joined)
}

/// A loaded trace, serialized and deserialized as between two workers of the page.
///
/// # Panics
///
/// If pieces are missing.
#[must_use]
#[expect(clippy::panic, reason = "a test helper")]
pub fn deserialized(loaded: Loaded) -> Loaded {
    let mut pieces = Vec::new();
    serialize(loaded.trace, loaded.warnings, &mut |piece| pieces.push(piece.to_vec()));
    let mut pieces = pieces.into_iter();
    let back = deserialize(&mut |piece| pieces.next().map(|next| *piece = next).is_some());
    let (trace, warnings) = back.unwrap_or_else(|| panic!("pieces are missing"));
    Loaded { trace, warnings }
}

/// Reads and analyzes a trace.
///
/// # Errors
///
/// If it is not a trace.
pub fn rank(name: &str, text: &[u8], config: &AnalysisConfig) -> Result<Rank, Error> {
    Ok(Rank::new(name, text.len() as u64, load(name, text, 1 << 18)?, config))
}

/// Reads a file's bytes, compressed or not, in chunks of a given size, as the page does.
///
/// # Errors
///
/// If it is no trace.
pub fn load_file(name: &str, file: &[u8], chunk: usize) -> Result<Loaded, Error> {
    let mut loader = Loader::new(name);
    let mut unpacker = Unpacker::new(&[]);
    for mut input in file.chunks(chunk) {
        loop {
            let (used, written) = unpacker.push(input, loader.space(chunk));
            loader.advance(written)?;
            input = &input[used..];
            if input.is_empty() && written < chunk {
                break;
            }
        }
    }
    loop {
        let written = unpacker.end(loader.space(chunk));
        loader.advance(written)?;
        if written == 0 {
            break;
        }
    }
    if let Some(what) = unpacker.damage() {
        loader.container_damaged(&what);
    }
    loader.finish()
}

/// A file of a folder for tests: its path in the folder, with `/`, and its bytes.
pub type FileOf = (String, Vec<u8>);

/// A folder's files, in the order of their paths, its subfolders' among them.
///
/// # Panics
///
/// If it cannot be read.
#[must_use]
#[expect(clippy::panic, reason = "a test helper")]
pub fn files_of(folder: &Path) -> Vec<FileOf> {
    fn walk(folder: &Path, inside: &str, found: &mut Vec<FileOf>) {
        let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for path in entries.flatten().map(|entry| entry.path()) {
            let name = format!("{inside}{}", path.file_name().unwrap_or_default().to_string_lossy());
            if path.is_dir() {
                walk(&path, &format!("{name}/"), found);
            } else {
                let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                found.push((name, bytes));
            }
        }
    }
    let mut found = Vec::new();
    walk(folder, "", &mut found);
    found.sort();
    found
}

/// The inputs of all cases in a folder of fixtures whose names are the given ones, each by its name alone.
#[must_use]
pub fn inputs_of(folder: &Path, names: &[&str]) -> Vec<FileOf> {
    let named = files_of(folder)
        .into_iter()
        .map(|(path, bytes)| (path.rsplit('/').next().unwrap_or_default().to_owned(), bytes));
    named.filter(|(name, _)| names.contains(&name.as_str())).collect()
}

/// Our own exports, whole and as a summary, of the fixtures of several formats.
#[must_use]
pub fn exports() -> Vec<FileOf> {
    let sources = [
        ("kineto", "input.json"),
        ("stepscope", "input.stepscope"),
        ("nsys", "input.sqlite"),
        ("chrome", "input.json"),
    ];
    let inputs =
        sources.iter().flat_map(|(folder, name)| inputs_of(&root().join("tests/fixtures").join(folder), &[name]));
    let ranks = inputs.filter_map(|(name, bytes)| rank(&name, &bytes, &AnalysisConfig::standard()).ok());
    let mut exports = Vec::new();
    for rank in ranks {
        for level in [Level::Summary, Level::Detail] {
            let mut text = Vec::new();
            // Into memory nothing fails.
            if write(&[&rank], ExportConfig::of(level), &mut text).is_ok() {
                exports.push(("a file.json".to_owned(), text));
            }
        }
    }
    exports
}

/// Result of reading a folder: its ranks, and the files that were left out, with their errors.
#[derive(Default)]
pub struct FolderRanks {
    /// The ranks, sorted.
    pub ranks: Vec<Rank>,
    /// Files that belong to no rank, and files of a rank that could not be read.
    pub left_out: Vec<Error>,
}

/// Groups files and the contents of their archives into ranks, and reads and analyzes these, in chunks of a given size.
///
/// # Errors
///
/// If there is no rank: the first file's error.
pub fn folder_ranks(files: &[FileOf], chunk: usize, config: &AnalysisConfig) -> Result<FolderRanks, Error> {
    let mut sources = Sources::default();
    for (path, bytes) in files {
        sources.add(path, &mut &bytes[..]);
    }
    let plan = sources.plan(&BTreeMap::new());
    let mut found =
        FolderRanks { left_out: plan.left_out.into_iter().map(|(_, error)| error).collect(), ..FolderRanks::default() };
    let mut opened = Opened::new(|file: usize| Ok(Box::new(&files[file].1[..])));
    for rank in plan.ranks {
        match sources.load(&rank, chunk, &mut opened, &mut found.left_out) {
            Ok(read) => found.ranks.push(Rank::new(&rank.name, read.bytes, read.loaded, config)),
            Err(error) => found.left_out.push(error),
        }
    }
    found.ranks.sort_by_key(|rank| rank.rank);
    if found.ranks.is_empty()
        && let Some(first) = found.left_out.first()
    {
        return Err(first.clone());
    }
    Ok(found)
}

/// The stable names of all kinds of errors, as their source gives them.
///
/// # Panics
///
/// If the source has another form.
#[must_use]
#[expect(clippy::panic, reason = "a test helper")]
pub fn error_codes() -> Vec<String> {
    let source = root().join("crate/base/src/error.rs");
    let text = std::fs::read_to_string(&source).unwrap_or_else(|error| panic!("{}: {error}", source.display()));
    let function = text.split("fn code(").nth(1).and_then(|rest| rest.split("\n    }\n").next()).unwrap_or_default();
    let codes: Vec<String> = function.split('"').skip(1).step_by(2).map(str::to_owned).collect();
    assert!(
        codes.len() > 5 && codes.len() == function.matches("ErrorKind::").count(),
        "each kind has a code: {codes:?}"
    );
    codes
}
