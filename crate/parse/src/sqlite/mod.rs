//! Tables of SQLite 3 files, read-only, by random access.
//!
//! ```text
//! ReadAt ──► Pages ── blocks of pages, the last few are cached
//!              │
//!              ▼        schema   CREATE TABLE → names of columns, and the one that is the rowid
//!            Database ─ walk     the leaves of a table's b-tree in order, whole records from overflow chains
//!              │        record   the positions of the wanted columns in a record
//!              ▼
//!            |row: &Row| row.get(0)
//! ```
//!
//! This is not a crate: profilers export gigabytes, which a page must read through `Blob.slice` without loading them.
//! SQLite itself is C, which has no library for `wasm32-unknown-unknown`. Among the readers in Rust, `rusqlite` links
//! that C. `sqlite_wasm_reader` (0.3, of July 2025, the only one without it) opens files by path, requires WASI and
//! returns rows as vectors of owned values. Exporters use a small part of the format, which is documented
//! (<https://www.sqlite.org/fileformat2.html>) and stable.
//!
//! Read: tables with rowids of any page size, reserved bytes, overflow, all serial types, all encodings of text, columns
//! that were added later. Not read: tables without rowid, virtual tables, indexes, the `-wal` and `-journal` beside the file.
//!
//! Damage affects only data that depends on the damaged page, and is reported with page and byte; see [`Damage`].
//! Each scan visits each page at most once, so that loops in a damaged tree end.

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

/// Whether a file begins as SQLite's do; `None` while more bytes are needed.
#[must_use]
pub fn is_sqlite(head: &[u8]) -> Option<bool> {
    let known = head.len().min(MAGIC.len());
    match head[..known] == MAGIC[..known] {
        false => Some(false),
        true => (known == MAGIC.len()).then_some(true),
    }
}

/// The first bytes of every file.
const MAGIC: &[u8] = b"SQLite format 3\0";
