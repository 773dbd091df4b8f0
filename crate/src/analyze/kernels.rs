//! Kernels by name. METRICS section 4.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::scope::{Scope, activities_in};
use super::statistics::Statistics;
use crate::sort::CompactSort;
use crate::trace::{Activity, Class, ConfigId, NameId, Trace};
use crate::units::Nanos;

/// What makes two kernels the same row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KernelGrouping {
    /// The name.
    Name,
    /// The name, the launching operator, and how it was launched.
    NameOperatorLaunch,
}

impl KernelGrouping {
    /// The grouping that a person names `name` or `launch`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "name" => Some(Self::Name),
            "launch" => Some(Self::NameOperatorLaunch),
            _ => None,
        }
    }
    pub(super) fn key(self, trace: &Trace, activity: &Activity) -> Key {
        let name = trace.slices.name(activity.event);
        match self {
            Self::Name => (name, activity.communication, NameId::NONE, ConfigId::NONE),
            Self::NameOperatorLaunch => {
                let operator = activity.operator.get().map_or(NameId::NONE, |id| trace.slices.name(id));
                (name, activity.communication, operator, activity.config)
            }
        }
    }

    /// Whether a kernel belongs to a row.
    pub(super) fn has(self, trace: &Trace, row: &KernelRow, activity: &Activity) -> bool {
        self.key(trace, activity) == (row.name, row.communication, row.operator, row.config)
    }
}

/// One row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelRow {
    /// The kernel's name.
    pub name: NameId,
    /// Whether it communicates.
    pub communication: bool,
    /// The launching operator's name, where rows tell it apart.
    pub operator: NameId,
    /// How it was launched, where rows tell it apart.
    pub config: ConfigId,
    /// Statistics of the durations.
    pub time: Statistics,
    /// Share of the time of all kernels.
    pub share: f64,
    /// The same with the rows before.
    pub cumulative_share: f64,
    /// Mean blocks per multiprocessor, weighted by duration; `None` if unknown.
    pub blocks_per_sm: Option<f64>,
    /// Mean estimated achieved occupancy in percent, weighted by duration; `None` if unknown.
    pub occupancy_percent: Option<f64>,
    /// Whether its name tells that it uses tensor cores.
    pub tensor_cores: bool,
}

#[derive(Default)]
struct Group {
    lengths: Vec<Nanos>,
    blocks: Weighted,
    occupancy: Weighted,
}

/// A mean weighted by duration.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Weighted {
    sum: f64,
    weight: f64,
}

impl Weighted {
    #[expect(clippy::cast_precision_loss, reason = "a mean for display")]
    pub(super) fn add(&mut self, value: f64, length: Nanos) {
        if value.is_finite() {
            self.sum += value * length.0 as f64;
            self.weight += length.0 as f64;
        }
    }

    pub(super) fn mean(self) -> Option<f64> {
        (self.weight > 0.0).then(|| self.sum / self.weight)
    }
}

/// What rows are told apart by: name, whether it communicates, launching operator, launch.
type Key = (NameId, bool, NameId, ConfigId);

impl KernelRow {
    pub(super) fn key(&self) -> Key {
        (self.name, self.communication, self.operator, self.config)
    }
}

/// The kernels of a trace, the longest total first.
///
/// ```
/// use stepscope::{Loader, Nanos, analyze};
///
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":0,"dur":4},
///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":5,"dur":2},
///   {"ph":"X","cat":"kernel","name":"ncclDevKernel_AllReduce","pid":0,"tid":9,"ts":8,"dur":2}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let rows = analyze::kernels(&trace, analyze::KernelGrouping::Name);
/// assert_eq!((rows[0].time.calls, rows[0].time.total, rows[0].time.mean), (2, Nanos(6_000), Nanos(3_000)));
/// assert_eq!((rows[0].share, rows[1].cumulative_share), (0.75, 1.0));
/// assert!(rows[1].communication);
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn kernels(trace: &Trace, grouping: KernelGrouping) -> Vec<KernelRow> {
    kernels_in(trace, grouping, None)
}

/// The kernels of a scope, or of the whole trace, the longest total first.
#[must_use]
pub fn kernels_in(trace: &Trace, grouping: KernelGrouping, scope: Option<&Scope<'_>>) -> Vec<KernelRow> {
    let mut groups: HashMap<Key, Group, FxBuildHasher> = HashMap::default();
    for activity in activities_in(trace, scope).filter(|activity| trace.slices.class(activity.event) == Class::Kernel) {
        let length = trace.slices.length(activity.event);
        let group = groups.entry(grouping.key(trace, activity)).or_default();
        group.lengths.push(length);
        if let Some(config) = trace.config(activity) {
            group.blocks.add(config.blocks_per_sm, length);
            group.occupancy.add(config.occupancy_percent, length);
        }
    }
    let mut rows: Vec<KernelRow> = groups.into_iter().map(|(key, group)| row(trace, key, group)).collect();
    rows.compact_sort_by(|a, b| {
        let order =
            b.time.total.cmp(&a.time.total).then_with(|| trace.strings.get(a.name).cmp(trace.strings.get(b.name)));
        order
            .then_with(|| trace.strings.get(a.operator).cmp(trace.strings.get(b.operator)))
            .then_with(|| (a.communication, a.config).cmp(&(b.communication, b.config)))
    });
    let all: Nanos = rows.iter().map(|row| row.time.total).sum();
    let mut so_far = Nanos::ZERO;
    for row in &mut rows {
        so_far += row.time.total;
        row.share = row.time.total.ratio_of(all).unwrap_or_default();
        row.cumulative_share = so_far.ratio_of(all).unwrap_or_default();
    }
    rows
}

fn row(trace: &Trace, (name, communication, operator, config): Key, mut group: Group) -> KernelRow {
    KernelRow {
        name,
        communication,
        operator,
        config,
        time: Statistics::of(&mut group.lengths),
        share: 0.0,
        cumulative_share: 0.0,
        blocks_per_sm: group.blocks.mean(),
        occupancy_percent: group.occupancy.mean(),
        tensor_cores: uses_tensor_cores(trace.strings.get(name)),
    }
}

/// Whether a kernel's name tells that it uses tensor (matrix, cube) cores.
///
/// `xmma`, `sm80_…gemm`, `Cijk` or `flash` alone prove nothing: kernels on ordinary cores have such names.
#[must_use]
pub fn uses_tensor_cores(name: &str) -> bool {
    const PARTS: [&str; 17] = [
        "hmma",
        "imma",
        "h884",
        "s884",
        "1688",
        "16816",
        "tensorop",
        "nvjet",
        "wgmma",
        "tcgen05",
        "flash_fwd",
        "flash_bwd",
        "fmha",
        "attn_fwd",
        "matmul_ogs",
        "xdl",
        "mfma",
    ];
    if ["triton_poi", "triton_per", "triton_red"].iter().any(|kind| name.starts_with(kind)) {
        return false;
    }
    // MIOpen's, which work on a tensor of numbers.
    let lower = name.to_ascii_lowercase().replace("subtensorop", "");
    PARTS.iter().any(|part| lower.contains(part))
        || follows(&lower, "sm90_", &["gmma"])
        || follows(&lower, "sm100_", &["umma"])
        || follows(&lower, "igemm_", &["gtcx"])
        || (name.starts_with("Cijk") && digit_after(name, "_MI"))
        || (lower.contains("bmm_") && digit_after(&lower, "sm"))
}

/// Whether one of `parts` occurs behind `first`.
fn follows(name: &str, first: &str, parts: &[&str]) -> bool {
    name.split_once(first).is_some_and(|(_, rest)| parts.iter().any(|part| rest.contains(part)))
}

fn digit_after(name: &str, mark: &str) -> bool {
    name.match_indices(mark).any(|(at, _)| name[at + mark.len()..].starts_with(|next: char| next.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::uses_tensor_cores;

    #[test]
    fn names_of_kernels_on_tensor_cores() {
        let yes = [
            "void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_64x64_16x6_nn_align4>",
            "ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_nn",
            "nvjet_tst_128x64_64x8_2x1_v_bz_TNT",
            "void flash_fwd_kernel<Flash_fwd_kernel_traits<128>>",
            "Cijk_Ailk_Bljk_BBS_BH_MT128x128x32_MI16x16x1_SN",
            "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize64x64x64_warpgroupsize1x1x1_execute_segment_k_off_kernel__5x_cublas_gmma",
        ];
        let no = [
            "triton_poi_fused_hmma_0",
            "sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize32x32x8_stage3",
            "Cijk_Ailk_Bljk_SB_MT64x64x8_SN",
            "volta_sgemm_128x64_nn",
            "void flash_softmax",
            "SubTensorOpWithCastTensor1d",
        ];
        for name in yes {
            assert!(uses_tensor_cores(name), "{name}");
        }
        for name in no {
            assert!(!uses_tensor_cores(name), "{name}");
        }
    }
}
