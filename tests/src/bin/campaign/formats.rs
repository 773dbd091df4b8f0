//! The formats, each with the valid files from which its damaged ones are made.

use std::collections::BTreeSet;
use std::path::Path;

use stepscope_tests::files::{FileOf, exports, files_of, inputs_of, real_traces, root, text_of};
use stepscope_tests::oracle::{Mutations, small_trace};

use crate::attempt::{Attempt, Kind};
use crate::ways::Way;

/// A format, and files of it.
pub(crate) struct Format {
    pub(crate) name: &'static str,
    kind: Kind,
    /// Each with its folder's other files; the first one is damaged.
    inputs: Vec<Vec<FileOf>>,
    way: Way,
    /// Contents of archives, if these are damaged.
    texts: Vec<FileOf>,
}

/// Size of the pieces of real traces that are spliced into generated ones: the beginning and the middle.
const PIECE: usize = 24 << 10;

/// The largest file that is put into an archive.
const LARGEST_TEXT: usize = 16 << 10;

/// Each format's fixtures: the folder, the beginnings or ends of their names, and the kind of damage.
const FORMATS: [(&str, &str, &[&str], Way); 13] = [
    ("pytorch", "kineto", &["input.json"], Way::Text),
    ("pytorch-gzip", "kineto", &["input.json"], Way::Gzip),
    ("chrome", "chrome", &["input.json", "input.cpuprofile"], Way::Text),
    ("paddle", "paddle", &["input.json"], Way::Text),
    ("paddle-protobuf", "paddle", &["input.pb"], Way::Protobuf),
    ("perf-summary", "paddle", &["input.txt"], Way::Text),
    ("nvprof", "nvprof", &["input.txt"], Way::Text),
    ("nvvp", "nvvp", &["input.nvvp"], Way::Database),
    ("nsys", "nsys", &["input.sqlite"], Way::Database),
    ("stepscope", "stepscope", &["input.stepscope"], Way::Compact),
    ("recording", "stepscope", &["input.steprec"], Way::Raw),
    ("damaged", "damaged", &["input.json"], Way::Text),
    ("packed", "containers", &["input.zip", "input.tar", "input.tar.gz", "input.json.zst", "input.zst"], Way::Packed),
];

/// Folders with one damaged file.
const FOLDERS: [(&str, &str); 3] =
    [("mindspore", "mindspore"), ("mindspore-tables", "mindspore_tables"), ("folders", "folders")];

/// The formats of these names; all, if none is given.
///
/// # Errors
///
/// If one is not known.
pub(crate) fn all(names: &[String]) -> Result<Vec<Format>, String> {
    let fixtures = root().join("tests/fixtures");
    let files = FORMATS.iter().map(|(name, folder, ends, way)| {
        let kind = match way {
            Way::Packed => Kind::Container,
            // Packed files are only unpacked in a folder.
            Way::Gzip => Kind::Folder,
            _ => Kind::File,
        };
        let mut inputs = inputs_of(&fixtures.join(folder), ends);
        if *folder == "kineto" {
            inputs.extend((0..4).map(|seed| ("a file.json".to_owned(), small_trace(seed))));
            inputs.extend(real_pieces());
        }
        if *way == Way::Gzip {
            inputs.iter_mut().for_each(|(path, _)| path.push_str(".gz"));
        }
        let texts = if *way == Way::Packed { texts(&fixtures) } else { Vec::new() };
        Format { name, kind, inputs: inputs.into_iter().map(|file| vec![file]).collect(), way: *way, texts }
    });
    let folders = FOLDERS.iter().map(|(name, folder)| Format {
        name,
        kind: Kind::Folder,
        inputs: of_folders(&fixtures.join(folder)),
        way: Way::Text,
        texts: Vec::new(),
    });
    let exports = Format {
        name: "export",
        kind: Kind::File,
        inputs: exports().into_iter().map(|file| vec![file]).collect(),
        way: Way::Text,
        texts: Vec::new(),
    };
    let mut formats: Vec<Format> = files.chain(folders).chain([exports]).collect();
    if let Some(unknown) = names.iter().find(|name| formats.iter().all(|format| format.name != **name)) {
        let known: Vec<&str> = formats.iter().map(|format| format.name).collect();
        return Err(format!("there is no format `{unknown}`, but {}", known.join(", ")));
    }
    formats.retain(|format| names.is_empty() || names.iter().any(|name| name == format.name));
    match formats.iter().find(|format| format.inputs.is_empty()) {
        Some(empty) => Err(format!("{} has no sound file to damage", empty.name)),
        None => Ok(formats),
    }
}

/// Small files of several formats, by the paths that they have in a folder or an archive.
fn texts(fixtures: &Path) -> Vec<FileOf> {
    let folders = ["folders", "kineto", "stepscope", "nsys", "paddle"].map(|folder| fixtures.join(folder));
    let files = folders.iter().flat_map(|folder| files_of(folder));
    let wanted = files.filter(|(path, bytes)| path.contains("input") && bytes.len() <= LARGEST_TEXT);
    wanted.map(|(path, bytes)| (path.replace("/input", ""), bytes)).collect()
}

/// Each file of each case's folder in first place, followed by the others.
fn of_folders(folder: &Path) -> Vec<Vec<FileOf>> {
    let mut cases: Vec<_> = std::fs::read_dir(folder).into_iter().flatten().flatten().collect();
    cases.sort_by_key(std::fs::DirEntry::file_name);
    let mut inputs = Vec::new();
    for case in cases {
        let files = files_of(&case.path().join("input"));
        for first in 0..files.len() {
            let mut turned = files.clone();
            turned[..=first].rotate_right(1);
            inputs.push(turned);
        }
    }
    inputs
}

/// Pieces of real traces, where they lie beside the project.
fn real_pieces() -> Vec<FileOf> {
    let Some(folder) = real_traces() else { return Vec::new() };
    let entries = std::fs::read_dir(folder.join("pytorch")).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    let mut pieces = Vec::new();
    for path in paths {
        let text = text_of(&path);
        let middle = text.len() / 2;
        for from in [0, middle] {
            let piece = &text[from..text.len().min(from + PIECE)];
            let opened: &[u8] = if from == 0 { b"" } else { b"{\"schemaVersion\": 1, \"traceEvents\": [" };
            pieces.push(("a file.json".to_owned(), [opened, piece].concat()));
        }
    }
    pieces
}

impl Format {
    /// The damaged file of a number.
    pub(crate) fn attempt(&self, seed: u64, number: u64) -> Attempt {
        let mut damage = Mutations::new(seed.wrapping_mul(0x9e37_79b9).wrapping_add(number));
        let of = |number: u64| &self.inputs[usize::try_from(number % self.inputs.len() as u64).unwrap_or_default()];
        let mut files = of(number).clone();
        let others = of(damage.number());
        let other = &others[0].1;
        let (_, bytes) = &mut files[0];
        *bytes = self.way.damaged(&mut damage, bytes, other, &self.texts);
        if files.len() > 1 && damage.percent(20) {
            damage.rearrange(&mut files, others);
            // In a folder no two files have one path.
            let mut paths = BTreeSet::new();
            files.retain(|(path, _)| paths.insert(path.clone()));
        }
        Attempt { kind: self.kind, files }
    }
}
