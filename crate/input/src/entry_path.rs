//! Safe paths of an archive's entries: cleaned to plain names, and distinct.

use std::collections::HashMap;

/// Longer paths are cut: no file system has them.
const LONGEST: usize = 1024;

/// Removes from a path what could lead elsewhere: roots, drives, `.` and `..`, backslashes, control characters.
///
/// Returns the cleaned path, and whether more than its spelling changed.
pub(super) fn cleaned(path: &str) -> (String, bool) {
    let mut odd = false;
    let slashes = path.replace('\\', "/");
    odd |= slashes.starts_with('/');
    let mut parts: Vec<String> = Vec::new();
    for part in slashes.split('/') {
        // Control characters go first: they could hide a `..`.
        let plain: String = part.chars().filter(|one| !one.is_control()).collect();
        odd |= plain.len() < part.len();
        match plain.as_str() {
            "" | "." => {}
            ".." => odd = true,
            drive if parts.is_empty() && is_drive(drive) => odd = true,
            _ => parts.push(plain),
        }
    }
    let mut clean = parts.join("/");
    if clean.len() > LONGEST {
        odd = true;
        let end = (0..=LONGEST).rev().find(|end| clean.is_char_boundary(*end)).unwrap_or_default();
        clean.truncate(end);
        // A cut after a folder would leave a file without a name; a cut within dots, another folder.
        while clean.ends_with(['/', '.']) {
            clean.pop();
        }
    }
    if clean.is_empty() {
        return ("unnamed".to_owned(), true);
    }
    (clean, odd)
}

fn is_drive(part: &str) -> bool {
    matches!(part.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

/// Whether users do not mean such a file when they open its folder: hidden ones, and those that macOS adds to
/// archives.
pub(super) fn is_hidden(path: &str) -> bool {
    path.split('/').any(|part| part == "__MACOSX" || part.starts_with('.'))
}

/// Makes equal paths distinct.
#[derive(Default)]
pub(super) struct Distinct {
    /// The number of times each path was seen.
    seen: HashMap<String, u32>,
}

impl Distinct {
    /// The path, with a number if it was seen before, and whether it was.
    pub(super) fn of(&mut self, path: String) -> (String, bool) {
        let count = self.seen.entry(path.clone()).and_modify(|count| *count += 1).or_insert(1);
        if *count == 1 {
            return (path, false);
        }
        let numbered = format!("{path} ({count})");
        (self.of(numbered).0, true)
    }
}

/// A name in UTF-8, or else in the IBM PC's code page, as old zip archives have it.
pub(super) fn decoded(name: &[u8]) -> String {
    const UPPER: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";
    if let Ok(text) = std::str::from_utf8(name) {
        return text.to_owned();
    }
    let upper: Vec<char> = UPPER.chars().collect();
    let character = |byte: &u8| match byte.checked_sub(128) {
        None => char::from(*byte),
        Some(index) => upper.get(usize::from(index)).copied().unwrap_or(char::REPLACEMENT_CHARACTER),
    };
    name.iter().map(character).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_names() {
        for (path, clean, odd) in [
            ("run/rank0.json", "run/rank0.json", false),
            ("./run//rank0.json", "run/rank0.json", false),
            (r"run\rank0.json", "run/rank0.json", false),
            ("../../etc/passwd", "etc/passwd", true),
            ("/etc/passwd", "etc/passwd", true),
            (r"C:\Users\x.json", "Users/x.json", true),
            ("a/\0b\n.json", "a/b.json", true),
            ("..", "unnamed", true),
            ("a/.\0./\0/.\u{1}/b", "a/b", true),
            ("\0C:\\x/../y", "x/y", true),
            ("./C:/D:/x", "x", true),
            ("轨迹/rank0.json", "轨迹/rank0.json", false),
        ] {
            assert_eq!(cleaned(path), (clean.to_owned(), odd), "{path:?}");
        }
        let (long, odd) = cleaned(&"é".repeat(2000));
        assert!(odd && long.len() <= LONGEST);
        assert_eq!(cleaned(&"a/".repeat(2000)).0, "a/".repeat(LONGEST / 2).trim_end_matches('/'));
        assert_eq!(
            cleaned(&format!("{}...x", "a/".repeat(LONGEST / 2 - 1))).0,
            "a/".repeat(LONGEST / 2 - 1).trim_end_matches('/')
        );
        let mut distinct = Distinct::default();
        let names = ["a", "b", "a", "a (2)", "a"].map(|path| distinct.of(path.to_owned()).0);
        assert_eq!(names, ["a", "b", "a (2)", "a (2) (2)", "a (3)"]);
    }

    #[test]
    fn names_of_the_ibm_pc() {
        assert_eq!(decoded(b"M\x81ller.json"), "Müller.json");
        assert_eq!(decoded("Müller.json".as_bytes()), "Müller.json");
        assert_eq!(decoded(&[0xff, 0x80]), "\u{a0}Ç");
        assert!(is_hidden("__MACOSX/a/._b") && is_hidden("a/.git/x") && !is_hidden("a.b/c"));
    }
}
