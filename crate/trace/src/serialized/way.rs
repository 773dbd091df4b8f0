//! Conversion of values into bytes, and back.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use super::rows::SerializedRow;
use crate::column::Column;

/// Most bytes of a piece.
const PIECE: usize = 1 << 20;

/// Bytes of a column that are written at once.
const BATCH: usize = 1 << 14;

/// A conversion in either direction. No row is split between two pieces.
pub struct Way<'a>(Direction<'a>);

enum Direction<'a> {
    Out { hand: &'a mut dyn FnMut(&[u8]), piece: Vec<u8> },
    In { next: &'a mut dyn FnMut(&mut Vec<u8>) -> bool, piece: Vec<u8>, at: usize, is_whole: bool },
}

impl<'a> Way<'a> {
    /// Writes: passes on each piece.
    pub fn out(hand: &'a mut dyn FnMut(&[u8])) -> Self {
        Self(Direction::Out { hand, piece: Vec::with_capacity(PIECE) })
    }

    /// Reads: requests the next piece, until there is none.
    pub fn into(next: &'a mut dyn FnMut(&mut Vec<u8>) -> bool) -> Self {
        Self(Direction::In { next, piece: Vec::new(), at: 0, is_whole: true })
    }

    /// Whether values are being filled.
    pub fn is_in(&self) -> bool {
        matches!(self.0, Direction::In { .. })
    }

    /// Whether nothing is missing so far.
    pub fn is_whole(&self) -> bool {
        !matches!(self.0, Direction::In { is_whole: false, .. })
    }

    /// Passes on the last piece.
    pub fn end(self) {
        if let Direction::Out { hand, piece } = self.0
            && !piece.is_empty()
        {
            hand(&piece);
        }
    }

    /// One row.
    pub fn row<T: SerializedRow>(&mut self, row: &mut T) {
        match self.0 {
            Direction::Out { .. } => row.put(self.space(T::SIZE)),
            Direction::In { .. } => {
                if let Some(found) = self.found(T::SIZE, T::SIZE).chunks_exact(T::SIZE).next() {
                    *row = T::of(found);
                }
            }
        }
    }

    /// The number of following items, which is given when writing.
    pub(super) fn times(&mut self, times: usize) -> Range<usize> {
        let mut number = times as u64;
        self.row(&mut number);
        0..usize::try_from(number).unwrap_or_default()
    }

    /// All rows of a table, which is freed when writing.
    pub fn column<T: SerializedRow>(&mut self, rows: &mut Vec<T>) {
        let len = self.times(rows.len()).end;
        if let Direction::Out { .. } = self.0 {
            return self.rows_out(&std::mem::take(rows));
        }
        *rows = Vec::with_capacity(if self.is_whole() { len } else { 0 });
        self.rows_in(len, |row| rows.push(row));
    }

    /// All rows of a growing column, which are freed when writing.
    pub(super) fn growing<T: SerializedRow + Copy>(&mut self, rows: &mut Column<T>) {
        let len = self.times(rows.len()).end;
        if let Direction::Out { .. } = self.0 {
            return rows.take().for_each(|some| self.rows_out(&some));
        }
        *rows = Column::default();
        self.rows_in(len, |row| rows.push(row));
    }

    fn rows_out<T: SerializedRow>(&mut self, rows: &[T]) {
        for some in rows.chunks((BATCH / T::SIZE).max(1)) {
            let space = self.space(some.len() * T::SIZE).chunks_exact_mut(T::SIZE);
            some.iter().zip(space).for_each(|(row, place)| row.put(place));
        }
    }

    fn rows_in<T: SerializedRow>(&mut self, len: usize, mut take: impl FnMut(T)) {
        let mut left = len;
        while left > 0 && self.is_whole() {
            let found = self.found(T::SIZE, left * T::SIZE).chunks_exact(T::SIZE);
            left -= found.len();
            found.map(T::of).for_each(&mut take);
        }
    }

    /// Items without fixed size, one by one; `none` makes an item to be filled.
    pub fn list<T>(&mut self, items: &mut Vec<T>, none: fn() -> T, each: fn(&mut Self, &mut T)) {
        for index in self.times(items.len()) {
            if !self.is_whole() {
                return;
            }
            if self.is_in() {
                items.push(none());
            }
            if let Some(item) = items.get_mut(index) {
                each(self, item);
            }
        }
    }

    /// A text.
    pub fn text(&mut self, text: &mut String) {
        let mut bytes = std::mem::take(text).into_bytes();
        self.column(&mut bytes);
        if self.is_in() {
            *text = String::from_utf8(bytes).unwrap_or_default();
        }
    }

    /// A constant text of the program.
    pub(super) fn word(&mut self, word: &mut &'static str) {
        let mut text = (*word).to_owned();
        self.text(&mut text);
        if self.is_in() {
            *word = lasting(text);
        }
    }

    /// Space for bytes that must be in one piece.
    fn space(&mut self, len: usize) -> &mut [u8] {
        let Direction::Out { hand, piece } = &mut self.0 else { return &mut [] };
        if piece.len() + len > PIECE {
            hand(piece);
            piece.clear();
        }
        let begin = piece.len();
        piece.resize(begin + len, 0);
        &mut piece[begin..]
    }

    /// Bytes of some rows of a size, at most `most`; empty if they are missing.
    fn found(&mut self, size: usize, most: usize) -> &[u8] {
        let Direction::In { next, piece, at, is_whole } = &mut self.0 else { return &[] };
        if *at == piece.len() {
            piece.clear();
            *at = 0;
            *is_whole = *is_whole && next(piece);
        }
        let len = most.min((piece.len() - *at) / size * size);
        *is_whole = *is_whole && len > 0;
        let begin = *at;
        *at += len;
        &piece[begin..*at]
    }
}

/// Words from another instance of the program: they are constants there, so they are few.
static WORDS: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());

/// A constant text of the program, stored once and never freed.
fn lasting(word: String) -> &'static str {
    let mut words = WORDS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = words.iter().find(|known| **known == word) {
        return known;
    }
    let word: &'static str = word.leak();
    words.push(word);
    word
}
