//! The program `stepscope` as a person or a script meets it.

mod advice;
mod critical;
mod diff;
mod export;
mod grouping;
mod kernel_use;
mod memory;
mod serve;
mod style;
mod summary;
mod support;
mod thresholds;
