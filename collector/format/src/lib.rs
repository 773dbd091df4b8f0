//! Stepscope's own two formats: reading and writing. No dependencies, no IO, no clocks.
//!
//! ```text
//! program ── recorder ──► PID-TIME.steprec   raw: mapped segments, whole after a kill at any instruction
//!                               │ recovery
//!                               ▼
//!                          NAME.stepscope    compact: checked blocks of columns, read as they come
//! ```
//!
//! Both hold the same [`Record`]s of 32 bytes, names by number, threads by serial number. Times are integer
//! nanoseconds of `CLOCK_MONOTONIC`, or a counter's ticks with [`raw::Anchor`]s that place them on that clock.
//! [`raw`] and [`compact`] document the bytes; all integers are little-endian.
//!
//! Nothing here panics on any bytes: damaged parts are reported with their position and left out.

pub mod about;
mod argument;
mod checksum;
pub mod compact;
pub mod device;
pub mod raw;
mod record;
pub mod secrets;
mod varint;

pub use argument::{ArgumentValue, OF_MARK};
pub use record::{Category, HOST, Kind, Record};

/// A place in a file where the bytes are damaged; everything readable around it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Position in the file in bytes.
    pub position: u64,
    /// Description of the damage.
    pub what: &'static str,
}

impl std::fmt::Display for Damage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "at byte {}: {}", self.position, self.what)
    }
}
