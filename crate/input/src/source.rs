//! A file, or a file in an archive.

use stepscope_base::{Code, PartAt, ReadAt};

use crate::layer::Layer;
use crate::loader::Loader;

/// A file, or a file in an archive.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its path, an archive's own path before it, with `/`.
    pub path: String,
    /// The number of the added file that has its bytes.
    pub file: usize,
    /// The position of its bytes there.
    pub start: u64,
    /// The number of its bytes, packed.
    pub len: u64,
    /// Its size for users: packed, if that is known apart from other packed files. Unknown for a pipe.
    pub bytes: u64,
    /// The process whose events are read, if the file has several ranks.
    pub process: Option<i64>,
    /// Whether it is a pipe, which can only be read once, from front to back.
    pub(super) pipe: bool,
    /// Its layers of packing; empty for plain bytes.
    pub layers: Vec<Layer>,
    /// The oddities of its archive.
    pub(super) notes: Vec<(Code, String)>,
}

impl Source {
    /// Whether its bytes are there unpacked.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.layers.is_empty()
    }

    /// Its bytes, in the file that has them.
    pub fn part<R: ReadAt>(&self, file: R) -> PartAt<R> {
        PartAt::new(file, self.start, self.len).of_process(self.process)
    }

    /// Begins a file in a loader by noting the oddities of the archive.
    pub fn begin(&self, loader: &mut Loader) {
        for (code, what) in &self.notes {
            loader.note(*code, what);
        }
    }
}
