//! Finds secrets in texts and masks them: passwords, tokens, keys, by their names and by how they begin.
//!
//! The recorder masks what it writes, the analyzer what it reads, `stepscope redact` what it copies. Masking keeps a
//! text's length, so that positions in a file stay valid and lengths need no rewriting.
//!
//! A value is a secret by its name (`--api-key v`, `--api-key=v`, `API_KEY=v`, `"api_key": "v"`, `Authorization: Bearer v`),
//! as user info of a URL, as a private key block, or because it begins like a well-known kind of key (`hf_…`, `ghp_…`).

mod arguments;
mod copy;
mod editor;
mod json;
mod known;
mod lines;
mod names;
mod text;

pub use self::editor::{Editor, FoundSecrets, MASK};
pub use arguments::{Sequence, mask_argument, mask_arguments};
pub use copy::CopyMask;
pub use json::JsonMask;
pub use lines::LineMask;

/// Whether a value is a secret if it has this name.
#[must_use]
pub fn is_secret_name(name: &str) -> bool {
    names::kind(name.as_bytes()).is_some()
}

/// Whether a text holds a secret.
#[must_use]
pub fn has(text: &[u8]) -> bool {
    text::next(text, text::Escapes::None, 0).is_some()
}

/// A text of JSON with its secrets masked.
#[must_use]
pub fn mask_json(text: &[u8], editor: &mut dyn Editor) -> Vec<u8> {
    JsonMask::default().whole(text, editor)
}

/// The value of a member as JSON, with its secrets masked; all of it if the key makes it a secret.
#[must_use]
pub fn mask_member(key: &str, value: &[u8], editor: &mut dyn Editor) -> Vec<u8> {
    JsonMask::under(key).whole(value, editor)
}

/// Whether the value of a member as JSON contains secrets, or is one because of its key.
///
/// The same answer as from [`mask_member`], at less cost for most values. The key is as in the file.
#[must_use]
pub fn has_member(key: &[u8], value: &[u8]) -> bool {
    let text = value.strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\""));
    match text {
        Some(text) => names::kind(key).is_some() || text::next(text, text::Escapes::Json, 0).is_some(),
        // A list of numbers has none.
        None => {
            value.contains(&b'"') && {
                let mut found = FoundSecrets::default();
                let _ = JsonMask::under(&String::from_utf8_lossy(key)).whole(value, &mut found);
                found.count > 0
            }
        }
    }
}

/// Masks the secrets of a text in place.
pub fn mask(text: &mut [u8], editor: &mut dyn Editor) {
    text::mask(text, text::Escapes::None, editor);
}

/// Masks the secrets of a text.
#[must_use]
pub fn masked(text: String, editor: &mut dyn Editor) -> String {
    let mut bytes = text.into_bytes();
    mask(&mut bytes, editor);
    // Whole characters are masked, by ASCII.
    String::from_utf8(bytes).unwrap_or_default()
}

/// Masks the value of a name: all of it if the name says that it is a secret, else the secrets in it.
#[must_use]
pub fn masked_value(name: &str, value: String, editor: &mut dyn Editor) -> String {
    match names::kind(name.as_bytes()) {
        Some(kind) if !kind.allows(value.as_bytes()) => {
            editor.found(name);
            "*".repeat(value.len())
        }
        _ => masked(value, editor),
    }
}

#[cfg(test)]
mod tests;
