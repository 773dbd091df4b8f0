//! Segments and records of raw recordings.

use stepscope_format::Record;
use stepscope_format::raw::{HEADER_BYTES, SEGMENT_UNIT, segment_word};
use stepscope_tests::oracle::Mutations;

use super::compact::absurd;

/// Words of a segment's or the file's head, mostly numbers and clocks.
const HEAD_WORDS: usize = 16;

pub(super) fn damaged(damage: &mut Mutations, file: &[u8], other: &[u8]) -> Vec<u8> {
    let (Some((header, rest)), Some((_, others))) =
        (file.split_at_checked(HEADER_BYTES), other.split_at_checked(HEADER_BYTES))
    else {
        return file.to_vec();
    };
    let mut header = header.to_vec();
    let [mut segments, others] =
        [rest, others].map(|rest| rest.chunks(SEGMENT_UNIT).map(<[u8]>::to_vec).collect::<Vec<_>>());
    if damage.percent(30) {
        damage.rearrange(&mut segments, &others);
    }
    for segment in &mut segments {
        if damage.percent(40) {
            records(damage, segment, &others);
        }
        if damage.percent(15) {
            word(damage, segment);
        }
    }
    if damage.percent(30) {
        word(damage, &mut header);
    }
    [header, segments.concat()].concat()
}

/// Changes a number of a head.
fn word(damage: &mut Mutations, bytes: &mut [u8]) {
    let at = 1 + damage.place(HEAD_WORDS - 1);
    let number = damage.telling_number();
    bytes.chunks_exact_mut(8).skip(at).take(1).for_each(|word| word.copy_from_slice(&number.to_le_bytes()));
}

/// Puts a segment's records in another order, with absurd numbers, or changes its open spans.
fn records(damage: &mut Mutations, segment: &mut [u8], others: &[Vec<u8>]) {
    let of_spans = damage.percent(30);
    let (from, counted) = if of_spans {
        (segment_word::BODY, segment_word::OPEN)
    } else {
        (segment_word::RECORDS, segment_word::COMMITTED)
    };
    let others = others.get(damage.place(others.len())).map(|other| of(other, from, counted)).unwrap_or_default();
    let mut records = of(segment, from, counted);
    if damage.percent(60) {
        damage.rearrange(&mut records, &others);
    }
    for _ in 0..damage.place(3) {
        let at = damage.place(records.len());
        for words in records.iter_mut().skip(at).take(1) {
            if let Some(mut record) = Record::of_words(*words) {
                absurd(damage, &mut record);
                *words = record.words();
            }
        }
    }
    let place = segment.get_mut(from * 8..).unwrap_or_default();
    let written = place.chunks_exact_mut(Record::BYTES).zip(&records);
    let count =
        written.map(|(place, words)| place.copy_from_slice(words.map(u64::to_le_bytes).as_flattened())).count() as u64;
    if let Some(place) = segment.get_mut(counted * 8..).and_then(<[u8]>::first_chunk_mut) {
        *place = count.to_le_bytes();
    }
}

/// The records from a word on; their number is in another word.
fn of(segment: &[u8], from: usize, counted: usize) -> Vec<[u64; 4]> {
    let words: Vec<u64> = segment.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
    let count = words.get(counted).map_or(0, |count| usize::try_from(*count).unwrap_or_default());
    words.get(from..).unwrap_or_default().as_chunks().0.iter().take(count).copied().collect()
}
