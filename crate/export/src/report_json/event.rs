//! Everything about one event, for its pane; and a collective on all ranks.

use schemars::JsonSchema;
use serde::Serialize;

use super::event_facts::EventFactsReport;
use super::times::StatisticsReport;
use stepscope_analyze::PerStep;
use stepscope_analyze::Rank;
use stepscope_analyze::{
    DrawnFlow, EventConfig, EventDetail, Link, OperatorsConfig, QueuePlace, event_detail, is_collective,
};
use stepscope_trace::{Class, EventId, Trace};

/// A reference to an event.
#[derive(Debug, JsonSchema, Serialize)]
struct EventRefReport {
    slice: u32,
    name: String,
    class: &'static str,
    start_ns: i64,
    length_ns: i64,
}

impl EventRefReport {
    fn of(trace: &Trace, event: EventId) -> Self {
        Self {
            slice: event.0,
            name: trace.name_of(event).to_owned(),
            class: trace.slices.class(event).name(),
            start_ns: trace.slices.start(event).0,
            length_ns: trace.slices.length(event).0,
        }
    }

    fn list(trace: &Trace, events: &[EventId]) -> Vec<Self> {
        events.iter().map(|event| Self::of(trace, *event)).collect()
    }
}

/// An event: its location, facts, links, and statistics of its name.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct EventReport {
    #[serde(flatten)]
    event: EventRefReport,
    category: String,
    process: String,
    thread: String,
    layer: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    device: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream: Option<i64>,
    self_ns: i64,
    /// The step's name.
    step: Option<String>,
    /// The event's length as a part of the step's; absent if it is longer.
    #[serde(skip_serializing_if = "Option::is_none")]
    share_of_step: Option<f64>,
    depth: u16,
    parent: Option<EventRefReport>,
    children: u64,
    first_children: Vec<EventRefReport>,
    facts: EventFactsReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    delay_ns: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ahead: Option<u64>,
    stack: EventStackReport,
    links: Vec<EventLinkReport>,
    flows: Vec<EventFlowReport>,
    flow_count: u64,
    same: EventSameReport,
    /// Whether it is a collective, which other ranks may share.
    is_collective: bool,
}

impl EventReport {
    /// The event with that number; none if there is none.
    pub(super) fn of(rank: &Rank, event: u32) -> Option<Self> {
        let trace = &rank.trace;
        let found = event_detail(trace, &rank.analysis, EventId(event), EventConfig::standard())?;
        let event = found.event;
        let track = &trace.tracks[trace.slices.track(event).index()];
        let step = found.step.and_then(|step| rank.analysis.steps.steps.get(step));
        let share_of_step = step.and_then(|step| trace.slices.length(event).ratio_of(step.span.len()));
        Some(Self {
            event: EventRefReport::of(trace, event),
            category: trace.category_of(event).to_owned(),
            process: trace.process_label(track.process),
            thread: trace.thread_label(track),
            layer: track.layer.name(),
            device: track.stream.map(|stream| stream.device),
            stream: track.stream.map(|stream| stream.stream),
            self_ns: found.own.0,
            step: step.map(|step| step.name.clone()),
            share_of_step: share_of_step.filter(|share| *share <= 1.0),
            depth: trace.slices.depth(event),
            parent: trace.slices.parent(event).map(|parent| EventRefReport::of(trace, parent)),
            children: found.children,
            first_children: EventRefReport::list(trace, &found.first_children),
            facts: EventFactsReport::of(trace, &found),
            delay_ns: found.queued.map(|queued: QueuePlace| queued.delay.0),
            ahead: found.queued.map(|queued| queued.ahead),
            stack: EventStackReport::of(trace, &found),
            links: found.links.iter().map(|link| EventLinkReport::of(trace, link)).collect(),
            flows: found.flows.iter().map(EventFlowReport::of).collect(),
            flow_count: found.flow_count,
            same: EventSameReport::of(rank, &found),
            is_collective: is_collective(trace, event),
        })
    }
}

#[derive(Debug, JsonSchema, Serialize)]
struct EventStackReport {
    /// The event that the stack belongs to, if another one.
    of: Option<EventRefReport>,
    text: String,
    frames: Vec<EventRefReport>,
}

impl EventStackReport {
    fn of(trace: &Trace, found: &EventDetail) -> Self {
        let of = found.stack.of.get().filter(|of| *of != found.event);
        Self {
            of: of.map(|of| EventRefReport::of(trace, of)),
            text: trace.strings.get(found.stack.text).to_owned(),
            frames: EventRefReport::list(trace, &found.stack.frames),
        }
    }
}

#[derive(Debug, JsonSchema, Serialize)]
struct EventLinkReport {
    kind: &'static str,
    /// The name of the flow in the file.
    #[serde(skip_serializing_if = "String::is_empty")]
    flow: String,
    count: u64,
    first: Vec<EventRefReport>,
}

impl EventLinkReport {
    fn of(trace: &Trace, link: &Link) -> Self {
        Self {
            kind: link.kind.name(),
            flow: trace.strings.get(link.flow).to_owned(),
            count: link.count,
            first: EventRefReport::list(trace, &link.first),
        }
    }
}

#[derive(Debug, JsonSchema, Serialize)]
struct EventFlowReport {
    kind: &'static str,
    from: u32,
    to: u32,
}

impl EventFlowReport {
    fn of(flow: &DrawnFlow) -> Self {
        Self { kind: flow.kind.name(), from: flow.from.0, to: flow.to.0 }
    }
}

/// Statistics of all slices with the event's name, and its rank among them.
#[derive(Debug, JsonSchema, Serialize)]
struct EventSameReport {
    #[serde(flatten)]
    times: StatisticsReport,
    /// Rank by length: 1 is the slowest; equal lengths share a rank.
    place: u64,
    previous: Option<u32>,
    next: Option<u32>,
    /// The page's table that has this name.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    host_self_ns: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    device_total_ns: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    device_self_ns: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    share_of_kernel_time: Option<f64>,
}

impl EventSameReport {
    fn of(rank: &Rank, found: &EventDetail) -> Self {
        let (trace, analysis) = (&rank.trace, &rank.analysis);
        let (name, class) = (trace.slices.name(found.event), trace.slices.class(found.event));
        let mut report = Self {
            times: StatisticsReport::of(&found.same.times, PerStep::WHOLE),
            place: found.same.longer + 1,
            previous: found.same.previous.get().map(|event| event.0),
            next: found.same.next.get().map(|event| event.0),
            table: None,
            host_self_ns: None,
            device_total_ns: None,
            device_self_ns: None,
            share_of_kernel_time: None,
        };
        match class {
            Class::Kernel => {
                let communication = trace.activity(found.event).is_some_and(|activity| activity.communication);
                let row = analysis.kernels.iter().find(|row| (row.name, row.communication) == (name, communication));
                report.table = row.map(|_| "kernels");
                report.share_of_kernel_time = row.map(|row| row.share);
            }
            Class::Memcpy | Class::Memset => {
                let row = analysis.copies.iter().find(|row| (row.name, row.class) == (name, class));
                report.table = row.map(|_| "copies");
            }
            _ if analysis.operators_config == OperatorsConfig::standard() => {
                let name = trace.strings.get(name);
                let row = analysis.operators.rows.iter().find(|row| row.class == class && row.name == name);
                report.table = row.map(|_| "operators");
                report.host_self_ns = row.map(|row| row.host_self.0);
                report.device_total_ns = row.map(|row| row.device_total.0);
                report.device_self_ns = row.map(|row| row.device_self.0);
            }
            _ => {}
        }
        report
    }
}
