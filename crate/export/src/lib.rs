//! Exports and reports as bytes; this crate does no IO.

pub mod perfetto;
pub mod report_json;
