//! Raw recordings: those of a folder, the first bytes of one, and all of it.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use stepscope_format::Damage;
use stepscope_format::raw::{EXTENSION, HEADER_BYTES, Recording, Source};

use crate::record;

/// The recordings in a folder, by name.
pub(super) fn recordings(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let failed = |error: io::Error| record::with_path(folder, &error);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.to_string_lossy().ends_with(EXTENSION) {
            files.push(path);
        }
    }
    files.sort();
    if let Some(elsewhere) = record::in_place_of(folder) {
        if elsewhere.is_some() || files.is_empty() {
            record::tell_of_environment("what the program makes of its recording holds what was recorded until then");
        }
        // Its owner may have ended it and taken it away: then there is nothing more.
        files.extend(elsewhere);
        return Ok(files);
    }
    if files.is_empty() {
        let message = format!("{}: no recordings (*{EXTENSION}) in it", folder.display());
        return Err(io::Error::new(io::ErrorKind::NotFound, message));
    }
    Ok(files)
}

/// The facts in a recording's first bytes.
pub(super) fn header(file: &mut File) -> io::Result<Result<Recording, Damage>> {
    let mut head = Vec::with_capacity(HEADER_BYTES);
    file.take(HEADER_BYTES as u64).read_to_end(&mut head)?;
    Ok(Recording::of(&head))
}

pub(super) struct Whole(pub(super) File, pub(super) u64);

impl Source for Whole {
    fn len(&self) -> u64 {
        self.1
    }

    fn read_at(&mut self, position: u64, buffer: &mut [u8]) -> Result<usize, String> {
        let mut read = 0;
        self.0.seek(SeekFrom::Start(position)).map_err(|error| error.to_string())?;
        while read < buffer.len() {
            match self.0.read(&mut buffer[read..]) {
                Ok(0) => break,
                Ok(more) => read += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.to_string()),
            }
        }
        Ok(read)
    }
}
