//! JSON as careless programs write it.

use std::fmt::Write as _;

use super::Json;
use crate::generator::Random;

/// Writes a list of values as careless programs do: valid except for unambiguous errors. Equal seeds make equal texts.
#[must_use]
pub fn careless(values: &[Json], seed: u64) -> String {
    let mut careless = Careless { random: Random::new(seed), text: String::new() };
    careless.list(values);
    careless.text
}

struct Careless {
    random: Random,
    text: String,
}

impl Careless {
    fn value(&mut self, value: &Json) {
        match value {
            Json::Null => {
                let word = self.random.pick(&["null", "NaN", "-Infinity", "None", "N/A", "undefined", "nan"]);
                self.text.push_str(word);
            }
            Json::Bool(true) => self.text.push_str(self.random.pick(&["true", "True", "TRUE"])),
            Json::Bool(false) => self.text.push_str(self.random.pick(&["false", "False"])),
            Json::Unsigned(number) => {
                let sign = self.random.pick(&["", "", "+", "0", "00"]);
                if self.random.percent(10) {
                    let _ = write!(self.text, "{number:#x}");
                } else {
                    let _ = write!(self.text, "{sign}{number}");
                }
            }
            Json::Signed(number) => {
                let zeros = self.random.pick(&["", "", "0", "00"]);
                let _ = write!(self.text, "-{zeros}{}", number.unsigned_abs());
            }
            Json::Float(number) => {
                let number = format!("{number:?}");
                let number = number.strip_prefix("0.").map_or(number.clone(), |rest| format!(".{rest}"));
                self.text.push_str(&number);
            }
            Json::Text(text) => self.string(text),
            Json::List(values) => self.list(values),
            Json::Object(members) => {
                self.text.push('{');
                for (index, (key, value)) in members.iter().enumerate() {
                    self.comma(index, false);
                    self.string(key);
                    self.text.push_str(": ");
                    self.value(value);
                }
                self.trailing_comma(members.len());
                self.text.push('}');
            }
        }
    }

    fn list(&mut self, values: &[Json]) {
        self.text.push('[');
        for (index, value) in values.iter().enumerate() {
            self.comma(index, true);
            self.value(value);
        }
        self.trailing_comma(values.len());
        self.text.push(']');
    }

    /// Only the necessary characters are escaped.
    fn string(&mut self, text: &str) {
        self.text.push('"');
        for character in text.chars() {
            match character {
                '"' => self.text.push_str("\\\""),
                '\\' => self.text.push_str("\\\\"),
                other => self.text.push(other),
            }
        }
        self.text.push('"');
    }

    fn comma(&mut self, index: usize, list: bool) {
        if index == 0 {
            return;
        }
        match self.random.range(0, 9) {
            // Words in a list need their commas, as do the values after them.
            0 if !list => self.text.push('\n'),
            1 => self.text.push_str(",, "),
            _ => self.text.push_str(", "),
        }
    }

    fn trailing_comma(&mut self, len: usize) {
        if len > 0 && self.random.percent(20) {
            self.text.push(',');
        }
    }
}
