//! Damage of a file.

use std::fmt;

/// Damage at one position of a file. The data that depends on it is left out, all other data is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The page; the first one has the number 1.
    pub page: u32,
    /// The byte of the file.
    pub position: u64,
    /// The kind of damage.
    pub fault: Fault,
}

/// Kinds of damage.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The file does not begin as SQLite's do, or its page size is invalid.
    Header,
    /// It needs a newer version of SQLite than this reader supports.
    Version,
    /// The page is after the end of the file.
    Missing,
    /// The page does not belong to a table's tree.
    Tree,
    /// A page occurs twice in the tree: a loop.
    Loop,
    /// A row's beginning or end is outside of its page.
    Cell,
    /// A row is longer than the file, or than the limit.
    Length,
    /// A row's columns do not fit into it.
    Record,
    /// The table has no rowid, which is not supported.
    WithoutRowid,
    /// The statement that created the table does not show its columns.
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
