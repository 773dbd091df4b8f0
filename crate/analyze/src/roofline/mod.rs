//! The time that kernels would take at their device's limit, and which limit that is. INSIGHT section 4.

mod bound;
mod families;
mod peak;
mod unfused;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

pub use self::bound::{AtLimit, Bound};
use self::families::{Call, Families};
use self::peak::faster_peak;
pub(crate) use self::peak::peak_of_call;
use self::unfused::unfused_attention;
use super::devices::{GivenPeaks, Peaks, device_of};
use super::flops::{ComputingCalls, RoofFamily, Work, bytes_of_call};
use super::intervals::IntervalSet;
use super::statistics::scaled;
use super::tensor_cores::TensorCoreUse;
use stepscope_base::{CompactSort as _, Interval, Nanos};
use stepscope_trace::{ActivityId, Class, EventId, NameId, Trace};

/// Why a kernel's roof is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoRoof {
    /// The trace does not show which call or operator launched it.
    Unlinked,
    /// It was launched by a graph.
    Graph,
    /// Its operator has a formula, but the trace does not have the shapes or types of its inputs.
    NoShapes,
    /// Its operator has no formula.
    NoFormula,
    /// The peaks of its device are not known.
    NoPeaks,
    /// It is faster than its roof: the peak, the shapes or the time is wrong, or its inputs were in a cache.
    Impossible,
}

impl NoRoof {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Unlinked, Self::Graph, Self::NoShapes, Self::NoFormula, Self::NoPeaks, Self::Impossible];
}

/// A call's least time, and the time that it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Roof {
    pub(crate) family: RoofFamily,
    /// At the device's limit.
    pub(crate) least: Nanos,
    /// At its limit with the call's own numbers.
    own: Nanos,
    /// The limit that this is: bandwidth, or the units that compute.
    is_memory: bool,
    /// The time during which one of its kernels runs.
    pub(crate) took: Nanos,
    /// The part of that with numbers that the device multiplies faster:
    /// [`BudgetLeaf::Float32Products`](super::BudgetLeaf).
    pub(crate) wide: Nanos,
    /// The part of the limit that a good kernel reaches, in percent.
    reach: i64,
    /// No kernel takes less, whatever the limit.
    floor: Nanos,
    /// Why a product misses the limit.
    pub(crate) hindrance: Hindrance,
}

/// The part of the memory's bandwidth that good kernels reach, in percent.
const REACH_MEMORY: i64 = 85;

/// The same for the units that compute.
const REACH_COMPUTE: i64 = 80;

/// The same where one kernel does all of attention: softmax stands between its products.
const REACH_FUSED: i64 = 70;

impl Roof {
    /// More than this above its limit is a wrong limit.
    const MOST: i128 = 105;

    fn by_memory(family: RoofFamily, least: Nanos, took: Nanos) -> Self {
        Self {
            family,
            least,
            own: least,
            is_memory: true,
            took,
            wide: Nanos::ZERO,
            reach: REACH_MEMORY,
            floor: Nanos::ZERO,
            hindrance: Hindrance::None,
        }
    }

    /// The same call's roof, given its least time with shorter numbers. Of the time beyond its limit, shorter numbers
    /// shorten at most another such limit: the rest may be the time that any kernel needs.
    fn of_shorter_numbers(self, least: Nanos) -> Self {
        let counts = self.took.min(self.least + self.least);
        let wide = scaled(counts, self.least - least.min(self.least), self.least);
        let hindrance = if wide > Nanos::ZERO { Hindrance::BesideFloat32 } else { self.hindrance };
        Self { least: least.min(self.least), wide, hindrance, ..self }
    }

    /// The part of a time that is at the limit.
    pub(crate) fn at_roof(&self, time: Nanos) -> Nanos {
        self.scaled(time, self.least.min(self.took - self.wide))
    }

    /// The part of a time with numbers that the device multiplies faster.
    pub(crate) fn wide(&self, time: Nanos) -> Nanos {
        (time - self.at_roof(time)).min(self.scaled(time, self.wide))
    }

    /// The part of a time that a good kernel would save with the same numbers: no kernel reaches the limit.
    pub(crate) fn saving(&self, time: Nanos) -> Nanos {
        let rest = self.took - self.wide;
        self.scaled(time, rest - self.reachable().min(rest))
    }

    /// The part of a time that a good kernel would save with shorter numbers, in addition to [`saving`](Self::saving).
    pub(crate) fn wide_saving(&self, time: Nanos) -> Nanos {
        self.scaled(time, self.wide.min(self.took - self.reachable().min(self.took)))
    }

    /// The time that a good kernel takes.
    fn reachable(&self) -> Nanos {
        Nanos(self.least.0.saturating_mul(100).div_euclid(self.reach) + 1).max(self.floor)
    }

    fn scaled(&self, time: Nanos, part: Nanos) -> Nanos {
        scaled(time, part, self.took).min(time)
    }

    fn is_possible(&self) -> bool {
        i128::from(self.least.0) * 100 <= i128::from(self.took.0) * Self::MOST
    }
}

/// The reason why products of matrices, or attention, miss the device's limit, as their inputs show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hindrance {
    /// A size is no multiple of 8.
    Unaligned,
    /// The numbers have more than 16 bits.
    Wide,
    /// They are in float32, and would miss the limit of shorter numbers, too.
    BesideFloat32,
    /// Several kernels do what one kernel of attention can do.
    Unfused,
    /// The same, as PyTorch's own attention chose no fused kernel for its inputs.
    MathBackend,
    /// None of these.
    None,
}

impl Hindrance {
    /// The number of hindrances.
    pub(crate) const COUNT: usize = 6;

    /// Whether it is one of attention by several kernels.
    pub(crate) fn is_unfused(self) -> bool {
        matches!(self, Self::Unfused | Self::MathBackend)
    }

    fn of(work: Work) -> Self {
        match work.precision {
            Some(precision) if !precision.is_short() => Self::Wide,
            _ if work.is_unaligned => Self::Unaligned,
            _ => Self::None,
        }
    }
}

/// The roofs of a trace's compute kernels.
pub(crate) struct Roofs {
    calls: Vec<Roof>,
    /// By activity: a call, or the reason why the roof is unknown.
    of_activity: Vec<Entry>,
}

type Entry = Result<u32, NoRoof>;

impl Roofs {
    /// The roofs of the trace: attention by several kernels has that of one kernel that does it all.
    pub(crate) fn of(trace: &Trace, given: &GivenPeaks, used: &TensorCoreUse) -> Self {
        Self::find(trace, given, used, true)
    }

    /// The roofs of each call by itself.
    pub(crate) fn of_calls(trace: &Trace, given: &GivenPeaks, used: &TensorCoreUse) -> Self {
        Self::find(trace, given, used, false)
    }

    fn find(trace: &Trace, given: &GivenPeaks, used: &TensorCoreUse, fuses: bool) -> Self {
        let mut roofs = Self { calls: Vec::new(), of_activity: vec![Err(NoRoof::Unlinked); trace.activities.len()] };
        let mut peaks: Vec<(i64, Option<Peaks>)> = Vec::new();
        let mut peaks_of = |id: ActivityId| {
            let device = trace.stream_of(trace.activities[id.index()].event)?.device;
            if let Some((_, known)) = peaks.iter().find(|(other, _)| *other == device) {
                return *known;
            }
            let found = given.of_device(device_of(trace, device));
            peaks.push((device, found));
            found
        };
        let (mut bytes, mut names) = (Bytes::default(), Families::default());
        roofs.find_moving(trace, (&mut bytes, &mut names), &mut peaks_of);
        let mut products: Vec<(EventId, f64)> = Vec::new();
        // A call that computes has a limit of its own, over all its kernels.
        for call in ComputingCalls::of(trace, None).iter() {
            let is_graph = |id: &ActivityId| roofs.of_activity[id.index()] == Err(NoRoof::Graph);
            let Some(first) = call.kernels.first().filter(|_| !call.kernels.iter().any(is_graph)) else { continue };
            let Some(family) = names.of(trace, call.call).filter(|family| computes(*family)) else { continue };
            let peaks = peaks_of(*first);
            let peak = peaks.as_ref().and_then(|peaks| peak_of_call(trace, &call, used, peaks));
            let entry = match (peaks.filter(|peaks| peaks.memory > 0.0).zip(peak), bytes.of(trace, call.call)) {
                (None, _) => Err(NoRoof::NoPeaks),
                (_, None) => Err(NoRoof::NoShapes),
                (Some((peaks, peak)), Some(moved)) => {
                    let (computing, moving) = (float(call.work.flops) / peak, float(moved) / peaks.memory);
                    let is_memory = moving > computing;
                    let reach = match family {
                        _ if is_memory => REACH_MEMORY,
                        RoofFamily::Attention => REACH_FUSED,
                        _ => REACH_COMPUTE,
                    };
                    let (least, took) = (nanos(computing.max(moving)), call.time);
                    let hindrance = Hindrance::of(call.work);
                    let roof = Roof { is_memory, reach, hindrance, ..Roof::by_memory(family, least, took) };
                    let faster = faster_peak(trace, &call, used, (&peaks, peak));
                    Ok(match faster.filter(|_| roof.is_possible()) {
                        Some(faster) => roof.of_shorter_numbers(nanos((computing * (peak / faster)).max(moving))),
                        None => roof,
                    })
                }
            };
            if family == RoofFamily::Matrix
                && let Some(peak) = peak
            {
                products.push((call.call, peak));
            }
            let entry = roofs.entry(entry);
            call.kernels.iter().for_each(|id| roofs.of_activity[id.index()] = entry);
        }
        if fuses {
            roofs.fuse(trace, &mut names, &products, &mut peaks_of);
        }
        roofs
    }

    /// Gives attention by several kernels one limit: that of a single kernel that does it all.
    fn fuse(
        &mut self,
        trace: &Trace,
        names: &mut Families,
        products: &[(EventId, f64)],
        peaks_of: &mut impl FnMut(ActivityId) -> Option<Peaks>,
    ) {
        for unfused in unfused_attention(trace, names) {
            let Some(memory) = peaks_of(unfused.kernels[0]).map(|peaks| peaks.memory).filter(|memory| *memory > 0.0)
            else {
                continue;
            };
            let Ok(place) = products.binary_search_by_key(&unfused.product, |(call, _)| *call) else { continue };
            let is_graph = |id: &ActivityId| self.of_activity[id.index()] == Err(NoRoof::Graph);
            if unfused.kernels.iter().any(is_graph) {
                continue;
            }
            let interval = |id: &ActivityId| trace.slices.interval(trace.activities[id.index()].event);
            let took = IntervalSet::of(unfused.kernels.iter().map(interval)).len();
            let work = unfused.work;
            let least = nanos((float(work.flops) / products[place].1).max(float(work.bytes) / memory));
            let family = RoofFamily::Attention;
            let hindrance = if unfused.is_math_backend { Hindrance::MathBackend } else { Hindrance::Unfused };
            let lengths = || unfused.kernels.iter().map(|id| interval(id).len());
            // The single kernel computes whole tiles, and takes no less than the shortest of the others.
            let floor = nanos(float(work.tiled_flops) / products[place].1).max(lengths().min().unwrap_or_default());
            let roof = Roof { reach: REACH_FUSED, floor, hindrance, ..Roof::by_memory(family, least, took) };
            let better = |id: &ActivityId| {
                let saving = |roof: &Roof, length| roof.saving(length) + roof.wide_saving(length);
                self.get(*id).map_or(Nanos::ZERO, |roof| saving(roof, interval(id).len()))
            };
            // Where kernels run at the same time, their savings do not add up.
            let apart = scaled(unfused.kernels.iter().map(better).sum(), took, lengths().sum());
            if roof.saving(took) <= apart {
                continue;
            }
            let entry = self.entry(Ok(roof));
            unfused.kernels.iter().for_each(|id| self.of_activity[id.index()] = entry);
        }
    }

    /// The roof of a compute kernel, or why it is unknown.
    pub(crate) fn get(&self, id: ActivityId) -> Result<&Roof, NoRoof> {
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

    /// Finds the limits by memory alone, and the reasons why others are unknown.
    fn find_moving(
        &mut self,
        trace: &Trace,
        (bytes, names): (&mut Bytes, &mut Families),
        peaks_of: &mut impl FnMut(ActivityId) -> Option<Peaks>,
    ) {
        let is_graph = trace.strings.map(|name| name.contains("GraphLaunch"));
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
                _ => names.outermost(trace, operator),
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
            let family = names.of(trace, call);
            let peak = peaks_of(first).map(|peaks| peaks.memory).filter(|memory| *memory > 0.0);
            let found = match (family, peak, bytes.of(trace, call)) {
                (None, _, _) => Err(NoRoof::NoFormula),
                (_, None, _) => Err(NoRoof::NoPeaks),
                (_, _, None) => Err(NoRoof::NoShapes),
                (Some(family), Some(memory), Some(moved)) => {
                    let least = nanos(float(moved) / memory);
                    Ok(Roof::by_memory(family, least, took))
                }
            };
            let entry = self.entry(found);
            of_call.iter().for_each(|(_, id)| self.of_activity[id.index()] = entry);
        }
    }
}

/// The bytes that calls move, by the texts of their inputs.
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

/// Whether the FLOPs of a family's calls can be their limit.
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
