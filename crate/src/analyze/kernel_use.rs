//! What kernels and copies make of the device: occupancy and what limits it, waves, FLOP/s and bandwidth against the
//! device's peak. METRICS section 4; expensive, so made when it is asked for.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::copies::CopyRow;
use super::devices::{DeviceModel, SmLimits, device_of};
use super::flops::{Work, work_of_kernels};
use super::kernels::{KernelGrouping, KernelRow, Weighted, kernels_in};
use super::occupancy::{Occupancy, Waves, occupancy, product, waves};
use super::scope::Scope;
use super::sm_efficiency::efficiency;
use crate::sort::CompactSort;
use crate::trace::{Activity, ActivityId, Class, ConfigId, Trace};
use crate::units::{Interval, Nanos};

/// What kernels compute: those that an operator's FLOPs are known of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Computed {
    /// Floating-point operations.
    pub flops: u64,
    /// How many kernels compute them.
    pub calls: u64,
    /// How long these took.
    pub time: Nanos,
    /// Of these, the time of those whose device has a known peak for what they compute.
    pub time_with_peak: Nanos,
    /// What these would take at that peak, in ns.
    pub least: f64,
}

impl Computed {
    fn add(&mut self, work: Work, peak: Option<f64>, length: Nanos) {
        self.flops = self.flops.saturating_add(work.flops);
        self.calls += 1;
        self.time += length;
        if let Some(peak) = peak {
            self.time_with_peak += length;
            self.least += float(work.flops) / peak;
        }
    }

    /// FLOP/s = FLOPs / time of the kernels that compute them.
    #[must_use]
    pub fn per_second(&self) -> Option<f64> {
        (self.time > Nanos::ZERO).then(|| float(self.flops) / nanos(self.time) * 1e9)
    }

    /// FLOP/s as a share of the device's peak: the least time that the device could take / what the kernels took.
    #[must_use]
    pub fn share_of_peak(&self) -> Option<f64> {
        (self.time_with_peak > Nanos::ZERO).then(|| self.least / nanos(self.time_with_peak))
    }
}

/// One way in which a row's kernels were launched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KernelLaunch {
    /// Grid, block, registers, shared memory.
    pub config: ConfigId,
    /// The device.
    pub device: i64,
    /// How many were launched so.
    pub calls: u64,
    /// How long they took.
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
    /// In how many ways it was launched.
    pub launches: usize,
    /// The one that took the longest.
    pub main: Option<KernelLaunch>,
    /// Theoretical occupancy, the mean weighted by duration.
    pub occupancy: Option<f64>,
    /// The tail effect, likewise.
    pub tail: Option<f64>,
    /// FLOPs.
    pub computed: Computed,
}

/// What is made of a device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeviceUse {
    /// Its number.
    pub device: i64,
    /// Which model it is; `None` if the table of devices does not have it.
    pub model: Option<&'static DeviceModel>,
    /// The span: from its first activity to its last one's end, or the step.
    pub span: Interval,
    /// SM efficiency: the mean over the span of min(1, blocks per multiprocessor of the kernels that run).
    pub sm_efficiency: Option<f64>,
    /// Theoretical occupancy, the mean over kernels weighted by duration.
    pub occupancy: Option<f64>,
    /// The producer's estimate of the achieved one, likewise.
    pub achieved_occupancy: Option<f64>,
    /// Share of the kernels' time whose kernels use tensor cores, by their names.
    pub tensor_cores: Option<f64>,
    /// FLOPs.
    pub computed: Computed,
}

impl DeviceUse {
    /// FLOPs over the whole span, per second.
    #[must_use]
    pub fn flops_per_second_of_span(&self) -> Option<f64> {
        (self.computed.calls > 0 && self.span.len() > Nanos::ZERO)
            .then(|| float(self.computed.flops) / nanos(self.span.len()) * 1e9)
    }

    /// The same as a share of the peak: what "model FLOPs utilisation" comes to. `None` unless all have a peak.
    #[must_use]
    pub fn peak_share_of_span(&self) -> Option<f64> {
        let Computed { calls, time, time_with_peak, least, .. } = self.computed;
        (calls > 0 && time == time_with_peak && self.span.len() > Nanos::ZERO).then(|| least / nanos(self.span.len()))
    }
}

/// Kernels and what they make of their devices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KernelUses {
    /// The rows, the longest total first.
    pub rows: Vec<KernelUse>,
    /// The devices that ran kernels, by number.
    pub devices: Vec<DeviceUse>,
}

/// What the kernels of a scope, or all, make of their devices.
///
/// ```
/// use stepscope::{Loader, analyze};
/// use stepscope::analyze::{KernelGrouping, Limiter};
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
/// let found = analyze::kernel_use(&trace, KernelGrouping::Name, None);
/// let (gemm, main) = (&found.rows[0], found.rows[0].main.expect("a launch"));
/// let occupancy = main.occupancy.expect("all is told");
/// // 128 registers: 16 warps, so two blocks of 8, which makes 216 at once; 512 blocks are 2.37 waves.
/// assert_eq!((occupancy.blocks, occupancy.limiter, occupancy.share), (2, Limiter::Registers, 0.25));
/// assert_eq!(main.waves.map(|waves| waves.at_once), Some(216));
/// assert_eq!(gemm.computed.flops, 2 * 4096_u64.pow(3));
/// assert!((gemm.computed.share_of_peak().expect("a peak") - 0.4405).abs() < 1e-4);
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn kernel_use(trace: &Trace, grouping: KernelGrouping, scope: Option<&Scope<'_>>) -> KernelUses {
    let mut rows: Vec<KernelUse> = kernels_in(trace, grouping, scope).into_iter().map(KernelUse::of).collect();
    let keys = rows.iter().enumerate().map(|(index, one)| (one.row.key(), index));
    let row_of: HashMap<_, usize, FxBuildHasher> = keys.collect();
    let works = work_of_kernels(trace, scope);
    let mut launches: HashMap<(usize, ConfigId, i64), KernelLaunch, FxBuildHasher> = HashMap::default();
    let mut devices: Vec<Building> = Vec::new();
    for (index, activity) in trace.activities.iter().enumerate() {
        let id = ActivityId::from_index(index);
        if trace.slices.class(activity.event) != Class::Kernel || scope.is_some_and(|scope| !scope.has_activity(id)) {
            continue;
        }
        let Some(stream) = trace.stream_of(activity.event) else { continue };
        let Some(row) = row_of.get(&grouping.key(trace, activity)).copied() else { continue };
        let device = device_at(&mut devices, trace, stream.device);
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
        let tensor_cores = rows[row].row.tensor_cores;
        device.add(trace, activity, tensor_cores);
        if let Some(work) = works.get(&id) {
            let peak = device.peak(*work, tensor_cores);
            rows[row].computed.add(*work, peak, length);
            device.computed.add(*work, peak, length);
        }
    }
    fill_rows(&mut rows, &mut devices, trace, launches);
    devices.compact_sort_by_key(|device| device.id);
    KernelUses { rows, devices: devices.into_iter().map(|device| device.finish(trace, scope)).collect() }
}

/// What kernels by name compute, as in [`kernel_use`], of which it is a small part: of each row, in the rows' order.
pub(super) fn computed_by_name(trace: &Trace, rows: &[KernelRow]) -> Vec<Computed> {
    let row_of: HashMap<_, usize, FxBuildHasher> =
        rows.iter().enumerate().map(|(index, row)| (row.key(), index)).collect();
    let mut works: Vec<(ActivityId, Work)> = work_of_kernels(trace, None).into_iter().collect();
    works.compact_sort_by_key(|(id, _)| *id);
    let mut computed = vec![Computed::default(); rows.len()];
    let mut devices: Vec<Building> = Vec::new();
    for (id, work) in works {
        let activity = &trace.activities[id.index()];
        let Some(stream) = trace.stream_of(activity.event) else { continue };
        let Some(row) = row_of.get(&KernelGrouping::Name.key(trace, activity)).copied() else { continue };
        let peak = device_at(&mut devices, trace, stream.device).peak(work, rows[row].tensor_cores);
        computed[row].add(work, peak, trace.slices.length(activity.event));
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
            if let Some(occupancy) = launch.occupancy {
                share.add(occupancy.share, launch.total);
                device.occupancy.add(occupancy.share, launch.total);
            }
            if let Some(waves) = launch.waves {
                tail.add(waves.tail, launch.total);
            }
            row.launches += usize::from(launch.config.get().is_some());
            // Of equals the first.
            if row.main.is_none_or(|main| launch.total > main.total) {
                row.main = Some(launch);
            }
        }
        (row.occupancy, row.tail) = (share.mean(), tail.mean());
    }
}

impl KernelUse {
    fn of(row: KernelRow) -> Self {
        Self { row, launches: 0, main: None, occupancy: None, tail: None, computed: Computed::default() }
    }
}

/// A device while kernels are looked at.
struct Building {
    id: i64,
    model: Option<&'static DeviceModel>,
    limits: Option<SmLimits>,
    multiprocessors: Option<u32>,
    blocks: Vec<(Interval, f64)>,
    occupancy: Weighted,
    achieved: Weighted,
    all: Nanos,
    tensor: Nanos,
    computed: Computed,
}

/// The device of that number; a new one if it is the first time.
fn device_at<'a>(devices: &'a mut Vec<Building>, trace: &Trace, id: i64) -> &'a mut Building {
    let index = devices.iter().position(|device| device.id == id).unwrap_or_else(|| {
        let told = device_of(trace, id);
        devices.push(Building {
            id,
            model: told.and_then(DeviceModel::of),
            limits: told.and_then(SmLimits::of),
            multiprocessors: told.and_then(|device| device.multiprocessors),
            blocks: Vec::new(),
            occupancy: Weighted::default(),
            achieved: Weighted::default(),
            all: Nanos::ZERO,
            tensor: Nanos::ZERO,
            computed: Computed::default(),
        });
        devices.len() - 1
    });
    &mut devices[index]
}

impl Building {
    fn add(&mut self, trace: &Trace, activity: &Activity, tensor_cores: bool) {
        let length = trace.slices.length(activity.event);
        self.all += length;
        if tensor_cores {
            self.tensor += length;
        }
        let Some(config) = trace.config(activity) else { return };
        self.achieved.add(config.occupancy_percent / 100.0, length);
        let told = Some(config.blocks_per_sm).filter(|blocks| *blocks > 0.0);
        let from_grid = || {
            let blocks = product(config.grid).filter(|blocks| *blocks > 0)?;
            self.multiprocessors.filter(|count| *count > 0).map(|count| float(blocks) / f64::from(count))
        };
        if let Some(blocks) = told.or_else(from_grid) {
            self.blocks.push((trace.slices.interval(activity.event), blocks));
        }
    }

    fn peak(&self, work: Work, tensor_cores: bool) -> Option<f64> {
        self.model?.peaks.of(work.precision?, tensor_cores)
    }

    fn judge(&self, trace: &Trace, launch: &mut KernelLaunch) {
        let config = launch.config.get().map(|config| &trace.configs[config.index()]);
        let (Some(config), Some(limits)) = (config, &self.limits) else { return };
        // What does not fit on a multiprocessor cannot have run there: the trace is wrong about something.
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
            span,
            sm_efficiency: (!self.blocks.is_empty()).then(|| efficiency(&self.blocks, span)),
            occupancy: self.occupancy.mean(),
            achieved_occupancy: self.achieved.mean(),
            tensor_cores: self.tensor.ratio_of(self.all),
            computed: self.computed,
        }
    }
}

/// What a kind of copies makes of the device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CopyUse {
    /// The most that is possible, in GB/s.
    pub peak: f64,
    /// What is achieved of it: bytes / time / peak.
    pub share: f64,
}

/// What a kind of copies makes of the devices, all of one model: copies between device and host are compared with the link
/// in one direction; fills, and copies within a device, with its memory, which a copy reads and writes. `None` if the
/// device or what the kind moves is not known.
#[must_use]
pub fn copy_use(trace: &Trace, row: &CopyRow) -> Option<CopyUse> {
    let mut models = trace.meta.devices.iter().map(DeviceModel::of);
    let model = models.next()??;
    if models.any(|other| other != Some(model)) {
        return None;
    }
    let name = trace.strings.get(row.name);
    let peak = match row.class {
        Class::Memset => model.peaks.memory,
        _ if name.contains("HtoD") || name.contains("DtoH") => model.peaks.link,
        _ if name.contains("DtoD") => model.peaks.memory / 2.0,
        _ => return None,
    };
    Some(CopyUse { peak, share: row.gigabytes_per_second()? / peak })
}

#[expect(clippy::cast_precision_loss, reason = "rates for display")]
fn float(count: u64) -> f64 {
    count as f64
}

#[expect(clippy::cast_precision_loss, reason = "rates for display")]
fn nanos(length: Nanos) -> f64 {
    length.0 as f64
}
