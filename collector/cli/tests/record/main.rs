//! `stepscope record`: process trees, signals, kills, ranks, samples; and what `stepscope doctor` says of a machine.
//!
//! What is recorded is this file's own program, started again in a role, and shells around it.
#![cfg(target_os = "linux")]
#![expect(clippy::panic, reason = "a test says so what is wrong")]

mod device;
mod doctor;
mod ends;
mod environment;
mod examples;
mod formats;
mod gpu;
mod killed;
mod nvtx;
mod ranks;
mod role;
mod samples;
mod secrets;
mod support;
mod tree;
mod windows;
