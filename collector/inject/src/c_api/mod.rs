//! The interface for C and languages that can call it: `include/stepscope.h` defines it.
//!
//! Nothing unwinds into the caller, nothing blocks while nothing is recorded, and no pointer is kept.
#![allow(unsafe_code, reason = "names that other languages find, and pointers that they give")]

mod argument;
mod error;
mod event;
mod python;
mod recording;
mod span;
mod step;
mod text;
mod timer;

pub use argument::{
    stepscope_argument_bool, stepscope_argument_double, stepscope_argument_int, stepscope_argument_text,
    stepscope_argument_uint,
};
pub use error::stepscope_last_error;
pub use event::{
    stepscope_allocated, stepscope_async_begin, stepscope_async_end, stepscope_counter, stepscope_flow_end,
    stepscope_flow_start, stepscope_flow_step, stepscope_freed, stepscope_mark, stepscope_mark_signed,
    stepscope_name_thread,
};
pub use python::{stepscope_python_enter, stepscope_python_exit, stepscope_python_init};
pub use recording::{
    stepscope_abi_version, stepscope_cuda_rearm, stepscope_cuda_release, stepscope_is_recording, stepscope_path,
    stepscope_recover, stepscope_start, stepscope_stop, stepscope_version,
};
pub use span::{
    stepscope_begin, stepscope_discard, stepscope_end, stepscope_end_innermost, stepscope_end_named, stepscope_name,
    stepscope_set_value,
};
pub use step::{stepscope_end_step, stepscope_step};
pub use timer::{
    stepscope_count_timers, stepscope_print_all_status, stepscope_print_status, stepscope_reset_timers,
    stepscope_timer_begin, stepscope_timer_begin_info, stepscope_timer_end, stepscope_timer_status,
};
