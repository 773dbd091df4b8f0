//! What a [`Kind::Process`](crate::Kind::Process) record says of a process, by its `aux`.

/// It is there since so many ns: its name is its command, the value its parent's id.
pub const COMMAND: u16 = 0;

/// The value is its rank among the processes that train together.
pub const RANK: u16 = 1;

/// It has ended.
pub const END: u16 = 2;

/// Of the recording's own process (id 0): the name says what could not be recorded, the value how often since the last
/// time.
pub const LOST: u16 = 3;
