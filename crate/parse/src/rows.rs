//! Rows of delimited text, such as CSV, that arrive in chunks.

use std::borrow::Cow;

/// The longest row: a longer one has an unclosed quote.
const LONGEST: usize = 16 << 20;

/// The delimiter of fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delimiter {
    /// A comma; fields may be quoted, and then have commas, line breaks and doubled quotes.
    Comma,
    /// Any amount of white space.
    Spaces,
}

/// A row.
#[derive(Clone, Copy, Debug)]
pub struct DelimitedRow<'a> {
    /// Its fields, without quotes and the white space around them.
    pub fields: &'a [Cow<'a, str>],
    /// The byte of the text at which it starts.
    pub position: u64,
    /// Whether it is complete; if not, the text ends within it, or a quote is not closed.
    pub whole: bool,
    /// Whether it is at the end of the text, without a line break.
    pub last: bool,
    /// Whether it is valid UTF-8; if not, invalid bytes were replaced.
    pub utf8: bool,
}

/// The state of the splitter before the next byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// Before a field's first byte.
    #[default]
    Before,
    /// In a field without quotes.
    Plain,
    /// Between quotes.
    Quoted,
    /// After a closing quote, unless another one follows.
    Closed,
}

/// Splits text into rows, chunk by chunk. Blank lines are left out.
#[derive(Debug)]
pub struct Rows {
    delimiter: Delimiter,
    /// The current row so far.
    pending: Vec<u8>,
    /// Its position.
    position: u64,
    state: State,
}

impl Rows {
    /// A splitter at the start of a text.
    #[must_use]
    pub fn new(delimiter: Delimiter) -> Self {
        Self { delimiter, pending: Vec::new(), position: 0, state: State::Before }
    }

    /// Splits the next bytes.
    pub fn advance(&mut self, bytes: &[u8], row: &mut impl FnMut(DelimitedRow<'_>)) {
        let mut rest = bytes;
        while let Some(end) = self.end_in(rest) {
            self.pending.extend_from_slice(&rest[..end]);
            self.emit(true, false, row);
            // The line break.
            self.position += 1;
            rest = &rest[end + 1..];
        }
        self.pending.extend_from_slice(rest);
        if self.pending.len() > LONGEST {
            self.recover(row);
        }
    }

    /// Splits the rest.
    pub fn finish(mut self, row: &mut impl FnMut(DelimitedRow<'_>)) {
        while self.state == State::Quoted && self.recover(row) {}
        let whole = self.state != State::Quoted;
        self.emit(whole, true, row);
    }

    /// The end of the current row.
    fn end_in(&mut self, bytes: &[u8]) -> Option<usize> {
        let quotes = self.delimiter == Delimiter::Comma;
        let mut state = self.state;
        let end = bytes.iter().position(|byte| {
            state = match (state, byte) {
                (State::Quoted, b'"') => State::Closed,
                (State::Quoted, _) => State::Quoted,
                (_, b'\n') => return true,
                (State::Before | State::Closed, b'"') if quotes => State::Quoted,
                (_, b',') => State::Before,
                (State::Before, b' ' | b'\t') => State::Before,
                _ => State::Plain,
            };
            false
        });
        self.state = if end.is_some() { State::Before } else { state };
        end
    }

    /// Gives up on an unclosed quote: its row ends with the line, and the text after it is split again.
    fn recover(&mut self, row: &mut impl FnMut(DelimitedRow<'_>)) -> bool {
        let Some(end) = self.pending.iter().position(|byte| *byte == b'\n') else { return false };
        let rest = self.pending.split_off(end);
        self.state = State::Before;
        self.emit(false, false, row);
        self.position += 1;
        self.advance(&rest[1..], row);
        true
    }

    fn emit(&mut self, whole: bool, last: bool, row: &mut impl FnMut(DelimitedRow<'_>)) {
        const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
        let line = if self.position == 0 {
            self.pending.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&self.pending)
        } else {
            &self.pending
        };
        if !line.trim_ascii().is_empty() {
            let fields = match self.delimiter {
                Delimiter::Comma => split_at_commas(line),
                Delimiter::Spaces => {
                    line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()).map(text).collect()
                }
            };
            row(DelimitedRow {
                fields: &fields,
                position: self.position,
                whole,
                last,
                utf8: std::str::from_utf8(line).is_ok(),
            });
        }
        self.position += self.pending.len() as u64;
        self.pending.clear();
    }
}

fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

fn split_at_commas(line: &[u8]) -> Vec<Cow<'_, str>> {
    let mut fields = Vec::new();
    let mut rest = line;
    loop {
        let start = rest.trim_ascii_start();
        let Some(quoted) = start.strip_prefix(b"\"") else {
            match rest.iter().position(|byte| *byte == b',') {
                Some(end) => {
                    fields.push(text(rest[..end].trim_ascii()));
                    rest = &rest[end + 1..];
                    continue;
                }
                None => {
                    fields.push(text(rest.trim_ascii()));
                    return fields;
                }
            }
        };
        let (field, behind) = unquote(quoted);
        fields.push(field);
        match behind.iter().position(|byte| *byte == b',') {
            Some(end) => rest = &behind[end + 1..],
            None => return fields,
        }
    }
}

/// The text up to the closing quote, and the text after it.
fn unquote(text_and_rest: &[u8]) -> (Cow<'_, str>, &[u8]) {
    let mut joined = Vec::new();
    let mut rest = text_and_rest;
    loop {
        let Some(end) = rest.iter().position(|byte| *byte == b'"') else {
            joined.extend_from_slice(rest);
            return (Cow::Owned(text(&joined).into_owned()), &[]);
        };
        let behind = &rest[end + 1..];
        if let Some(more) = behind.strip_prefix(b"\"") {
            joined.extend_from_slice(&rest[..=end]);
            rest = more;
        } else if joined.is_empty() {
            return (text(&rest[..end]), behind);
        } else {
            joined.extend_from_slice(&rest[..end]);
            return (Cow::Owned(text(&joined).into_owned()), behind);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Seen = (Vec<String>, u64, bool, bool);

    fn rows(delimiter: Delimiter, text: &str, chunk: usize) -> Vec<Seen> {
        let mut found = Vec::new();
        let mut see = |row: DelimitedRow<'_>| {
            let fields = row.fields.iter().map(|field| field.clone().into_owned()).collect();
            found.push((fields, row.position, row.whole, row.last));
        };
        let mut rows = Rows::new(delimiter);
        for piece in text.as_bytes().chunks(chunk) {
            rows.advance(piece, &mut see);
        }
        rows.finish(&mut see);
        found
    }

    fn seen(fields: &[&str], position: u64, whole: bool, last: bool) -> Seen {
        (fields.iter().map(|field| (*field).to_owned()).collect(), position, whole, last)
    }

    #[test]
    fn fields_are_split_in_any_chunks() {
        let text = "\u{feff}a, b ,c\r\n1,\"x, \"\"y\"\"\nz\",\n\n2,[1, 3],";
        for chunk in 1..text.len() {
            let expected = [
                seen(&["a", "b", "c"], 0, true, false),
                seen(&["1", "x, \"y\"\nz", ""], 12, true, false),
                seen(&["2", "[1", "3]", ""], 29, true, true),
            ];
            assert_eq!(rows(Delimiter::Comma, text, chunk), expected, "chunks of {chunk}");
        }
    }

    #[test]
    fn spaces_may_be_many() {
        let text = "0 1  1 \t4\n\n 1 64 1 0\n";
        let expected = [seen(&["0", "1", "1", "4"], 0, true, false), seen(&["1", "64", "1", "0"], 11, true, false)];
        assert_eq!(rows(Delimiter::Spaces, text, 3), expected);
    }

    #[test]
    fn a_quote_that_nobody_closes_costs_one_row() {
        let text = "a,b\n1,\"x\n2,y\n3,z";
        for chunk in 1..text.len() {
            let expected = [
                seen(&["a", "b"], 0, true, false),
                seen(&["1", "x"], 4, false, false),
                seen(&["2", "y"], 9, true, false),
                seen(&["3", "z"], 13, true, true),
            ];
            assert_eq!(rows(Delimiter::Comma, text, chunk), expected, "chunks of {chunk}");
        }
    }
}
