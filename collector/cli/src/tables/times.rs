//! Composition of time: devices, steps, phases.

use stepscope::analyze::{DeviceTime, GraphTable, Phase, PhaseTime, StepChoice, StepContext, StepTable, graphs};
use stepscope::present::text::{NOT_RECORDED, UNKNOWN_AT_START, count, duration};
use stepscope::table::Table;
use stepscope::table::messages::title;
use stepscope::{Nanos, Rank};

use super::share::with_share;
use super::work::{titled_of, units};
use crate::grid::{Grid, Look};

/// Order of a device's quantities: several devices are columns beside each other.
const DEVICE_TIME: [&str; 11] = [
    "window",
    "busy",
    "idle",
    BEFORE_FIRST,
    UNCOVERED,
    "compute",
    "communication",
    "overlap",
    "exposed communication",
    "exposed copies",
    "exposed sets",
];

/// Time in which a device may run work from before the recording: only steps and ranges can have such time.
const BEFORE_FIRST: &str = UNKNOWN_AT_START;

/// Steps without operators in the timeline, and the time after launches without activity.
const UNCOVERED: &str = NOT_RECORDED;

/// Phases as they follow each other in a step.
const PHASES: [Phase; 5] = [Phase::Dataloader, Phase::Forward, Phase::Backward, Phase::Optimizer, Phase::Other];

/// Device time in a step or in the average step, else from each device's first activity to its last one.
pub(super) fn devices(rank: &Rank, choice: StepChoice) -> Grid {
    let analysis = &rank.analysis;
    match choice.times_of_devices(analysis) {
        Some(devices) => device_grid(&titled_of("Device time", rank, choice), &devices),
        None => {
            let devices: Vec<DeviceTime> = analysis.devices.iter().map(|device| device.time).collect();
            let title = titled_of("Device time", rank, StepChoice::Whole);
            device_grid(&format!("{title}, from its first to its last activity"), &devices)
        }
    }
}

/// Devices beside each other.
pub(super) fn device_grid(title: &str, devices: &[DeviceTime]) -> Grid {
    let heads = devices.iter().map(|time| format!("device {}", time.device));
    let columns: Vec<[String; 11]> = devices.iter().map(device_time).collect();
    let has = |part: fn(&DeviceTime) -> Nanos| devices.iter().any(|time| part(time) > Nanos::ZERO);
    let (has_lead_in, has_uncovered) = (has(|time| time.before_first), has(|time| time.uncovered));
    let is_shown = |name: &str| {
        !columns.is_empty() && (has_lead_in || name != BEFORE_FIRST) && (has_uncovered || name != UNCOVERED)
    };
    let names = DEVICE_TIME.iter().enumerate().filter(|(_, name)| is_shown(name));
    let rows = names.map(|(row, name)| {
        std::iter::once((*name).to_owned()).chain(columns.iter().map(|cells| cells[row].clone())).collect()
    });
    Grid::new(title, std::iter::once(String::new()).chain(heads), rows)
}

/// The values, in the order of [`DEVICE_TIME`].
fn device_time(time: &DeviceTime) -> [String; 11] {
    let of = |part: Nanos| with_share(part, part.ratio_of(time.window));
    [
        of(time.window),
        of(time.busy),
        of(time.idle),
        of(time.before_first),
        of(time.uncovered),
        of(time.compute),
        of(time.communication),
        of(time.overlap),
        of(time.exposed_communication),
        of(time.exposed_memcpy),
        of(time.exposed_memset),
    ]
}

/// A title of a table of steps, with a note on steps that the timeline does not show.
fn of_covered(part: &str, rank: &Rank) -> String {
    let steps = &rank.analysis.steps;
    let whole = if rank.analysis.whole_step.is_some() { "Recorded time" } else { "Steps" };
    let title = format!("{whole} by {part}");
    let (covered, all) = (steps.covered() as u64, steps.steps.len() as u64);
    if covered < all {
        format!("{title}: {} of {}, the others are not on the timeline", count(covered), count(all))
    } else {
        title
    }
}

/// The graphs that the steps ran; empty if they ran one.
pub(super) fn graph_rows(rank: &Rank, look: Look, top: usize) -> String {
    let rows = graphs(&rank.trace, &rank.analysis);
    if rows.is_empty() {
        return String::new();
    }
    let table = Table::of::<GraphTable>(&rows, &());
    let titled = [title(table.id), ": steps are named GRAPH:ITERATION"].concat();
    let grid = Grid::of(&titled, &table, units(rank));
    grid.to_text(look, top)
}

pub(super) fn steps(rank: &Rank) -> Grid {
    let analysis = &rank.analysis;
    let steps = analysis.steps.steps.iter().enumerate();
    let covered: Vec<usize> = steps.filter(|(_, step)| step.covered).map(|(index, _)| index).collect();
    let mut table = Table::of::<StepTable>(&covered, &StepContext { analysis, known: true });
    if analysis.devices.is_empty() {
        table = table.without_devices();
    }
    Grid::of(&of_covered("category", rank), &table, units(rank))
}

pub(super) fn phases(rank: &Rank) -> Grid {
    let analysis = &rank.analysis;
    let steps = analysis.steps.steps.iter().zip(&analysis.phases.steps).filter(|(step, _)| step.covered);
    phase_rows(&of_covered("phase", rank), steps.map(|(step, times)| (step.name.as_str(), times)))
}

/// Phases beside each other, of each step or of a range.
pub(super) fn phase_rows<'a>(title: &str, steps: impl IntoIterator<Item = (&'a str, &'a [PhaseTime; 5])>) -> Grid {
    let heads =
        PHASES.iter().flat_map(|phase| [format!("{}\nhost", phase.name()), format!("{}\ndevice", phase.name())]);
    let rows = steps.into_iter().map(|(name, times)| {
        let times = PHASES.iter().map(|phase| &times[*phase as usize]);
        let cells = times.flat_map(|time: &PhaseTime| [duration(time.host), duration(time.device)]);
        std::iter::once(name.to_owned()).chain(cells).collect()
    });
    Grid::new(title, std::iter::once("step".to_owned()).chain(heads), rows)
}
