//! Recordings that the owner of their folder has ended.

#[cfg(unix)]
use std::fs::File;
use std::io;
#[cfg(unix)]
use std::os::unix::fs::FileExt;
#[cfg(unix)]
use std::path::Path;

#[cfg(unix)]
use stepscope_format::raw::{EXTENSION, header};

use super::options::Options;

/// A file in the folder that marks its recordings as ended; hidden from people who open the folder.
const MARKER: &str = ".stopped";

/// Ends the recordings of all processes in a folder.
///
/// A process that records into it stops once a thread of it needs its next segment. Those that would begin to, with
/// [`Options::make_output`] off, do not; a folder that is removed then stays so.
///
/// # Errors
///
/// If a file in it cannot be written.
#[cfg(unix)]
pub fn stop_recordings(folder: &Path) -> io::Result<()> {
    // First, so that no recording starts unseen by the loop below.
    File::create(folder.join(MARKER))?;
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.to_string_lossy().ends_with(EXTENSION) {
            File::options().write(true).open(&path)?.write_all_at(&1_u64.to_le_bytes(), header::STOPPED as u64 * 8)?;
        }
    }
    Ok(())
}

/// Whether no recording may start any more with these options.
pub(super) fn is_over(options: &Options) -> bool {
    let is_gone = || std::fs::metadata(&options.output).is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
    !options.make_output && (is_gone() || options.output.join(MARKER).exists())
}
