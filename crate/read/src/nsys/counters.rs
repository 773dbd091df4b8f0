//! Values over time: metrics, running threads, memory.

use std::collections::BTreeMap;

use super::{Report, process_of, thread_of};
use crate::cupti::codes;
use stepscope_base::{Code, CompactSort, Nanos};
use stepscope_trace::{Layer, MemoryEvent, MemoryPool, NO_TOTAL, NameId, RawId, Sample};

impl Report<'_, '_> {
    /// Reads all values over time.
    pub(super) fn counters(&mut self) {
        self.metrics();
        self.running_threads();
        self.memory();
    }

    fn metrics(&mut self) {
        let Self { tables, builder, warnings, devices, .. } = self;
        let mut names: BTreeMap<(i64, i64), NameId> = BTreeMap::new();
        tables.scan("TARGET_INFO_GPU_METRICS", &["typeId", "metricId", "metricName"], warnings, |row, _| {
            if let (Some(kind), Some(metric), Some(name)) = (row.integer(0), row.integer(1), row.get(2).text()) {
                names.insert((kind, metric), builder.intern(&name));
            }
        });
        tables.scan("GPU_METRICS", &["timestamp", "typeId", "metricId", "value"], warnings, |row, warnings| {
            builder.meta.events += 1;
            let (Some(at), Some(kind), Some(metric)) = (row.integer(0), row.integer(1), row.integer(2)) else {
                warnings.add(Code::BadTime, Some(row.position), String::new);
                return;
            };
            let Some(value) = row.get(3).number() else {
                warnings.add(Code::CounterWithoutNumber, Some(row.position), String::new);
                return;
            };
            let unnamed =
                |builder: &mut stepscope_trace::TraceBuilder| builder.intern(format!("metric {metric}").as_bytes());
            let name = names.get(&(kind, metric)).copied().unwrap_or_else(|| unnamed(builder));
            let process = devices.process(builder, kind & 0xffff_ffff, None);
            builder.sample(process, name, NameId::NONE, Sample { at: Nanos(at), value });
        });
    }

    /// The number of each process's threads that were running on a processor.
    fn running_threads(&mut self) {
        let Self { tables, builder, warnings, .. } = self;
        let mut switches: BTreeMap<i64, Vec<(i64, i64, bool)>> = BTreeMap::new();
        tables.scan("SCHED_EVENTS", &["start", "globalTid", "isSchedIn"], warnings, |row, warnings| {
            builder.meta.events += 1;
            let [at, thread, is_in]: [Option<i64>; 3] = row.integers();
            let Some(at) = at else {
                warnings.add(Code::BadTime, Some(row.position), String::new);
                return;
            };
            let (process, thread) = thread_of(thread);
            switches.entry(process).or_default().push((at, thread, is_in.unwrap_or_default() != 0));
        });
        for (process, mut switches) in switches {
            switches.compact_sort();
            let name = builder.intern(b"running threads");
            for (at, running) in running(&switches) {
                let sample = Sample { at: Nanos(at), value: f64::from(running) };
                builder.sample(RawId::Number(process), name, NameId::NONE, sample);
            }
        }
    }

    /// Allocations of device memory.
    fn memory(&mut self) {
        const COLUMNS: [&str; 7] =
            ["start", "globalPid", "deviceId", "address", "bytes", "memKind", "memoryOperationType"];
        const ON_HOST: [i64; 2] = [0, 1];
        const RELEASE: i64 = 1;
        let operations = codes(&mut self.tables, self.warnings, "ENUM_CUDA_DEV_MEM_EVENT_OPER");
        let named = operations.iter().find(|(_, (name, _))| name.to_ascii_uppercase().contains("DEALLOC"));
        let release = named.map_or(RELEASE, |(code, _)| *code);
        let Self { tables, builder, warnings, .. } = self;
        tables.scan("CUDA_GPU_MEMORY_USAGE_EVENTS", &COLUMNS, warnings, |row, warnings| {
            builder.meta.events += 1;
            let [at, pid, device, address, bytes, kind, operation]: [Option<i64>; 7] = row.integers();
            let Some(at) = at else {
                warnings.add(Code::BadTime, Some(row.position), String::new);
                return;
            };
            let process = RawId::Number(process_of(pid).unwrap_or_default());
            let bytes = bytes.unwrap_or_default();
            let is_host = kind.is_some_and(|kind| ON_HOST.contains(&kind));
            let event = MemoryEvent {
                at: Nanos(at),
                address: address.unwrap_or_default().cast_unsigned(),
                bytes: if operation == Some(release) { bytes.saturating_neg() } else { bytes },
                allocated: NO_TOTAL,
                reserved: NO_TOTAL,
                // The thread is not recorded: the process's first one stands for it.
                track: builder.track(process, process, Layer::Host, None),
                device: MemoryEvent::device_number(device.filter(|device| *device >= 0 && !is_host)),
                pool: MemoryPool::Allocated,
            };
            builder.memory(event);
        });
    }
}

/// The number of running threads after each switch, given switches by time. A thread whose first switch is off a
/// processor was on one from the start.
fn running(switches: &[(i64, i64, bool)]) -> Vec<(i64, i32)> {
    let mut is_running: BTreeMap<i64, bool> = BTreeMap::new();
    for (_, thread, is_in) in switches {
        is_running.entry(*thread).or_insert(!is_in);
    }
    let mut count = i32::try_from(is_running.values().filter(|running| **running).count()).unwrap_or(i32::MAX);
    let mut samples = Vec::with_capacity(switches.len());
    for (at, thread, is_in) in switches {
        if let Some(running) = is_running.get_mut(thread).filter(|running| **running != *is_in) {
            *running = *is_in;
            count += if *is_in { 1 } else { -1 };
        }
        samples.push((*at, count));
    }
    samples
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_that_ran_from_the_start_are_counted() {
        // Thread 1 ran, thread 2 did not; a repeated switch changes nothing.
        let switches = [(10, 2, true), (20, 1, false), (20, 2, true), (30, 2, false), (40, 1, true)];
        assert_eq!(running(&switches), [(10, 2), (20, 1), (20, 1), (30, 0), (40, 1)]);
    }
}
