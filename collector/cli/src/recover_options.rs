//! Options of `stepscope recover`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct RecoverOptions {
    /// The folder of raw recordings (*.steprec), or a folder around such folders.
    ///
    /// Recordings in the folder, and in the folders directly in it, become files, each beside its folder. Links and deeper folders are skipped.
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: PathBuf,
    /// The file to write: a recording (.stepscope), JSON (.json, .json.gz) or Perfetto's format (.pftrace, .pftrace.gz);
    /// `-` writes a recording to standard output. By default it is named after the folder. With several ranks, each has a
    /// file of its own: NAME.rank0.stepscope and so on.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replace files that exist.
    #[arg(long)]
    pub(crate) force: bool,
    /// Only print which files would be written.
    #[arg(long)]
    pub(crate) dry_run: bool,
}
