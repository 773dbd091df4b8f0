//! Reports as text. The page gets text, too, and parses it, which is faster than creating objects one member at a
//! time. Text is the only form of a report, which keeps the program small.

use serde::Serialize;

/// A report as JSON on one line.
#[must_use]
pub fn json(report: &impl Serialize) -> Vec<u8> {
    // Writing plain structs to memory cannot fail.
    serde_json::to_vec(report).unwrap_or_default()
}

/// JSON on one line, formatted over several lines with two spaces for each level.
#[must_use]
pub fn indented(json: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(json.len() * 3 / 2);
    let mut depth = 0;
    let mut bytes = json.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => {
                text.push(byte);
                while let Some(inner) = bytes.next() {
                    text.push(inner);
                    match inner {
                        b'"' => break,
                        b'\\' => text.extend(bytes.next()),
                        _ => {}
                    }
                }
            }
            b'{' | b'[' => {
                text.push(byte);
                match bytes.next_if(|next| *next == byte + 2) {
                    Some(close) => text.push(close),
                    None => {
                        depth += 1;
                        new_line(&mut text, depth);
                    }
                }
            }
            b'}' | b']' => {
                depth -= 1;
                new_line(&mut text, depth);
                text.push(byte);
            }
            b',' => {
                text.push(byte);
                new_line(&mut text, depth);
            }
            b':' => text.extend_from_slice(b": "),
            _ => text.push(byte),
        }
    }
    text
}

fn new_line(text: &mut Vec<u8>, depth: usize) {
    text.push(b'\n');
    text.extend(std::iter::repeat_n(b' ', 2 * depth));
}

#[cfg(test)]
mod tests {
    use super::indented;

    #[test]
    fn as_serde_json_lays_it_out() {
        for text in [
            r#"{}"#,
            r#"[]"#,
            r#""a""#,
            r#"{"a\\":[1,-2.5e3,null],"b, \"{":{"c":[],"d":{}},"e":[[true]]}"#,
            r#"[{},{"é":"\u0001:"}]"#,
        ] {
            let value: serde_json::Value = serde_json::from_str(text).unwrap();
            let compact = serde_json::to_vec(&value).unwrap();
            assert_eq!(indented(&compact), serde_json::to_vec_pretty(&value).unwrap());
        }
    }
}
