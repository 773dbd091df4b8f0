//! The recorder in processes of their own: killed, forked, out of disk, with storms of threads and names.
//!
//! The recorder is one per process, so each test starts this file's own program again in a role.
#![cfg(unix)]
#![expect(clippy::panic, reason = "a test says so what is wrong")]

mod ahead;
mod arguments;
mod device;
mod disk;
mod environment;
mod events;
mod flight;
mod forks;
mod functions;
mod handles;
mod kill;
#[cfg(feature = "tracing")]
mod layer;
mod names;
mod profile;
mod recording;
mod role;
mod stopped;
mod storm;
