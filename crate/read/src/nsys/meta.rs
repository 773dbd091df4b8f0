//! Facts about the report: devices, processes, threads, ranks, times.

use std::collections::BTreeMap;

use super::{Report, process_of, thread_of};
use crate::clip::clip;
use crate::cupti::codes;
use stepscope_base::Code;
use stepscope_trace::{Device, RawId};

/// The keys of `META_DATA_EXPORT` that are kept as facts, and the facts' names.
const FACTS: [(&str, &str); 2] =
    [("EXPORT_PRODUCT_VERSION", "Nsight Systems"), ("EXPORT_SCHEMA_VERSION", "Nsight Systems' schema")];

impl Report<'_, '_> {
    /// Reads all tables without events.
    pub(super) fn meta(&mut self) {
        self.start_time();
        self.gpus();
        self.names();
        self.ranks();
        self.facts();
        self.diagnostics();
    }

    fn start_time(&mut self) {
        let Self { tables, builder, warnings, .. } = self;
        tables.scan("TARGET_INFO_SESSION_START_TIME", &["utcEpochNs"], warnings, |row, _| {
            if let Some(start) = row.integer(0) {
                builder.meta.origin_unix_ns.get_or_insert(start);
            }
        });
    }

    /// The machine's devices, by the numbers in the rows of kernels.
    fn gpus(&mut self) {
        const COLUMNS: [&str; 14] = [
            "id",
            "cuDevice",
            "totalMemory",
            "computeMajor",
            "computeMinor",
            "smCount",
            "threadsPerWarp",
            "maxWarpsPerSm",
            "maxThreadsPerBlock",
            "maxRegistersPerSm",
            "maxShmemPerSm",
            "maxShmemPerBlockOptin",
            "maxShmemPerBlock",
            "name",
        ];
        let Self { tables, builder, warnings, .. } = self;
        // CUDA numbers the devices visible to a process, the system all of them.
        let mut cuda_ids = BTreeMap::new();
        tables.scan("TARGET_INFO_CUDA_DEVICE", &["gpuId", "cudaId"], warnings, |row, _| {
            if let (Some(gpu), Some(cuda)) = (row.integer(0), row.integer(1)) {
                cuda_ids.entry(gpu).or_insert(cuda);
            }
        });
        let mut devices = Vec::new();
        tables.scan("TARGET_INFO_GPU", &COLUMNS, warnings, |row, _| {
            let values: [Option<i64>; 13] = row.integers();
            let small = |index: usize| values[index].and_then(|value| u32::try_from(value).ok());
            let bytes = |index: usize| values[index].and_then(|value| u64::try_from(value).ok());
            let gpu = values[0].unwrap_or_default();
            let name = row.get(13).text().unwrap_or_default();
            devices.push(Device {
                id: cuda_ids.get(&gpu).copied().or(values[1]).unwrap_or(gpu),
                name: clip(&String::from_utf8_lossy(&name)),
                memory_bytes: bytes(2),
                capability: small(3).zip(small(4)),
                multiprocessors: small(5),
                warp_size: small(6),
                max_threads_per_multiprocessor: small(6)
                    .zip(small(7))
                    .map(|(threads, warps)| threads.saturating_mul(warps)),
                max_threads_per_block: small(8),
                registers_per_multiprocessor: small(9),
                shared_memory_per_multiprocessor: bytes(10),
                shared_memory_per_block: bytes(11).or_else(|| bytes(12)),
            });
        });
        builder.meta.devices.extend(devices);
    }

    fn names(&mut self) {
        let Self { tables, builder, warnings, strings, .. } = self;
        tables.scan("PROCESSES", &["globalPid", "pid", "name"], warnings, |row, _| {
            let process = process_of(row.integer(0)).or_else(|| row.integer(1));
            if let (Some(process), Some(name)) = (process, row.get(2).text()) {
                let name = builder.intern(&name);
                builder.process_mut(RawId::Number(process)).name = name;
            }
        });
        tables.scan("ThreadNames", &["globalTid", "nameId"], warnings, |row, _| {
            if let Some(thread) = row.integer(0) {
                let (process, thread) = thread_of(Some(thread));
                let name = strings.name(builder, row.integer(1));
                builder.name_thread(RawId::Number(process), RawId::Number(thread), Some(name), None);
            }
        });
    }

    /// MPI's rank, if the report has one process of MPI.
    fn ranks(&mut self) {
        let Self { tables, builder, warnings, .. } = self;
        let mut ranks = Vec::new();
        tables.scan("MPI_RANKS", &["rank"], warnings, |row, _| ranks.extend(row.integer(0)));
        ranks.dedup();
        let mut size = None;
        tables.scan("MPI_COMMUNICATORS", &["size"], warnings, |row, _| size = size.max(row.integer(0)));
        if let [rank] = ranks[..] {
            builder.meta.distributed.rank = u64::try_from(rank).ok();
            builder.meta.distributed.world_size = size.and_then(|size| u64::try_from(size).ok());
        }
    }

    fn facts(&mut self) {
        let Self { tables, builder, warnings, .. } = self;
        tables.scan("META_DATA_EXPORT", &["name", "value"], warnings, |row, _| {
            let name = row.get(0).text().unwrap_or_default();
            let fact = FACTS.iter().find(|(key, _)| key.as_bytes() == &*name);
            if let (Some((_, fact)), Some(value)) = (fact, row.get(1).text()) {
                builder.meta.facts.push(((*fact).to_owned(), clip(&String::from_utf8_lossy(&value))));
            }
        });
    }

    /// The errors reported by the profiler.
    fn diagnostics(&mut self) {
        let severities = codes(&mut self.tables, self.warnings, "ENUM_DIAGNOSTIC_SEVERITY_LEVEL");
        let is_error =
            |severity| severities.get(&severity).is_some_and(|(name, _)| name.to_ascii_uppercase().contains("ERROR"));
        self.tables.scan("DIAGNOSTIC_EVENT", &["severity", "text"], self.warnings, |row, warnings| {
            if row.integer(0).is_some_and(is_error) {
                let text = || clip(&String::from_utf8_lossy(&row.get(1).text().unwrap_or_default()));
                warnings.add(Code::ProfilerErrors, Some(row.position), text);
            }
        });
    }
}
