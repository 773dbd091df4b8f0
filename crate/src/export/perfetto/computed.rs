//! What the analyses found, as lanes: the steps, and per device the Overlap Analysis.

use std::io;

use super::Level;
use super::rows::Rows;
use super::text::{Out, Place};
use crate::analyze::{DeviceReport, IntervalSet, Phase, Role};
use crate::summary::Rank;
use crate::units::{Interval, Nanos};

/// The category of everything that is ours; reading an export back skips it.
pub(super) const CATEGORY: &str = "stepscope";

/// Writes the computed lanes of a rank; for a summary also curves over the steps. Of some tracks alone only the steps:
/// what a device does is what all of its streams do.
pub(super) fn write(
    out: &mut Out<'_>,
    rows: &mut Rows,
    rank: &Rank,
    (level, is_part): (Level, bool),
) -> io::Result<()> {
    let prefix = rank.rank.map_or_else(String::new, |rank| format!("rank {rank} "));
    let process = rows.process(out, &format!("{prefix}Stepscope"), 1)?;
    steps(out, rows, rank, process)?;
    if is_part {
        return Ok(());
    }
    for device in &rank.analysis.devices {
        overlap(out, rows, device, process)?;
    }
    if level == Level::Summary {
        curves(out, rank, process)?;
    }
    Ok(())
}

fn steps(out: &mut Out<'_>, rows: &mut Rows, rank: &Rank, process: u32) -> io::Result<()> {
    let analysis = &rank.analysis;
    let mut lane = None;
    for (index, step) in analysis.steps.steps.iter().enumerate().filter(|(_, step)| !step.span.is_empty()) {
        let Some(inside) = out.cut(step.span) else { continue };
        let place = match lane {
            Some(place) => place,
            None => *lane.insert(rows.lane(out, process, "Steps")?),
        };
        begin(out, &format!("step {}", step.name), place, inside);
        out.raw(",\"args\":{");
        out.clipped(step.span, true);
        out.raw("\"activities\":");
        out.number(step.activities);
        for (role, time) in Role::ALL.iter().zip(analysis.roles[index]) {
            out.raw(&format!(",\"{} (ns)\":{}", role.name(), time.0));
        }
        for (phase, time) in Phase::ALL.iter().zip(analysis.phases.steps[index]) {
            out.raw(&format!(",\"{} on the host (ns)\":{}", phase.name(), time.host.0));
            out.raw(&format!(",\"{} on the device (ns)\":{}", phase.name(), time.device.0));
        }
        if step.partial || step.warm_up {
            out.raw(if step.partial { ",\"note\":\"partial\"" } else { ",\"note\":\"warm-up\"" });
        }
        out.raw("}");
        out.end()?;
    }
    Ok(())
}

fn overlap(out: &mut Out<'_>, rows: &mut Rows, device: &DeviceReport, process: u32) -> io::Result<()> {
    // What is computed of a part of the time is whole in itself: nothing was cut.
    let (sets, window) = match out.span() {
        Some(span) => (&device.sets.clip(span), span),
        None => (&device.sets, device.window),
    };
    let window = IntervalSet::from_interval(window);
    let either = sets.compute.union(&sets.communication);
    let lanes = [
        ("computation", sets.compute.clone()),
        ("communication", sets.communication.clone()),
        ("communication not overlapped", sets.communication.difference(&sets.compute)),
        ("free", window.difference(&either)),
    ];
    for (name, set) in lanes.iter().filter(|(_, set)| !set.is_empty()) {
        let place = rows.lane(out, process, &format!("device {}: {name}", device.time.device))?;
        for interval in set.intervals() {
            begin(out, name, place, *interval);
            out.end()?;
        }
    }
    Ok(())
}

fn begin(out: &mut Out<'_>, name: &str, place: Place, span: Interval) {
    out.begin("X", name, place);
    out.category(CATEGORY);
    out.lasts(span);
    out.written.slices += 1;
}

/// Each role's time, the step's length and the devices' busy share, as curves over the steps.
fn curves(out: &mut Out<'_>, rank: &Rank, process: u32) -> io::Result<()> {
    let place = Place { process, thread: process };
    let analysis = &rank.analysis;
    let millis = |time: Nanos| format!("{}.{:06}", time.0 / 1_000_000, time.0 % 1_000_000);
    let span = out.span();
    let mut sample = |at: Nanos, name: &str, series: &str, value: String| {
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
    for (index, step) in analysis.steps.steps.iter().enumerate() {
        // The value that holds when the part begins is of the step that began before.
        let Some(at) = span.map_or(Some(step.span.start), |span| {
            let inside = step.span.intersection(span);
            (!inside.is_empty()).then_some(inside.start)
        }) else {
            continue;
        };
        sample(at, "step", "ms", millis(step.span.len()))?;
        for (role, time) in Role::ALL.iter().zip(analysis.roles[index]) {
            sample(at, role.name(), "ms", millis(time))?;
        }
        for time in &analysis.step_devices[index] {
            let share = time.busy.ratio_of(time.window).unwrap_or_default();
            sample(at, &format!("device {} busy", time.device), "%", format!("{:.3}", share * 100.0))?;
        }
    }
    Ok(())
}
