//! nvprof's printed profiles.
//!
//! Producer: `nvprof` of CUDA 5 to 12. It prints on standard error (mixed with the program's output), or into a file
//! with `--log-file`. Read are the summary, `--print-gpu-trace` and `--print-api-trace`, each with or without
//! `--csv`.
//!
//! Read:
//! - summaries, as the tables `gpu_activities`, `api_calls` and `openacc`;
//! - traces, as kernels, memcpys, memsets and calls with streams, grids, blocks, registers, shared memory and bytes;
//! - counts of page faults, as counters;
//! - the command, and nvprof's warnings.
//!
//! Several processes in one text are kept separate. Not read: tables of events, metrics and unified memory by device,
//! which get a warning; the program's own lines, which are counted as a fact.
//!
//! Documented (Profiler User's Guide):
//! - the modes and the columns;
//! - units after each number or, with `--csv`, in a line below the titles; sizes in powers of 1024;
//! - the number in brackets after a kernel's name, which is its call's correlation id.
//!
//! Seen in printed profiles:
//! - Columns are two spaces apart; `-` means no value.
//! - Lines of nvprof itself begin with `==PID==`, or with `========` in log files.
//! - Before CUDA 8 the summary has no column `Type`, but a line `API calls:` between two tables.
//! - Devices' names are cut after 15 letters, mostly before their number. Devices are then numbered by name, so that
//!   equal ones become one.
//!
//! A text without the line `NVPROF is profiling process` was printed from a saved profile (`-i`). If a database of
//! the same name exists, both are exports of one recording.
//!
//! Numbers have five digits: a start at 155.569 s is known to the millisecond only, and successive kernels may seem
//! to overlap. A process's times count from its own start.

mod layout;
mod number;
mod summary;
mod text;
mod trace;

use super::Export;
use super::recordings::stem;
use crate::reader::{About, Counts, Finished, Method, Reader, Reading};
use crate::{Head, Verdict};
use stepscope_base::{Error, ErrorKind, RejectionReason};

/// The reader of nvprof's prints.
pub(super) struct Nvprof;

impl Reader for Nvprof {
    fn id(&self) -> &'static str {
        "nvprof"
    }

    fn about(&self) -> About {
        About {
            title: "nvprof (printed text or CSV)",
            versions: "CUDA 5 to 12",
            read: "summaries; GPU and API traces",
            not_read: "events and metrics of kernels, unified memory by device",
        }
    }

    fn sniff(&self, _: &str, head: Head<'_>) -> Verdict {
        // A long output of the program may come first; a line cut by the end of the head does not count.
        let lines = head.bytes.split(|byte| *byte == b'\n').map(String::from_utf8_lossy);
        let is_ours =
            |line: &str| text::titles(line).is_some() || text::message(line).is_some_and(|(_, text)| is_message(text));
        if lines.into_iter().any(|line| is_ours(line.trim_end_matches('\r'))) {
            Verdict::Yes
        } else if !head.whole {
            Verdict::NeedMore
        } else {
            Verdict::No(RejectionReason::NoNvprofLine)
        }
    }

    fn method(&self) -> Method {
        Method::Stream(|builder| Box::new(Printed { lines: text::Lines::new(builder), buffer: Vec::new() }))
    }

    fn export_of(&self, path: &str, head: Head<'_>) -> Export {
        // A saved profile, as `nvprof -i x.nvvp` prints it, has exact times and all rows.
        match head.contains("NVPROF is profiling process") {
            true => Export::only(self.id(), path),
            false => Export::one(format!("nvprof {}", stem(path)), 1, path),
        }
    }
}

fn is_message(text: &str) -> bool {
    ["NVPROF is profiling", "Profiling application", "Profiling result", "API calls"]
        .iter()
        .any(|start| text.starts_with(start))
}

/// A text in progress.
struct Printed {
    lines: text::Lines,
    buffer: Vec<u8>,
}

impl Reading for Printed {
    fn space(&mut self, len: usize) -> &mut [u8] {
        if self.buffer.len() < len {
            self.buffer.resize(len, 0);
        }
        &mut self.buffer[..len]
    }

    fn advance(&mut self, len: usize) -> Result<(), Error> {
        self.lines.push(&self.buffer[..len]);
        Ok(())
    }

    fn counts(&self) -> Counts {
        Counts::of(&self.lines.builder)
    }

    fn finish(self: Box<Self>) -> Finished {
        let mut lines = self.lines;
        let before = lines.builder.meta.inputs.last().map_or(0, |file| file.events);
        lines.finish();
        let any = lines.builder.meta.events > before;
        let error = (!any).then(|| Error::new(ErrorKind::NoEvents));
        Finished { builder: lines.builder, warnings: lines.warnings, error }
    }
}
