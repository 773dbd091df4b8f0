//! Use of the device by kernels and copies: occupancy and its limit, waves, FLOP/s and bandwidth against the device's
//! peak, time against its limit. METRICS section 4. Expensive, so computed on request.

use std::cmp::Reverse;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::coverage::{Covered, Weighted};
use super::devices::{DeviceModel, GivenPeaks, Peaks, SmLimits, Vendor, device_of};
use super::flops::{ComputingCall, ComputingCalls};
use super::kernel_families::KernelFamilies;
use super::kernel_family::KernelFamily;
use super::kernels::{KernelGrouping, KernelRow, kernel_rows};
use super::occupancy::{Occupancy, Waves, occupancy, product, waves};
use super::roofline::{AtLimit, Roofs, peak_of_call};
use super::scope::Scope;
use super::sm_efficiency::efficiency;
use super::tensor_cores::{TensorCoreUse, TensorCores};
use stepscope_base::{CompactSort, Interval, Nanos};
use stepscope_trace::{Activity, ActivityId, Class, ConfigId, LaunchConfig, Trace};

/// Work of kernels in calls with known FLOPs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Computed {
    /// Floating-point operations: a call's are shared by duration among its kernels that compute.
    pub flops: u64,
    /// Number of kernels that compute them.
    pub calls: u64,
    /// For all calls together, the time during which any of a call's kernels runs.
    pub time: Nanos,
    /// The part of that in calls whose device has a known peak for their work.
    pub time_with_peak: Nanos,
    /// The time that these would take at that peak, in ns.
    pub least: f64,
    /// The durations of the kernels that take part.
    pub kernel_time: Nanos,
    /// The same for those with a peak.
    pub kernel_time_with_peak: Nanos,
    /// The durations of all kernels that may compute: the FLOPs of the others are not known.
    pub all: Nanos,
}

impl Computed {
    fn add(&mut self, part: &FlopsPart, length: Nanos) {
        self.flops = self.flops.saturating_add(part.flops);
        self.calls += 1;
        self.time += part.time;
        self.kernel_time += length;
        if let Some(peak) = part.peak {
            self.time_with_peak += part.time;
            self.kernel_time_with_peak += length;
            self.least += float(part.flops) / peak;
        }
    }

    /// FLOP/s = FLOPs / the time of the calls that compute them.
    #[must_use]
    pub fn per_second(&self) -> Option<Covered> {
        self.over(self.time)
    }

    /// FLOPs over a span, per second.
    #[must_use]
    pub fn over(&self, span: Nanos) -> Option<Covered> {
        let rate = (span > Nanos::ZERO).then(|| float(self.flops) / nanos(span) * 1e9)?;
        Covered::of(rate, self.kernel_time, self.all)
    }

    /// FLOP/s as a share of the device's peak: the least time that the device could take / what the calls took.
    #[must_use]
    pub fn share_of_peak(&self) -> Option<Covered> {
        self.least_over(self.time_with_peak)
    }

    /// The least time as a share of a span.
    #[must_use]
    pub fn least_over(&self, span: Nanos) -> Option<Covered> {
        let share = (span > Nanos::ZERO).then(|| self.least / nanos(span))?;
        Covered::of(share, self.kernel_time_with_peak, self.all)
    }
}

/// A kernel's part of its call's work.
struct FlopsPart {
    flops: u64,
    time: Nanos,
    /// The peak for the call's work, in FLOP per ns.
    peak: Option<f64>,
}

/// The parts of all kernels whose calls have known FLOPs.
fn parts(
    trace: &Trace,
    calls: &ComputingCalls,
    used: &TensorCoreUse,
    given: &GivenPeaks,
) -> HashMap<ActivityId, FlopsPart, FxBuildHasher> {
    let mut peaks: Vec<(i64, Option<Peaks>)> = Vec::new();
    let mut parts: HashMap<ActivityId, FlopsPart, FxBuildHasher> = HashMap::default();
    for call in calls.iter() {
        let first = call.kernels.first().and_then(|id| trace.stream_of(trace.activities[id.index()].event));
        let of_device = first.and_then(|stream| {
            let known = peaks.iter().find(|(device, _)| *device == stream.device).map(|(_, peaks)| *peaks);
            known.unwrap_or_else(|| {
                let found = given.of_device(device_of(trace, stream.device));
                peaks.push((stream.device, found));
                found
            })
        });
        let peak = of_device.and_then(|peaks| peak_of_call(trace, &call, used, &peaks));
        for (id, flops, time) in call.parts(trace) {
            parts.insert(id, FlopsPart { flops, time, peak });
        }
    }
    parts
}

/// The calls of a scope, or of the whole trace, with known FLOPs, each with its share of the device's peak; `None` if the
/// peak is unknown. In the trace's order.
#[must_use]
pub fn shares_of_peak(trace: &Trace, given: &GivenPeaks) -> Vec<(stepscope_trace::EventId, Option<f64>)> {
    let (calls, used) = (ComputingCalls::of(trace, None), TensorCoreUse::of(trace, given));
    let parts = parts(trace, &calls, &used, given);
    let share = |call: ComputingCall<'_>| {
        let peak = call.kernels.first().and_then(|id| parts.get(id)?.peak);
        (call.call, call.rate().zip(peak).map(|(rate, peak)| rate / peak))
    };
    calls.iter().map(share).collect()
}

/// One way in which a row's kernels were launched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KernelLaunch {
    /// Grid, block, registers, shared memory.
    pub config: ConfigId,
    /// The device.
    pub device: i64,
    /// Number of such launches.
    pub calls: u64,
    /// Their total time.
    pub total: Nanos,
    /// The theoretical occupancy; `None` if the launch or the device's limits are not known.
    pub occupancy: Option<Occupancy>,
    /// The waves; `None` likewise.
    pub waves: Option<Waves>,
}

/// A row of the table of kernels.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelUse {
    /// Times.
    pub row: KernelRow,
    /// Number of different launch configurations.
    pub launches: usize,
    /// The launch with the longest total.
    pub main: Option<KernelLaunch>,
    /// Theoretical occupancy, the mean weighted by duration.
    pub occupancy: Option<Covered>,
    /// The tail effect, likewise.
    pub tail: Option<Covered>,
    /// FLOPs.
    pub computed: Computed,
    /// The time that they would take at the device's limit.
    pub at_limit: AtLimit,
    /// The family with the most of its time; one name may be launched by operators of several.
    pub family: Option<KernelFamily>,
}

/// Use of a device by its kernels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeviceUse {
    /// Its number.
    pub device: i64,
    /// Its model; `None` if the table of devices does not have it.
    pub model: Option<&'static DeviceModel>,
    /// Its peaks, from the table and the user; `None` without either.
    pub peaks: Option<Peaks>,
    /// Its maker.
    pub vendor: Vendor,
    /// The span: from its first activity to its last one's end, or the step.
    pub span: Interval,
    /// SM efficiency: the mean over the span of min(1, blocks per multiprocessor of the kernels that run).
    pub sm_efficiency: Option<Covered>,
    /// Theoretical occupancy, the mean over kernels weighted by duration.
    pub occupancy: Option<Covered>,
    /// The producer's estimate of the achieved one, likewise.
    pub achieved_occupancy: Option<Covered>,
    /// The share of the kernels' time in kernels that use tensor cores, among those for which that is known.
    pub tensor_cores: Option<Covered>,
    /// FLOPs.
    pub computed: Computed,
}

impl DeviceUse {
    /// FLOPs over the whole span, per second.
    #[must_use]
    pub fn flops_per_second_of_span(&self) -> Option<Covered> {
        self.computed.over(self.span.len())
    }

    /// The same as a share of the peak: "hardware FLOPs utilization" (HFU).
    #[must_use]
    pub fn peak_share_of_span(&self) -> Option<Covered> {
        self.computed.least_over(self.span.len())
    }
}

/// Kernels and their use of the devices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KernelUses {
    /// The rows, the longest total first.
    pub rows: Vec<KernelUse>,
    /// The devices that ran kernels, by number.
    pub devices: Vec<DeviceUse>,
}

/// The use of the devices by the kernels of a scope, or of the whole trace.
///
/// ```
/// use stepscope::{Loader, analyze};
/// use stepscope::analyze::{GivenPeaks, KernelGrouping, Limiter};
///
/// // A product of 2 · 4096³ FLOPs in 1 ms: 137 TFLOP/s, 44 % of an A100's 312.
/// let text = br#"{"deviceProperties": [{"id": 0, "name": "NVIDIA A100-SXM4-40GB", "numSms": 108, "warpSize": 32,
///     "computeMajor": 8, "computeMinor": 0, "totalGlobalMem": 42505273344}], "traceEvents": [
///   {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":0,"dur":20,"args":{
///    "Input Dims":[[4096,4096],[4096,4096]],"Input type":["c10::Half","c10::Half"]}},
///   {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":5,"dur":2,"args":{"correlation":9}},
///   {"ph":"X","cat":"kernel","name":"ampere_fp16_s16816gemm","pid":0,"tid":7,"ts":10,"dur":1000,"args":{"correlation":9,
///    "device":0,"stream":7,"grid":[16,32,1],"block":[256,1,1],"registers per thread":128,"shared memory":0}}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let found = analyze::kernel_use(&trace, KernelGrouping::Name, None, &GivenPeaks::default());
/// let (gemm, main) = (&found.rows[0], found.rows[0].main.expect("a launch"));
/// let occupancy = main.occupancy.expect("all is told");
/// // 128 registers: 16 warps, so two blocks of 8, which makes 216 at once; 512 blocks are 2.37 waves.
/// assert_eq!((occupancy.blocks, occupancy.limiter, occupancy.share), (2, Limiter::Registers, 0.25));
/// assert_eq!(main.waves.map(|waves| waves.at_once), Some(216));
/// assert_eq!(gemm.computed.flops, 2 * 4096_u64.pow(3));
/// assert!((gemm.computed.share_of_peak().expect("a peak").value - 0.4405).abs() < 1e-4);
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn kernel_use(
    trace: &Trace,
    grouping: KernelGrouping,
    scope: Option<&Scope<'_>>,
    given: &GivenPeaks,
) -> KernelUses {
    let used = TensorCoreUse::of(trace, given);
    let of_row = kernel_rows(trace, grouping, scope, &used);
    let mut rows: Vec<KernelUse> = of_row.into_iter().map(KernelUse::of).collect();
    let places = rows.iter().enumerate().map(|(index, one)| (one.row.key(), index));
    let row_of: HashMap<_, usize, FxBuildHasher> = places.collect();
    let mut keys = grouping.keys(trace);
    let parts = parts(trace, &ComputingCalls::of(trace, scope), &used, given);
    let roofs = Roofs::of_calls(trace, given, &used);
    let mut launches: HashMap<(usize, ConfigId, i64), KernelLaunch, FxBuildHasher> = HashMap::default();
    let mut devices: Vec<Building> = Vec::new();
    let mut families = KernelFamilies::default();
    let mut of_families: HashMap<(usize, KernelFamily), Nanos, FxBuildHasher> = HashMap::default();
    for (index, activity) in trace.activities.iter().enumerate() {
        let id = ActivityId::from_index(index);
        if trace.slices.class(activity.event) != Class::Kernel || scope.is_some_and(|scope| !scope.has_activity(id)) {
            continue;
        }
        let Some(stream) = trace.stream_of(activity.event) else { continue };
        let key = keys.of(activity);
        let Some(row) = row_of.get(&key).copied() else { continue };
        let device = device_at(&mut devices, trace, stream.device, given);
        let length = trace.slices.length(activity.event);
        let launch = launches.entry((row, activity.config, stream.device)).or_insert_with(|| KernelLaunch {
            config: activity.config,
            device: stream.device,
            calls: 0,
            total: Nanos::ZERO,
            occupancy: None,
            waves: None,
        });
        launch.calls += 1;
        launch.total += length;
        let family = key.family.unwrap_or_else(|| families.get(trace, activity));
        *of_families.entry((row, family)).or_default() += length;
        device.add(trace, activity, rows[row].row.tensor_cores);
        let part = parts.get(&id);
        rows[row].computed.all += length;
        if let Ok(roof) = roofs.get(id) {
            rows[row].at_limit.add(roof, length);
        }
        if part.is_some() || (!activity.communication && used.may_be_product(trace.slices.name(activity.event))) {
            device.computed.all += length;
        }
        if let Some(part) = part {
            rows[row].computed.add(part, length);
            device.computed.add(part, length);
        }
    }
    fill_rows(&mut rows, &mut devices, trace, launches);
    let mut of_families: Vec<((usize, KernelFamily), Nanos)> = of_families.into_iter().collect();
    // Among families of equal time, the first in their order.
    of_families.compact_sort_by_key(|((row, family), time)| (*row, Reverse(*time), *family));
    for ((row, family), _) in of_families {
        rows[row].family.get_or_insert(family);
    }
    devices.compact_sort_by_key(|device| device.id);
    KernelUses { rows, devices: devices.into_iter().map(|device| device.finish(trace, scope)).collect() }
}

/// The work of kernels by name, as in [`kernel_use`], of which it is a small part: for each row, in the rows' order.
pub(super) fn computed_by_name(trace: &Trace, rows: &[KernelRow], given: &GivenPeaks) -> Vec<Computed> {
    let row_of: HashMap<_, usize, FxBuildHasher> =
        rows.iter().enumerate().map(|(index, row)| (row.key(), index)).collect();
    let used = TensorCoreUse::of(trace, given);
    let parts = parts(trace, &ComputingCalls::of(trace, None), &used, given);
    let mut keys = KernelGrouping::Name.keys(trace);
    let mut parts: Vec<(ActivityId, FlopsPart)> = parts.into_iter().collect();
    parts.compact_sort_by_key(|(id, _)| *id);
    let mut computed: Vec<Computed> =
        rows.iter().map(|row| Computed { all: row.time.total, ..Computed::default() }).collect();
    for (id, part) in parts {
        let activity = &trace.activities[id.index()];
        let Some(row) = row_of.get(&keys.of(activity)).copied() else { continue };
        computed[row].add(&part, trace.slices.length(activity.event));
    }
    computed
}

/// Gives each row its launches.
fn fill_rows(
    rows: &mut [KernelUse],
    devices: &mut [Building],
    trace: &Trace,
    launches: HashMap<(usize, ConfigId, i64), KernelLaunch, FxBuildHasher>,
) {
    let mut launches: Vec<((usize, ConfigId, i64), KernelLaunch)> = launches.into_iter().collect();
    launches.compact_sort_by_key(|(key, _)| *key);
    for of_row in launches.chunk_by(|a, b| a.0.0 == b.0.0) {
        let row = &mut rows[of_row[0].0.0];
        let (mut share, mut tail) = (Weighted::default(), Weighted::default());
        for ((.., device), launch) in of_row {
            let mut launch = *launch;
            let Some(device) = devices.iter_mut().find(|one| one.id == *device) else { continue };
            device.judge(trace, &mut launch);
            let occupancy = launch.occupancy.map(|occupancy| occupancy.share);
            share.add(occupancy, launch.total);
            device.occupancy.add(occupancy, launch.total);
            tail.add(launch.waves.map(|waves| waves.tail), launch.total);
            row.launches += usize::from(launch.config.get().is_some());
            // Among equal ones, the first.
            if row.main.is_none_or(|main| launch.total > main.total) {
                row.main = Some(launch);
            }
        }
        (row.occupancy, row.tail) = (share.mean(), tail.mean());
    }
}

impl KernelUse {
    fn of(row: KernelRow) -> Self {
        Self {
            row,
            launches: 0,
            main: None,
            occupancy: None,
            tail: None,
            computed: Computed::default(),
            at_limit: AtLimit::default(),
            family: None,
        }
    }
}

/// The sums of a device while they are collected.
struct Building {
    id: i64,
    model: Option<&'static DeviceModel>,
    peaks: Option<Peaks>,
    vendor: Vendor,
    limits: Option<SmLimits>,
    multiprocessors: Option<u32>,
    blocks: Vec<(Interval, Option<f64>)>,
    occupancy: Weighted,
    achieved: Weighted,
    tensor: Weighted,
    computed: Computed,
}

/// The device with that number; a new one at its first use.
fn device_at<'a>(devices: &'a mut Vec<Building>, trace: &Trace, id: i64, given: &GivenPeaks) -> &'a mut Building {
    let index = devices.iter().position(|device| device.id == id).unwrap_or_else(|| {
        let told = device_of(trace, id);
        devices.push(Building {
            id,
            model: told.and_then(DeviceModel::of),
            peaks: given.of_device(told),
            vendor: told.map(Vendor::of).unwrap_or_default(),
            limits: told.and_then(SmLimits::of),
            multiprocessors: told.and_then(|device| device.multiprocessors),
            blocks: Vec::new(),
            occupancy: Weighted::default(),
            achieved: Weighted::default(),
            tensor: Weighted::default(),
            computed: Computed::default(),
        });
        devices.len() - 1
    });
    &mut devices[index]
}

impl Building {
    fn add(&mut self, trace: &Trace, activity: &Activity, tensor_cores: TensorCores) {
        let length = trace.slices.length(activity.event);
        self.tensor.add(tensor_cores.known().map(|used| f64::from(u8::from(used))), length);
        let config = trace.config(activity);
        self.achieved.add(config.and_then(LaunchConfig::achieved_occupancy).map(|percent| percent / 100.0), length);
        let from_grid = |config: &LaunchConfig| {
            let blocks = product(config.grid).filter(|blocks| *blocks > 0)?;
            self.multiprocessors.filter(|count| *count > 0).map(|count| float(blocks) / f64::from(count))
        };
        let blocks = config.and_then(|config| config.recorded_blocks_per_sm().or_else(|| from_grid(config)));
        self.blocks.push((trace.slices.interval(activity.event), blocks));
    }

    fn judge(&self, trace: &Trace, launch: &mut KernelLaunch) {
        let config = launch.config.get().map(|config| &trace.configs[config.index()]);
        let (Some(config), Some(limits)) = (config, &self.limits) else { return };
        // A kernel that does not fit on a multiprocessor cannot have run there: some value in the trace is wrong.
        launch.occupancy = occupancy(limits, config).filter(|found| found.blocks > 0);
        launch.waves = launch.occupancy.and_then(|found| waves(config, self.multiprocessors?, found.blocks));
    }

    fn finish(self, trace: &Trace, scope: Option<&Scope<'_>>) -> DeviceUse {
        let here =
            |activity: &&Activity| trace.stream_of(activity.event).is_some_and(|stream| stream.device == self.id);
        let spans = trace.activities.iter().filter(here).map(|activity| trace.slices.interval(activity.event));
        let whole = || spans.reduce(|a, b| Interval::new(a.start.min(b.start), a.end.max(b.end))).unwrap_or_default();
        let span = scope.map_or_else(whole, Scope::span);
        DeviceUse {
            device: self.id,
            model: self.model,
            peaks: self.peaks,
            vendor: self.vendor,
            span,
            sm_efficiency: efficiency(&self.blocks, span),
            occupancy: self.occupancy.mean(),
            achieved_occupancy: self.achieved.mean(),
            tensor_cores: self.tensor.mean(),
            computed: self.computed,
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "rates for display")]
fn float(count: u64) -> f64 {
    count as f64
}

#[expect(clippy::cast_precision_loss, reason = "rates for display")]
fn nanos(length: Nanos) -> f64 {
    length.0 as f64
}

#[cfg(test)]
mod tests {
    use super::super::roofline::Bound;
    use super::*;
    use stepscope_input::Loader;

    /// A kernel of a call: name, start and length in µs, correlation, whether its grid is known.
    fn kernel(name: &str, start: u32, length: u32, correlation: u32, has_grid: bool) -> String {
        let grid = if has_grid {
            r#","grid":[216,1,1],"block":[256,1,1],"blocks per SM":2,"registers per thread":32,"shared memory":0"#
        } else {
            ""
        };
        format!(
            r#"{{"ph":"X","cat":"kernel","name":"{name}","pid":0,"tid":7,"ts":{start},"dur":{length},"args":{{
             "correlation":{correlation},"device":0,"stream":7{grid}}}}}"#
        )
    }

    /// A call of a runtime function that launches.
    fn call(start: u32, correlation: u32) -> String {
        format!(
            r#"{{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":{start},"dur":1,"args":{{
             "correlation":{correlation}}}}}"#
        )
    }

    fn operator(name: &str, start: u32, length: u32) -> String {
        format!(
            r#"{{"ph":"X","cat":"cpu_op","name":"{name}","pid":1,"tid":1,"ts":{start},"dur":{length},"args":{{
             "Input Dims":[[1,64,32,32],[64,64,3,3],[]],"Input type":["c10::Half","c10::Half",""],
             "Concrete Inputs":["","","","[1, 1]","[1, 1]","[1, 1]","False","[0, 0]","1"]}}}}"#
        )
    }

    fn found(events: &[String], given: &GivenPeaks) -> (Trace, KernelUses) {
        let text = format!(
            r#"{{"deviceProperties": [{{"id": 0, "name": "NVIDIA A100-SXM4-40GB", "numSms": 108, "warpSize": 32,
              "computeMajor": 8, "computeMinor": 0, "totalGlobalMem": 42505273344}}], "traceEvents": [{}]}}"#,
            events.join(",\n")
        );
        let mut loader = Loader::new("use.json");
        loader.space(text.len()).copy_from_slice(text.as_bytes());
        loader.advance(text.len()).expect("a trace");
        let trace = loader.finish().expect("a trace").trace;
        let found = kernel_use(&trace, KernelGrouping::Name, None, given);
        (trace, found)
    }

    /// 32 · 32 points of 64 channels, each a product of 64 · 9 weights.
    const CONVOLUTION: u64 = 2 * 32 * 32 * 64 * 64 * 9;

    fn convolution() -> Vec<String> {
        vec![
            operator("aten::convolution", 0, 20),
            // The same product again, as a part of the first.
            operator("aten::_convolution", 1, 18),
            call(2, 1),
            call(4, 2),
            kernel("transpose_kernel", 30, 30, 1, true),
            kernel("ampere_fp16_s16816gemm", 60, 10, 2, true),
        ]
    }

    #[test]
    fn a_calls_flops_are_those_of_its_kernels_that_compute_once() {
        let (trace, found) = found(&convolution(), &GivenPeaks::default());
        let device = &found.devices[0].computed;
        assert_eq!((device.flops, device.time), (CONVOLUTION, Nanos(10_000)));
        let of = |name: &str| {
            let row = found.rows.iter().find(|used| trace.strings.get(used.row.name) == name).expect("a row");
            (row.computed.flops, row.computed.time)
        };
        assert_eq!(of("transpose_kernel"), (0, Nanos::ZERO));
        assert_eq!(of("ampere_fp16_s16816gemm"), (CONVOLUTION, Nanos(10_000)));
        // On tensor cores.
        let shares: Vec<f64> =
            found.rows.iter().filter_map(|used| Some(used.computed.share_of_peak()?.value)).collect();
        let [share] = shares[..] else { panic!("{shares:?}") };
        assert!((share - CONVOLUTION as f64 / 10_000.0 / 312e3).abs() < 1e-9, "{share}");
        let rows = crate::operator_flops(&trace, None);
        assert_eq!(rows.iter().map(|row| row.flops).sum::<u64>(), CONVOLUTION, "nested operators count once");
    }

    #[test]
    fn what_is_known_for_a_part_says_so() {
        let mut events = convolution();
        events.push(kernel("ampere_fp16_s16816gemm", 100, 60, 9, false));
        let (_, found) = found(&events, &GivenPeaks::default());
        let device = &found.devices[0];
        let efficiency = device.sm_efficiency.expect("a part is known");
        // 40 of 130 µs are full, 60 unknown: 40 of 70.
        assert!(
            (efficiency.value - 4.0 / 7.0).abs() < 1e-9 && (efficiency.coverage - 0.4).abs() < 1e-9,
            "{efficiency:?}"
        );
        assert_eq!(device.occupancy.map(|found| found.coverage), Some(0.4));
        // FLOPs are known for 10 of the 70 µs of kernels that may compute.
        assert_eq!(device.flops_per_second_of_span().map(|found| found.coverage), Some(1.0 / 7.0));
        assert_eq!(device.peak_share_of_span().and_then(|found| found.enough()), None);
        let gemm = found.rows.iter().find(|used| used.row.time.calls == 2).expect("the product");
        assert_eq!(gemm.computed.per_second().map(|found| found.coverage), Some(1.0 / 7.0));
    }

    #[test]
    fn kernels_are_bound_by_the_limit_that_they_are_near() {
        // 335,872 bytes of points and weights at 1,555 GB/s are 216 ns, the FLOPs at 312 TFLOP/s 242 ns.
        let bound = |peaks: &str, length: u32, more: &[String]| {
            let mut events =
                vec![operator("aten::convolution", 0, 20), call(2, 1), kernel("s16816gemm", 60, length, 1, true)];
            events.extend_from_slice(more);
            let given = GivenPeaks::named(peaks).expect("peaks");
            let (_, uses) = found(&events, &given);
            let used = &uses.rows[0];
            let all = used.row.time.total;
            let share = used.at_limit.share(all).map(|share| (share.value * 1e3).round() / 1e3);
            (used.at_limit.bound(all), share)
        };
        assert_eq!(bound("bf16=31.2", 3, &[]), (Some(Bound::Compute), Some(0.806)));
        assert_eq!(bound("hbm=155.5", 3, &[]), (Some(Bound::Memory), Some(0.72)));
        assert_eq!(bound("hbm=155.5", 4, &[]), (Some(Bound::Latency), Some(0.54)));
        // Two of three such kernels have no call: the limit of the third is not that of all.
        let unknown = [kernel("s16816gemm", 100, 3, 8, true), kernel("s16816gemm", 200, 3, 9, true)];
        assert_eq!(bound("hbm=155.5", 3, &unknown), (None, Some(0.72)));
        assert_eq!(bound("hbm=155.5", 1, &[]), (None, None), "faster than its limit");
    }

    #[test]
    fn given_peaks_replace_the_tables() {
        let given = GivenPeaks::named("bf16=624").expect("a peak");
        let share = |given| found(&convolution(), given).1.devices[0].computed.share_of_peak().expect("a peak").value;
        assert!((share(&GivenPeaks::default()) - 2.0 * share(&given)).abs() < 1e-9);
    }
}
