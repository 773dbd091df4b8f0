//! What the devices did.

use std::collections::BTreeMap;

use super::{Report, process_of};
use crate::read::cupti::{Codes, Work, codes, copy_name, kind_by_name, memset_name, span, synchronization_name};
use crate::trace::{Class, LaunchConfig, NameId, Serial};

/// Kinds of memory by code, where no table has them (documented).
const MEMORY: [&str; 7] = ["Pageable", "Pinned", "Device", "Array", "Managed", "Device Static", "Managed Static"];

impl Report<'_, '_> {
    /// Kernels, copies, fills, graphs and waits.
    pub(super) fn device_work(&mut self) {
        self.kernels();
        let memory = self.kinds_of_memory();
        self.copies(&memory);
        self.fills(&memory);
        self.graphs();
        self.waits();
    }

    fn kernels(&mut self) {
        const COLUMNS: [&str; 18] = [
            "start",
            "end",
            "deviceId",
            "streamId",
            "correlationId",
            "globalPid",
            "demangledName",
            "shortName",
            "gridX",
            "gridY",
            "gridZ",
            "blockX",
            "blockY",
            "blockZ",
            "registersPerThread",
            "staticSharedMemory",
            "dynamicSharedMemory",
            "mangledName",
        ];
        let Self { tables, builder, warnings, strings, categories, correlations, devices } = self;
        tables.scan("CUPTI_ACTIVITY_KIND_KERNEL", &COLUMNS, warnings, |row, warnings| {
            builder.meta.events += 1;
            let [start, end, device, stream, correlation, pid, demangled, short, rest @ ..]: [Option<i64>; 18] =
                row.integers();
            let Some(span) = span(start, end, row.position, warnings) else { return };
            let name = strings.name(builder, demangled.or(short).or(rest[9]));
            let small = |value: Option<i64>| value.and_then(|value| u32::try_from(value).ok());
            let side = |value| small(value).unwrap_or_default();
            let shared = small(rest[7]).zip(small(rest[8])).map(|(fixed, dynamic)| fixed.saturating_add(dynamic));
            let config = rest[0].map(|_| LaunchConfig {
                grid: [side(rest[0]), side(rest[1]), side(rest[2])],
                block: [side(rest[3]), side(rest[4]), side(rest[5])],
                registers: small(rest[6]).unwrap_or(u32::MAX),
                shared_memory: shared.unwrap_or(u32::MAX),
                ..LaunchConfig::default()
            });
            let process = process_of(pid);
            let work = Work {
                device: device.unwrap_or_default(),
                stream: stream.unwrap_or_default(),
                process,
                correlation: correlations.unique(process, correlation),
                config,
                ..Work::new(Class::Kernel, name, span, row.position)
            };
            devices.add(builder, categories, &work);
        });
    }

    /// Names of kinds of memory: the report's own, else the documented ones.
    fn kinds_of_memory(&mut self) -> Codes {
        let mut kinds = codes(&mut self.tables, self.warnings, "ENUM_CUDA_MEM_KIND");
        if kinds.is_empty() {
            kinds.extend((0..).zip(MEMORY.map(|label| (String::new(), label.to_owned()))));
        }
        kinds
    }

    fn copies(&mut self, memory: &Codes) {
        const COLUMNS: [&str; 10] = [
            "start",
            "end",
            "deviceId",
            "streamId",
            "correlationId",
            "globalPid",
            "bytes",
            "copyKind",
            "srcKind",
            "dstKind",
        ];
        // The report's own codes, should they ever differ from CUPTI's.
        let own = codes(&mut self.tables, self.warnings, "ENUM_CUDA_MEMCPY_OPER");
        let code_of = |code: i64| {
            let known = own.get(&code).and_then(|(name, _)| name.strip_prefix("CUDA_MEMCPY_KIND_"));
            known.and_then(kind_by_name).unwrap_or(code)
        };
        let mut names: BTreeMap<[Option<i64>; 3], NameId> = BTreeMap::new();
        let Self { tables, builder, warnings, categories, correlations, devices, .. } = self;
        tables.scan("CUPTI_ACTIVITY_KIND_MEMCPY", &COLUMNS, warnings, |row, warnings| {
            builder.meta.events += 1;
            let [start, end, device, stream, correlation, pid, bytes, kind, from, to]: [Option<i64>; 10] =
                row.integers();
            let Some(span) = span(start, end, row.position, warnings) else { return };
            let name = *names.entry([kind, from, to]).or_insert_with(|| {
                let kind = kind.unwrap_or_default();
                let kind_of = |code: Option<i64>| memory.get(&code?).map(|(_, label)| label.as_str());
                let name = copy_name(code_of(kind), kind_of(from), kind_of(to));
                builder.intern(name.as_bytes())
            });
            let process = process_of(pid);
            let work = Work {
                device: device.unwrap_or_default(),
                stream: stream.unwrap_or_default(),
                process,
                correlation: correlations.unique(process, correlation),
                bytes,
                ..Work::new(Class::Memcpy, name, span, row.position)
            };
            devices.add(builder, categories, &work);
        });
    }

    fn fills(&mut self, memory: &Codes) {
        const COLUMNS: [&str; 8] =
            ["start", "end", "deviceId", "streamId", "correlationId", "globalPid", "bytes", "memKind"];
        let Self { tables, builder, warnings, categories, correlations, devices, .. } = self;
        tables.scan("CUPTI_ACTIVITY_KIND_MEMSET", &COLUMNS, warnings, |row, warnings| {
            builder.meta.events += 1;
            let [start, end, device, stream, correlation, pid, bytes, kind]: [Option<i64>; 8] = row.integers();
            let Some(span) = span(start, end, row.position, warnings) else { return };
            let kind = kind.and_then(|kind| memory.get(&kind)).map(|(_, label)| label.as_str());
            let name = builder.intern(memset_name(kind).as_bytes());
            let process = process_of(pid);
            let work = Work {
                device: device.unwrap_or_default(),
                stream: stream.unwrap_or_default(),
                process,
                correlation: correlations.unique(process, correlation),
                bytes,
                ..Work::new(Class::Memset, name, span, row.position)
            };
            devices.add(builder, categories, &work);
        });
    }

    /// Launches of whole graphs, of which the kernels were not recorded one by one: the device is as busy.
    fn graphs(&mut self) {
        const COLUMNS: [&str; 7] = ["start", "end", "deviceId", "streamId", "correlationId", "globalPid", "graphId"];
        let Self { tables, builder, warnings, categories, correlations, devices, .. } = self;
        tables.scan("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", &COLUMNS, warnings, |row, warnings| {
            builder.meta.events += 1;
            let [start, end, device, stream, correlation, pid, graph]: [Option<i64>; 7] = row.integers();
            let Some(span) = span(start, end, row.position, warnings) else { return };
            let graph = graph.unwrap_or_default();
            let name = builder.intern(format!("CUDA graph {graph}").as_bytes());
            let process = process_of(pid);
            let work = Work {
                device: device.unwrap_or_default(),
                stream: stream.unwrap_or_default(),
                process,
                correlation: correlations.unique(process, correlation),
                graph: Serial::try_from(graph).unwrap_or_default(),
                ..Work::new(Class::Kernel, name, span, row.position)
            };
            devices.add(builder, categories, &work);
        });
    }

    fn waits(&mut self) {
        const COLUMNS: [&str; 7] = ["start", "end", "deviceId", "streamId", "correlationId", "globalPid", "syncType"];
        let Self { tables, builder, warnings, categories, correlations, devices, .. } = self;
        tables.scan("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", &COLUMNS, warnings, |row, warnings| {
            builder.meta.events += 1;
            let [start, end, device, stream, correlation, pid, kind]: [Option<i64>; 7] = row.integers();
            let Some(span) = span(start, end, row.position, warnings) else { return };
            let name = builder.intern(synchronization_name(kind).as_bytes());
            let process = process_of(pid);
            // A wait for no stream has the largest 32-bit number for one.
            let stream = stream.filter(|stream| *stream < i64::from(u32::MAX)).unwrap_or(-1);
            let work = Work {
                device: device.unwrap_or_default(),
                stream,
                process,
                correlation: correlations.unique(process, correlation),
                ..Work::new(Class::Synchronization, name, span, row.position)
            };
            devices.add(builder, categories, &work);
        });
    }
}
