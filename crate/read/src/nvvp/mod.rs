//! nvprof's files for the Visual Profiler.
//!
//! Producer: `nvprof -o file.nvvp` (or `.nvprof`, `.prof`) of CUDA 5 to 12: an SQLite file.
//!
//! Read:
//! - kernels, memcpys (also between devices), memsets, synchronizations, migrations of unified memory;
//! - calls of the CUDA runtime and driver; NVTX ranges and marks; overhead;
//! - clocks, temperature, power and fans over time, counters of unified memory;
//! - devices; names of processes, threads and streams.
//!
//! Not read: counters and metrics of kernels, source correlation, samples, OpenACC and OpenMP. Tables with rows that
//! are not read get a warning.
//!
//! Documented (CUPTI's reference):
//! - the records, whose fields are the columns; times in ns since 1970;
//! - codes of copies, memory, synchronizations, overhead, markers (1 instantaneous, 2 start, 4 end) and environment;
//! - the callback ids of functions.
//!
//! Seen in files and in programs that read them:
//! - one table `CUPTI_ACTIVITY_KIND_…` per kind of record, with a key `_id_`; `StringTable` with the names;
//! - blobs for unions of a record (`objectId`, `data`), little-endian;
//! - mangled names of kernels, which are kept so.

mod callbacks;
mod device;
mod host;
mod meta;

use std::collections::BTreeMap;

use super::Export;
use super::cupti::{Categories, Counting, Devices, FirstTables, StringIds, Tables, first_tables};
use super::recordings::stem;
use crate::reader::{About, Method, Reader};
use crate::{Head, Verdict};
use stepscope_base::{Error, ReadAt, RejectionReason, Warnings};
use stepscope_trace::TraceBuilder;

/// The reader of nvprof's databases.
pub(super) struct Nvvp;

impl Reader for Nvvp {
    fn id(&self) -> &'static str {
        "nvvp"
    }

    fn about(&self) -> About {
        About {
            title: "nvprof and Visual Profiler (SQLite)",
            versions: "CUDA 5 to 12: `nvprof -o`",
            read: "kernels, copies, memsets, waits, unified memory; CUDA calls; NVTX; clocks, temperature, power",
            not_read: "counters and metrics of kernels, source correlation, samples, OpenACC",
        }
    }

    fn sniff(&self, _: &str, head: Head<'_>) -> Verdict {
        match first_tables(head) {
            FirstTables::Unknown => Verdict::NeedMore,
            FirstTables::Named(tables) if is_nvprof(&tables) => Verdict::Yes,
            FirstTables::Named(_) => Verdict::No(RejectionReason::NoNvprofTables),
            FirstTables::Unreadable => Verdict::No(RejectionReason::SqliteDamaged),
            FirstTables::None(why) => Verdict::No(why),
        }
    }

    fn method(&self) -> Method {
        Method::Random(read)
    }

    fn export_of(&self, path: &str, _head: Head<'_>) -> Export {
        Export::one(format!("nvprof {}", stem(path)), 0, path)
    }
}

fn is_nvprof(tables: &[String]) -> bool {
    let records = tables.iter().any(|name| name.starts_with("CUPTI_ACTIVITY_KIND_"));
    records && !tables.iter().any(|name| name == "StringIds")
}

/// A profile that is being read.
struct Profile<'a, 'f> {
    tables: Tables<'f>,
    builder: &'a mut TraceBuilder,
    warnings: &'a mut Warnings,
    strings: StringIds,
    categories: Categories,
    devices: Devices,
    /// The device of each context.
    device_of_context: BTreeMap<i64, i64>,
}

/// Tables that only explain others.
const EXPLAINING: [&str; 8] = [
    "sqlite_",
    "Version",
    "CUPTI_ACTIVITY_KIND_DEVICE_ATTRIBUTE",
    "CUPTI_ACTIVITY_KIND_FUNCTION",
    "CUPTI_ACTIVITY_KIND_MARKER_DATA",
    "CUPTI_ACTIVITY_KIND_MODULE",
    "CUPTI_ACTIVITY_KIND_STREAM",
    "CUPTI_ACTIVITY_KIND_CUDA_EVENT",
];

fn read(
    file: &mut dyn ReadAt,
    builder: &mut TraceBuilder,
    warnings: &mut Warnings,
    progress: &mut dyn FnMut(u64),
) -> Result<(), Error> {
    let mut file = Counting::new(file, progress);
    let mut tables = Tables::open(&mut file, warnings)?;
    let strings = StringIds::read(&mut tables, "StringTable", ["_id_", "value"], warnings);
    let categories = Categories::new(builder);
    let devices = Devices::default();
    let device_of_context = BTreeMap::new();
    let mut profile = Profile { tables, builder, warnings, strings, categories, devices, device_of_context };
    profile.builder.meta.framework = "nvprof".into();
    profile.meta();
    profile.calls();
    profile.device_work();
    profile.overhead();
    profile.markers();
    profile.environment();
    profile.strings.tell_cut(profile.warnings);
    profile.tables.tell_unread(&EXPLAINING, profile.warnings);
    Ok(())
}

/// A process or thread id: nvprof's threads are addresses, which a signed column may show as negative numbers.
fn id(number: Option<i64>) -> i64 {
    number.unwrap_or_default() & 0xffff_ffff
}

/// The 32-bit numbers that a blob begins with.
fn words<const COUNT: usize>(blob: &[u8]) -> [Option<u32>; COUNT] {
    let words = blob.as_chunks::<4>().0;
    std::array::from_fn(|index| words.get(index).map(|word| u32::from_le_bytes(*word)))
}

/// The process and thread of a record's object; zeros if it is neither.
fn thread_of(kind: Option<i64>, object: Option<&[u8]>) -> (i64, i64) {
    const PROCESS: i64 = 1;
    const THREAD: i64 = 2;
    let [process, thread] = words(object.unwrap_or_default()).map(|word| word.map_or(0, i64::from));
    match kind {
        Some(PROCESS) => (process, 0),
        Some(THREAD) => (process, thread),
        _ => (0, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_little_endian() {
        let blob = b"\xe5\xc0\x16\x00@\xe7\x10J\x00\x00\x00\x00";
        assert_eq!(thread_of(Some(2), Some(blob)), (1_491_173, 1_242_621_760));
        assert_eq!(thread_of(Some(1), Some(blob)), (1_491_173, 0));
        assert_eq!(thread_of(Some(3), Some(blob)), (0, 0));
        assert_eq!(thread_of(Some(2), Some(b"\x01")), (0, 0));
        assert_eq!(id(Some(-1)), 0xffff_ffff);
    }
}
