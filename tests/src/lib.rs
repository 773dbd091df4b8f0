//! Shared code of the tests: the generator of traces with known answers, and help with files and goldens.

pub mod files;
pub mod generator;
pub mod oracle;
