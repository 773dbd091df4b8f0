//! The formats, each with the sound files that its damaged ones are made of.

use std::path::Path;

use stepscope_tests::files::{FileOf, files_of, real_traces, root, text_of};
use stepscope_tests::oracle::{Mutations, small_trace};

use crate::attempt::{Attempt, Kind};
use crate::sealed::seal;

/// A format, and files of it.
pub(crate) struct Format {
    pub(crate) name: &'static str,
    kind: Kind,
    /// Each with its folder's other files, of which the first is damaged.
    inputs: Vec<Vec<FileOf>>,
    /// Whether bytes keep their places: in a database or an archive all else would be lost at once.
    fixed: bool,
}

/// Of a real trace, what is spliced into generated ones: its beginning and its middle.
const PIECE: usize = 24 << 10;

/// Where each format's fixtures are: the folder, how their names begin or end, whether bytes keep their places.
const FORMATS: [(&str, &str, &[&str], bool); 11] = [
    ("pytorch", "kineto", &["input.json"], false),
    ("chrome", "chrome", &["input.json", "input.cpuprofile"], false),
    ("paddle", "paddle", &["input.json"], false),
    ("paddle-protobuf", "paddle", &["input.pb"], true),
    ("nvprof", "nvprof", &["input.txt"], false),
    ("nvvp", "nvvp", &["input.nvvp"], true),
    ("nsys", "nsys", &["input.sqlite"], true),
    ("stepscope", "stepscope", &["input.stepscope"], true),
    ("recording", "stepscope", &["input.steprec"], true),
    ("damaged", "damaged", &["input.json"], false),
    ("packed", "containers", &["input.zip", "input.tar", "input.tar.gz", "input.json.zst", "input.zst"], true),
];

/// Folders of which one file is damaged.
const FOLDERS: [(&str, &str); 3] =
    [("mindspore", "mindspore"), ("mindspore-tables", "mindspore_tables"), ("folders", "folders")];

/// The formats of these names; all, if none is given.
///
/// # Errors
///
/// If one is not known.
pub(crate) fn all(names: &[String]) -> Result<Vec<Format>, String> {
    let fixtures = root().join("tests/fixtures");
    let files = FORMATS.iter().map(|(name, folder, ends, fixed)| {
        let kind = if *folder == "containers" { Kind::Container } else { Kind::File };
        let mut inputs = inputs(&fixtures.join(folder), ends);
        if *name == "pytorch" {
            inputs.extend((0..4).map(|seed| ("a file.json".to_owned(), small_trace(seed))));
            inputs.extend(real_pieces());
        }
        Format { name, kind, inputs: inputs.into_iter().map(|file| vec![file]).collect(), fixed: *fixed }
    });
    let folders = FOLDERS.iter().map(|(name, folder)| Format {
        name,
        kind: Kind::Folder,
        inputs: of_folders(&fixtures.join(folder)),
        fixed: false,
    });
    let mut formats: Vec<Format> = files.chain(folders).collect();
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

/// The inputs of a folder's cases.
fn inputs(folder: &Path, ends: &[&str]) -> Vec<FileOf> {
    let files = files_of(folder).into_iter();
    let wanted = files.filter(|(path, _)| ends.iter().any(|end| path.rsplit('/').next() == Some(end)));
    wanted.map(|(path, bytes)| (path.rsplit('/').next().unwrap_or_default().to_owned(), bytes)).collect()
}

/// Each file of each case's folder first, with those beside it.
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
        let other = &of(damage.number())[0].1;
        let (_, bytes) = &mut files[0];
        *bytes = if self.fixed { damage.in_place(bytes, other) } else { damage.spliced(bytes, other) };
        if self.name == "stepscope" && !damage.number().is_multiple_of(4) {
            seal(bytes);
        }
        Attempt { kind: self.kind, files }
    }
}
