//! Tables of SQLite 3 files, read-only, by random access.
//!
//! ```text
//! ReadAt ──► Pages ── blocks of pages, the last few are kept
//!              │
//!              ▼        schema   CREATE TABLE → names of columns, which of them is the rowid
//!            Database ─ walk     the leaves of a table's b-tree in order, whole records behind overflow chains
//!              │        record   the wanted columns of a record, where they stand
//!              ▼
//!            |row: &Row| row.get(0)
//! ```
//!
//! Why ours: profilers export gigabytes, which a page must read through `Blob.slice` without holding them. SQLite itself
//! is C, which `wasm32-unknown-unknown` has no library for; of the readers in Rust, `rusqlite` links that C, and
//! `sqlite_wasm_reader` (0.3, of July 2025, the only one without it) opens files by path, takes WASI for granted and
//! returns rows as vectors of owned values. What exporters write needs a small part of the format, which is
//! documented (<https://www.sqlite.org/fileformat2.html>) and will not change.
//!
//! Read: tables with rowids of any page size, reserved bytes, overflow, all serial types, all encodings of text, columns
//! that were added later. Not read: tables without rowid, virtual tables, indexes, the `-wal` and `-journal` beside the file.
//!
//! Damage costs what hangs on the damaged page, and is told with page and byte; see [`Damage`]. Each scan visits each page
//! at most once, so that loops in a damaged tree end.

mod damage;
mod database;
mod pages;
mod record;
mod schema;
mod sql;
mod value;
mod walk;

pub use self::damage::{Damage, Fault};
pub use database::Database;
pub use record::SqlRow;
pub use schema::{Column, Table};
pub use value::Value;

/// Whether a file begins as SQLite's do; `None` while too little of it is known.
#[must_use]
pub fn is_sqlite(head: &[u8]) -> Option<bool> {
    let known = head.len().min(MAGIC.len());
    match head[..known] == MAGIC[..known] {
        false => Some(false),
        true => (known == MAGIC.len()).then_some(true),
    }
}

/// How every file begins.
const MAGIC: &[u8] = b"SQLite format 3\0";
