//! Compact files: written content is read back, damage is reported.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use stepscope_format::compact::{Item, Process, Reader, Thread, Writer};
use stepscope_format::{Category, Kind, Record};

/// An event of a program.
#[derive(Clone, Debug, PartialEq)]
enum Event {
    Process(Process),
    Name(u32, u32, String),
    Thread(Thread),
    Record(u32, u64, Record),
}

fn record() -> impl Strategy<Value = Record> {
    let number = || prop_oneof![Just(0_u64), 0..1_000_u64, any::<u64>(), Just(u64::MAX), Just(1.5_f64.to_bits())];
    let kind = prop::sample::select(Kind::ALL);
    let category = prop::sample::select(Category::ALL);
    (kind, category, any::<u16>(), any::<u32>(), number(), number(), number()).prop_map(
        |(kind, category, aux, name, at, extent, value)| Record { kind, category, aux, name, at, extent, value },
    )
}

fn process() -> impl Strategy<Value = Process> {
    let facts = prop::collection::vec((".*", ".*"), 0..3);
    (0..3_u32, any::<u32>(), any::<u32>(), any::<bool>(), any::<u64>(), any::<u64>(), any::<i64>(), facts).prop_map(
        |(number, id, parent, closed, dropped, reused, unix_offset, facts)| Process {
            number,
            id,
            parent,
            closed,
            dropped,
            reused,
            unix_offset,
            facts,
        },
    )
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let event = prop_oneof![
        1 => process().prop_map(Event::Process),
        3 => (0..3_u32, any::<u32>(), ".*").prop_map(|(process, number, text)| Event::Name(process, number, text)),
        2 => (0..3_u32, any::<u64>(), any::<u64>(), any::<u32>())
            .prop_map(|(process, serial, id, name)| Event::Thread(Thread { process, serial, id, name })),
        20 => (0..3_u32, 0..3_u64, record()).prop_map(|(process, thread, record)| Event::Record(process, thread, record)),
    ];
    prop::collection::vec(event, 0..80)
}

fn write(events: &[Event], flush_every: usize) -> Vec<u8> {
    let mut writer = Writer::new();
    let mut file = Vec::new();
    for (index, event) in events.iter().enumerate() {
        match event {
            Event::Process(process) => writer.process(process),
            Event::Name(process, number, text) => writer.name(*process, *number, text),
            Event::Thread(thread) => writer.thread(thread),
            Event::Record(process, thread, record) => writer.record(*process, *thread, *record),
        }
        if index % flush_every == 0 {
            writer.flush();
        }
        file.append(writer.output());
    }
    file.append(&mut writer.finish());
    file
}

fn read(file: &[u8], chunk: usize) -> Vec<Item> {
    let mut reader = Reader::new();
    let mut items = Vec::new();
    for piece in file.chunks(chunk) {
        reader.feed(piece);
        items.extend(std::iter::from_fn(|| reader.next()));
    }
    reader.close();
    items.extend(std::iter::from_fn(|| reader.next()));
    items
}

/// The events of one kind, in their order; records by thread.
fn sorted(events: impl Iterator<Item = Event>) -> Vec<Vec<Event>> {
    let mut kinds = vec![Vec::new(); 12];
    for event in events {
        let kind = match event {
            Event::Process(_) => 0,
            Event::Name(..) => 1,
            Event::Thread(_) => 2,
            Event::Record(process, thread, _) => 3 + process as usize * 3 + thread as usize,
        };
        kinds[kind].push(event);
    }
    kinds
}

fn as_events(items: &[Item]) -> Vec<Event> {
    let mut events = Vec::new();
    for item in items {
        match item {
            Item::Process(process) => events.push(Event::Process(process.clone())),
            Item::Names { process, names } => {
                events.extend(names.iter().map(|(number, text)| Event::Name(*process, *number, text.clone())));
            }
            Item::Thread(thread) => events.push(Event::Thread(*thread)),
            Item::Records { process, thread, records, .. } => {
                events.extend(records.iter().map(|record| Event::Record(*process, *thread, *record)));
            }
            Item::Damage(_) => {}
        }
    }
    events
}

fn damages(items: &[Item]) -> usize {
    items.iter().filter(|item| matches!(item, Item::Damage(_))).count()
}

proptest! {
    #[test]
    fn what_is_written_is_read(events in events(), flush_every in 1..100_usize, chunk in 1..300_usize) {
        let file = write(&events, flush_every);
        let items = read(&file, chunk);
        prop_assert_eq!(damages(&items), 0);
        prop_assert_eq!(sorted(as_events(&items).into_iter()), sorted(events.into_iter()));
        prop_assert_eq!(items, read(&file, usize::MAX));
    }

    #[test]
    fn damage_is_told_and_loses_only_its_block(
        events in events(),
        flush_every in 1..10_usize,
        at: prop::sample::Index,
        bit in 0..8_u8,
        chunk in 1..300_usize,
    ) {
        let mut file = write(&events, flush_every);
        let whole = read(&file, usize::MAX);
        let at = at.index(file.len());
        file[at] ^= 1 << bit;
        let items = read(&file, chunk);
        // The header's last four bytes say nothing yet.
        let means_something = !(12..16).contains(&at);
        prop_assert_eq!(damages(&items) > 0, means_something);
        if !(8..12).contains(&at) {
            let found = items.iter().filter(|item| !matches!(item, Item::Damage(_))).count();
            prop_assert!(found + 1 >= whole.len(), "{found} of {}", whole.len());
        }
        for item in &items {
            if let Item::Damage(damage) = item {
                prop_assert!(damage.position <= file.len() as u64);
            }
        }
        prop_assert_eq!(items, read(&file, usize::MAX));
    }

    #[test]
    fn a_cut_file_keeps_its_whole_blocks(events in events(), flush_every in 1..10_usize, at: prop::sample::Index) {
        let file = write(&events, flush_every);
        let cut = &file[..at.index(file.len())];
        let whole = read(&file, usize::MAX);
        let items = read(cut, 64);
        let (kept, rest) = items.split_at(items.len() - 1);
        prop_assert!(matches!(rest, [Item::Damage(damage)] if damage.position <= cut.len() as u64));
        prop_assert!(whole.starts_with(kept));
    }

    #[test]
    fn anything_is_read_to_its_end(mut bytes in prop::collection::vec(any::<u8>(), 0..2_000), like: bool) {
        if like {
            let header = Writer::new().finish();
            let len = bytes.len().min(header.len());
            bytes[..len].copy_from_slice(&header[..len]);
        }
        let items = read(&bytes, 100);
        prop_assert!(items.iter().all(|item| matches!(item, Item::Damage(_))));
    }
}

#[test]
fn files_can_stand_one_behind_the_other() {
    let one = write(&[Event::Name(0, 1, "one".into())], 1);
    let two = write(&[Event::Name(0, 1, "two".into())], 1);
    let items = read(&[one, two].concat(), 3);
    assert_eq!((items.len(), damages(&items)), (2, 0));
}

#[test]
fn texts_are_cut_between_characters() {
    let file = write(&[Event::Name(0, 1, "é".repeat(40_000) + "x"), Event::Name(0, 2, "a".repeat(70_000))], 1);
    let items = read(&file, 1000);
    let texts =
        items.iter().filter_map(|item| if let Item::Names { names, .. } = item { Some(&names[0].1) } else { None });
    assert_eq!(texts.map(String::len).collect::<Vec<_>>(), [65_536, 65_536]);
}

#[test]
fn syncs_everywhere_take_linear_time() {
    // Headers that are right, of contents that are not, one in another.
    let mut writer = Writer::new();
    for _ in 0..2_000 {
        writer.name(0, 1, &"x".repeat(60_000));
    }
    let file = writer.finish();
    let start = (16..file.len()).find(|at| file[*at..].starts_with(b"\xf7SB1")).expect("a block");
    let header = &file[start..start + 20];
    let bytes: Vec<u8> = header.iter().copied().cycle().take(40 << 20).collect();
    let begun = std::time::Instant::now();
    assert!(damages(&read(&bytes, 1 << 20)) > 0);
    assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
}

/// Spans as a training step has them: some hundred names, three levels, times that differ as real ones do.
fn realistic(spans: u64) -> Vec<Record> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = move |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    let mut records = Vec::new();
    let mut now = 1_000_000_000_000;
    while (records.len() as u64) < spans {
        let step = now;
        for layer in 0..20 {
            let begin = now;
            for operator in 0..9 {
                now += 300 + random(900);
                let extent = 1_000 + operator * 700 + random(2_000);
                let name = 20 + operator as u32 * 7 + random(3) as u32;
                let category = Category::Operator;
                records.push(Record { kind: Kind::Span, category, aux: 2, name, at: now, extent, value: 0 });
                now += extent;
            }
            now += random(400);
            let category = if layer < 10 { Category::Forward } else { Category::Backward };
            let name = 100 + layer;
            records.push(Record { kind: Kind::Span, category, aux: 1, name, at: begin, extent: now - begin, value: 0 });
        }
        let value = records.len() as u64 / 181;
        let extent = now - step;
        records.push(Record { kind: Kind::Span, category: Category::Step, aux: 0, name: 1, at: step, extent, value });
    }
    records
}

/// The bound, for a file that is compressed as it is kept.
#[test]
fn a_span_takes_at_most_eight_bytes() {
    let records = realistic(200_000);
    let mut writer = Writer::new();
    records.iter().for_each(|record| writer.record(0, 1, *record));
    let file = writer.finish();
    let mut gzip = GzEncoder::new(Vec::new(), Compression::new(6));
    gzip.write_all(&file).expect("memory takes all");
    let packed = gzip.finish().expect("memory takes all").len();
    let per_span = |bytes: usize| bytes as f64 / records.len() as f64;
    println!("{:.2} bytes a span, {:.2} with gzip", per_span(file.len()), per_span(packed));
    assert!(per_span(packed) <= 8.0, "{} bytes a span with gzip", per_span(packed));
    assert!(per_span(file.len()) <= 8.0, "{} bytes a span", per_span(file.len()));
}
