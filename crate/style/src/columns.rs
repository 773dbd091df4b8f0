//! Rows of left-aligned cells under a line of dashes, as Paddle prints them.

/// The width between two columns, and after the last.
const SPACE: usize = 2;

/// The widths of a table's columns.
pub(super) struct Columns(Vec<usize>);

impl Columns {
    pub(super) fn new(widths: &[usize]) -> Self {
        Self(widths.to_vec())
    }

    /// Columns with at least these widths, and wide enough for the cells of the rows.
    pub(super) fn fitting<'a>(least: &[usize], rows: impl Iterator<Item = &'a [String]>) -> Self {
        let mut widths = least.to_vec();
        for row in rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.chars().count());
            }
        }
        Self(widths)
    }

    /// The columns with one of exactly that width, whatever its cells.
    pub(super) fn with_width(mut self, column: usize, width: usize) -> Self {
        if let Some(known) = self.0.get_mut(column) {
            *known = width;
        }
        self
    }

    /// The width of the whole table.
    fn length(&self) -> usize {
        self.0.iter().map(|width| width + SPACE).sum::<usize>().saturating_sub(SPACE)
    }

    /// A title in the middle of a line of dashes.
    pub(super) fn title(&self, text: &str) -> String {
        let left = self.length().saturating_sub(text.chars().count());
        format!("{}{text}{}\n", "-".repeat(left / 2), "-".repeat(left - left / 2))
    }

    /// A line of dashes with gaps between the columns.
    pub(super) fn rule(&self) -> String {
        let mut text = String::new();
        for width in &self.0 {
            text.push_str(&"-".repeat(*width));
            text.push_str("  ");
        }
        text.push('\n');
        text
    }

    /// A line of dashes without gaps.
    pub(super) fn end(&self) -> String {
        format!("{}\n", "-".repeat(self.length()))
    }

    /// A row of cells.
    pub(super) fn row<S: AsRef<str>>(&self, cells: &[S]) -> String {
        let mut text = String::new();
        for (cell, width) in cells.iter().zip(&self.0) {
            text.push_str(&format!("{:<width$}  ", cell.as_ref()));
        }
        text.push('\n');
        text
    }
}

/// A text padded on both sides, in the same way as by Python's `str.center`.
pub(super) fn centered(text: &str, width: usize, fill: &str) -> String {
    let left = width.saturating_sub(text.chars().count());
    let before = left / 2 + (left & width & 1);
    format!("{}{text}{}", fill.repeat(before), fill.repeat(left - before))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_odd_rest_goes_where_python_puts_it() {
        assert_eq!(centered("batch_cost", 15, " "), "   batch_cost  ");
        assert_eq!(centered("ips", 15, " "), "      ips      ");
        assert_eq!(centered("abc", 4, "="), "abc=");
    }

    #[test]
    fn cells_are_as_wide_as_the_widest() {
        let rows = [vec!["a".to_owned(), "long cell".to_owned()]];
        let columns = Columns::fitting(&[3, 4], rows.iter().map(Vec::as_slice));
        assert_eq!(columns.rule(), "---  ---------  \n");
        assert_eq!(columns.row(&rows[0]), "a    long cell  \n");
        assert_eq!(columns.title("Title"), "----Title-----\n");
    }
}
