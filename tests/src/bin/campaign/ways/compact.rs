//! Blocks and records of compact files.

use stepscope_format::compact::{Item, Reader, Writer};
use stepscope_format::{Category, Kind, Record};
use stepscope_tests::oracle::{Mutations, seal};

/// Bytes before a block's content, and where its length stands in them.
const HEADER: usize = 20;
const LENGTH: std::ops::Range<usize> = 8..12;
const SYNC: &[u8] = b"\xf7SB1";

pub(super) fn damaged(damage: &mut Mutations, file: &[u8], other: &[u8]) -> Vec<u8> {
    if damage.percent(60) { records(damage, file, other) } else { blocks(damage, file, other) }
}

/// The blocks in another order, and the content of one longer or shorter, with right lengths and checksums.
fn blocks(damage: &mut Mutations, file: &[u8], other: &[u8]) -> Vec<u8> {
    let [mut parts, others] = [file, other].map(split);
    if damage.percent(60) {
        damage.rearrange(&mut parts, &others);
    }
    let at = damage.place(parts.len());
    if let Some((header, content)) = parts.get(at).and_then(|block| block.split_at_checked(HEADER)) {
        let content = damage.damage(content);
        let mut block = header.to_vec();
        block[LENGTH].copy_from_slice(&u32::try_from(content.len()).unwrap_or_default().to_le_bytes());
        block.extend(content);
        parts[at] = block;
    }
    let mut file = [&file[..file.len().min(16)], &parts.concat()].concat();
    seal(&mut file);
    file
}

fn split(file: &[u8]) -> Vec<Vec<u8>> {
    let starts: Vec<usize> =
        file.windows(SYNC.len()).enumerate().filter(|(_, window)| *window == SYNC).map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([file.len()]);
    starts.iter().zip(ends).map(|(start, end)| file[*start..end].to_vec()).collect()
}

/// The file's records in another order or with absurd numbers, written as the writer does.
fn records(damage: &mut Mutations, file: &[u8], other: &[u8]) -> Vec<u8> {
    let [mut all, others] = [file, other].map(items);
    if damage.percent(30) {
        damage.rearrange(&mut all, &others);
    }
    let foreign: Vec<Record> = others.into_iter().flat_map(records_of).collect();
    for item in &mut all {
        if let Item::Records { records, .. } = item {
            if damage.percent(40) {
                damage.rearrange(records, &foreign);
            }
            for _ in 0..damage.place(4) {
                let at = damage.place(records.len());
                records.iter_mut().skip(at).take(1).for_each(|record| absurd(damage, record));
            }
        }
    }
    let mut writer = Writer::new();
    for item in all {
        match item {
            Item::Process(process) => writer.process(&process),
            Item::Names { process, names } => {
                names.iter().for_each(|(number, text)| writer.name(process, *number, text));
            }
            Item::Thread(thread) => writer.thread(&thread),
            Item::Records { process, thread, records, .. } => {
                records.into_iter().for_each(|record| writer.record(process, thread, record));
                // The number of blocks stays the same.
                writer.flush();
            }
            Item::Damage(_) => {}
        }
    }
    writer.finish()
}

fn items(file: &[u8]) -> Vec<Item> {
    let mut reader = Reader::new();
    reader.feed(file);
    reader.close();
    std::iter::from_fn(|| reader.next()).collect()
}

fn records_of(item: Item) -> Vec<Record> {
    if let Item::Records { records, .. } = item { records } else { Vec::new() }
}

/// Gives a record a number that no program would.
pub(super) fn absurd(damage: &mut Mutations, record: &mut Record) {
    let number = damage.telling_number();
    match damage.place(8) {
        0 => record.kind = Kind::ALL[damage.place(Kind::ALL.len())],
        1 => record.category = Category::ALL[damage.place(Category::ALL.len())],
        2 => record.aux = number as u16,
        3 => record.name = number as u32,
        4 => record.at = number,
        5 => record.extent = number,
        _ => record.value = number,
    }
}
