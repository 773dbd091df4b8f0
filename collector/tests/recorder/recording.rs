//! Contents of recordings.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

use stepscope_collector::{Recovered, recover};
use stepscope_format::compact::{Item, Process, Reader};
use stepscope_format::raw::Source;
use stepscope_format::{Kind, Record};

/// All processes of a folder.
#[derive(Debug, Default)]
pub(crate) struct RecordedFolder {
    pub(crate) recovered: Recovered,
    pub(crate) processes: Vec<Process>,
    names: HashMap<(u32, u32), String>,
    /// By process and thread.
    pub(crate) threads: BTreeMap<(u32, u64), Thread>,
}

#[derive(Debug, Default)]
pub(crate) struct Thread {
    pub(crate) name: String,
    pub(crate) records: Vec<Record>,
}

impl RecordedFolder {
    /// Recovers a folder, without damage.
    #[track_caller]
    pub(crate) fn of(folder: &Path) -> Self {
        let mut file = Vec::new();
        let recovered = recover(folder, &mut file).expect("recordings");
        assert_eq!(recovered.damages, []);
        let mut found = Self { recovered, ..Self::default() };
        let mut reader = Reader::new();
        reader.feed(&file);
        reader.close();
        while let Some(item) = reader.next() {
            found.take(item);
        }
        found
    }

    #[track_caller]
    fn take(&mut self, item: Item) {
        match item {
            Item::Process(process) => self.processes.push(process),
            Item::Names { process, names } => {
                self.names.extend(names.into_iter().map(|(number, text)| ((process, number), text)));
            }
            Item::Thread(thread) => {
                let name = self.name(thread.process, thread.name);
                self.threads.entry((thread.process, thread.serial)).or_default().name = name;
            }
            Item::Records { process, thread, records, .. } => {
                self.threads.entry((process, thread)).or_default().records.extend(records);
            }
            Item::Damage(damage) => panic!("{damage}"),
        }
    }

    #[track_caller]
    pub(crate) fn name(&self, process: u32, number: u32) -> String {
        if number == 0 {
            return String::new();
        }
        self.names.get(&(process, number)).unwrap_or_else(|| panic!("name {number} of {process}")).clone()
    }

    /// All records of a kind and name.
    pub(crate) fn named(&self, kind: Kind, name: &str) -> Vec<Record> {
        let of_thread = |((process, _), thread): (&(u32, u64), &Thread)| {
            let is = |record: &&Record| record.kind == kind && self.name(*process, record.name) == name;
            thread.records.iter().filter(is).copied().collect::<Vec<_>>()
        };
        self.threads.iter().flat_map(of_thread).collect()
    }
}

/// A file that is read here and there.
pub(crate) struct Whole(File);

impl Whole {
    pub(crate) fn open(path: &Path) -> Self {
        Self(File::open(path).expect("a file"))
    }
}

impl Source for Whole {
    fn len(&self) -> u64 {
        self.0.metadata().expect("its size").len()
    }

    fn read_at(&mut self, position: u64, buffer: &mut [u8]) -> Result<usize, String> {
        let mut read = 0;
        while read < buffer.len() {
            match self.0.read_at(&mut buffer[read..], position + read as u64).expect("it can be read") {
                0 => break,
                more => read += more,
            }
        }
        Ok(read)
    }
}
