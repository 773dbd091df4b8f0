//! The kind of work of a kernel, and its detection by the name alone. INSIGHT section 5.

/// The kind of work of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KernelFamily {
    /// Products of matrices.
    Matrix,
    /// Attention.
    Attention,
    /// Convolutions.
    Convolution,
    /// Layer, group, batch and RMS norms.
    Norm,
    /// Softmax and log-softmax.
    Softmax,
    /// Elementwise operators, fused ones among them.
    Elementwise,
    /// Sums, means, maxima and losses.
    Reduction,
    /// Copies, casts, transposes, concatenations and memsets.
    Copy,
    /// Steps of optimizers.
    Optimizer,
    /// Embeddings, gathers, scatters and indexing.
    Index,
    /// Sorts and top-k.
    Sort,
    /// Routing and merging of experts.
    Experts,
    /// Quantization.
    Quantization,
    /// Collectives and point-to-point communication.
    Communication,
    /// Neither operator nor name shows it.
    Other,
}

impl KernelFamily {
    /// All of them.
    pub const ALL: [Self; 15] = [
        Self::Matrix,
        Self::Attention,
        Self::Convolution,
        Self::Norm,
        Self::Softmax,
        Self::Elementwise,
        Self::Reduction,
        Self::Copy,
        Self::Optimizer,
        Self::Index,
        Self::Sort,
        Self::Experts,
        Self::Quantization,
        Self::Communication,
        Self::Other,
    ];

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Matrix => "matrix",
            Self::Attention => "attention",
            Self::Convolution => "convolution",
            Self::Norm => "norm",
            Self::Softmax => "softmax",
            Self::Elementwise => "elementwise",
            Self::Reduction => "reduction",
            Self::Copy => "copy",
            Self::Optimizer => "optimizer",
            Self::Index => "index",
            Self::Sort => "sort",
            Self::Experts => "experts",
            Self::Quantization => "quantization",
            Self::Communication => "communication",
            Self::Other => "other",
        }
    }

    /// The family of a kernel by its name alone.
    #[must_use]
    pub(super) fn of_kernel(name: &str) -> Option<Self> {
        if let Some(family) = of_graph_operator(name) {
            return Some(family);
        }
        of_inductor(name).or_else(|| {
            // FBGEMM is also a library of embeddings; and a conversion is no convolution.
            let name = name.to_ascii_lowercase().replace("fbgemm", "").replace("convert", "cast");
            let function = function_of(&name);
            // The kind of a CUTLASS kernel depends on its template arguments.
            let function = Some(function).filter(|function| !function.contains("cutlass"));
            function.and_then(|function| first_of(&KERNELS, function)).or_else(|| first_of(&KERNELS, &name))
        })
    }

    /// Whether an operator may multiply in a kernel with this name: others prepare its inputs, or finish its output.
    pub(super) fn may_multiply(name: &str) -> bool {
        const HELPERS: [&str; 12] = [
            "im2col",
            "im2d2col",
            "col2im",
            "splitkreduce",
            "reducesplitk",
            "postgsu",
            "dot_do_o",
            "convert_dq",
            "cast_dq",
            "addpadding",
            "computeoffsets",
            "scalepackedtensor",
        ];
        let lower = name.to_ascii_lowercase();
        !HELPERS.iter().any(|helper| lower.contains(helper)) && Self::of_kernel(name).is_none_or(Self::multiplies)
    }

    /// Whether an operator may multiply in kernels of this family: others prepare its inputs, or finish its output.
    pub(super) fn multiplies(self) -> bool {
        matches!(self, Self::Matrix | Self::Convolution | Self::Attention | Self::Experts | Self::Other)
    }
}

/// The family of a kernel of inductor: its prefix has the kind of loop, and the operators fused into it follow.
fn of_inductor(name: &str) -> Option<KernelFamily> {
    if name.starts_with("triton_poi_") {
        return Some(KernelFamily::Elementwise);
    }
    let reduces = ["triton_red_", "triton_per_"].iter().any(|prefix| name.starts_with(prefix));
    reduces.then(|| first_of(&REDUCING, name).unwrap_or(KernelFamily::Reduction))
}

/// The family of an operator of a graph (MindSpore), whose name follows the scopes that it is in, as in
/// `Default/network-WithLossCell/conv5-Conv2d/TransData-op7`. In an optimizer's scope, everything is the optimizer's.
fn of_graph_operator(name: &str) -> Option<KernelFamily> {
    let (scopes, operator) = name.rsplit_once('/').unwrap_or(("", name));
    let (kind, number) = operator.rsplit_once("-op")?;
    if !number.starts_with(|first: char| first.is_ascii_digit())
        || !number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_')
        || name.contains([' ', '<', '('])
    {
        return None;
    }
    let of_optimizer = scopes.split('/').any(|scope| scope.starts_with("optimizer-"));
    if of_optimizer {
        return Some(KernelFamily::Optimizer);
    }
    let kind = kind.to_ascii_lowercase();
    first_of(&GRAPH_OPERATORS, &kind).or_else(|| first_of(&KERNELS, &kind))
}

/// A kernel's function, without return type, arguments and those of its template.
fn function_of(name: &str) -> &str {
    let name = name.strip_prefix("void ").unwrap_or(name);
    let name = name
        .rsplit_once("(anonymous namespace)::")
        .filter(|(before, _)| !before.contains('<'))
        .map_or(name, |(_, rest)| rest);
    name.split(['<', '(']).next().unwrap_or(name)
}

/// A family, and parts of names that indicate it.
pub(super) type Words = (KernelFamily, &'static [&'static str]);

/// The family of the first part that a name contains.
pub(super) fn first_of(families: &[Words], name: &str) -> Option<KernelFamily> {
    families.iter().find(|(_, words)| words.iter().any(|word| name.contains(word))).map(|(family, _)| *family)
}

/// Parts of kernels' names in lower case, of CUDA's, ROCm's and CANN's libraries, Triton and inductor; the first one
/// that a name contains decides.
const KERNELS: [Words; 16] = [
    (KernelFamily::Communication, &["nccl", "rccl", "hccl", "allreduce", "all_reduce", "allgather", "all_gather"]),
    (KernelFamily::Optimizer, &["multi_tensor_apply", "multi_tensor", "adam", "applymomentum", "fusedoptimizer"]),
    (KernelFamily::Experts, &["moe", "topk_softmax", "topkgating", "expert"]),
    (KernelFamily::Attention, &["flash", "fmha", "attention", "attn", "_mha", "mla_", "reshape_and_cache", "rotary"]),
    (
        KernelFamily::Convolution,
        &[
            "convol",
            "conv1d",
            "conv2d",
            "conv3d",
            "_conv",
            "conv_",
            "wiseconv",
            "winograd",
            "fprop",
            "dgrad",
            "wgrad",
            "bwd_weight",
            "im2col",
            "col2im",
            "igemm",
            "implicit_gemm",
            "scudnn",
        ],
    ),
    (KernelFamily::Softmax, &["softmax"]),
    (
        KernelFamily::Norm,
        &["layernorm", "layer_norm", "rmsnorm", "rms_norm", "batchnorm", "batch_norm", "bn_fw", "bn_bw", "groupnorm"],
    ),
    (
        KernelFamily::Matrix,
        &[
            "gemm",
            "gemv",
            "matmul",
            "cijk_",
            "nvjet",
            "xmma",
            "bmm_",
            "splitk",
            "cutlass",
            "triton_tem",
            "triton_mm",
            "dot_kernel",
        ],
    ),
    (KernelFamily::Quantization, &["quant"]),
    (KernelFamily::Elementwise, &["elementwise", "broadcast"]),
    (KernelFamily::Index, &["embedding", "indexing", "index", "gather", "scatter", "segment"]),
    (KernelFamily::Sort, &["sort", "topk", "radix", "bitonic"]),
    (
        KernelFamily::Copy,
        &[
            "copy",
            "nchwtonhwc",
            "nhwctonchw",
            "transpose",
            "permute",
            "transdata",
            "catarray",
            "subtensorop",
            "concat",
            "cast",
            "memset",
            "fill",
        ],
    ),
    (KernelFamily::Reduction, &["reduce", "argmax", "pool", "cumsum", "scan", "loss"]),
    (KernelFamily::Elementwise, &["dropout", "gelu", "silu", "relu", "distribution"]),
    (KernelFamily::Sort, &["unique"]),
];

/// Reductions of which another family says more, by the operators that inductor fused.
const REDUCING: [Words; 2] = [
    (KernelFamily::Softmax, &["softmax"]),
    (KernelFamily::Norm, &["layer_norm", "rms_norm", "batch_norm", "group_norm"]),
];

/// Parts of the names of graphs' operators in lower case; the first one that a name contains decides. What none of them
/// decides is looked up in [`KERNELS`].
const GRAPH_OPERATORS: [Words; 13] = [
    (KernelFamily::Attention, &["rotary"]),
    (KernelFamily::Communication, &["allreduce", "allgather", "reducescatter", "alltoall"]),
    (KernelFamily::Optimizer, &["apply", "adam", "lamb"]),
    (KernelFamily::Attention, &["attention"]),
    (KernelFamily::Convolution, &["conv2d", "conv3d", "depthwiseconv"]),
    (KernelFamily::Softmax, &["softmax"]),
    (KernelFamily::Norm, &["bntraining", "bninference", "batchnorm", "layernorm", "rmsnorm", "groupnorm"]),
    (KernelFamily::Matrix, &["matmul", "addmm", "addmv", "baddbmm"]),
    (KernelFamily::Index, &["embedding", "gather", "scatter", "segment", "onehot", "maskedselect"]),
    (KernelFamily::Sort, &["multinomial", "unique", "topk", "sort"]),
    (
        KernelFamily::Copy,
        &[
            "slice",
            "split",
            "concat",
            "tile",
            "pad",
            "pack",
            "expanddims",
            "atomicaddrclean",
            "tensormove",
            "transdata",
        ],
    ),
    (KernelFamily::Reduction, &["reduce", "pool", "argmax", "biasaddgrad", "divloss", "mseloss", "nllloss"]),
    (
        KernelFamily::Elementwise,
        &[
            "add", "sub", "mul", "div", "relu", "gelu", "sigmoid", "tanh", "sqrt", "square", "exp", "log", "pow",
            "neg", "abs", "maximum", "minimum", "equal", "greater", "less", "select", "dropout",
        ],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_by_names_of_kernels() {
        for (name, family) in [
            ("ampere_sgemm_128x64_nn", KernelFamily::Matrix),
            ("Cijk_Alik_Bljk_BBS_BH_Bias_HAS_SAV", KernelFamily::Matrix),
            ("nvjet_tst_128x256_64x4_1x2_h_bz_coopA_TNT", KernelFamily::Matrix),
            ("void cutlass::Kernel2<cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16>", KernelFamily::Matrix),
            ("sm80_xmma_fprop_implicit_gemm_f16f16_f16f32", KernelFamily::Convolution),
            ("void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128>>", KernelFamily::Attention),
            ("void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor>", KernelFamily::Elementwise),
            ("triton_poi_fused_add_mul_3", KernelFamily::Elementwise),
            ("triton_red_fused__to_copy_mean_4", KernelFamily::Reduction),
            ("triton_red_fused_add_native_layer_norm_1", KernelFamily::Norm),
            ("triton_per_fused__softmax_2", KernelFamily::Softmax),
            ("bmm_MxE4m3_MxE2m1MxE4m3_Fp32_t128x8x512u2_s6", KernelFamily::Matrix),
            ("void split_embedding_backward_kernel<float, fbgemm_gpu::FixedDivisor>(float*)", KernelFamily::Index),
            ("igemm_wrw_gtcx2_nhwc_fp16_bx0_ex1", KernelFamily::Convolution),
            ("cudnn_ampere_scudnn_128x64_relu_xregs_large_nn_v1", KernelFamily::Convolution),
            ("void cutlass::device_kernel<flash::enable_sm90_or_later<flash::FlashAttnFwd>>", KernelFamily::Attention),
            ("void at::native::(anonymous namespace)::max_pool_forward_nchw<float, int>(int)", KernelFamily::Reduction),
            ("void cudnn::bn_fw_tr_1C11_kernel_NCHW<float, float, int>(int)", KernelFamily::Norm),
            ("void cudnn::ops::nchwToNhwcKernel<float>(int)", KernelFamily::Copy),
            ("void elementwise_kernel_with_index<int, at::native::arange>(int)", KernelFamily::Elementwise),
            ("kernel_grouped_conv_fwd_multiple_abd_xdl_cshuffle", KernelFamily::Convolution),
            ("BroadcastTo_3", KernelFamily::Elementwise),
            ("TransData_38", KernelFamily::Copy),
            ("UnsortedSegmentSum-op12", KernelFamily::Index),
            ("LayerNormV4_12", KernelFamily::Norm),
            // The scope is no part of the operator, but an optimizer's is.
            ("Default/network-WithLossCell/conv5-Conv2d/TransData-op7", KernelFamily::Copy),
            ("Default/network-WithLossCell/dropout-Dropout/DropoutGenMask-op9", KernelFamily::Elementwise),
            ("Default/network-WithLossCell/fc-Dense/BiasAddGrad-op12", KernelFamily::Reduction),
            ("Gradients/Default/network-WithLossCell/gradConv2D/Conv2DBackpropFilterD-op3", KernelFamily::Convolution),
            ("Default/optimizer-Momentum/Mul-op4", KernelFamily::Optimizer),
            ("Default/FusedMulApplyMomentum-op282", KernelFamily::Optimizer),
            ("FusionOp_ReluGradV2_Cast-op5", KernelFamily::Elementwise),
            ("FusionOp_MatMul_Relu-op5", KernelFamily::Matrix),
            ("Default/net/ApplyRotaryPosEmb-op1", KernelFamily::Attention),
            ("Multinomial-op1", KernelFamily::Sort),
            ("KLDivLoss-op1", KernelFamily::Reduction),
            ("MaskedSelect-op1", KernelFamily::Index),
            ("Addmm-op1", KernelFamily::Matrix),
            ("AtomicAddrClean-op1", KernelFamily::Copy),
            ("Cast-op77", KernelFamily::Copy),
            ("RealDiv-op77", KernelFamily::Elementwise),
            ("void (anonymous namespace)::convert_kernel<float, c10::BFloat16>", KernelFamily::Copy),
            ("batched_transpose_32x32_half", KernelFamily::Copy),
            ("SubTensorOpWithCastTensor1d", KernelFamily::Copy),
            ("SubTensorOpWithScalar1d", KernelFamily::Copy),
            ("Cijk_gemm_transpose_kernel", KernelFamily::Matrix),
            ("void cutlass::Kernel2<cute::Copy_Atom>", KernelFamily::Matrix),
            ("void splitKreduce_kernel<32, 16, int>", KernelFamily::Matrix),
            ("conv2d_transpose_kernel", KernelFamily::Convolution),
            ("fused_dequant_gemm", KernelFamily::Matrix),
            ("ncclDevKernel_AllReduce_Sum_f32_RING_LL", KernelFamily::Communication),
        ] {
            assert_eq!(KernelFamily::of_kernel(name), Some(family), "{name}");
        }
        assert_eq!(KernelFamily::of_kernel("my_kernel(float*)"), None);
    }
}
