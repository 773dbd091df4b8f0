//! Finding events: queries, the slices and instant events that match, and moving from hit to hit.
//!
//! ```text
//! text ─► Query ─► find, find_instants ──► Hits ─► next_hit, HitsByTime
//! text, the files once more ─► FindInText ─┘
//! ```

mod hits;
mod in_text;
mod instants;
mod pattern;
mod quantity;
mod query;
mod rows;
mod starts;
#[cfg(test)]
mod tests;

pub use hits::{Direction, Hit, HitEvent, HitPlace, Hits, HitsByTime, next_hit};
pub use in_text::FindInText;
pub use instants::{find_instants, unmatched};
pub use query::{Query, QueryError, QueryFault};
pub use rows::{ShownName, StepOf, find};
