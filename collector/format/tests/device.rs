//! Activities of devices: typed, as records, in compact files.

#![expect(clippy::panic, reason = "a test says so what is wrong")]

use proptest::prelude::*;
use stepscope_format::compact::{Item, Reader, Thread, Writer};
use stepscope_format::device::{Activity, Detail};
use stepscope_format::{Category, Kind, Record};

fn small<T: Arbitrary + Clone + From<u8> + 'static>() -> impl Strategy<Value = T> {
    prop_oneof![Just(T::from(0)), any::<u8>().prop_map(T::from), any::<T>()]
}

fn detail() -> impl Strategy<Value = Detail> {
    let words = (prop::array::uniform6(small::<u32>()), prop::array::uniform8(small::<u16>()), small::<u64>());
    (0..13_u8, words, prop::array::uniform4(any::<u8>())).prop_map(|(which, (words, halves, long), bytes)| {
        let [a, b, c, d, e, f] = words;
        let [p, q, r, s, ..] = halves;
        let [kind, source, destination, flags] = bytes;
        match which {
            0 => Detail::Launch { grid: [a, b, c], block: [p, q, r], registers: s, fixed_shared: d, dynamic_shared: e },
            1 => {
                Detail::Resources { local_memory: a, cluster: [p, q, r], launch_type: kind, priority: b.cast_signed() }
            }
            2 => Detail::Place { context: a, graph: b, node: long, channel: c },
            3 => Detail::Copy { kind, source, destination, flags, bytes: long, devices: [a, b] },
            4 => Detail::Set { memory: p, flags: q, bytes: long, value: a },
            5 => Detail::Wait { kind: a, context: b, event: c, awaited_stream: d, awaited_record: e, returned: f },
            6 => Detail::Returned { code: a },
            7 => Detail::External { kind: a, id: long, correlation: b },
            8 => Detail::Device { device: p, name: a, memory: long, multiprocessors: b, capability: [q, r], warp: s },
            9 => Detail::Limits { device: p, threads: a, block_threads: b, registers: c, shared: d, block_shared: e },
            10 => Detail::ThreadName { thread: long, name: a },
            11 => Detail::StreamName { device: p, stream: a, name: b },
            _ => Detail::DeviceName { device: p, name: a },
        }
    })
}

fn activity() -> impl Strategy<Value = Activity> {
    let devices: Vec<Category> = Category::ALL.iter().copied().filter(|it| *it >= Category::Kernel).collect();
    let numbers = (small::<u16>(), any::<u32>(), any::<u64>(), any::<u64>(), any::<u32>(), small::<u32>());
    (prop::sample::select(devices), numbers).prop_map(|(category, (device, name, at, duration, correlation, place))| {
        Activity { category, device, name, at, duration, correlation, place }
    })
}

fn write(records: &[Record]) -> Vec<u8> {
    let mut writer = Writer::new();
    writer.thread(&Thread { process: 0, serial: 1, id: 1, name: 0 });
    for record in records {
        writer.record(0, 1, *record);
    }
    writer.finish()
}

fn blocks(file: &[u8]) -> Vec<Vec<Record>> {
    let mut reader = Reader::new();
    reader.feed(file);
    reader.close();
    let mut blocks = Vec::new();
    while let Some(item) = reader.next() {
        match item {
            Item::Records { records, .. } => blocks.push(records),
            Item::Damage(damage) => panic!("{damage}"),
            _ => {}
        }
    }
    blocks
}

proptest! {
    #[test]
    fn what_is_told_of_a_device_comes_back(activity in activity(), details in prop::collection::vec(detail(), 0..5)) {
        let records: Vec<Record> =
            std::iter::once(activity.record()).chain(details.iter().map(Detail::record)).collect();
        // Raw, word by word.
        for record in &records {
            prop_assert_eq!(Record::of_words(record.words()), Some(*record));
        }
        // Compact.
        let read = blocks(&write(&records)).concat();
        prop_assert_eq!(&read, &records);
        prop_assert_eq!(Activity::of(&read[0]), Some(activity));
        prop_assert_eq!(Detail::of(&read[0]), None);
        let found: Vec<Option<Detail>> = read[1..].iter().map(Detail::of).collect();
        prop_assert_eq!(found, details.into_iter().map(Some).collect::<Vec<_>>());
    }
}

#[test]
fn a_later_detail_is_none_that_is_known() {
    let record =
        Record { kind: Kind::Detail, category: Category::General, aux: 99, name: 1, at: 2, extent: 3, value: 4 };
    assert_eq!((Detail::of(&record), Activity::of(&record)), (None, None));
}

fn kernel(index: u32) -> [Record; 3] {
    let activity = Activity {
        category: Category::Kernel,
        device: 0,
        name: 40 + index % 30,
        at: 1_000_000_000_000 + u64::from(index) * 9_000,
        duration: 5_000 + u64::from(index % 7) * 100,
        correlation: 1000 + index,
        place: 7,
    };
    let launch = Detail::Launch {
        grid: [108 * (1 + index % 4), 1, 1],
        block: [256, 1, 1],
        registers: 90,
        fixed_shared: 0,
        dynamic_shared: 49_152,
    };
    let place = Detail::Place { context: 1, graph: 5, node: u64::from(index), channel: 8 };
    [activity.record(), launch.record(), place.record()]
}

/// A block is decoded alone: details in the next one would be separated from their activity.
#[test]
fn details_stand_in_one_block_with_their_activity() {
    let records: Vec<Record> = (0..20_000).flat_map(kernel).collect();
    let blocks = blocks(&write(&records));
    assert_eq!(blocks.concat(), records);
    assert!(blocks.len() > 5);
    for block in &blocks {
        assert_eq!(block[0].kind, Kind::Activity);
        assert_eq!(block.len() % 3, 0);
    }
}

#[test]
fn kernels_are_small() {
    assert_eq!(kernel(1).len() * Record::BYTES, 96, "raw, in a graph; with spilled registers a detail more");
    let records: Vec<Record> = (0..8_000).flat_map(kernel).collect();
    let each = write(&records).len() / 8_000;
    assert!(each <= 56, "{each} bytes a kernel, compact");
}
