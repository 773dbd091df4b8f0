//! From bytes to traces: format detection, readers, and the files of each rank.
//!
//! ```text
//! files ─► Sources ─► Intake ─► Plan ─► a Loader per rank
//!          archives    format    files    unpacked, file by file
//!          opened      of each   of ranks
//! ```

mod archive;
mod devices;
mod entry_path;
mod group;
mod gzip;
mod inflate;
mod layer;
mod loader;
mod natural;
mod opened;
mod runs;
mod sniff;
mod source;
mod sources;
mod tar;
mod unpack;
mod unpack_read;
mod utf16;
mod windows;
mod zip;
mod zstd;

pub use crate::source::Source;
pub use group::{Intake, Plan, RankFiles};
pub use gzip::{Gunzipper, is_gzip};
pub use layer::Layer;
pub use loader::{Loader, Progress};
pub use opened::Opened;
pub use sniff::sniff;
pub use sources::{LoadedRank, Sources};
pub use unpack::Unpacker;
