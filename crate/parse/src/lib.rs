//! Syntax: push tokenizers with byte positions. This crate has no knowledge of traces.
//!
//! ```text
//! chunks ──► Document ── finds the list in the top-level object, carries incomplete objects over chunks
//!               │ one object at a time
//!               ▼
//!            Scanner ── validates it, fills slots with the members whose keys are wanted
//!               │ block: 16 bytes at a time     keys: guesses the next key
//!               ▼
//!            Sink::object(&Object)
//!
//! repair: text that the Scanner rejects is read again, slowly, into a valid copy for it
//! object_at: one object again, with all of its members
//! ```
//!
//! For the smaller files beside events, [`Rows`] splits tables, and [`Tree`] is a whole JSON document.

mod block;
mod decimal;
mod document;
mod fault;
mod keys;
mod number;
mod object_at;
mod repair;
mod rows;
mod scanner;
mod skipped;
pub mod sqlite;
mod strings;
mod text;
mod tree;
mod wrong;

pub use decimal::Decimal;
pub use document::{Document, Ends, Shard, ShardSink, Sink};
pub use fault::{Fault, FaultKind};
pub use keys::{Key, Keys};
pub use object_at::{ObjectAt, WholeObject, members_of, object_at};
pub use rows::{DelimitedRow, Delimiter, Rows};
pub use scanner::{Object, Value};
pub use skipped::Skipped;
pub use text::Text;
pub use tree::{Tree, TreeFault};
