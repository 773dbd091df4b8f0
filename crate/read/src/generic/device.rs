//! The rows of xprof's device planes, `/device:GPU:0`: those that are device activity.
//!
//! A GPU's plane has a line per stream, `Stream #13(Kernel)`, with its activities. The lines `XLA Ops`,
//! `XLA Modules`, `Steps`, `Framework Ops` and `Source code` are derived from these and would count the same time
//! again. A TPU's plane has no streams: its activities are in `XLA Ops`.

use std::collections::BTreeMap;

use stepscope_trace::{Class, RawId, Stream};

/// The kinds of the device planes' rows, by the names read so far.
#[derive(Debug, Default)]
pub(super) struct Devices {
    planes: BTreeMap<RawId, Plane>,
}

#[derive(Debug, Default)]
struct Plane {
    device: i64,
    lines: BTreeMap<RawId, Line>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Stream(i64),
    Ops,
    Derived,
}

impl Devices {
    /// Whether the trace has a plane of a device.
    pub(super) fn are_known(&self) -> bool {
        !self.planes.is_empty()
    }

    /// Takes a process's name.
    pub(super) fn process(&mut self, process: RawId, name: &[u8]) {
        let Some(kind) = name.strip_prefix(b"/device:") else { return };
        let digits = kind.rsplit(|byte| *byte == b':').next().unwrap_or_default();
        let digits = digits.split(|byte| !byte.is_ascii_digit()).next().unwrap_or_default();
        self.planes.entry(process).or_default().device = number(digits).unwrap_or_default();
    }

    /// Takes a thread's name.
    pub(super) fn thread(&mut self, process: RawId, thread: RawId, name: &[u8]) {
        let Some(plane) = self.planes.get_mut(&process) else { return };
        let line = match name.strip_prefix(b"Stream #") {
            Some(rest) => {
                let digits = rest.split(|byte| !byte.is_ascii_digit()).next().unwrap_or_default();
                Line::Stream(number(digits).unwrap_or_else(|| thread.number()))
            }
            None if name == b"XLA Ops" => Line::Ops,
            None => Line::Derived,
        };
        plane.lines.insert(thread, line);
    }

    /// The class and stream of a slice in a device's row; none for a process of the host.
    pub(super) fn slice(&self, process: RawId, thread: RawId, name: &[u8]) -> Option<(Class, Stream)> {
        if !self.are_known() {
            return None;
        }
        let plane = self.planes.get(&process)?;
        let line = plane.lines.get(&thread).copied().unwrap_or(Line::Derived);
        let stream = match line {
            Line::Stream(stream) => stream,
            Line::Ops | Line::Derived => thread.number(),
        };
        let streams = || plane.lines.values().any(|line| matches!(line, Line::Stream(_)));
        let class = match line {
            Line::Derived => Class::DeviceAnnotation,
            Line::Ops if streams() => Class::DeviceAnnotation,
            Line::Stream(_) if name.starts_with(b"Memcpy") => Class::Memcpy,
            Line::Stream(_) if name.starts_with(b"Memset") => Class::Memset,
            Line::Stream(_) | Line::Ops => Class::Kernel,
        };
        Some((class, Stream { device: plane.device, stream }))
    }
}

fn number(digits: &[u8]) -> Option<i64> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_lines_do_not_count_twice() {
        let id = RawId::Number;
        let mut devices = Devices::default();
        devices.process(id(701), b"/host:CPU");
        devices.process(id(1), b"/device:GPU:1");
        devices.process(id(2), b"/device:TPU:0 (pid 7)");
        for (process, thread, name) in [
            (1, 14, &b"Stream #14(MemcpyH2D)"[..]),
            (1, 13, b"Stream #13(Kernel)"),
            (1, 99, b"XLA Ops"),
            (2, 5, b"XLA Ops"),
            (2, 6, b"XLA Modules"),
        ] {
            devices.thread(id(process), id(thread), name);
        }
        let class = |process, thread, name: &[u8]| devices.slice(id(process), id(thread), name).map(|found| found.0);
        assert_eq!(class(701, 1, b"gemm"), None);
        assert_eq!(class(1, 13, b"gemm"), Some(Class::Kernel));
        assert_eq!(class(1, 14, b"MemcpyH2D"), Some(Class::Memcpy));
        assert_eq!(class(1, 14, b"Memset"), Some(Class::Memset));
        assert_eq!(class(1, 99, b"fusion.1"), Some(Class::DeviceAnnotation));
        assert_eq!(class(2, 5, b"fusion.1"), Some(Class::Kernel));
        assert_eq!(class(2, 6, b"jit_f"), Some(Class::DeviceAnnotation));
        assert_eq!(class(2, 7, b"of no line"), Some(Class::DeviceAnnotation));
        assert_eq!(devices.slice(id(1), id(14), b"x").map(|found| found.1), Some(Stream { device: 1, stream: 14 }));
    }
}
