//! Files that the program writes.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};

use stepscope_collector::create_private;

use crate::result::Result;

/// Bytes handed to the file at a time.
const BUFFER: usize = 1 << 20;

/// Whether a path means standard output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The name of an output, for messages.
pub(crate) fn name_of(path: &Path) -> Cow<'_, str> {
    if is_standard(path) { "standard output".into() } else { path.to_string_lossy() }
}

/// Target of an output.
#[derive(Debug)]
pub(crate) enum Target {
    File(File),
    /// Standard output, and whether its reader has gone, which is no failure (`| head`).
    Standard(Stdout, bool),
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write(bytes),
            Self::Standard(_, true) => Ok(bytes.len()),
            Self::Standard(out, gone) => match out.write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                    *gone = true;
                    Ok(bytes.len())
                }
                written => written,
            },
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
            Self::Standard(_, true) => Ok(()),
            Self::Standard(out, _) => match out.flush() {
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                flushed => flushed,
            },
        }
    }
}

/// Writes beside the file first, so that a failure leaves no incomplete file, and no new one. A link stays a link; a
/// target that is not a file (a pipe, `/dev/stdout`) is written directly. `-` is standard output.
pub(crate) fn beside_first<T>(path: &Path, write: impl FnOnce(&mut BufWriter<Target>) -> io::Result<T>) -> Result<T> {
    beside_first_as(Readers::Usual, path, write)
}

/// Readers of a written file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Readers {
    /// The system's default for new files.
    Usual,
    /// Its owner alone: a recording.
    Owner,
}

/// As [`beside_first`].
pub(crate) fn beside_first_as<T>(
    readers: Readers,
    path: &Path,
    write: impl FnOnce(&mut BufWriter<Target>) -> io::Result<T>,
) -> Result<T> {
    let failed = |error: io::Error| format!("{}: {error}", name_of(path));
    if is_standard(path) {
        return through_buffer(Target::Standard(io::stdout(), false), write).map_err(failed);
    }
    let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if fs::metadata(&place).is_ok_and(|about| !about.is_file() && !about.is_dir()) {
        return File::options()
            .write(true)
            .open(path)
            .and_then(|file| through_buffer(Target::File(file), write))
            .map_err(failed);
    }
    let partial = with_end(&place, ".partial");
    let created = match readers {
        Readers::Usual => File::create(&partial),
        Readers::Owner => create_private(&partial),
    };
    let written = created.and_then(|file| through_buffer(Target::File(file), write));
    written.and_then(|written| fs::rename(&partial, &place).map(|()| written)).map_err(|error| {
        let _ = fs::remove_file(&partial);
        failed(error)
    })
}

fn through_buffer<T>(file: Target, write: impl FnOnce(&mut BufWriter<Target>) -> io::Result<T>) -> io::Result<T> {
    let mut file = BufWriter::with_capacity(BUFFER, file);
    let written = write(&mut file)?;
    file.flush()?;
    Ok(written)
}

/// A path with something appended to its name.
pub(crate) fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::{Error, Write};
    use std::path::PathBuf;

    use super::beside_first;

    /// A folder of a test's own.
    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("stepscope-written-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[cfg(unix)]
    #[test]
    fn links_and_what_is_no_file_stay_what_they_are() {
        let folder = folder("links");
        for name in ["link", "null"] {
            let to = if name == "link" { folder.join("file") } else { PathBuf::from("/dev/null") };
            std::os::unix::fs::symlink(to, folder.join(name)).unwrap();
            fs::write(folder.join("file"), b"before").unwrap();
            beside_first(&folder.join(name), |file| file.write_all(b"whole")).unwrap();
            assert!(fs::symlink_metadata(folder.join(name)).unwrap().is_symlink(), "{name}");
            assert_eq!(fs::read(folder.join("file")).unwrap(), if name == "link" { &b"whole"[..] } else { b"before" });
        }
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_fails_leaves_what_was_there() {
        let folder = folder("fails");
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
