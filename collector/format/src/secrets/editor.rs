//! The byte that masks a secret, and the names of secrets that were found.

/// The byte that replaces each byte of a secret.
pub const MASK: u8 = b'*';

/// Distinct names that are kept; more are only counted.
const MOST_NAMES: usize = 8;

/// Receives the findings of a pass over a text, and may edit its strings further.
pub trait Editor {
    /// A secret was masked: its name, such as `HF_TOKEN`, never its value.
    fn found(&mut self, name: &str);

    /// Edits a text whose secrets were masked, and which is the value of `key`: a string of JSON without its quotes,
    /// escapes unchanged; some lines; a fact or name of a recording.
    fn edit(&mut self, _key: &[u8], _content: &mut Vec<u8>) {}
}

/// Takes nothing, and edits nothing.
impl Editor for () {
    fn found(&mut self, _name: &str) {}
}

/// The secrets of a text: their number and names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundSecrets {
    /// Number of secrets.
    pub count: u64,
    /// The first distinct names.
    pub names: Vec<String>,
    /// Whether there are more names.
    pub more: bool,
}

impl Editor for FoundSecrets {
    fn found(&mut self, name: &str) {
        self.count += 1;
        self.name(name);
    }
}

impl FoundSecrets {
    fn name(&mut self, name: &str) {
        if self.names.iter().any(|known| known == name) {
            return;
        }
        if self.names.len() < MOST_NAMES {
            self.names.push(name.to_owned());
        } else {
            self.more = true;
        }
    }

    /// Adds the secrets of the text that comes next.
    pub fn merge(&mut self, next: &Self) {
        self.count += next.count;
        next.names.iter().for_each(|name| self.name(name));
        self.more |= next.more;
    }

    /// The names, as a list for a person.
    #[must_use]
    pub fn list(&self) -> String {
        self.names.join(", ") + if self.more { ", …" } else { "" }
    }
}
