//! Raw recordings, made word by word after the documentation, whole and damaged.

use proptest::prelude::*;
use stepscope_format::raw::{
    HEADER_BYTES, HEADER_TAG, NAMES_TAG, OPEN_SPANS, RECORDS_TAG, Recording, SEGMENT_UNIT, Sink, facts_bytes, header,
    read, segment_capacity, segment_word,
};
use stepscope_format::{Category, Damage, Kind, Record};

#[derive(Debug, Default, PartialEq)]
struct RecordingContent {
    recording: Option<Recording>,
    names: Vec<(u32, String)>,
    records: Vec<Record>,
    damages: Vec<Damage>,
}

impl Sink for RecordingContent {
    fn recording(&mut self, recording: &Recording) {
        self.recording = Some(recording.clone());
    }

    fn name(&mut self, number: u32, text: &[u8]) {
        self.names.push((number, String::from_utf8_lossy(text).into_owned()));
    }

    fn record(&mut self, record: &Record, _position: u64) {
        self.records.push(*record);
    }

    fn damage(&mut self, damage: Damage) {
        self.damages.push(damage);
    }
}

fn found(bytes: &[u8]) -> RecordingContent {
    let mut found = RecordingContent::default();
    read(&mut &*bytes, &mut found, &mut |_| {}).expect("a recording");
    found
}

fn bytes(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn file_header() -> Vec<u64> {
    let mut words = vec![0; HEADER_BYTES / 8];
    words[0] = HEADER_TAG;
    words[header::VERSION] = 1 | (SEGMENT_UNIT as u64) << 32;
    words[header::PROCESS] = 7 | 3 << 32;
    words[header::BEGIN..header::BEGIN + 3].copy_from_slice(&[500, 500, 9_500]);
    let facts = facts_bytes(&[("command", "train"), ("RANK", "2")]);
    words[header::FACTS_LEN] = facts.len() as u64;
    for (word, chunk) in words[header::FACTS..].iter_mut().zip(facts.chunks(8)) {
        *word = chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    }
    words
}

fn segment(tag: u64, sequence: u64, thread: u64, open: &[Record], records: &[Record]) -> Vec<u64> {
    let mut words = vec![0; SEGMENT_UNIT / 8];
    words[0] = tag;
    words[segment_word::SEQUENCE] = sequence;
    words[segment_word::THREAD] = thread;
    words[segment_word::OPEN] = open.len() as u64;
    words[segment_word::COMMITTED] = records.len() as u64;
    for (index, record) in open.iter().enumerate() {
        words[segment_word::BODY + index * 4..][..4].copy_from_slice(&record.words());
    }
    for (index, record) in records.iter().enumerate() {
        words[segment_word::RECORDS + index * 4..][..4].copy_from_slice(&record.words());
    }
    words
}

fn names(sequence: u64, names: &[(u32, &str)]) -> Vec<u64> {
    let mut words = segment(NAMES_TAG, sequence, 0, &[], &[]);
    let mut at = segment_word::BODY;
    for (number, name) in names {
        words[at] = u64::from(*number) | (name.len() as u64) << 32;
        for (word, chunk) in words[at + 1..].iter_mut().zip(name.as_bytes().chunks(8)) {
            *word = chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        }
        at += 1 + name.len().div_ceil(8);
    }
    words[segment_word::COMMITTED] = ((at - segment_word::BODY) * 8) as u64;
    words
}

fn span(name: u32, depth: u16, at: u64, extent: u64) -> Record {
    Record { kind: Kind::Span, category: Category::General, aux: depth, name, at, extent, value: 0 }
}

fn thread(serial: u64, id: u64) -> Record {
    Record { kind: Kind::Thread, category: Category::General, aux: 0, name: 0, at: 0, extent: id, value: serial }
}

/// Two threads; the first one continued in a second segment and was killed inside of two spans.
fn recording() -> Vec<u8> {
    let outer = span(1, 0, 1_000, 0);
    let words = [
        file_header(),
        segment(RECORDS_TAG, 1, 1, &[outer], &[thread(1, 7), span(2, 1, 1_100, 50)]),
        vec![0; SEGMENT_UNIT / 8],
        names(2, &[(1, "outer"), (2, "inner one"), (3, "")]),
        segment(RECORDS_TAG, 4, 1, &[outer, span(2, 1, 1_300, 0)], &[thread(1, 7), span(2, 1, 1_200, 50)]),
        segment(RECORDS_TAG, 3, 2, &[], &[thread(2, 8), span(1, 0, 1_000, 900)]),
    ];
    bytes(&words.concat())
}

#[test]
fn open_spans_are_those_of_the_newest_segment() {
    let found = found(&recording());
    let recording = found.recording.expect("a header");
    assert_eq!((recording.process, recording.parent, recording.closed, recording.unix_offset()), (7, 3, false, 9_000));
    assert_eq!(
        (recording.fact("command"), recording.fact("RANK"), recording.fact("x")),
        (Some("train"), Some("2"), None)
    );
    assert_eq!(found.names, [(1, "outer".into()), (2, "inner one".into()), (3, String::new())]);
    let open = |name, depth, at, extent| Record { kind: Kind::Open, ..span(name, depth, at, extent) };
    assert_eq!(
        found.records,
        [
            thread(1, 7),
            span(2, 1, 1_100, 50),
            thread(2, 8),
            span(1, 0, 1_000, 900),
            thread(1, 7),
            span(2, 1, 1_200, 50),
            thread(1, 7),
            open(1, 0, 1_000, 900),
            open(2, 1, 1_300, 600),
        ]
    );
    assert_eq!(found.damages, []);
}

#[test]
fn a_span_whose_record_is_there_is_not_open() {
    let twins = [span(1, 0, 10, 0), span(1, 1, 10, 0)];
    let words = [file_header(), segment(RECORDS_TAG, 1, 1, &twins, &[thread(1, 7), span(1, 1, 10, 0)])];
    let found = found(&bytes(&words.concat()));
    assert_eq!(found.records[2..], [thread(1, 7), Record { kind: Kind::Open, ..twins[0] }]);
}

#[test]
fn a_span_is_open_until_the_recording_is_closed() {
    let mut head = file_header();
    head[header::END..header::END + 3].copy_from_slice(&[900, 900, 9_900]);
    let words =
        |head: &[u64]| bytes(&[head, &segment(RECORDS_TAG, 1, 1, &[span(1, 0, 10, 0)], &[thread(1, 7)])].concat());
    let open = |extent| Record { kind: Kind::Open, ..span(1, 0, 10, extent) };
    assert_eq!(found(&words(&head)).records.last(), Some(&open(0)), "not closed");
    head[header::CLOSED] = 1;
    assert_eq!(found(&words(&head)).records.last(), Some(&open(890)));
}

#[test]
fn a_counter_is_read_as_nanoseconds() {
    let mut head = file_header();
    head[header::CLOCK] = 2_000_000_000;
    let activity = |at, extent| Record { kind: Kind::Activity, category: Category::Kernel, ..span(1, 0, at, extent) };
    let detail = Record { kind: Kind::Detail, ..span(1, 1, 700, 100) };
    let records = [thread(1, 7), span(1, 0, 700, 100), activity(700, 300), detail];
    let words = [head, segment(RECORDS_TAG, 1, 1, &[], &records)];
    let found = found(&bytes(&words.concat()));
    assert_eq!(found.records[1..], [span(1, 0, 600, 50), activity(600, 150), detail], "a detail has no times");
}

/// A damaged time would make open spans last for years: its record is left out, with any clock.
#[test]
fn times_that_no_clock_can_have_told_are_damage() {
    let (far, long) = (span(1, 0, 1 << 63, 0), span(1, 0, 5, u64::MAX));
    let told = |clock| {
        let mut head = file_header();
        head[header::CLOCK] = clock;
        let open = [span(1, 0, 600, 0), far];
        let words = [head, segment(RECORDS_TAG, 1, 1, &open, &[thread(1, 7), far, span(2, 1, 700, 50), long])];
        let found = found(&bytes(&words.concat()));
        let damages: Vec<&str> = found.damages.iter().map(|damage| damage.what).collect();
        assert_eq!(damages, ["expected a record", "expected a record", "expected an open span"]);
        found.records
    };
    let open = |at, extent| Record { kind: Kind::Open, ..span(1, 0, at, extent) };
    assert_eq!(told(0), [thread(1, 7), span(2, 1, 700, 50), thread(1, 7), open(600, 150)]);
    // A counter's ticks, of half a nanosecond and of two: the latter have times beyond 64 bits.
    let first = |at| Record { at, ..thread(1, 7) };
    assert_eq!(told(2_000_000_000), [first(250), span(2, 1, 600, 25), first(250), open(550, 75)]);
    assert_eq!(told(500_000_000), [first(0), span(2, 1, 900, 100), first(0), open(700, 300)]);
}

#[test]
fn what_is_no_recording_is_refused() {
    let refused =
        |bytes: &[u8]| read(&mut &*bytes, &mut RecordingContent::default(), &mut |_| {}).expect_err("no recording").1;
    assert!(refused(b"").contains("expected the header"));
    let mut bytes = recording();
    assert!(refused(&bytes[..4_095]).contains("expected the header"));
    bytes[8] = 2;
    assert_eq!(refused(&bytes), "at byte 8: expected version 1 of raw recordings");
    (bytes[8], bytes[12]) = (1, 1);
    assert_eq!(refused(&bytes), "at byte 8: expected a segment's size: 16 KiB to 64 MiB");
}

#[test]
fn a_cut_recording_gives_what_is_there() {
    let whole = recording();
    let cut = found(&whole[..whole.len() - SEGMENT_UNIT + segment_word::RECORDS * 8 + 40]);
    assert_eq!(cut.records.len(), found(&whole).records.len() - 1);
    assert_eq!(cut.damages.len(), 1);
}

#[test]
fn sizes_are_what_they_say() {
    assert_eq!(segment_capacity(1 << 20), 32_512);
    assert_eq!(segment_capacity(0), 0);
    assert_eq!(OPEN_SPANS, 252);
}

proptest! {
    #[test]
    fn any_damage_is_survived(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..200), cut: prop::sample::Index, in_heads: bool) {
        let mut bytes = recording();
        for (at, byte) in changes {
            // Most of a segment is empty: damage matters in its head.
            let at = if in_heads {
                let place = at.index(6 * 128);
                if place < 128 { place } else { HEADER_BYTES + (place / 128 - 1) * SEGMENT_UNIT + place % 128 }
            } else {
                at.index(bytes.len())
            };
            bytes[at] = byte;
        }
        bytes.truncate(cut.index(bytes.len() * 2));
        let mut found = RecordingContent::default();
        if let Err((Some(damage), _)) = read(&mut &*bytes, &mut found, &mut |_| {}) {
            prop_assert!(damage.position <= 4_096);
        }
        for damage in &found.damages {
            prop_assert!(damage.position <= bytes.len() as u64);
        }
        prop_assert!(found.records.len() < bytes.len() / 8 + 64);
    }
}
