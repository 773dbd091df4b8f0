//! The program `stepscope` as users and scripts run it.

mod advice;
mod critical;
mod diff;
mod documents;
mod export;
mod find;
mod grouping;
mod help;
mod job;
mod kernel_use;
mod memory;
mod range;
mod recorded_time;
mod redact;
mod report;
mod serve;
mod style;
mod summary;
mod support;
mod table_csv;
mod thresholds;
