//! One row per activity, or per call.

use super::number::{Unit, bytes, gigabytes_per_second, throughput, time};
use super::{NvprofStyle, heading};
use stepscope_analyze::nvprof_name;
use stepscope_base::{CompactSort, Nanos};
use stepscope_present::csv::quoted;
use stepscope_trace::{Activity, Class, EventId, NO_SERIAL, Trace};

/// The letters of a device's name that are printed.
const DEVICE: usize = 15;

const TITLES: &str = "   Start  Duration            Grid Size      Block Size     Regs*    SSMem*    DSMem*      Size  Throughput  \
                      SrcMemType  DstMemType           Device   Context    Stream  Name\n";

const LEGEND: &str = "
Regs: Number of registers used per CUDA thread. This number includes registers used internally by the CUDA driver and/or tools and can be more than what the compiler shows.
SSMem: Shared memory allocated per CUDA block, static and dynamic together: traces give no more than the sum.
DSMem: Dynamic shared memory allocated per CUDA block.
SrcMemType: The type of source memory accessed by memory operation/copy
DstMemType: The type of destination memory accessed by memory operation/copy
";

const CSV_TITLES: &str = "\"Start\",\"Duration\",\"Grid X\",\"Grid Y\",\"Grid Z\",\"Block X\",\"Block Y\",\"Block Z\",\
                          \"Registers Per Thread\",\"Static SMem\",\"Dynamic SMem\",\"Size\",\"Throughput\",\
                          \"SrcMemType\",\"DstMemType\",\"Device\",\"Context\",\"Stream\",\"Name\",\"Correlation_ID\"\n";

/// Activities of devices, by start (`--print-gpu-trace`).
#[must_use]
pub fn devices(trace: &Trace, style: NvprofStyle) -> String {
    let mut activities: Vec<&Activity> = trace.activities.iter().collect();
    activities.compact_sort_by_key(|activity| trace.slices.start(activity.event));
    let mut text = heading(trace, None, style);
    if style.csv {
        let units = Units::of(trace, &activities, style);
        text += CSV_TITLES;
        text += &units.line();
        text.extend(activities.iter().map(|activity| units.row(trace, activity)));
    } else {
        text += TITLES;
        text.extend(activities.iter().map(|activity| row(trace, activity, style)));
        text += LEGEND;
    }
    text
}

/// The memory that a copy reads and writes, from its name; a memset only writes.
fn memory_types<'a>(trace: &'a Trace, activity: &Activity) -> [Option<&'a str>; 2] {
    let inside = || trace.name_of(activity.event).split_once('(')?.1.split_once(')').map(|(inside, _)| inside);
    match (trace.slices.class(activity.event), inside()) {
        (Class::Memcpy, Some(inside)) => match inside.split_once(" -> ") {
            Some((from, to)) => [Some(from), Some(to)],
            None => [None, None],
        },
        (Class::Memset, Some(inside)) => [Some(inside), None],
        _ => [None, None],
    }
}

/// A device's model and number.
fn device(trace: &Trace, activity: &Activity) -> Option<(String, i64, i64)> {
    let stream = trace.stream_of(activity.event)?;
    let known = trace.meta.devices.iter().find(|device| device.id == stream.device);
    let name = known.map(|device| device.name.as_str()).filter(|name| !name.is_empty()).unwrap_or("Device");
    Some((name.to_owned(), stream.device, stream.stream))
}

/// A kernel's registers and shared memory in bytes, where known.
fn resources(trace: &Trace, activity: &Activity) -> [Option<u32>; 2] {
    let config = trace.config(activity);
    let known = |value: u32| (value != u32::MAX).then_some(value);
    [config.and_then(|config| known(config.registers)), config.and_then(|config| known(config.shared_memory))]
}

fn row(trace: &Trace, activity: &Activity, style: NvprofStyle) -> String {
    let (start, length) = (trace.slices.start(activity.event), trace.slices.length(activity.event));
    let config = trace.config(activity).filter(|config| config.grid != [0; 3]);
    let sides = |sides: [u32; 3]| format!("({} {} {})", sides[0], sides[1], sides[2]);
    let [registers, shared] = resources(trace, activity);
    let [from, to] = memory_types(trace, activity).map(|kind| kind.map(str::to_owned));
    let device = device(trace, activity);
    let moved = activity.known_bytes();
    let cells: [(Option<String>, usize); 14] = [
        (Some(time(start, style.unit)), 8),
        (Some(time(length, style.unit)), 8),
        (config.map(|config| sides(config.grid)), 19),
        (config.map(|config| sides(config.block)), 14),
        (registers.map(|registers| registers.to_string()), 8),
        (shared.map(|shared| bytes(shared.into())), 8),
        (None, 8),
        (moved.map(bytes), 8),
        (moved.and_then(|moved| throughput(moved, length)), 10),
        (from, 10),
        (to, 10),
        (device.as_ref().map(|(name, id, _)| format!("{name} ({id})").chars().take(DEVICE).collect()), DEVICE),
        (None, 8),
        (device.map(|(.., stream)| stream.to_string()), 8),
    ];
    let cells = cells.map(|(cell, width)| format!("{:>width$}", cell.unwrap_or_else(|| "-".to_owned())));
    format!("{}  {}\n", cells.join("  "), numbered(trace, activity))
}

/// An activity's name; for a kernel, with the correlation id of its call.
fn numbered(trace: &Trace, activity: &Activity) -> String {
    let name = nvprof_name(trace, activity.event);
    let is_kernel = trace.slices.class(activity.event) == Class::Kernel;
    if is_kernel && activity.correlation != NO_SERIAL {
        format!("{name} [{}]", activity.correlation)
    } else {
        name.into_owned()
    }
}

/// The units of the columns that have one.
struct Units {
    start: Unit,
    length: Unit,
    shared: Unit,
    size: Unit,
}

impl Units {
    fn of(trace: &Trace, activities: &[&Activity], style: NvprofStyle) -> Self {
        let times = |of: &dyn Fn(EventId) -> Nanos| match style.unit {
            Some(unit) => Unit::Time(unit),
            None => Unit::of_times(activities.iter().map(|activity| of(activity.event))),
        };
        let sizes = |least: Option<u64>| Unit::Bytes(least.map_or(1, |bytes| bytes.ilog2() / 10));
        let shared = activities.iter().filter_map(|activity| resources(trace, activity)[1]).filter(|bytes| *bytes > 0);
        let moved = activities.iter().filter_map(|activity| activity.known_bytes()).filter(|bytes| *bytes > 0);
        Self {
            start: times(&|id| trace.slices.start(id)),
            length: times(&|id| trace.slices.length(id)),
            shared: sizes(shared.min().map(u64::from)),
            size: sizes(moved.min()),
        }
    }

    fn line(&self) -> String {
        let (shared, size) = (self.shared.symbol(), self.size.symbol());
        format!("{},{},,,,,,,,{shared},{shared},{size},GB/s,,,,,,,\n", self.start.symbol(), self.length.symbol())
    }

    #[expect(clippy::cast_precision_loss, reason = "six decimals are shown")]
    fn row(&self, trace: &Trace, activity: &Activity) -> String {
        let (start, length) = (trace.slices.start(activity.event), trace.slices.length(activity.event));
        let six = |value: f64| format!("{value:.6}");
        let mut cells = vec![six(self.start.of(start.0 as f64)), six(self.length.of(length.0 as f64))];
        let config = trace.config(activity).filter(|config| config.grid != [0; 3]);
        for side in 0..6 {
            let sides = config.map(|config| [config.grid, config.block].concat());
            cells.push(sides.map(|sides| sides[side].to_string()).unwrap_or_default());
        }
        let [registers, shared] = resources(trace, activity);
        cells.push(registers.map(|registers| registers.to_string()).unwrap_or_default());
        cells.push(shared.map(|shared| six(self.shared.of(shared.into()))).unwrap_or_default());
        cells.push(String::new());
        let moved = activity.known_bytes();
        cells.push(moved.map(|moved| six(self.size.of(moved as f64))).unwrap_or_default());
        cells.push(moved.and_then(|moved| gigabytes_per_second(moved, length)).map(six).unwrap_or_default());
        cells.extend(memory_types(trace, activity).map(|kind| kind.map(quoted).unwrap_or_default()));
        let device = device(trace, activity);
        cells.push(device.as_ref().map(|(name, id, _)| quoted(&format!("{name} ({id})"))).unwrap_or_default());
        cells.push(String::new());
        cells.push(device.map(|(.., stream)| quoted(&stream.to_string())).unwrap_or_default());
        cells.push(quoted(&nvprof_name(trace, activity.event)));
        let known = activity.correlation != NO_SERIAL;
        cells.push(if known { activity.correlation.to_string() } else { String::new() });
        cells.join(",") + "\n"
    }
}

/// The calls of the runtime and driver, by start (`--print-api-trace`).
#[must_use]
pub fn calls(trace: &Trace, style: NvprofStyle) -> String {
    let mut calls: Vec<EventId> = trace.slices_of(Class::RuntimeCall).collect();
    calls.compact_sort_by_key(|call| trace.slices.start(*call));
    let mut kernels: Vec<(EventId, &Activity)> = trace
        .activities
        .iter()
        .filter(|activity| trace.slices.class(activity.event) == Class::Kernel)
        .filter_map(|activity| Some((activity.call.get()?, activity)))
        .collect();
    kernels.compact_sort_by_key(|(call, _)| *call);
    let launched = |call: EventId| {
        let first = kernels.partition_point(|(known, _)| *known < call);
        kernels.get(first).filter(|(known, _)| *known == call).map(|(_, activity)| *activity)
    };
    let mut text = heading(trace, None, style);
    if style.csv {
        let unit = |of: &dyn Fn(EventId) -> Nanos| match style.unit {
            Some(unit) => Unit::Time(unit),
            None => Unit::of_times(calls.iter().map(|call| of(*call))),
        };
        let units = [unit(&|id| trace.slices.start(id)), unit(&|id| trace.slices.length(id))];
        text += "\"Start\",\"Duration\",\"Name\",\"Correlation_ID\"\n";
        text += &format!("{},{},,\n", units[0].symbol(), units[1].symbol());
        for call in calls {
            #[expect(clippy::cast_precision_loss, reason = "six decimals are shown")]
            let [start, length] = [trace.slices.start(call).0 as f64, trace.slices.length(call).0 as f64];
            let id = trace.call(call).map(|call| call.correlation).filter(|id| *id != NO_SERIAL);
            let id = id.map(|id| id.to_string()).unwrap_or_default();
            let name = quoted(trace.name_of(call));
            text += &format!("{:.6},{:.6},{name},{id}\n", units[0].of(start), units[1].of(length));
        }
        return text;
    }
    text += "   Start  Duration  Name\n";
    for call in calls {
        let kernel = launched(call).map(|kernel| format!(" ({})", numbered(trace, kernel))).unwrap_or_default();
        let (start, length) = (time(trace.slices.start(call), style.unit), time(trace.slices.length(call), style.unit));
        text += &format!("{start:>8}  {length:>8}  {}{kernel}\n", trace.name_of(call));
    }
    text
}
