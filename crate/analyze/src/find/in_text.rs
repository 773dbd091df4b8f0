//! Search for a text in the file itself, also in parts that the model does not keep.

use std::ops::Range;

use memchr::memmem::Finder;

use super::starts::Starts;
use stepscope_trace::{EventId, InputFile, Trace};

/// Searches for a text in the events of a trace's files. The files' texts are read once more, in chunks of any size.
///
/// Letters A to Z match in either case. Other characters are also found where JSON escapes them. An event is found if
/// the text is anywhere between its braces: in its arguments, its name, or across a key and its value.
///
/// ```
/// use stepscope::{Loader, analyze::FindInText};
///
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"cpu_op","name":"load","pid":1,"tid":1,"ts":0,"dur":4,"args":{"file":"Train/0.bin"}},
///   {"ph":"X","cat":"cpu_op","name":"load","pid":1,"tid":1,"ts":5,"dur":9,"args":{"file":"test/0.bin"}}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let mut search = FindInText::new(&trace, "train/");
/// while !search.prepare(&trace, 1_000_000) {}
/// search.begin(&trace.meta.inputs[0]);
/// text.chunks(7).for_each(|chunk| search.push(&trace, chunk));
/// assert!(search.end());
/// assert_eq!(search.hits().len(), 1);
/// # Ok::<(), stepscope::Error>(())
/// ```
#[derive(Debug)]
pub struct FindInText {
    /// The text that is searched for, in lower case: plain, and as JSON escapes it.
    needles: Vec<Finder<'static>>,
    starts: Starts,
    /// Pushed text, in lower case, from a position on: as much as a needle may extend across the next border.
    buffer: Vec<u8>,
    at: u64,
    /// The event around the buffer's first byte: its start, and the state of its object there.
    open: Option<(u64, Object)>,
    /// One bit per slice.
    found: Vec<u64>,
    /// Whether any event of the file was examined, and whether any of those is an object.
    looked: bool,
    has_objects: bool,
}

impl FindInText {
    /// A search for a text; an empty text is never found.
    #[must_use]
    pub fn new(trace: &Trace, text: &str) -> Self {
        Self {
            needles: needles(text),
            starts: Starts::new(trace),
            buffer: Vec::new(),
            at: 0,
            open: None,
            found: vec![0; trace.slices.len().div_ceil(64)],
            looked: false,
            has_objects: false,
        }
    }

    /// Indexes the starts of that many more events. Returns whether all is ready: to be called until then, before
    /// anything is pushed.
    pub fn prepare(&mut self, trace: &Trace, rows: usize) -> bool {
        self.starts.prepare(trace, rows)
    }

    /// Starts a file's text.
    pub fn begin(&mut self, file: &InputFile) {
        self.buffer.clear();
        self.at = file.start;
        self.open = None;
        (self.looked, self.has_objects) = (false, false);
    }

    /// Adds the next part of the file's text.
    pub fn push(&mut self, trace: &Trace, chunk: &[u8]) {
        let from = self.buffer.len();
        self.buffer.extend_from_slice(chunk);
        self.buffer[from..].make_ascii_lowercase();
        for needle in 0..self.needles.len() {
            self.search(trace, needle);
        }
        let kept = self.needles.iter().map(|needle| needle.needle().len()).max().unwrap_or(1) - 1;
        let done = self.buffer.len().saturating_sub(kept);
        self.open = self.event_around(trace, done);
        self.buffer.drain(..done);
        self.at += done as u64;
    }

    /// Ends the file's text. Returns whether its events were examined. They cannot be where they are no JSON objects,
    /// as in databases.
    #[must_use]
    pub fn end(&mut self) -> bool {
        self.has_objects || !self.looked
    }

    /// Adds events to the hits.
    pub fn include(&mut self, hits: &[EventId]) {
        hits.iter().for_each(|id| self.found[id.index() / 64] |= 1 << (id.index() % 64));
    }

    /// The slices whose events contain the text, sorted by handle.
    #[must_use]
    pub fn hits(&self) -> Vec<EventId> {
        let bits = |(word, bits): (usize, &u64)| {
            let bits = *bits;
            (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| EventId::from_index(word * 64 + bit))
        };
        self.found.iter().enumerate().filter(|(_, bits)| **bits != 0).flat_map(bits).collect()
    }

    fn search(&mut self, trace: &Trace, needle: usize) {
        let end = self.at + self.buffer.len() as u64;
        let mut from = 0;
        while let Some(hit) = self.needles[needle].find(&self.buffer[from..]) {
            let hit = from + hit;
            if let Some(position) = self.event_at(trace, hit) {
                for id in self.starts.at(trace, position) {
                    self.found[id.index() / 64] |= 1 << (id.index() % 64);
                }
            }
            // Until the next event begins, the text belongs to this one or to none.
            let Some(next) = self.starts.first_in(trace, self.at + hit as u64 + 1..end) else { break };
            from = self.offset(next);
        }
    }

    /// The offset in the buffer of a position that is inside it.
    fn offset(&self, position: u64) -> usize {
        usize::try_from(position - self.at).unwrap_or(usize::MAX).min(self.buffer.len())
    }

    /// The start of the event whose object has the byte at a place of the buffer.
    fn event_at(&mut self, trace: &Trace, place: usize) -> Option<u64> {
        let position = self.at + place as u64;
        let begins = self.buffer[place] == b'{' && !self.starts.at(trace, position).is_empty();
        if begins { Some(position) } else { self.event_around(trace, place).map(|(position, _)| position) }
    }

    /// The event whose object is open before a place of the buffer: its start, and the state of its object there.
    fn event_around(&mut self, trace: &Trace, place: usize) -> Option<(u64, Object)> {
        let range = |from: u64| from..self.at + place as u64;
        let (position, mut object, behind) = match self.starts.last_in(trace, range(self.at)) {
            Some(position) => (position, Object::default(), self.offset(position)..place),
            None => {
                let (position, object) = self.open?;
                (position, object, 0..place)
            }
        };
        self.open_in(&mut object, behind).then_some((position, object))
    }

    fn open_in(&mut self, object: &mut Object, part: Range<usize>) -> bool {
        let text = &self.buffer[part];
        if object.depth == 0 {
            self.looked = true;
            self.has_objects |= text.first() == Some(&b'{');
        }
        object.is_open_behind(text)
    }
}

/// The state of a JSON object at a place.
#[derive(Clone, Copy, Debug, Default)]
struct Object {
    depth: u32,
    in_string: bool,
    is_escaped: bool,
}

impl Object {
    /// Advances by some text; whether the object is still open after it.
    fn is_open_behind(&mut self, text: &[u8]) -> bool {
        for byte in text {
            if self.in_string {
                let is_escaped = std::mem::take(&mut self.is_escaped);
                match byte {
                    b'"' if !is_escaped => self.in_string = false,
                    b'\\' => self.is_escaped = !is_escaped,
                    _ => {}
                }
                continue;
            }
            match byte {
                b'"' => self.in_string = true,
                b'{' => self.depth += 1,
                b'}' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            if self.depth == 0 {
                return false;
            }
        }
        self.depth > 0
    }
}

/// The text that is searched for, in lower case: plain, as JSON must escape it, and as it may.
fn needles(text: &str) -> Vec<Finder<'static>> {
    let mut plain = String::new();
    let mut escaped = String::new();
    for character in text.chars() {
        let short = match character {
            '"' => "\\\"",
            '\\' => "\\\\",
            '\n' => "\\n",
            '\t' => "\\t",
            '\r' => "\\r",
            _ => "",
        };
        if !short.is_empty() {
            plain.push_str(short);
            escaped.push_str(short);
            continue;
        }
        plain.push(character);
        if character.is_ascii() {
            escaped.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            escaped.push_str("\\u");
            let digit = |shift: u16| char::from_digit(u32::from(*unit >> shift & 15), 16).unwrap_or('0');
            escaped.extend([12, 8, 4, 0].map(digit));
        }
    }
    // As a part of JSON's own text, such as `"stream": 7`.
    let mut all = vec![text.to_owned(), plain, escaped];
    for text in &mut all {
        text.make_ascii_lowercase();
    }
    all.dedup();
    all.into_iter().filter(|text| !text.is_empty()).map(|text| Finder::new(text.as_bytes()).into_owned()).collect()
}

#[cfg(test)]
mod tests;
