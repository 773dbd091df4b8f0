//! Sampled call stacks as slices: a frame lasts from the first sample with it to the first without.

use std::ops::AddAssign;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use serde_json::Value;

use stepscope_base::{CompactSort, Nanos};
use stepscope_trace::{AddedSlice, Class, Layer, NameId, NewSlice, RawId, TraceBuilder};

/// A frame of a call tree, by its id in the file.
#[derive(Clone, Copy, Debug)]
struct Frame {
    parent: Option<NameId>,
    name: NameId,
}

/// The position of a frame in the shown stacks.
#[derive(Clone, Copy, Debug)]
struct ShownFrame {
    /// The frame itself or, if it is not shown, the nearest shown one above; none if there is none.
    shown: NameId,
    /// The shown frame above that.
    above: NameId,
    /// The number of shown frames from the outermost to this one.
    depth: usize,
    /// Whether the frame or frames above it are left out.
    cut: bool,
}

impl ShownFrame {
    const ROOT: Self = Self { shown: NameId::NONE, above: NameId::NONE, depth: 0, cut: false };
}

/// Counts of samples that are not shown, or not in full.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Unshown {
    /// Samples with an unknown frame.
    pub(super) unknown: u64,
    /// Samples with a part of the stack only.
    pub(super) cut: u64,
}

impl AddAssign for Unshown {
    fn add_assign(&mut self, other: Self) {
        self.unknown += other.unknown;
        self.cut += other.cut;
    }
}

/// The frames of a call tree and the samples of one thread, each with the innermost frame's id.
///
/// Ids are kept as texts, since not all are numbers.
#[derive(Debug, Default)]
pub(super) struct Stacks {
    frames: HashMap<NameId, Frame, FxBuildHasher>,
    samples: Vec<(Nanos, NameId)>,
    /// Positions of the frames in samples; none while a frame is being visited.
    places: HashMap<NameId, Option<ShownFrame>, FxBuildHasher>,
    /// The number of slices begun in excess of what each sample may begin.
    begun: usize,
}

/// The longest stack that is shown: longer ones are recursion.
const DEEPEST: usize = 2000;

/// Slices per sample on average: in real profiles most of a stack persists between samples.
///
/// Without a limit, alternating samples from both ends of a long call chain would give thousands of slices for a few
/// bytes.
const SLICES_PER_SAMPLE: usize = 64;

/// Slices in excess of that average.
const MORE_SLICES: usize = 1 << 20;

impl Stacks {
    /// Adds a frame with its caller. A root that only groups the others has no name.
    pub(super) fn frame(&mut self, id: NameId, parent: Option<NameId>, name: NameId) {
        self.frames.insert(id, Frame { parent, name });
    }

    /// Sets the caller of a frame that was added.
    pub(super) fn set_parent(&mut self, id: NameId, parent: NameId) {
        if let Some(frame) = self.frames.get_mut(&id) {
            frame.parent = Some(parent);
        }
    }

    /// Adds a sample.
    pub(super) fn sample(&mut self, at: Nanos, id: NameId) {
        self.samples.push((at, id));
    }

    /// The samples, to be changed or removed; the frames stay.
    pub(super) fn samples_mut(&mut self) -> &mut Vec<(Nanos, NameId)> {
        &mut self.samples
    }

    /// Adds a thread's samples as slices; all frames must have been added. The last sample lasts until `end`, if
    /// known, else as long as the one before it.
    pub(super) fn write(
        &mut self,
        builder: &mut TraceBuilder,
        (process, thread): (RawId, RawId),
        category: &[u8],
        end: Option<Nanos>,
        position: u64,
    ) -> Unshown {
        let mut samples = std::mem::take(&mut self.samples);
        samples.compact_sort_by_key(|(at, _)| *at);
        let end = end.or(match samples[..] {
            [.., (before, _), (last, _)] => Some(last + (last - before)),
            _ => None,
        });
        let category = builder.category(category);
        let mut open: Vec<(NameId, AddedSlice)> = Vec::new();
        let mut inner: Vec<NameId> = Vec::new();
        let mut unshown = Unshown::default();
        for (at, innermost) in samples.iter().copied() {
            unshown.unknown += u64::from(!self.frames.contains_key(&innermost));
            let place = self.place(innermost);
            let (same, whole) = self.begun_by(place, &open, &mut inner);
            unshown.cut += u64::from(place.cut || !whole);
            for (_, row) in open.drain(same..) {
                builder.end_slice(row, at);
            }
            for id in inner.drain(..).rev() {
                let (class, name) = (Class::PythonFrame, self.frames.get(&id).map_or(NameId::NONE, |frame| frame.name));
                let track = builder.track(process, thread, Layer::Python, None);
                let row = builder.slice(NewSlice { track, class, category, name, start: at, end: at, position });
                open.push((id, row));
            }
        }
        if let Some((last, _)) = samples.last() {
            let end = end.unwrap_or(*last).max(*last);
            open.into_iter().for_each(|(_, row)| builder.end_slice(row, end));
        }
        unshown
    }

    /// The frames that a sample begins, the innermost first. Returns the number of open frames that stay, and whether
    /// the sample is complete: one that exceeds the limit begins no frames.
    fn begun_by(
        &mut self,
        mut place: ShownFrame,
        open: &[(NameId, AddedSlice)],
        inner: &mut Vec<NameId>,
    ) -> (usize, bool) {
        let may = SLICES_PER_SAMPLE + MORE_SLICES.saturating_sub(self.begun);
        let is_open = |place: ShownFrame| open.get(place.depth - 1).is_some_and(|(id, _)| *id == place.shown);
        while place.depth > 0 && !is_open(place) && inner.len() < may {
            inner.push(place.shown);
            place = self.places.get(&place.above).copied().flatten().unwrap_or(ShownFrame::ROOT);
        }
        self.begun = (self.begun + inner.len()).saturating_sub(SLICES_PER_SAMPLE);
        let whole = place.depth == 0 || is_open(place);
        if !whole {
            inner.clear();
        }
        (if whole { place.depth } else { 0 }, whole)
    }

    /// The position of a frame. A cycle of callers ends where it closes, as seen from its first sample.
    fn place(&mut self, innermost: NameId) -> ShownFrame {
        let mut path = Vec::new();
        let (mut next, mut place) = (Some(innermost), ShownFrame::ROOT);
        while let Some((id, frame)) = next.and_then(|id| Some((id, self.frames.get(&id)?))) {
            match self.places.get(&id) {
                Some(Some(known)) => place = *known,
                Some(None) => place.cut = true,
                None => {
                    self.places.insert(id, None);
                    path.push((id, frame.name));
                    next = frame.parent;
                    continue;
                }
            }
            break;
        }
        for (id, name) in path.into_iter().rev() {
            if name.get().is_some() {
                place = if place.depth < DEEPEST {
                    ShownFrame { shown: id, above: place.shown, depth: place.depth + 1, cut: place.cut }
                } else {
                    ShownFrame { cut: true, ..place }
                };
            }
            self.places.insert(id, Some(place));
        }
        place
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

/// The name of a V8 frame: the function and, if it is in a file, its location (V8 counts lines from zero).
///
/// The root, which groups all others, has no name.
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
    use stepscope_base::Warnings;

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
        let unshown = stacks.write(&mut builder, THREAD, b"", None, 0);
        assert_eq!(unshown, Unshown { unknown: 1, cut: 0 }, "no such frame");
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

    /// A chain of frames that call each other, below one without a name; the outermost first.
    fn chain(builder: &mut TraceBuilder, stacks: &mut Stacks, length: usize) -> Vec<NameId> {
        let ids: Vec<NameId> = (0..=length).map(|number| builder.intern(number.to_string().as_bytes())).collect();
        stacks.frame(ids[0], None, NameId::NONE);
        for pair in ids.windows(2) {
            stacks.frame(pair[1], Some(pair[0]), pair[1]);
        }
        ids[1..].to_vec()
    }

    const THREAD: (RawId, RawId) = (RawId::Number(1), RawId::Number(1));

    #[test]
    fn a_frame_that_calls_itself_ends_whether_it_has_a_name_or_not() {
        for (named, slices) in [(true, 1), (false, 0)] {
            let mut builder = TraceBuilder::new();
            let mut stacks = Stacks::default();
            let root = builder.intern(b"(root)");
            stacks.frame(root, Some(root), if named { root } else { NameId::NONE });
            stacks.sample(Nanos(1), root);
            let unshown = stacks.write(&mut builder, THREAD, b"", Some(Nanos(2)), 0);
            assert_eq!((unshown, builder.slices()), (Unshown { unknown: 0, cut: 1 }, slices));
        }
    }

    #[test]
    fn a_circle_of_callers_ends_where_it_closes() {
        let mut builder = TraceBuilder::new();
        let mut stacks = Stacks::default();
        let [a, b, c] = ["a", "b", "c"].map(|text| builder.intern(text.as_bytes()));
        for (id, parent) in [(a, b), (b, a), (c, b)] {
            stacks.frame(id, Some(parent), id);
        }
        for at in 0..1000 {
            stacks.sample(Nanos(at), [a, b][usize::from(at % 2 == 1)]);
        }
        stacks.sample(Nanos(1000), c);
        let unshown = stacks.write(&mut builder, THREAD, b"", None, 0);
        assert_eq!(unshown, Unshown { unknown: 0, cut: 1001 });
        assert_eq!(builder.slices(), 502, "b all the time, a in every other sample, and c");
    }

    #[test]
    fn what_is_too_deep_is_left_out() {
        let mut builder = TraceBuilder::new();
        let mut stacks = Stacks::default();
        let frames = chain(&mut builder, &mut stacks, DEEPEST + 3);
        for (at, frame) in [(0, DEEPEST - 1), (1, DEEPEST), (2, DEEPEST + 2), (3, DEEPEST - 2)] {
            stacks.sample(Nanos(at), frames[frame]);
        }
        assert_eq!(stacks.write(&mut builder, THREAD, b"", None, 0), Unshown { unknown: 0, cut: 2 });
        assert_eq!(builder.slices(), DEEPEST, "each once: the deepest ones stand for those that they call");
    }

    #[test]
    fn samples_from_both_ends_of_a_long_chain_are_limited() {
        let mut builder = TraceBuilder::new();
        let mut stacks = Stacks::default();
        let frames = chain(&mut builder, &mut stacks, DEEPEST);
        const SAMPLES: usize = 10_000;
        for at in 0..SAMPLES {
            stacks.sample(Nanos(at as i64), [frames[0], frames[DEEPEST - 1]][at % 2]);
        }
        let unshown = stacks.write(&mut builder, THREAD, b"", None, 0);
        let most = MORE_SLICES + SAMPLES * SLICES_PER_SAMPLE;
        assert!((MORE_SLICES..=most).contains(&builder.slices()), "{} slices", builder.slices());
        assert!((1..SAMPLES as u64 / 2).contains(&unshown.cut) && unshown.unknown == 0, "{unshown:?}");
    }
}
