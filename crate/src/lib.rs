//! Stepscope reads training traces and says where each step's time goes.
pub mod analyze; mod error; pub mod input; pub mod parse; pub mod read; pub mod trace; mod units; mod warn;
pub use error::{Error, ErrorKind};
pub use input::{Loaded, Loader, Progress};
pub use units::{Interval, Nanos, div_half_even};
pub use warn::{Code, Severity, Warning, Warnings};
