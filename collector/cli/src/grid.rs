//! Tables as text: names on the left, numbers on the right, no line longer than the terminal.
//!
//! A name is shortened first: it loses its middle, but stays distinguishable. If the numbers alone are too wide, the
//! table is continued below itself with the names repeated, as nothing is harder to read than wrapped rows.

use std::env;
use std::io::{self, IsTerminal};

use stepscope::present::UnitNames;
use stepscope::present::cells::{cell_of, heading, name_of};
use stepscope::present::kernel_names::TableNames;
use stepscope::present::text::{count, percent_or_dash};
use stepscope::table::{Bar, Column, Table, Unit};
use unicode_width::UnicodeWidthStr;

use crate::cut::{shortened, shortened_apart};

/// Columns if neither a terminal nor `COLUMNS` defines them.
const USUAL_WIDTH: usize = 140;

/// Columns that a name keeps.
const NARROWEST_NAME: usize = 24;

/// Texts that are no names are cut to so many columns.
const TEXT: usize = 60;

/// Between two columns.
const SPACE: &str = "  ";

/// A value with its share, as wide as any other such cell.
pub(crate) fn beside_share(text: &str, share: Option<f64>) -> String {
    format!("{text}  {:>7}", percent_or_dash(share))
}

/// Layout of printed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    /// Columns of a line.
    pub(crate) width: usize,
    /// Whether titles are bold.
    pub(crate) bold: bool,
}

impl Look {
    /// The look of standard output.
    pub(crate) fn of_output() -> Self {
        let out = io::stdout();
        Self::of(out.is_terminal(), terminal_size::terminal_size_of(&out))
    }

    /// The look of standard error.
    #[cfg(target_os = "linux")]
    pub(crate) fn of_errors() -> Self {
        let err = io::stderr();
        Self::of(err.is_terminal(), terminal_size::terminal_size_of(&err))
    }

    fn of(is_terminal: bool, size: Option<(terminal_size::Width, terminal_size::Height)>) -> Self {
        let plain = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
        let from_terminal = size.map(|(width, _)| usize::from(width.0));
        let from_shell = || env::var("COLUMNS").ok()?.parse().ok();
        Self {
            width: from_terminal.or_else(from_shell).filter(|width| *width > 0).unwrap_or(USUAL_WIDTH),
            bold: is_terminal && !plain("NO_COLOR") && !dumb,
        }
    }

    /// A heading's text.
    pub(crate) fn title(self, text: &str) -> String {
        if self.bold { format!("\x1b[1m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// Facts one after the other, on as many lines as they need.
    pub(crate) fn line(self, facts: &[String]) -> String {
        const BETWEEN: &str = " · ";
        let mut text = String::new();
        let mut used = 0;
        for (index, fact) in facts.iter().enumerate() {
            let wanted = BETWEEN.width() + fact.width();
            if index == 0 {
                used = fact.width();
            } else if used + wanted <= self.width {
                text.push_str(BETWEEN);
                used += wanted;
            } else {
                text.push_str("\n  ");
                used = 2 + fact.width();
            }
            text.push_str(fact);
        }
        text.push('\n');
        text
    }
}

/// A table: a name per row, and its values.
pub(crate) struct Grid {
    title: String,
    /// The columns' heads; a line break makes two lines of one.
    heads: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Grid {
    pub(crate) fn new<H: Into<String>>(
        title: &str,
        heads: impl IntoIterator<Item = H>,
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> Self {
        Self {
            title: title.to_owned(),
            heads: heads.into_iter().map(Into::into).collect(),
            rows: rows.into_iter().collect(),
        }
    }

    /// A table of an analysis, with the columns that tables show. The first one's cells are names.
    pub(crate) fn of(title: &str, table: &Table, units: UnitNames) -> Self {
        Self::with(title, table, units, |_, _, text| text)
    }

    /// The same, with what else cells say, given the row, the column and its text.
    pub(crate) fn with(
        title: &str,
        table: &Table,
        units: UnitNames,
        more: impl Fn(usize, &Column, String) -> String,
    ) -> Self {
        let heads = table.shown().map(|(column, _)| two_lines(&heading(table.id, column, units)));
        let kernels = TableNames::of(table);
        let cells = table.cells(|row, column, value| {
            let is_without = column.with.is_some_and(|key| !table.has(row, key));
            let text = cell_of(table.id, &table.column_of(row, column), (&value, is_without), units);
            let text = match column.bar {
                Bar::PartOf(_) if !value.is_nothing() => beside_share(&text, table.share_of_whole(row, column)),
                _ => text,
            };
            let text = if column.unit == Unit::KernelName { kernels.short(&text).to_owned() } else { text };
            match column.unit {
                _ if column.key == "name" => name_of(text, table.name_parts(row), units),
                Unit::Text | Unit::KernelName => shortened(&printable(&text), TEXT),
                _ => more(row, column, text),
            }
        });
        Self::new(title, heads.collect::<Vec<_>>(), cells)
    }

    /// The table with other names of its rows.
    pub(crate) fn named(mut self, names: impl Iterator<Item = String>) -> Self {
        for (row, name) in self.rows.iter_mut().zip(names) {
            if let Some(first) = row.first_mut() {
                *first = name;
            }
        }
        self
    }

    /// The table with a column after the others, unless it is empty.
    pub(crate) fn beside(mut self, head: &str, cells: impl Iterator<Item = String>) -> Self {
        let cells: Vec<String> = cells.collect();
        if cells.iter().any(|cell| !cell.is_empty()) {
            self.heads.push(head.to_owned());
            self.rows.iter_mut().zip(cells).for_each(|(row, cell)| row.push(cell));
        }
        self
    }

    /// The table without some columns, by their heads.
    pub(crate) fn without(mut self, is_left_out: impl Fn(&str) -> bool) -> Self {
        let stays: Vec<bool> = self.heads.iter().map(|head| !is_left_out(head)).collect();
        self.keep(&stays);
        self
    }

    fn keep(&mut self, stays: &[bool]) {
        for cells in self.rows.iter_mut().chain([&mut self.heads]) {
            let mut stays = stays.iter().copied();
            cells.retain(|_| stays.next().unwrap_or(true));
        }
    }

    /// The table as text with at most `top` rows, 0 for all; nothing at all without rows.
    pub(crate) fn to_text(&self, look: Look, top: usize) -> String {
        let all = self.rows.len();
        if all == 0 {
            return String::new();
        }
        let rows = &self.rows[..if top == 0 { all } else { top.min(all) }];
        let names: Vec<String> = rows.iter().filter_map(|row| row.first()).map(|name| printable(name)).collect();
        let head_width = |head: &str| head.split('\n').map(UnicodeWidthStr::width).max().unwrap_or_default();
        let widths: Vec<usize> = (1..self.heads.len())
            .map(|column| {
                let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width());
                cells.chain([head_width(&self.heads[column])]).max().unwrap_or_default()
            })
            .collect();
        let first = self.heads.first().map_or("", String::as_str);
        let widest = names.iter().map(|name| name.width()).chain([head_width(first)]).max().unwrap_or_default();
        let (name_width, blocks) = fit(widest, &widths, look.width);
        let names = shortened_apart(&names, name_width);
        let mut text = format!("\n{}\n", look.title(&self.title));
        for (number, block) in blocks.iter().enumerate() {
            if number > 0 {
                text.push('\n');
            }
            self.block(block.clone(), &widths, (&names, name_width), rows, &mut text);
        }
        if rows.len() < all {
            text.push_str(&format!("… and {} more (--top 0 shows all)\n", count((all - rows.len()) as u64)));
        }
        text
    }

    /// Some of the columns, after the names.
    fn block(
        &self,
        columns: std::ops::Range<usize>,
        widths: &[usize],
        names: (&[String], usize),
        rows: &[Vec<String>],
        text: &mut String,
    ) {
        let (names, name_width) = names;
        let heads: Vec<Vec<&str>> = self.heads.iter().map(|head| head.split('\n').collect()).collect();
        let shown = || columns.clone().map(|column| column + 1);
        let lines = shown().chain([0]).filter_map(|column| heads.get(column)).map(Vec::len).max().unwrap_or(1);
        for line in 0..lines {
            // One line of two stands at the bottom.
            let part = |column: usize| {
                let head = &heads[column];
                (line + head.len()).checked_sub(lines).map_or("", |line| head[line])
            };
            let cells = shown().map(|column| (part(column), widths[column - 1]));
            push_line(text, (part(0), name_width), cells);
        }
        for (name, row) in names.iter().zip(rows) {
            let cells = shown().map(|column| (row.get(column).map_or("", String::as_str), widths[column - 1]));
            push_line(text, (name, name_width), cells);
        }
    }
}

/// A heading of several words on two lines, as even as they can be.
fn two_lines(text: &str) -> String {
    let breaks = text.match_indices(' ').map(|(at, _)| at);
    let best = breaks.min_by_key(|at| (2 * at).abs_diff(text.len()));
    best.map_or_else(|| text.to_owned(), |at| [&text[..at], &text[at + 1..]].join("\n"))
}

/// The names' width, and which columns stand beside them in each block.
fn fit(widest: usize, widths: &[usize], line: usize) -> (usize, Vec<std::ops::Range<usize>>) {
    let numbers: usize = widths.iter().map(|width| width + SPACE.len()).sum();
    if widest.min(NARROWEST_NAME) + numbers <= line {
        return (widest.min(line - numbers), std::iter::once(0..widths.len()).collect());
    }
    let name = widest.min(NARROWEST_NAME.max(line / 3));
    let mut blocks = Vec::new();
    let (mut start, mut used) = (0, name);
    for (column, width) in widths.iter().enumerate() {
        let wanted = width + SPACE.len();
        if column > start && used + wanted > line {
            blocks.push(start..column);
            (start, used) = (column, name);
        }
        used += wanted;
    }
    blocks.push(start..widths.len());
    (name, blocks)
}

fn push_line<'a>(text: &mut String, name: (&str, usize), cells: impl Iterator<Item = (&'a str, usize)>) {
    let start = text.len();
    let pad = |text: &mut String, width: usize, cell: &str| {
        text.extend(std::iter::repeat_n(' ', width.saturating_sub(cell.width())));
    };
    text.push_str(name.0);
    pad(text, name.1, name.0);
    for (cell, width) in cells {
        text.push_str(SPACE);
        pad(text, width, cell);
        text.push_str(cell);
    }
    let end = text[start..].trim_end_matches(' ').len();
    text.truncate(start + end);
    text.push('\n');
}

/// Text of a trace without what would steer the terminal.
pub(crate) fn printable(text: &str) -> String {
    let steers = |character: char| {
        character.is_control() || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|character| if steers(character) { ' ' } else { character }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> Grid {
        let row = |name: &str, cells: [&str; 3]| {
            std::iter::once(name).chain(cells).map(str::to_owned).collect::<Vec<String>>()
        };
        Grid::new(
            "Kernels",
            ["kernel", "calls", "total\ndevice", "share"],
            [
                row("void a_kernel_with_a_long_name<4>(float*, int)", ["1", "12.50 ms", "99.0 %"]),
                row("矩阵乘法内核的一个很长的名字在这里显示出来", ["1 234", "3 ns", "1.0 %"]),
                row("c", ["7", "–", ""]),
            ],
        )
    }

    fn text(width: usize, top: usize) -> String {
        grid().to_text(Look { width, bold: false }, top)
    }

    #[test]
    fn columns_line_up() {
        let expected = "
Kernels
                                                          total
kernel                                          calls    device   share
void a_kernel_with_a_long_name<4>(float*, int)      1  12.50 ms  99.0 %
矩阵乘法内核的一个很长的名字在这里显示出来      1 234      3 ns   1.0 %
c                                                   7         –
";
        assert_eq!(text(100, 0), expected);
    }

    #[test]
    fn names_lose_their_middle_first() {
        let expected = "
Kernels
                                      total
kernel                      calls    device   share
void a_kernel_wit…t*, int)      1  12.50 ms  99.0 %
… and 2 more (--top 0 shows all)
";
        // 26 columns are left for a name of 46.
        assert_eq!(text(51, 1), expected);
    }

    #[test]
    fn no_line_is_longer_than_the_terminal() {
        for width in 35..120 {
            let text = text(width, 0);
            for line in text.lines() {
                assert!(line.width() <= width, "{width}: {line:?}");
            }
            for cell in ["12.50 ms", "1 234", "99.0 %", "calls", "share"] {
                assert!(text.contains(cell), "{width}: {cell} is missing in {text}");
            }
        }
    }

    #[test]
    fn what_does_not_fit_beside_stands_below() {
        let text = text(42, 0);
        assert_eq!(text.lines().filter(|line| line.starts_with("kernel ")).count(), 2, "{text}");
        assert_eq!(text.lines().filter(|line| line.starts_with("void a_kernel")).count(), 2, "{text}");
    }

    #[test]
    fn nothing_of_a_trace_steers_the_terminal() {
        assert_eq!(printable("a\x1b[31m\nb\u{202e}c\t"), "a [31m b c ");
        let title = Look { width: 80, bold: true }.title("x");
        assert_eq!(title, "\x1b[1mx\x1b[0m");
    }

    #[test]
    fn facts_break_between_each_other() {
        let facts = ["step 1 ms", "busy 2 ms", "idle 3 ms"].map(str::to_owned);
        let line = |width| Look { width, bold: false }.line(&facts);
        assert_eq!(line(80), "step 1 ms · busy 2 ms · idle 3 ms\n");
        assert_eq!(line(25), "step 1 ms · busy 2 ms\n  idle 3 ms\n");
        assert_eq!(line(5), "step 1 ms\n  busy 2 ms\n  idle 3 ms\n");
    }

    #[test]
    fn a_column_beside_the_others_is_left_out_where_it_is_empty() {
        let grid = Grid::new("", ["", "x"], ["a", "b"].map(|name| vec![name.to_owned(), "1".to_owned()]));
        let grid = grid.beside("y", ["", ""].map(str::to_owned).into_iter());
        let grid = grid.beside("z", ["", "2"].map(str::to_owned).into_iter());
        assert_eq!(grid.to_text(Look { width: 80, bold: false }, 0), "\n\n   x  z\na  1\nb  1  2\n");
    }

    #[test]
    fn no_rows_no_table() {
        let none = Grid::new("Kernels", ["kernel"], std::iter::empty());
        assert_eq!(none.to_text(Look { width: 80, bold: false }, 0), "");
    }
}
