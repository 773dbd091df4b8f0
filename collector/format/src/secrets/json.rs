//! Masks streamed JSON, whole or damaged, without keeping its text.

use super::arguments::{Sequence, mask_one};
use super::editor::{Editor, MASK};
use super::names::{self, Kind, kind};
use super::text::{self, Escapes};

/// A string that is longer is masked in parts.
const LONGEST: usize = 1 << 20;

/// Bytes of a part that are examined together with the next one.
const KEPT: usize = 64 << 10;

/// Deeper levels are not distinguished.
const DEEPEST: usize = 512;

/// Outside of strings, words that are shorter are no secret: `true`, numbers.
const SHORT: usize = 9;

/// Masks the secrets of a JSON text that comes in pieces of any size.
///
/// ```
/// use stepscope_format::secrets::{FoundSecrets, JsonMask};
///
/// let (mut mask, mut found, mut out) = (JsonMask::default(), FoundSecrets::default(), Vec::new());
/// for piece in [&b"{\"env\": {\"API_KE"[..], b"Y\": \"no", b"body\"}}"] {
///     mask.push(piece, &mut out, &mut found);
/// }
/// mask.finish(&mut out, &mut found);
/// assert_eq!(out, br#"{"env": {"API_KEY": "******"}}"#);
/// assert_eq!(found.list(), "API_KEY");
/// ```
#[derive(Debug, Default)]
pub struct JsonMask {
    state: State,
    /// The string or word at hand.
    buffer: Vec<u8>,
    /// Reused: only the first `depth` count.
    levels: Vec<Level>,
    depth: usize,
    /// Levels beyond the deepest.
    beyond: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Outside,
    Inside,
    /// After a backslash in a string.
    Escape,
}

/// An object or a list.
#[derive(Debug, Default)]
struct Level {
    is_object: bool,
    /// Whether what comes is a value.
    after_colon: bool,
    key: Vec<u8>,
    /// Kind of secret by the key, or by the key around it.
    secret: Option<Kind>,
    around: Option<(Vec<u8>, Kind)>,
    /// `{"name": "API_KEY", "value": …}`: the name.
    named: Option<(Vec<u8>, Kind)>,
    sequence: Sequence,
}

impl JsonMask {
    /// Masks all that is left of a text.
    pub(super) fn whole(mut self, text: &[u8], editor: &mut dyn Editor) -> Vec<u8> {
        let mut out = Vec::with_capacity(text.len());
        self.push(text, &mut out, editor);
        self.finish(&mut out, editor);
        out
    }

    /// For the value of a member.
    #[must_use]
    pub fn under(key: &str) -> Self {
        let mut mask = Self::default();
        mask.open(true);
        mask.levels[0].set_key(key.as_bytes());
        mask.levels[0].after_colon = true;
        mask
    }

    /// Takes the next piece, and puts out what is finished: as many bytes as come, a little later, unless the editor changes
    /// strings.
    pub fn push(&mut self, piece: &[u8], out: &mut Vec<u8>, editor: &mut dyn Editor) {
        let mut rest = piece;
        while !rest.is_empty() {
            rest = match self.state {
                State::Outside => self.outside(rest, out, editor),
                State::Inside => self.inside(rest, out, editor),
                State::Escape => {
                    self.buffer.push(rest[0]);
                    self.state = State::Inside;
                    &rest[1..]
                }
            };
        }
    }

    /// Puts out what is left.
    pub fn finish(&mut self, out: &mut Vec<u8>, editor: &mut dyn Editor) {
        match self.state {
            State::Outside => self.word(out, editor),
            State::Inside | State::Escape => self.string(out, editor),
        }
        self.state = State::Outside;
    }

    fn outside<'p>(&mut self, piece: &'p [u8], out: &mut Vec<u8>, editor: &mut dyn Editor) -> &'p [u8] {
        let is_end =
            |byte: &u8| matches!(byte, b'"' | b'{' | b'}' | b'[' | b']' | b',' | b':') || byte.is_ascii_whitespace();
        let len = piece.iter().position(is_end).unwrap_or(piece.len());
        self.buffer.extend_from_slice(&piece[..len]);
        if self.buffer.len() > LONGEST {
            self.word(out, editor);
        }
        let Some(end) = piece.get(len) else { return &[] };
        self.word(out, editor);
        out.push(*end);
        match end {
            b'"' => self.state = State::Inside,
            b'{' => self.open(true),
            b'[' => self.open(false),
            b'}' | b']' => self.close(),
            b',' => {
                if let Some(level) = self.level() {
                    level.after_colon = false;
                }
            }
            b':' => {
                if let Some(level) = self.level() {
                    level.after_colon = true;
                }
            }
            _ => {}
        }
        &piece[len + 1..]
    }

    fn inside<'p>(&mut self, piece: &'p [u8], out: &mut Vec<u8>, editor: &mut dyn Editor) -> &'p [u8] {
        let len = piece.iter().position(|byte| matches!(byte, b'"' | b'\\')).unwrap_or(piece.len());
        self.buffer.extend_from_slice(&piece[..len]);
        if self.buffer.len() > LONGEST {
            self.part(out, editor);
        }
        match piece.get(len) {
            None => return &[],
            Some(b'"') => {
                self.string(out, editor);
                out.push(b'"');
                self.state = State::Outside;
            }
            Some(other) => {
                self.buffer.push(*other);
                self.state = State::Escape;
            }
        }
        &piece[len + 1..]
    }

    fn level(&mut self) -> Option<&mut Level> {
        self.depth.checked_sub(1).and_then(|index| self.levels.get_mut(index))
    }

    fn open(&mut self, is_object: bool) {
        if self.depth == DEEPEST {
            self.beyond += 1;
            return;
        }
        let around = self.level().and_then(|level| level.secret_name());
        if self.levels.len() == self.depth {
            self.levels.push(Level::default());
        }
        let level = &mut self.levels[self.depth];
        level.key.clear();
        (level.is_object, level.after_colon, level.secret, level.named) = (is_object, false, None, None);
        (level.around, level.sequence) = (around, Sequence::default());
        self.depth += 1;
    }

    fn close(&mut self) {
        if self.beyond > 0 {
            self.beyond -= 1;
        } else {
            self.depth = self.depth.saturating_sub(1);
        }
    }

    /// Puts out what is no string.
    fn word(&mut self, out: &mut Vec<u8>, editor: &mut dyn Editor) {
        if self.buffer.len() >= SHORT {
            text::mask(&mut self.buffer, Escapes::Json, editor);
        }
        out.append(&mut self.buffer);
    }

    /// Puts out a part of a long string.
    fn part(&mut self, out: &mut Vec<u8>, editor: &mut dyn Editor) {
        let mut ready = self.buffer.len() - KEPT;
        // No escape is cut.
        while ready > 0 && self.buffer[ready - 1] == b'\\' {
            ready -= 1;
        }
        let kept = self.buffer.split_off(ready);
        match self.level().and_then(|level| level.secret_name()) {
            Some((name, _)) => {
                editor.found(&String::from_utf8_lossy(&name));
                self.buffer.fill(MASK);
            }
            None => text::mask(&mut self.buffer, Escapes::Json, editor),
        }
        out.append(&mut self.buffer);
        self.buffer = kept;
    }

    /// Puts out a string.
    fn string(&mut self, out: &mut Vec<u8>, editor: &mut dyn Editor) {
        let mut content = std::mem::take(&mut self.buffer);
        match self.level() {
            Some(level) if level.is_object && !level.after_colon => level.set_key(&content),
            Some(level) => {
                level.value(&mut content, editor);
                let key = std::mem::take(&mut level.key);
                editor.edit(&key, &mut content);
                if let Some(level) = self.level() {
                    level.key = key;
                }
            }
            None => {
                text::mask(&mut content, Escapes::Json, editor);
                editor.edit(&[], &mut content);
            }
        }
        out.extend_from_slice(&content);
        content.clear();
        self.buffer = content;
    }
}

impl Level {
    fn set_key(&mut self, key: &[u8]) {
        self.key.clear();
        self.key.extend_from_slice(&key[..key.len().min(names::LONGEST + 1)]);
        self.secret = kind(&self.key);
    }

    /// Name of the secret that is the value at hand, if it is one.
    fn secret_name(&self) -> Option<(Vec<u8>, Kind)> {
        let own = self.secret.filter(|_| self.is_object).map(|kind| (self.key.clone(), kind));
        let named = || {
            let is_value = matches!(&self.key[..], b"value" | b"Value" | b"val");
            self.named.clone().filter(|_| self.is_object && is_value)
        };
        own.or_else(named).or_else(|| self.around.clone())
    }

    fn value(&mut self, content: &mut [u8], editor: &mut dyn Editor) {
        let has_name = self.secret.is_some() || self.named.is_some() || self.around.is_some();
        if has_name && let Some((name, kind)) = self.secret_name() {
            // `"Authorization": "Bearer …"` as well: the end of a scheme is unknown.
            if !kind.allows(content) {
                editor.found(&String::from_utf8_lossy(&name));
                content.fill(MASK);
            }
            return;
        }
        if !self.is_object {
            return mask_one(content, Escapes::Json, &mut self.sequence, editor);
        }
        if matches!(&self.key[..], b"name" | b"Name" | b"key" | b"variable" | b"option") {
            let name = content.iter().position(|byte| *byte != b'-').map_or(&[][..], |start| &content[start..]);
            self.named = kind(name).map(|kind| (name.to_vec(), kind));
        }
        text::mask(content, Escapes::Json, editor);
    }
}
