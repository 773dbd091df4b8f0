//! The keys of objects: the wanted ones, and a guess of the next key.
//!
//! A profiler writes the same keys in the same order with the same spaces, event after event. So each key remembers
//! the text between its value and the next one (`, "tid": `), and a comparison of those few bytes replaces tokenizing
//! them. A wrong guess costs a comparison and is replaced.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Bytes that may be read beyond a position: the scanner's buffer has as much padding.
pub(super) const LONGEST: usize = 64;

/// A wanted key: its index in the list for [`Keys::new`].
pub type Key = u16;

/// The most wanted keys: a word has one bit for each key that an object has.
pub(super) const MOST_WANTED: usize = 64;

/// The [`Key`] of all other keys.
pub(super) const UNWANTED: Key = Key::MAX;

/// The index of a key in the table.
pub(super) type Node = u16;

/// The node before an object's first key if nothing is known about that object.
pub(super) const ROOT: Node = 0;

/// Further keys get no node of their own: real traces have a few dozen.
const MOST_NODES: usize = 4096;

/// The most first keys of objects that are kept.
const MOST_FIRST: usize = 16;

/// The wanted keys of objects, and the order of keys seen so far.
#[derive(Debug)]
pub struct Keys {
    nodes: Vec<Places>,
    by_name: HashMap<Box<[u8]>, Node, FxBuildHasher>,
    /// First keys of the list's objects, in the order in which they first occurred.
    first: Vec<Box<[u8]>>,
}

/// The guesses for one key.
#[derive(Debug, Default)]
struct Places {
    wanted: Key,
    after: Guesses,
    inside: Guesses,
}

/// The position of the tokenizer relative to a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyContext {
    /// After the key's value.
    After(Node),
    /// After the opening brace of the key's value.
    Inside(Node),
}

#[derive(Debug, Default)]
struct Guesses([Guess; 2]);

/// The expected text between a position and the next value.
#[derive(Clone, Copy, Debug, Default)]
struct Guess {
    words: [u64; LONGEST / 8],
    /// The bits of the first words that are compared: most guesses end within these.
    first: [u64; 2],
    /// The number of bytes that are compared; zero for no guess.
    len: u8,
    node: Node,
}

impl Keys {
    /// A table that wants the given keys, at most 64; each one's [`Key`] is its index.
    #[must_use]
    pub fn new(wanted: &[&'static str]) -> Self {
        debug_assert!(wanted.len() <= MOST_WANTED, "one bit per key");
        let mut keys = Self { nodes: Vec::new(), by_name: HashMap::default(), first: Vec::new() };
        keys.nodes.push(Places { wanted: UNWANTED, ..Places::default() });
        for (index, name) in wanted.iter().take(MOST_WANTED).enumerate() {
            keys.add(name.as_bytes(), Key::try_from(index).unwrap_or(UNWANTED));
        }
        keys
    }

    fn add(&mut self, name: &[u8], wanted: Key) -> Node {
        let node = Node::try_from(self.nodes.len()).unwrap_or(ROOT);
        self.nodes.push(Places { wanted, ..Places::default() });
        self.by_name.insert(name.into(), node);
        node
    }

    /// Whether a key is a wanted one.
    pub(super) fn wants(&self, name: &[u8]) -> bool {
        self.by_name.get(name).is_some_and(|node| self.wanted(*node) != UNWANTED)
    }

    /// Whether an object of the list began with this key; before the first object, whether the key is wanted.
    ///
    /// This does not depend on which objects came last, so that shards of a list can be read independently.
    pub(super) fn begins_objects(&self, name: &[u8]) -> bool {
        if self.first.is_empty() { self.wants(name) } else { self.first.iter().any(|first| **first == *name) }
    }

    /// Adds the first key of an object of the list.
    pub(super) fn note_first(&mut self, name: &[u8]) {
        if self.first.len() < MOST_FIRST && !self.first.iter().any(|first| **first == *name) {
            self.first.push(name.into());
        }
    }

    /// The first keys of objects so far.
    pub(super) fn first_mut(&mut self) -> &mut Vec<Box<[u8]>> {
        &mut self.first
    }

    /// The node of a key that was read in full.
    pub(super) fn look_up(&mut self, name: &[u8]) -> Node {
        match self.by_name.get(name) {
            Some(node) => *node,
            None if self.nodes.len() < MOST_NODES => self.add(name, UNWANTED),
            None => ROOT,
        }
    }

    /// The wanted key of a node, or [`UNWANTED`].
    #[inline]
    pub(super) fn wanted(&self, node: Node) -> Key {
        self.nodes[usize::from(node)].wanted
    }

    /// Compares the text ahead with the text that followed this position before. Returns the key, and the number of
    /// bytes up to the key's value.
    #[inline]
    pub(super) fn guess(&self, place: KeyContext, ahead: &[u8; LONGEST]) -> Option<(Node, usize)> {
        let guesses = self.guesses(place);
        if guesses.0[0].matches(ahead) {
            return Some((guesses.0[0].node, usize::from(guesses.0[0].len)));
        }
        guesses.0[1].matches(ahead).then(|| (guesses.0[1].node, usize::from(guesses.0[1].len)))
    }

    /// Keeps the text between a position and the next value.
    pub(super) fn learn(&mut self, place: KeyContext, between: &[u8], node: Node) {
        if between.len() > LONGEST || node == ROOT {
            return;
        }
        let len = u8::try_from(between.len()).unwrap_or_default();
        let mut guess = Guess {
            len,
            first: [mask(between.len()), mask(between.len().saturating_sub(8))],
            node,
            ..Guess::default()
        };
        for (word, bytes) in guess.words.iter_mut().zip(between.chunks(8)) {
            let mut eight = [0; 8];
            eight[..bytes.len()].copy_from_slice(bytes);
            *word = u64::from_le_bytes(eight);
        }
        let guesses = match place {
            KeyContext::After(at) => &mut self.nodes[usize::from(at)].after,
            KeyContext::Inside(at) => &mut self.nodes[usize::from(at)].inside,
        };
        guesses.0[1] = guesses.0[0];
        guesses.0[0] = guess;
    }

    #[inline]
    fn guesses(&self, place: KeyContext) -> &Guesses {
        match place {
            KeyContext::After(node) => &self.nodes[usize::from(node)].after,
            KeyContext::Inside(node) => &self.nodes[usize::from(node)].inside,
        }
    }
}

impl Guess {
    #[inline]
    fn matches(&self, ahead: &[u8; LONGEST]) -> bool {
        let (words, _) = ahead.as_chunks::<8>();
        let differs = |index: usize| u64::from_le_bytes(words[index]) ^ self.words[index];
        let different = differs(0) & self.first[0] | differs(1) & self.first[1];
        different == 0 && self.len > 0 && (self.len <= 16 || self.rest_matches(ahead))
    }

    /// Compares the words after the first two.
    fn rest_matches(&self, ahead: &[u8; LONGEST]) -> bool {
        let (words, _) = ahead.as_chunks::<8>();
        let len = usize::from(self.len);
        let mut pairs = words.iter().zip(&self.words).enumerate().skip(2);
        pairs.all(|(index, (word, expected))| {
            (u64::from_le_bytes(*word) ^ expected) & mask(len.saturating_sub(8 * index)) == 0
        })
    }
}

/// The mask for the first `bytes` bytes of a word; all bits for eight or more.
fn mask(bytes: usize) -> u64 {
    if bytes >= 8 { u64::MAX } else { (1 << (8 * bytes)) - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ahead(text: &str) -> [u8; LONGEST] {
        let mut bytes = [0; LONGEST];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        bytes
    }

    #[test]
    fn a_guess_is_right_only_if_every_byte_is() {
        let mut keys = Keys::new(&["pid", "tid"]);
        let (pid, tid) = (keys.look_up(b"pid"), keys.look_up(b"tid"));
        let place = KeyContext::After(pid);
        assert_eq!(keys.guess(place, &ahead(", \"tid\": 7")), None, "nothing is known yet");
        keys.learn(place, b", \"tid\": ", tid);
        assert_eq!(keys.guess(place, &ahead(", \"tid\": 7")), Some((tid, 9)));
        for other in [", \"tie\": 7", ",\"tid\": 7", ", \"tid\" :7", ", \"tid\":"] {
            assert_eq!(keys.guess(place, &ahead(other)), None, "{other}");
        }
        assert_eq!(keys.guess(KeyContext::Inside(pid), &ahead(", \"tid\": 7")), None, "another place");
        assert_eq!(keys.wanted(tid), 1);
    }

    #[test]
    fn the_last_two_guesses_are_kept() {
        let mut keys = Keys::new(&["a", "b", "c"]);
        let nodes = ["a", "b", "c"].map(|name| keys.look_up(name.as_bytes()));
        for (name, node) in ["a", "b", "c"].iter().zip(nodes) {
            keys.learn(KeyContext::Inside(ROOT), format!("{{\"{name}\":").as_bytes(), node);
        }
        let guess = |name: &str| keys.guess(KeyContext::Inside(ROOT), &ahead(&format!("{{\"{name}\":")));
        assert_eq!([guess("a"), guess("b"), guess("c")], [None, Some((nodes[1], 5)), Some((nodes[2], 5))]);
    }

    #[test]
    fn too_many_keys_share_the_node_of_none() {
        let mut keys = Keys::new(&["wanted"]);
        for index in 0..2 * MOST_NODES {
            keys.look_up(format!("key {index}").as_bytes());
        }
        let late = keys.look_up(b"one more");
        assert_eq!((late, keys.wanted(late)), (ROOT, UNWANTED));
        let known = keys.look_up(b"wanted");
        assert_eq!(keys.wanted(known), 0);
    }
}
