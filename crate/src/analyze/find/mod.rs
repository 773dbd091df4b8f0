//! Finding slices: what a person asks for, which slices that is, and going from hit to hit.
//!
//! ```text
//! text ─► Query ─► find ─────────────► hits, sorted by handle ─► next_hit, HitsByTime
//! text, the files once more ─► FindInText ─┘
//! ```

mod hits;
mod in_text;
mod pattern;
mod quantity;
mod query;
mod rows;
mod starts;
#[cfg(test)]
mod tests;

pub use hits::{Direction, Hit, HitsByTime, Place as HitPlace, next_hit};
pub use in_text::FindInText;
pub use query::{Query, QueryError, QueryFault};
pub use rows::{StepOf, find};
