//! Why devices idle: launches, queues, idle time, gaps.

use stepscope::analyze::{HostActivity, IdleClass, IdleTimes, LaunchSum, mean};
use stepscope::present::text::{count, duration};
use stepscope::{Nanos, Rank};

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
            duration(mean(sum.delay, sum.calls)),
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

pub(super) fn idle(rank: &Rank) -> Grid {
    let classes = IDLE.iter().map(|class| class.name().replace('_', "\n"));
    let hosts = HostActivity::ALL.iter().map(|activity| format!("host:\n{}", activity.name().replace('_', " ")));
    let heads = ["", "window", "busy"].into_iter().map(str::to_owned).chain(classes).chain(hosts);
    let row = |name: String, times: &IdleTimes| {
        let of_window = |time: Nanos| with_share(time, time.ratio_of(times.window));
        let classes = IDLE.iter().map(|class| of_window(times.classes[*class as usize]));
        let hosts = times.host.iter().map(|time| with_share(*time, time.ratio_of(times.window)));
        [name, duration(times.window), of_window(times.busy)].into_iter().chain(classes).chain(hosts).collect()
    };
    let mut rows = Vec::new();
    for device in &rank.analysis.idle {
        rows.push(row(format!("device {}", device.device), &device.times));
        if device.streams.len() > 1 {
            let streams = device.streams.iter();
            rows.extend(streams.map(|(stream, times)| row(format!("  stream {}", stream.stream), times)));
        }
    }
    Grid::new("Idle time, of the window", heads, rows)
}

pub(super) fn gaps(rank: &Rank) -> Grid {
    let heads = ["the host meanwhile", "device", "from", "length", "why", "until"];
    let trace = &rank.trace;
    let rows = rank.analysis.idle.iter().flat_map(|device| {
        device.longest.iter().map(|listed| {
            let host = listed.host.map(|host| {
                let doing = host.activity.name().replace('_', " ");
                host.slice.map_or_else(|| doing.clone(), |id| format!("{doing}: {}", trace.name_of(id)))
            });
            vec![
                host.unwrap_or_else(|| "–".to_owned()),
                device.device.to_string(),
                duration(listed.gap.span.start),
                duration(listed.gap.span.len()),
                listed.gap.class.name().replace('_', " "),
                shortened(&printable(trace.name_of(listed.gap.after)), ACTIVITY),
            ]
        })
    });
    Grid::new("Longest gaps of the devices", heads, rows)
}
