//! Valid documents of every shape that JSON allows a trace to have.

use crate::generator::{Random, Spec};

use super::tokenizer::WANTED;

/// Makes documents; equal seeds make equal ones.
#[derive(Clone, Debug)]
pub struct Documents {
    random: Random,
    spaces: Spaces,
}

/// Layout of a document.
#[derive(Clone, Copy, Debug)]
enum Spaces {
    None,
    /// The same between all members, as a program writes.
    Same(&'static str),
    Any,
}

const SEPARATORS: [&str; 4] =
    [" ", "\n    ", "\r\n\t", "                                                                        "];

const CHARACTERS: [&str; 34] = [
    "a",
    "b",
    "Z",
    "0",
    " ",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "/",
    "'",
    "\u{7f}",
    "\\\"",
    "\\\\",
    "\\/",
    "\\b",
    "\\f",
    "\\n",
    "\\r",
    "\\t",
    "\\u0000",
    "\\u00e9",
    "\\uD83D\\ude00",
    "\\uFFFF",
    "\u{e9}",
    "\u{540d}",
    "\u{1f600}",
    "\u{2028}",
    "\u{10ffff}",
    "aten::add",
    "0123456789abcdef",
    "\\u0022",
];

const UNKNOWN: [&str; 5] =
    ["External id", "bp", "s", "\\u0070h", "a key that nobody asked for, and a rather long one at that"];

impl Documents {
    /// Documents of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { random: Random::new(seed), spaces: Spaces::None }
    }

    /// The next document: a list of events, or an object with such a list.
    #[must_use]
    pub fn document(&mut self) -> Vec<u8> {
        self.spaces = match self.random.range(0, 2) {
            0 => Spaces::None,
            1 => Spaces::Same(self.random.pick(&SEPARATORS)),
            _ => Spaces::Any,
        };
        let mut text = String::new();
        self.space(&mut text);
        if self.random.percent(30) {
            self.events(&mut text);
        } else {
            self.outer_object(&mut text);
        }
        self.space(&mut text);
        text.into_bytes()
    }

    fn outer_object(&mut self, text: &mut String) {
        let list_at = self.random.range(0, 4);
        let last = list_at + self.random.range(0, 2);
        text.push('{');
        for index in 0..=last {
            self.comma(text, index);
            if index == list_at {
                text.push_str(self.random.pick(&["\"traceEvents\"", "\"trace\\u0045vents\""]));
                self.colon(text);
                self.events(text);
            } else {
                self.string(text);
                self.colon(text);
                self.value(text, 3);
            }
        }
        self.space(text);
        text.push('}');
    }

    fn events(&mut self, text: &mut String) {
        let count = self.random.range(0, 12);
        // Programs write the same keys in the same order; the tokenizer's guesses live on that.
        let keys: Vec<String> = (0..self.random.range(0, 9)).map(|_| self.key()).collect();
        let regular = self.random.percent(50);
        text.push('[');
        for index in 0..count {
            self.comma(text, index);
            match self.random.range(0, 19) {
                0 => self.value(text, 2),
                1..10 if regular => self.object_of(text, &keys, 2),
                _ => {
                    let keys: Vec<String> = (0..self.random.range(0, 9)).map(|_| self.key()).collect();
                    self.object_of(text, &keys, 2);
                }
            }
        }
        self.space(text);
        text.push(']');
    }

    fn key(&mut self) -> String {
        match self.random.range(0, 9) {
            0 => self.random.pick(&UNKNOWN).to_owned(),
            1 => {
                let mut quoted = String::new();
                self.string(&mut quoted);
                quoted[1..quoted.len() - 1].to_owned()
            }
            _ => self.random.pick(WANTED).replace('"', "\\\"").replace('\n', "\\n"),
        }
    }

    fn object_of(&mut self, text: &mut String, keys: &[String], depth: u64) {
        text.push('{');
        for (index, key) in (0..).zip(keys) {
            self.comma(text, index);
            text.push('"');
            text.push_str(key);
            text.push('"');
            self.colon(text);
            self.value(text, depth);
        }
        self.space(text);
        text.push('}');
    }

    fn value(&mut self, text: &mut String, depth: u64) {
        match self.random.range(0, if depth > 0 { 11 } else { 8 }) {
            0..=3 => self.number(text),
            4..=6 => self.string(text),
            7 | 8 => text.push_str(self.random.pick(&["true", "false", "null"])),
            9 => {
                text.push('[');
                for index in 0..self.random.range(0, 4) {
                    self.comma(text, index);
                    self.value(text, depth - 1);
                }
                self.space(text);
                text.push(']');
            }
            10 if self.random.percent(5) => self.deep(text),
            _ => {
                let keys: Vec<String> = (0..self.random.range(0, 5)).map(|_| self.key()).collect();
                self.object_of(text, &keys, depth - 1);
            }
        }
    }

    /// Nesting around the limit, which is 127 levels.
    fn deep(&mut self, text: &mut String) {
        let levels = self.random.range(118, 130);
        let lists: Vec<bool> = (0..levels).map(|_| self.random.percent(50)).collect();
        for list in &lists {
            text.push_str(if *list { "[" } else { "{\"\":" });
        }
        text.push('1');
        for list in lists.iter().rev() {
            text.push(if *list { ']' } else { '}' });
        }
    }

    fn string(&mut self, text: &mut String) {
        text.push('"');
        let length = if self.random.percent(10) { 60 } else { 6 };
        for _ in 0..self.random.range(0, length) {
            text.push_str(self.random.pick(&CHARACTERS));
        }
        text.push('"');
    }

    fn number(&mut self, text: &mut String) {
        if self.random.percent(30) {
            text.push('-');
        }
        let digits = if self.random.percent(20) { 25 } else { 17 };
        let whole = self.random.range(0, digits);
        self.digits(text, whole, true);
        if self.random.percent(50) {
            text.push('.');
            let decimals = if self.random.percent(80) { 3 } else { self.random.range(1, 20) };
            self.digits(text, decimals, false);
        }
        if self.random.percent(15) {
            text.push_str(self.random.pick(&["e", "E", "e+", "e-", "E+00"]));
            text.push_str(&self.random.range(0, 250).to_string());
        }
    }

    fn digits(&mut self, text: &mut String, count: u64, whole: bool) {
        if whole && count == 0 {
            text.push('0');
        }
        for index in 0..count {
            let lowest = u64::from(whole && index == 0);
            text.push_str(&self.random.range(lowest, 9).to_string());
        }
    }

    fn comma(&mut self, text: &mut String, index: u64) {
        if index > 0 {
            if matches!(self.spaces, Spaces::Any) {
                self.space(text);
            }
            text.push(',');
        }
        self.space(text);
    }

    fn colon(&mut self, text: &mut String) {
        if matches!(self.spaces, Spaces::Any) {
            self.space(text);
        }
        text.push(':');
        self.space(text);
    }

    fn space(&mut self, text: &mut String) {
        match self.spaces {
            Spaces::None => {}
            Spaces::Same(space) => text.push_str(space),
            Spaces::Any => {
                let most = if self.random.percent(5) { 90 } else { 3 };
                for _ in 0..self.random.range(0, most) {
                    text.push_str(self.random.pick(&[" ", "\n", "\r", "\t"]));
                }
            }
        }
    }
}

/// A generated trace with one of everything, of some ten kilobytes.
#[must_use]
pub fn small_trace(seed: u64) -> Vec<u8> {
    Spec { steps: 1, groups: 2, ..Spec::small(seed) }.generate().0
}
