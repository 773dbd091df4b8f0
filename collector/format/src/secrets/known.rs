//! Keys that are known by their beginnings.

use std::ops::Range;

/// The characters of a key after its prefix.
#[derive(Clone, Copy)]
enum Letters {
    /// Letters and digits.
    Plain,
    /// Capital letters and digits.
    Capital,
    /// Also `-`.
    Dashes,
    /// Also `_`.
    Underscores,
    /// Also `-` and `_`.
    Both,
}

impl Letters {
    fn has(self, byte: u8) -> bool {
        match self {
            Self::Plain => byte.is_ascii_alphanumeric(),
            Self::Capital => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Dashes => byte.is_ascii_alphanumeric() || byte == b'-',
            Self::Underscores => byte.is_ascii_alphanumeric() || byte == b'_',
            Self::Both => byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'),
        }
    }
}

/// Beginnings, following characters, and the least length of these: with a digit, and without.
const KEYS: [(&str, Letters, usize, usize); 22] = [
    ("hf_", Letters::Plain, 8, 16),
    ("sk-", Letters::Both, 8, 16),
    ("ghp_", Letters::Plain, 8, 16),
    ("gho_", Letters::Plain, 8, 16),
    ("ghu_", Letters::Plain, 8, 16),
    ("ghs_", Letters::Plain, 8, 16),
    ("ghr_", Letters::Plain, 8, 16),
    ("github_pat_", Letters::Underscores, 8, 16),
    ("glpat-", Letters::Both, 8, 16),
    ("AKIA", Letters::Capital, 12, 12),
    ("ASIA", Letters::Capital, 12, 12),
    ("xoxb-", Letters::Dashes, 8, 16),
    ("xoxp-", Letters::Dashes, 8, 16),
    ("xoxa-", Letters::Dashes, 8, 16),
    ("xoxs-", Letters::Dashes, 8, 16),
    ("xoxe-", Letters::Dashes, 8, 16),
    ("AIza", Letters::Both, 20, 30),
    ("nvapi-", Letters::Both, 8, 16),
    ("npm_", Letters::Plain, 20, 30),
    ("pypi-", Letters::Both, 30, 40),
    ("sk_live_", Letters::Plain, 8, 16),
    ("rk_live_", Letters::Plain, 8, 16),
];

/// The first and the last marker of a private key block.
const BLOCK: (&[u8], &[u8]) = (b"-----BEGIN ", b"PRIVATE KEY-----");

/// The first bytes of the keys known here.
pub(super) const FIRST: &[u8] = b"hsgAxneBbpr";

/// The key that begins at a place, and its name.
pub(super) fn at(text: &[u8], at: usize) -> Option<(Range<usize>, &'static str)> {
    let rest = &text[at..];
    match rest.first()? {
        b'B' | b'b' => bearer(rest).map(|token| (at + token.start..at + token.end, "Bearer")),
        b'e' => web_token(rest).map(|len| (at..at + len, "JSON Web Token")),
        _ => {
            let (start, letters, with_digit, without) =
                KEYS.iter().find(|(start, ..)| rest.starts_with(start.as_bytes()))?;
            let body = run(&rest[start.len()..], |byte| letters.has(byte));
            let ends =
                rest.get(start.len() + body.len()).is_none_or(|next| !next.is_ascii_alphanumeric() && *next != b'_');
            let least = if body.iter().any(u8::is_ascii_digit) { *with_digit } else { *without };
            (ends && body.len() >= least).then(|| (at..at + start.len() + body.len(), *start))
        }
    }
}

/// The private key whose first dash is at a place: up to its end, or the text's.
pub(super) fn block(text: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = &text[at..];
    let kind = rest.strip_prefix(BLOCK.0)?;
    let words = run(kind, |byte| byte.is_ascii_uppercase() || byte == b' ');
    // The dashes at the end of the line are not part of the run.
    let head = words.len() + 5;
    let is_key = kind.get(..head)?.ends_with(BLOCK.1);
    let body = at + BLOCK.0.len() + head;
    let behind = text.get(body..)?;
    let end = behind.windows(9).position(|window| window == b"-----END ").unwrap_or(behind.len());
    (is_key && !behind[..end].iter().all(|byte| matches!(*byte, super::editor::MASK | b'\n' | b'\r')))
        .then_some(body..body + end)
}

fn run(text: &[u8], is: impl Fn(u8) -> bool) -> &[u8] {
    let len = text.iter().position(|byte| !is(*byte)).unwrap_or(text.len());
    &text[..len]
}

/// `Bearer …`: the token.
fn bearer(rest: &[u8]) -> Option<Range<usize>> {
    const WORD: &[u8] = b"bearer ";
    rest.get(..WORD.len()).filter(|word| word.eq_ignore_ascii_case(WORD))?;
    let is = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'~' | b'+' | b'/' | b'=' | b'-');
    let token = run(&rest[WORD.len()..], is);
    let least = if token.iter().any(u8::is_ascii_digit) { 8 } else { 16 };
    (token.len() >= least).then(|| WORD.len()..WORD.len() + token.len())
}

/// `eyJ….….…`
fn web_token(rest: &[u8]) -> Option<usize> {
    if !rest.starts_with(b"eyJ") {
        return None;
    }
    let is = |byte: u8| Letters::Both.has(byte);
    let head = run(rest, is).len();
    let body = rest.get(head).filter(|byte| **byte == b'.').map(|_| run(&rest[head + 1..], is).len())?;
    let mut len = head + 1 + body;
    if rest.get(len) == Some(&b'.') {
        len += 1 + run(&rest[len + 1..], is).len();
    }
    (head >= 8 && body >= 8).then_some(len)
}
