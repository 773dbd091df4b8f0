//! The arguments of the Chrome export's events.

use super::{category, keys};
use crate::chrome::args::{launch_config, serial, signed, unsigned};
use stepscope_base::Nanos;
use stepscope_parse::{Object, Value};
use stepscope_trace::{Activity, LaunchConfig, MemoryEvent, NO_BYTES, NO_TOTAL, TrackId};

/// The activity of a kernel, memcpy or memset.
pub(super) fn activity(object: &Object<'_>) -> Activity {
    Activity {
        correlation: serial(object, keys::CORRELATION),
        bytes: object.inner(keys::BYTES).and_then(bytes).unwrap_or(NO_BYTES),
        ..Activity::default()
    }
}

/// A number of bytes. Paddle prints some as signed 32-bit integers: values beyond 2 GB become negative.
fn bytes(value: Value<'_>) -> Option<u64> {
    let bytes = signed(value)?;
    let wrapped = || i32::try_from(bytes).ok().map(|bytes| u64::from(bytes.cast_unsigned()));
    u64::try_from(bytes).ok().or_else(wrapped)
}

/// The launch configuration of a kernel, if it has one.
pub(super) fn config(object: &Object<'_>) -> Option<LaunchConfig> {
    let sizes = [keys::GRID, keys::BLOCK, keys::REGISTERS, keys::SHARED_MEMORY];
    launch_config(object, sizes, [keys::BLOCKS_PER_SM, keys::WARPS_PER_SM, keys::OCCUPANCY])
}

/// A memory event, on a track at a time.
pub(super) fn memory(object: &Object<'_>, category: &[u8], track: TrackId, at: Nanos) -> MemoryEvent {
    let number = |key| object.inner(key).and_then(signed);
    let device = object.inner(keys::PLACE).and_then(|place| match place {
        Value::Text(place) => category::device_of(&place.bytes()),
        _ => None,
    });
    MemoryEvent {
        at,
        address: object.inner(keys::ADDRESS).and_then(unsigned).unwrap_or_default(),
        bytes: number(keys::INCREASE).unwrap_or_default(),
        allocated: number(keys::ALLOCATED).unwrap_or(NO_TOTAL),
        reserved: number(keys::RESERVED).unwrap_or(NO_TOTAL),
        track,
        device: MemoryEvent::device_number(device),
        pool: category::pool(category),
    }
}

/// The place of a memory event, and its peaks of allocated and reserved bytes since the process began.
pub(super) fn peaks(object: &Object<'_>) -> Option<(String, [i64; 2])> {
    let number = |key| object.inner(key).and_then(signed).unwrap_or_default();
    match object.inner(keys::PLACE)? {
        Value::Text(place) => {
            let place = String::from_utf8_lossy(&place.bytes()).into_owned();
            Some((place, [number(keys::PEAK_ALLOCATED), number(keys::PEAK_RESERVED)]))
        }
        _ => None,
    }
}

/// The device of an activity; copies have none and belong to their process's device.
pub(super) fn device(object: &Object<'_>) -> Option<i64> {
    signed(object.inner(keys::DEVICE)?)
}

/// The stream of an activity.
pub(super) fn stream(object: &Object<'_>) -> Option<i64> {
    signed(object.inner(keys::STREAM)?)
}
