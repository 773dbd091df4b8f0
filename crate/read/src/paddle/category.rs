//! Paddle's categories: their classes, and their numbers in the protobuf export.

use stepscope_trace::{Class, MemoryPool, NameId, RawId, TraceBuilder};

/// The categories by their number in `TracerEventType`.
///
/// The last two are missing in the exporter's own schema, which is why Paddle 3.3.1 cannot load its own export. In
/// 2.x the number 15 is `MluRuntime`, of devices whose files were not available.
const NAMES: [&str; 17] = [
    "Operator",
    "Dataloader",
    "ProfileStep",
    "CudaRuntime",
    "Kernel",
    "Memcpy",
    "Memset",
    "UserDefined",
    "OperatorInner",
    "Forward",
    "Backward",
    "Optimization",
    "Communication",
    "PythonOp",
    "PythonUserDefined",
    "DygraphKernelLaunch",
    "StaticKernelLaunch",
];

/// The name of a category by its number in the protobuf export.
pub(super) fn name(number: u64) -> &'static str {
    usize::try_from(number).ok().and_then(|number| NAMES.get(number)).copied().unwrap_or("Unknown")
}

/// The class of a category's events.
///
/// The parts of an operator (`OperatorInner`, the launches) are ranges. Activities launched in them are therefore
/// counted with the operator, not with its part. A collective on the host is an operator: its activities are
/// communication.
fn class(category: &[u8]) -> Class {
    match category {
        b"Operator" | b"PythonOp" | b"Communication" => Class::Operator,
        b"Dataloader"
        | b"ProfileStep"
        | b"UserDefined"
        | b"OperatorInner"
        | b"Forward"
        | b"Backward"
        | b"Optimization"
        | b"PythonUserDefined"
        | b"DygraphKernelLaunch"
        | b"StaticKernelLaunch" => Class::Annotation,
        b"Kernel" => Class::Kernel,
        b"Memcpy" => Class::Memcpy,
        b"Memset" => Class::Memset,
        category if category.ends_with(b"Runtime") => Class::RuntimeCall,
        _ => Class::Other,
    }
}

/// A category that occurred.
#[derive(Clone, Copy)]
pub(super) struct Category {
    /// Its number in the trace.
    pub(super) number: u16,
    /// The class of its events.
    pub(super) class: Class,
}

/// The categories that occurred so far: only a few.
#[derive(Default)]
pub(super) struct Categories(Vec<(Vec<u8>, Category)>);

impl Categories {
    #[inline]
    pub(super) fn get(&mut self, builder: &mut TraceBuilder, text: &[u8]) -> Category {
        const MOST: usize = 64;
        if let Some((_, category)) = self.0.iter().find(|(known, _)| *known == text) {
            return *category;
        }
        let category = Category { number: builder.category(text), class: class(text) };
        if self.0.len() < MOST {
            self.0.push((text.to_owned(), category));
        }
        category
    }
}

/// The memory pool of a memory event, by its category.
pub(super) fn pool(category: &[u8]) -> MemoryPool {
    if category.starts_with(b"Reserved") { MemoryPool::Reserved } else { MemoryPool::Allocated }
}

/// The device of a place such as `Place(gpu:0)`; none for the host's memory.
pub(super) fn device_of(place: &[u8]) -> Option<i64> {
    let (_, rest) = std::str::from_utf8(place).ok()?.split_once(':')?;
    rest.trim_end_matches(')').parse().ok()
}

/// A name without the duration that Paddle appends, such as `[1.035 ms]`.
pub(super) fn without_duration(name: &[u8]) -> &[u8] {
    let Some(inner) = name.strip_suffix(b" us]").or_else(|| name.strip_suffix(b" ms]")) else {
        return name;
    };
    let digits = inner.iter().rev().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
    match inner.split_at(inner.len() - digits) {
        (rest @ [.., b'['], [_, ..]) => &rest[..rest.len() - 1],
        _ => name,
    }
}

/// The thread number in `123(Python)` and `123(C++)`.
pub(super) fn thread_of(text: &[u8]) -> Option<i64> {
    let number = text.strip_suffix(b"(Python)").or_else(|| text.strip_suffix(b"(C++)"))?;
    std::str::from_utf8(number).ok()?.parse().ok()
}

/// Names threads by Paddle's own names; no name if there is none.
pub(super) fn name_threads(builder: &mut TraceBuilder, threads: &[(RawId, i64)], names: &[(String, String)]) {
    for (process, thread) in threads {
        let given = names.iter().find(|(id, _)| *id == thread.to_string()).map_or("", |(_, name)| name.as_str());
        let name = if given.is_empty() { NameId::NONE } else { builder.intern(given.as_bytes()) };
        builder.name_thread(*process, RawId::Number(*thread), Some(name), None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_duration_at_the_end_is_cut_off() {
        let cases: [(&str, &str); 8] = [
            ("relu dygraph[1.035 ms]", "relu dygraph"),
            ("x[0.000 us]", "x"),
            ("a[b[c][12.500 us]", "a[b[c]"),
            ("mine [1.5 ms][3.000 us]", "mine [1.5 ms]"),
            ("[3.000 us]", ""),
            ("no duration", "no duration"),
            ("list[3 us", "list[3 us"),
            ("list[x us]", "list[x us]"),
        ];
        for (name, expected) in cases {
            assert_eq!(without_duration(name.as_bytes()), expected.as_bytes(), "{name}");
        }
    }

    #[test]
    fn places_and_threads() {
        assert_eq!(device_of(b"Place(gpu:1)"), Some(1));
        assert_eq!((device_of(b"Place(cpu)"), device_of(b"Place(gpu_pinned)")), (None, None));
        assert_eq!(thread_of(b"123(C++)"), Some(123));
        assert_eq!((thread_of(b"7"), thread_of(b"x(Python)")), (None, None));
        assert_eq!((name(15), name(99)), ("DygraphKernelLaunch", "Unknown"));
    }
}
