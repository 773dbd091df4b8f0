//! Layout of a table, from its line of titles: columns at positions, or separated by commas.

/// Titles of columns, which are the same in all versions of nvprof.
pub(super) mod title {
    pub(in crate::nvprof) const TYPE: &str = "Type";
    pub(in crate::nvprof) const SHARE: &str = "Time(%)";
    pub(in crate::nvprof) const TIME: &str = "Time";
    pub(in crate::nvprof) const CALLS: &str = "Calls";
    pub(in crate::nvprof) const AVERAGE: &str = "Avg";
    pub(in crate::nvprof) const LEAST: &str = "Min";
    pub(in crate::nvprof) const MOST: &str = "Max";
    pub(in crate::nvprof) const NAME: &str = "Name";
    pub(in crate::nvprof) const START: &str = "Start";
    pub(in crate::nvprof) const DURATION: &str = "Duration";
}

/// A line of titles.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    columns: Vec<Column>,
    commas: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Column {
    title: String,
    /// The positions at which the title begins and ends in its line.
    place: (usize, usize),
    /// The unit from a line below the titles.
    unit: String,
}

/// The content of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Totals by name.
    Summary,
    /// One row per kernel, copy or call.
    Trace,
    /// Something else.
    Other,
}

impl Layout {
    /// The layout of a line of titles; none for other lines.
    pub(super) fn of(line: &str) -> Option<Self> {
        let commas = line.contains(',');
        let columns: Vec<Column> = if commas {
            let column = |title: String| Column { title, ..Column::default() };
            fields(line)?.into_iter().map(column).collect()
        } else {
            let column = |(start, title): (usize, &str)| Column {
                title: title.to_owned(),
                place: (start, start + title.len()),
                unit: String::new(),
            };
            apart(line).map(column).collect()
        };
        let layout = Self { columns, commas };
        (layout.kind() != Kind::Other).then_some(layout)
    }

    /// The content of tables with these titles.
    pub(super) fn kind(&self) -> Kind {
        let has = |title: &str| self.find(title).is_some();
        if has(title::SHARE) && has(title::CALLS) && has(title::NAME) {
            Kind::Summary
        } else if has(title::START) && has(title::DURATION) && has(title::NAME) {
            Kind::Trace
        } else {
            Kind::Other
        }
    }

    /// Whether there is a column of that title.
    pub(super) fn has(&self, title: &str) -> bool {
        self.find(title).is_some()
    }

    /// Whether there are commas between the cells.
    pub(super) fn has_commas(&self) -> bool {
        self.commas
    }

    fn find(&self, title: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.title == title)
    }

    /// Takes the line below the titles, if it has units; only with commas.
    pub(super) fn take_units(&mut self, line: &str) -> bool {
        const UNITS: [&str; 10] = ["%", "s", "ms", "us", "ns", "B", "KB", "MB", "GB", ""];
        let Some(units) = self.commas.then(|| fields(line)).flatten() else { return false };
        let is_unit = |unit: &String| UNITS.contains(&unit.as_str()) || unit.ends_with("/s");
        if units.len() != self.columns.len() || !units.iter().all(is_unit) {
            return false;
        }
        for (column, unit) in self.columns.iter_mut().zip(units) {
            column.unit = unit;
        }
        true
    }

    /// A row's cells, one per column; none if the line has another number.
    pub(super) fn cells(&self, line: &str) -> Option<Vec<String>> {
        if self.commas {
            return fields(line).filter(|cells| cells.len() == self.columns.len());
        }
        // Columns are two spaces apart, and cells have single spaces; only the last one, a name, may have more.
        let cells: Vec<(usize, &str)> = apart(line).collect();
        let last = self.columns.len() - 1;
        let start = cells.get(last).map(|(start, _)| *start);
        if let Some(start) = start.filter(|start| self.right_of(last, *start)) {
            let mut found: Vec<String> = cells[..last].iter().map(|(_, cell)| (*cell).to_owned()).collect();
            found.push(line[start..].trim_end().to_owned());
            return Some(found);
        }
        self.by_place(line)
    }

    /// Whether a cell may belong to a column: cells do not move to the left.
    fn right_of(&self, column: usize, start: usize) -> bool {
        column == 0 || start >= self.columns[column - 1].place.1.saturating_sub(2)
    }

    /// Cells by the positions of the titles, with whose ends they are aligned. Some may be empty.
    fn by_place(&self, line: &str) -> Option<Vec<String>> {
        let (name, others) = self.columns.split_last()?;
        let mut from = 0;
        let mut cells = Vec::with_capacity(self.columns.len());
        for column in others {
            let cell = line.get(from..column.place.1)?;
            cells.push(cell.trim().to_owned());
            from = column.place.1;
        }
        let cut = line.get(from..name.place.0)?;
        let rest = line.get(name.place.0..)?.trim_end();
        (cut.trim().is_empty() && !rest.is_empty()).then(|| cells.push(rest.to_owned()))?;
        Some(cells)
    }

    /// The cell of a column; none if there is no such column, or the cell is empty.
    pub(super) fn get<'a>(&self, cells: &'a [String], title: &str) -> Option<&'a str> {
        let cell = cells.get(self.find(title)?)?.as_str();
        (!cell.is_empty() && cell != "-").then_some(cell)
    }

    /// The unit of a column, from a line of units.
    pub(super) fn unit(&self, title: &str) -> &str {
        self.find(title).map_or("", |column| &self.columns[column].unit)
    }
}

/// The parts of a line that are separated by two spaces or more, with their positions.
fn apart(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += line[at..].len() - line[at..].trim_start().len();
        let rest = line[at..].trim_end();
        if rest.is_empty() {
            return None;
        }
        let start = at;
        let len = rest.find("  ").unwrap_or(rest.len());
        at += len;
        Some((start, &rest[..len]))
    })
}

/// The fields of a line with commas; none if a quote is not closed.
fn fields(line: &str) -> Option<Vec<String>> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                fields.last_mut()?.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            other => fields.last_mut()?.push(other),
        }
    }
    (!quoted).then_some(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_columns() {
        let titles = "Time(%)     Time     Calls       Avg       Min       Max  Name";
        let layout = Layout::of(titles).expect("titles");
        assert_eq!(layout.kind(), Kind::Summary);
        let row = "0.00%      830ns         1     830ns     830ns     830ns  a  name (int*, int)";
        let cells = layout.cells(row).expect("a row");
        assert_eq!(cells, ["0.00%", "830ns", "1", "830ns", "830ns", "830ns", "a  name (int*, int)"]);
        assert_eq!(layout.get(&cells, "Calls"), Some("1"));
        assert_eq!(layout.cells("some output of the program"), None);
    }

    #[test]
    fn cells_of_a_trace() {
        let titles = "   Start  Duration            Grid Size      Block Size     Size           Device   Context    Stream  Name";
        let layout = Layout::of(titles).expect("titles");
        assert_eq!(layout.kind(), Kind::Trace);
        let row = "466.21ms  4.9920us             (64 1 1)      (1024 1 1)        -     Tesla T4 (0)         1         7  f(int const *) [130]";
        let cells = layout.cells(row).expect("a row");
        let drawn: Vec<Option<&str>> =
            ["Start", "Grid Size", "Size", "Device", "Name"].iter().map(|title| layout.get(&cells, title)).collect();
        assert_eq!(
            drawn,
            [Some("466.21ms"), Some("(64 1 1)"), None, Some("Tesla T4 (0)"), Some("f(int const *) [130]")]
        );
    }

    #[test]
    fn empty_cells_are_found_by_their_place() {
        let layout = Layout::of("   Start  Duration   Context  Name").expect("titles");
        let cells = layout.cells("466.21ms  4.9920us            cudaMalloc").expect("a row");
        assert_eq!(cells, ["466.21ms", "4.9920us", "", "cudaMalloc"]);
    }

    #[test]
    fn cells_between_commas_and_their_units() {
        let mut layout = Layout::of(r#""Start","Duration","Size","Name","Correlation_ID""#).expect("titles");
        assert!(!layout.take_units("1.0,2.0,3,x,4"));
        assert!(layout.take_units("us,us,KB,,"));
        assert_eq!(layout.unit("Size"), "KB");
        let cells = layout.cells(r#"0.0,1.5,,"f(int, ""x"")",272"#).expect("a row");
        assert_eq!(layout.get(&cells, "Name"), Some(r#"f(int, "x")"#));
        assert_eq!(layout.get(&cells, "Size"), None);
        assert_eq!((layout.cells("1,2"), layout.cells(r#"1,"2,3,4,5"#)), (None, None));
    }
}
