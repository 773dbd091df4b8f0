//! Why devices idle: launches, queues, idle time, gaps.

use stepscope::analyze::{
    DeviceIdle, IdleInSteps, IdleLeaf, IdleSplit, IdleSplitTable, IdleTimeTable, LaunchNameTable, LaunchSum, LeafTimes,
    QueueTable, StepChoice, idle_in_steps, mean,
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

/// Where the time of devices goes in steps, or in their windows with their streams.
pub(super) fn idle(rank: &Rank, choice: StepChoice) -> Grid {
    if let Some(found) = idle_in_steps(&rank.analysis, &rank.analysis.idle, choice) {
        let rows: Vec<IdleSplit> = found.iter().map(IdleInSteps::split).collect();
        return idle_grid(rank, &titled_of("Idle time", rank, choice), &rows);
    }
    let of_device = |device: &DeviceIdle| {
        let streams = if device.streams.len() > 1 { device.stream_splits() } else { Vec::new() };
        [vec![device.split()], streams].concat()
    };
    let rows: Vec<IdleSplit> = rank.analysis.idle.iter().flat_map(of_device).collect();
    let title = titled_of("Idle time", rank, StepChoice::Whole);
    idle_grid(rank, &format!("{title}, of the window"), &rows)
}

fn idle_grid(rank: &Rank, title: &str, rows: &[IdleSplit]) -> Grid {
    let name = |row: &IdleSplit| match row.stream {
        None => format!("device {}", row.device),
        Some(stream) => format!("  stream {stream}"),
    };
    Grid::of(title, &Table::of::<IdleSplitTable<false>>(rows, &()), units(rank)).named(rows.iter().map(name))
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
