//! Activities of the devices.

use std::collections::BTreeMap;

use super::Profile;
use crate::cupti::{StringIds, Work, WorkRow, copy_name, launch_config, memset_name, span, synchronization_name};
use stepscope_base::Nanos;
use stepscope_trace::{Class, NO_SERIAL, NameId, RawId, Sample, Serial, TraceBuilder};

/// Kinds of memory by code (documented: `CUpti_ActivityMemoryKind`).
const MEMORY: [&str; 8] =
    ["Unknown", "Pageable", "Pinned", "Device", "Array", "Managed", "Device Static", "Managed Static"];

fn memory(code: Option<i64>) -> Option<&'static str> {
    MEMORY.get(usize::try_from(code?).ok()?).copied().filter(|_| code != Some(0))
}

/// The id that links an activity to its call: the runtime's own, if an old version has both.
fn correlation(id: Option<i64>, of_runtime: Option<i64>) -> Serial {
    let known = of_runtime.filter(|id| *id > 0).or(id.filter(|id| *id > 0));
    known.and_then(|id| Serial::try_from(id).ok()).unwrap_or(NO_SERIAL)
}

impl Profile<'_, '_> {
    /// Kernels, memcpys, memsets, synchronizations, page migrations.
    pub(super) fn device_work(&mut self) {
        // Kernels that may overlap, serialized kernels, and kernels launched by kernels.
        for table in ["CONCURRENT_KERNEL", "KERNEL", "CDP_KERNEL"] {
            self.kernels(&format!("CUPTI_ACTIVITY_KIND_{table}"));
        }
        for table in ["MEMCPY", "MEMCPY2"] {
            self.copies(&format!("CUPTI_ACTIVITY_KIND_{table}"));
        }
        self.fills();
        self.waits();
        self.unified_memory();
    }

    /// Reads a table of device activities.
    fn work<const MORE: usize>(
        &mut self,
        table: &str,
        more: [&str; MORE],
        mut what: impl FnMut(&mut TraceBuilder, &mut StringIds, &WorkRow<MORE>) -> Work,
    ) {
        let Self { tables, builder, warnings, strings, categories, devices, .. } = self;
        tables.scan_work((table, "runtimeCorrelationId", more), builder, warnings, |builder, row| {
            let correlation = correlation(row.correlation, row.join);
            let (device, stream) = (row.device, row.stream);
            let work = Work { device, stream, correlation, ..what(builder, strings, &row) };
            devices.add(builder, categories, &work);
        });
    }

    fn kernels(&mut self, table: &str) {
        const COLUMNS: [&str; 10] = [
            "name",
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
        self.work(table, COLUMNS, |builder, strings, row| {
            let [name, sizes @ ..] = row.more;
            let config = Some(launch_config(sizes));
            Work { config, ..Work::new(Class::Kernel, strings.name(builder, name), row.span, row.position) }
        });
    }

    fn copies(&mut self, table: &str) {
        let mut names: BTreeMap<[Option<i64>; 3], NameId> = BTreeMap::new();
        self.work(table, ["bytes", "copyKind", "srcKind", "dstKind"], |builder, _, row| {
            let [bytes, kind, from, to] = row.more;
            let name = *names.entry([kind, from, to]).or_insert_with(|| {
                let name = copy_name(kind.unwrap_or_default(), memory(from), memory(to));
                builder.intern(name.as_bytes())
            });
            Work { bytes, ..Work::new(Class::Memcpy, name, row.span, row.position) }
        });
    }

    fn fills(&mut self) {
        self.work("CUPTI_ACTIVITY_KIND_MEMSET", ["bytes", "memoryKind"], |builder, _, row| {
            let [bytes, kind] = row.more;
            let name = builder.intern(memset_name(memory(kind)).as_bytes());
            Work { bytes, ..Work::new(Class::Memset, name, row.span, row.position) }
        });
    }

    fn waits(&mut self) {
        const COLUMNS: [&str; 6] = ["start", "end", "contextId", "streamId", "correlationId", "type"];
        let Self { tables, builder, warnings, categories, devices, device_of_context, .. } = self;
        tables.scan("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", &COLUMNS, warnings, |row, warnings| {
            builder.meta.events += 1;
            let [start, end, context, stream, id, kind]: [Option<i64>; 6] = row.integers();
            let Some(span) = span(start, end, row.position, warnings) else { return };
            let name = builder.intern(synchronization_name(kind).as_bytes());
            let device = context.and_then(|context| device_of_context.get(&context));
            let work = Work {
                device: device.copied().unwrap_or_default(),
                stream,
                correlation: correlation(id, None),
                ..Work::new(Class::Synchronization, name, span, row.position)
            };
            devices.add(builder, categories, &work);
        });
    }

    /// Pages of unified memory: migrations are copies without a call; other events are counters.
    fn unified_memory(&mut self) {
        const COLUMNS: [&str; 9] =
            ["start", "end", "srcId", "dstId", "streamId", "processId", "counterKind", "value", "timestamp"];
        // Migrations (documented): the counter's kind, the code of the copy, and whether the source is the device.
        const MOVES: [(i64, i64, bool); 3] = [(1, 11, false), (2, 12, true), (8, 13, false)];
        const COUNTS: [(i64, &str); 5] = [
            (3, "unified memory: CPU page faults"),
            (4, "unified memory: GPU page faults"),
            (5, "unified memory: thrashing"),
            (6, "unified memory: throttling"),
            (7, "unified memory: remote maps"),
        ];
        let Self { tables, builder, warnings, categories, devices, .. } = self;
        tables.scan("CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER", &COLUMNS, warnings, |row, warnings| {
            builder.meta.events += 1;
            let [start, end, from, to, stream, process, kind, value, at]: [Option<i64>; 9] = row.integers();
            let moved = MOVES.iter().find(|(code, _, _)| kind == Some(*code)).filter(|_| end.is_some());
            if let Some((_, copy, is_source)) = moved {
                let Some(span) = span(start, end, row.position, warnings) else { return };
                let name = builder.intern(copy_name(*copy, None, None).as_bytes());
                let work = Work {
                    device: if *is_source { from } else { to }.unwrap_or_default(),
                    stream,
                    bytes: value,
                    ..Work::new(Class::Memcpy, name, span, row.position)
                };
                devices.add(builder, categories, &work);
                return;
            }
            let known = COUNTS.iter().find(|(code, _)| kind == Some(*code)).map(|(_, name)| (*name).to_owned());
            let name = known.unwrap_or_else(|| format!("unified memory: counter {}", kind.unwrap_or_default()));
            let name = builder.intern(name.as_bytes());
            #[expect(clippy::cast_precision_loss, reason = "a curve's value")]
            let value = value.unwrap_or_default() as f64;
            let at = Nanos(start.filter(|start| *start != 0).or(at).unwrap_or_default());
            builder.sample(RawId::Number(super::id(process)), name, NameId::NONE, Sample { at, value });
        });
    }
}
