//! Files and folders that only their owner may read: recordings contain command lines, paths and programs' own texts.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;

/// Options for a file that only its owner may read and write, if it is created.
pub(crate) fn options() -> OpenOptions {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "it has no mode there"))]
    let mut options = File::options();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Creates a file, or empties one, that only its owner may read and write. An existing one becomes private, too.
///
/// # Errors
///
/// As [`File::create`].
pub fn create_private(path: &Path) -> io::Result<File> {
    let file = options().write(true).create(true).truncate(true).open(path)?;
    #[cfg(unix)]
    if file.metadata()?.is_file() {
        // Another user's file that this one may write keeps its permissions.
        let _ = file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600));
    }
    Ok(file)
}

/// Creates a folder, and those above it, that only their owner may enter; existing ones stay unchanged.
pub(crate) fn create_folders(path: &Path) -> io::Result<()> {
    folders().recursive(true).create(path)
}

/// Creates a new folder that only its owner may enter.
///
/// # Errors
///
/// As [`std::fs::create_dir`].
pub fn create_private_folder(path: &Path) -> io::Result<()> {
    folders().create(path)
}

fn folders() -> DirBuilder {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "it has no mode there"))]
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}
