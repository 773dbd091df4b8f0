//! The memory that a device has.

use stepscope_trace::Trace;

/// The bytes that a device has, as the trace records its properties.
pub(crate) fn of_device(trace: &Trace, device: u32) -> Option<i64> {
    let known = trace.meta.devices.iter().find(|known| known.id == i64::from(device))?;
    i64::try_from(known.memory_bytes?).ok().filter(|bytes| *bytes > 0)
}

/// The part of a capacity that is in use at most.
#[expect(clippy::cast_precision_loss, reason = "bytes, for a share")]
pub(crate) fn share(peak: i64, capacity: Option<i64>) -> Option<f64> {
    Some(peak as f64 / capacity? as f64)
}
