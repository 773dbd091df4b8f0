//! Names without end.

use std::path::Path;

use stepscope_collector::{mark, stop};
use stepscope_format::raw::{self, Recording, Sink};
use stepscope_format::{Damage, Kind, Record};

use crate::role::{folder, play, record};

const NAMES: u64 = 10_000_000;

/// The program's memory may grow by so much: a million names are known, the others only written.
const MOST_MEMORY_KB: u64 = 300_000;

pub(crate) fn many(folder: &Path) {
    record(folder);
    let mut name = String::new();
    for index in 0..NAMES {
        use std::fmt::Write;
        name.clear();
        write!(name, "name number {index}").expect("memory");
        mark(&name, index);
    }
    stop();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    // Mapped pages of the file count as shared, not as the program's own.
    let own = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    let own: Option<u64> = own.and_then(|own| own.trim().trim_end_matches(" kB").parse().ok());
    assert!(own.is_none_or(|own| own < MOST_MEMORY_KB), "{own:?} kB");
}

/// Counts and compares, without holding ten million names.
#[derive(Default)]
struct Count {
    names: u64,
    /// Indexes in the texts of every thousandth name, by the name's number.
    numbers: std::collections::HashMap<u32, u64>,
    marks: u64,
}

impl Sink for Count {
    fn recording(&mut self, recording: &Recording) {
        assert!(recording.closed);
    }

    fn name(&mut self, number: u32, text: &[u8]) {
        if let Some(index) = text.strip_prefix(b"name number ") {
            let index: u64 = String::from_utf8_lossy(index).parse().expect("a number");
            self.names += 1;
            if index % 1_000 == 1 {
                self.numbers.insert(number, index);
            }
        }
    }

    fn record(&mut self, record: &Record, _position: u64) {
        if record.kind == Kind::Mark {
            assert_eq!(record.value, self.marks);
            let expected = (record.value % 1_000 == 1).then_some(record.value);
            assert_eq!(self.numbers.get(&record.name).copied(), expected);
            self.marks += 1;
        }
    }

    fn damage(&mut self, damage: Damage) {
        panic!("{damage}");
    }
}

#[test]
fn ten_million_names_take_bounded_memory_and_none_is_lost() {
    let folder = folder("names");
    play("names", &folder);
    let file = std::fs::read_dir(&folder).expect("the folder").next().expect("a recording").expect("an entry").path();
    let mut count = Count::default();
    let mut source = crate::recording::Whole::open(&file);
    raw::read(&mut source, &mut count, &mut |_| {}).expect("a recording");
    assert_eq!((count.names, count.marks), (NAMES, NAMES));
    std::fs::remove_dir_all(&folder).expect("the folder can go");
}
