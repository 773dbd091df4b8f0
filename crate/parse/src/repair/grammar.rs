//! The grammar of an object: expected tokens, and text that is left out or inserted where others occur.

use super::machine::{DEEP_REACH, DamagedPart, Machine, Next, Step, Stop};
use super::resume;
use crate::fault::FaultKind;
use crate::scanner::{DEEPEST, PADDING};

impl Machine<'_> {
    /// A value of any kind.
    pub(super) fn value(&mut self) -> Step<Next> {
        self.space();
        match self.byte()? {
            b'"' => {
                self.string(self.at + 1)?;
                Ok(Next::Behind)
            }
            brace @ (b'{' | b'[') => self.open(brace),
            b',' | b'}' | b']' => {
                self.note(FaultKind::Word, self.at, "a value");
                self.write(b"null");
                Ok(Next::Behind)
            }
            _ => {
                self.bare()?;
                Ok(Next::Behind)
            }
        }
    }

    pub(super) fn open(&mut self, brace: u8) -> Step<Next> {
        if self.stack.depth >= DEEPEST {
            let reach = self.text.len().min(self.at + DEEP_REACH);
            let Some(end) = resume::end_of_deep(&self.text[..reach], self.at) else {
                self.work += reach - self.at;
                return if reach < self.text.len() { Err(Stop::Failed) } else { self.end_of_text() };
            };
            self.work += end - self.at;
            self.note(FaultKind::Deep, self.at, "less deep nesting");
            self.at = end;
            self.write(b"null");
            return Ok(Next::Behind);
        }
        self.stack.push(brace == b'{');
        self.copy(1);
        if brace == b'{' {
            return Ok(Next::Key);
        }
        self.space();
        self.drop_commas()?;
        if self.byte()? == b']' {
            self.copy(1);
            self.stack.pop();
            return Ok(Next::Behind);
        }
        Ok(Next::Value)
    }

    /// Reads a member's key and the colon after it, or the end of the object if no member is expected.
    pub(super) fn key(&mut self) -> Step<Next> {
        self.space();
        self.drop_commas()?;
        match self.byte()? {
            b'"' => self.key_in_quotes(),
            b'}' if self.stack.depth > 1 || self.place == DamagedPart::Element => {
                self.copy(1);
                self.stack.pop();
                Ok(Next::Behind)
            }
            _ => Err(Stop::Failed),
        }
    }

    pub(super) fn key_in_quotes(&mut self) -> Step<Next> {
        let Some((quote, _)) = self.look_key(self.at)? else { return Err(Stop::Failed) };
        self.finish_string(self.at + 1, quote);
        self.space();
        // The lookahead saw a colon.
        self.copy(1);
        Ok(Next::Value)
    }

    /// Reads a comma and the next token, or the ends of containers.
    pub(super) fn behind_value(&mut self) -> Step<Next> {
        if self.stack.depth == self.outermost() {
            return self.end();
        }
        self.space();
        let in_object = self.stack.in_object();
        match self.byte()? {
            b',' => self.comma(in_object),
            b'}' if in_object => self.close(1),
            b']' if !in_object => self.close(1),
            b'"' if in_object && self.look_key(self.at)?.is_some() => {
                self.missing_comma();
                Ok(Next::Key)
            }
            b'}' | b']' => self.other_bracket(in_object),
            b'-' | b'0'..=b'9' | b'"' | b'[' | b'{' if !in_object => {
                self.missing_comma();
                Ok(Next::Value)
            }
            _ => Err(Stop::Failed),
        }
    }

    pub(super) fn missing_comma(&mut self) {
        self.note(FaultKind::Punctuation, self.at, "a comma");
        self.write(b",");
    }

    /// Reads one comma or more.
    pub(super) fn comma(&mut self, in_object: bool) -> Step<Next> {
        let written = self.repaired.text.len();
        let comma = self.at;
        self.copy(1);
        self.space();
        self.drop_commas()?;
        let close = if in_object { b'}' } else { b']' };
        if self.byte()? == close {
            self.note(FaultKind::Punctuation, comma, "something behind the comma");
            self.repaired.text.truncate(written);
            return self.close(1);
        }
        Ok(if in_object { Next::Key } else { Next::Value })
    }

    /// Drops commas without a value before them.
    pub(super) fn drop_commas(&mut self) -> Step<()> {
        while self.byte()? == b',' {
            self.note(FaultKind::Punctuation, self.at, "something before the comma");
            self.at += 1;
            self.space();
        }
        Ok(())
    }

    /// Closes the innermost container; its bracket has `len` bytes of the text.
    pub(super) fn close(&mut self, len: usize) -> Step<Next> {
        let bracket = if self.stack.in_object() { b'}' } else { b']' };
        self.repaired.text.push(bracket);
        self.at += len;
        self.stack.pop();
        Ok(Next::Behind)
    }

    /// Handles a bracket of the other kind: either it is superfluous, or one is missing before it.
    pub(super) fn other_bracket(&mut self, in_object: bool) -> Step<Next> {
        let mut outer = self.stack;
        outer.pop();
        let closes = match (outer.depth, self.place) {
            // The bracket of the list around the objects is as likely superfluous.
            (0, DamagedPart::Element) => in_object && !self.is_comma_and_key(self.at + 1)?,
            _ => outer.in_object() != in_object,
        };
        if !closes {
            if !in_object || !self.is_comma_and_key(self.at + 1)? {
                return Err(Stop::Failed);
            }
            self.note(FaultKind::Punctuation, self.at, "no bracket");
            self.at += 1;
            return Ok(Next::Behind);
        }
        let expected = if in_object { "a closing brace" } else { "a closing bracket" };
        self.note(FaultKind::Punctuation, self.at, expected);
        self.close(0)
    }

    /// Ends the repair if the text after it makes sense.
    pub(super) fn end(&mut self) -> Step<Next> {
        let fits = match self.place {
            DamagedPart::Element => self.fits_behind_element(self.at)?,
            DamagedPart::Member => self.fits_behind_member(self.at)?,
        };
        if fits {
            return Ok(Next::Done);
        }
        if self.doubtful.is_none() && self.returns == 0 && self.place == DamagedPart::Element {
            let end = self.at;
            let mut doubtful = self.repaired.clone();
            doubtful.end = end;
            doubtful.text.resize(doubtful.text.len() + PADDING, 0);
            self.doubtful = Some(doubtful);
        }
        Err(Stop::Failed)
    }
}
