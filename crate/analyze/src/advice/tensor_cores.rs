//! Rules about kernels that could run on tensor (matrix, cube) cores.

use std::collections::BTreeSet;

use super::facts::Facts;
use super::{Exemption, Measured, NotApplicable};
use crate::tensor_cores::{has_tensor_cores, is_ordinary_product};
use crate::{TensorCores, Vendor};
use stepscope_base::Nanos;
use stepscope_trace::{Class, Device, EventId, Trace};

type Judged = Result<Measured, NotApplicable>;

/// The first compute capability with tensor cores, as the plugin asks; AMD's devices with matrix cores say 9.
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

/// The part of the time of products of which it must be known where they run.
const KNOWN: f64 = 0.8;

/// The part of the kernels' time that products take which do not use tensor cores, if no kernel does and that is known of
/// most. Gain: all of that.
pub(super) fn unused(facts: &Facts<'_>, _: &[f64]) -> Judged {
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
    Ok(Measured {
        value: part.ratio_of(whole).unwrap_or_default(),
        exemption: exemption(used, capable),
        gain: Some(facts.on_devices(&such)),
        claim: Some(facts.claim_of(&such)),
        evidence: facts.longest(such),
        wording: wording(trace),
        ..Measured::default()
    })
}

/// What the TensorBoard plugin takes for kernels on tensor cores: parts of their names.
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

/// What it takes for operators that could use them: `aten::` and one of these.
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
