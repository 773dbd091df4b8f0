//! Assigns each call to its row.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::config::{OperatorGrouping, OperatorsConfig};
use crate::python_stacks::PythonStacks;
use crate::scope::Scope;
use crate::steps::marked_step;
use stepscope_trace::{Class, EventId, Layer, NameId, Trace, Track, TrackId};

/// No row: the slice is not in the table, and is no child of a slice in the table.
const NO_GROUP: u32 = u32::MAX;

/// No row, but a child of the slice around it: a step's mark, a runtime call, an operator outside of the scope.
const CHILD_ONLY: u32 = u32::MAX - 1;

/// Key of an operator row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) class: Class,
    pub(super) name: NameId,
    pub(super) shapes: NameId,
    pub(super) types: NameId,
    /// The Python stack, or the path of modules, where it is a part of the key.
    stack: u32,
    /// The first track of the thread, where it is a part of the key.
    thread: TrackId,
}

/// The rows, and the row of each call.
pub(super) struct Groups {
    keys: Vec<Key>,
    /// By slice, its row, or [`NO_GROUP`].
    group_of: Vec<u32>,
    /// The stacks or modules around calls, where they are a part of the key.
    stacks: Option<PythonStacks>,
    /// Whether stacks are paths of modules.
    by_module: bool,
    by_type: bool,
    /// Whether calls inside a call of the same row count once in totals. `key_averages()`, which merges only children, sums all.
    nested_once: bool,
    /// The trace has no operators: all slices of the host are in the table.
    pub(super) all_slices: bool,
}

impl Groups {
    pub(super) fn of(trace: &Trace, config: OperatorsConfig, scope: Option<&Scope<'_>>) -> Self {
        let all_slices = shows_all_slices(trace);
        let thread_of = if config.grouping == OperatorGrouping::Thread { first_tracks(trace) } else { Vec::new() };
        let mut group_of = vec![NO_GROUP; trace.slices.len()];
        let is_step = trace.strings.map(|name| marked_step(name).is_some());
        let types = if config.grouping == OperatorGrouping::Type { type_names(trace) } else { Vec::new() };
        let stacks = match config.grouping {
            OperatorGrouping::NameStack => Some(PythonStacks::of(trace)),
            OperatorGrouping::Module => Some(PythonStacks::modules(trace)),
            _ => None,
        };
        let mut keys = Vec::new();
        let mut by_key: HashMap<Key, u32, FxBuildHasher> = HashMap::default();
        let mut last: Option<(Key, u32)> = None;
        for (track, id) in tabulated(trace, all_slices) {
            let class = trace.slices.class(id);
            let name = trace.slices.name(id);
            if class == Class::RuntimeCall || is_step[name.index()] || trace.step_of(id).is_some() {
                group_of[id.index()] = CHILD_ONLY;
                continue;
            }
            if !matches!(class, Class::Operator | Class::Annotation) && !all_slices {
                continue;
            }
            if scope.is_some_and(|scope| !scope.touches(trace, id)) {
                // It is no call of the scope, but its time is not the self time of the call around it, either.
                group_of[id.index()] = CHILD_ONLY;
                continue;
            }
            let none = NameId::NONE;
            let mut key = Key { class, name, shapes: none, types: none, stack: 0, thread: TrackId::NONE };
            match config.grouping {
                OperatorGrouping::Name => {}
                OperatorGrouping::NameShapes => {
                    if let Some(operation) = trace.operation(id) {
                        (key.shapes, key.types) = (operation.shapes, operation.types);
                    }
                }
                // The first string of a type stands for it.
                OperatorGrouping::Type => key.name = types[name.index()],
                OperatorGrouping::Category => {
                    key.name = trace.category_number(id).map_or(NameId::NONE, |number| trace.categories[number]);
                }
                OperatorGrouping::Thread => key.thread = thread_of[track],
                OperatorGrouping::NameStack | OperatorGrouping::Module => {
                    key.stack = stacks.as_ref().map_or(0, |stacks| stacks.around(id));
                }
            }
            let group = match last {
                Some((known, group)) if known == key => group,
                _ => *by_key.entry(key).or_insert_with(|| {
                    keys.push(key);
                    u32::try_from(keys.len() - 1).unwrap_or(NO_GROUP)
                }),
            };
            last = Some((key, group));
            group_of[id.index()] = group;
        }
        if config.merge_only_children {
            merge_only_children(trace, &mut group_of);
        }
        Self {
            keys,
            group_of,
            stacks,
            by_module: config.grouping == OperatorGrouping::Module,
            by_type: config.grouping == OperatorGrouping::Type,
            nested_once: !config.merge_only_children,
            all_slices,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    pub(super) fn nested_once(&self) -> bool {
        self.nested_once
    }

    pub(super) fn key(&self, group: usize) -> &Key {
        &self.keys[group]
    }

    /// The row of a slice.
    #[inline]
    pub(super) fn group(&self, id: EventId) -> Option<usize> {
        let group = self.group_of[id.index()];
        (group < CHILD_ONLY).then_some(group as usize)
    }

    /// Whether a slice's time is excluded from the self time of the slice around it.
    #[inline]
    pub(super) fn is_child(&self, id: EventId) -> bool {
        self.group_of[id.index()] != NO_GROUP
    }

    pub(super) fn name(&self, trace: &Trace, group: usize) -> String {
        let name = trace.strings.get(self.keys[group].name);
        if self.by_type { type_of(name).to_owned() } else { name.to_owned() }
    }

    /// The first track of a row's thread; none where it is not a part of the key.
    pub(super) fn thread(&self, group: usize) -> TrackId {
        self.keys[group].thread
    }

    /// The Python stack of a row; empty where it is not a part of the key.
    pub(super) fn stack(&self, group: usize) -> Vec<NameId> {
        if self.by_module { Vec::new() } else { self.around(group) }
    }

    /// The modules around a row's calls; empty where they are not a part of the key.
    pub(super) fn modules(&self, group: usize) -> Vec<NameId> {
        if self.by_module { self.around(group) } else { Vec::new() }
    }

    fn around(&self, group: usize) -> Vec<NameId> {
        self.stacks.as_ref().map(|stacks| stacks.names(self.keys[group].stack)).unwrap_or_default()
    }
}

/// Whether slices stand for operators: the trace has no operators, but slices other than annotations.
fn shows_all_slices(trace: &Trace) -> bool {
    let other = |id: EventId| matches!(trace.slices.class(id), Class::Other | Class::PythonFrame | Class::Async);
    trace.slices_of(Class::Operator).next().is_none() && tabulated(trace, true).any(|(_, id)| other(id))
}

/// The slices that may be in the table, with their track's index: those of host threads, or of all layers of the host
/// where slices stand for operators.
fn tabulated(trace: &Trace, all_slices: bool) -> impl Iterator<Item = (usize, EventId)> + '_ {
    let tracks = trace.tracks.iter().enumerate().filter(move |(_, track)| is_tabulated(track, all_slices));
    tracks.flat_map(|(index, track)| track.events().map(move |id| (index, id)))
}

/// Whether a track's slices may be in the table.
pub(super) fn is_tabulated(track: &Track, all_slices: bool) -> bool {
    track.layer == Layer::Host || all_slices && matches!(track.layer, Layer::Python | Layer::Async)
}

/// By track, the first one of its thread.
fn first_tracks(trace: &Trace) -> Vec<TrackId> {
    let mut first: HashMap<_, TrackId, FxBuildHasher> = HashMap::default();
    let tracks = trace.tracks.iter().enumerate();
    tracks
        .map(|(index, track)| {
            let thread = (track.process, track.thread, track.layer == Layer::Async);
            *first.entry(thread).or_insert(TrackId::from_index(index))
        })
        .collect()
}

/// The namespace of an operator's name.
fn type_of(name: &str) -> &str {
    name.split_once("::").map_or(name, |(namespace, _)| namespace)
}

/// By name, the first name of the same type.
fn type_names(trace: &Trace) -> Vec<NameId> {
    let mut first: HashMap<&str, NameId, FxBuildHasher> = HashMap::default();
    (0..trace.strings.len())
        .map(NameId::from_index)
        .map(|name| *first.entry(type_of(trace.strings.get(name))).or_insert(name))
        .collect()
}

/// Removes from the table each child that is its parent's only one and has the same name.
fn merge_only_children(trace: &Trace, group_of: &mut [u32]) {
    let mut children = vec![0_u8; trace.slices.len()];
    let counted: Vec<EventId> = trace.slices.ids().filter(|id| group_of[id.index()] < CHILD_ONLY).collect();
    for id in &counted {
        if let Some(parent) = trace.slices.parent(*id) {
            children[parent.index()] = children[parent.index()].saturating_add(1);
        }
    }
    for id in counted {
        let same = |parent: &EventId| {
            children[parent.index()] == 1
                && trace.slices.name(*parent) == trace.slices.name(id)
                && trace.slices.class(*parent) == trace.slices.class(id)
        };
        if trace.slices.parent(id).filter(same).is_some() {
            group_of[id.index()] = NO_GROUP;
        }
    }
}
