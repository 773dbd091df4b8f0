//! Basics of all stages of the analyzer: times, sorting, files with random access, errors, rejection reasons, warnings.

mod error;
mod read_at;
mod rejection;
mod search;
mod sort;
mod units;
mod warn;

pub use error::{Error, ErrorKind};
pub use read_at::{CachedAt, PartAt, ReadAt};
pub use rejection::RejectionReason;
pub use search::partition_point_near;
pub use sort::{CompactSort, map_of, sort_times};
pub use units::{Interval, Nanos, div_half_even};
pub use warn::{Code, Severity, Warning, Warnings};
