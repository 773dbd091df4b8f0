//! Facts about the whole trace, from both exports.

use serde_json::Value;

use super::category;
use crate::clip::clip;
use stepscope_base::CompactSort;
use stepscope_trace::{Device, RawId, TraceBuilder};

/// The longest list of threads or places that is kept.
const MOST: usize = 4096;

/// The facts so far, until the end of the file.
#[derive(Default)]
pub(super) struct Facts {
    /// Threads with events: their process and number.
    threads: Vec<(RawId, i64)>,
    /// Names by the text of a thread's number.
    names: Vec<(String, String)>,
    /// The peaks of allocated and reserved bytes since the process began, by place.
    peaks: Vec<(String, [i64; 2])>,
}

impl Facts {
    /// Notes that a thread has events.
    #[inline]
    pub(super) fn thread(&mut self, process: RawId, thread: i64) {
        if self.threads.last() != Some(&(process, thread)) {
            self.new_thread(process, thread);
        }
    }

    fn new_thread(&mut self, process: RawId, thread: i64) {
        match self.threads.iter().position(|known| *known == (process, thread)) {
            // The last one is compared first: events of a thread are consecutive.
            Some(known) => {
                let last = self.threads.len() - 1;
                self.threads.swap(known, last);
            }
            None if self.threads.len() < MOST => self.threads.push((process, thread)),
            None => {}
        }
    }

    /// Notes the peaks of a memory event.
    pub(super) fn peaks(&mut self, place: String, peaks: [i64; 2]) {
        if let Some((_, highest)) = self.peaks.iter_mut().find(|(known, _)| *known == place) {
            *highest = [highest[0].max(peaks[0]), highest[1].max(peaks[1])];
        } else if self.peaks.len() < MOST {
            self.peaks.push((place, peaks));
        }
    }

    /// Takes an entry of the extra information: a thread's name, or a fact.
    pub(super) fn extra(&mut self, builder: &mut TraceBuilder, key: &str, value: &str) {
        if key.bytes().all(|byte| byte.is_ascii_digit()) {
            self.names.push((key.to_owned(), clip(value)));
        } else {
            builder.meta.facts.push((clip(key), clip(value)));
        }
    }

    /// Adds all facts to the trace at the end of the file.
    pub(super) fn finish(self, builder: &mut TraceBuilder) {
        builder.meta.framework = "PaddlePaddle".into();
        category::name_threads(builder, &self.threads, &self.names);
        let mut peaks = self.peaks;
        peaks.compact_sort();
        for (place, [allocated, reserved]) in peaks {
            for (what, bytes) in [("allocated", allocated), ("reserved", reserved)] {
                builder.meta.facts.push((clip(&format!("Peak {what} memory, {place}")), bytes.to_string()));
            }
        }
    }
}

/// A device of the Chrome export's list.
pub(super) fn device(value: &Value) -> Device {
    let number = |key: &str| value.get(key).and_then(Value::as_u64);
    let small = |key: &str| number(key).and_then(|number| u32::try_from(number).ok());
    Device {
        id: value.get("id").and_then(Value::as_i64).unwrap_or_default(),
        name: value.get("name").and_then(Value::as_str).map(clip).unwrap_or_default(),
        memory_bytes: number("totalGlobalMem"),
        capability: small("computeMajor").zip(small("computeMinor")),
        multiprocessors: small("smCount"),
        warp_size: small("warpSize"),
        max_threads_per_multiprocessor: small("maxThreadsPerMultiprocessor"),
        max_threads_per_block: small("maxThreadsPerBlock"),
        registers_per_multiprocessor: small("regsPerMultiprocessor"),
        shared_memory_per_multiprocessor: number("sharedMemPerMultiprocessor"),
        shared_memory_per_block: number("sharedMemPerBlockOptin").or_else(|| number("sharedMemPerBlock")),
    }
}
