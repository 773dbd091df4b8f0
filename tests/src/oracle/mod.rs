//! Invariants for any bytes: the tests try generated and damaged ones, the fuzzers all others.

mod advice;
mod budget;
mod calls;
mod careless;
mod container;
mod critical;
mod documents;
mod events;
mod idle;
mod json;
mod modules;
mod mutate;
mod range;
mod seal;
mod sqlite;
mod step_tables;
mod targets;
mod tokenizer;
mod trace;

pub use budget::{budget_identities, first_cause};
pub use calls::call_tree_identities;
pub use careless::careless;
pub use container::check as check_container;
pub use critical::critical_identities;
pub use documents::{Documents, small_trace};
pub use events::{ReadAgain, event_identities, read_again};
pub use json::Json;
pub use modules::module_identities;
pub use mutate::Mutations;
pub use range::{range_identities, reread_range};
pub use seal::{seal, with_and_without_seal};
pub use sqlite::check as check_sqlite;
pub use step_tables::step_tables;
pub use targets::{Check, TARGETS};
pub use tokenizer::{DocumentContent, Event, Other, WANTED, check as check_tokenizer, tokenize};
pub use trace::{check as check_trace, identities, reread};
