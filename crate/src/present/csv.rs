//! Tables as CSV (RFC 4180), safe to open in a spreadsheet.

use std::borrow::Cow;

/// A table's rows as CSV; the first row holds the headings.
///
/// A cell that a spreadsheet would take for a formula gets an apostrophe in front.
///
/// ```
/// use stepscope::present::csv::csv;
///
/// let rows = [vec!["name".to_owned(), "calls".to_owned()], vec!["a, \"b\"".to_owned(), "-3".to_owned()]];
/// assert_eq!(csv(&rows), b"name,calls\r\n\"a, \"\"b\"\"\",-3\r\n");
/// ```
#[must_use]
pub fn csv(rows: &[Vec<String>]) -> Vec<u8> {
    let mut text = Vec::new();
    for row in rows {
        for (index, cell) in row.iter().enumerate() {
            if index > 0 {
                text.push(b',');
            }
            text.extend_from_slice(self::cell(cell).as_bytes());
        }
        text.extend_from_slice(b"\r\n");
    }
    text
}

/// A cell, in quotes where it must be.
pub(crate) fn cell(text: &str) -> Cow<'_, str> {
    if is_formula(text) || text.contains([',', '"', '\n', '\r']) { quoted(text).into() } else { text.into() }
}

/// A cell between two quotes, whether or not it needs them.
pub(crate) fn quoted(text: &str) -> String {
    let defused = if is_formula(text) { "'" } else { "" };
    format!("\"{defused}{}\"", text.replace('"', "\"\""))
}

/// A line of text that stands above a table: each part that would be a cell of its own begins no formula.
#[must_use]
pub fn line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut begins = true;
    for (at, sign) in text.char_indices() {
        if begins && is_formula(&text[at..]) {
            line.push('\'');
        }
        begins = sign == ',';
        line.push(if sign == '\n' || sign == '\r' { ' ' } else { sign });
    }
    line
}

/// Whether a spreadsheet might work it out: what begins with one of these signs, also a wide one, and is neither a number
/// nor the sign alone. White space before the sign is passed over by some of them.
fn is_formula(text: &str) -> bool {
    let begun = text.trim_start_matches(|sign: char| sign.is_whitespace() || sign.is_control());
    let Some(rest) = begun.strip_prefix(['=', '+', '-', '@', '＝', '＋', '－', '＠']) else {
        return text.starts_with(['\t', '\r', '\n']);
    };
    !rest.is_empty() && begun.parse::<f64>().is_err()
}

#[cfg(test)]
mod tests {
    use super::{csv, line};

    #[test]
    fn formulas_are_defused() {
        let rows = [vec!["=HYPERLINK(\"x\")".to_owned(), "-1.5".to_owned(), "@a".to_owned(), "plain".to_owned()]];
        assert_eq!(csv(&rows), b"\"'=HYPERLINK(\"\"x\"\")\",-1.5,\"'@a\",plain\r\n");
    }

    #[test]
    fn a_formula_may_hide_behind_a_line_break_or_be_wide() {
        let rows = ["\n=1+1", "\r\n@a", "＝1+1", " =1"].map(|cell| vec![cell.to_owned()]);
        assert_eq!(csv(&rows), "\"'\n=1+1\"\r\n\"'\r\n@a\"\r\n\"'＝1+1\"\r\n\"' =1\"\r\n".as_bytes());
    }

    #[test]
    fn numbers_and_signs_that_stand_for_nothing_stay() {
        let rows = ["-", "+", "-1.5e3", " -2", "a=b"].map(|cell| vec![cell.to_owned()]);
        assert_eq!(csv(&rows), b"-\r\n+\r\n-1.5e3\r\n -2\r\na=b\r\n");
    }

    #[test]
    fn a_line_above_a_table_begins_no_formula_where_it_is_cut() {
        assert_eq!(line("run a, b -c"), "run a, b -c");
        assert_eq!(line("=1,-5,@b\n=c"), "'=1,'-5,'@b =c");
    }
}
