use super::*;
use stepscope_base::Interval;
use stepscope_base::Nanos;
use stepscope_trace::{HOST_MEMORY, MemoryEvent, MemoryPool, NO_TOTAL, TrackId};

/// An event at a time, with a block's bytes and address.
fn event(at: i64, address: u64, bytes: i64) -> MemoryEvent {
    MemoryEvent {
        at: Nanos(at),
        address,
        bytes,
        allocated: NO_TOTAL,
        reserved: NO_TOTAL,
        track: TrackId(0),
        device: 0,
        pool: MemoryPool::Allocated,
    }
}

fn found(memory: Vec<MemoryEvent>) -> Memory {
    with(memory, &MemoryConfig::standard())
}

fn with(memory: Vec<MemoryEvent>, config: &MemoryConfig) -> Memory {
    let mut trace = Trace::default();
    trace.memory = memory;
    super::memory(&trace, config)
}

#[test]
fn a_release_belongs_to_the_last_allocation_at_its_address() {
    // The inner block of the address is released first, then the outer one; a third release has none.
    let memory = found(vec![event(1, 7, 10), event(2, 7, 20), event(5, 7, -20), event(9, 7, -10), event(10, 7, -4)]);
    let blocks = &memory.places[0].blocks;
    let lives: Vec<_> = blocks.listed.iter().map(|block| (block.bytes, block.allocated, block.released)).collect();
    let at = |time| Some(Nanos(time));
    assert_eq!(lives, [(20, at(2), at(5)), (10, at(1), at(9)), (4, None, at(10))]);
    assert_eq!(blocks.lifetimes.total, Nanos(11));
    assert_eq!(blocks.from_before, BlockCount { blocks: 1, bytes: 4 });
}

#[test]
fn addresses_of_other_places_and_pools_are_others() {
    let other = |device, pool| MemoryEvent { device, pool, ..event(2, 7, -10) };
    let memory = vec![event(1, 7, 10), other(1, MemoryPool::Allocated), other(0, MemoryPool::Reserved)];
    let memory = found(memory);
    assert_eq!(memory.places.iter().map(|place| place.device).collect::<Vec<_>>(), [Some(0), Some(1)]);
    assert_eq!(memory.places[0].blocks.unreleased, BlockCount { blocks: 1, bytes: 10 });
    assert_eq!(memory.places[1].blocks.from_before, BlockCount { blocks: 1, bytes: 10 });
    // Reserved memory was 10 before, since that was released.
    let reserved = memory.places[0].reserved.expect("a reserve");
    assert_eq!((reserved.first, reserved.last, reserved.source), (10, 0, LevelSource::Counted));
}

#[test]
fn without_totals_what_is_released_was_there() {
    let memory = found(vec![event(1, 1, 5), event(2, 9, -100), event(3, 1, -5)]);
    let level = memory.places[0].allocated;
    assert_eq!((level.source, level.first, level.last), (LevelSource::Counted, 100, 0));
    assert_eq!((level.peak, level.peak_at), (105, Nanos(1)));
    let live = &memory.places[0].live_at_peak;
    assert_eq!((live.operators[0].bytes, live.from_before.bytes, live.unexplained), (5, 100, 0));
}

#[test]
fn totals_that_begin_at_zero_are_not_believed_when_they_sink_below() {
    let told = |event: MemoryEvent, allocated| MemoryEvent { allocated, reserved: 0, device: HOST_MEMORY, ..event };
    let memory = found(vec![told(event(1, 9, -100), -100), told(event(2, 1, 30), -70)]);
    let place = &memory.places[0];
    assert_eq!((place.device, place.allocated.source, place.reserved), (None, LevelSource::Counted, None));
    assert_eq!((place.allocated.first, place.allocated.last), (100, 30));
    // Nor are they drawn.
    let mut trace = Trace::default();
    trace.memory = vec![told(event(1, 9, -100), -100), told(event(2, 1, 30), -70)];
    let drawn: Vec<i64> = memory_points(&trace, None).iter().map(|point| point.allocated).collect();
    assert_eq!(drawn, [0, 30]);
}

#[test]
fn less_than_what_is_allocated_cannot_be_reserved() {
    let told =
        |event: MemoryEvent, allocated, reserved| MemoryEvent { allocated, reserved, device: HOST_MEMORY, ..event };
    let place =
        &found(vec![told(event(1, 1, 60), 60, 0), told(event(2, 2, 40), 100, 0), told(event(3, 1, -60), 40, 50)])
            .places[0];
    assert_eq!((place.allocated.source, place.allocated.peak), (LevelSource::Recorded, 100));
    assert_eq!((place.reserved, place.fragmentation), (None, None));
}

#[test]
fn fragmentation_is_what_is_held_and_not_used() {
    let told = |event: MemoryEvent, allocated, reserved| MemoryEvent { allocated, reserved, ..event };
    let events =
        vec![told(event(1, 1, 60), 160, 200), told(event(2, 1, -60), 100, 200), told(event(3, 1, 90), 190, 400)];
    let place = &found(events).places[0];
    assert_eq!(place.fragmentation, Some(Fragmentation { at_peak: 210, most: 210, most_at: Nanos(3) }));
    assert_eq!((place.allocated.first, place.allocated.peak), (100, 190));
    assert_eq!(place.live_at_peak.unexplained, 100);
}

#[test]
fn a_thinned_curve_keeps_every_columns_peaks() {
    let spikes = (0..10_000).flat_map(|index| [event(2 * index, 1, index + 1), event(2 * index + 1, 1, -index - 1)]);
    let all: Vec<MemoryEvent> = spikes.collect();
    let config = MemoryConfig { columns: 100, ..MemoryConfig::standard() };
    let curve = with(all.clone(), &config).places[0].curve.clone();
    assert!(curve.points.len() <= 600, "{}", curve.points.len());
    assert!(curve.points.is_sorted_by_key(|point| point.at));
    for column in 0..100 {
        let inside = |at: i64| at * 100 / 19_999 == column;
        let most = all.iter().filter(|event| inside(event.at.0)).map(|event| event.bytes).max();
        let kept = curve.points.iter().filter(|point| inside(point.at.0)).map(|point| point.allocated).max();
        assert_eq!(kept, most, "column {column}");
    }
}

#[test]
fn a_part_of_the_curve_begins_with_what_holds_then() {
    let events = vec![event(0, 1, 10), event(100, 2, 20), event(200, 3, 30), event(300, 4, 40)];
    let span = Some(Interval::new(Nanos(120), Nanos(220)));
    let curve = with(events, &MemoryConfig { span, ..MemoryConfig::standard() }).places[0].curve.clone();
    let points: Vec<_> = curve.points.iter().map(|point| (point.at.0, point.allocated)).collect();
    assert_eq!(points, [(120, 30), (200, 60), (300, 100)]);
    assert_eq!((curve.whole.start, curve.whole.end), (Nanos(0), Nanos(300)));
}

#[test]
fn absurd_numbers_do_no_harm() {
    let extreme = [i64::MIN, i64::MAX, -1, 0, 1, i64::MAX, i64::MIN];
    let events = extreme.iter().map(|bytes| MemoryEvent { at: Nanos(*bytes), ..event(0, 1, *bytes) });
    let mut events: Vec<MemoryEvent> = events.collect();
    events.sort_by_key(|event| event.at);
    for columns in [0, 1, 600] {
        let memory = with(events.clone(), &MemoryConfig { columns, listed: 0, span: None });
        assert_eq!((memory.places[0].events, memory.places[0].blocks.listed.len()), (7, 0));
    }
}
