//! The list of layers that Paddle prints after its tables (`with_flops`): their time and FLOPs.
//!
//! Paddle lists the layers and operators of all threads but the first, up to the first one whose name begins the list
//! again. Of a program with one thread, only the lines around the list are left. Its exports have no FLOPs.

use std::collections::BTreeMap;

use crate::columns::centered;
use stepscope_base::Nanos;
use stepscope_trace::{EventId, Layer, Trace};

/// The list between its two lines.
pub(super) fn layers(trace: &Trace) -> String {
    let lines = [" Flops Profiler Begin ", "- Flops Profiler End -"].map(|line| centered(line, 100, "-"));
    format!("\n{}\n{}\n{}\n", lines[0], listed(trace), lines[1])
}

/// The kinds of events that matter here.
struct Kinds {
    operator: Option<u16>,
    forward: Option<u16>,
    /// Backward pass and optimizer are left out with all that is in them.
    left_out: [Option<u16>; 2],
}

impl Kinds {
    /// The depth of an event's children below it; none where they are left out.
    fn step_to_children(&self, trace: &Trace, id: EventId) -> Option<usize> {
        let category = Some(trace.slices.category(id));
        let leaves_out = trace.name_of(id).contains("GradNode") || self.left_out.contains(&category);
        if leaves_out || category == self.operator {
            return None;
        }
        // A layer is a list of itself and of the list of its parts.
        Some(if category == self.forward { 2 } else { 1 })
    }

    /// The depth of an event's own line below it; none where it has no line.
    fn step_to_line(&self, trace: &Trace, id: EventId) -> Option<usize> {
        let category = Some(trace.slices.category(id));
        if trace.name_of(id).contains("GradNode") {
            None
        } else if category == self.forward {
            Some(1)
        } else {
            (category == self.operator).then_some(0)
        }
    }
}

fn listed(trace: &Trace) -> String {
    let kinds = Kinds {
        operator: trace.category_named("Operator"),
        forward: trace.category_named("Forward"),
        left_out: ["Backward", "Optimization"].map(|name| trace.category_named(name)),
    };
    let mut threads: BTreeMap<i64, Vec<EventId>> = BTreeMap::new();
    for track in trace.tracks.iter().filter(|track| track.layer == Layer::Host) {
        threads.entry(track.thread.number()).or_default().extend(track.events());
    }
    let mut text = String::new();
    let (mut first, mut offset) = (None, 0);
    for events in threads.into_values().skip(1) {
        // The depth of each event's children; none where these are left out.
        let mut depths: BTreeMap<EventId, Option<usize>> = BTreeMap::new();
        for id in events {
            let parent = trace.slices.parent(id).map(|parent| depths.get(&parent).copied().flatten());
            let depth = parent.unwrap_or(Some(1));
            let below = depth.and_then(|depth| Some(depth + kinds.step_to_children(trace, id)?));
            depths.insert(id, below);
            let Some(depth) = depth.and_then(|depth| Some(depth + kinds.step_to_line(trace, id)?)) else { continue };
            let name = operator_name(trace.name_of(id));
            let begins = first.get_or_insert_with(|| name.clone());
            if text.is_empty() {
                offset = depth;
            } else if depth == offset && begins.starts_with(&name) {
                return text;
            }
            let align = " ".repeat(depth.saturating_sub(offset));
            let time = time(trace.slices.length(id));
            text += &format!("{align}{name} latency: {time}, FLOPs: 0, FLOPS: 0.0\n");
        }
    }
    text
}

/// The operator of a node, by its name.
fn operator_name(name: &str) -> String {
    [" compute", " dygraph", " pybind_imperative_func"]
        .iter()
        .fold(name.to_owned(), |name, part| name.replace(part, ""))
}

/// A time as Paddle prints it there: in the largest unit of which it has one, with up to two decimals.
#[expect(clippy::cast_precision_loss, reason = "Paddle prints doubles")]
fn time(time: Nanos) -> String {
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "us")];
    let nanos = time.0 as f64;
    let Some((unit, name)) = units.into_iter().find(|(unit, _)| nanos >= *unit) else {
        return format!("{} ns", time.0);
    };
    let rounded = format!("{:.2}", nanos / unit);
    let short = rounded.trim_end_matches('0');
    format!("{short}{} {name}", if short.ends_with('.') { "0" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_as_python_prints_them() {
        let printed = [999, 1_000, 22_800, 102_350, 38_000, 1_234_567, 2_000_000_000].map(|nanos| time(Nanos(nanos)));
        assert_eq!(printed, ["999 ns", "1.0 us", "22.8 us", "102.35 us", "38.0 us", "1.23 ms", "2.0 s"]);
    }
}
