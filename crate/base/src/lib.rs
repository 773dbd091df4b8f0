//! What every stage of the analyzer shares: times, sorting, files that are read anywhere, errors, refusals, warnings.

mod error;
mod read_at;
mod rejection;
mod sort;
mod units;
mod warn;

pub use error::{Error, ErrorKind};
pub use read_at::{CachedAt, PartAt, ReadAt};
pub use rejection::RejectionReason;
pub use sort::{CompactSort, sort_times};
pub use units::{Interval, Nanos, div_half_even};
pub use warn::{Code, Severity, Warning, Warnings};
