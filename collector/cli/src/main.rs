//! `stepscope`: the analyzer on the command line.
//!
//! Errors go to standard error. Exit codes: 0 for success, 1 for failure, 2 for bad usage.

mod args;
mod beside;
mod copy;
mod cut;
mod diff;
#[cfg(target_os = "linux")]
mod doctor;
mod export;
mod find;
mod grid;
mod idle_options;
mod json_part;
mod manual;
mod open;
mod output;
mod perf_summary;
mod query_option;
mod range_option;
#[cfg(target_os = "linux")]
mod record;
mod recorded;
#[cfg(target_os = "linux")]
mod recover;
#[cfg(target_os = "linux")]
mod recover_options;
mod redact;
mod report;
mod result;
mod serve;
mod steps;
mod style;
mod summary;
mod table_csv;
mod tables;
mod thresholds;
mod written;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Arguments, Command, with_default_command};

fn main() -> ExitCode {
    let arguments = Arguments::parse_from(with_default_command(std::env::args_os().collect()));
    let result = match arguments.command {
        Command::Summary(options) => summary::run(&options),
        Command::Diff(options) => diff::run(&options),
        Command::Find(options) => find::run(&options),
        Command::Export(options) => export::run(&options),
        Command::Report(options) => report::run(&options),
        Command::Redact(options) => redact::run(&options),
        Command::Serve(options) => serve::run(&options),
        Command::Demo(options) => serve::demo(&options),
        Command::Completions(options) => manual::completions(&options),
        Command::Manual(options) => manual::write(&options),
        #[cfg(target_os = "linux")]
        Command::Doctor(options) => doctor::run(&options),
        #[cfg(target_os = "linux")]
        Command::Recover(options) => match recover::run(&options) {
            Ok(code) => return code,
            Err(message) => Err(message),
        },
        #[cfg(target_os = "linux")]
        Command::Record(options) => match record::run(&options) {
            Ok(code) => return code,
            Err(message) => Err(message),
        },
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
