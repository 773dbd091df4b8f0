//! The byte that masks a secret, and the names of secrets that were found.

/// The byte that replaces each byte of a secret.
pub const MASK: u8 = b'*';

/// Distinct names that are kept; more are only counted.
const MOST_NAMES: usize = 8;

/// Takes what a pass over a text finds, and may edit its strings further.
pub trait Editor {
    /// A secret was masked: the name that tells it, such as `HF_TOKEN`, never its value.
    fn found(&mut self, name: &str);

    /// A text whose secrets were masked, and the key it is the value of: a string of JSON without its quotes, escapes as they
    /// stand; some lines; a fact or name of a recording.
    fn edit(&mut self, _key: &[u8], _content: &mut Vec<u8>) {}
}

/// Takes nothing, and edits nothing.
impl Editor for () {
    fn found(&mut self, _name: &str) {}
}

/// The secrets of a text: how many, and by which names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundSecrets {
    /// How many.
    pub count: u64,
    /// The first distinct names.
    pub names: Vec<String>,
    /// Whether there are more.
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
