//! Tables of a database; damage becomes warnings.

use std::io;

use super::activities::span;
use crate::Head;
use stepscope_base::{Code, Error, ErrorKind, Nanos, ReadAt, RejectionReason, Warnings};
use stepscope_parse::sqlite::{Damage, Database, Fault, SqlRow, is_sqlite};
use stepscope_trace::TraceBuilder;

/// A file that reports the number of bytes read.
pub(crate) struct Counting<'a> {
    file: &'a mut dyn ReadAt,
    progress: &'a mut dyn FnMut(u64),
    read: u64,
}

impl<'a> Counting<'a> {
    pub(crate) fn new(file: &'a mut dyn ReadAt, progress: &'a mut dyn FnMut(u64)) -> Self {
        Self { file, progress, read: 0 }
    }
}

impl ReadAt for Counting<'_> {
    fn len(&self) -> u64 {
        self.file.len()
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let filled = self.file.read_at(offset, buffer)?;
        self.read += filled as u64;
        // Interleaved tables are passed more than once.
        (self.progress)(self.read.min(self.file.len()));
        Ok(filled)
    }
}

/// A row of a table of device activities.
pub(crate) struct WorkRow<const MORE: usize> {
    pub(crate) span: (Nanos, Nanos),
    pub(crate) device: i64,
    pub(crate) stream: Option<i64>,
    pub(crate) correlation: Option<i64>,
    /// The second part of the link to its launching call.
    pub(crate) join: Option<i64>,
    /// The table's own columns.
    pub(crate) more: [Option<i64>; MORE],
    pub(crate) position: u64,
}

/// A database whose tables are read one after the other.
pub(crate) struct Tables<'a> {
    database: Database<'a>,
    known: Vec<String>,
    /// The owners whose rows are read; all rows if none.
    of: Option<Owners>,
}

/// A filter of rows by owner.
pub(crate) struct Owners {
    /// The columns with a row's owner.
    pub(crate) columns: [&'static str; 2],
    /// Whether rows of an owner are read.
    pub(crate) reads: Box<dyn Fn(i64) -> bool>,
}

impl<'a> Tables<'a> {
    /// The tables of a file.
    ///
    /// # Errors
    ///
    /// If no table can be found.
    pub(crate) fn open(file: &'a mut dyn ReadAt, warnings: &mut Warnings) -> Result<Self, Error> {
        let database = Database::open(file).map_err(|damage| {
            let kind = match damage.fault {
                Fault::Io(what) => ErrorKind::Io(what),
                _ => ErrorKind::Database(damage.to_string()),
            };
            Error::at(kind, damage.position)
        })?;
        if database.write_ahead() {
            warnings.add(Code::WriteAheadLog, Some(19), String::new);
        }
        for damage in database.schema_damages() {
            damaged(warnings, damage, "sqlite_schema");
        }
        Ok(Self { database, known: Vec::new(), of: None })
    }

    /// The same tables without rows of other owners.
    pub(crate) fn of(self, of: Option<Owners>) -> Self {
        Self { of, ..self }
    }

    /// Passes the rows of a table to `each`; no rows if there is no such table. A missing column is `NULL`.
    pub(crate) fn scan(
        &mut self,
        table: &str,
        columns: &[&str],
        warnings: &mut Warnings,
        mut each: impl FnMut(&SqlRow<'_>, &mut Warnings),
    ) {
        self.scan_with(table, columns, warnings, &mut each);
    }

    /// [`scan`](Self::scan) without generics, to be compiled once.
    fn scan_with(
        &mut self,
        table: &str,
        columns: &[&str],
        warnings: &mut Warnings,
        each: &mut dyn FnMut(&SqlRow<'_>, &mut Warnings),
    ) {
        self.known.push(table.to_owned());
        let Some(found) = self.database.table(table) else { return };
        let damages = match &self.of {
            None => self.database.scan(&found, columns, &mut |row| each(row, warnings)),
            Some(owners) => {
                // A column occurs only once among those that are read.
                let mut all = columns.to_vec();
                let places = owners.columns.map(|owner| {
                    columns.iter().position(|column| *column == owner).unwrap_or_else(|| {
                        all.push(owner);
                        all.len() - 1
                    })
                });
                self.database.scan(&found, &all, &mut |row| {
                    if places.iter().filter_map(|place| row.integer(*place)).all(&owners.reads) {
                        each(row, warnings);
                    }
                })
            }
        };
        for damage in &damages {
            damaged(warnings, damage, table);
        }
    }

    /// Passes the rows of a table of device activities to `each`, and counts them as events. `join` is the column
    /// that, beside the correlation id, links to the launching call; `more` are the table's own columns.
    pub(crate) fn scan_work<const MORE: usize>(
        &mut self,
        (table, join, more): (&str, &str, [&str; MORE]),
        builder: &mut TraceBuilder,
        warnings: &mut Warnings,
        mut each: impl FnMut(&mut TraceBuilder, WorkRow<MORE>),
    ) {
        let columns = [&["start", "end", "deviceId", "streamId", "correlationId", join], &more[..]].concat();
        self.scan(table, &columns, warnings, |row, warnings| {
            builder.meta.events += 1;
            let [start, end, device, stream, correlation, join] = row.integers();
            let Some(span) = span(start, end, row.position, warnings) else { return };
            let more = std::array::from_fn(|index| row.integer(6 + index));
            let device = device.unwrap_or_default();
            each(builder, WorkRow { span, device, stream, correlation, join, more, position: row.position });
        });
    }

    /// Warns of tables with rows that were not read, except those that only explain others.
    pub(crate) fn tell_unread(&mut self, explaining: &[&str], warnings: &mut Warnings) {
        for table in self.database.tables().to_vec() {
            let explains = explaining.iter().any(|start| table.name.starts_with(start));
            let is_read = self.known.iter().any(|known| known.eq_ignore_ascii_case(&table.name));
            if !explains && !is_read && self.database.has_rows(&table) {
                warnings.add(Code::UnreadTable, None, || table.name.clone());
            }
        }
    }
}

/// Warns of damage in a table.
fn damaged(warnings: &mut Warnings, damage: &Damage, table: &str) {
    warnings.add(Code::DatabaseDamaged, Some(damage.position), || format!("{table}, {damage}"));
}

/// The tables at a file's beginning.
pub(crate) enum FirstTables {
    /// It is not a database, with the reason.
    None(RejectionReason),
    /// More bytes are needed.
    Unknown,
    /// It is a database whose list of tables cannot be read.
    Unreadable,
    /// The names of the tables that its beginning lists.
    Named(Vec<String>),
}

/// The tables listed at a file's beginning. Exporters create most tables before they write rows, so their list is at
/// the front. Tables listed after the head are missing here.
pub(crate) fn first_tables(head: Head<'_>) -> FirstTables {
    match is_sqlite(head.bytes) {
        Some(true) if head.whole => {}
        Some(true) => return FirstTables::Unknown,
        None if !head.whole => return FirstTables::Unknown,
        _ => return FirstTables::None(RejectionReason::NotSqlite),
    }
    let mut bytes = head.bytes;
    match Database::open(&mut bytes) {
        Ok(database) => FirstTables::Named(database.tables().iter().map(|table| table.name.clone()).collect()),
        Err(_) => FirstTables::Unreadable,
    }
}
