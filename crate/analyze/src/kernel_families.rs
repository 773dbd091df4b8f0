//! Families of kernels: the kind of a kernel's work, by the operator that launched it, else by its name. INSIGHT
//! section 5.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::flops::{RoofFamily, family_of};
use super::kernel_family::{KernelFamily, Words, first_of};
use stepscope_trace::{Activity, EventId, NameId, Trace};

impl From<RoofFamily> for KernelFamily {
    fn from(family: RoofFamily) -> Self {
        match family {
            RoofFamily::Matrix => Self::Matrix,
            RoofFamily::Convolution => Self::Convolution,
            RoofFamily::Attention => Self::Attention,
            RoofFamily::Norm => Self::Norm,
            RoofFamily::Softmax => Self::Softmax,
            RoofFamily::Elementwise => Self::Elementwise,
            RoofFamily::Copy => Self::Copy,
        }
    }
}

/// The families of a trace's kernels; each name is classified once.
#[derive(Clone, Debug, Default)]
pub struct KernelFamilies {
    operators: HashMap<NameId, Option<KernelFamily>, FxBuildHasher>,
    kernels: HashMap<NameId, Option<KernelFamily>, FxBuildHasher>,
}

impl KernelFamilies {
    /// The family of a kernel; all calls must be with the same trace.
    pub fn get(&mut self, trace: &Trace, kernel: &Activity) -> KernelFamily {
        if kernel.communication {
            return KernelFamily::Communication;
        }
        let name = trace.slices.name(kernel.event);
        let of_operator = kernel.operator.get().and_then(|operator| self.of_operators(trace, operator));
        let of_name = *self.kernels.entry(name).or_insert_with(|| KernelFamily::of_kernel(trace.strings.get(name)));
        match (of_operator, of_name) {
            // An operator may copy or cast its inputs before it computes, and an addition to a product is no product.
            (Some(KernelFamily::Matrix | KernelFamily::Convolution | KernelFamily::Attention), Some(helper))
                if !helper.multiplies() =>
            {
                helper
            }
            (Some(family), _) | (None, Some(family)) => family,
            (None, None) => KernelFamily::Other,
        }
    }

    /// The family of the innermost operator around a launch that has one; inside an optimizer, everything is the
    /// optimizer's.
    fn of_operators(&mut self, trace: &Trace, operator: EventId) -> Option<KernelFamily> {
        let mut found = None;
        for event in std::iter::once(operator).chain(trace.slices.ancestors(operator)) {
            let name = trace.slices.name(event);
            let family = *self.operators.entry(name).or_insert_with(|| of_operator(trace.strings.get(name)));
            if family == Some(KernelFamily::Optimizer) {
                return family;
            }
            found = found.or(family);
        }
        found
    }
}

/// The family of an operator or range by its name, as PyTorch and others name theirs.
fn of_operator(name: &str) -> Option<KernelFamily> {
    if name.starts_with("Optimizer.step#") || name.starts_with("Optimizer.zero_grad#") {
        return Some(KernelFamily::Optimizer);
    }
    if let Some(family) = family_of(name) {
        return Some(family.into());
    }
    // `aten::sum`, `vllm::rms_norm`, `_C::silu_and_mul`.
    let (_, operator) = name.rsplit_once("::").filter(|(library, _)| !library.contains([' ', ':']))?;
    first_of(&OPERATORS, &operator.to_ascii_lowercase())
}

/// Parts of operators' names; the first one that a name contains decides.
const OPERATORS: [Words; 15] = [
    (KernelFamily::Elementwise, &["upsample", "interpolate", "normal_", "quantile"]),
    (KernelFamily::Optimizer, &["_foreach_", "_fused_adam", "_fused_sgd", "_fused_adagrad", "_amp_"]),
    (KernelFamily::Experts, &["moe", "topk_softmax", "expert", "grouped_mm", "grouped_gemm"]),
    (KernelFamily::Quantization, &["quant"]),
    (KernelFamily::Attention, &["attention", "attn", "_mha", "mla_", "reshape_and_cache", "rotary"]),
    (
        KernelFamily::Convolution,
        &["convol", "conv1d", "conv2d", "conv3d", "_conv", "conv_", "wiseconv", "im2col", "col2im"],
    ),
    (KernelFamily::Softmax, &["softmax"]),
    (KernelFamily::Norm, &["layer_norm", "rms_norm", "rmsnorm", "batch_norm", "group_norm", "instance_norm"]),
    (KernelFamily::Matrix, &["matmul", "linear", "einsum", "_mm", "gemm", "addmv", "tensordot"]),
    (KernelFamily::Index, &["embedding", "index", "gather", "scatter", "masked_", "nonzero", "take", "one_hot"]),
    (KernelFamily::Sort, &["sort", "topk", "unique", "multinomial"]),
    (KernelFamily::Copy, &["copy", "clone", "contiguous", "transpose", "permute", "stack", "concat", "pad", "roll"]),
    (
        KernelFamily::Reduction,
        &["sum", "mean", "norm", "loss", "argmax", "argmin", "amax", "amin", "cum", "pool", "var"],
    ),
    (KernelFamily::Elementwise, &["and_mul", "gelu", "silu", "relu", "sigmoid", "tanh", "dropout", "uniform"]),
    (KernelFamily::Copy, &["cat", "to_"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_by_operators() {
        for (name, family) in [
            ("aten::addmm", KernelFamily::Matrix),
            ("aten::_scaled_mm", KernelFamily::Matrix),
            ("aten::native_layer_norm", KernelFamily::Norm),
            ("aten::linalg_vector_norm", KernelFamily::Reduction),
            ("aten::sum", KernelFamily::Reduction),
            ("aten::cat", KernelFamily::Copy),
            ("aten::_foreach_add_", KernelFamily::Optimizer),
            ("aten::index_select", KernelFamily::Index),
            ("aten::topk", KernelFamily::Sort),
            ("vllm::unified_attention", KernelFamily::Attention),
            ("_C::silu_and_mul", KernelFamily::Elementwise),
            ("aten::upsample_bilinear2d", KernelFamily::Elementwise),
            ("aten::normal_", KernelFamily::Elementwise),
            ("aten::cudnn_convolution_relu", KernelFamily::Convolution),
            ("aten::conv_depthwise2d", KernelFamily::Convolution),
            ("aten::fake_quantize_per_tensor_affine", KernelFamily::Quantization),
            ("_moe_C::topk_softmax", KernelFamily::Experts),
            ("Optimizer.step#AdamW.step", KernelFamily::Optimizer),
        ] {
            assert_eq!(of_operator(name), Some(family), "{name}");
        }
        assert_eq!(of_operator("autograd::engine::evaluate_function: AddmmBackward0"), None);
        assert_eq!(of_operator("ProfilerStep#3"), None);
    }
}
