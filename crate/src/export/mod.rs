//! What leaves the program: bytes, made without IO.

pub mod report_json;
