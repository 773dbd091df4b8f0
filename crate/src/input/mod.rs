//! From bytes to a reader: what is it, and who reads it?

mod gzip;
mod head;
mod loader;
mod read_at;

pub use gzip::{GunzipEnd, Gunzipper, is_gzip};
pub use head::{Head, Verdict};
pub use loader::{Loaded, Loader, Progress};
pub use read_at::ReadAt;
