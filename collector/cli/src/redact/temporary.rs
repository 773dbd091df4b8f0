//! Temporary files for the copy.

use std::path::{Path, PathBuf};
use std::{fs, io};

use stepscope_collector::{create_private, recover_file};

use crate::result::Result;

/// A file that is removed with this value.
pub(super) struct Temporary(pub(super) PathBuf);

impl Temporary {
    /// A path whose name ends with `end`.
    pub(super) fn named(end: &str) -> Self {
        Self(std::env::temp_dir().join(format!("stepscope-redact-{}.{end}", std::process::id())))
    }

    /// A raw recording as a compact file.
    pub(super) fn of(recording: &Path) -> Result<Self> {
        let temporary = Self::named("stepscope");
        let failed = |error: io::Error| format!("{}: {error}", recording.display());
        let mut file = create_private(&temporary.0).map_err(failed)?;
        recover_file(recording, &mut file).map_err(failed)?;
        Ok(temporary)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
