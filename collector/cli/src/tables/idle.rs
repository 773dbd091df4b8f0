//! Why devices idle: launches, queues, idle time, gaps.

use stepscope::analyze::{
    HostActivity, HostTimes, IdleClass, IdleInSteps, IdleLeaf, IdleTimeTable, IdleTimes, LaunchNameTable, LaunchSum,
    LeafTimes, QueueTable, StepChoice, idle_in_steps, mean,
};
use stepscope::present::text::{count, counted, duration};
use stepscope::table::Table;
use stepscope::{Nanos, Rank};

use super::advice::leaf_name;
use super::share::with_share;
use super::work::{titled_of, units};
use crate::grid::{Grid, Look};

/// Launching calls by name, then all together, with the thresholds.
pub(super) fn launches(rank: &Rank, look: Look, top: usize) -> String {
    let launches = &rank.analysis.launches;
    let table = Table::of::<LaunchNameTable>(&launches.names, &rank.trace);
    let grid = Grid::of(&titled_of("Launches", rank, StepChoice::Whole), &table, units(rank));
    let LaunchSum { calls, cpu, gpu, short, .. } = launches.total;
    if calls == 0 {
        return String::new();
    }
    let facts = [
        format!("all: {}", counted(calls, "call", "calls")),
        format!("host {} (mean {})", duration(cpu), duration(mean(cpu, calls))),
        format!("device {}", duration(gpu)),
        format!("short: device time shorter than the call ({})", count(short)),
        format!("slow: over {}", round(launches.config.slow)),
        format!("delayed: over {}", round(launches.config.late)),
    ];
    grid.to_text(look, top) + &look.line(&facts)
}

/// A threshold without meaningless digits: `50 µs`.
fn round(threshold: Nanos) -> String {
    [".000 ", ".00 ", ".0 "].iter().fold(duration(threshold), |text, zeros| text.replace(zeros, " "))
}

pub(super) fn queues(rank: &Rank) -> Grid {
    let table = Table::of::<QueueTable>(&rank.analysis.queues, &());
    Grid::of(&titled_of("Queues", rank, StepChoice::Whole), &table, units(rank))
}

/// Classes in the order of the questions: is it the host, and if so, what does it do?
const IDLE: [IdleClass; 4] = [IdleClass::HostWait, IdleClass::KernelWait, IdleClass::Other, IdleClass::Unknown];

/// Host activities while the device waits for a launch.
const HOST: [HostActivity; 8] = [
    HostActivity::DataLoading,
    HostActivity::Synchronization,
    HostActivity::Allocation,
    HostActivity::Launching,
    HostActivity::Operator,
    HostActivity::Python,
    HostActivity::Range,
    HostActivity::Unrecorded,
];

/// The steps' time outside of a device's window; in the first of these the device may run work from before the
/// recording.
const EDGES: [&str; 3] =
    ["device state\nunknown at start", "idle before the\nfirst activity", "idle after the\nlast activity"];

/// A row of idle times: of a device's or a stream's window, or of steps.
struct IdleRow {
    name: String,
    window: Nanos,
    busy: Nanos,
    classes: [Nanos; 4],
    host: HostTimes,
    uncovered: Nanos,
    /// Time outside of the window, or parts of steps; `None` for a stream.
    edges: Option<[Nanos; 3]>,
}

impl IdleRow {
    fn of(name: String, times: &IdleTimes, edges: Option<[Nanos; 3]>) -> Self {
        let IdleTimes { window, busy, classes, host, uncovered, .. } = *times;
        Self { name, window, busy, classes, host, uncovered, edges }
    }

    /// Per step.
    fn in_steps(found: &IdleInSteps) -> Self {
        let per = |sum: Nanos| mean(sum, found.divisor.max(1));
        Self {
            name: format!("device {}", found.device),
            window: per(found.window),
            busy: per(found.busy),
            classes: found.classes.map(per),
            host: found.host.map(per),
            uncovered: per(found.uncovered),
            edges: Some([found.before_first, found.lead_in, found.lead_out].map(per)),
        }
    }
}

/// Where the time of devices goes in steps, or in their windows with their streams.
pub(super) fn idle(rank: &Rank, choice: StepChoice) -> Grid {
    if let Some(found) = idle_in_steps(&rank.analysis, &rank.analysis.idle, choice) {
        let rows: Vec<IdleRow> = found.iter().map(IdleRow::in_steps).collect();
        return idle_grid(&titled_of("Idle time", rank, choice), "step", &rows);
    }
    let mut rows = Vec::new();
    for device in &rank.analysis.idle {
        let edges = [device.before_first, device.lead_in, device.lead_out];
        rows.push(IdleRow::of(format!("device {}", device.device), &device.times, Some(edges)));
        if device.streams.len() > 1 {
            let streams = device.streams.iter();
            rows.extend(streams.map(|(stream, times)| IdleRow::of(format!("  stream {}", stream.stream), times, None)));
        }
    }
    let title = titled_of("Idle time", rank, StepChoice::Whole);
    idle_grid(&format!("{title}, of the window"), "window", &rows)
}

fn idle_grid(title: &str, window: &str, rows: &[IdleRow]) -> Grid {
    let classes = IDLE.iter().map(|class| class.name().replace('_', "\n"));
    // Most traces have no time of ranges alone.
    let is_shown = |activity: &HostActivity| {
        *activity != HostActivity::Range || rows.iter().any(|row| row.host[*activity as usize] > Nanos::ZERO)
    };
    let shown: Vec<HostActivity> = HOST.into_iter().filter(is_shown).collect();
    let hosts = shown.iter().map(|activity| format!("host:\n{}", activity.name().replace('_', " ")));
    let late = |row: &IdleRow| row.host[HostActivity::StartLate as usize];
    let has_late = rows.iter().any(|row| late(row) > Nanos::ZERO);
    let late_head = has_late.then(|| "start late\nunexplained".to_owned());
    let heads = ["", window, "busy"].into_iter().map(str::to_owned).chain(classes).chain(late_head).chain(hosts);
    // Most traces have no such time.
    let has_edges = rows.iter().any(|row| row.edges.is_some_and(|edges| edges != [Nanos::ZERO; 3]));
    let has_uncovered = rows.iter().any(|row| row.uncovered > Nanos::ZERO);
    let edges = if has_edges { &EDGES[..] } else { &[] };
    let heads = heads.chain(has_uncovered.then(|| "device activity\nnot recorded".to_owned()));
    let heads = heads.chain(edges.iter().map(|head| (*head).to_owned()));
    let cells = |row: &IdleRow| {
        let of_window = |time: Nanos| with_share(time, time.ratio_of(row.window));
        // The host is late only until it has launched.
        let of_class = |class: IdleClass| {
            let others = if class == IdleClass::HostWait { late(row) } else { Nanos::ZERO };
            of_window(row.classes[class as usize] - others)
        };
        let classes = IDLE.iter().map(|class| of_class(*class));
        let late = has_late.then(|| of_window(late(row)));
        let hosts = shown.iter().map(|activity| of_window(row.host[*activity as usize]));
        let edges = row.edges.map_or_else(|| [const { String::new() }; 3], |edges| edges.map(duration));
        [row.name.clone(), duration(row.window), of_window(row.busy)]
            .into_iter()
            .chain(classes)
            .chain(late)
            .chain(hosts)
            .chain(has_uncovered.then(|| of_window(row.uncovered)))
            .chain(edges.into_iter().filter(|_| has_edges))
            .collect()
    };
    Grid::new(title, heads, rows.iter().map(cells))
}

/// Each device's idle time by cause, without causes that no device has.
pub(super) fn leaves(rank: &Rank, choice: StepChoice) -> Grid {
    let chosen = idle_in_steps(&rank.analysis, &rank.analysis.idle, choice);
    let (title, devices): (String, Vec<(i64, Nanos, LeafTimes)>) = match &chosen {
        Some(found) => {
            let per = |found: &IdleInSteps, sum: Nanos| mean(sum, found.divisor.max(1));
            let device = |one: &IdleInSteps| (one.device, per(one, one.window), one.leaves.map(|sum| per(one, sum)));
            (titled_of("Idle time by cause", rank, choice), found.iter().map(device).collect())
        }
        None => {
            let devices = rank.analysis.idle.iter();
            let title = titled_of("Idle time by cause", rank, StepChoice::Whole);
            let devices = devices.map(|device| (device.device, device.times.window, device.times.leaves));
            (format!("{title}, of the window"), devices.collect())
        }
    };
    let heads = devices.iter().map(|(device, ..)| format!("device {device}"));
    let some = |leaf: &IdleLeaf| devices.iter().any(|(_, _, leaves)| leaves[*leaf as usize] > Nanos::ZERO);
    let rows = IdleLeaf::ALL.into_iter().filter(some).map(|leaf| {
        let cells = devices.iter().map(|(_, window, leaves)| {
            let time = leaves[leaf as usize];
            with_share(time, time.ratio_of(*window))
        });
        std::iter::once(leaf_name(leaf)).chain(cells).collect()
    });
    // Marked: the thread that launched before, if the trace shows no activity of the one that launched late.
    let whole = chosen.is_none().then_some(&rank.analysis.idle).into_iter().flatten().map(|device| &device.times);
    let handed_over: Vec<String> =
        whole.map(|times| with_share(times.handed_over, times.handed_over.ratio_of(times.window))).collect();
    let some = rank.analysis.idle.iter().any(|device| device.times.handed_over > Nanos::ZERO);
    let marked = (some && !handed_over.is_empty())
        .then(|| std::iter::once("(of these, by the thread that launched before)".to_owned()).chain(handed_over));
    let rows = rows.chain(marked.map(Iterator::collect));
    Grid::new(&title, std::iter::once(String::new()).chain(heads), rows)
}

pub(super) fn gaps(rank: &Rank) -> Grid {
    let devices = rank.analysis.idle.iter();
    let mut rows: Vec<_> = devices.flat_map(|device| [device.edge_rows(), device.gap_rows()].concat()).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.span.len()));
    let table = Table::of::<IdleTimeTable<false>>(&rows, &rank.trace);
    Grid::of(&titled_of("Longest gaps of the devices", rank, StepChoice::Whole), &table, units(rank))
}
