//! Stepscope's own recordings: raw ones (`.steprec`) as a program leaves them, killed or not, and compact files
//! (`.stepscope`) made from them. `stepscope-format` describes both.
//!
//! All content is read. Spans are annotations, or operators or steps by their category; phases have the categories of
//! Paddle's phases. Device activities and launching calls are as in PyTorch's traces, which come from CUPTI as well.
//!
//! Arguments precede their span, since they are written at once, and have its depth and beginning. A span that was
//! open when its process ended lasts until the process was last known to be alive, as for
//! `stepscope_format::Kind::Open`.
//!
//! Raw recordings in a folder with the same rank are read as one: they are from one machine and have one clock. The
//! same holds for successive recordings of one process, in whatever folder they are.
//! machine and have one clock; and so are the recordings that one process made one after the other, wherever they lie.

mod compact;
mod device;
mod model;
mod raw;
#[cfg(test)]
mod tests;
mod windows;

pub(super) use compact::Compact;
pub(super) use raw::Raw;
