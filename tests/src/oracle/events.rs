//! Events that are read again one by one, and their details: compared with the trace as a whole.

use stepscope::analyze::{Analysis, EventConfig, Link, LinkKind, event_detail};
use stepscope::parse::{Decimal, ObjectAt, members_of, object_at};
use stepscope::read::event_place;
use stepscope::trace::{Class, EventId, Trace};
use stepscope_format::secrets::{FoundSecrets, mask_json};

/// Number of slices that were read again, and of those without an object of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadAgain {
    /// Slices whose object matches.
    pub alike: u64,
    /// Slices without an object: their events are of another kind, or made of several.
    pub without: u64,
}

/// Reads every slice's object again by its position, from pieces of the text that grow, and compares it with the slice.
///
/// # Errors
///
/// The difference.
pub fn read_again(trace: &Trace, texts: &[&[u8]]) -> Result<ReadAgain, String> {
    let mut found = ReadAgain::default();
    let mut offset = vec![None; texts.len()];
    for id in trace.slices.ids() {
        let place = event_place(trace, id).ok_or("a slice without a place")?;
        let file = trace.meta.inputs.iter().position(|input| std::ptr::eq(input, place.file)).ok_or("no file")?;
        let text =
            usize::try_from(place.at).ok().and_then(|at| texts[file].get(at..)).ok_or("a place behind the end")?;
        match object(text).filter(|_| place.is_json) {
            Some(object) if says_something(&object) => {
                same(trace, id, &object, &mut offset[file])?;
                found.alike += 1;
            }
            _ => found.without += 1,
        }
    }
    Ok(found)
}

fn object(text: &[u8]) -> Option<Vec<(String, Vec<u8>)>> {
    let mut len = 64;
    loop {
        let part = &text[..text.len().min(len)];
        match object_at(part, part.len() == text.len()) {
            ObjectAt::NeedMore => len *= 4,
            ObjectAt::Nothing => return None,
            // As the page shows it: without secrets.
            ObjectAt::Found(found) => return Some(members_of(&mask_json(&found.text, &mut FoundSecrets::default()))),
        }
    }
}

fn value<'a>(object: &'a [(String, Vec<u8>)], key: &str) -> Option<&'a [u8]> {
    object.iter().rev().find(|(name, _)| name == key).map(|(_, value)| &value[..])
}

/// Whether an object is the event of a slice: the outer object, whose position is that of slices without an event, is
/// not.
fn says_something(object: &[(String, Vec<u8>)]) -> bool {
    matches!(value(object, "ph"), Some(b"\"X\"" | b"\"B\"" | b"\"b\"" | b"\"S\"" | b"\"N\""))
}

fn text(value: &[u8]) -> String {
    serde_json::from_slice(value).unwrap_or_else(|_| String::from_utf8_lossy(value).into_owned())
}

fn nanos(value: &[u8]) -> Option<i64> {
    Decimal::parse(text(value).as_bytes())?.nanos_from_micros().map(|(nanos, _)| nanos.0)
}

/// Checks for the same name, the same start up to the common offset of all slices of the file, and the same length up
/// to rounding.
fn same(trace: &Trace, id: EventId, object: &[(String, Vec<u8>)], offset: &mut Option<i64>) -> Result<(), String> {
    let fail = |what: &str, found: &dyn std::fmt::Debug, own: &dyn std::fmt::Debug| {
        Err(format!("{what} of slice {} is {own:?}, that of its object {found:?}", id.0))
    };
    let name = value(object, "name").map(text).unwrap_or_default();
    let (is_paddle, is_mindspore) = (trace.meta.format == "paddle", trace.meta.format == "mindspore");
    // Paddle writes the length after the name.
    if name != trace.name_of(id) && !(is_paddle && name.starts_with(trace.name_of(id))) {
        return fail("the name", &name, &trace.name_of(id));
    }
    if is_mindspore {
        // Its rows have clocks of their own, which the reader aligns, and its steps overlap, which the reader cuts.
        return Ok(());
    }
    let (start, length) = (trace.slices.start(id).0, trace.slices.length(id).0);
    // Paddle's exact times are among the arguments; the times beside them are rounded.
    let tolerance = if is_paddle { 1000 } else { 1 };
    let args = value(object, "args").map(members_of).unwrap_or_default();
    let exact = value(&args, "start_time").map(text).and_then(|time| Some(time.split_once(' ')?.0.to_owned()));
    let exact = exact.and_then(|time| nanos(time.as_bytes()));
    let at =
        if is_paddle { exact } else { Some(value(object, "ts").and_then(nanos).ok_or("an object without a time")?) };
    if let Some(at) = at
        && (at - start - *offset.get_or_insert(at - start)).abs() > tolerance
    {
        return fail("the start", &at, &start);
    }
    let is_whole = value(object, "ph") == Some(b"\"X\"");
    match value(object, "dur").and_then(nanos) {
        Some(duration) if is_whole && (duration.max(0) - length).abs() > tolerance => {
            fail("the length", &duration, &length)
        }
        _ => Ok(()),
    }
}

/// Invariants of every event: self times are consistent, families and links go both ways, and its kind's numbers are
/// those of the tables.
///
/// # Errors
///
/// The check that fails.
pub fn event_identities(
    trace: &Trace,
    analysis: &Analysis,
    events: impl Iterator<Item = EventId>,
) -> Result<(), String> {
    let look = |id: EventId| event_detail(trace, analysis, id, EventConfig::standard()).ok_or("no such slice");
    for id in events {
        let found = look(id)?;
        let fail = |what: &str| Err(format!("slice {} ({}): {what}", id.0, trace.name_of(id)));
        if found.own.0 < 0 || found.own > trace.slices.length(id) {
            return fail("its self time is none");
        }
        if found.first_children.iter().any(|child| trace.slices.parent(*child) != Some(id)) {
            return fail("a child is another's");
        }
        for link in &found.links {
            let back = match link.kind {
                LinkKind::Call if trace.activity(id).is_some() => LinkKind::Launched,
                LinkKind::Call => LinkKind::Synchronization,
                LinkKind::Forward => LinkKind::Backward,
                LinkKind::Awaited => LinkKind::AwaitedBy,
                LinkKind::HostRange => LinkKind::DeviceRange,
                LinkKind::FlowIn => LinkKind::FlowOut,
                _ => continue,
            };
            for other in &link.first {
                let there = look(*other)?;
                let has = |link: &Link| {
                    // Sequence numbers lead from an inner operator to the other pass's outermost ones, and those lead
                    // to its own.
                    let is_inner = link.kind == LinkKind::Backward;
                    link.kind == back && (is_inner || link.first.contains(&id) || link.count > link.first.len() as u64)
                };
                if !there.links.iter().any(has) {
                    return fail(&format!("{:?} of {} does not lead back", link.kind, other.0));
                }
            }
        }
        let same = &found.same;
        if same.longer >= same.times.calls || same.times.max < trace.slices.length(id) {
            return fail("its place among its kind");
        }
        let row = analysis.kernels.iter().find(|row| {
            trace.activity(id).is_some_and(|activity| {
                (row.name, row.communication) == (trace.slices.name(id), activity.communication)
            })
        });
        if trace.slices.class(id) == Class::Kernel && row.map(|row| row.time) != Some(same.times) {
            return fail("its kind's numbers are not those of the table of kernels");
        }
        for (neighbour, there) in [(same.previous, 1), (same.next, 2)] {
            if let Some(other) = neighbour.get() {
                let other = look(other)?.same;
                let back = if there == 1 { other.next } else { other.previous };
                if back != id {
                    return fail("its neighbour of the same name does not lead back");
                }
            }
        }
    }
    Ok(())
}
