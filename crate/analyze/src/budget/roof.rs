//! What kernels would take at their device's limit. INSIGHT section 4.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::leaf::{NoRoof, RoofFamily};
use crate::devices::device_of;
use crate::flops::{ComputingCalls, Work, bytes_of_call, family_of};
use crate::kernel_use::peak_of_call;
use crate::statistics::scaled;
use crate::{Analysis, IntervalSet, Peaks};
use stepscope_base::{CompactSort as _, Interval, Nanos};
use stepscope_trace::{ActivityId, Class, EventId, NameId, Trace};

/// A call's least time, and what it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Roof {
    pub(super) family: RoofFamily,
    /// At the device's limit.
    pub(super) least: Nanos,
    /// The time during which one of its kernels runs.
    pub(super) took: Nanos,
    /// Whether memory is the limit, else the units that compute.
    pub(super) by_memory: bool,
    /// Why a product misses the limit.
    pub(super) hindrance: Hindrance,
}

impl Roof {
    /// More than this above its limit is a wrong limit.
    const MOST: i128 = 105;

    /// The part of a time that is at the limit.
    pub(super) fn at_roof(&self, time: Nanos) -> Nanos {
        self.scaled(time, self.least.min(self.took))
    }

    /// The part of a time that a good kernel would save: none reaches the limit.
    pub(super) fn saving(&self, time: Nanos) -> Nanos {
        let percent = if self.by_memory { 85 } else { 80 };
        let reachable = Nanos(self.least.0.saturating_mul(100).div_euclid(percent) + 1);
        time - self.scaled(time, reachable.min(self.took))
    }

    fn scaled(&self, time: Nanos, part: Nanos) -> Nanos {
        scaled(time, part, self.took).min(time)
    }

    fn is_possible(&self) -> bool {
        i128::from(self.least.0) * 100 <= i128::from(self.took.0) * Self::MOST
    }
}

/// The reason why products of matrices miss the device's limit, as their inputs show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hindrance {
    /// A size is no multiple of 8.
    Unaligned,
    /// The numbers have more than 16 bits.
    Wide,
    /// Neither.
    None,
}

impl Hindrance {
    /// How many there are.
    pub(super) const COUNT: usize = 3;

    fn of(work: Work) -> Self {
        match work.precision {
            Some(precision) if !precision.is_short() => Self::Wide,
            _ if work.is_unaligned => Self::Unaligned,
            _ => Self::None,
        }
    }
}

/// The roofs of a trace's compute kernels.
pub(super) struct Roofs {
    calls: Vec<Roof>,
    /// By activity: a call, or the reason why the roof is unknown.
    of_activity: Vec<Entry>,
}

type Entry = Result<u32, NoRoof>;

/// An operator call that moves bytes by a formula.
type Call = (EventId, RoofFamily);

impl Roofs {
    pub(super) fn of(trace: &Trace, analysis: &Analysis) -> Self {
        let mut roofs = Self { calls: Vec::new(), of_activity: vec![Err(NoRoof::Unlinked); trace.activities.len()] };
        let mut peaks: Vec<(i64, Option<Peaks>)> = Vec::new();
        let mut peaks_of = |id: ActivityId| {
            let device = trace.stream_of(trace.activities[id.index()].event)?.device;
            if let Some((_, known)) = peaks.iter().find(|(other, _)| *other == device) {
                return *known;
            }
            let found = analysis.peaks.of_device(device_of(trace, device));
            peaks.push((device, found));
            found
        };
        let mut bytes = Bytes::default();
        roofs.find_moving(trace, &mut bytes, &mut peaks_of);
        // What computes has a limit of its own, over all kernels of the call.
        for call in ComputingCalls::of(trace, None).iter() {
            let is_graph = |id: &ActivityId| roofs.of_activity[id.index()] == Err(NoRoof::Graph);
            let Some(first) = call.kernels.first().filter(|_| !call.kernels.iter().any(is_graph)) else { continue };
            let Some(family) = family_of(trace.name_of(call.call)).filter(|family| computes(*family)) else { continue };
            let peaks = peaks_of(*first);
            let peak = peaks.as_ref().and_then(|peaks| peak_of_call(trace, &call, &analysis.tensor_cores, peaks));
            let entry = match (peaks.filter(|peaks| peaks.memory > 0.0).zip(peak), bytes.of(trace, call.call)) {
                (None, _) => Err(NoRoof::NoPeaks),
                (_, None) => Err(NoRoof::NoShapes),
                (Some((peaks, peak)), Some(moved)) => {
                    let (computing, moving) = (float(call.work.flops) / peak, float(moved) / peaks.memory);
                    let least = nanos(computing.max(moving));
                    let hindrance = Hindrance::of(call.work);
                    Ok(Roof { family, least, took: call.time, by_memory: moving > computing, hindrance })
                }
            };
            let entry = roofs.entry(entry);
            call.kernels.iter().for_each(|id| roofs.of_activity[id.index()] = entry);
        }
        roofs
    }

    /// The roof of a compute kernel, or why it is unknown.
    pub(super) fn get(&self, id: ActivityId) -> Result<&Roof, NoRoof> {
        let entry = self.of_activity.get(id.index()).copied().unwrap_or(Err(NoRoof::Unlinked))?;
        self.calls.get(entry as usize).ok_or(NoRoof::Unlinked)
    }

    fn entry(&mut self, found: Result<Roof, NoRoof>) -> Entry {
        let roof = found?;
        if !roof.is_possible() {
            return Err(NoRoof::Impossible);
        }
        let number = u32::try_from(self.calls.len()).map_err(|_| NoRoof::NoFormula)?;
        self.calls.push(roof);
        Ok(number)
    }

    /// Finds the limits by memory alone, and why others are unknown.
    fn find_moving(
        &mut self,
        trace: &Trace,
        bytes: &mut Bytes,
        peaks_of: &mut impl FnMut(ActivityId) -> Option<Peaks>,
    ) {
        let is_graph = trace.strings.map(|name| name.contains("GraphLaunch"));
        let mut names: HashMap<NameId, Option<RoofFamily>, FxBuildHasher> = HashMap::default();
        let mut last: Option<(EventId, Option<Call>)> = None;
        let mut moving: Vec<(EventId, ActivityId)> = Vec::new();
        for (index, activity) in trace.activities.iter().enumerate() {
            if trace.slices.class(activity.event) != Class::Kernel || activity.communication {
                continue;
            }
            let call = activity.call.get();
            if call.is_some_and(|call| is_graph[trace.slices.name(call).index()]) {
                self.of_activity[index] = Err(NoRoof::Graph);
                continue;
            }
            let Some(operator) = activity.operator.get() else { continue };
            let around = match last {
                Some((before, around)) if before == operator => around,
                _ => outermost(trace, operator, &mut names),
            };
            last = Some((operator, around));
            self.of_activity[index] = Err(match around {
                None => NoRoof::NoFormula,
                Some((_, family)) if computes(family) => NoRoof::NoShapes,
                Some((call, _)) => {
                    moving.push((call, ActivityId::from_index(index)));
                    continue;
                }
            });
        }
        moving.compact_sort();
        for of_call in moving.chunk_by(|a, b| a.0 == b.0) {
            let (call, first) = of_call[0];
            let spans = of_call.iter().map(|(_, id)| trace.slices.interval(trace.activities[id.index()].event));
            let took = match of_call {
                [_] => spans.map(Interval::len).sum(),
                _ => IntervalSet::of(spans).len(),
            };
            let family = names.get(&trace.slices.name(call)).copied().flatten();
            let peak = peaks_of(first).map(|peaks| peaks.memory).filter(|memory| *memory > 0.0);
            let found = match (family, peak, bytes.of(trace, call)) {
                (None, _, _) => Err(NoRoof::NoFormula),
                (_, None, _) => Err(NoRoof::NoPeaks),
                (_, _, None) => Err(NoRoof::NoShapes),
                (Some(family), Some(memory), Some(moved)) => {
                    let least = nanos(float(moved) / memory);
                    Ok(Roof { family, least, took, by_memory: true, hindrance: Hindrance::None })
                }
            };
            let entry = self.entry(found);
            of_call.iter().for_each(|(_, id)| self.of_activity[id.index()] = entry);
        }
    }
}

/// The bytes that calls move, by their texts.
#[derive(Default)]
struct Bytes(HashMap<[NameId; 4], Option<u64>, FxBuildHasher>);

impl Bytes {
    fn of(&mut self, trace: &Trace, call: EventId) -> Option<u64> {
        let operation = trace.operation(call)?;
        let key = [trace.slices.name(call), operation.shapes, operation.types, trace.concrete_inputs(call)];
        let texts = key.map(|text| trace.strings.get(text));
        *self.0.entry(key).or_insert_with(|| bytes_of_call(texts[0], texts[1], texts[2], texts[3]))
    }
}

/// The outermost operator with a formula around an operator, itself included.
fn outermost(
    trace: &Trace,
    operator: EventId,
    names: &mut HashMap<NameId, Option<RoofFamily>, FxBuildHasher>,
) -> Option<Call> {
    let around = std::iter::once(operator).chain(trace.slices.ancestors(operator));
    let operators = around.filter(|event| trace.slices.class(*event) == Class::Operator);
    let with_formula = operators.filter_map(|event| {
        let name = trace.slices.name(event);
        let family = *names.entry(name).or_insert_with(|| family_of(trace.strings.get(name)));
        Some((event, family?))
    });
    with_formula.last()
}

/// Whether the FLOPs of a family's calls may be their limit.
fn computes(family: RoofFamily) -> bool {
    matches!(family, RoofFamily::Matrix | RoofFamily::Convolution | RoofFamily::Attention)
}

#[expect(clippy::cast_precision_loss, reason = "a limit")]
fn float(count: u64) -> f64 {
    count as f64
}

#[expect(clippy::cast_possible_truncation, reason = "whole nanoseconds")]
fn nanos(time: f64) -> Nanos {
    Nanos(time.floor() as i64)
}
