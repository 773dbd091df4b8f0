//! Activities of the devices.

use std::collections::BTreeMap;

use super::{Report, process_of};
use crate::cupti::{
    Codes, StringIds, Work, WorkRow, codes, copy_name, kind_by_name, launch_config, memset_name, synchronization_name,
};
use stepscope_trace::{Class, NameId, Serial, TraceBuilder};

/// Kinds of memory by code, if no table has them (documented).
const MEMORY: [&str; 7] = ["Pageable", "Pinned", "Device", "Array", "Managed", "Device Static", "Managed Static"];

impl Report<'_, '_> {
    /// Reads kernels, memcpys, memsets, graphs and synchronizations.
    pub(super) fn device_work(&mut self) {
        self.kernels();
        let memory = self.kinds_of_memory();
        self.copies(&memory);
        self.fills(&memory);
        self.graphs();
        self.waits();
    }

    /// Reads a table of device activities.
    fn work<const MORE: usize>(
        &mut self,
        table: &str,
        more: [&str; MORE],
        mut what: impl FnMut(&mut TraceBuilder, &mut StringIds, &WorkRow<MORE>) -> Work,
    ) {
        let Self { tables, builder, warnings, strings, categories, correlations, devices, device_of } = self;
        tables.scan_work((table, "globalPid", more), builder, warnings, |builder, row| {
            let process = process_of(row.join);
            let work = what(builder, strings, &row);
            // Synchronizations of a process that sees one device only have device 0, whichever that is.
            let device = if work.class == Class::Synchronization {
                device_of.get(&process).copied().flatten().unwrap_or(row.device)
            } else {
                let known = device_of.entry(process).or_insert(Some(row.device));
                *known = known.filter(|device| *device == row.device);
                row.device
            };
            let work = Work {
                device,
                stream: row.stream,
                process,
                correlation: correlations.unique(process, row.correlation),
                ..work
            };
            devices.add(builder, categories, &work);
        });
    }

    fn kernels(&mut self) {
        const COLUMNS: [&str; 12] = [
            "demangledName",
            "shortName",
            "mangledName",
            "gridX",
            "gridY",
            "gridZ",
            "blockX",
            "blockY",
            "blockZ",
            "registersPerThread",
            "staticSharedMemory",
            "dynamicSharedMemory",
        ];
        self.work("CUPTI_ACTIVITY_KIND_KERNEL", COLUMNS, |builder, strings, row| {
            let [demangled, short, mangled, sizes @ ..] = row.more;
            let name = strings.name(builder, demangled.or(short).or(mangled));
            let config = sizes[0].map(|_| launch_config(sizes));
            Work { config, ..Work::new(Class::Kernel, name, row.span, row.position) }
        });
    }

    /// Names of kinds of memory: the report's own, or else the documented ones.
    fn kinds_of_memory(&mut self) -> Codes {
        let mut kinds = codes(&mut self.tables, self.warnings, "ENUM_CUDA_MEM_KIND");
        if kinds.is_empty() {
            kinds.extend((0..).zip(MEMORY.map(|label| (String::new(), label.to_owned()))));
        }
        kinds
    }

    fn copies(&mut self, memory: &Codes) {
        // The report's own codes, in case they differ from CUPTI's.
        let own = codes(&mut self.tables, self.warnings, "ENUM_CUDA_MEMCPY_OPER");
        let code_of = |code: i64| {
            let known = own.get(&code).and_then(|(name, _)| name.strip_prefix("CUDA_MEMCPY_KIND_"));
            known.and_then(kind_by_name).unwrap_or(code)
        };
        let mut names: BTreeMap<[Option<i64>; 3], NameId> = BTreeMap::new();
        let columns = ["bytes", "copyKind", "srcKind", "dstKind"];
        self.work("CUPTI_ACTIVITY_KIND_MEMCPY", columns, |builder, _, row| {
            let [bytes, kind, from, to] = row.more;
            let name = *names.entry([kind, from, to]).or_insert_with(|| {
                let kind = kind.unwrap_or_default();
                let kind_of = |code: Option<i64>| memory.get(&code?).map(|(_, label)| label.as_str());
                let name = copy_name(code_of(kind), kind_of(from), kind_of(to));
                builder.intern(name.as_bytes())
            });
            Work { bytes, ..Work::new(Class::Memcpy, name, row.span, row.position) }
        });
    }

    fn fills(&mut self, memory: &Codes) {
        self.work("CUPTI_ACTIVITY_KIND_MEMSET", ["bytes", "memKind"], |builder, _, row| {
            let [bytes, kind] = row.more;
            let kind = kind.and_then(|kind| memory.get(&kind)).map(|(_, label)| label.as_str());
            let name = builder.intern(memset_name(kind).as_bytes());
            Work { bytes, ..Work::new(Class::Memset, name, row.span, row.position) }
        });
    }

    /// Launches of whole graphs whose kernels were not recorded one by one: the device is as busy as with kernels.
    fn graphs(&mut self) {
        self.work("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", ["graphId"], |builder, _, row| {
            let graph = row.more[0].unwrap_or_default();
            let name = builder.intern(format!("CUDA graph {graph}").as_bytes());
            let graph = Serial::try_from(graph).unwrap_or_default();
            Work { graph, ..Work::new(Class::Kernel, name, row.span, row.position) }
        });
    }

    fn waits(&mut self) {
        self.work("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", ["syncType"], |builder, _, row| {
            let name = builder.intern(synchronization_name(row.more[0]).as_bytes());
            Work::new(Class::Synchronization, name, row.span, row.position)
        });
    }
}
