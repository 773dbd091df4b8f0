//! One damaged file, and the result of opening it.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use stepscope::analyze::AnalysisConfig;
use stepscope::export::report_json::Summary;
use stepscope_tests::files::{FileOf, folder_ranks, rank};
use stepscope_tests::oracle::{check_container, check_trace, identities};

use crate::meter::metered;

/// Seconds of a processor allowed per megabyte for opening and analyzing, in a build with little optimization.
const SECONDS_PER_MEGABYTE: f64 = 5.0;

/// Seconds allowed for any file, however small: the machine has other load.
const SECONDS_AT_LEAST: f64 = 0.5;

/// Bytes of memory allowed per byte of a file, and for any file, however small.
const MEMORY_PER_BYTE: usize = 200;
const MEMORY_AT_LEAST: usize = 32 << 20;

/// Way of opening and checking the files.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One file, by its path.
    File,
    /// One file that may be an archive or packed.
    Container,
    /// A folder with one damaged file.
    Folder,
}

/// A damaged file, and its folder's others.
pub(crate) struct Attempt {
    pub(crate) kind: Kind,
    pub(crate) files: Vec<FileOf>,
}

/// Result of an attempt.
pub(crate) struct Verdict {
    /// Whether it contained something readable.
    pub(crate) read: bool,
    /// Seconds of a processor, and the most memory in bytes, until the analysis was finished.
    pub(crate) seconds: f64,
    pub(crate) peak: usize,
    pub(crate) failure: Option<String>,
}

thread_local!(static PANIC: RefCell<String> = const { RefCell::new(String::new()) });

/// Panics are reported with their file, not when they happen.
pub(crate) fn keep_panics_quiet() {
    std::panic::set_hook(Box::new(|info| PANIC.with(|panic| *panic.borrow_mut() = info.to_string())));
}

impl Attempt {
    pub(crate) fn files(&self) -> &[FileOf] {
        &self.files
    }

    /// The bytes of all files.
    pub(crate) fn bytes(&self) -> usize {
        self.files.iter().map(|(_, bytes)| bytes.len()).sum()
    }

    pub(crate) fn run(&self) -> Verdict {
        let whole = || {
            let (read, seconds, peak) = metered(|| self.open());
            let failure =
                read.as_ref().err().cloned().or_else(|| self.over(seconds, peak)).or_else(|| self.check().err());
            Verdict { read: read.unwrap_or_default(), seconds, peak, failure }
        };
        catch_unwind(AssertUnwindSafe(whole)).unwrap_or_else(|_| {
            let failure = Some(PANIC.with(|panic| panic.borrow().clone()));
            Verdict { read: false, seconds: 0.0, peak: 0, failure }
        })
    }

    /// Opens and analyzes it as the page does; returns whether there was something to read.
    fn open(&self) -> Result<bool, String> {
        let config = AnalysisConfig::standard();
        let error = match (self.kind, self.files.first()) {
            (Kind::File, Some((path, bytes))) => rank(path, bytes, &config).err(),
            _ => folder_ranks(&self.files, 1 << 18, &config).err(),
        };
        match error.map(|error| error.to_string()) {
            Some(message) if message.is_empty() => Err("a message without words".to_owned()),
            error => Ok(error.is_none()),
        }
    }

    fn over(&self, seconds: f64, peak: usize) -> Option<String> {
        let bytes = self.bytes();
        #[expect(clippy::cast_precision_loss, reason = "a limit")]
        let allowed = (bytes as f64 / 1e6 * SECONDS_PER_MEGABYTE).max(SECONDS_AT_LEAST);
        if seconds > allowed {
            return Some(format!("{seconds:.2} s for {bytes} bytes"));
        }
        (peak > bytes * MEMORY_PER_BYTE + MEMORY_AT_LEAST).then(|| format!("{peak} bytes of memory for {bytes} bytes"))
    }

    fn check(&self) -> Result<(), String> {
        match (self.kind, self.files.first()) {
            (Kind::File, Some((path, bytes))) => check_trace(path, bytes),
            (Kind::Container, Some((_, bytes))) => check_container(bytes),
            _ => self.check_folder(),
        }
    }

    /// Chunks make no difference, and each rank's numbers add up.
    fn check_folder(&self) -> Result<(), String> {
        let config = AnalysisConfig::standard();
        match [1 << 16, 7].map(|chunk| folder_ranks(&self.files, chunk, &config)) {
            [Ok(whole), Ok(pieces)] => {
                let summaries = [&whole, &pieces].map(|found| Summary::of(&found.ranks).to_json());
                if summaries[0] != summaries[1] || whole.left_out != pieces.left_out {
                    return Err("chunks of 7 bytes differ".to_owned());
                }
                whole.ranks.iter().try_for_each(identities)
            }
            [Err(whole), Err(pieces)] if whole == pieces => Ok(()),
            [whole, pieces] => Err(format!("chunks of 7 bytes differ: {:?} and {:?}", whole.err(), pieces.err())),
        }
    }
}
