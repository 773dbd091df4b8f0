//! The Python functions, or the modules, around each call of the host.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::phases::is_module;
use stepscope_trace::{EventId, Layer, NameId, Trace, Track, TrackId};

/// The stack of Python functions, or of modules, around each call of the host; stacks have numbers, zero is none.
#[derive(Default)]
pub(crate) struct PythonStacks {
    paths: Paths,
    around: HashMap<EventId, u32, FxBuildHasher>,
}

impl PythonStacks {
    /// Stacks of all functions: the producer's own, else the frames open when a call starts.
    pub(crate) fn of(trace: &Trace) -> Self {
        let mut found = Self::default();
        for (id, text) in &trace.stacks {
            found.around.insert(*id, found.paths.push(0, *text));
        }
        found.add_frames(trace, |_| true);
        found
    }

    /// Stacks of modules alone: those open when a call starts, on its thread.
    pub(crate) fn modules(trace: &Trace) -> Self {
        let is_module = trace.strings.map(is_module);
        let mut found = Self::default();
        if is_module.contains(&true) {
            found.add_frames(trace, |name| is_module[name.index()]);
        }
        found
    }

    /// The number of the stack around a call.
    pub(crate) fn around(&self, call: EventId) -> u32 {
        self.around.get(&call).copied().unwrap_or_default()
    }

    /// The names of a stack, outermost first.
    pub(crate) fn names(&self, stack: u32) -> Vec<NameId> {
        self.paths.names(stack)
    }

    fn add_frames(&mut self, trace: &Trace, counts: impl Fn(NameId) -> bool) {
        for (index, host) in trace.tracks.iter().enumerate().filter(|(_, track)| track.layer == Layer::Host) {
            let same_thread = |track: &&Track| {
                track.layer == Layer::Python && (track.process, track.thread) == (host.process, host.thread)
            };
            if let Some(python) = trace.tracks.iter().find(same_thread) {
                self.add_frames_of(trace, TrackId::from_index(index), python, &counts);
            }
        }
    }

    fn add_frames_of(&mut self, trace: &Trace, host: TrackId, python: &Track, counts: impl Fn(NameId) -> bool) {
        let mut open: Vec<(EventId, u32)> = Vec::new();
        let mut frames = python.events().peekable();
        for id in trace.tracks[host.index()].events() {
            let start = trace.slices.start(id);
            while let Some(frame) = frames.next_if(|frame| trace.slices.start(*frame) <= start) {
                let parent = trace.slices.parent(frame);
                while open.last().is_some_and(|(top, _)| Some(*top) != parent) {
                    open.pop();
                }
                let below = open.last().map_or(0, |(_, path)| *path);
                let name = trace.slices.name(frame);
                open.push((frame, if counts(name) { self.paths.push(below, name) } else { below }));
            }
            let around = open.iter().rev().find(|(frame, _)| trace.slices.end(*frame) > start);
            if let Some((_, path)) = around.filter(|(_, path)| *path != 0) {
                self.around.entry(id).or_insert(*path);
            }
        }
    }
}

/// A path of modules as a text, outermost first. Each module has the profiler's name without its prefix:
/// `Net_0.Linear_0`.
pub(crate) fn module_path(trace: &Trace, modules: &[NameId]) -> String {
    let names = modules.iter().map(|name| trace.strings.get(*name));
    names.map(|name| name.split_once(": ").map_or(name, |(_, own)| own)).collect::<Vec<_>>().join(".")
}

/// Stacks of Python functions: each is a function's name on top of another stack.
#[derive(Default)]
struct Paths {
    by_step: HashMap<(u32, NameId), u32, FxBuildHasher>,
    steps: Vec<(u32, NameId)>,
}

impl Paths {
    /// The stack with `name` on top of the stack `below`; zero is the empty one.
    fn push(&mut self, below: u32, name: NameId) -> u32 {
        let steps = &mut self.steps;
        *self.by_step.entry((below, name)).or_insert_with(|| {
            steps.push((below, name));
            u32::try_from(steps.len()).unwrap_or_default()
        })
    }

    fn names(&self, mut path: u32) -> Vec<NameId> {
        let mut names = Vec::new();
        while let Some((below, name)) = (path as usize).checked_sub(1).and_then(|index| self.steps.get(index)) {
            names.push(*name);
            path = *below;
        }
        names.reverse();
        names
    }
}
