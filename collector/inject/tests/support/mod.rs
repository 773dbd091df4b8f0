//! Contents of recordings, as lines of text.

mod library;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

pub(crate) use library::library;
use stepscope_collector::recover;
use stepscope_format::compact::{Item, Reader};
use stepscope_format::{ArgumentValue, Kind, Record};

/// An empty folder for one test.
pub(crate) fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("inject").join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

/// The records of a compact file, by thread in the order in which they were made.
#[track_caller]
pub(crate) fn lines_of(file: &[u8]) -> Vec<String> {
    let mut names: HashMap<(u32, u32), String> = HashMap::new();
    let mut lines = Vec::new();
    let mut reader = Reader::new();
    reader.feed(file);
    reader.close();
    while let Some(item) = reader.next() {
        match item {
            Item::Names { process, names: new } => {
                names.extend(new.into_iter().map(|(number, text)| ((process, number), text)));
            }
            Item::Thread(thread) => {
                let name = names.get(&(thread.process, thread.name)).map_or("", String::as_str);
                lines.push(format!("thread {name}"));
            }
            Item::Records { process, records, .. } => {
                lines.extend(records.iter().map(|record| {
                    let name = |number| names.get(&(process, number)).map_or("", String::as_str);
                    line(record, &name)
                }));
            }
            Item::Damage(damage) => panic!("{damage}"),
            Item::Process(_) => {}
        }
    }
    lines
}

/// The records of a folder.
#[track_caller]
pub(crate) fn lines(folder: &Path) -> Vec<String> {
    let mut file = Vec::new();
    let recovered = recover(folder, &mut file).expect("recordings");
    assert_eq!(recovered.damages, []);
    lines_of(&file)
}

fn line<'a>(record: &Record, text: &dyn Fn(u32) -> &'a str) -> String {
    let (kind, name, value) = (record.kind.name(), text(record.name), record.value);
    match record.kind {
        Kind::Span | Kind::Open => format!("{kind} {} {name} {value} depth {}", record.category.name(), record.aux),
        Kind::Counter => format!("{kind} {name} {}", f64::from_bits(value)),
        Kind::Memory => {
            format!("{kind} device {} at {} {}", record.aux.cast_signed(), record.extent, value.cast_signed())
        }
        Kind::Argument => match ArgumentValue::of(record).expect("a type of value") {
            ArgumentValue::Text(number) => format!("{kind} {name} {:?} of {}", text(number), record.aux),
            value => format!("{kind} {name} {value:?} of {}", record.aux),
        },
        _ => format!("{kind} {name} {value}"),
    }
}
