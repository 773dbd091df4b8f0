//! One shared library that unmodified programs load.
//!
//! ```text
//! NVTX_INJECTION64_PATH ─► nvtx   ─┐
//! CUDA_INJECTION64_PATH ─► cupti  ─┼─► the recorder, switched on by STEPSCOPE_OPTIONS
//! dlopen, ctypes        ─► c_api  ─┘
//! ```
//!
//! It never harms its host: nothing panics across its edge (`guard`), it prints only what the user needs.
#![cfg(unix)]

pub mod c_api;
mod cupti;
mod guard;
mod nvtx;
mod switch;
mod text;

pub use cupti::InitializeInjection;
pub use nvtx::{GetExportTable, InitializeInjectionNvtx2};
