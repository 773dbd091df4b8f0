//! The words of SQL statements.

/// A word of a statement; comments and white space are left out.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Word {
    /// A name or keyword, unquoted.
    Bare(String),
    /// A name in `"…"`, `[…]` or backticks.
    Quoted(String),
    /// A text in `'…'`.
    Text(String),
    /// A number.
    Number(String),
    /// Anything else.
    Sign(char),
}

impl Word {
    /// Whether it is this keyword.
    pub(super) fn is(&self, keyword: &str) -> bool {
        matches!(self, Self::Bare(word) if word.eq_ignore_ascii_case(keyword))
    }
}

/// The words of a statement. It never fails: the exporter's SQLite has parsed the statement before.
pub(super) fn words(statement: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut rest = statement;
    while let Some(first) = rest.chars().next() {
        let (word, after) = match first {
            _ if rest.starts_with("--") => (None, rest.split_once('\n').map_or("", |(_, after)| after)),
            _ if rest.starts_with("/*") => (None, rest.split_once("*/").map_or("", |(_, after)| after)),
            '"' | '`' => quoted(rest, first, Word::Quoted),
            '\'' => quoted(rest, first, Word::Text),
            '[' => {
                let (name, after) = rest[1..].split_once(']').unwrap_or((&rest[1..], ""));
                (Some(Word::Quoted(name.to_owned())), after)
            }
            _ if first.is_ascii_digit() => {
                let is_part = |character: char| character.is_ascii_alphanumeric() || character == '.';
                let (number, after) = split_where(rest, |character| !is_part(character));
                (Some(Word::Number(number.to_owned())), after)
            }
            _ if is_name(first) => {
                let (name, after) = split_where(rest, |character| !is_name(character));
                (Some(Word::Bare(name.to_owned())), after)
            }
            _ => {
                let after = &rest[first.len_utf8()..];
                ((!first.is_whitespace()).then_some(Word::Sign(first)), after)
            }
        };
        words.extend(word);
        rest = after;
    }
    words
}

fn is_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_' || character == '$'
}

fn split_where(text: &str, ends: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(ends).unwrap_or(text.len()))
}

/// The text in quotes; a doubled quote stands for itself.
fn quoted(text: &str, quote: char, word: fn(String) -> Word) -> (Option<Word>, &str) {
    let mut inside = String::new();
    let mut rest = &text[1..];
    loop {
        let Some((before, after)) = rest.split_once(quote) else {
            inside.push_str(rest);
            return (Some(word(inside)), "");
        };
        inside.push_str(before);
        match after.strip_prefix(quote) {
            Some(more) => {
                inside.push(quote);
                rest = more;
            }
            None => return (Some(word(inside)), after),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_all_kinds() {
        let text = r#"create "a ""b"" c" -- no, comment
            [x y](`end`/* no */ INT'it''s' -1.5e3)"#;
        let drawn: Vec<String> = words(text)
            .into_iter()
            .map(|word| match word {
                Word::Bare(word) => word,
                Word::Quoted(word) => format!("<{word}>"),
                Word::Text(word) => format!("'{word}'"),
                Word::Number(word) => format!("#{word}"),
                Word::Sign(sign) => sign.to_string(),
            })
            .collect();
        assert_eq!(drawn.join(" "), "create <a \"b\" c> <x y> ( <end> INT 'it's' - #1.5e3 )");
        assert_eq!(words("'open"), [Word::Text("open".into())]);
        assert_eq!(words("/*"), []);
    }
}
