//! Nsight Systems' reports, exported to SQLite.
//!
//! Producer: `nsys export --type sqlite report.nsys-rep` (before 2021.4 `report.qdrep`), of Nsight Systems 2019 to 2026.
//! The report itself is in NVIDIA's own format and is not read.
//!
//! Read:
//! - kernels, memcpys, memsets and synchronizations;
//! - whole CUDA graphs (`CUPTI_ACTIVITY_KIND_GRAPH_TRACE`: one row a launch, shown as a kernel);
//! - calls of the CUDA runtime and driver, and of the operating system; cuBLAS, cuDNN and MPI calls, as operators;
//! - NVTX ranges and marks;
//! - the profiler's overhead;
//! - GPU metrics, the number of running threads and allocations of device memory over time;
//! - names of processes and threads, devices, MPI's rank, the time of day.
//!
//! Not read: samples of call stacks and call chains, graphics, network and other events. Tables with rows that are
//! not read get a warning.
//!
//! Documented (Nsight Systems' User Guide, "SQLite Schema Reference", and the older "SQLite Export Schema
//! Reference"):
//! - the tables and their columns; all of them are optional: tables exist only if they have rows, and columns differ
//!   between versions;
//! - times in ns since the session's start, whose time of day is `TARGET_INFO_SESSION_START_TIME`;
//! - `globalTid` as hardware, virtual machine, process and thread, the last two in 24 bits each; `globalPid`
//!   likewise;
//! - codes of NVTX events (59 push/pop, 60 start/end, 34 mark, 75 domain), of copies and of memory.
//!
//! Seen in exports and in programs that read them:
//! - `ENUM_…` tables with the names of codes (from 2021 on);
//! - the low half of `GPU_METRICS.typeId` as the device's number;
//! - versions of the interface at the end of names (`cudaLaunchKernel_v7000`), which are left out here;
//! - correlation ids that each process counts separately.
//!
//! NVTX ranges are annotations, so that repeated ones are steps; a domain other than the default one is put before
//! the name. Ranges of PyTorch's `emit_nvtx` (`aten::mm, seq = 7, op_id = 12`) are operators. Ranges of MPI get the
//! prefix `mpi:`, which marks communication on the host.
//!
//! If several processes of a report used a device, each is a rank, numbered in the order of process ids unless MPI
//! gives ranks. Rows without a process, such as GPU metrics, are read with each rank; those of other processes with
//! the first. A packed report is one rank, with a warning, since it is read from front to back.

mod counters;
mod device;
mod host;
mod meta;
mod nvtx;

use std::collections::{BTreeMap, BTreeSet};

use super::Export;
use super::cupti::{Categories, Correlations, Counting, Devices, FirstTables, Owners, StringIds, Tables, first_tables};
use super::recordings::stem;
use crate::clip::clip;
use crate::reader::{About, Method, Reader};
use crate::unread;
use crate::{Head, Verdict};
use stepscope_base::{Code, Error, ReadAt, RejectionReason, Warnings};
use stepscope_trace::{PROGRAM, TraceBuilder};

/// The reader of Nsight Systems' exports.
pub(super) struct Nsys;

impl Reader for Nsys {
    fn id(&self) -> &'static str {
        "nsys"
    }

    fn about(&self) -> About {
        About {
            title: "Nsight Systems (SQLite export)",
            versions: "2019 to 2026: `nsys export --type sqlite`",
            read: "kernels, copies, memsets, CUDA graphs, waits; CUDA, cuBLAS, cuDNN, MPI and system calls; NVTX; GPU metrics, \
                   running threads, device memory",
            not_read: "the report (.nsys-rep) itself; samples, call chains, graphics, network",
        }
    }

    fn sniff(&self, path: &str, head: Head<'_>) -> Verdict {
        const SIGNS: [&str; 5] = ["StringIds", "NVTX_EVENTS", "META_DATA_EXPORT", "ENUM_NSYS", "TARGET_INFO_"];
        let is_sign = |name: &str| SIGNS.iter().any(|sign| name.starts_with(sign));
        match first_tables(head) {
            FirstTables::None(_) if is_report(path) => Verdict::Unread(RejectionReason::NsysReport),
            FirstTables::Unknown => Verdict::NeedMore,
            FirstTables::Unreadable if unread::reason(path, head).is_some() => {
                Verdict::No(RejectionReason::NoNsysTables)
            }
            // Accepted, so that the damage is reported with its position.
            FirstTables::Unreadable => Verdict::Yes,
            FirstTables::Named(tables) if tables.iter().any(|name| is_sign(name)) => Verdict::Yes,
            FirstTables::Named(_) => Verdict::No(RejectionReason::NoNsysTables),
            FirstTables::None(why) => Verdict::No(why),
        }
    }

    fn method(&self) -> Method {
        Method::Random(read)
    }

    fn ranks_in(&self, file: &mut dyn ReadAt) -> Vec<i64> {
        ranks_in(file).into_iter().collect()
    }

    fn export_of(&self, path: &str, _head: Head<'_>) -> Export {
        // `nsys export` names the database like the report.
        Export::one(format!("nsys {}", stem(path)), u8::from(is_report(path)), path)
    }
}

/// Whether a file has the name of a report, whose content is not documented.
fn is_report(path: &str) -> bool {
    [".nsys-rep", ".qdrep"].iter().any(|ending| path.ends_with(ending))
}

/// A report that is being read.
struct Report<'a, 'f> {
    tables: Tables<'f>,
    builder: &'a mut TraceBuilder,
    warnings: &'a mut Warnings,
    strings: StringIds,
    categories: Categories,
    correlations: Correlations,
    devices: Devices,
    /// The device of each process, by its activities; none of a process with several.
    device_of: BTreeMap<Option<i64>, Option<i64>>,
}

/// Tables that only explain others, or describe the recording.
const EXPLAINING: [&str; 9] = [
    "ENUM_",
    "TARGET_INFO_",
    "META_DATA_",
    "sqlite_",
    "ANALYSIS_",
    "ProcessStreams",
    "GENERIC_EVENT_",
    "NIC_ID_MAP",
    "EXPORT_",
];

fn read(
    file: &mut dyn ReadAt,
    builder: &mut TraceBuilder,
    warnings: &mut Warnings,
    progress: &mut dyn FnMut(u64),
) -> Result<(), Error> {
    let ranks = file.process().map(|process| (process, ranks_in(file)));
    let mut file = Counting::new(file, progress);
    let mut tables = Tables::open(&mut file, warnings)?;
    if let Some(program) = ranks.as_ref().and_then(|(_, ranks)| program_of(&mut tables, ranks, warnings)) {
        builder.meta.facts.push((PROGRAM.to_owned(), program));
    }
    let mut tables = tables.of(ranks.map(|(process, ranks)| owners(process, ranks)));
    let strings = StringIds::read(&mut tables, "StringIds", ["id", "value"], warnings);
    let categories = Categories::new(builder);
    let mut report = Report {
        tables,
        builder,
        warnings,
        strings,
        categories,
        correlations: Correlations::default(),
        devices: Devices::default(),
        device_of: BTreeMap::new(),
    };
    report.builder.meta.framework = "Nsight Systems".into();
    report.meta();
    // Calls before their activities: the process that calls first keeps its ids.
    report.calls();
    report.device_work();
    report.ranges();
    report.libraries();
    report.counters();
    report.strings.tell_cut(report.warnings);
    report.tables.tell_unread(&EXPLAINING, report.warnings);
    let processes = report.devices.launching_processes();
    if processes > 1 {
        report.warnings.add(Code::MergedRanks, None, || format!("{processes} processes"));
    }
    Ok(())
}

/// The processes with device activity; fewer than two if the file is one rank. For most files, small tables show that
/// at most one process used a device.
fn ranks_in(file: &mut dyn ReadAt) -> BTreeSet<i64> {
    const USERS: [&str; 2] = ["TARGET_INFO_CUDA_CONTEXT_INFO", "TARGET_INFO_CUDA_STREAM"];
    const WORK: [&str; 4] = [
        "CUPTI_ACTIVITY_KIND_KERNEL",
        "CUPTI_ACTIVITY_KIND_MEMCPY",
        "CUPTI_ACTIVITY_KIND_MEMSET",
        "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
    ];
    let mut warnings = Warnings::default();
    let Ok(mut tables) = Tables::open(file, &mut warnings) else { return BTreeSet::new() };
    let mut users = BTreeSet::new();
    for table in USERS {
        tables.scan(table, &["processId"], &mut warnings, |row, _| users.extend(row.integer(0)));
    }
    let mut working = BTreeSet::new();
    if users.len() != 1 {
        for table in WORK {
            tables.scan(table, &["globalPid"], &mut warnings, |row, _| working.extend(process_of(row.integer(0))));
        }
    }
    working
}

/// The program of all processes of a report that used devices, with their number. None if they run several programs,
/// since their relation is then unknown.
fn program_of(tables: &mut Tables<'_>, ranks: &BTreeSet<i64>, warnings: &mut Warnings) -> Option<String> {
    let mut names: Vec<String> = Vec::new();
    tables.scan("PROCESSES", &["globalPid", "name"], warnings, |row, _| {
        if let (Some(process), Some(name)) = (process_of(row.integer(0)), row.get(1).text())
            && ranks.contains(&process)
        {
            names.push(clip(&String::from_utf8_lossy(&name)));
        }
    });
    let first = names.first().filter(|name| !name.is_empty())?;
    let is_one = names.len() == ranks.len() && names.iter().all(|name| name == first);
    is_one.then(|| format!("{first}, {} processes", names.len()))
}

/// The rows that belong to a rank. Processes that are not ranks, such as data loaders, are read with the first rank:
/// nothing assigns them.
fn owners(process: i64, ranks: BTreeSet<i64>) -> Owners {
    let is_first = ranks.first() == Some(&process);
    let reads = move |global: i64| {
        let named = global >> 24 & 0xff_ffff;
        named == process || is_first && !ranks.contains(&named)
    };
    Owners { columns: ["globalPid", "globalTid"], reads: Box::new(reads) }
}

/// The process and thread of a `globalTid`; zeros if there is none.
fn thread_of(global: Option<i64>) -> (i64, i64) {
    let global = global.unwrap_or_default();
    (global >> 24 & 0xff_ffff, global & 0xff_ffff)
}

/// The process of a `globalPid`.
fn process_of(global: Option<i64>) -> Option<i64> {
    global.map(|global| global >> 24 & 0xff_ffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_hold_process_and_thread() {
        // 281474976710656 × 1 (machine) + 4242 × 2²⁴ + 4243, as the guide's example takes them apart.
        let global = (1 << 48) + (4242 << 24) + 4243;
        assert_eq!(thread_of(Some(global)), (4242, 4243));
        assert_eq!(thread_of(Some(-1)), (0xff_ffff, 0xff_ffff));
        assert_eq!((process_of(Some(global)), process_of(None)), (Some(4242), None));
    }
}
