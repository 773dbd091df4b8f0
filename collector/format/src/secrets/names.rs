//! Names whose values are secrets.

/// The longest name that is looked at.
pub(super) const LONGEST: usize = 96;

/// The most words of a name.
const MOST_WORDS: usize = 16;

/// Strength of a name as evidence of a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Every value is a secret.
    Secret,
    /// A small number is not a secret: a token of text, a switch.
    Token,
}

/// Words that make a name a secret's wherever they stand in it.
const ALWAYS: [&str; 20] = [
    "password",
    "passwords",
    "passwd",
    "passphrase",
    "secret",
    "secrets",
    "credential",
    "credentials",
    "authorization",
    "apikey",
    "apikeys",
    "accesskey",
    "privatekey",
    "secretkey",
    "authkey",
    "apitoken",
    "accesstoken",
    "authtoken",
    "hftoken",
    "bearertoken",
];

/// Endings of names of environment variables that need no `_` before them, as in `PGPASSWORD`. The whole name is in capitals.
const CAPITALS: [&str; 6] = ["PASSWORD", "PASSWD", "PASSPHRASE", "SECRET", "CREDENTIAL", "CREDENTIALS"];

/// Words before `key` that make it one that opens something.
const BEFORE_KEY: [&str; 7] = ["api", "access", "private", "auth", "account", "signing", "encryption"];

/// Last words that name something about a secret, not itself.
const ABOUT: [&str; 48] = [
    "file", "files", "path", "paths", "dir", "folder", "name", "names", "len", "length", "size", "count", "num", "min",
    "max", "type", "types", "mode", "policy", "ttl", "url", "uri", "endpoint", "enabled", "disabled", "required",
    "stdin", "prompt", "version", "format", "env", "provider", "helper", "store", "py", "pyc", "rs", "c", "cc", "cpp",
    "h", "js", "so", "json", "yaml", "yml", "txt", "pem",
];

/// Words before `token` that make it a part of a text.
const TEXT_TOKEN: [&str; 27] = [
    "eos",
    "bos",
    "pad",
    "unk",
    "sep",
    "cls",
    "mask",
    "stop",
    "start",
    "end",
    "special",
    "image",
    "audio",
    "video",
    "next",
    "last",
    "first",
    "per",
    "output",
    "input",
    "prompt",
    "max",
    "min",
    "num",
    "decoder",
    "new",
    "generated",
];

/// Words before `auth` that make it a switch.
const SWITCH: [&str; 9] = ["no", "use", "skip", "disable", "enable", "require", "requires", "with", "without"];

/// Returns the part before an ending of a word in capitals; `None` for other words and words without such an ending.
fn before_capitals<'a>(word: &'a [u8], endings: &[&str]) -> Option<&'a [u8]> {
    let before = endings.iter().find_map(|ending| word.strip_suffix(ending.as_bytes()))?;
    (!before.is_empty() && before.iter().all(u8::is_ascii_uppercase)).then_some(before)
}

fn is(word: &[u8], list: &[&str]) -> bool {
    list.iter().any(|one| word.eq_ignore_ascii_case(one.as_bytes()))
}

/// Whether a name may be a secret's: a quick check of its letters that excludes most names.
fn may_be(name: &[u8]) -> bool {
    // `token` and `key`; `pass`, `auth`, `secret` and `credential`; `db_pwd`.
    let mut before = 0;
    name.iter().any(|byte| {
        let byte = byte | 0x20;
        let hit = byte == b'k' || matches!((before, byte), (b's', b's') | (b't', b'h') | (b'c', b'r') | (b'p', b'w'));
        before = byte;
        hit
    })
}

/// Kind of secret that a name makes of its value; `None` if that is not a secret.
pub(super) fn kind(name: &[u8]) -> Option<Kind> {
    if name.len() > LONGEST || !may_be(name) {
        return None;
    }
    let mut all: [&[u8]; MOST_WORDS] = [&[]; MOST_WORDS];
    let mut count = 0;
    for word in words(name) {
        *all.get_mut(count)? = word;
        count += 1;
    }
    // `token2`, `API_KEY_1`
    while count > 0 && all[count - 1].iter().all(u8::is_ascii_digit) {
        count -= 1;
    }
    let (last, before) = all[..count].split_last()?;
    let last = last.trim_ascii_end();
    let previous = before.last().copied().unwrap_or_default();
    if is(last, &ABOUT) {
        return None;
    }
    let is_key = |pair: &[&[u8]]| is(pair[0], &BEFORE_KEY) && is(pair[1], &["key", "keys"]);
    if all[..count].iter().any(|word| is(word, &ALWAYS)) || all[..count].windows(2).any(is_key) {
        return Some(Kind::Secret);
    }
    // `NOPASSWD`: there is no password.
    let ends_in_secret =
        |word: &&[u8]| before_capitals(word, &CAPITALS).is_some_and(|before| !is(before, &["no", "without"]));
    if all[..count].iter().any(ends_in_secret) {
        return Some(Kind::Secret);
    }
    if before_capitals(last, &["TOKEN"]).is_some_and(|before| !is(before, &TEXT_TOKEN)) {
        return Some(Kind::Token);
    }
    if is(last, &["pwd"]) && !before.is_empty() && !is(previous, &["old", "init"]) {
        return Some(Kind::Secret);
    }
    if is(last, &["token"]) && !is(previous, &TEXT_TOKEN) {
        return Some(Kind::Token);
    }
    (is(last, &["auth"]) && !is(previous, &SWITCH)).then_some(Kind::Token)
}

/// The words of a name, parted by what is no letter or digit, where digits begin at its end, and by changes of case:
/// `hf_token`, `apiKey`, `HFToken`.
fn words(name: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = name;
    std::iter::from_fn(move || {
        while let Some((first, behind)) = rest.split_first()
            && !first.is_ascii_alphanumeric()
        {
            rest = behind;
        }
        let mut len = 0;
        while let Some(byte) = rest.get(len) {
            let begins_word = len > 0 && {
                let before = rest[len - 1];
                let capital_word = byte.is_ascii_uppercase()
                    && before.is_ascii_uppercase()
                    && rest.get(len + 1).is_some_and(u8::is_ascii_lowercase);
                let to_capital = byte.is_ascii_uppercase() && before.is_ascii_lowercase();
                let to_digits = byte.is_ascii_digit() && !before.is_ascii_digit();
                capital_word || to_capital || to_digits
            };
            if !byte.is_ascii_alphanumeric() || begins_word {
                break;
            }
            len += 1;
        }
        let (word, behind) = rest.split_at(len);
        rest = behind;
        (!word.is_empty()).then_some(word)
    })
}

impl Kind {
    /// Whether a value may stay readable: it is empty, a switch, masked already, or a number of a token.
    pub(super) fn allows(self, value: &[u8]) -> bool {
        const NOTHING: [&str; 15] = [
            "",
            "true",
            "false",
            "none",
            "null",
            "nil",
            "nan",
            "yes",
            "no",
            "on",
            "off",
            "undefined",
            "auto",
            "basic",
            "bearer",
        ];
        is(value, &NOTHING)
            || value.iter().all(|byte| *byte == super::editor::MASK)
            || (self == Self::Token
                && value.len() <= 8
                && value.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-')))
    }
}
