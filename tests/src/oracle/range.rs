//! Invariants of ranges of time, for any trace.

use std::collections::{BTreeMap, BTreeSet};

use stepscope::analyze::{
    AnalysisConfig, DeviceTime, KernelGrouping, OperatorGrouping, OperatorsAre, RangeConfig, RangeReport, RangeSums,
    copies, kernels, range,
};
use stepscope::export::perfetto::{ExportConfig, Level, write};
use stepscope::trace::{Class, Layer, Track};
use stepscope::{Interval, Nanos, Rank};

use crate::files::rank;

/// Steps that are checked: each needs a pass over the trace.
const STEPS: usize = 12;

/// Times beyond this are damage: sums of them saturate, and a double cannot represent them.
const FAR: Nanos = Nanos(1 << 53);

fn of(rank: &Rank, span: Interval) -> RangeReport {
    range(&rank.trace, &rank.analysis, &RangeConfig::of(span))
}

#[expect(clippy::needless_pass_by_value, reason = "what is compared is made for it")]
fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: T, expected: T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what}: {found:?} is not {expected:?}")) }
}

/// The range of the whole trace matches the tables, a step's range matches the step, and consecutive ranges add up.
///
/// # Errors
///
/// The check that fails, with its numbers.
pub fn range_identities(rank: &Rank) -> Result<(), String> {
    let all = rank.trace.span();
    if all.end > FAR {
        return Ok(());
    }
    let whole = of(rank, all);
    adds_up(&whole)?;
    tables(rank, &whole)?;
    for device in rank.analysis.devices.iter().filter(|device| !device.window.is_empty()) {
        let found = of(rank, device.window);
        let time = found.devices.iter().find(|time| time.device == device.time.device);
        same("a device's window", time, Some(&device.time))?;
    }
    let steps = &rank.analysis.steps.steps;
    for (index, step) in steps.iter().enumerate().filter(|(_, step)| !step.span.is_empty()).take(STEPS) {
        let found = of(rank, step.span);
        adds_up(&found)?;
        same(&format!("devices in step {}", step.name), &found.devices, &rank.analysis.step_devices[index])?;
        same(&format!("categories of step {}", step.name), found.categories, rank.analysis.categories[index])?;
        let host = |times: &[stepscope::analyze::PhaseTime; 5]| times.map(|time| (time.host, time.calls));
        let on_host = of(rank, step.host);
        same(
            &format!("phases of step {}", step.name),
            host(&on_host.phases),
            host(&rank.analysis.phases.steps[index]),
        )?;
    }
    let cuts: Vec<Nanos> = steps.iter().take(STEPS).map(|step| step.span.start).chain([Nanos(all.end.0 / 3)]).collect();
    for cut in cuts.into_iter().filter(|cut| all.start < *cut && *cut < all.end) {
        let parts = [of(rank, Interval::new(all.start, cut)), of(rank, Interval::new(cut, all.end))];
        parts.iter().try_for_each(adds_up)?;
        together(&parts, &whole).map_err(|error| format!("cut at {cut:?}: {error}"))?;
    }
    Ok(())
}

/// Compares sums that can be computed in two ways.
fn adds_up(found: &RangeReport) -> Result<(), String> {
    let length = found.span.len();
    for time in &found.devices {
        let parts = time.compute + time.exposed_communication + time.exposed_memcpy + time.exposed_memset + time.idle;
        same("a device's parts", parts + time.before_first + time.uncovered, length)?;
    }
    same("categories", found.categories.iter().copied().sum(), length)?;
    same("phases", found.phases.iter().map(|phase| phase.host).sum(), length)?;
    for (_, host) in &found.hosts {
        same("a thread's times", host.times.iter().copied().sum(), length)?;
    }
    let lists: [Vec<RangeSums>; 3] = [
        found.names.iter().map(|row| row.sums).collect(),
        found.classes.iter().map(|(_, sums)| *sums).collect(),
        found.tracks.iter().map(|(_, sums)| *sums).collect(),
    ];
    let added = |list: &[RangeSums]| {
        let time = |of: fn(&RangeSums) -> Nanos| list.iter().map(of).sum::<Nanos>();
        let counts =
            (list.iter().map(|sums| sums.slices).sum::<u64>(), list.iter().map(|sums| sums.begun).sum::<u64>());
        (counts, time(|sums| sums.sum), time(|sums| sums.own), time(|sums| sums.lengths))
    };
    for list in &lists {
        same("slices", added(list), added(&[found.whole]))?;
        for sums in list.iter().chain([&found.whole]) {
            let fine = sums.union <= sums.sum
                && sums.own <= sums.sum
                && sums.own >= Nanos::ZERO
                && sums.sum <= sums.lengths
                && sums.union <= length
                && sums.begun <= sums.slices
                && sums.shortest <= sums.mean()
                && sums.mean() <= sums.longest;
            if !fine {
                return Err(format!("{sums:?} in {length:?}"));
            }
        }
    }
    Ok(())
}

/// The whole trace matches the tables.
fn tables(rank: &Rank, whole: &RangeReport) -> Result<(), String> {
    let trace = &rank.trace;
    same("all slices", whole.whole.slices, trace.slices.len() as u64)?;
    same("all begin", whole.whole.begun, trace.slices.len() as u64)?;
    let by_name = |classes: &[Class], of: fn(&RangeSums) -> Nanos| {
        let mut sums: BTreeMap<&str, (u64, Nanos)> = BTreeMap::new();
        for row in whole.names.iter().filter(|row| classes.contains(&row.class)) {
            let known = sums.entry(trace.strings.get(row.name)).or_default();
            *known = (known.0 + row.sums.slices, known.1 + of(&row.sums));
        }
        sums
    };
    let on_streams = trace.activities.iter().all(|activity| trace.stream_of(activity.event).is_some());
    if on_streams {
        // A name has several rows if some of its operators communicate.
        let mut expected: BTreeMap<&str, (u64, Nanos)> = BTreeMap::new();
        for row in kernels(trace, KernelGrouping::Name) {
            let known = expected.entry(trace.strings.get(row.name)).or_default();
            *known = (known.0 + row.time.calls, known.1 + row.time.total);
        }
        same("kernels", by_name(&[Class::Kernel], |sums| sums.sum), expected)?;
        let mut expected: BTreeMap<&str, (u64, Nanos)> = BTreeMap::new();
        for row in copies(trace) {
            let known = expected.entry(trace.strings.get(row.name)).or_default();
            *known = (known.0 + row.time.calls, known.1 + row.time.total);
        }
        same("copies", by_name(&[Class::Memcpy, Class::Memset], |sums| sums.sum), expected)?;
    }
    for place in &whole.memory {
        let change = place.allocated.last.saturating_sub(place.allocated.first);
        let of_device = |event: &&stepscope::trace::MemoryEvent| event.on_device() == place.device;
        let any = trace.memory.iter().any(|event| of_device(&event));
        if !any || change > place.allocated.peak.saturating_sub(place.allocated.first.min(place.allocated.last)) {
            return Err(format!("memory: {place:?}"));
        }
    }
    let operators = &rank.analysis.operators;
    if rank.analysis.operators_config.grouping != OperatorGrouping::Name || operators.are != OperatorsAre::Operators {
        return Ok(());
    }
    const TABULATED: [Class; 3] = [Class::Operator, Class::Annotation, Class::RuntimeCall];
    // Slices of other classes have no rows, and are not children there, but reduce their parents' self time in a range. So
    // do the parts of Paddle's operators, which the table counts with these.
    const PARTS: [&str; 3] = ["OperatorInner", "DygraphKernelLaunch", "StaticKernelLaunch"];
    let only = trace.tracks.iter().filter(|track| track.layer == Layer::Host).flat_map(Track::events);
    let mut comparable = trace.step_marks.is_empty();
    let mut with_parts: BTreeSet<&str> = BTreeSet::new();
    for id in only {
        comparable &= TABULATED.contains(&trace.slices.class(id));
        if PARTS.contains(&trace.category_of(id)) {
            let mut around = trace.slices.parent(id);
            while let Some(outer) = around {
                with_parts.insert(trace.name_of(outer));
                around = trace.slices.parent(outer);
            }
        }
    }
    let mut expected: BTreeMap<&str, (u64, Nanos, Nanos)> = BTreeMap::new();
    for row in &operators.rows {
        let known = expected.entry(row.name.as_str()).or_default();
        *known = (known.0 + row.calls, known.1 + row.host_sum, known.2 + row.host_self);
    }
    // A slice that marks a step is in no row, though another one of its name may be.
    for (mark, _) in &trace.step_marks {
        expected.remove(trace.name_of(*mark));
    }
    let totals = by_name(&TABULATED[..2], |sums| sums.sum);
    let selves = by_name(&TABULATED[..2], |sums| sums.own);
    for (name, (calls, total, own)) in expected {
        same(name, totals.get(name), Some(&(calls, total)))?;
        if comparable && !with_parts.contains(name) {
            same(&format!("self of {name}"), selves.get(name), Some(&(calls, own)))?;
        }
    }
    Ok(())
}

/// Two consecutive ranges add up to the range of both.
fn together(parts: &[RangeReport; 2], whole: &RangeReport) -> Result<(), String> {
    let sums = |of: &dyn Fn(&RangeReport) -> Nanos| of(&parts[0]) + of(&parts[1]);
    same("begun", parts[0].whole.begun + parts[1].whole.begun, whole.whole.begun)?;
    for (what, of) in [
        ("sum", (|report: &RangeReport| report.whole.sum) as fn(&RangeReport) -> Nanos),
        ("union", |report| report.whole.union),
        ("self", |report| report.whole.own),
    ] {
        same(what, sums(&of), of(whole))?;
    }
    let by_name = |reports: &[RangeReport]| {
        let mut found: BTreeMap<(Class, usize), [i64; 3]> = BTreeMap::new();
        for row in reports.iter().flat_map(|report| &report.names) {
            let known = found.entry((row.class, row.name.index())).or_default();
            let new = [row.sums.sum.0, row.sums.union.0, row.sums.own.0];
            *known = std::array::from_fn(|index| known[index] + new[index]);
        }
        found
    };
    same("names", by_name(parts), by_name(std::slice::from_ref(whole)))?;
    for index in 0..whole.devices.len() {
        for of in [
            (|time: &DeviceTime| time.busy) as fn(&DeviceTime) -> Nanos,
            |time| time.compute,
            |time| time.communication,
            |time| time.overlap,
            |time| time.exposed_memcpy,
            |time| time.memset,
            |time| time.idle,
            |time| time.before_first,
            |time| time.uncovered,
        ] {
            same("a device", sums(&|report| of(&report.devices[index])), of(&whole.devices[index]))?;
        }
    }
    for category in 0..8 {
        same("a category", sums(&|report| report.categories[category]), whole.categories[category])?;
    }
    for phase in 0..5 {
        same("a phase", sums(&|report| report.phases[phase].host), whole.phases[phase].host)?;
        same("a phase's device", sums(&|report| report.phases[phase].device), whole.phases[phase].device)?;
    }
    for ((first, second), both) in parts[0].memory.iter().zip(&parts[1].memory).zip(&whole.memory) {
        same("memory at the cut", first.allocated.last, second.allocated.first)?;
        let ends = (first.allocated.first, second.allocated.last, first.allocated.peak.max(second.allocated.peak));
        same("memory", ends, (both.allocated.first, both.allocated.last, both.allocated.peak))?;
        same("allocated", first.sums.allocated.saturating_add(second.sums.allocated), both.sums.allocated)?;
    }
    Ok(())
}

/// Exports a part of the time and reads it back: it has the slices, the device time and the categories of the range.
///
/// # Errors
///
/// The difference.
pub fn reread_range(first: &Rank, span: Interval) -> Result<(), String> {
    let expected = of(first, span);
    if expected.whole.slices == 0 || first.trace.span().end > FAR {
        return Ok(());
    }
    let mut export = Vec::new();
    let config = ExportConfig { span: Some(span), ..ExportConfig::of(Level::Detail) };
    let written = write(&[first], config, &mut export).map_err(|error| error.to_string())?;
    let json: serde_json::Value = serde_json::from_slice(&export).map_err(|error| format!("the export: {error}"))?;
    let events = json.get("traceEvents").and_then(serde_json::Value::as_array).ok_or("no events")?;
    // Its own times begin with its first event: the shift from the first trace's times.
    let own = |event: &&serde_json::Value| event["cat"] != "stepscope" && event["ph"] != "M" && !event["ts"].is_null();
    let nanos = |event: &serde_json::Value| event["ts"].as_f64().map(|micros| (micros * 1000.0).round());
    let earliest = events.iter().filter(own).filter_map(nanos).fold(f64::INFINITY, f64::min);
    #[expect(clippy::cast_possible_truncation, reason = "ns of a small trace")]
    let later = Nanos(earliest as i64);
    let slices = events.iter().filter(|event| event["ph"] == "X" && event["cat"] != "stepscope").count() as u64;
    same("slices that are written", slices, expected.whole.slices)?;
    if slices > written.slices {
        return Err(format!("{slices} slices, but {written:?}"));
    }
    let again = rank(&first.file, &export, &AnalysisConfig::standard());
    let again = again.map_err(|error| format!("the export cannot be read: {error}"))?;
    let found = of(&again, Interval::new(span.start - later, span.end - later));
    // A device without activities in the part is not in the export.
    let busy = expected.devices.iter().filter(|time| {
        first.analysis.devices.iter().any(|device| {
            device.time.device == time.device
                && first.trace.activities.iter().any(|activity| {
                    first.trace.stream_of(activity.event).is_some_and(|stream| stream.device == time.device)
                        && touches(first.trace.slices.interval(activity.event), span)
                })
        })
    });
    // The part may lack the call of its first activity: then it does not show the device's state before. It may lack
    // the activity of a call, or the call of the next one: then it does not show the device's state afterwards.
    let known = |time: &DeviceTime| DeviceTime {
        idle: time.idle + time.before_first + time.uncovered,
        before_first: Nanos::ZERO,
        uncovered: Nanos::ZERO,
        ..*time
    };
    same("devices", found.devices.iter().map(known).collect::<Vec<_>>(), busy.map(known).collect())?;
    same("categories", found.categories, expected.categories)?;
    let sums = |report: &RangeReport| (report.whole.slices, report.whole.sum, report.whole.union);
    same("all slices", sums(&found), sums(&expected))?;
    let classes = |report: &RangeReport| {
        report.classes.iter().map(|(class, sums)| (*class, sums.slices, sums.sum, sums.union)).collect::<Vec<_>>()
    };
    same("classes", classes(&found), classes(&expected))
}

fn touches(own: Interval, span: Interval) -> bool {
    let moment = own.is_empty() && span.start <= own.start && own.start < span.end;
    moment || !own.intersection(span).is_empty()
}
