//! The files to open in the page.

use std::fs::File;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use crate::open;
use crate::result::Result;

/// A file to open in the page.
pub(crate) struct Served {
    pub(crate) file: PathBuf,
    /// Its name, or its path from its folder's name on, with `/`: files of one trace are recognized by it.
    pub(crate) path: String,
}

/// The files to open, a folder's in its place, each of which can be read now; and lines about the other contents of
/// folders.
pub(crate) fn traces(files: &[PathBuf]) -> Result<(Vec<Served>, Vec<String>)> {
    let (mut traces, mut notes) = (Vec::new(), Vec::new());
    for path in files {
        let inside = if path.is_dir() {
            let walked = open::files_in(path)?;
            notes.extend(walked.notes());
            walked.files
        } else {
            vec![path.clone()]
        };
        // A folder's own name comes before its files'.
        let base = path.canonicalize().unwrap_or_else(|_| path.clone());
        let name = base.file_name().map_or_else(|| "trace".into(), |name| name.to_string_lossy().into_owned());
        for file in inside {
            let rest = file.strip_prefix(path).ok().filter(|rest| *rest != Path::new(""));
            let below = rest
                .map_or_else(String::new, |rest| format!("/{}", rest.to_string_lossy().replace(MAIN_SEPARATOR, "/")));
            traces.push(Served { path: format!("{name}{below}"), file });
        }
    }
    for Served { file, .. } in &traces {
        File::open(file).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok((traces, notes))
}
