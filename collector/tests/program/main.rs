//! The program `stepscope` as a person or a script meets it.

mod export;
mod serve;
mod summary;
mod support;
