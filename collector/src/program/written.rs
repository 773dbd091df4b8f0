//! Files that the program writes.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::Result;

/// Bytes handed to the file at a time.
const BUFFER: usize = 1 << 20;

/// Writes beside the file first, so that a failure leaves no half of one, and none where there was none.
pub(crate) fn beside_first<T>(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<T>) -> Result<T> {
    let partial = with_end(path, ".partial");
    let written = File::create(&partial).and_then(|file| {
        let mut file = BufWriter::with_capacity(BUFFER, file);
        let written = write(&mut file)?;
        file.flush()?;
        Ok(written)
    });
    written.and_then(|written| fs::rename(&partial, path).map(|()| written)).map_err(|error| {
        let _ = fs::remove_file(&partial);
        format!("{}: {error}", path.display())
    })
}

/// A path with something behind its name.
pub(crate) fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::{Error, Write};

    use super::beside_first;

    #[test]
    fn what_fails_leaves_what_was_there() {
        let folder = std::env::temp_dir().join(format!("stepscope-written-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a.html");
        assert_eq!(beside_first(&path, |file| file.write_all(b"whole").map(|()| 7)), Ok(7));
        let failed = beside_first(&path, |file| {
            file.write_all(b"half")?;
            Err::<(), _>(Error::other("no more"))
        });
        assert_eq!(failed, Err(format!("{}: no more", path.display())));
        assert_eq!(fs::read(&path).unwrap(), b"whole");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing lies beside it");
        fs::remove_dir_all(&folder).unwrap();
    }
}
