//! A file from its bytes to the export and back: numbers that add up, or a clear error.

use stepscope::analyze::{
    AnalysisConfig, Definition, DeviceTime, IdleClass, IdleTimes, IntervalSet, Launch, LaunchesConfig, kernel_families,
    launch_rows, overview,
};
use stepscope::export::perfetto::{Export, ExportConfig, Level, write};
use stepscope::export::report_json::Summary;
use stepscope::trace::{Activity, Argument, ArgumentValue, EventId, Layer, Stream};
use stepscope::{Error, Interval, Nanos, Rank};

use super::advice::advice_identities;
use super::budget::budget_identities;
use super::calls::call_tree_identities;
use super::critical::critical_identities;
use super::modules::module_identities;
use super::range::range_identities;
use crate::files::rank;

/// Checks any bytes without knowing their meaning; they are read as the file of that path.
///
/// # Errors
///
/// The check that fails. A file that is not a trace is no error, if its message is clear.
pub fn check(path: &str, text: &[u8]) -> Result<(), String> {
    // The rank is not named by the path: the export does not belong to that folder.
    const NAME: &str = "a file.json";
    let config = AnalysisConfig::standard();
    let whole = crate::files::load(path, text, text.len().max(1)).map(|loaded| Rank::new(NAME, 0, loaded, &config));
    let pieces = crate::files::load(path, text, 7).map(|loaded| Rank::new(NAME, 0, loaded, &config));
    let mut rank = match (whole, pieces) {
        (Ok(whole), Ok(pieces)) if summary(&whole) == summary(&pieces) => whole,
        (Err(whole), Err(pieces)) if whole == pieces => return clear(&whole, path),
        (whole, pieces) => {
            return Err(format!(
                "chunks of 7 bytes differ: {:?} and {:?}",
                whole.map(|rank| rank.warnings),
                pieces.map(|rank| rank.warnings)
            ));
        }
    };
    shape(&rank)?;
    identities(&rank)?;
    // Without events there is no export to read back; tables that the profiler wrote are not part of one.
    if rank.trace.meta.events > 0 && rank.trace.recorded.is_empty() {
        reread(&rank)?;
    }
    for definition in Definition::ALL {
        rank.redefine(definition);
        if definition != Definition::Stepscope && rank.analysis.definition.definition != definition {
            return Err(format!("{definition:?} was not chosen"));
        }
    }
    let mut written = Vec::new();
    write(&[&rank], ExportConfig::of(Level::Summary), &mut written).map_err(|error| error.to_string())?;
    serde_json::from_slice::<serde_json::Value>(&written).map_err(|error| format!("summary export: {error}"))?;
    Ok(())
}

/// Invariant for analyses: exactly the slices on streams of devices are activities.
fn shape(rank: &Rank) -> Result<(), String> {
    let trace = &rank.trace;
    for track in &trace.tracks {
        let on_device = track.layer == Layer::Device && track.stream.is_some();
        if let Some(id) = track.events().find(|id| trace.activity(*id).is_some() != on_device) {
            let class = trace.slices.class(id);
            return Err(format!("{:?}, of class {class:?}, is on layer {:?}", trace.name_of(id), track.layer));
        }
    }
    Ok(())
}

fn summary(rank: &Rank) -> Vec<u8> {
    Summary::of(std::slice::from_ref(rank)).to_json()
}

fn clear(error: &Error, name: &str) -> Result<(), String> {
    let message = error.to_string();
    if message.starts_with(name) && message.len() > name.len() + 2 {
        return Ok(());
    }
    Err(format!("not a clear message: {message:?}"))
}

/// The export, written event by event.
fn piecewise(rank: &Rank) -> std::io::Result<Vec<u8>> {
    let mut text = Vec::new();
    let mut export = Export::begin(&[rank], &[], ExportConfig::of(Level::Detail), &mut text)?;
    let mut shares = vec![export.share()];
    while !export.rank(rank, 1, &mut text)? {
        shares.push(export.share());
    }
    shares.push(export.share());
    if shares.first() != Some(&0.0) || shares.last() != Some(&1.0) || !shares.is_sorted() {
        return Err(std::io::Error::other(format!("what is done does not grow: {shares:?}")));
    }
    export.end(&mut text)?;
    Ok(text)
}

/// Checks the identities of METRICS sections 2, 3, 5 and 11.
///
/// # Errors
///
/// The check that fails, with its numbers.
pub fn identities(rank: &Rank) -> Result<(), String> {
    let analysis = &rank.analysis;
    for device in &analysis.devices {
        device_adds_up(&device.time, "the whole trace")?;
    }
    for (index, step) in analysis.steps.steps.iter().enumerate() {
        for time in &analysis.step_devices[index] {
            device_adds_up(time, &step.name)?;
        }
        let categories: Nanos = analysis.categories[index].iter().copied().sum();
        if categories != step.span.len() {
            return Err(format!("step {}: the categories' sum {categories:?} is not {:?}", step.name, step.span.len()));
        }
        let phases: Nanos = analysis.phases.steps[index].iter().map(|phase| phase.host).sum();
        if phases != step.host.len() {
            return Err(format!("step {}: the phases' sum {phases:?} is not {:?}", step.name, step.host.len()));
        }
    }
    for step in std::iter::once(None).chain((0..analysis.steps.steps.len()).map(Some)) {
        let tiles = overview(analysis, step).tiles;
        if let Some(tile) = tiles.iter().find(|tile| tile.share.is_some_and(|share| !(0.0..=1.0).contains(&share))) {
            return Err(format!("{}: {:?} of the step", tile.name, tile.share));
        }
    }
    idle_adds_up(rank)?;
    super::idle::idle_is_one_fact(rank)?;
    budget_identities(rank)?;
    call_tree_identities(rank)?;
    module_identities(rank)?;
    critical_identities(rank)?;
    advice_identities(rank)?;
    range_identities(rank)?;
    families_add_up(rank)?;
    launches_add_up(rank)
}

/// Each kernel is in one family: their sums are those of the kernels.
fn families_add_up(rank: &Rank) -> Result<(), String> {
    let families = kernel_families(&rank.trace, None);
    let of_families = (families.iter().map(|row| row.calls).sum(), families.iter().map(|row| row.total).sum());
    let kernels = &rank.analysis.kernels;
    let of_kernels: (u64, Nanos) =
        (kernels.iter().map(|row| row.time.calls).sum(), kernels.iter().map(|row| row.time.total).sum());
    if of_families == of_kernels { Ok(()) } else { Err(format!("families {of_families:?}, kernels {of_kernels:?}")) }
}

/// Classes and busy time add up to the window, for each stream and device; the host's activities add up to the host
/// wait.
fn idle_adds_up(rank: &Rank) -> Result<(), String> {
    let trace = &rank.trace;
    let stream_of = |activity: &Activity| trace.stream_of(activity.event);
    let spans = |wanted: &dyn Fn(Stream) -> bool| -> Vec<Interval> {
        let here = trace.activities.iter().filter(|activity| stream_of(activity).is_some_and(wanted));
        here.map(|activity| trace.slices.interval(activity.event)).collect()
    };
    let mut streams = 0;
    for (device, report) in rank.analysis.idle.iter().zip(&rank.analysis.devices) {
        let (times, time) = (&device.times, &report.time);
        if (device.device, times.window, times.busy, times.idle()) != (time.device, time.window, time.busy, time.idle) {
            return Err(format!("device {}: {times:?} is not {time:?}", device.device));
        }
        let uncovered = &report.uncovered;
        times_add_up(&device.times, &spans(&|stream| stream.device == device.device), uncovered)?;
        for (stream, times) in &device.streams {
            times_add_up(times, &spans(&|other| other == *stream), uncovered)?;
        }
        streams += device.streams.len();
        let listed = device.longest.iter().map(|listed| listed.gap.span.len());
        let long = |length: Nanos| length > device.config.long_gap;
        let sum: Nanos = listed.clone().sum();
        let all_listed = device.longest.len() as u64 == device.long_gaps;
        let fine = listed.clone().all(long)
            && listed.is_sorted_by(|a, b| a >= b)
            && (if all_listed { sum == device.long_gaps_time } else { device.longest.len() == device.config.listed });
        if !fine || device.long_gaps_time > device.times.idle() {
            return Err(format!("device {}: {} long gaps do not add up", device.device, device.long_gaps));
        }
    }
    let mut known: Vec<Stream> = trace.activities.iter().filter_map(stream_of).collect();
    known.sort_unstable();
    known.dedup();
    if streams == known.len() { Ok(()) } else { Err(format!("{streams} streams instead of {}", known.len())) }
}

fn times_add_up(times: &IdleTimes, spans: &[Interval], uncovered: &IntervalSet) -> Result<(), String> {
    let first = spans.iter().map(|span| span.start).min().unwrap_or_default();
    let last = spans.iter().map(|span| span.end).max().unwrap_or_default();
    let busy = IntervalSet::of(spans.iter().copied()).difference(uncovered).len();
    let host: Nanos = times.host.iter().copied().sum();
    let fine = times.window == last - first
        && times.busy == busy
        && times.busy + times.idle() + times.uncovered == times.window
        && host == times.classes[IdleClass::HostWait as usize];
    if fine { Ok(()) } else { Err(format!("busy {busy:?} of {:?}, but {times:?}", last - first)) }
}

/// Whether a list has the longest of those rows that have a length.
fn are_longest(list: &[Launch], rows: &[Launch], length: impl Fn(&Launch) -> Option<Nanos>) -> bool {
    let mut all: Vec<Nanos> = rows.iter().filter_map(&length).collect();
    all.sort_unstable_by(|a, b| b.cmp(a));
    all.truncate(LaunchesConfig::standard().listed);
    list.iter().map(length).eq(all.into_iter().map(Some))
}

/// The rows of launches are all calls with an activity; the sums and the queues contain all of them.
fn launches_add_up(rank: &Rank) -> Result<(), String> {
    let (trace, launches) = (&rank.trace, &rank.analysis.launches);
    let rows = launch_rows(trace);
    let count = |wanted: &dyn Fn(&Launch) -> bool| rows.iter().filter(|launch| wanted(launch)).count() as u64;
    let sum = |length: fn(&Launch) -> Nanos| rows.iter().map(length).sum::<Nanos>();
    let config = LaunchesConfig::standard();
    let total = &launches.total;
    let linked = trace.activities.iter().filter(|activity| activity.call.get().is_some()).count() as u64;
    let fine = total.calls == rows.len() as u64
        && (total.activities, total.activities + launches.unlinked) == (linked, trace.activities.len() as u64)
        && rows.is_sorted_by(|a, b| a.call < b.call)
        && total.short == count(&|launch| launch.gpu < launch.cpu && !launch.blocked)
        && total.slow == count(&|launch| launch.cpu > config.slow && !launch.blocked)
        && total.blocked == count(&|launch| launch.blocked)
        && total.delayed == count(&|launch| launch.delay > config.late)
        && total.delayed == total.queued + total.before_first + total.late
        && total.late == count(&|launch| launch.late_by > config.late)
        && rows.iter().all(|launch| launch.late_by + launch.before_first <= launch.delay)
        && total.cpu == sum(|launch| launch.cpu)
        && total.gpu == sum(|launch| launch.gpu)
        && total.delay == sum(|launch| launch.delay)
        && launches.names.iter().map(|(_, of_name)| of_name.calls).sum::<u64>() == total.calls
        && [&launches.cpu, &launches.gpu, &launches.delay].iter().all(|distribution| {
            distribution.histogram.bars().map(|(_, count)| count).sum::<u64>() == total.calls
                && distribution.statistics.calls == total.calls
        })
        && are_longest(&launches.slowest, &rows, |launch| {
            Some(launch.cpu).filter(|cpu| *cpu > config.slow && !launch.blocked)
        })
        && are_longest(&launches.latest, &rows, |launch| Some(launch.late_by).filter(|late| *late > config.late));
    if !fine {
        return Err(format!("{} launches do not add up: {total:?}", rows.len()));
    }
    for queue in &rank.analysis.queues {
        let (waiting, in_flight) = (&queue.waiting, &queue.in_flight);
        let fine = (1..=queue.calls).contains(&waiting.max)
            && (waiting.max..=queue.calls).contains(&in_flight.max)
            && waiting.window.start == in_flight.window.start
            && waiting.window.end <= in_flight.window.end
            && [waiting, in_flight].iter().all(|length| {
                length.curve.last() == Some(&(length.window.end, 0)) && length.curve.is_sorted_by(|a, b| a.0 < b.0)
            });
        if !fine {
            return Err(format!("the queue of {:?} does not add up", queue.stream));
        }
    }
    Ok(())
}

fn device_adds_up(time: &DeviceTime, of: &str) -> Result<(), String> {
    let parts = time.compute
        + time.exposed_communication
        + time.exposed_memcpy
        + time.exposed_memset
        + time.idle
        + time.before_first
        + time.uncovered;
    let fine = parts == time.window
        && time.busy + time.idle + time.before_first + time.uncovered == time.window
        && time.overlap + time.exposed_communication == time.communication
        && time.idle >= Nanos::ZERO;
    if fine { Ok(()) } else { Err(format!("{of}: parts {parts:?} of {time:?}")) }
}

/// Exports a rank in detail, reads that back, and compares the reports; the second export must be the first.
///
/// # Errors
///
/// The first difference.
pub fn reread(first: &Rank) -> Result<(), String> {
    // Readers take times of 146 years from zero, on either side; a trace of both ends has longer ones, from its start.
    if first.trace.span().end > Nanos(1 << 62) {
        return Ok(());
    }
    let export = export_of(first)?;
    serde_json::from_str::<serde::de::IgnoredAny>(&export).map_err(|error| format!("the export: {error}"))?;
    let again = rank(&first.file, export.as_bytes(), &AnalysisConfig::standard());
    let again = again.map_err(|error| format!("the export cannot be read: {error}"))?;
    let mut without = Vec::new();
    // An export does not carry the owner of an allocation if the producer names it: Paddle's ranges need not be around
    // it.
    if first.trace.memory_owners.iter().any(|owner| owner.get().is_some()) {
        without.push("memory");
    }
    // Tables that the profiler wrote are not part of an export, nor are the curves in them.
    if !first.trace.recorded.is_empty() {
        without.extend(["recorded", "resources"]);
    }
    let of = |rank: &Rank| (rank.trace.meta.framework.clone(), rank.trace.meta.framework_version.clone());
    if of(first) != of(&again) {
        return Err(format!("{:?} became {:?}", of(first), of(&again)));
    }
    same_lines("the export read back", &ranks_of(first, &without), &ranks_of(&again, &without))?;
    // Other arguments of spans are not kept when an export is read: the page reads them from the file.
    if has_own_words(first) {
        return Ok(());
    }
    same_lines("the export of the export", &export, &export_of(&again)?)
}

/// Whether a program's spans and instant events have other arguments than a reader of exports knows, which are those of
/// steps about whether and how much they count.
fn has_own_words(rank: &Rank) -> bool {
    let trace = &rank.trace;
    let is_step = |event: EventId| trace.step_marks.iter().any(|(mark, _)| *mark == event);
    let known = |argument: &Argument| match trace.strings.get(argument.key) {
        "warm_up" | "partial" => matches!(argument.value, ArgumentValue::Bool(_)),
        "samples" => matches!(argument.value, ArgumentValue::Signed(0..) | ArgumentValue::Unsigned(_)),
        _ => false,
    };
    // The reader of exports takes them in this order.
    let place = |argument: &Argument| {
        let key = trace.strings.get(argument.key);
        ["warm_up", "partial", "samples"].iter().position(|known| *known == key)
    };
    !trace.instant_arguments.is_empty()
        || trace.arguments.iter().any(|(event, said)| !known(said) || !is_step(*event))
        || !trace.arguments.is_sorted_by_key(|(event, said)| (*event, place(said)))
}

fn export_of(rank: &Rank) -> Result<String, String> {
    let mut export = Vec::new();
    write(&[rank], ExportConfig::of(Level::Detail), &mut export).map_err(|error| error.to_string())?;
    if piecewise(rank).map_err(|error| error.to_string())? != export {
        return Err("written piece by piece the export is another one".into());
    }
    String::from_utf8(export).map_err(|error| error.to_string())
}

fn same_lines(what: &str, before: &str, after: &str) -> Result<(), String> {
    match before.lines().zip(after.lines()).enumerate().find(|(_, (a, b))| a != b) {
        Some((line, (a, b))) => Err(format!("{what} differs in line {}: {a} became {b}", line + 1)),
        None if before != after => Err(format!("{what} has more or fewer lines")),
        None => Ok(()),
    }
}

fn ranks_of(rank: &Rank, without: &[&str]) -> String {
    let mut summary: serde_json::Value = serde_json::from_slice(&summary(rank)).unwrap_or_default();
    let mut ranks = summary["ranks"].take();
    for rank in ranks.as_array_mut().into_iter().flatten().filter_map(|rank| rank.as_object_mut()) {
        for key in without {
            rank.remove(*key);
        }
    }
    serde_json::to_string_pretty(&ranks).unwrap_or_default()
}
