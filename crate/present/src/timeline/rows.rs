//! The rows of a rank's timeline, in the order of the page: the steps, each device with its streams, then the hosts'
//! processes with their threads and counters.

use std::collections::BTreeSet;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::curve::Curve;
use super::doing::{DOING, doing_in_steps};
use super::lanes::{LaneNumbers, lanes_of_track};
use super::shares::{shares, slot_of};
use super::spans::Items;
use stepscope_analyze::Rank;
use stepscope_analyze::{
    DeviceTime, IdleSpans, IntervalSet, MemoryPoint, PythonLayer, has_reserved_memory, idle_spans, memory_points,
};
use stepscope_base::{CompactSort, Interval, Nanos};
use stepscope_trace::{EventId, Layer, MemoryEvent, NameId, Stream, Trace, Track, TrackId};

/// The part of a device's time in a computed row; METRICS section 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OverlapPart {
    /// Compute kernels.
    Compute,
    /// Communication kernels.
    Communication,
    /// Communication while not computing.
    ExposedCommunication,
    /// Copies and memsets.
    Copies,
    /// No activity, and the device is known to be idle: in its window and in steps.
    Idle,
    /// The part of steps before the first recorded activity, where the device may run work from before the recording.
    BeforeFirst,
}

impl OverlapPart {
    /// All of them, as they are shown.
    pub const ALL: [Self; 6] =
        [Self::Compute, Self::Communication, Self::ExposedCommunication, Self::Copies, Self::Idle, Self::BeforeFirst];

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Compute => "compute",
            Self::Communication => "communication",
            Self::ExposedCommunication => "exposed_communication",
            Self::Copies => "copies",
            Self::Idle => "idle",
            Self::BeforeFirst => "before_first_activity",
        }
    }

    /// The class whose color it has.
    fn class(self) -> &'static [&'static str] {
        match self {
            Self::Compute => &["kernel"],
            Self::Communication | Self::ExposedCommunication => &["communication"],
            Self::Copies => &["memcpy"],
            Self::Idle => &["idle"],
            Self::BeforeFirst => &["delay"],
        }
    }

    /// Whether a device has any such time.
    fn is_there(self, time: &DeviceTime, spans: &IdleSpans) -> bool {
        match self {
            Self::Compute => time.compute > Nanos::ZERO,
            Self::Communication => time.communication > Nanos::ZERO,
            Self::ExposedCommunication => time.exposed_communication > Nanos::ZERO,
            Self::Copies => time.memcpy.max(time.memset) > Nanos::ZERO,
            Self::Idle => !spans.idle.is_empty(),
            Self::BeforeFirst => spans.before_first.is_some(),
        }
    }
}

/// The kind of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// The steps.
    Steps,
    /// The activity of a device at each moment; the device by its index among the reports.
    Doing(usize),
    /// A part of a device's time; the device by its index among the reports.
    Overlap(usize, OverlapPart),
    /// The share of a part of a device's time in each slot of time, as a curve.
    Share(usize, OverlapPart),
    /// The communication of a device that belongs to one group of ranks, or to one that is not named.
    Plane(i64, NameId),
    /// A layer of a thread, or of a device's stream.
    Track(TrackId),
    /// The Python layer of a thread, or the native one, where the producer has both on one track.
    Layer(TrackId, Layer),
    /// Launches on a stream that have not begun; the queue by its index among the reports.
    Queue(usize),
    /// Allocated, or reserved, memory of a device; without a device, of the host.
    Memory(Option<u32>, bool),
    /// A counter by its index.
    Counter(usize),
}

impl RowKind {
    /// Whether it shows slices of the trace.
    #[must_use]
    pub fn holds_slices(self) -> bool {
        matches!(self, Self::Track(_) | Self::Layer(..) | Self::Plane(..))
    }
}

/// A row of the timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimelineRow {
    /// Index of its rank.
    pub rank: usize,
    /// Its kind.
    pub kind: RowKind,
}

/// The contents of a row, to be prepared for drawing.
pub(super) enum Content {
    /// Lanes, and the lane of each of the row's slices.
    Lanes(Vec<Items>, LaneNumbers),
    /// A curve with the color of a class.
    Curve(Curve, &'static str),
}

/// Properties of a row that the page's layout needs before the row is prepared.
#[derive(Debug, Default)]
pub(super) struct Outline {
    /// The lanes of the row's spans; no lanes for a curve.
    pub(super) numbers: LaneNumbers,
    /// The slices of a plane or of a layer, by start; empty for a track, which has all of its own.
    pub(super) slices: Vec<u32>,
}

/// The rows of a rank.
pub(super) fn rows_of(rank: &Rank) -> Vec<(RowKind, Outline)> {
    let (trace, analysis) = (&rank.trace, &rank.analysis);
    let mut kinds = Vec::new();
    let steps = steps(rank).map(|(span, _)| span);
    let steps = LaneNumbers::of_spans(steps);
    if steps.count > 0 {
        kinds.push((RowKind::Steps, Outline { numbers: steps, ..Outline::default() }));
    }
    let curve = |kind: RowKind| (kind, Outline::default());
    let track_row = |track: &usize| {
        let numbers = LaneNumbers::of_track(trace, trace.tracks[*track].rows());
        (RowKind::Track(TrackId::from_index(*track)), Outline { numbers, ..Outline::default() })
    };
    let used = trace.tracks.iter().enumerate().filter(|(_, track)| !track.rows().is_empty());
    let (mut on_devices, mut on_hosts): (Vec<usize>, Vec<usize>) =
        used.map(|(index, _)| index).partition(|index| trace.tracks[*index].stream.is_some());
    let of = |index: &usize| &trace.tracks[*index];
    on_devices.compact_sort_by_key(|index| (of(index).stream, of(index).layer));
    let mut devices: Vec<i64> = on_devices.iter().filter_map(|index| Some(of(index).stream?.device)).collect();
    let with_memory: BTreeSet<i64> = trace.memory.iter().filter_map(MemoryEvent::on_device).map(i64::from).collect();
    devices.extend(with_memory);
    devices.compact_sort();
    devices.dedup();
    let memory = memory_rows(rank);
    let mut planes = planes(trace).into_iter().peekable();
    let spans = idle_spans(&analysis.steps, &analysis.devices);
    for device in &devices {
        let place = analysis.devices.iter().position(|report| report.time.device == *device);
        if let Some(place) = place {
            let outline = || Outline { numbers: LaneNumbers::one(), ..Outline::default() };
            kinds.push((RowKind::Doing(place), outline()));
            let there =
                OverlapPart::ALL.into_iter().filter(|part| part.is_there(&analysis.devices[place].time, &spans[place]));
            kinds.extend(there.map(|part| (RowKind::Overlap(place, part), outline())));
        }
        while let Some(((_, group), slices)) = planes.next_if(|((on, _), _)| on == device) {
            let spans = slices.iter().map(|slice| trace.slices.interval(EventId(*slice)));
            let numbers = LaneNumbers::of_spans(spans);
            kinds.push((RowKind::Plane(*device, group), Outline { numbers, slices }));
        }
        let first = on_devices.partition_point(|index| of(index).stream.is_some_and(|on| on.device < *device));
        let of_device =
            on_devices[first..].iter().take_while(|index| of(index).stream.is_some_and(|on| on.device == *device));
        let of_device = &on_devices[first..first + of_device.count()];
        for tracks in of_device.chunk_by(|a, b| of(a).stream == of(b).stream) {
            kinds.extend(tracks.iter().map(track_row));
            let queue = of(&tracks[0])
                .stream
                .and_then(|stream| analysis.queues.binary_search_by_key(&stream, |queue| queue.stream).ok());
            kinds.extend(queue.map(RowKind::Queue).map(curve));
        }
        if let Some(place) = place {
            let parts = [OverlapPart::Compute, OverlapPart::ExposedCommunication].into_iter();
            let there = parts.filter(|part| part.is_there(&analysis.devices[place].time, &spans[place]));
            kinds.extend(there.map(|part| curve(RowKind::Share(place, part))));
        }
        let of_device = memory.iter().filter(|(on, _)| on.map(i64::from) == Some(*device));
        kinds.extend(of_device.map(|(on, reserved)| curve(RowKind::Memory(*on, *reserved))));
    }
    // Tracks of a thread are adjacent: functions of Python are above their calls.
    let same_thread = |a: &usize, b: &usize| (of(a).process, of(a).thread) == (of(b).process, of(b).thread);
    for tracks in on_hosts.chunk_by_mut(same_thread) {
        tracks.compact_sort_by_key(|index| of(index).layer != Layer::Python);
    }
    let mut counters: Vec<Vec<usize>> = vec![Vec::new(); trace.processes.len()];
    for (place, counter) in trace.counters.iter().enumerate().filter(|(_, counter)| !counter.samples.is_empty()) {
        counters[counter.process.index()].push(place);
    }
    // Tracks come in the order of their processes, as users expect; processes with only counters come last.
    let python = PythonLayer::of(trace);
    for tracks in on_hosts.chunk_by(|a, b| of(a).process == of(b).process) {
        kinds.extend(tracks.iter().flat_map(|track| {
            let layers = layers_of(trace, python.as_ref(), *track);
            if layers.is_empty() { vec![track_row(track)] } else { layers }
        }));
        let own = std::mem::take(&mut counters[of(&tracks[0]).process.index()]);
        kinds.extend(own.into_iter().map(|place| curve(RowKind::Counter(place))));
    }
    kinds.extend(counters.into_iter().flatten().map(|place| curve(RowKind::Counter(place))));
    let rest = memory.iter().filter(|(on, _)| on.is_none_or(|device| !devices.contains(&i64::from(device))));
    kinds.extend(rest.map(|(on, reserved)| curve(RowKind::Memory(*on, *reserved))));
    kinds
}

/// The rows of a thread's two layers, Python above its calls; none for a track with only one of them.
fn layers_of(trace: &Trace, python: Option<&PythonLayer>, track: usize) -> Vec<(RowKind, Outline)> {
    let Some(python) = python else { return Vec::new() };
    let (above, below): (Vec<EventId>, Vec<EventId>) =
        trace.tracks[track].events().partition(|event| python.has(trace, *event));
    if above.is_empty() || below.is_empty() {
        return Vec::new();
    }
    let row = |(layer, events): (Layer, Vec<EventId>)| {
        let numbers = LaneNumbers::of_spans(events.iter().map(|event| trace.slices.interval(*event)));
        let slices = events.into_iter().map(|event| event.0).collect();
        (RowKind::Layer(TrackId::from_index(track), layer), Outline { numbers, slices })
    };
    [(Layer::Python, above), (Layer::Host, below)].into_iter().map(row).collect()
}

/// Devices or the host with recorded memory, and whether it is the reserved one.
fn memory_rows(rank: &Rank) -> Vec<(Option<u32>, bool)> {
    let mut found: Vec<(Option<u32>, bool)> = Vec::new();
    for event in &rank.trace.memory {
        for (reserved, known) in [(false, event.known_allocated()), (true, event.known_reserved())] {
            let row = (event.on_device(), reserved);
            if known.is_some_and(|bytes| bytes != 0) && !found.contains(&row) {
                found.push(row);
            }
        }
    }
    // Reserved memory of less than what is allocated is not known.
    found.retain(|(on, reserved)| !reserved || has_reserved_memory(&rank.trace, *on));
    found.compact_sort();
    found
}

/// The span of each step, with its index; steps without length are left out.
fn steps(rank: &Rank) -> impl Iterator<Item = (Interval, usize)> {
    let steps = rank.analysis.steps.steps.iter().enumerate();
    steps.map(|(number, step)| (step.span, number)).filter(|(span, _)| !span.is_empty())
}

/// The idle time of a device, by its index among the reports.
fn spans_of(rank: &Rank, place: usize) -> IdleSpans {
    let device = rank.analysis.devices.get(place).map_or(&[][..], std::slice::from_ref);
    idle_spans(&rank.analysis.steps, device).pop().unwrap_or_default()
}

fn overlap(rank: &Rank, place: usize, part: OverlapPart) -> IntervalSet {
    let report = &rank.analysis.devices[place];
    let sets = &report.sets;
    match part {
        OverlapPart::Compute => sets.compute.clone(),
        OverlapPart::Communication => sets.communication.clone(),
        OverlapPart::ExposedCommunication => sets.communication.difference(&sets.compute),
        OverlapPart::Copies => sets.memcpy.union(&sets.memset),
        OverlapPart::Idle => spans_of(rank, place).idle,
        OverlapPart::BeforeFirst => IntervalSet::of(spans_of(rank, place).before_first),
    }
}

/// The communication of each device by group, in the order of the devices and the groups' names.
fn planes(trace: &Trace) -> Vec<((i64, NameId), Vec<u32>)> {
    let mut slices: HashMap<(i64, NameId), Vec<u32>, FxBuildHasher> = HashMap::default();
    for activity in trace.activities.iter().filter(|activity| activity.communication) {
        if let Some(Stream { device, .. }) = trace.stream_of(activity.event) {
            let group = trace.collective(activity.event).map_or(NameId::NONE, |collective| collective.group);
            slices.entry((device, group)).or_default().push(activity.event.0);
        }
    }
    let mut planes: Vec<((i64, NameId), Vec<u32>)> = slices.into_iter().collect();
    planes.compact_sort_by_key(|((device, group), _)| (*device, trace.strings.get(*group)));
    for (_, slices) in &mut planes {
        slices.compact_sort_by_key(|slice| trace.slices.start(EventId(*slice)));
    }
    planes
}

/// The group of ranks whose communication is all that a track has; the empty name if the group is not named.
#[must_use]
pub fn only_group(trace: &Trace, track: &Track) -> Option<NameId> {
    let group_of = |event: EventId| {
        let is_communication = trace.activity(event)?.communication;
        let group = trace.collective(event).map_or(NameId::NONE, |collective| collective.group);
        is_communication.then_some(group)
    };
    let mut groups = track.events().map(group_of);
    let first = groups.next()??;
    groups.all(|group| group == Some(first)).then_some(first)
}

/// The contents of a rank's row.
pub(super) fn content(rank: &Rank, kind: RowKind, outline: Outline) -> Content {
    let (trace, analysis) = (&rank.trace, &rank.analysis);
    let Outline { numbers, slices } = outline;
    match kind {
        RowKind::Steps => computed(steps(rank), numbers, &["annotation"]),
        RowKind::Doing(place) => {
            let device = &analysis.devices[place];
            let spans = vec![Items::Computed(doing_in_steps(device, &spans_of(rank, place)), &DOING)];
            Content::Lanes(spans, numbers)
        }
        RowKind::Overlap(place, part) => {
            let set = overlap(rank, place, part);
            let spans = set.intervals().iter().enumerate().map(|(number, span)| (*span, number));
            computed(spans, numbers, part.class())
        }
        RowKind::Share(place, part) => {
            let window = analysis.devices[place].window;
            let curve = Curve::of(shares(&overlap(rank, place, part), window), Some(window.end));
            Content::Curve(curve.up_to(1.0), part.class().first().copied().unwrap_or_default())
        }
        RowKind::Plane(..) | RowKind::Layer(..) => {
            let lanes = spread(slices, &numbers).into_iter().map(Items::Slices);
            Content::Lanes(lanes.collect(), numbers)
        }
        RowKind::Track(track) => {
            let rows = trace.tracks[track.index()].rows();
            Content::Lanes(lanes_of_track(trace, rows, &numbers), numbers)
        }
        RowKind::Queue(place) => {
            let waiting = &analysis.queues[place].waiting;
            #[expect(clippy::cast_precision_loss, reason = "a curve")]
            let values = waiting.curve.iter().map(|(at, length)| (*at, *length as f64));
            Content::Curve(Curve::of(values, Some(waiting.window.end)), "runtime")
        }
        RowKind::Memory(device, reserved) => {
            let level = |point: MemoryPoint| {
                let known = if reserved { point.reserved } else { Some(point.allocated) };
                #[expect(clippy::cast_precision_loss, reason = "a curve")]
                known.map(|bytes| (point.at, bytes as f64))
            };
            let levels = memory_points(trace, device).into_iter().filter_map(level);
            Content::Curve(Curve::of(levels, None), if reserved { "memset" } else { "memcpy" })
        }
        RowKind::Counter(place) => {
            let samples = trace.counters[place].samples.iter();
            Content::Curve(Curve::of(samples.map(|sample| (sample.at, sample.value)), None), "cpu")
        }
    }
}

/// Length of the slots for which a row shows shares.
pub(super) fn slot(rank: &Rank, kind: RowKind) -> Option<Nanos> {
    let RowKind::Share(place, _) = kind else { return None };
    rank.analysis.devices.get(place).map(|device| slot_of(device.window))
}

/// Spans that were computed, by start.
fn computed(
    spans: impl Iterator<Item = (Interval, usize)>,
    numbers: LaneNumbers,
    classes: &'static [&'static str],
) -> Content {
    let spans = spans.map(|(span, number)| (span, u32::try_from(number).unwrap_or(u32::MAX)));
    let lanes = spread(spans.collect(), &numbers).into_iter().map(|spans| Items::Computed(spans, classes));
    Content::Lanes(lanes.collect(), numbers)
}

fn spread<T>(items: Vec<T>, numbers: &LaneNumbers) -> Vec<Vec<T>> {
    if numbers.count == 1 {
        return vec![items];
    }
    let mut lanes: Vec<Vec<T>> = (0..numbers.count).map(|_| Vec::new()).collect();
    for (place, item) in items.into_iter().enumerate() {
        lanes[numbers.at(place).unwrap_or(0)].push(item);
    }
    lanes
}

/// The end of the last event of a rank.
pub(super) fn end_of(rank: &Rank) -> Nanos {
    let trace = &rank.trace;
    let samples = trace.counters.iter().filter_map(|counter| Some(counter.samples.last()?.at)).max();
    let memory = trace.memory.last().map(|event| event.at);
    let marks = trace.instants.last().map(|mark| mark.at);
    [trace.slices.latest_end(), samples, memory, marks].into_iter().flatten().fold(Nanos::ZERO, Nanos::max)
}
