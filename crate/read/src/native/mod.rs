//! Stepscope's own recordings: raw ones (`.steprec`) as a program leaves them, killed or not, and compact files
//! (`.stepscope`) made of them. Both are described in `stepscope-format`.
//!
//! Read: all of it. Spans are annotations, operators where they say so, and steps by their category; phases have the
//! categories by which Paddle's are known. What devices did and the calls that made them do so are as in PyTorch's traces,
//! which come from CUPTI as well. Arguments come before their span
//! (they are in the file at once), and have its depth and beginning. Spans that were open when their process ended last until
//! it was last known to live, as `stepscope_format::Kind::Open` says. The raw recordings of a folder that name the same rank are read as one: they are of one
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
