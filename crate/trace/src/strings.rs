//! The trace's strings, each stored once.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use stepscope_format::secrets::{self, FoundSecrets};

use super::ids::NameId;

/// Size in bytes of a piece of text: the storage grows by such pieces.
const PIECE: usize = 1 << 18;

/// All strings of a trace; equal strings have equal handles.
#[derive(Clone, Debug, Default)]
pub struct Strings {
    /// By string: index of its piece, start and length.
    places: Vec<StringSpan>,
    pieces: Vec<Vec<u8>>,
    table: HashTable<u32>,
}

#[derive(Clone, Copy, Debug)]
struct StringSpan {
    piece: u32,
    start: u32,
    len: u32,
}

impl Strings {
    /// The handle of a string; added if it is new. Bytes that are not UTF-8 are replaced.
    #[inline]
    pub(super) fn intern(&mut self, text: &[u8]) -> NameId {
        let hash = hash(text);
        let found = self.table.find(hash, |index| equal(self.bytes(NameId(*index)), text));
        match found {
            Some(index) => NameId(*index),
            None => self.add(text, hash),
        }
    }

    #[cold]
    fn add(&mut self, text: &[u8], mut hash_of_text: u64) -> NameId {
        let repaired = String::from_utf8_lossy(text);
        if repaired.len() != text.len() || repaired.as_bytes() != text {
            hash_of_text = hash(repaired.as_bytes());
            if let Some(index) =
                self.table.find(hash_of_text, |index| self.bytes(NameId(*index)) == repaired.as_bytes())
            {
                return NameId(*index);
            }
        }
        let id = self.place(repaired.as_bytes());
        let Self { places, pieces, table } = self;
        table.insert_unique(hash_of_text, id.0, |index| hash(bytes_at(pieces, places[*index as usize])));
        id
    }

    /// Appends a text to the others.
    fn place(&mut self, text: &[u8]) -> NameId {
        let id = NameId::from_index(self.places.len());
        let fits = self.pieces.last().is_some_and(|piece| piece.len() + text.len() <= piece.capacity());
        if !fits {
            self.pieces.push(Vec::with_capacity(PIECE.max(text.len())));
        }
        let piece = self.pieces.len() - 1;
        let start = self.pieces[piece].len();
        self.pieces[piece].extend_from_slice(text);
        let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
        self.places.push(StringSpan { piece: number(piece), start: number(start), len: number(text.len()) });
        id
    }

    /// The string of a handle; empty for none.
    #[must_use]
    pub fn get(&self, id: NameId) -> &str {
        // Only UTF-8 is ever added.
        std::str::from_utf8(self.bytes(id)).unwrap_or_default()
    }

    /// The handle of a string, if the trace has it.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<NameId> {
        let found = self.table.find(hash(text.as_bytes()), |index| self.bytes(NameId(*index)) == text.as_bytes());
        found.map(|index| NameId(*index))
    }

    /// Masks secrets in all strings, with as many bytes. Two that become equal keep a handle each.
    pub(super) fn mask_secrets(&mut self, found: &mut FoundSecrets) {
        let before = found.count;
        for place in &self.places {
            if secrets::has(bytes_at(&self.pieces, *place)) {
                let (start, end) = (place.start as usize, (place.start + place.len) as usize);
                secrets::mask(&mut self.pieces[place.piece as usize][start..end], found);
            }
        }
        if found.count > before {
            self.table = HashTable::default();
            (0..self.places.len()).for_each(|index| self.index(NameId::from_index(index)));
        }
    }

    /// Adds the next string of a trace that was finished elsewhere: it has its own handle, even if it is equal to
    /// another one.
    pub(super) fn restore(&mut self, text: &[u8]) {
        let id = self.place(text);
        self.index(id);
    }

    /// Makes a string findable by its text, unless an equal one is.
    fn index(&mut self, id: NameId) {
        let Self { places, pieces, table } = self;
        let text = |index: u32| bytes_at(pieces, places[index as usize]);
        let own = text(id.0);
        if table.find(hash(own), |known| text(*known) == own).is_none() {
            table.insert_unique(hash(own), id.0, |index| hash(text(*index)));
        }
    }

    /// Number of strings.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are no strings.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The values of `of` for every string, by [`NameId::index`]: each string is visited once, however many slices have
    /// it.
    pub fn map<T>(&self, of: impl FnMut(&str) -> T) -> Vec<T> {
        (0..self.len()).map(|index| self.get(NameId::from_index(index))).map(of).collect()
    }

    /// Bytes in memory, with the tables.
    #[must_use]
    pub fn bytes_held(&self) -> usize {
        self.pieces.iter().map(Vec::capacity).sum::<usize>()
            + self.places.capacity() * size_of::<StringSpan>()
            + self.table.capacity() * (size_of::<u32>() + 1)
    }

    #[inline]
    fn bytes(&self, id: NameId) -> &[u8] {
        self.places.get(id.index()).map_or(&[], |place| bytes_at(&self.pieces, *place))
    }
}

#[inline]
fn bytes_at(pieces: &[Vec<u8>], place: StringSpan) -> &[u8] {
    &pieces[place.piece as usize][place.start as usize..(place.start + place.len) as usize]
}

/// Whether two strings are equal, eight bytes at a time.
///
/// WebAssembly has no instruction for it, and the `memcmp` that `==` calls there compares byte by byte.
#[inline]
fn equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let (a_words, a_rest) = a.as_chunks::<8>();
    let (b_words, b_rest) = b.as_chunks::<8>();
    let word = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes);
    if a_words.iter().zip(b_words).any(|(a, b)| word(a) != word(b)) {
        return false;
    }
    // The last eight bytes overlap the compared ones, which does no harm.
    match (a.last_chunk(), b.last_chunk()) {
        (Some(a), Some(b)) => word(a) == word(b),
        _ => a_rest.iter().zip(b_rest).all(|(a, b)| a == b),
    }
}

#[inline]
fn hash(text: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(text);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_strings_have_equal_handles() {
        let mut strings = Strings::default();
        let first = strings.intern(b"aten::add");
        let other = strings.intern("名".as_bytes());
        assert_eq!(strings.intern(b"aten::add"), first);
        assert_ne!(first, other);
        assert_eq!(strings.get(other), "名");
        assert_eq!(strings.find("aten::add"), Some(first));
        assert_eq!(strings.find("aten::mul"), None);
        assert_eq!(strings.get(NameId::NONE), "");
    }

    #[test]
    fn many_and_long_strings() {
        let mut strings = Strings::default();
        let long = vec![b'x'; 3 * PIECE];
        let long_id = strings.intern(&long);
        let ids: Vec<NameId> = (0..50_000).map(|n| strings.intern(format!("name {n}").as_bytes())).collect();
        assert_eq!(strings.len(), 50_001);
        assert_eq!(strings.get(ids[41_234]), "name 41234");
        assert_eq!(strings.get(long_id).len(), long.len());
    }

    #[test]
    fn strings_that_become_equal_keep_their_handles() {
        let mut strings = Strings::default();
        let ids = ["x --token first", "x --token other", "x"].map(|text| strings.intern(text.as_bytes()));
        let mut found = FoundSecrets::default();
        strings.mask_secrets(&mut found);
        assert_eq!(ids.map(|id| strings.get(id)), ["x --token *****", "x --token *****", "x"]);
        assert_eq!((strings.find("x --token *****"), strings.find("x --token first")), (Some(ids[0]), None));
        let mut restored = Strings::default();
        ids.iter().for_each(|id| restored.restore(strings.get(*id).as_bytes()));
        assert_eq!(format!("{restored:?}"), format!("{strings:?}"));
        assert_eq!(found.count, 2);
    }

    #[test]
    fn bytes_that_are_not_utf8_are_replaced_once() {
        let mut strings = Strings::default();
        let first = strings.intern(b"a\xffb");
        assert_eq!(strings.get(first), "a\u{fffd}b");
        assert_eq!(strings.intern(b"a\xffb"), first);
        assert_eq!(strings.intern("a\u{fffd}b".as_bytes()), first);
    }
}
