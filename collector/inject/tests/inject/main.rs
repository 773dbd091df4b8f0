//! The shared library in unmodified programs, with fakes of NVIDIA's libraries.
//!
//! The recorder is one per process, so each test starts this file's own program again in a role.
#![cfg(target_os = "linux")]
#![expect(clippy::panic, reason = "a test says so what is wrong")]
#![expect(unsafe_code, reason = "libraries are loaded and called as C does")]

mod cupti;
mod cupti_clients;
mod cupti_windows;
mod library;
mod nvtx;
mod python;
#[allow(dead_code, reason = "the recorder's tests need more of it")]
#[path = "../../../tests/recorder/recording.rs"]
mod recording;
mod role;
