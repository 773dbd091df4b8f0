//! Why devices idle: launches, queues, idle time, gaps.

use stepscope::analyze::{
    EdgeSide, HostActivity, HostInGap, IdleClass, IdleLeaf, IdleTimes, LaunchSum, LeafTimes, mean,
};
use stepscope::present::text::{UNKNOWN_AT_START, count, duration};
use stepscope::{Interval, Nanos, Rank};

use super::with_share;
use crate::grid::{Grid, printable, shortened};

/// Columns of the activity that ends a gap.
const ACTIVITY: usize = 30;

pub(super) fn launches(rank: &Rank) -> Grid {
    let launches = &rank.analysis.launches;
    let heads = [
        "launching call".to_owned(),
        "calls".to_owned(),
        "launched".to_owned(),
        "host\ntotal".to_owned(),
        "host\nmean".to_owned(),
        "host\nmax".to_owned(),
        "device\ntotal".to_owned(),
        "delay\nmean".to_owned(),
        "delay\nmax".to_owned(),
        "device\n< host".to_owned(),
        format!("host\n> {}", round(launches.config.slow)),
        format!("delay\n> {}", round(launches.config.late)),
    ];
    let row = |name: &str, sum: &LaunchSum| {
        vec![
            name.to_owned(),
            count(sum.calls),
            count(sum.activities),
            duration(sum.cpu),
            duration(mean(sum.cpu, sum.calls)),
            duration(sum.cpu_max),
            duration(sum.gpu),
            duration(sum.delay_mean()),
            duration(sum.delay_max),
            count(sum.short),
            count(sum.slow),
            count(sum.late),
        ]
    };
    let all = (launches.names.len() > 1).then(|| row("(all)", &launches.total));
    let names = launches.names.iter().map(|(name, sum)| row(rank.trace.strings.get(*name), sum));
    Grid::new("Launches", heads, all.into_iter().chain(names))
}

/// A threshold without the digits that say nothing: `50 µs`.
fn round(threshold: Nanos) -> String {
    [".000 ", ".00 ", ".0 "].iter().fold(duration(threshold), |text, zeros| text.replace(zeros, " "))
}

pub(super) fn queues(rank: &Rank) -> Grid {
    let heads =
        ["stream", "calls", "waiting\nmean", "waiting\nmax", "in flight\nmean", "in flight\nmax", "blocked", "of"];
    let mean = |mean: Option<f64>| mean.map_or_else(|| "–".to_owned(), |mean| format!("{mean:.2}"));
    let rows = rank.analysis.queues.iter().map(|queue| {
        vec![
            format!("device {} stream {}", queue.stream.device, queue.stream.stream),
            count(queue.calls),
            mean(queue.waiting.mean),
            count(queue.waiting.max),
            mean(queue.in_flight.mean),
            count(queue.in_flight.max),
            duration(queue.blocked),
            duration(queue.waiting.window.len()),
        ]
    });
    Grid::new("Queues", heads, rows)
}

/// Classes as a person asks: is it the host, and if so, what does it do?
const IDLE: [IdleClass; 4] = [IdleClass::HostWait, IdleClass::KernelWait, IdleClass::Other, IdleClass::Unknown];

/// The steps' time outside of a device's window; in the first of these the device may run work from before the
/// recording.
const EDGES: [&str; 3] = ["device state\nunknown at start", "idle before\nthe window", "idle after\nthe window"];

pub(super) fn idle(rank: &Rank) -> Grid {
    let classes = IDLE.iter().map(|class| class.name().replace('_', "\n"));
    let hosts = HostActivity::ALL.iter().map(|activity| format!("host:\n{}", activity.name().replace('_', " ")));
    let heads = ["", "window", "busy"].into_iter().map(str::to_owned).chain(classes).chain(hosts);
    let devices = &rank.analysis.idle;
    // Outside of the window; most traces have nothing there.
    let has_edges = devices.iter().any(|device| device.before_first + device.lead_in + device.lead_out > Nanos::ZERO);
    let edges = if has_edges { &EDGES[..] } else { &[] };
    let heads = heads.chain(edges.iter().map(|head| (*head).to_owned()));
    let row = |name: String, times: &IdleTimes, edges: Option<[Nanos; 3]>| {
        let of_window = |time: Nanos| with_share(time, time.ratio_of(times.window));
        let classes = IDLE.iter().map(|class| of_window(times.classes[*class as usize]));
        let hosts = times.host.iter().map(|time| with_share(*time, time.ratio_of(times.window)));
        let edges = edges.map_or_else(|| [const { String::new() }; 3], |edges| edges.map(duration));
        let edges = edges.into_iter().filter(|_| has_edges);
        [name, duration(times.window), of_window(times.busy)]
            .into_iter()
            .chain(classes)
            .chain(hosts)
            .chain(edges)
            .collect()
    };
    let mut rows = Vec::new();
    for device in devices {
        let edges = [device.before_first, device.lead_in, device.lead_out];
        rows.push(row(format!("device {}", device.device), &device.times, Some(edges)));
        if device.streams.len() > 1 {
            let streams = device.streams.iter();
            rows.extend(streams.map(|(stream, times)| row(format!("  stream {}", stream.stream), times, None)));
        }
    }
    Grid::new("Idle time, of the window", heads, rows)
}

/// What each device's idle time is spent on, those without any left out.
pub(super) fn leaves(rank: &Rank) -> Grid {
    let devices = &rank.analysis.idle;
    let heads = devices.iter().map(|device| format!("device {}", device.device));
    let of = |times: &LeafTimes, leaf: IdleLeaf| times[leaf as usize];
    let some = |leaf: &IdleLeaf| devices.iter().any(|device| of(&device.times.leaves, *leaf) > Nanos::ZERO);
    let rows = IdleLeaf::ALL.into_iter().filter(some).map(|leaf| {
        let share = |times: &IdleTimes| {
            let time = of(&times.leaves, leaf);
            with_share(time, time.ratio_of(times.window))
        };
        let cells = devices.iter().map(|device| share(&device.times));
        std::iter::once(leaf.name().replace('_', " ")).chain(cells).collect()
    });
    Grid::new("Idle time by cause, of the window", std::iter::once(String::new()).chain(heads), rows)
}

pub(super) fn gaps(rank: &Rank) -> Grid {
    let heads = ["the host meanwhile", "device", "from", "length", "why", "until"];
    let trace = &rank.trace;
    let doing = |host: &Option<HostInGap>| {
        let Some(host) = host else { return "–".to_owned() };
        let doing = host.activity.name().replace('_', " ");
        host.slice.map_or_else(|| doing.clone(), |id| format!("{doing}: {}", trace.name_of(id)))
    };
    let activity = |id| shortened(&printable(trace.name_of(id)), ACTIVITY);
    let rows = rank.analysis.idle.iter().flat_map(|device| {
        let row = |host: &Option<HostInGap>, span: Interval, why: String, until: String| {
            vec![doing(host), device.device.to_string(), duration(span.start), duration(span.len()), why, until]
        };
        let edges = device.edges.iter().map(|edge| {
            let (why, until) = match edge.side {
                EdgeSide::BeforeFirst => (UNKNOWN_AT_START, activity(edge.activity)),
                EdgeSide::LeadIn => ("a step, before the device's first activity", activity(edge.activity)),
                EdgeSide::LeadOut => ("a step, after the device's last activity", "end of the step".to_owned()),
            };
            row(&edge.host, edge.span, why.to_owned(), until)
        });
        let gaps = device.longest.iter().map(|listed| {
            let why = format!("{}: {}", listed.gap.class.name(), listed.cause().name()).replace('_', " ");
            row(&listed.host, listed.gap.span, why, activity(listed.gap.after))
        });
        edges.chain(gaps).collect::<Vec<_>>()
    });
    Grid::new("Longest gaps of the devices", heads, rows)
}
