//! Values among an event's arguments.

use super::keys;
use stepscope_parse::{Decimal, Key, Object, Value};
use stepscope_trace::{LaunchConfig, NO_SERIAL, NameId, Serial, TraceBuilder};

/// A counter's arguments by name: numbers, or the text of other values.
pub(crate) fn counter_values(object: &Object<'_>) -> Vec<(String, Result<f64, String>)> {
    let Some(Value::Object(text)) = object.get(keys::ARGS) else {
        return Vec::new();
    };
    let Ok(serde_json::Value::Object(values)) = serde_json::from_slice(text) else {
        return Vec::new();
    };
    let number = |value: &serde_json::Value| {
        let number: Option<f64> = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok());
        number.filter(|number| number.is_finite())
    };
    values.into_iter().map(|(series, value)| (series, number(&value).ok_or_else(|| value.to_string()))).collect()
}

/// An argument that is a serial id; [`NO_SERIAL`] if it is not one, or too large.
#[inline]
pub(crate) fn serial(object: &Object<'_>, key: Key) -> Serial {
    object.inner(key).and_then(unsigned).map_or(NO_SERIAL, serial_of)
}

/// An id as 32 bits.
#[inline]
pub(crate) fn serial_of(id: u64) -> Serial {
    Serial::try_from(id).unwrap_or(NO_SERIAL)
}

/// An unsigned integer, which may be quoted or hexadecimal.
#[inline]
pub(crate) fn unsigned(value: Value<'_>) -> Option<u64> {
    match value {
        Value::Number(number) => number.to_u64(),
        Value::Text(text) => {
            let bytes = text.bytes();
            match bytes.strip_prefix(b"0x") {
                Some(digits) => u64::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok(),
                None => Decimal::parse(&bytes)?.to_u64(),
            }
        }
        _ => None,
    }
}

/// A signed integer, which may be quoted or hexadecimal.
#[inline]
pub(crate) fn signed(value: Value<'_>) -> Option<i64> {
    match value {
        Value::Number(number) => number.to_i64(),
        Value::Text(text) if text.bytes().starts_with(b"-") => Decimal::parse(&text.bytes())?.to_i64(),
        Value::Text(_) => i64::try_from(unsigned(value)?).ok(),
        _ => None,
    }
}

/// The handle of a value's text; none if it is empty.
pub(crate) fn intern(builder: &mut TraceBuilder, value: Value<'_>) -> Option<NameId> {
    match value {
        Value::Text(text) => Some(text.bytes()).filter(|text| !text.is_empty()).map(|text| builder.intern(&text)),
        Value::List(text) => Some(builder.intern(text)),
        Value::Number(number) => Some(builder.intern(number.to_i64()?.to_string().as_bytes())),
        _ => None,
    }
}

/// The launch configuration of a kernel, if it has one. The keys are, in this order, those of grid, block, registers
/// and shared memory, and those of blocks, warps and occupancy in percent of a multiprocessor.
pub(crate) fn launch_config(
    object: &Object<'_>,
    [grid, block, registers, shared_memory]: [Key; 4],
    [blocks, warps, occupancy]: [Key; 3],
) -> Option<LaunchConfig> {
    if !object.has_inner(grid, occupancy) {
        return None;
    }
    let number = |key| match object.inner(key) {
        Some(Value::Number(number)) => number.to_f64(),
        _ => f64::NAN,
    };
    Some(LaunchConfig {
        grid: triple(object, grid),
        block: triple(object, block),
        registers: serial(object, registers),
        shared_memory: serial(object, shared_memory),
        blocks_per_sm: number(blocks),
        warps_per_sm: number(warps),
        occupancy_percent: number(occupancy),
    })
}

/// The three numbers of a list.
fn triple(object: &Object<'_>, key: Key) -> [u32; 3] {
    let Some(Value::List(text)) = object.inner(key) else { return [0; 3] };
    let mut numbers = [0; 3];
    let mut digits = text.split(|byte| !byte.is_ascii_digit()).filter(|digits| !digits.is_empty());
    for number in &mut numbers {
        let Some(digits) = digits.next() else { break };
        *number =
            digits.iter().fold(0_u32, |value, digit| value.saturating_mul(10).saturating_add(u32::from(digit - b'0')));
    }
    numbers
}
