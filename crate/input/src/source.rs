//! A file, or a file in an archive.

use stepscope_base::{Code, PartAt, ReadAt};

use crate::layer::Layer;
use crate::loader::Loader;

/// A file, or a file in an archive.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its path, an archive's own path before it, with `/`.
    pub path: String,
    /// Which of the files that were added has its bytes, and where.
    pub file: usize,
    /// Where its bytes start there.
    pub start: u64,
    /// How many there are, as they are packed.
    pub len: u64,
    /// How large it is for a person: as it is packed, where that can be told from what else is packed with it. Of a
    /// pipe nobody knows.
    pub bytes: u64,
    /// The process whose events alone are read of it, where it holds several ranks.
    pub process: Option<i64>,
    /// Whether it is a pipe, which is read once, from front to back.
    pub(super) pipe: bool,
    /// How they are packed; nothing for bytes as they are.
    pub layers: Vec<Layer>,
    /// The oddities of the archive that it lies in.
    pub(super) notes: Vec<(Code, String)>,
}

impl Source {
    /// Whether its bytes lie there as they are.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.layers.is_empty()
    }

    /// Its bytes, in the file that has them.
    pub fn part<R: ReadAt>(&self, file: R) -> PartAt<R> {
        PartAt::new(file, self.start, self.len).of_process(self.process)
    }

    /// Tells a loader what is odd about the archive.
    pub fn begin(&self, loader: &mut Loader) {
        for (code, what) in &self.notes {
            loader.note(*code, what);
        }
    }
}
