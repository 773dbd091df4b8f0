//! Tables and their columns, from the statements that created them.

use super::record::WantedColumns;
use super::sql::{Word, words};
use super::value::Stand;

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Its columns in order; empty if the statement that created it could not be parsed.
    pub columns: Vec<Column>,
    /// The root page of its tree.
    pub(super) root: u32,
    /// The column that is an alias of the rowid: records have `NULL` for it.
    pub(super) rowid: Option<usize>,
    pub(super) without_rowid: bool,
    /// The columns whose type is exactly `INTEGER`: one of these can be the rowid.
    integers: Vec<usize>,
}

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The value of rows that were written before the column was added.
    default: Stand,
    /// Whether records have it: computed columns may be left out.
    stored: bool,
}

impl Table {
    /// Whether it has a column of that name, whatever its case.
    #[must_use]
    pub fn has(&self, column: &str) -> bool {
        self.columns.iter().any(|known| known.name.eq_ignore_ascii_case(column))
    }

    /// The positions of the wanted columns in a record.
    pub(super) fn wanted(&self, names: &[&str]) -> WantedColumns {
        let mut wanted = WantedColumns::default();
        for name in names {
            let index = self.columns.iter().position(|column| column.name.eq_ignore_ascii_case(name));
            let place = index.filter(|index| self.columns[*index].stored && self.rowid != Some(*index));
            // Records leave out computed columns, so that later ones move up.
            let place = place.map(|index| self.columns[..index].iter().filter(|column| column.stored).count());
            let default = index.map(|index| self.columns[index].default.clone()).unwrap_or_default();
            wanted.add(place, index.is_some() && index == self.rowid, default);
        }
        wanted
    }
}

/// The table that lists all others.
pub(super) fn schema_table() -> Table {
    table("sqlite_schema".to_owned(), 1, "CREATE TABLE sqlite_schema(type, name, tbl_name, rootpage, sql)")
}

/// The table of a statement `CREATE TABLE`.
pub(super) fn table(name: String, root: u32, statement: &str) -> Table {
    let mut table = Table { name, columns: Vec::new(), root, rowid: None, without_rowid: false, integers: Vec::new() };
    let words = words(statement);
    let Some(open) = words.iter().position(|word| *word == Word::Sign('(')) else {
        return table;
    };
    let (definitions, after) = definitions(&words[open + 1..]);
    for definition in definitions {
        if is_constraint(definition) {
            primary_key(&mut table, definition);
        } else {
            column(&mut table, definition);
        }
    }
    table.without_rowid = after.windows(2).any(|pair| pair[0].is("without") && pair[1].is("rowid"));
    table
}

/// The parts of a list between its commas, and the words after its end.
fn definitions(words: &[Word]) -> (Vec<&[Word]>, &[Word]) {
    let mut parts = Vec::new();
    let mut depth = 0_u32;
    let mut start = 0;
    for (at, word) in words.iter().enumerate() {
        match word {
            Word::Sign('(') => depth += 1,
            Word::Sign(')') if depth > 0 => depth -= 1,
            Word::Sign(sign @ (',' | ')')) if depth == 0 => {
                parts.push(&words[start..at]);
                start = at + 1;
                if *sign == ')' {
                    return (parts, &words[start..]);
                }
            }
            _ => {}
        }
    }
    parts.push(&words[start..]);
    (parts, &[])
}

fn is_constraint(definition: &[Word]) -> bool {
    const KEYWORDS: [&str; 5] = ["constraint", "primary", "unique", "check", "foreign"];
    definition.first().is_some_and(|word| KEYWORDS.iter().any(|keyword| word.is(keyword)))
}

/// A key of one column whose type is exactly `INTEGER` is the rowid.
fn primary_key(table: &mut Table, definition: &[Word]) {
    let Some(at) = definition.iter().position(|word| word.is("primary")) else { return };
    let [Word::Sign('('), Word::Bare(name) | Word::Quoted(name) | Word::Text(name), Word::Sign(')'), ..] =
        &definition[(at + 2).min(definition.len())..]
    else {
        return;
    };
    let is_key = |column: &Column| column.name.eq_ignore_ascii_case(name);
    table.rowid = table.columns.iter().position(is_key).filter(|index| table.integers.contains(index));
}

fn column(table: &mut Table, definition: &[Word]) {
    let Some((Word::Bare(name) | Word::Quoted(name) | Word::Text(name), rest)) = definition.split_first() else {
        return;
    };
    let index = table.columns.len();
    let is_integer =
        rest.first().is_some_and(|word| word.is("integer")) && !matches!(rest.get(1), Some(Word::Sign('(')));
    if is_integer {
        table.integers.push(index);
    }
    let key = rest.iter().position(|word| word.is("primary"));
    let descending = key.is_some_and(|key| rest.get(key + 2).is_some_and(|word| word.is("desc")));
    if is_integer && key.is_some() && !descending {
        table.rowid = Some(index);
    }
    let computed = rest.windows(2).any(|pair| pair[0].is("as") && pair[1] == Word::Sign('('));
    let stored = !computed || rest.last().is_some_and(|word| word.is("stored"));
    let default =
        rest.iter().position(|word| word.is("default")).map(|at| literal(&rest[at + 1..])).unwrap_or_default();
    table.columns.push(Column { name: name.clone(), default, stored });
}

/// The literal at the beginning of a list of words; `NULL` for an expression.
fn literal(words: &[Word]) -> Stand {
    let (negative, words) = match words {
        [Word::Sign('-'), rest @ ..] => (true, rest),
        [Word::Sign('+' | '('), rest @ ..] => (false, rest),
        _ => (false, words),
    };
    let sign = if negative { "-" } else { "" };
    match words.first() {
        Some(Word::Number(number)) => {
            let number = format!("{sign}{number}");
            let real = || number.parse().map_or(Stand::Null, Stand::Real);
            number.parse().map_or_else(|_| real(), Stand::Integer)
        }
        Some(Word::Text(text) | Word::Quoted(text)) => Stand::Text(text.clone()),
        _ => Stand::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(table: &Table) -> Vec<&str> {
        table.columns.iter().map(|column| &*column.name).collect()
    }

    #[test]
    fn columns_of_an_exporter_with_comments() {
        let made = table(
            "NVTX_EVENTS".into(),
            5,
            "CREATE TABLE NVTX_EVENTS (\n  start  INTEGER NOT NULL, -- Event start, in (ns).\n  end INTEGER,
            \"a,b\" DECIMAL(10, 2) DEFAULT (-3), [c d] TEXT DEFAULT 'x', e AS (start + 1), f REAL DEFAULT 1.5,
            g AS (1) STORED, PRIMARY KEY (start), CHECK (start > 0) )",
        );
        assert_eq!(names(&made), ["start", "end", "a,b", "c d", "e", "f", "g"]);
        assert_eq!(made.rowid, Some(0));
        assert!(made.has("END") && !made.without_rowid);
        let stored: Vec<bool> = made.columns.iter().map(|column| column.stored).collect();
        assert_eq!(stored, [true, true, true, true, false, true, true]);
        assert_eq!(made.columns[3].default, Stand::Text("x".into()));
        assert_eq!(made.columns[5].default, Stand::Real(1.5));
    }

    #[test]
    fn which_column_is_the_rowid() {
        let rowid = |columns: &str| table("t".into(), 2, &format!("CREATE TABLE t({columns})")).rowid;
        assert_eq!(rowid("id INTEGER PRIMARY KEY AUTOINCREMENT, v"), Some(0));
        assert_eq!(rowid("v, id INTEGER NOT NULL PRIMARY KEY"), Some(1));
        assert_eq!(rowid("v, \"id\" integer, CONSTRAINT k PRIMARY KEY (id)"), Some(1));
        assert_eq!(rowid("id INT PRIMARY KEY, v"), None);
        assert_eq!(rowid("id INTEGER PRIMARY KEY DESC, v"), None);
        assert_eq!(rowid("a INTEGER, b INTEGER, PRIMARY KEY (a, b)"), None);
        assert!(table("t".into(), 2, "CREATE TABLE t(a PRIMARY KEY) WITHOUT ROWID").without_rowid);
        assert_eq!(table("t".into(), 2, "nonsense").columns, []);
    }
}
