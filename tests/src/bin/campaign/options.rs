//! The command line.

use std::path::PathBuf;
use std::time::Duration;

/// Options of the mutation fuzzing.
pub(crate) struct Options {
    /// Files of each format.
    pub(crate) files: u64,
    pub(crate) seed: u64,
    pub(crate) threads: usize,
    /// Folder for failing files.
    pub(crate) save: PathBuf,
    /// Time after which a file is assumed to never end.
    pub(crate) hang: Duration,
    /// The formats, all if none is named.
    pub(crate) formats: Vec<String>,
}

impl Options {
    /// Reads the words of a command line.
    ///
    /// # Errors
    ///
    /// If a word is not understood.
    pub(crate) fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let mut options = Self {
            files: 10_000,
            seed: 1,
            threads,
            save: PathBuf::from("campaign"),
            hang: Duration::from_secs(60),
            formats: Vec::new(),
        };
        while let Some(word) = words.next() {
            let mut number = || -> Result<u64, String> {
                let text = words.next().ok_or_else(|| format!("{word} wants a number"))?;
                text.parse().map_err(|_| format!("`{text}` is no number"))
            };
            match word.as_str() {
                "--files" => options.files = number()?,
                "--seed" => options.seed = number()?,
                "--threads" => options.threads = usize::try_from(number()?.max(1)).unwrap_or(threads),
                "--save" => options.save = words.next().ok_or("--save wants a folder")?.into(),
                other if other.starts_with('-') => return Err(format!("`{other}` is no option")),
                _ => options.formats.push(word),
            }
        }
        Ok(options)
    }
}
