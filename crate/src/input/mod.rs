//! From bytes to a reader: what is it, who reads it, and which files belong together?

mod group;
mod gzip;
mod head;
mod loader;
mod read_at;
mod sniff;

pub use group::{Intake, Plan, RankFiles};
pub use gzip::{GunzipEnd, Gunzipper, is_gzip};
pub use head::{ENOUGH, Head, Verdict};
pub use loader::{Loaded, Loader, Progress};
pub use read_at::ReadAt;
pub use sniff::sniff;
