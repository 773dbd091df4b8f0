//! Tables as CSV (RFC 4180), safe to open in a spreadsheet.

/// A table's rows as CSV; the first row holds the headings.
///
/// A cell that a spreadsheet would take for a formula gets an apostrophe in front.
///
/// ```
/// use stepscope::export::csv::csv;
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
            write_cell(&mut text, cell);
        }
        text.extend_from_slice(b"\r\n");
    }
    text
}

fn write_cell(text: &mut Vec<u8>, cell: &str) {
    let formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell.parse::<f64>().is_err();
    let quoted = formula || cell.contains([',', '"', '\n', '\r']);
    if !quoted {
        text.extend_from_slice(cell.as_bytes());
        return;
    }
    text.push(b'"');
    if formula {
        text.push(b'\'');
    }
    text.extend_from_slice(cell.replace('"', "\"\"").as_bytes());
    text.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::csv;

    #[test]
    fn formulas_are_defused() {
        let rows = [vec!["=HYPERLINK(\"x\")".to_owned(), "-1.5".to_owned(), "@a".to_owned(), "plain".to_owned()]];
        assert_eq!(csv(&rows), b"\"'=HYPERLINK(\"\"x\"\")\",-1.5,\"'@a\",plain\r\n");
    }
}
