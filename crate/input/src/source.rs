//! A file, or a file in an archive.

use stepscope_base::{Code, PartAt, ReadAt};
use stepscope_read::folder_of;

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
    /// The only device whose rows are read, if the file has several devices side by side.
    pub(super) device: Option<i64>,
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

    /// The same file once for each device in it; users see a folder of the device above it.
    pub(super) fn of_devices(&self, devices: &[i64]) -> Vec<Self> {
        let (folder, name) = self.path.rsplit_once('/').map_or(("", &*self.path), |(folder, name)| (folder, name));
        let of = |device: &i64| {
            let own = folder_of(*device);
            let parts = [folder, &own, name].into_iter().filter(|part| !part.is_empty());
            Self { path: parts.collect::<Vec<_>>().join("/"), device: Some(*device), ..self.clone() }
        };
        devices.iter().map(of).collect()
    }

    /// Begins a file in a loader: its only device, and the oddities of the archive.
    pub fn begin(&self, loader: &mut Loader) {
        loader.read_only(self.device);
        for (code, what) in &self.notes {
            loader.note(*code, what);
        }
    }
}
