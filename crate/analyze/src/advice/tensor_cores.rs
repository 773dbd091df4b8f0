//! Rules about kernels that could run on tensor (matrix, cube) cores.

use std::collections::BTreeSet;

use super::device::{part_of, part_of_step};
use super::facts::{Facts, WORTH};
use super::recorded::recorded_step;
use super::{AdviceUnit, Evidence, Exemption, Measured, NotApplicable};
use crate::mindspore::are_of_others;
use crate::roofline::Roofs;
use crate::tensor_cores::{has_tensor_cores, is_ordinary_product};
use crate::{TensorCores, Vendor};
use stepscope_base::{CompactSort as _, Nanos};
use stepscope_trace::{ActivityId, Class, Device, EventId, Trace};

type Judged = Result<Measured, NotApplicable>;

/// The first compute capability with tensor cores, as in the plugin; AMD's devices with matrix cores report 9.
const CAPABLE: u32 = 7;

/// Operators whose kernels can run there, without the name space.
const ELIGIBLE: [&str; 26] = [
    "mm",
    "addmm",
    "bmm",
    "baddbmm",
    "addbmm",
    "matmul",
    "matmul_v2",
    "mul",
    "linear",
    "einsum",
    "_scaled_mm",
    "convolution",
    "_convolution",
    "convolution_backward",
    "cudnn_convolution",
    "cudnn_convolution_transpose",
    "miopen_convolution",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv2d_grad",
    "matmul_grad",
    "matmul_v2_grad",
    "scaled_dot_product_attention",
    "_thnn_fused_lstm_cell",
    "lstm",
];

fn is_eligible(name: &str) -> bool {
    // In PyTorch, `aten::mul` multiplies element by element; Paddle's `mul` is a product of matrices.
    name != "aten::mul" && ELIGIBLE.contains(&name.rsplit("::").next().unwrap_or(name))
}

/// Whether one of the devices has such cores; `None` if unknown.
fn is_capable(trace: &Trace) -> Option<bool> {
    let mut known = trace.meta.devices.iter().map(has_tensor_cores);
    let first = known.next()?;
    known.fold(first, |found, other| match (found, other) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        _ => None,
    })
}

fn exemption(used: bool, capable: bool) -> Option<Exemption> {
    let is_used = used.then_some(Exemption::TensorCoresUsed);
    if capable { is_used } else { Some(Exemption::NoTensorCores) }
}

/// The texts that fit the devices: TF32 only where all have it.
fn wording(trace: &Trace) -> Option<&'static str> {
    /// The first compute capability with TF32.
    const TF32: u32 = 8;
    let has_tf32 = |device: &Device| device.capability.is_some_and(|(major, _)| major >= TF32);
    match Vendor::of_trace(trace) {
        Vendor::Nvidia if trace.meta.devices.iter().all(has_tf32) => Some("tensor_cores.nvidia_tf32"),
        Vendor::Nvidia => Some("tensor_cores.nvidia"),
        Vendor::Amd => Some("tensor_cores.amd"),
        Vendor::Ascend | Vendor::Unknown => None,
    }
}

/// Least part of the products' time that must be known.
const KNOWN: f64 = 0.8;

/// The part of the kernels' time that products without tensor cores take, if no kernel uses these and most of the time
/// is known. Gain: the time without what the same work takes at the limit of matrix units, as far as that is known.
pub(super) fn unused(facts: &Facts<'_>, limits: &[f64]) -> Judged {
    if let Some(found) = wide_on_ascend(facts, limits) {
        return Ok(found);
    }
    facts.device_step()?;
    let trace = facts.trace;
    let capable = is_capable(trace).ok_or(NotApplicable::UnknownDevice)?;
    if trace.slices_of(Class::Operator).next().is_none() {
        return Err(NotApplicable::NoOperators);
    }
    let eligible = facts.named(is_eligible);
    // Compiled code launches products from its own function.
    let plain = facts.named(is_ordinary_product);
    let is_eligible = |operator: EventId, kernel: EventId| {
        let around = std::iter::once(operator).chain(trace.slices.ancestors(operator));
        plain.has(kernel) || around.into_iter().any(|id| eligible.has(id))
    };
    let uses = &facts.analysis.tensor_cores;
    let (mut whole, mut part, mut unknown, mut such) = (Nanos::ZERO, Nanos::ZERO, Nanos::ZERO, Vec::new());
    let mut used = false;
    for (_, kernel) in facts.kernels().filter(|(_, kernel)| !kernel.communication) {
        let length = trace.slices.length(kernel.event);
        whole += length;
        let name = trace.slices.name(kernel.event);
        let use_of = uses.get(name);
        used = used || use_of == TensorCores::Used;
        if !uses.may_be_product(name) {
            continue;
        }
        if use_of == TensorCores::Unknown {
            unknown += length;
        }
        let Some(operator) = kernel.operator.get().filter(|_| use_of == TensorCores::NotUsed) else { continue };
        if is_eligible(operator, kernel.event) {
            part += length;
            such.push(kernel.event);
        }
    }
    if whole == Nanos::ZERO {
        return Err(NotApplicable::NoKernels);
    }
    let known = part.ratio_of(part + unknown);
    if capable && !used && known.is_some_and(|known| known < KNOWN) {
        return Err(NotApplicable::UnknownUnits);
    }
    let exemption = exemption(used, capable);
    let saved = if exemption.is_some() || such.is_empty() { 1.0 } else { saved_by_matrix_units(facts, &such) };
    Ok(Measured {
        value: part.ratio_of(whole).unwrap_or_default(),
        exemption,
        gain: Some(part_of(facts.on_devices(&such), saved)),
        claim: Some(facts.claim_of(&such)),
        evidence: facts.longest(such),
        wording: wording(trace),
        ..Measured::default()
    })
}

/// The part of the time of products that matrix units save at most: all but what the same work takes at the device's limit, as
/// far as that is known.
fn saved_by_matrix_units(facts: &Facts<'_>, products: &[EventId]) -> f64 {
    let (trace, analysis) = (facts.trace, facts.analysis);
    let roofs = Roofs::of(trace, &analysis.peaks, &analysis.tensor_cores);
    let (mut whole, mut kept) = (Nanos::ZERO, Nanos::ZERO);
    for kernel in products {
        let length = trace.slices.length(*kernel);
        whole += length;
        let id = trace.activity_number(*kernel).map(ActivityId::from_index);
        kept += id.and_then(|id| roofs.get(id).ok()).map_or(Nanos::ZERO, |roof| roof.at_roof(length));
    }
    (whole - kept).ratio_of(whole).unwrap_or(1.0)
}

/// An operator of an Ascend's tables.
struct AscendOperator {
    name: String,
    kind: String,
    time: Nanos,
    /// Whether one of its inputs has 32-bit, and one 16-bit floating point numbers; none if their types are unknown.
    types: Option<(bool, bool)>,
}

/// The types of inputs: `FLOAT;FLOAT16;INT32` of msprof, or those in the JSON of `MindSpore`'s `op_info`.
fn input_types(text: &str) -> Option<(bool, bool)> {
    let types: Vec<&str> = if text.trim_start().starts_with('{') {
        let inputs = text.split("\"input_").skip(1).map(|part| part.split("\"output_").next().unwrap_or_default());
        inputs.filter_map(|part| part.split_once("\"data_type\"")?.1.split('"').nth(1)).collect()
    } else {
        text.split(';').map(str::trim).filter(|name| !name.is_empty() && *name != "N/A").collect()
    };
    let is_one = |names: &[&str]| {
        types.iter().any(|found| {
            let name = found.strip_prefix("NUMBER_TYPE_").or_else(|| found.strip_prefix("DT_")).unwrap_or(found);
            names.iter().any(|known| name.eq_ignore_ascii_case(known))
        })
    };
    let short = is_one(&["FLOAT16", "BFLOAT16", "DT_BF16", "BF16"]);
    (!types.is_empty()).then(|| (is_one(&["FLOAT", "FLOAT32"]), short))
}

/// Whether operators of a type are products, which an Ascend's cube unit computes.
fn is_on_cube(kind: &str) -> bool {
    const PRODUCTS: [&str; 8] =
        ["MatMul", "BatchMatMul", "GroupedMatmul", "Conv2D", "Conv3D", "DepthwiseConv2D", "FullyConnection", "GEMM"];
    PRODUCTS.iter().any(|product| kind.starts_with(product))
}

/// The operators of an Ascend's AI Cores by the tables of `MindSpore`, else of msprof.
fn of_ascend(facts: &Facts<'_>) -> Vec<AscendOperator> {
    let of_mindspore = facts.analysis.mindspore.aicore_operators.iter().map(|operator| AscendOperator {
        name: operator.name.clone(),
        kind: operator.kind.clone(),
        time: Nanos(operator.mean.0.saturating_mul(operator.calls)),
        types: input_types(&operator.info),
    });
    let found: Vec<AscendOperator> = of_mindspore.collect();
    if found.iter().any(|operator| operator.types.is_some()) {
        return found;
    }
    let rows = facts.trace.recorded_as("op_summary").flat_map(|table| table.rows.iter().map(move |row| (table, row)));
    let of_msprof = rows.filter_map(|(table, row)| {
        let text = |column: &str| table.cell(row, column).text().unwrap_or_default();
        let on_core = text("Task Type").starts_with("AI_") && text("Task Type") != "AI_CPU"
            || text("Task Type").starts_with("MIX_");
        on_core.then(|| AscendOperator {
            name: text("Op Name").to_owned(),
            kind: text("OP Type").to_owned(),
            time: table.cell(row, "Total Time").nanos().unwrap_or_default(),
            types: input_types(text("Input Data Types")),
        })
    });
    of_msprof.collect()
}

/// The part of the AI Cores' time that products of 32-bit numbers take on an Ascend, whose cube unit is made for 16
/// bits. Gain: that part of a step. None where no product's types are known, or those of too few.
fn wide_on_ascend(facts: &Facts<'_>, limits: &[f64]) -> Option<Measured> {
    let operators = of_ascend(facts);
    // The tables may be of another network.
    let names = operators.iter().map(|one| one.name.as_str());
    if !facts.analysis.devices.is_empty() && are_of_others(facts.trace, names) {
        return None;
    }
    let total = |is_such: &dyn Fn(&AscendOperator) -> bool| -> Nanos {
        operators.iter().filter(|one| is_such(one)).map(|one| one.time).sum()
    };
    let is_product = |one: &AscendOperator| is_on_cube(&one.kind);
    // A 32-bit sum beside 16-bit inputs is as it should be.
    let is_wide = |one: &AscendOperator| is_product(one) && one.types == Some((true, false));
    let known = total(&|one| is_product(one) && one.types.is_some()).ratio_of(total(&is_product))?;
    if known < KNOWN {
        return None;
    }
    let value = total(&is_wide).ratio_of(total(&|_| true))?;
    let mut such: Vec<&AscendOperator> = operators.iter().filter(|one| is_wide(one)).collect();
    such.compact_sort_by_key(|one| std::cmp::Reverse(one.time));
    let share = |one: &AscendOperator| one.time.ratio_of(total(&|_| true)).unwrap_or_default();
    let shown = such.iter().take(5).map(|one| Evidence::Named(one.name.clone(), share(one), AdviceUnit::Share));
    // If the timeline shows the device's computation, the gain is at most that part of it.
    let average = &facts.analysis.average;
    let (gain, step) = if facts.analysis.devices.is_empty() {
        (part_of_step(facts, value), recorded_step(facts.analysis))
    } else {
        let shown = average.covered_steps > 0;
        (shown.then(|| part_of(average.device.compute, value)), None)
    };
    Some(Measured {
        value,
        threshold: Some(limits.first().copied().unwrap_or_default().max(WORTH)),
        gain,
        step,
        evidence: shown.collect(),
        wording: Some("tensor_cores.ascend"),
        ..Measured::default()
    })
}

/// Parts of the names of kernels that the TensorBoard plugin counts as using tensor cores.
const PLUGIN_KERNELS: [&str; 18] = [
    "16816",
    "c1688",
    "conv1x1",
    "conv2d_c1_k1",
    "dgrad_1x1_stride_2x2",
    "direct_group",
    "first_layer_wgrad_kernel",
    "h1688",
    "h884",
    "hmma",
    "i8816",
    "s1688",
    "s884",
    "xmma_gemm",
    "xmma_implicit_gemm",
    "xmma_sparse_conv",
    "xmma_sparse_gemm",
    "xmma_warp_specialized_implicit_gemm",
];

/// Operators that it counts as able to use them: `aten::` and one of these.
const PLUGIN_OPERATORS: [&str; 35] = [
    "_convolution",
    "_convolution_nogroup",
    "_thnn_fused_gru_cell",
    "_thnn_fused_lstm_cell",
    "addbmm",
    "addmm",
    "addmm_",
    "addmv",
    "addr",
    "baddbmm",
    "bmm",
    "chain_matmul",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_tbc",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "convolution",
    "cudnn_convolution",
    "cudnn_convolution_backward",
    "cudnn_convolution_backward_input",
    "cudnn_convolution_backward_weight",
    "cudnn_convolution_transpose",
    "cudnn_convolution_transpose_backward",
    "cudnn_convolution_transpose_backward_input",
    "cudnn_convolution_transpose_backward_weight",
    "gru_cell",
    "linalg_multi_dot",
    "linear",
    "lstm_cell",
    "matmul",
    "mm",
    "mv",
];

/// Further ones, with their whole name.
const PLUGIN_OTHERS: [&str; 12] = [
    "AddbmmBackward",
    "AddmmBackward",
    "AddmvBackward",
    "BmmBackward0",
    "CudnnConvolutionBackward",
    "CudnnConvolutionTransposeBackward",
    "MmBackward",
    "MvBackward",
    "aten::prelu",
    "aten::rnn_relu_cell",
    "aten::rnn_tanh_cell",
    "aten::addbmm",
];

fn plugin_takes(name: &str) -> bool {
    let of_aten = name.strip_prefix("aten::").is_some_and(|name| PLUGIN_OPERATORS.contains(&name));
    of_aten || PLUGIN_OTHERS.contains(&name)
}

/// The plugin's rule: the part of the kernels' time launched by the innermost operators that could use tensor cores, if
/// the devices have them and no kernel uses them. Gain: all of that.
pub(super) fn plugin(facts: &Facts<'_>, _: &[f64]) -> Judged {
    let trace = facts.trace;
    // It asks the first device.
    let first = trace.meta.devices.first().ok_or(NotApplicable::UnknownDevice)?;
    let capable = first.capability.is_some_and(|(major, _)| major >= CAPABLE);
    let kernels = || trace.activities.iter().filter(|activity| trace.slices.class(activity.event) == Class::Kernel);
    if kernels().next().is_none() {
        return Err(NotApplicable::NoKernels);
    }
    let takes = facts.named(plugin_takes);
    let named = |id: EventId| takes.has(id);
    let around: BTreeSet<EventId> = trace
        .slices_of(Class::Operator)
        .filter(|id| named(*id))
        .flat_map(|id| trace.slices.ancestors(id).filter(|above| named(*above)).collect::<Vec<_>>())
        .collect();
    let uses = facts.named(|name| PLUGIN_KERNELS.iter().any(|part| name.contains(part)));
    let (mut whole, mut part, mut such, mut used) = (Nanos::ZERO, Nanos::ZERO, Vec::new(), false);
    for kernel in kernels() {
        let length = trace.slices.length(kernel.event);
        used = used || (uses.has(kernel.event) && length > Nanos::ZERO);
        let Some(operator) = kernel.operator.get() else { continue };
        whole += length;
        if named(operator) && !around.contains(&operator) {
            part += length;
            such.push(kernel.event);
        }
    }
    Ok(Measured {
        value: part.ratio_of(whole).unwrap_or_default(),
        exemption: exemption(used, capable),
        gain: Some(facts.per_step(part)),
        evidence: facts.longest(such),
        ..Measured::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_inputs_are_read_as_msprof_and_as_mindspore_write_them() {
        let info = r#"{"input_0": {"format": "NCHW", "data_type": "NUMBER_TYPE_FLOAT32", "shape": "2,3"},
            "input_1": {"format": "FRACTAL_Z", "data_type": "NUMBER_TYPE_INT32"},
            "output_0": {"data_type": "NUMBER_TYPE_FLOAT16"}}"#;
        let cases = [
            (info, Some((true, false))),
            ("FLOAT;FLOAT", Some((true, false))),
            ("FLOAT16;FLOAT16;FLOAT", Some((true, true))),
            ("DT_BF16;DT_BF16", Some((false, true))),
            ("INT8;INT8", Some((false, false))),
            ("N/A", None),
            ("", None),
            ("{}", None),
        ];
        for (text, types) in cases {
            assert_eq!(input_types(text), types, "{text}");
        }
    }

    #[test]
    fn products_are_known_by_their_type() {
        for kind in ["MatMul", "MatMulV2", "BatchMatMulV2", "Conv2DBackpropFilterD", "DepthwiseConv2D"] {
            assert!(is_on_cube(kind), "{kind}");
        }
        for kind in ["Mul", "Cast", "SoftmaxV2", "BiasAdd", ""] {
            assert!(!is_on_cube(kind), "{kind}");
        }
    }
}
