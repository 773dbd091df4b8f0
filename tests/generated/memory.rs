//! Memory, compared with the truth: METRICS section 6.

use std::collections::BTreeMap;

use proptest::prelude::{prop_assert, prop_assert_eq};
use proptest::test_runner::TestCaseError;
use stepscope::analyze::{LevelSource, MemoryConfig, PlaceMemory, memory};
use stepscope::trace::NameId;
use stepscope::{Interval, Nanos, Rank};
use stepscope_tests::files::load;
use stepscope_tests::generator::{MemoryTruth, Truth};

/// All blocks are listed, and all points of the curve kept.
const ALL: MemoryConfig = MemoryConfig { span: None, columns: 1 << 40, listed: usize::MAX };

/// A block of the truth: its bytes, when it was allocated and released.
type BlockTruth = (i64, Option<i64>, Option<i64>);

/// The name of a row's operators.
fn named(rank: &Rank, name: Option<NameId>) -> String {
    name.map_or("(none)", |name| rank.trace.strings.get(name)).to_owned()
}

fn same_levels(place: &PlaceMemory, truth: &MemoryTruth) -> Result<(), TestCaseError> {
    prop_assert_eq!(place.events, truth.levels.len() as u64);
    let (first, last) = (truth.levels[0], truth.levels[truth.levels.len() - 1]);
    let reserved = place.reserved.ok_or_else(|| TestCaseError::fail("no reserve"))?;
    let allocated = place.allocated;
    // The reserve is recorded with allocations: its level before the first one is unknown.
    for (found, before, last, level) in [
        (allocated, truth.before, last.1, (|one| one.1) as fn(&(i64, i64, i64)) -> i64),
        (reserved, first.2, last.2, |one| one.2),
    ] {
        prop_assert_eq!((found.source, found.first, found.last), (LevelSource::Recorded, before, last));
        let most = truth.levels.iter().map(level).max().unwrap_or_default().max(before);
        let at = truth.levels.iter().find(|one| level(one) == most).map_or(first.0, |one| one.0);
        prop_assert_eq!((found.peak, found.peak_at.0), (most, at));
    }
    prop_assert_eq!(allocated.peak, truth.peak);
    let unused = truth.levels.iter().map(|one| one.2 - one.1);
    let most = unused.max().unwrap_or_default();
    let found = place.fragmentation.ok_or_else(|| TestCaseError::fail("no fragmentation"))?;
    prop_assert_eq!(found.most, most);
    let points = place.curve.points.iter().map(|point| (point.at.0, point.allocated, point.reserved));
    let after = truth.levels.iter().map(|(at, allocated, reserved)| (*at, *allocated, Some(*reserved)));
    let mut expected: Vec<_> = std::iter::once((first.0, truth.before, None)).chain(after).collect();
    // Several points within one column are not all kept, and the level before the first event has that event's time.
    let points: Vec<_> = points.collect();
    expected.retain(|point| points.contains(point));
    prop_assert_eq!(&points, &expected);
    prop_assert!(points.len() > truth.levels.len() / 2);
    Ok(())
}

fn same_blocks(rank: &Rank, place: &PlaceMemory, truth: &MemoryTruth) -> Result<(), TestCaseError> {
    let at = |time: Option<Nanos>| time.map(|time| time.0);
    let listed = place.blocks.listed.iter();
    prop_assert!(listed.clone().is_sorted_by(|a, b| a.bytes >= b.bytes));
    let mut found: Vec<_> = listed.map(|block| (block.bytes, at(block.allocated), at(block.released))).collect();
    let mut expected = truth.blocks.clone();
    found.sort_unstable();
    expected.sort_unstable();
    prop_assert_eq!(found, expected);
    let alone = |is: fn(&&BlockTruth) -> bool| {
        let these = truth.blocks.iter().filter(is);
        (these.clone().count() as u64, these.map(|block| block.0).sum::<i64>())
    };
    let blocks = &place.blocks;
    prop_assert_eq!((blocks.unreleased.blocks, blocks.unreleased.bytes), alone(|block| block.2.is_none()));
    prop_assert_eq!((blocks.from_before.blocks, blocks.from_before.bytes), alone(|block| block.1.is_none()));
    let lives: i64 = truth.blocks.iter().filter_map(|block| Some(block.2? - block.1?)).sum();
    prop_assert_eq!(blocks.lifetimes.total.0, lives);
    let operators: BTreeMap<String, _> = place
        .operators
        .iter()
        .filter(|row| row.own.allocations + row.own.releases > 0)
        .map(|row| {
            (named(rank, row.name), (row.own.allocations, row.own.releases, row.own.allocated, row.own.released))
        })
        .collect();
    prop_assert_eq!(&operators, &truth.operators);
    // Events in an operator are also in the step around it.
    for name in rank.analysis.steps.steps.iter().map(|step| format!("ProfilerStep#{}", step.name)) {
        let row = place.operators.iter().find(|row| named(rank, row.name) == name);
        prop_assert!(row.is_some_and(|row| row.total.allocations > 0 && row.own.allocations == 0), "{}", name);
    }
    let total: u64 = truth.operators.values().map(|row| row.0 + row.1).sum();
    prop_assert_eq!(total, place.events);
    Ok(())
}

fn same_peak(rank: &Rank, place: &PlaceMemory, truth: &MemoryTruth) -> Result<(), TestCaseError> {
    let live = &place.live_at_peak;
    let found: BTreeMap<String, _> =
        live.operators.iter().map(|row| (named(rank, row.name), (row.blocks, row.bytes))).collect();
    prop_assert_eq!(&found, &truth.live_at_peak);
    let known: i64 = found.values().map(|row| row.1).sum::<i64>() + live.from_before.bytes;
    prop_assert_eq!(known + live.unexplained, truth.peak);
    Ok(())
}

pub(crate) fn same_memory(rank: &Rank, truth: &Truth) -> Result<(), TestCaseError> {
    let memory = memory(&rank.trace, &ALL);
    let truth = &truth.memory;
    if truth.levels.is_empty() {
        prop_assert!(memory.places.is_empty());
        return Ok(());
    }
    let [place] = &memory.places[..] else {
        return Err(TestCaseError::fail(format!("{} places", memory.places.len())));
    };
    prop_assert_eq!(place.device, Some(0));
    // The trace has another zero.
    let zero = truth.levels[0].0 - place.curve.whole.start.0;
    let shifted = |mut truth: MemoryTruth| {
        for level in &mut truth.levels {
            level.0 -= zero;
        }
        for block in &mut truth.blocks {
            (block.1, block.2) = (block.1.map(|at| at - zero), block.2.map(|at| at - zero));
        }
        truth
    };
    let truth = shifted(truth.clone());
    same_levels(place, &truth)?;
    same_blocks(rank, place, &truth)?;
    same_peak(rank, place, &truth)?;
    same_parts(rank, place)
}

/// A part of the curve, in however few columns, has the highest and the lowest that the whole has there.
fn same_parts(rank: &Rank, place: &PlaceMemory) -> Result<(), TestCaseError> {
    let Interval { start, end } = place.curve.whole;
    let quarter = (end.0 - start.0) / 4;
    let span = Interval::new(Nanos(start.0 + quarter), Nanos(end.0 - quarter));
    let config = MemoryConfig { span: Some(span), columns: 3, ..MemoryConfig::standard() };
    let part = &memory(&rank.trace, &config).places[0].curve;
    let inside = |at: Nanos| span.start <= at && at <= span.end;
    let ends = |points: &[stepscope::analyze::MemoryPoint]| {
        let values = points.iter().filter(|point| inside(point.at)).map(|point| point.allocated);
        (values.clone().min(), values.max())
    };
    let held = place.curve.points.iter().rev().find(|point| point.at <= span.start);
    let whole = ends(&place.curve.points);
    let held = held.map(|point| point.allocated);
    let expected = (whole.0.into_iter().chain(held).min(), whole.1.into_iter().chain(held).max());
    prop_assert_eq!(ends(&part.points), expected);
    prop_assert!(part.points.len() <= 3 * 6 + 1);
    Ok(())
}

/// A counter of resident memory belongs to a process, and is in the unit of its name.
#[test]
fn counters_of_resident_memory_are_the_hosts() {
    let value = |at: i64, name: &str, value: i64| {
        format!(r#"{{"ph":"C","name":"{name}","pid":7,"ts":{at},"args":{{"value":{value}}}}}"#)
    };
    let events = [
        value(0, "RSS (MB)", 4),
        value(3, "RSS (MB)", 9),
        value(5, "RSS (MB)", 2),
        value(5, "bursts", 2),
        value(6, "Resident set", 512),
    ];
    let text = format!("[{}]", events.join(","));
    let trace = load("counters.json", text.as_bytes(), 1 << 16).expect("a trace").trace;
    let found = memory(&trace, &MemoryConfig::standard()).processes;
    let [megabytes, bytes] = &found[..] else { panic!("{found:?}") };
    assert_eq!((megabytes.first, megabytes.last), (4 << 20, 2 << 20));
    assert_eq!((megabytes.peak, megabytes.peak_at), (9 << 20, Nanos(3_000)));
    assert_eq!(megabytes.curve.points.len(), 3);
    assert_eq!(bytes.peak, 512);
}
