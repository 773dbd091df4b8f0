//! `stepscope record`: process trees, signals, kills, ranks, samples; and `stepscope doctor`'s report on a machine.
//!
//! The recorded program is this test program, started again in a role, with shells around it.
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
