//! The numbers of the overview of PyTorch's TensorBoard plugin: categories on average and of each step, and the use of
//! each GPU. METRICS sections 2 (`tensorboard`) and 4 (SM efficiency).

use super::coverage::Weighted;
use super::definitions::{Value, tensorboard_categories, tensorboard_span, tensorboard_steps, tensorboard_values};
use super::sm_efficiency::efficiency;
use super::steps::Steps;
use super::time_categories::TimeCategory;
use super::{IntervalSet, uses_tensor_cores};
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{Activity, Class, Trace};

/// The overview.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TensorBoardOverview {
    /// The steps that are kept, by name, and their categories' times by [`TimeCategory::ALL`].
    pub steps: Vec<(String, [Nanos; 8])>,
    /// Whether the trace contains anything of a device, or a call that concerns one: else its categories are not shown.
    pub shows_device: bool,
    /// Whether there is communication, in the plugin's sense.
    pub shows_communication: bool,
    /// The GPUs that ran kernels.
    pub gpus: Vec<GpuUse>,
}

/// The use of a GPU over the steps that are kept. Shares of 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GpuUse {
    /// The device's number.
    pub device: i64,
    /// The part of the time in which kernels run.
    pub utilization: f64,
    /// The mean of min(1, blocks per multiprocessor of the kernels that run); `None` where no kernel records that.
    pub sm_efficiency: Option<f64>,
    /// The estimated achieved occupancy, weighted by time; `None` where no kernel records that.
    pub occupancy: Option<f64>,
    /// The part of the kernels' time in kernels that use tensor cores, by their names.
    pub tensor_cores: Option<f64>,
}

impl TensorBoardOverview {
    /// The means of the categories over the steps, in ns.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "means for display")]
    pub fn average(&self) -> [f64; 8] {
        let count = self.steps.len().max(1) as f64;
        std::array::from_fn(|category| {
            self.steps.iter().map(|(_, times)| times[category].0 as f64).sum::<f64>() / count
        })
    }
}

/// The plugin's overview.
///
/// ```
/// use stepscope::{Loader, analyze};
///
/// // Kernels for 5 of 20 µs, of half a block per multiprocessor and 40 % occupancy.
/// let text = br#"{"deviceProperties": [{"id": 0, "name": "A100"}], "traceEvents": [
///   {"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","pid":1,"tid":1,"ts":0,"dur":20},
///   {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":5,"dur":2,"args":{"correlation":9}},
///   {"ph":"X","cat":"kernel","name":"ampere_s16816gemm","pid":0,"tid":7,"ts":10,"dur":5,"args":{"correlation":9,
///    "device":0,"stream":7,"grid":[1,1,1],"block":[32,1,1],"blocks per SM":0.5,"est. achieved occupancy %":40}}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let steps = analyze::steps(&trace, &analyze::StepsConfig::default());
/// let found = analyze::tensorboard_overview(&trace, &steps);
/// let gpu = found.gpus[0];
/// assert_eq!((gpu.utilization, gpu.sm_efficiency, gpu.occupancy), (0.25, Some(0.125), Some(0.4)));
/// assert_eq!(gpu.tensor_cores, Some(1.0));
/// assert_eq!(found.average()[0], 5_000.0);
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn tensorboard_overview(trace: &Trace, steps: &Steps) -> TensorBoardOverview {
    let (_, per_step) = tensorboard_values(trace, steps);
    let times = |values: &super::Values| {
        let time = |category: usize| match values.get(category) {
            Some((_, Value::Time(time))) => *time,
            _ => Nanos::ZERO,
        };
        std::array::from_fn(time)
    };
    let window = tensorboard_span(&tensorboard_steps(steps));
    let categories = tensorboard_categories(trace);
    let has = |category: TimeCategory| !categories.0[category as usize].is_empty();
    TensorBoardOverview {
        steps: per_step.iter().map(|(name, values)| (name.clone(), times(values))).collect(),
        shows_device: !trace.activities.is_empty() || has(TimeCategory::Runtime),
        shows_communication: has(TimeCategory::Communication),
        gpus: trace.active_devices().into_iter().filter_map(|device| gpu(trace, device, window)).collect(),
    }
}

/// A device's use in a window; `None` if it ran no kernel.
fn gpu(trace: &Trace, device: i64, window: Interval) -> Option<GpuUse> {
    let is_here = |activity: &&Activity| {
        trace.slices.class(activity.event) == Class::Kernel
            && trace.stream_of(activity.event).is_some_and(|stream| stream.device == device)
    };
    let kernels: Vec<&Activity> = trace.activities.iter().filter(is_here).collect();
    if kernels.is_empty() {
        return None;
    }
    let span = |activity: &&Activity| trace.slices.interval(activity.event);
    let busy = IntervalSet::of(kernels.iter().map(span)).clip(window).len();
    let mut blocks = Vec::new();
    let mut occupancy = Weighted::default();
    let [mut all, mut tensor] = [Nanos::ZERO; 2];
    for kernel in &kernels {
        let inside = span(kernel).intersection(window);
        let length = trace.slices.length(kernel.event);
        all += length;
        if uses_tensor_cores(trace.name_of(kernel.event)) {
            tensor += length;
        }
        let Some(config) = trace.config(kernel) else { continue };
        if config.blocks_per_sm > 0.0 {
            blocks.push((span(kernel), Some(config.blocks_per_sm)));
        }
        if config.occupancy_percent >= 0.0 {
            occupancy.add(Some(config.occupancy_percent / 100.0), inside.len());
        }
    }
    Some(GpuUse {
        device,
        utilization: busy.ratio_of(window.len()).unwrap_or(0.0),
        sm_efficiency: (!blocks.is_empty()).then(|| efficiency(&blocks, window).map_or(0.0, |found| found.value)),
        occupancy: occupancy.mean().map(|found| found.value),
        tensor_cores: tensor.ratio_of(all),
    })
}
