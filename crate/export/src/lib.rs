//! What leaves the program: bytes, made without IO.

pub mod perfetto;
pub mod report_json;
