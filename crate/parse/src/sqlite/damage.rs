//! Something that is wrong with a file.

use std::fmt;

/// Something that is wrong at one place of a file. What hangs on that place is left out, the rest is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The page; the first one has the number 1.
    pub page: u32,
    /// The byte of the file.
    pub position: u64,
    /// The damage.
    pub fault: Fault,
}

/// The damage.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The file does not begin as SQLite's do, or its page size is none.
    Header,
    /// It was written for a version of SQLite that this reader does not know.
    Version,
    /// The page lies behind the end of the file.
    Missing,
    /// The page is no page of a table's tree.
    Tree,
    /// A page belongs to the tree twice: it loops.
    Loop,
    /// A row's beginning or end lies outside of its page.
    Cell,
    /// A row is longer than the file, or than can be held.
    Length,
    /// A row's columns do not fit into it.
    Record,
    /// The table has no rowid; such are not read.
    WithoutRowid,
    /// The statement that made the table does not tell its columns.
    Statement,
    /// The file could not be read.
    Io(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Header => "the header is not SQLite's",
            Self::Version => "it needs a newer version of SQLite",
            Self::Missing => "the page lies behind the end of the file",
            Self::Tree => "it is no page of a table",
            Self::Loop => "the page belongs to the table twice",
            Self::Cell => "a row lies outside of its page",
            Self::Length => "a row's length is absurd",
            Self::Record => "a row's columns do not fit into it",
            Self::WithoutRowid => "a table without rowid is not read",
            Self::Statement => "its CREATE TABLE does not tell the columns",
            Self::Io(what) => what,
        })
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "page {}: {}", self.page, self.fault)
    }
}

impl std::error::Error for Damage {}
