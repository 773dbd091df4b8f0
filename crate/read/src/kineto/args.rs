//! The arguments of events.

use super::keys;
use crate::chrome::args::{intern, launch_config, serial, serial_of, signed, unsigned};
use stepscope_base::Nanos;
use stepscope_parse::{Object, Value};
use stepscope_trace::{
    Activity, AwaitedEvent, Call, Collective, LaunchConfig, MemoryEvent, MemoryPool, NO_BYTES, NO_COUNT, NO_SERIAL,
    NO_TOTAL, Operation, TraceBuilder, TrackId,
};

/// The activity of a kernel, memcpy or memset; its links are found later.
pub(super) fn activity(object: &Object<'_>) -> Activity {
    Activity {
        correlation: serial(object, keys::CORRELATION),
        external: serial(object, keys::EXTERNAL_ID),
        bytes: object.inner(keys::BYTES).and_then(unsigned).unwrap_or(NO_BYTES),
        graph: object.inner(keys::GRAPH_ID).and_then(unsigned).map_or(0, serial_of),
        communication: object.inner(keys::COMMUNICATION).and_then(unsigned) == Some(1),
        ..Activity::default()
    }
}

/// The launch configuration of a kernel, if it has one.
pub(super) fn config(object: &Object<'_>) -> Option<LaunchConfig> {
    let sizes = [keys::GRID, keys::BLOCK, keys::REGISTERS, keys::SHARED_MEMORY];
    launch_config(object, sizes, [keys::BLOCKS_PER_SM, keys::WARPS_PER_SM, keys::OCCUPANCY])
}

/// The facts of an operator or annotation, except shapes and types.
pub(super) fn operation(object: &Object<'_>) -> Operation {
    Operation {
        external: serial(object, keys::EXTERNAL_ID),
        sequence: serial(object, keys::SEQUENCE_NUMBER),
        forward_thread: serial(object, keys::FORWARD_THREAD),
        ..Operation::default()
    }
}

/// The collective of an event, if its arguments have one.
pub(super) fn collective(object: &Object<'_>, builder: &mut TraceBuilder) -> Option<Collective> {
    // A data type alone does not make a collective: other operators have one, too.
    if !object.has_inner(keys::COLLECTIVE_NAME, keys::GROUP_NAME) {
        return None;
    }
    let mut text = |key| object.inner(key).and_then(|value| intern(builder, value)).unwrap_or_default();
    let number = |key| object.inner(key).and_then(unsigned).unwrap_or(NO_COUNT);
    let (name, group) = (text(keys::COLLECTIVE_NAME), text(keys::GROUP_NAME));
    if name.get().is_none() && group.get().is_none() {
        return None;
    }
    Some(Collective {
        name,
        dtype: text(keys::DTYPE),
        group,
        group_description: text(keys::GROUP_DESCRIPTION),
        ranks: text(keys::GROUP_RANKS),
        group_size: serial(object, keys::GROUP_SIZE),
        input_elements: number(keys::INPUT_ELEMENTS),
        output_elements: number(keys::OUTPUT_ELEMENTS),
        sequence: number(keys::SEQUENCE),
        source: serial(object, keys::SOURCE_RANK),
        destination: serial(object, keys::DESTINATION_RANK),
    })
}

/// A memory event, on a track at a time.
pub(super) fn memory(object: &Object<'_>, track: TrackId, at: Nanos) -> MemoryEvent {
    let number = |key| object.inner(key).and_then(signed);
    // `c10::DeviceType` 0 is the host.
    let on_device = number(keys::DEVICE_TYPE) != Some(0);
    let device = number(keys::DEVICE_ID).filter(|id| on_device && *id >= 0);
    MemoryEvent {
        at,
        address: object.inner(keys::ADDRESS).and_then(unsigned).unwrap_or_default(),
        bytes: number(keys::MEMORY_BYTES).unwrap_or_default(),
        allocated: number(keys::TOTAL_ALLOCATED).unwrap_or(NO_TOTAL),
        reserved: number(keys::TOTAL_RESERVED).unwrap_or(NO_TOTAL),
        track,
        device: MemoryEvent::device_number(device),
        pool: if number(keys::POOL) == Some(1) { MemoryPool::Reserved } else { MemoryPool::Allocated },
    }
}

/// The correlation and the external id among a call's arguments.
pub(super) fn call(object: &Object<'_>) -> Call {
    Call { correlation: serial(object, keys::CORRELATION), external: serial(object, keys::EXTERNAL_ID) }
}

/// The event that a synchronization waits for, if its arguments have one that was recorded in the trace.
pub(super) fn awaited_event(object: &Object<'_>) -> Option<AwaitedEvent> {
    let record = serial(object, keys::AWAITED_RECORD);
    let stream = signed(object.inner(keys::AWAITED_STREAM)?)?;
    (record != NO_SERIAL).then_some(AwaitedEvent { stream, record })
}

/// The device among an event's arguments.
pub(super) fn device(object: &Object<'_>) -> Option<i64> {
    signed(object.inner(keys::DEVICE)?)
}

/// The stream among an activity's arguments.
pub(super) fn stream(object: &Object<'_>) -> Option<i64> {
    signed(object.inner(keys::STREAM)?)
}

/// The stream among the arguments of an event that is not an activity, if it is a number.
///
/// HIP's runtime calls have a quoted handle instead, which is not a stream number.
pub(super) fn stream_number(object: &Object<'_>) -> Option<i64> {
    match object.inner(keys::STREAM)? {
        Value::Number(number) => number.to_i64(),
        _ => None,
    }
}
