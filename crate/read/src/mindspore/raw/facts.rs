//! Small files with the device of a folder and with its clocks.

use serde_json::Value;

use crate::mindspore::facts::{fact, note};
use stepscope_parse::Decimal;
use stepscope_trace::{Device, TraceBuilder};

/// `start_info`: the Unix time at a value of msprof's clock, which counts from the machine's start.
pub(super) fn start(builder: &mut TraceBuilder, line: &[u8]) -> bool {
    let Ok(value) = serde_json::from_slice::<Value>(line) else { return false };
    let number = |key: &str| value.get(key)?.as_str()?.parse::<i64>().ok();
    let (Some(began), Some(clock)) = (number("collectionTimeBegin"), number("clockMonotonicRaw")) else { return false };
    if fact(builder, "clock") == Some("uptime") {
        builder.meta.origin_unix_ns = began.checked_mul(1000).and_then(|began| began.checked_sub(clock));
    }
    true
}

/// `info.json`: the device.
pub(super) fn device(builder: &mut TraceBuilder, line: &[u8]) -> bool {
    let Ok(value) = serde_json::from_slice::<Value>(line) else { return false };
    for device in value.get("DeviceInfo").and_then(Value::as_array).into_iter().flatten() {
        let Some(id) = device.get("id").and_then(Value::as_i64) else { continue };
        if builder.meta.devices.iter().all(|known| known.id != id) {
            let cores = device.get("ai_core_num").and_then(Value::as_u64).and_then(|cores| u32::try_from(cores).ok());
            let device = Device { id, name: "Ascend".to_owned(), multiprocessors: cores, ..Device::default() };
            builder.meta.devices.push(device);
        }
    }
    true
}

/// `min_cycle_counter`: the device's counter at the first task, in ticks of 10 ns.
pub(super) fn cycle_counter(line: &[u8]) -> Option<i64> {
    Decimal::parse(line.trim_ascii()).and_then(Decimal::to_i64)
}

pub(super) fn note_cycle_counter(builder: &mut TraceBuilder, line: &[u8]) -> bool {
    let Some(ticks) = cycle_counter(line) else { return false };
    note(builder, "min_cycle_counter", &ticks.to_string());
    true
}
