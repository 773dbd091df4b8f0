//! Devices, names, and environment over time.

use super::{Profile, thread_of, words};
use crate::clip::clip;
use stepscope_base::{Code, Nanos};
use stepscope_trace::{Device, NameId, RawId, Sample};

impl Profile<'_, '_> {
    /// Reads all tables without events.
    pub(super) fn meta(&mut self) {
        self.gpus();
        self.names();
        let (tables, contexts) = (&mut self.tables, &mut self.device_of_context);
        tables.scan("CUPTI_ACTIVITY_KIND_CONTEXT", &["contextId", "deviceId"], self.warnings, |row, _| {
            if let (Some(context), Some(device)) = (row.integer(0), row.integer(1)) {
                contexts.insert(context, device);
            }
        });
    }

    fn gpus(&mut self) {
        const COLUMNS: [&str; 12] = [
            "id",
            "name",
            "globalMemorySize",
            "computeCapabilityMajor",
            "computeCapabilityMinor",
            "numMultiprocessors",
            "numThreadsPerWarp",
            "maxWarpsPerMultiprocessor",
            "maxThreadsPerBlock",
            "maxRegistersPerMultiprocessor",
            "maxSharedMemoryPerMultiprocessor",
            "maxSharedMemoryPerBlock",
        ];
        let Self { tables, builder, warnings, strings, .. } = self;
        tables.scan("CUPTI_ACTIVITY_KIND_DEVICE", &COLUMNS, warnings, |row, _| {
            let values: [Option<i64>; 12] = row.integers();
            let small = |index: usize| values[index].and_then(|value| u32::try_from(value).ok());
            let bytes = |index: usize| values[index].and_then(|value| u64::try_from(value).ok());
            let name = values[1].and_then(|name| strings.bytes(name)).unwrap_or_default();
            builder.meta.devices.push(Device {
                id: values[0].unwrap_or_default(),
                name: clip(&String::from_utf8_lossy(name)),
                memory_bytes: bytes(2),
                capability: small(3).zip(small(4)),
                multiprocessors: small(5),
                warp_size: small(6),
                max_threads_per_multiprocessor: small(6).zip(small(7)).map(|(warp, warps)| warp.saturating_mul(warps)),
                max_threads_per_block: small(8),
                registers_per_multiprocessor: small(9),
                shared_memory_per_multiprocessor: bytes(10),
                shared_memory_per_block: bytes(11),
            });
        });
    }

    /// Names set by the program through NVTX.
    fn names(&mut self) {
        const PROCESS: i64 = 1;
        const THREAD: i64 = 2;
        let Self { tables, builder, warnings, strings, .. } = self;
        tables.scan("CUPTI_ACTIVITY_KIND_NAME", &["objectKind", "name", "objectId"], warnings, |row, _| {
            let kind = row.integer(0);
            let (process, thread) = thread_of(kind, row.get(2).bytes());
            let name = strings.name(builder, row.integer(1));
            match kind {
                Some(PROCESS) => builder.process_mut(RawId::Number(process)).name = name,
                Some(THREAD) => builder.name_thread(RawId::Number(process), RawId::Number(thread), Some(name), None),
                _ => {}
            }
        });
    }

    /// Clocks, temperature, power, fans.
    pub(super) fn environment(&mut self) {
        // Curves by kind (documented: `CUpti_ActivityEnvironmentKind`), in the order of the data, 32 bits each.
        const CURVES: [(i64, &[&str]); 4] = [
            (1, &["SM clock (MHz)", "memory clock (MHz)"]),
            (2, &["GPU temperature (°C)"]),
            (3, &["power (mW)"]),
            (4, &["fan speed (%)"]),
        ];
        const COLUMNS: [&str; 4] = ["timestamp", "deviceId", "environmentKind", "data"];
        let Self { tables, builder, warnings, devices, .. } = self;
        tables.scan("CUPTI_ACTIVITY_KIND_ENVIRONMENT", &COLUMNS, warnings, |row, warnings| {
            builder.meta.events += 1;
            let [at, device, kind]: [Option<i64>; 3] = row.integers();
            let curves = CURVES.iter().find(|(code, _)| kind == Some(*code)).map(|(_, names)| *names);
            let (Some(at), Some(curves)) = (at, curves) else {
                let code = if at.is_none() { Code::BadTime } else { Code::CounterWithoutNumber };
                warnings.add(code, Some(row.position), || format!("environment of kind {kind:?}"));
                return;
            };
            let process = devices.process(builder, device.unwrap_or_default(), None);
            let values: [Option<u32>; 2] = words(row.get(3).bytes().unwrap_or_default());
            for (name, value) in curves.iter().zip(values) {
                let name = builder.intern(name.as_bytes());
                match value {
                    Some(value) => {
                        builder.sample(process, name, NameId::NONE, Sample { at: Nanos(at), value: f64::from(value) });
                    }
                    None => warnings.add(Code::CounterWithoutNumber, Some(row.position), String::new),
                }
            }
        });
    }
}
