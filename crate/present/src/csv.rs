//! Tables as CSV (RFC 4180), safe to open in a spreadsheet.

use std::borrow::Cow;

/// A table's rows as CSV; the first row has the headings.
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

/// A cell, quoted where necessary.
pub fn cell(text: &str) -> Cow<'_, str> {
    let defused = defused(text, ELSEWHERE);
    if matches!(defused, Cow::Owned(_)) || text.contains([',', '"', '\n', '\r']) {
        in_quotes(&defused).into()
    } else {
        text.into()
    }
}

/// A cell in quotes, whether or not it needs them.
pub fn quoted(text: &str) -> String {
    in_quotes(&defused(text, ELSEWHERE))
}

/// A line of text above a table: no part of it that would be a cell of its own begins a formula.
#[must_use]
pub fn line(text: &str) -> String {
    defused(text, &[',', ';', '\t']).replace(['\n', '\r'], " ")
}

/// Separators of cells where a comma is a decimal's: spreadsheets split the same file there, and ignore a quote that
/// does not begin a cell.
const ELSEWHERE: &[char] = &[';', '\t'];

/// A text in which neither the beginning nor the text after one of the separators is a formula.
fn defused<'a>(text: &'a str, parting: &[char]) -> Cow<'a, str> {
    let after = text.match_indices(parting).map(|(at, sign)| at + sign.len());
    let begins = |at: &usize| is_formula(text[*at..].split(parting).next().unwrap_or_default());
    let whole = is_formula(text).then_some(0);
    let formulas: Vec<usize> = whole.into_iter().chain(after.filter(begins)).collect();
    if formulas.is_empty() {
        return text.into();
    }
    let mut defused = String::with_capacity(text.len() + formulas.len());
    let mut done = 0;
    for at in formulas {
        defused.push_str(&text[done..at]);
        defused.push('\'');
        done = at;
    }
    defused.push_str(&text[done..]);
    defused.into()
}

fn in_quotes(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// Whether a spreadsheet might evaluate it: a text that begins with one of these signs, or a wide one, and is neither a
/// number nor the sign alone. Some spreadsheets skip white space before the sign.
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
    fn nothing_is_a_formula_where_semicolons_or_tabs_part_cells() {
        let rows = ["f<int>; -3; T=x", "a;=1+1", "a\t@b;c;+d(1)"].map(|cell| vec![cell.to_owned()]);
        assert_eq!(csv(&rows), b"f<int>; -3; T=x\r\n\"a;'=1+1\"\r\n\"a\t'@b;c;'+d(1)\"\r\n");
    }

    #[test]
    fn numbers_and_signs_that_stand_for_nothing_stay() {
        let rows = ["-", "+", "-1.5e3", " -2", "a=b"].map(|cell| vec![cell.to_owned()]);
        assert_eq!(csv(&rows), b"-\r\n+\r\n-1.5e3\r\n -2\r\na=b\r\n");
    }

    #[test]
    fn a_line_above_a_table_begins_no_formula_where_it_is_cut() {
        assert_eq!(line("run a, b -c"), "run a, b -c");
        assert_eq!(line("=1,-5,@b\n=c"), "'=1,-5,'@b =c");
    }
}
