//! Results of the analyses as lanes: the steps, their step trace, and per device the Overlap Analysis.

use std::{io, vec};

use super::config::{GraphChoice, Level};
use super::rows::Rows;
use super::step_trace::{PlacedStep, StepTraceCursor};
use super::text::Out;
use super::thread_ids::ThreadIds;
use stepscope_analyze::{DeviceReport, IntervalSet, Phase, Rank, TimeCategory, idle_spans};
use stepscope_base::{Interval, Nanos};

/// The category of computed events of this tool; they are skipped when an export is read back.
pub(super) const CATEGORY: &str = "stepscope";

/// The time before a device's first recorded activity: it may run work from before the recording.
const BEFORE_FIRST: &str = "device state unknown at start";

/// Progress of writing a rank's computed lanes.
#[derive(Debug)]
pub(super) struct Computed {
    process: u32,
    level: Level,
    is_part: bool,
    graphs: GraphChoice,
    stage: Stage,
}

/// The part that is being written.
#[derive(Debug)]
enum Stage {
    /// Steps from an index on.
    Steps(usize, GraphLanes),
    /// The parts of the steps.
    StepTrace(StepTraceCursor, GraphLanes),
    /// Lanes of a device's activity: the one that is being written, and the remaining ones.
    Lanes {
        device: usize,
        begun: Option<Begun>,
        waiting: vec::IntoIter<(&'static str, IntervalSet)>,
    },
    /// A device by its index.
    Device(usize),
    /// Counters over the steps, from an index on.
    Curves(usize),
    Done,
}

/// The lanes that exist: one of each graph, or one of all.
#[derive(Debug)]
struct GraphLanes {
    title: &'static str,
    lanes: Vec<(Option<u64>, ThreadIds)>,
}

/// A lane that is being written, from an interval on.
#[derive(Debug)]
struct Begun {
    name: &'static str,
    set: IntervalSet,
    place: ThreadIds,
    at: usize,
}

impl Computed {
    /// Begins a rank. A summary also has counters over the steps. With some tracks only, just the steps are written:
    /// a device's lanes sum up all of its streams.
    pub(super) fn begin(
        out: &mut Out<'_>,
        rows: &mut Rows,
        rank: &Rank,
        (level, is_part): (Level, bool),
        graphs: GraphChoice,
    ) -> io::Result<Self> {
        let prefix = rank.rank.map_or_else(String::new, |rank| format!("rank {rank} "));
        let process = rows.process(out, &format!("{prefix}Stepscope"), 1)?;
        Ok(Self { process, level, is_part, graphs, stage: Stage::Steps(0, GraphLanes::of("Steps")) })
    }

    /// Writes until `out` has `most` bytes; returns whether all is written.
    pub(super) fn go_on(&mut self, out: &mut Out<'_>, rows: &mut Rows, rank: &Rank, most: usize) -> io::Result<bool> {
        let analysis = &rank.analysis;
        while out.sent() < most {
            let next = match &mut self.stage {
                Stage::Steps(at, lanes) if *at < analysis.steps.steps.len() => {
                    if self.graphs.has(analysis.steps.steps[*at].graph) {
                        step(out, rows, rank, (self.process, *at), (self.graphs.apart, lanes))?;
                    }
                    *at += 1;
                    continue;
                }
                Stage::Steps(..) => {
                    if self.is_part {
                        Stage::Done
                    } else {
                        Stage::StepTrace(StepTraceCursor::new(), GraphLanes::of("Step trace"))
                    }
                }
                Stage::StepTrace(parts, lanes) => match parts.next(&rank.trace, analysis) {
                    Some(found) => {
                        if self.graphs.has(found.step.graph) {
                            step_parts(out, rows, &found, (self.process, self.graphs.apart), lanes)?;
                        }
                        continue;
                    }
                    None => Stage::Device(0),
                },
                Stage::Device(device) => match analysis.devices.get(*device) {
                    Some(found) => {
                        let spans = idle_spans(&analysis.steps, std::slice::from_ref(found));
                        let before_first = spans.first().and_then(|spans| spans.before_first);
                        let waiting = lanes(out, found, before_first).into_iter();
                        Stage::Lanes { device: *device, begun: None, waiting }
                    }
                    None => Stage::Curves(if self.level == Level::Summary { 0 } else { usize::MAX }),
                },
                Stage::Lanes { begun: Some(begun), waiting, device } => match begun.set.intervals().get(begun.at) {
                    Some(interval) => {
                        begun.at += 1;
                        begin(out, begun.name, begun.place, *interval);
                        out.end()?;
                        continue;
                    }
                    None => Stage::Lanes { device: *device, begun: None, waiting: std::mem::take(waiting) },
                },
                Stage::Lanes { begun: None, waiting, device } => match waiting.next() {
                    Some((name, set)) => {
                        let title = format!("device {}: {name}", analysis.devices[*device].time.device);
                        let place = rows.lane(out, self.process, &title)?;
                        let begun = Some(Begun { name, set, place, at: 0 });
                        Stage::Lanes { device: *device, begun, waiting: std::mem::take(waiting) }
                    }
                    None => Stage::Device(*device + 1),
                },
                Stage::Curves(at) if *at < analysis.steps.steps.len() => {
                    if self.graphs.has(analysis.steps.steps[*at].graph) {
                        curves(out, rank, self.process, *at)?;
                    }
                    *at += 1;
                    continue;
                }
                Stage::Curves(_) => Stage::Done,
                Stage::Done => return Ok(true),
            };
            self.stage = next;
        }
        Ok(matches!(self.stage, Stage::Done))
    }
}

fn step(
    out: &mut Out<'_>,
    rows: &mut Rows,
    rank: &Rank,
    (process, index): (u32, usize),
    (apart, lanes): (bool, &mut GraphLanes),
) -> io::Result<()> {
    let analysis = &rank.analysis;
    let step = &analysis.steps.steps[index];
    let Some(inside) = out.cut(step.span).filter(|_| !step.span.is_empty()) else { return Ok(()) };
    let graph = step.graph.filter(|_| apart);
    let place = lanes.place(out, rows, process, graph)?;
    begin(out, &format!("step {}", step.name), place, inside);
    out.raw(",\"args\":{");
    out.clipped(step.span, true);
    out.raw("\"activities\":");
    out.number(step.activities);
    for (category, time) in TimeCategory::ALL.iter().zip(analysis.known_categories_of(index)) {
        out.raw(&format!(",\"{} (ns)\":{}", category.name(), time.0));
    }
    let early = analysis.time_before_first(index);
    if early > Nanos::ZERO {
        out.raw(&format!(",\"{BEFORE_FIRST} (ns)\":{}", early.0));
    }
    for (phase, time) in Phase::ALL.iter().zip(analysis.phases.steps[index]) {
        out.raw(&format!(",\"{} on the host (ns)\":{}", phase.name(), time.host.0));
        out.raw(&format!(",\"{} on the device (ns)\":{}", phase.name(), time.device.0));
    }
    match step {
        _ if step.partial => out.raw(",\"note\":\"partial\""),
        _ if step.warm_up => out.raw(",\"note\":\"warm-up\""),
        _ if step.captures => out.raw(",\"note\":\"captures a graph\""),
        _ => {}
    }
    out.raw("}");
    out.end()
}

/// The parts of a step of the step trace that are not empty.
fn step_parts(
    out: &mut Out<'_>,
    rows: &mut Rows,
    found: &PlacedStep<'_>,
    (process, apart): (u32, bool),
    lanes: &mut GraphLanes,
) -> io::Result<()> {
    for (name, span) in found.parts {
        let Some(inside) = out.cut(span).filter(|_| !span.is_empty()) else { continue };
        let place = lanes.place(out, rows, process, found.step.graph.filter(|_| apart))?;
        begin(out, name, place, inside);
        out.raw(",\"args\":{");
        out.clipped(span, true);
        out.raw("\"step\":");
        out.string(&found.step.name);
        out.raw("}");
        out.end()?;
    }
    Ok(())
}

impl GraphLanes {
    fn of(title: &'static str) -> Self {
        Self { title, lanes: Vec::new() }
    }

    /// The lane of a graph, or of all.
    fn place(&mut self, out: &mut Out<'_>, rows: &mut Rows, process: u32, graph: Option<u64>) -> io::Result<ThreadIds> {
        if let Some((_, place)) = self.lanes.iter().find(|(of, _)| *of == graph) {
            return Ok(*place);
        }
        let title = self.title;
        let name = graph.map_or_else(|| title.to_owned(), |graph| format!("{title} of graph {graph}"));
        let place = rows.lane(out, process, &name)?;
        self.lanes.push((graph, place));
        Ok(place)
    }
}

/// The non-empty lanes of a device's activity.
fn lanes(out: &Out<'_>, device: &DeviceReport, before_first: Option<Interval>) -> Vec<(&'static str, IntervalSet)> {
    // Results of a range of time are complete: nothing was cut.
    let (sets, window) = match out.span() {
        Some(span) => (&device.sets.clip(span), span),
        None => (&device.sets, device.window),
    };
    let before_first = IntervalSet::from_interval(before_first.unwrap_or_default());
    let before_first = out.span().map_or_else(|| before_first.clone(), |span| before_first.clip(span));
    let uncovered = device.uncovered.clip(window).difference(&sets.busy()).difference(&before_first);
    let window = IntervalSet::from_interval(window).difference(&before_first).difference(&uncovered);
    let either = sets.compute.union(&sets.communication);
    let mut lanes = vec![
        ("computation", sets.compute.clone()),
        ("communication", sets.communication.clone()),
        ("communication not overlapped", sets.communication.difference(&sets.compute)),
        ("free", window.difference(&either)),
        (BEFORE_FIRST, before_first),
        ("device activity not recorded", uncovered),
    ];
    if let Some(parts) = out.parts() {
        lanes.iter_mut().for_each(|(_, set)| *set = set.intersection(parts));
    }
    lanes.retain(|(_, set)| !set.is_empty());
    lanes
}

impl GraphChoice {
    /// Whether the steps of a graph are written.
    fn has(&self, graph: Option<u64>) -> bool {
        self.only.is_empty() || graph.is_some_and(|graph| self.only.contains(&graph))
    }
}

fn begin(out: &mut Out<'_>, name: &str, place: ThreadIds, span: Interval) {
    out.begin("X", name, place);
    out.category(CATEGORY);
    out.lasts(span);
    out.written.slices += 1;
}

/// A step's length, each category's time in it and the devices' busy share, as points of curves over the steps.
fn curves(out: &mut Out<'_>, rank: &Rank, process: u32, index: usize) -> io::Result<()> {
    let place = ThreadIds { process, thread: process };
    let analysis = &rank.analysis;
    let step = &analysis.steps.steps[index];
    let millis = |time: Nanos| format!("{}.{:06}", time.0 / 1_000_000, time.0 % 1_000_000);
    // The value that holds when the part begins is of the step that began before.
    let Some(at) = out.span().map_or(Some(step.span.start), |span| {
        let inside = step.span.intersection(span);
        (!inside.is_empty()).then_some(inside.start)
    }) else {
        return Ok(());
    };
    let mut sample = |name: &str, series: &str, value: String| {
        out.begin("C", name, place);
        out.category(CATEGORY);
        out.at(at);
        out.raw(",\"args\":{");
        out.string(series);
        out.raw(":");
        out.raw(&value);
        out.raw("}");
        out.written.samples += 1;
        out.end()
    };
    sample("step", "ms", millis(step.span.len()))?;
    for (category, time) in TimeCategory::ALL.iter().zip(analysis.known_categories_of(index)) {
        sample(category.name(), "ms", millis(time))?;
    }
    // Most traces have nothing there.
    if analysis.idle.iter().any(|device| device.before_first > Nanos::ZERO) {
        sample(BEFORE_FIRST, "ms", millis(analysis.time_before_first(index)))?;
    }
    for time in &analysis.step_devices[index] {
        let Some(share) = time.share(time.busy) else { continue };
        sample(&format!("device {} busy", time.device), "%", format!("{:.3}", share * 100.0))?;
    }
    Ok(())
}
