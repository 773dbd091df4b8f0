//! Rows of kernels, memcpys, memsets and calls.

use super::layout::{Layout, title};
use super::number::{bytes, nanos, whole};
use crate::cupti::{Categories, Correlations, Devices, HostSlice, Work, copy_name, kind_by_name, memset_name};
use stepscope_base::{Code, Nanos, Warnings};
use stepscope_trace::{Class, LaunchConfig, NameId, RawId, Sample, TraceBuilder};

/// The process and position of a row.
#[derive(Clone, Copy)]
pub(super) struct RowOrigin {
    pub(super) process: Option<i64>,
    pub(super) position: u64,
}

/// Adds rows to the trace.
pub(super) struct Activities {
    categories: Categories,
    correlations: Correlations,
    devices: Devices,
    /// Devices by name, for names that are cut before the number.
    names: Vec<String>,
}

impl Activities {
    pub(super) fn new(builder: &mut TraceBuilder) -> Self {
        Self {
            categories: Categories::new(builder),
            correlations: Correlations::default(),
            devices: Devices::default(),
            names: Vec::new(),
        }
    }

    /// Takes a row; none if it is not one.
    pub(super) fn row(
        &mut self,
        builder: &mut TraceBuilder,
        warnings: &mut Warnings,
        layout: &Layout,
        line: &str,
        place: RowOrigin,
    ) -> Option<()> {
        let cells = layout.cells(line)?;
        let get = |title: &str| layout.get(&cells, title);
        let start = Nanos(nanos(get(title::START)?, layout.unit(title::START))?);
        let full = get(title::NAME)?;
        let (name, id) = split_id(full);
        let id = get("Correlation_ID").and_then(whole).or(id);
        let correlation = self.correlations.unique(place.process, id);
        let length = get(title::DURATION).map(|length| nanos(length, layout.unit(title::DURATION)));
        let Some(length) = length else {
            // Page faults have no length, but a count.
            let value = get("Unified Memory").and_then(whole)?;
            let name = builder.intern(name.trim_matches(['[', ']']).as_bytes());
            #[expect(clippy::cast_precision_loss, reason = "a curve's value")]
            let sample = Sample { at: start, value: value as f64 };
            builder.sample(RawId::Number(place.process.unwrap_or_default()), name, NameId::NONE, sample);
            return Some(());
        };
        let span = (start, start + Nanos(length?));
        if span.1 < span.0 {
            warnings.add(Code::NegativeDuration, Some(place.position), || name.to_owned());
        }
        let span = (start, span.1.max(start));
        let Some(device) = get("Device") else {
            let thread = (place.process.unwrap_or_default(), place.process.unwrap_or_default());
            let is_driver = name.starts_with("cu") && !name.starts_with("cuda");
            let category = if is_driver { self.categories.driver } else { self.categories.runtime };
            let name = builder.intern(name.as_bytes());
            let call = HostSlice { class: Class::RuntimeCall, category, name, span, thread, position: place.position };
            call.add_call(builder, correlation);
            return Some(());
        };
        let device = self.device(device);
        let memory = |title: &str| get(title).filter(|kind| *kind != "Unknown");
        let (from, to) = (memory("SrcMemType"), memory("DstMemType"));
        let (class, shown) = class_of(name, from, to);
        let work = Work {
            device,
            stream: get("Stream").and_then(whole),
            process: place.process,
            correlation,
            bytes: get("Size").and_then(|size| bytes(size, layout.unit("Size"))),
            config: config(layout, &cells),
            ..Work::new(class, builder.intern(shown.as_bytes()), span, place.position)
        };
        self.devices.add(builder, &self.categories, &work);
        Some(())
    }

    /// A device's number: the one after its name, or the next free one for a new name.
    fn device(&mut self, name: &str) -> i64 {
        let number = name.rsplit_once('(').map(|(_, rest)| rest.trim_end_matches(')')).and_then(whole);
        number.unwrap_or_else(|| {
            let known = self.names.iter().position(|known| known == name);
            let index = known.unwrap_or_else(|| {
                self.names.push(name.to_owned());
                self.names.len() - 1
            });
            i64::try_from(index).unwrap_or_default()
        })
    }
}

/// A kernel's name without the id of its call, and that id: `vectorAdd(int*) [130]`.
fn split_id(name: &str) -> (&str, Option<i64>) {
    let found = name.strip_suffix(']').and_then(|rest| rest.rsplit_once(" ["));
    match found.and_then(|(name, id)| Some((name, whole(id)?))) {
        Some((name, id)) => (name, Some(id)),
        None => (name, None),
    }
}

/// The class of a name in brackets, and the name that other formats use for it.
fn class_of(name: &str, from: Option<&str>, to: Option<&str>) -> (Class, String) {
    let inside = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or_default();
    if let Some(kind) = inside.strip_prefix("CUDA memcpy ") {
        return match kind_by_name(kind) {
            Some(code) => (Class::Memcpy, copy_name(code, from, to)),
            None => (Class::Memcpy, format!("Memcpy {kind}")),
        };
    }
    if inside == "CUDA memset" {
        return (Class::Memset, memset_name(from.or(to)));
    }
    if inside.starts_with("Unified Memory Memcpy ") {
        return (Class::Memcpy, inside.to_owned());
    }
    (Class::Kernel, name.to_owned())
}

fn config(layout: &Layout, cells: &[String]) -> Option<LaunchConfig> {
    let get = |title: &str| layout.get(cells, title);
    let small = |cell: &str| cell.parse::<u32>().ok();
    let sides = |whole: &str, each: [&str; 3]| -> Option<[u32; 3]> {
        let texts: Vec<&str> = match get(whole) {
            Some(cell) => cell.trim_matches(['(', ')']).split_whitespace().collect(),
            None => each.iter().filter_map(|title| get(title)).collect(),
        };
        let sides: Option<Vec<u32>> = texts.into_iter().map(small).collect();
        sides?.try_into().ok()
    };
    let grid = sides("Grid Size", ["Grid X", "Grid Y", "Grid Z"])?;
    let block = sides("Block Size", ["Block X", "Block Y", "Block Z"])?;
    let registers = get("Regs*").or_else(|| get("Registers Per Thread")).and_then(small).unwrap_or(u32::MAX);
    let memory = |short: &str, long: &str| {
        let title = if layout.has(short) { short } else { long };
        bytes(get(title)?, layout.unit(title)).and_then(|bytes| u32::try_from(bytes).ok())
    };
    let shared = memory("SSMem*", "Static SMem").zip(memory("DSMem*", "Dynamic SMem"));
    let shared_memory = shared.map_or(u32::MAX, |(fixed, dynamic)| fixed.saturating_add(dynamic));
    Some(LaunchConfig { grid, block, registers, shared_memory, ..LaunchConfig::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_behind_names() {
        assert_eq!(split_id("f(int const *) [130]"), ("f(int const *)", Some(130)));
        assert_eq!(split_id("[CUDA memcpy HtoD]"), ("[CUDA memcpy HtoD]", None));
        assert_eq!(split_id("a [b]"), ("a [b]", None));
    }

    #[test]
    fn what_stands_in_brackets() {
        let copy = class_of("[CUDA memcpy HtoD]", Some("Pageable"), Some("Device"));
        assert_eq!(copy, (Class::Memcpy, "Memcpy HtoD (Pageable -> Device)".to_owned()));
        assert_eq!(class_of("[CUDA memset]", Some("Device"), None), (Class::Memset, "Memset (Device)".to_owned()));
        assert_eq!(class_of("operator[]", None, None).0, Class::Kernel);
    }
}
