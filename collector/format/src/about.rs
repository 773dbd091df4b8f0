//! Meanings of `aux` in a [`Kind::Process`](crate::Kind::Process) record.

/// The process was seen: the name is its command, the value its parent's id.
pub const COMMAND: u16 = 0;

/// The value is its rank among the processes that train together.
pub const RANK: u16 = 1;

/// It has ended.
pub const END: u16 = 2;

/// The recording's own process (id 0): the name says what could not be recorded, the value how often since the last
/// such record.
pub const LOST: u16 = 3;
