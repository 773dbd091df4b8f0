//! Copies a file without its secrets, whatever kind of text it is: unpacked, in pieces of any size.

use std::collections::BTreeSet;

use super::editor::{Editor, FoundSecrets};
use super::{JsonMask, LineMask, is_secret_name, masked, masked_value};
use crate::compact::{Item, Reader, Rewriter, TAG, TextOf};
use crate::{ArgumentValue, Kind};

/// Bytes from which the kind of a file is detected.
const HEAD: usize = 64;

/// Copies a file without its secrets. It is read twice: first [to find them](CopyMask::default), and, if there are
/// [any](CopyMask::found), [once more](CopyMask::again) to copy it. Both passes put out a copy; only the second one's is whole.
///
/// Copies are as long as the files, and what is not masked stands where it stood, unless an editor changes texts.
#[derive(Debug, Default)]
pub struct CopyMask {
    head: Vec<u8>,
    form: Form,
    found: FoundSecrets,
    /// Names that are values of arguments with secret names, by process.
    secret_names: BTreeSet<(u32, u32)>,
}

#[derive(Debug, Default)]
enum Form {
    #[default]
    Unknown,
    Json(JsonMask),
    Lines(LineMask),
    Recording(Box<Recording>),
    /// Copied as it is: lengths and numbers stand between the texts.
    Binary(LineMask),
}

#[derive(Debug, Default)]
struct Recording {
    rewriter: Rewriter,
    reader: Reader,
    /// Names by process and number that are secrets' names.
    keys: BTreeSet<(u32, u32)>,
}

impl CopyMask {
    /// For the second pass.
    #[must_use]
    pub fn again(self) -> Self {
        Self { secret_names: self.secret_names, ..Self::default() }
    }

    /// The secrets so far.
    #[must_use]
    pub fn found(&self) -> &FoundSecrets {
        &self.found
    }

    /// Whether the copy has no secrets: false of a binary file that has some.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.found.count == 0 || !matches!(self.form, Form::Binary(_))
    }

    /// Takes the next bytes, and puts out what is finished.
    pub fn push(&mut self, piece: &[u8], out: &mut Vec<u8>, editor: &mut dyn Editor) {
        if let Form::Unknown = self.form {
            self.head.extend_from_slice(piece);
            if self.head.len() < HEAD {
                return;
            }
            self.begin(out, editor);
        } else {
            self.copy(piece, out, editor);
        }
    }

    /// Puts out what is left.
    pub fn finish(&mut self, out: &mut Vec<u8>, editor: &mut dyn Editor) {
        if let Form::Unknown = self.form {
            self.begin(out, editor);
        }
        let Self { form, found, secret_names, .. } = self;
        let both = &mut Both { found, editor };
        match form {
            Form::Unknown => {}
            Form::Json(mask) => mask.finish(out, both),
            Form::Lines(mask) => mask.finish(out, both),
            Form::Binary(mask) => mask.finish(&mut Vec::new(), both.found),
            Form::Recording(recording) => {
                recording.reader.close();
                recording.look(secret_names);
                recording.rewriter.finish(out, &mut |of, text| edit(of, text, secret_names, both));
            }
        }
    }

    fn begin(&mut self, out: &mut Vec<u8>, editor: &mut dyn Editor) {
        let head = std::mem::take(&mut self.head);
        let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&head);
        let start = &text[..text.len().min(HEAD)];
        let first = text.iter().find(|byte| !byte.is_ascii_whitespace());
        self.form = if head.starts_with(&TAG) {
            Form::Recording(Box::default())
        } else if start.iter().any(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace()) {
            Form::Binary(LineMask::default())
        } else if matches!(first, Some(b'{' | b'[')) {
            Form::Json(JsonMask::default())
        } else {
            Form::Lines(LineMask::default())
        };
        self.copy(&head, out, editor);
    }

    fn copy(&mut self, piece: &[u8], out: &mut Vec<u8>, editor: &mut dyn Editor) {
        let Self { form, found, secret_names, .. } = self;
        let both = &mut Both { found, editor };
        match form {
            Form::Unknown => {}
            Form::Json(mask) => mask.push(piece, out, both),
            Form::Lines(mask) => mask.push(piece, out, both),
            Form::Binary(mask) => {
                mask.push(piece, &mut Vec::new(), both.found);
                out.extend_from_slice(piece);
            }
            Form::Recording(recording) => {
                recording.reader.feed(piece);
                recording.look(secret_names);
                recording.rewriter.push(piece, out, &mut |of, text| edit(of, text, secret_names, both));
            }
        }
    }
}

impl Recording {
    /// Looks for arguments with secret names. A value's text stands before it.
    fn look(&mut self, secret_names: &mut BTreeSet<(u32, u32)>) {
        while let Some(item) = self.reader.next() {
            match item {
                Item::Names { process, names } => {
                    let keys = names.into_iter().filter(|(_, name)| is_secret_name(name));
                    self.keys.extend(keys.map(|(number, _)| (process, number)));
                }
                Item::Records { process, records, .. } if !self.keys.is_empty() => {
                    let arguments = records.iter().filter(|record| record.kind == Kind::Argument);
                    let secret = arguments.filter(|record| self.keys.contains(&(process, record.name)));
                    secret_names.extend(secret.filter_map(|record| match ArgumentValue::of(record) {
                        Some(ArgumentValue::Text(number)) => Some((process, number)),
                        _ => None,
                    }));
                }
                _ => {}
            }
        }
    }
}

/// Counts secrets, and passes texts on.
struct Both<'a> {
    found: &'a mut FoundSecrets,
    editor: &'a mut dyn Editor,
}

impl Editor for Both<'_> {
    fn found(&mut self, name: &str) {
        self.found.found(name);
        self.editor.found(name);
    }

    fn edit(&mut self, key: &[u8], content: &mut Vec<u8>) {
        self.editor.edit(key, content);
    }
}

/// A text of a recording without its secrets, and edited.
fn edit(of: TextOf<'_>, text: String, secret_names: &BTreeSet<(u32, u32)>, editor: &mut dyn Editor) -> String {
    let key = if let TextOf::Fact(key) = of { key } else { "" };
    let mut content = mask_of(of, text, secret_names, editor).into_bytes();
    editor.edit(key.as_bytes(), &mut content);
    String::from_utf8(content).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

fn mask_of(of: TextOf<'_>, text: String, secret_names: &BTreeSet<(u32, u32)>, found: &mut dyn Editor) -> String {
    match of {
        TextOf::Fact(key) => masked_value(key, text, found),
        TextOf::Name { process, number } if secret_names.contains(&(process, number)) => {
            if !text.bytes().all(|byte| byte == super::editor::MASK) {
                found.found("argument");
            }
            "*".repeat(text.len())
        }
        TextOf::Name { .. } => masked(text, found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compact::{Process, Writer};
    use crate::{Category, Record};

    fn copied(file: &[u8], piece: usize) -> (Vec<u8>, CopyMask) {
        let mut mask = CopyMask::default();
        file.chunks(piece).for_each(|piece| mask.push(piece, &mut Vec::new(), &mut ()));
        mask.finish(&mut Vec::new(), &mut ());
        let (mut again, mut out) = (mask.again(), Vec::new());
        file.chunks(piece).for_each(|piece| again.push(piece, &mut out, &mut ()));
        again.finish(&mut out, &mut ());
        (out, again)
    }

    #[test]
    fn recordings_are_copied_with_right_checksums() {
        let mut writer = Writer::new();
        let facts =
            vec![("command".to_owned(), "x --token made-up".to_owned()), ("API_KEY".to_owned(), "made-up".to_owned())];
        writer.process(&Process { facts, ..Process::default() });
        for (number, name) in [(1, "step"), (2, "password"), (3, "made-up value"), (4, "x --secret made-up")] {
            writer.name(0, number, name);
        }
        let [extent, value] = ArgumentValue::Text(3).words();
        let argument =
            Record { kind: Kind::Argument, category: Category::General, aux: 0, name: 2, at: 5, extent, value };
        let span = Record { kind: Kind::Span, name: 1, extent: 3, value: 0, ..argument };
        for record in [argument, span] {
            writer.record(0, 1, record);
        }
        let mut file = writer.finish();
        for piece in [1, 7, 4096] {
            let (copy, mask) = copied(&file, piece);
            assert_eq!((copy.len(), mask.found().count, mask.is_clean()), (file.len(), 4, true));
            assert!(!copy.windows(7).any(|window| window == b"made-up"));
            let items = |file: &[u8]| {
                let mut reader = Reader::new();
                reader.feed(file);
                reader.close();
                std::iter::from_fn(move || reader.next()).collect::<Vec<Item>>()
            };
            let (before, after) = (items(&file), items(&copy));
            assert_eq!(before.len(), after.len());
            assert_eq!(before.last(), after.last(), "records are as they were");
            assert!(!after.iter().any(|item| matches!(item, Item::Damage(_))));
        }
        // Damaged parts are not copied.
        let place = file.windows(8).position(|window| window == b"--secret").unwrap_or_default();
        file[place] ^= 1;
        let (copy, _) = copied(&file, 100);
        assert_eq!(copy.len(), file.len());
        assert!(!copy.windows(7).any(|window| window == b"made-up"));
    }

    #[test]
    fn each_kind_of_file_is_masked_in_its_way() {
        for (file, expected, clean) in [
            (" {\"password\": \"made up\"}", " {\"password\": \"*******\"}", true),
            ("a,b\npassword=made-up,3\n", "a,b\npassword=*******,3\n", true),
            ("SQLite format 3\0 password=made-up\0", "SQLite format 3\0 password=made-up\0", false),
            ("SQLite format 3\0 nothing\0", "SQLite format 3\0 nothing\0", true),
            ("", "", true),
        ] {
            let (copy, mask) = copied(file.as_bytes(), 9);
            assert_eq!((String::from_utf8_lossy(&copy), mask.is_clean()), (expected.into(), clean));
        }
    }
}
