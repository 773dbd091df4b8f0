//! Device activities, recorded later than they happened.

use stepscope_format::device::{Activity, Detail, MOST_DETAILS};
use stepscope_format::{Category, HOST, Kind, Record};

use super::event::MemoryDevice;
use super::state::is_recording;
use super::thread;

/// Records a device activity or a call, with its times in ns of `CLOCK_MONOTONIC`. Readers get it with all its details,
/// of which the first [`MOST_DETAILS`] are kept, or not at all.
pub fn activity(activity: &Activity, details: &[Detail]) {
    if is_recording() {
        let details = &details[..details.len().min(MOST_DETAILS)];
        let mut records = [activity.record(); MOST_DETAILS + 1];
        for (place, detail) in records[1..].iter_mut().zip(details) {
            *place = detail.record();
        }
        thread::group(&records[..details.len() + 1]);
    }
}

/// Records a detail that is of no activity: a device, a name.
pub fn device_detail(detail: &Detail) {
    if is_recording() {
        thread::group(&[detail.record()]);
    }
}

/// Records an allocation or, with less than no bytes, a release that happened at a time in ns of `CLOCK_MONOTONIC`.
pub fn memory_at(at: u64, device: MemoryDevice, address: u64, bytes: i64) {
    if is_recording() {
        let aux = match device {
            MemoryDevice::Host => HOST,
            MemoryDevice::Device(number) => number.min(HOST - 1),
        };
        let (kind, category, value) = (Kind::Memory, Category::General, bytes.cast_unsigned());
        thread::group(&[Record { kind, category, aux, name: 0, at, extent: address, value }]);
    }
}
