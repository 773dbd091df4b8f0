//! Secrets in a text of any kind: a command line, a log's line, a program's `repr`.

use std::ops::Range;

use super::editor::{Editor, MASK};
use super::known;
use super::names::{Kind, LONGEST, kind};

/// Meaning of a backslash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Escapes {
    /// A backslash.
    None,
    /// As in a string of JSON.
    Json,
    /// A backslash, in a table: a value ends where the next cell begins.
    Cells,
}

/// Classes of bytes.
const NOTHING: u8 = 0;
const SEPARATOR: u8 = 1;
const DASH: u8 = 2;
const LETTER: u8 = 3;

const CLASSES: [u8; 256] = {
    let mut classes = [NOTHING; 256];
    classes[b'=' as usize] = SEPARATOR;
    classes[b':' as usize] = SEPARATOR;
    classes[b'-' as usize] = DASH;
    let mut index = 0;
    while index < known::FIRST.len() {
        classes[known::FIRST[index] as usize] = LETTER;
        index += 1;
    }
    classes
};

/// Where a secret stands, and its name.
pub(super) struct Hit {
    pub(super) value: Range<usize>,
    pub(super) name: Name,
}

/// Name of a secret.
pub(super) enum Name {
    /// A part of the text.
    Of(Range<usize>),
    /// A well-known beginning or place.
    Known(&'static str),
}

impl Hit {
    /// Reports and masks the secret.
    pub(super) fn mask(self, text: &mut [u8], editor: &mut dyn Editor) {
        match self.name {
            Name::Of(name) => editor.found(&String::from_utf8_lossy(&text[name])),
            Name::Known(name) => editor.found(name),
        }
        text[self.value].fill(MASK);
    }
}

/// Masks all secrets of a text.
pub(super) fn mask(text: &mut [u8], escapes: Escapes, editor: &mut dyn Editor) {
    let mut from = 0;
    while let Some(hit) = next(text, escapes, from) {
        from = hit.value.end;
        hit.mask(text, editor);
    }
}

/// The first secret from a place on.
pub(super) fn next(text: &[u8], escapes: Escapes, from: usize) -> Option<Hit> {
    let text = Text { text, escapes };
    let mut at = from;
    while let Some(byte) = text.text.get(at) {
        let hit = match CLASSES[usize::from(*byte)] {
            SEPARATOR if *byte == b':' => text.user_info(at).or_else(|| text.assigned(at)),
            SEPARATOR => text.assigned(at),
            DASH if text.begins_word(at) => text.option(at),
            LETTER if text.begins_word(at) => text.known(at),
            _ => None,
        };
        if let Some(hit) = hit {
            return Some(hit);
        }
        at += 1;
    }
    None
}

/// A program's text after an assignment.
enum Expression {
    /// It contains no secret.
    Call,
    /// It reads the value elsewhere, with this literal as a default.
    Default(Range<usize>),
}

struct Text<'a> {
    text: &'a [u8],
    escapes: Escapes,
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

impl Text<'_> {
    fn get(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or_default()
    }

    fn before(&self, at: usize) -> u8 {
        at.checked_sub(1).map_or(0, |before| self.get(before))
    }

    /// Whether the byte before a place is a letter that a backslash made a control character.
    fn is_escaped_control(&self, at: usize) -> bool {
        self.escapes == Escapes::Json
            && matches!(self.before(at), b'n' | b'r' | b't' | b'b' | b'f')
            && self.text[..at - 1].iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
    }

    /// Whether a word begins at a place.
    fn begins_word(&self, at: usize) -> bool {
        let before = self.before(at);
        let inside = before.is_ascii_alphanumeric() || matches!(before, b'_' | b'-') || before >= 0x80;
        at == 0 || !inside || self.is_escaped_control(at)
    }

    fn known(&self, at: usize) -> Option<Hit> {
        let (value, name) = known::at(self.text, at)?;
        Some(Hit { value, name: Name::Known(name) })
    }

    /// The text between `://` and `@`.
    fn user_info(&self, colon: usize) -> Option<Hit> {
        let mut at = colon + 1;
        for _ in 0..2 {
            at += usize::from(self.escapes == Escapes::Json && self.get(at) == b'\\');
            if self.get(at) != b'/' {
                return None;
            }
            at += 1;
        }
        if !self.before(colon).is_ascii_alphanumeric() {
            return None;
        }
        let rest = &self.text[at..];
        let ends = |byte: &u8| {
            byte.is_ascii_whitespace() || is_quote(*byte) || matches!(byte, b'/' | b'?' | b'#' | b'\\' | b'<' | b'>')
        };
        let authority = &rest[..rest.iter().position(ends).unwrap_or(rest.len())];
        let len = authority.iter().rposition(|byte| *byte == b'@')?;
        let info = &authority[..len];
        let is_public = info == b"git" || info.iter().all(|byte| matches!(*byte, MASK | b':'));
        (!is_public).then(|| Hit { value: at..at + len, name: Name::Known("user info in a URL") })
    }

    /// The value of `name=` or `name:`.
    fn assigned(&self, separator: usize) -> Option<Hit> {
        let sign = self.get(separator);
        if self.get(separator + 1) == sign || self.before(separator) == sign {
            return None;
        }
        let mut end = separator;
        let is_spaced = self.before(end) == b' ';
        end -= usize::from(is_spaced);
        let is_quoted = is_quote(self.before(end));
        if is_quoted {
            end -= 1;
            while self.before(end) == b'\\' {
                end -= 1;
            }
        }
        let name = self.name_before(end)?;
        let kind = kind(&self.text[name.clone()])?;
        // `X=y` of a shell is no program's text.
        let is_code = is_quoted || (is_spaced && sign == b'=');
        let may_be_apart = sign == b':' || kind == Kind::Secret || is_quoted;
        if is_spaced && !may_be_apart {
            return None;
        }
        let mut start = separator + 1;
        // `X= y` leaves X empty.
        let skips = may_be_apart && (sign == b':' || is_spaced || is_quoted);
        while skips && matches!(self.get(start), b' ' | b'\t') {
            start += 1;
        }
        let start = self.behind_scheme(start, sign);
        match is_code.then(|| self.expression(start)).flatten() {
            Some(Expression::Call) => None,
            Some(Expression::Default(value)) => self.hit(value, kind, name),
            None => self.hit(self.value(start), kind, name),
        }
    }

    /// A call or a look-up that begins at a place: a program's text, as in `token = make_token(32)`, which holds no secret, or in
    /// `token = os.environ.get('TOKEN', 'abc')`, whose default may be one. `None` if there is none, or one with literals.
    fn expression(&self, start: usize) -> Option<Expression> {
        /// A longer list of arguments is not examined.
        const FARTHEST: usize = 256;
        const READS: [&[u8]; 5] = [b"environ", b"environ.get", b"getenv", b"getpass", b"input"];
        let rest = self.text.get(start..).unwrap_or_default();
        let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
        let len = rest.iter().take_while(|byte| is_letter(byte)).count();
        let (path, behind) = rest.split_at(len);
        let opens = matches!(behind.first(), Some(b'(' | b'['));
        if !opens || path.first().is_none_or(|first| first.is_ascii_digit() || *first == b'.') {
            return None;
        }
        let is_whole =
            |read: &[u8]| path.strip_suffix(read).is_some_and(|before| matches!(before.last(), None | Some(b'.')));
        let reads = READS.iter().any(|read| is_whole(read));
        let mut depth = 0_usize;
        let mut quote: Option<(u8, usize)> = None;
        // With whether a comma is before it: then it is no name but a default.
        let mut literals: Vec<(Range<usize>, bool)> = Vec::new();
        let mut is_second = false;
        for (index, byte) in behind.iter().enumerate().take(FARTHEST) {
            let at = start + len + index;
            match (byte, quote) {
                (byte, Some((sign, from))) if *byte == sign => {
                    // Within a text of JSON a quote has a backslash.
                    let end = at - usize::from(self.before(at) == b'\\' && at > from);
                    literals.push((from..end, is_second));
                    quote = None;
                }
                (_, Some(_)) => {}
                (b'(' | b'[' | b'{', None) => depth += 1,
                (b')' | b']' | b'}', None) => depth -= 1,
                (b',', None) => is_second |= depth == 1,
                (byte, None) if is_quote(*byte) => quote = Some((*byte, at + 1)),
                _ => {}
            }
            if depth == 0 {
                let ends = matches!(
                    behind.get(index + 1),
                    None | Some(
                        b' ' | b'\t'
                            | b'\r'
                            | b'\n'
                            | b','
                            | b';'
                            | b':'
                            | b')'
                            | b']'
                            | b'}'
                            | b'.'
                            | b'#'
                            | b'\\'
                            | b'"'
                            | b'\''
                    )
                );
                return match literals.len() {
                    // Text after the bracket shows a password with brackets, not a program's text.
                    _ if !ends => None,
                    0 => Some(Expression::Call),
                    _ if reads => match literals.pop() {
                        Some((default, true)) => Some(Expression::Default(default)),
                        _ => Some(Expression::Call),
                    },
                    _ => None,
                };
            }
        }
        None
    }

    /// The name that ends at a place.
    fn name_before(&self, end: usize) -> Option<Range<usize>> {
        let from = end.saturating_sub(LONGEST + 1);
        let len = self.text[from..end].iter().rev().take_while(|byte| is_name(**byte)).count();
        let mut start = end - len;
        if len > 0 && start > 0 && self.is_escaped_control(start + 1) {
            start += 1;
        }
        while start < end && !self.get(start).is_ascii_alphanumeric() {
            start += 1;
        }
        (start < end).then_some(start..end)
    }

    /// Where the value of a header begins: after `Bearer` and the like.
    fn behind_scheme(&self, start: usize, sign: u8) -> usize {
        const SCHEMES: [&str; 6] = ["Bearer", "Basic", "Token", "Digest", "ApiKey", "Negotiate"];
        if sign != b':' {
            return start;
        }
        let rest = &self.text[start..];
        let scheme = SCHEMES.iter().find(|scheme| {
            let word = rest.get(..scheme.len());
            word.is_some_and(|word| word.eq_ignore_ascii_case(scheme.as_bytes()))
                && rest.get(scheme.len()) == Some(&b' ')
        });
        scheme.map_or(start, |scheme| start + scheme.len() + 1)
    }

    /// The value of `--name value`, also as a list of Python or JSON has both.
    fn option(&self, dash: usize) -> Option<Hit> {
        if let Some(value) = known::block(self.text, dash) {
            return Some(Hit { value, name: Name::Known("private key") });
        }
        let start = dash + 1 + usize::from(self.get(dash + 1) == b'-');
        if !self.get(start).is_ascii_alphabetic() {
            return None;
        }
        let len = self.text[start..].iter().take(LONGEST + 1).take_while(|byte| is_name(**byte)).count();
        let name = start..start + len;
        let kind = kind(&self.text[name.clone()])?;
        let mut at = name.end;
        let mut is_apart = false;
        // The opening quote is the value's.
        loop {
            match self.get(at) {
                b' ' | b'\t' | b'\n' | b',' => is_apart = true,
                b'\\' if !is_apart => {}
                byte if is_quote(byte) && !is_apart => {}
                _ => break,
            }
            at += 1;
        }
        let is_option = self.get(at) == b'-' && !self.get(at + 1).is_ascii_digit();
        if !is_apart || is_option { None } else { self.hit(self.value(at), kind, name) }
    }

    fn hit(&self, value: Range<usize>, kind: Kind, name: Range<usize>) -> Option<Hit> {
        let text = &self.text[value.clone()];
        // Without the punctuation that follows in source code, as in `f(token=None):`.
        let len = text
            .iter()
            .rposition(|byte| !matches!(byte, b',' | b';' | b':' | b')' | b']' | b'}'))
            .map_or(0, |last| last + 1);
        // `self.token = token` is a variable, not a value.
        let own = &self.text[name.clone()];
        let is_variable = len > 0 && own.len() >= len && own[own.len() - len..].eq_ignore_ascii_case(&text[..len]);
        (!is_variable && !kind.allows(&text[..len])).then_some(Hit { value, name: Name::Of(name) })
    }

    /// The value that begins at a place: the text in quotation marks, or all up to the next space or mark.
    fn value(&self, start: usize) -> Range<usize> {
        let mut at = start;
        // Python's `b'…'`.
        let mark =
            self.quote(at + 1).filter(|_| matches!(self.get(at), b'b' | b'B' | b'u' | b'U' | b'r' | b'R' | b'f'));
        if mark.is_some() {
            at += 1;
        }
        if let Some(escapes) = self.quote(at) {
            return self.quoted(at, escapes);
        }
        while let Some(byte) = self.text.get(at) {
            if let Some(escapes) = self.quote(at) {
                // `SecretStr('…')`
                let opens = at > start && matches!(self.before(at), b'(' | b'[' | b'{');
                return if opens { self.quoted(at, escapes) } else { start..at };
            }
            match byte {
                b'\\' if self.escapes == Escapes::Json => match self.get(at + 1) {
                    b'n' | b'r' | b't' | b'b' | b'f' => break,
                    _ => at += 1,
                },
                byte if byte.is_ascii_whitespace() || byte.is_ascii_control() => break,
                b',' | b';' if self.escapes == Escapes::Cells => break,
                b',' | b';' | b')' | b']' | b'}' if self.ends_behind(at + 1) => break,
                b'&' if self.parameter_at(at + 1) => break,
                _ => {}
            }
            at += 1;
        }
        start..at.min(self.text.len())
    }

    /// Whether nothing but the ends of what is around stands between a place and the next space.
    fn ends_behind(&self, at: usize) -> bool {
        let rest = self.text.get(at..).unwrap_or_default();
        let next = rest.iter().find(|byte| !matches!(byte, b',' | b';' | b')' | b']' | b'}'));
        next.is_none_or(|byte| byte.is_ascii_whitespace() || is_quote(*byte))
    }

    /// Whether a URL's next parameter begins at a place.
    fn parameter_at(&self, at: usize) -> bool {
        let rest = self.text.get(at..).unwrap_or_default();
        let name = rest.iter().take_while(|byte| is_name(**byte)).count();
        name > 0 && rest.get(name) == Some(&b'=')
    }

    /// Number of backslashes before the quotation mark that begins at a place, if one does.
    fn quote(&self, at: usize) -> Option<usize> {
        let rest = self.text.get(at..)?;
        let escapes = rest.iter().take_while(|byte| **byte == b'\\').count();
        rest.get(escapes).filter(|byte| is_quote(**byte)).map(|_| escapes)
    }

    /// The text between a quotation mark and the next one of its kind.
    fn quoted(&self, at: usize, escapes: usize) -> Range<usize> {
        let (mark, start) = (self.get(at + escapes), at + escapes + 1);
        let mut backslashes = 0;
        for (index, byte) in self.text.iter().enumerate().skip(start) {
            if *byte == mark && backslashes == escapes {
                return start..index - backslashes;
            }
            backslashes = if *byte == b'\\' { backslashes + 1 } else { 0 };
        }
        start..self.text.len()
    }
}
