//! A database file: its header, its tables, and its damage.

use super::MAGIC;
use super::damage::{Damage, Fault};
use super::pages::Pages;
use super::record::SqlRow;
use super::schema::{self, Table};
use super::value::Encoding;
use super::walk::{self, Walk};
use stepscope_base::ReadAt;

/// An open file.
///
/// ```no_run
/// use stepscope::parse::sqlite::Database;
///
/// # let mut file: &[u8] = b"";
/// let mut database = Database::open(&mut file)?;
/// if let Some(table) = database.table("StringIds") {
///     let damaged = database.scan(&table, &["id", "value"], &mut |row| {
///         println!("{:?} is {:?}", row.get(0).integer(), row.get(1).text());
///     });
///     assert!(damaged.is_empty());
/// }
/// # Ok::<(), stepscope::parse::sqlite::Damage>(())
/// ```
pub struct Database<'a> {
    pages: Pages<'a>,
    usable: usize,
    encoding: Encoding,
    write_ahead: bool,
    tables: Vec<Table>,
    damages: Vec<Damage>,
}

/// Bytes of the header that are read.
const HEADER: usize = 100;

impl<'a> Database<'a> {
    /// Reads a file's header and its list of tables.
    ///
    /// # Errors
    ///
    /// If it is not an SQLite file, or none of its tables can be found.
    pub fn open(file: &'a mut dyn ReadAt) -> Result<Self, Damage> {
        let mut header = [0; HEADER];
        let wrong = |position, fault| Damage { page: 1, position, fault };
        let filled = file.read_at(0, &mut header).map_err(|error| wrong(0, Fault::Io(error.to_string())))?;
        if filled < HEADER || !header.starts_with(MAGIC) {
            return Err(wrong(0, Fault::Header));
        }
        let page_size = match u16::from_be_bytes([header[16], header[17]]) {
            1 => 65536,
            size if size >= 512 && size.is_power_of_two() => usize::from(size),
            _ => return Err(wrong(16, Fault::Header)),
        };
        if header[19] > 2 {
            return Err(wrong(19, Fault::Version));
        }
        let usable = page_size - usize::from(header[20]);
        if usable < 480 {
            return Err(wrong(20, Fault::Header));
        }
        let encoding = match header[59] {
            2 => Encoding::Utf16Little,
            3 => Encoding::Utf16Big,
            _ => Encoding::Utf8,
        };
        let pages = Pages::new(file, page_size);
        let write_ahead = header[19] == 2;
        let mut database = Self { pages, usable, encoding, write_ahead, tables: Vec::new(), damages: Vec::new() };
        database.read_schema()?;
        Ok(database)
    }

    fn read_schema(&mut self) -> Result<(), Damage> {
        let mut tables = Vec::new();
        let wanted = ["type", "name", "rootpage", "sql"];
        let mut damages = self.scan(&schema::schema_table(), &wanted, &mut |row| {
            let text = |index| row.get(index).text().unwrap_or_default();
            let root = row.get(2).integer().and_then(|page| u32::try_from(page).ok());
            if let (b"table", Some(root @ 1..)) = (&*text(0), root) {
                let name = String::from_utf8_lossy(&text(1)).into_owned();
                tables.push(schema::table(name, root, &String::from_utf8_lossy(&text(3))));
            }
        });
        if tables.is_empty() && !damages.is_empty() {
            return Err(damages.swap_remove(0));
        }
        self.tables = tables;
        self.damages = damages;
        Ok(())
    }

    /// The tables, in the order of the file.
    #[must_use]
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// A table by its name, whatever its case.
    #[must_use]
    pub fn table(&self, name: &str) -> Option<Table> {
        self.tables.iter().find(|table| table.name.eq_ignore_ascii_case(name)).cloned()
    }

    /// Whether a `-wal` file beside it, which is not read, may have changes.
    #[must_use]
    pub fn write_ahead(&self) -> bool {
        self.write_ahead
    }

    /// Damage of the list of tables: some may be missing.
    #[must_use]
    pub fn schema_damages(&self) -> &[Damage] {
        &self.damages
    }

    /// Whether a table has rows, as far as its first page shows.
    pub fn has_rows(&mut self, table: &Table) -> bool {
        let Ok(page) = self.pages.page(table.root) else { return true };
        page.bytes()[0] != walk::LEAF || page.bytes()[3..5] != [0, 0]
    }

    /// Passes a table's rows to `each`, with the values of the wanted columns; a missing column is `NULL`.
    ///
    /// Returns the damage: rows there are missing.
    pub fn scan(&mut self, table: &Table, columns: &[&str], each: &mut dyn FnMut(&SqlRow<'_>)) -> Vec<Damage> {
        let wanted = table.wanted(columns);
        let mut walk = Walk::new(&mut self.pages, self.usable, self.encoding);
        walk.table(table, &wanted, each);
        walk.damages
    }
}
