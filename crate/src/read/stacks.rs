//! Sampled call stacks as slices: a frame lasts from the first sample that shows it to the first that does not.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use serde_json::Value;

use crate::sort::CompactSort;
use crate::trace::{Class, Layer, NameId, NewSlice, RawId, Row, TraceBuilder};
use crate::units::Nanos;

/// A frame of a call tree, under the id that its file gives it.
#[derive(Clone, Copy, Debug)]
struct Frame {
    parent: Option<NameId>,
    name: NameId,
}

/// The frames of a call tree and the samples of one thread, each the innermost frame's id.
///
/// Ids are kept as texts, since some are numbers and some are not.
#[derive(Debug, Default)]
pub(super) struct Stacks {
    frames: HashMap<NameId, Frame, FxBuildHasher>,
    samples: Vec<(Nanos, NameId)>,
}

/// The longest stack: what is longer repeats itself, or its parents go in a circle.
const DEEPEST: usize = 2000;

impl Stacks {
    /// Adds a frame, with the one that called it. A root that only holds the others together has no name.
    pub(super) fn frame(&mut self, id: NameId, parent: Option<NameId>, name: NameId) {
        self.frames.insert(id, Frame { parent, name });
    }

    /// Says which frame called another one that was added.
    pub(super) fn set_parent(&mut self, id: NameId, parent: NameId) {
        if let Some(frame) = self.frames.get_mut(&id) {
            frame.parent = Some(parent);
        }
    }

    /// Adds a sample.
    pub(super) fn sample(&mut self, at: Nanos, id: NameId) {
        self.samples.push((at, id));
    }

    /// Takes the samples out; the frames stay.
    pub(super) fn samples_mut(&mut self) -> &mut Vec<(Nanos, NameId)> {
        &mut self.samples
    }

    /// Adds a thread's samples as slices. The last sample lasts until `end`, if that is known, else as long as
    /// the one before it. Returns how many of the samples have no frame that is known.
    pub(super) fn write(
        &mut self,
        builder: &mut TraceBuilder,
        (process, thread): (RawId, RawId),
        category: &[u8],
        end: Option<Nanos>,
        position: u64,
    ) -> u64 {
        let mut samples = std::mem::take(&mut self.samples);
        samples.compact_sort_by_key(|(at, _)| *at);
        let end = end.or(match samples[..] {
            [.., (before, _), (last, _)] => Some(last + (last - before)),
            _ => None,
        });
        let category = builder.category(category);
        let mut open: Vec<(NameId, Row)> = Vec::new();
        let mut stack: Vec<(NameId, NameId)> = Vec::new();
        let mut unknown = 0;
        for (at, innermost) in samples.iter().copied() {
            self.stack_of(innermost, &mut stack);
            unknown += u64::from(!self.frames.contains_key(&innermost));
            let same = open.iter().zip(&stack).take_while(|((open, _), (id, _))| open == id).count();
            for (_, row) in open.drain(same..) {
                builder.end_slice(row, at);
            }
            for (id, name) in &stack[same..] {
                let (class, name) = (Class::PythonFrame, *name);
                let track = builder.track(process, thread, Layer::Python, None);
                let row = builder.slice(NewSlice { track, class, category, name, start: at, end: at, position });
                open.push((*id, row));
            }
        }
        if let Some((last, _)) = samples.last() {
            let end = end.unwrap_or(*last).max(*last);
            open.into_iter().for_each(|(_, row)| builder.end_slice(row, end));
        }
        unknown
    }

    /// The frames of a sample that have a name, the outermost first.
    fn stack_of(&self, innermost: NameId, stack: &mut Vec<(NameId, NameId)>) {
        stack.clear();
        let mut next = Some(innermost);
        while let Some((id, frame)) = next.and_then(|id| Some((id, self.frames.get(&id)?))) {
            if stack.len() >= DEEPEST {
                break;
            }
            if frame.name.get().is_some() {
                stack.push((id, frame.name));
            }
            next = frame.parent;
        }
        stack.reverse();
    }
}

/// An id, which is a number or a text.
pub(super) fn id(builder: &mut TraceBuilder, value: &Value) -> Option<NameId> {
    match value {
        Value::String(text) => Some(builder.intern(text.as_bytes())),
        Value::Number(number) => Some(builder.intern(number.to_string().as_bytes())),
        _ => None,
    }
}

/// What a frame of V8 is called: the function and, if it is in a file, where (V8 counts lines from zero).
///
/// The root, under which all others lie, has no name of its own.
pub(super) fn v8_name(builder: &mut TraceBuilder, frame: &Value) -> NameId {
    let text = |key: &str| frame.get(key).and_then(Value::as_str).unwrap_or_default();
    let function = match text("functionName") {
        "(root)" => return NameId::NONE,
        "" => "(anonymous)",
        name => name,
    };
    let line = frame.get("lineNumber").and_then(Value::as_i64).filter(|line| *line >= 0);
    let name = match (text("url"), line) {
        ("", _) => function.to_owned(),
        (url, None) => format!("{function} ({url})"),
        (url, Some(line)) => format!("{function} ({url}:{})", line.saturating_add(1)),
    };
    builder.intern(name.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::warn::Warnings;

    #[test]
    fn frames_last_while_samples_show_them() {
        let mut builder = TraceBuilder::new();
        let mut stacks = Stacks::default();
        let mut id = |text: &str| builder.intern(text.as_bytes());
        let [root, main, f, g] = ["1", "2", "3", "4"].map(&mut id);
        let [main_name, f_name, g_name] = ["main", "f", "g"].map(&mut id);
        stacks.frame(root, None, NameId::NONE);
        stacks.frame(main, Some(root), main_name);
        stacks.frame(f, Some(main), f_name);
        stacks.frame(g, Some(main), g_name);
        // Out of order, as V8 may write them.
        for (at, frame) in [(10, main), (30, f), (20, f), (40, g), (50, root), (60, f)] {
            stacks.sample(Nanos(at), frame);
        }
        stacks.sample(Nanos(70), g_name);
        let thread = (RawId::Number(1), RawId::Number(1));
        assert_eq!(stacks.write(&mut builder, thread, b"", None, 0), 1, "no such frame");
        let trace = builder.finish(&mut Warnings::default()).expect("a trace");
        let found: Vec<String> = trace
            .slices
            .ids()
            .map(|id| {
                format!("{} {}-{}", trace.name_of(id), trace.slices.start(id).0 + 10, trace.slices.end(id).0 + 10)
            })
            .collect();
        assert_eq!(found, ["main 10-50", "f 20-40", "g 40-50", "main 60-70", "f 60-70"]);
    }

    #[test]
    fn parents_in_a_circle_end() {
        let mut builder = TraceBuilder::new();
        let mut stacks = Stacks::default();
        let [a, b] = ["a", "b"].map(|text| builder.intern(text.as_bytes()));
        stacks.frame(a, Some(b), a);
        stacks.frame(b, Some(a), b);
        stacks.sample(Nanos(1), a);
        assert_eq!(stacks.write(&mut builder, (RawId::Number(1), RawId::Number(1)), b"", Some(Nanos(2)), 0), 0);
        assert_eq!(builder.slices(), DEEPEST);
    }
}
