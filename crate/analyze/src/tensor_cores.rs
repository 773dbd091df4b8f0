//! Whether kernels use tensor cores (AMD: matrix cores): decided from several signs. METRICS section 4.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::devices::{GivenPeaks, Peaks, Precision, Vendor, device_of};
use super::flops::{ComputingCalls, Work};
use stepscope_trace::{Activity, ActivityId, Class, Device, EventId, NameId, Trace};

/// Whether a kernel uses tensor cores (AMD: matrix cores; Ascend: cube units).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TensorCores {
    /// Not known.
    #[default]
    Unknown,
    /// It does not.
    NotUsed,
    /// It does.
    Used,
}

impl TensorCores {
    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::NotUsed => "not_used",
            Self::Used => "used",
        }
    }

    /// Returns whether they are used; `None` if unknown.
    #[must_use]
    pub fn known(self) -> Option<bool> {
        (self != Self::Unknown).then_some(self == Self::Used)
    }
}

/// Facts about the kernels of one name: they are the same code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KernelSigns {
    /// Whether they use tensor cores.
    pub(super) tensor_cores: TensorCores,
    /// Whether they may compute a matrix product, a convolution or attention: others have no FLOPs that count.
    pub(super) may_be_product: bool,
}

/// Facts about all kernels of a trace, by their names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TensorCoreUse {
    by_name: HashMap<NameId, KernelSigns, FxBuildHasher>,
}

impl TensorCoreUse {
    /// Decides for all kernels of a trace, from the signs that there are:
    ///
    /// 1. Devices without tensor cores, and communication, use none.
    /// 2. Names that only kernels on tensor cores have.
    /// 3. The FLOP/s of a call: more than ordinary cores can do of its type.
    /// 4. Names that only kernels on ordinary cores have; operators that compute no product.
    /// 5. A name that hints at a product, with inputs of at most 16 bits.
    ///
    /// On Ascend, the operator's type in the name decides instead of 2 and 4: see `of_ascend`.
    ///
    /// Anything else is unknown. A fact about one kernel is true for all kernels of its name.
    #[must_use]
    pub fn of(trace: &Trace, given: &GivenPeaks) -> Self {
        let mut found = Self::by_names(trace);
        let undecided = found.by_name.values().any(|signs| signs.tensor_cores == TensorCores::Unknown);
        let may_be_faster = found.by_name.values().any(|signs| signs.tensor_cores != TensorCores::Used);
        if may_be_faster && trace.slices_of(Class::Operator).next().is_some() {
            let calls = ComputingCalls::of(trace, None);
            if undecided {
                found.ask_operators(trace, &calls);
            }
            found.ask_rates(trace, &calls, given);
        }
        if has_none(&trace.meta.devices) {
            found.by_name.values_mut().for_each(|signs| signs.tensor_cores = TensorCores::NotUsed);
        }
        found
    }

    fn by_names(trace: &Trace) -> Self {
        let mut by_name: HashMap<NameId, KernelSigns, FxBuildHasher> = HashMap::default();
        let of_name = if Vendor::of_trace(trace) == Vendor::Ascend { of_ascend } else { of_name };
        for activity in kernels_of(trace) {
            let name = trace.slices.name(activity.event);
            by_name.entry(name).or_insert_with(|| {
                if activity.communication {
                    return KernelSigns { tensor_cores: TensorCores::NotUsed, may_be_product: false };
                }
                of_name(trace.strings.get(name))
            });
        }
        Self { by_name }
    }

    /// Decides by operators and the types of their inputs where kernels' names do not.
    fn ask_operators(&mut self, trace: &Trace, calls: &ComputingCalls) {
        let mut work_of: HashMap<ActivityId, Work, FxBuildHasher> = HashMap::default();
        for call in calls.iter() {
            work_of.extend(call.kernels.iter().map(|id| (*id, call.work)));
        }
        let mut products: HashMap<NameId, Product, FxBuildHasher> = HashMap::default();
        for (index, activity) in trace.activities.iter().enumerate() {
            let name = trace.slices.name(activity.event);
            let Some(signs) = self.by_name.get_mut(&name) else { continue };
            let Some(operator) = activity.operator.get() else { continue };
            if signs.tensor_cores != TensorCores::Unknown || trace.slices.class(activity.event) != Class::Kernel {
                continue;
            }
            let mut product = |event: EventId| {
                let name = trace.slices.name(event);
                *products.entry(name).or_insert_with(|| Product::of(trace.strings.get(name)))
            };
            match product(operator) {
                Product::No => *signs = KernelSigns { tensor_cores: TensorCores::NotUsed, may_be_product: false },
                Product::Yes => {
                    let work = work_of.get(&ActivityId::from_index(index));
                    let precision = work.and_then(|work| work.precision).or_else(|| {
                        let operation = trace.operation(operator)?;
                        super::flops::precision_of(trace.strings.get(operation.types))
                    });
                    let is_short = precision.is_some_and(Precision::is_short);
                    if is_short && hints_at_product(trace.strings.get(name)) {
                        signs.tensor_cores = TensorCores::Used;
                    }
                }
                Product::Unknown => {}
            }
        }
    }

    /// Finds kernels that are faster than ordinary cores can be.
    fn ask_rates(&mut self, trace: &Trace, calls: &ComputingCalls, given: &GivenPeaks) {
        let mut peaks: Vec<(i64, Option<Peaks>)> = Vec::new();
        for call in calls.iter() {
            let Some((rate, precision)) = call.rate().zip(call.work.precision) else { continue };
            let name = |id: &ActivityId| trace.slices.name(trace.activities[id.index()].event);
            let signs = |id: &ActivityId| self.by_name.get(&name(id)).copied();
            let used = |id: &ActivityId| signs(id).is_some_and(|signs| signs.tensor_cores == TensorCores::Used);
            if call.kernels.iter().any(used) {
                continue;
            }
            // The longest kernel that may compute the product.
            let may_be = call.kernels.iter().filter(|id| signs(id).is_some_and(|signs| signs.may_be_product));
            let length = |id: &&ActivityId| trace.slices.length(trace.activities[id.index()].event);
            let Some(longest) = may_be.max_by_key(length) else { continue };
            let Some(stream) = trace.stream_of(trace.activities[longest.index()].event) else { continue };
            let known = peaks.iter().find(|(device, _)| *device == stream.device).map(|(_, peaks)| *peaks);
            let of_device = known.unwrap_or_else(|| {
                let found = given.of_device(device_of(trace, stream.device));
                peaks.push((stream.device, found));
                found
            });
            let bound = of_device.and_then(|peaks| peaks.of_ordinary_cores(precision));
            if bound.is_some_and(|bound| rate > FASTER * bound)
                && let Some(signs) = self.by_name.get_mut(&name(longest))
            {
                signs.tensor_cores = TensorCores::Used;
            }
        }
    }

    /// Whether the kernels of a name use tensor cores.
    #[must_use]
    pub fn get(&self, name: NameId) -> TensorCores {
        self.by_name.get(&name).map_or(TensorCores::Unknown, |signs| signs.tensor_cores)
    }

    /// Whether a kernel may compute a product, so that it is missing where its FLOPs are not known.
    pub(super) fn may_be_product(&self, name: NameId) -> bool {
        self.by_name.get(&name).is_none_or(|signs| signs.may_be_product)
    }
}

/// The factor above ordinary cores' peak from which a kernel counts as faster: clocks are raised for a while.
const FASTER: f64 = 1.05;

fn kernels_of(trace: &Trace) -> impl Iterator<Item = &Activity> {
    trace.activities.iter().filter(|activity| trace.slices.class(activity.event) == Class::Kernel)
}

/// Returns whether all devices are known to have no tensor cores: NVIDIA's before compute capability 7.
fn has_none(devices: &[Device]) -> bool {
    !devices.is_empty() && devices.iter().all(|device| has_tensor_cores(device) == Some(false))
}

/// Returns whether a device has tensor cores (matrix cores); `None` if unknown.
pub(super) fn has_tensor_cores(device: &Device) -> Option<bool> {
    const FIRST: u32 = 7;
    match Vendor::of(device) {
        Vendor::Nvidia => device.capability.map(|(major, _)| major >= FIRST),
        Vendor::Ascend => Some(true),
        // gfx908 is the first with matrix cores; traces call it 9.0 like its predecessors.
        Vendor::Amd => given_matrix(device),
        Vendor::Unknown => {
            device.capability.filter(|(major, _)| *major < FIRST).map(|_| false).or_else(|| given_matrix(device))
        }
    }
}

fn given_matrix(device: &Device) -> Option<bool> {
    GivenPeaks::default().of_device(Some(device)).map(|peaks| peaks.half_matrix > 0.0)
}

/// Whether an operator computes products: of matrices, convolutions, attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Product {
    Yes,
    No,
    Unknown,
}

impl Product {
    /// By the operator's name. Only the framework's own operators are known to compute no product.
    fn of(operator: &str) -> Self {
        const PARTS: [&str; 23] = [
            "mm",
            "matmul",
            "linear",
            "conv",
            "attention",
            "attn",
            "transformer",
            "sdp",
            "lstm",
            "gru",
            "rnn",
            "einsum",
            "dot",
            "mv",
            "linalg",
            "cholesky",
            "solve",
            "inverse",
            "lstsq",
            "lu_",
            "svd",
            "eig",
            "gemm",
        ];
        let lower = operator.to_ascii_lowercase();
        if PARTS.iter().any(|part| lower.contains(part)) {
            Self::Yes
        } else if lower.starts_with("aten::") {
            Self::No
        } else {
            Self::Unknown
        }
    }
}

/// Facts from the name of a kernel on Ascend: it ends with the operator's type, such as `Conv2D-op8`, or consists of
/// the types that were fused.
///
/// Products run on the cube unit, the only one for them. Elementwise operators and changes of form run on the vector
/// unit. Reductions may use either, and depthwise convolutions are few products: for these, and for other types, it is
/// unknown.
fn of_ascend(name: &str) -> KernelSigns {
    const CUBE: [&str; 6] = ["matmul", "batchmm", "conv2d", "conv3d", "flashattention", "fusedinferattention"];
    const EITHER: [&str; 5] = ["depthwise", "reduce", "biasaddgrad", "attention", "avgpool"];
    const VECTOR: [&str; 38] = [
        "cast",
        "transdata",
        "transpose",
        "relu",
        "gelu",
        "sigmoid",
        "tanh",
        "swiglu",
        "softmax",
        "layernorm",
        "rmsnorm",
        "batchnorm",
        "bninfer",
        "bntraining",
        "pool",
        "dropout",
        "genmask",
        "memset",
        "tensormove",
        "fill",
        "broadcast",
        "slice",
        "concat",
        "split",
        "gather",
        "onehot",
        "zeroslike",
        "oneslike",
        "equal",
        "select",
        "realdiv",
        "momentum",
        "adam",
        "foreach",
        "rotary",
        "topk",
        "muls",
        "adds",
    ];
    const WHOLE: [&str; 9] = ["add", "addn", "mul", "sub", "div", "sqrt", "square", "biasadd", "maximum"];
    let last = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
    let kind = last.rsplit_once("-op").map_or(last.as_str(), |(kind, _)| kind);
    let has = |parts: &[&str]| parts.iter().any(|part| kind.contains(part));
    let (tensor_cores, may_be_product) = if has(&CUBE) && !has(&["depthwise"]) {
        (TensorCores::Used, true)
    } else if has(&EITHER) {
        (TensorCores::Unknown, true)
    } else if has(&VECTOR) || WHOLE.contains(&kind) {
        (TensorCores::NotUsed, false)
    } else {
        (TensorCores::Unknown, true)
    };
    KernelSigns { tensor_cores, may_be_product }
}

/// Facts from a kernel's name alone.
fn of_name(name: &str) -> KernelSigns {
    if uses_tensor_cores(name) {
        KernelSigns { tensor_cores: TensorCores::Used, may_be_product: true }
    } else if is_no_product(name) {
        KernelSigns { tensor_cores: TensorCores::NotUsed, may_be_product: false }
    } else if is_on_ordinary_cores(name) {
        KernelSigns { tensor_cores: TensorCores::NotUsed, may_be_product: true }
    } else {
        let short = hints_at_product(name) && names_short_type(name);
        let tensor_cores = if short { TensorCores::Used } else { TensorCores::Unknown };
        KernelSigns { tensor_cores, may_be_product: true }
    }
}

/// Whether a kernel's name proves that it uses tensor (matrix, cube) cores.
///
/// `xmma`, `sm80_…gemm`, `Cijk` or `flash` alone prove nothing: kernels on ordinary cores have such names. A name that
/// proves nothing does not mean that they are not used: see [`TensorCoreUse`].
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
    if is_triton_without_products(name) {
        return false;
    }
    // MIOpen's kernels for tensors of numbers have this in their names.
    let lower = name.to_ascii_lowercase().replace("subtensorop", "");
    PARTS.iter().any(|part| lower.contains(part))
        || follows(&lower, "sm90_", &["gmma", "warpgroup"])
        || follows(&lower, "sm80_xmma_", &["tensor16x8x8", "tensor16x8x16", "tensor8x8x4"])
        || follows(&lower, "sm100_", &["umma"])
        || follows(&lower, "igemm_", &["gtcx"])
        || (name.starts_with("Cijk") && digit_after(name, "_MI"))
        || (lower.contains("bmm_") && digit_after(&lower, "sm"))
}

/// Inductor's elementwise kernels and reductions.
fn is_triton_without_products(name: &str) -> bool {
    ["triton_poi", "triton_per", "triton_red"].iter().any(|kind| name.starts_with(kind))
}

/// Whether a kernel's name proves that it computes no product, but an elementwise operator, a copy or a reduction.
fn is_no_product(name: &str) -> bool {
    const PARTS: [&str; 32] = [
        "elementwise",
        "reduce_kernel",
        "splitkreduce",
        "softmax",
        "layer_norm",
        "layernorm",
        "rms_norm",
        "rmsnorm",
        "batch_norm",
        "batchnorm",
        "group_norm",
        "transpose",
        "nchwtonhwc",
        "nhwctonchw",
        "subtensorop",
        "catarraybatchedcopy",
        "multi_tensor_apply",
        "index_",
        "indexselect",
        "gather_kernel",
        "scatter_kernel",
        "embedding",
        "dropout",
        "memcpy",
        "memset",
        "nccl",
        "rccl",
        "radixsort",
        "devicescan",
        "distribution_",
        "rotary",
        "act_and_mul",
    ];
    if is_triton_without_products(name) {
        return true;
    }
    // Template arguments also name other parts: an epilogue is elementwise, too.
    let name = name.replace("(anonymous namespace)::", "");
    let head = name.split(['<', '(']).next().unwrap_or_default().to_ascii_lowercase();
    let is_one = PARTS.iter().any(|part| head.contains(part));
    let own = head.trim_start_matches("void ").starts_with("at::native::");
    (is_one || own) && !["gemm", "mma", "_mm", "attention", "flash", "conv"].iter().any(|part| head.contains(part))
}

/// Whether a kernel's name proves that it computes a product on ordinary cores.
fn is_on_ordinary_cores(name: &str) -> bool {
    const PARTS: [&str; 8] =
        ["simt", "f32f32_f32f32_f32", "f64f64_f64f64_f64", "gemv", "dot_kernel", "gemmsn", "gemmk1", "depthwise"];
    let lower = name.to_ascii_lowercase();
    let plain = ["_sgemm", "_dgemm", "_hgemm", "_cgemm", "_zgemm"].iter().any(|part| lower.contains(part));
    plain || PARTS.iter().any(|part| lower.contains(part))
}

/// Whether a kernel's name hints at a product of matrices or a convolution, on tensor cores or not.
///
/// Names of attention do not: some of its kernels run on ordinary cores, whatever their type, and others fill its
/// caches.
fn hints_at_product(name: &str) -> bool {
    const PARTS: [&str; 9] = ["gemm", "matmul", "xmma", "cijk", "conv", "wgrad", "dgrad", "fprop", "triton_tem"];
    let lower = name.to_ascii_lowercase().replace("convert", "");
    PARTS.iter().any(|part| lower.contains(part)) && !follows_a_product(&lower)
}

/// Whether a kernel's name shows that it computes a product, or a convolution, on ordinary cores.
pub(super) fn is_ordinary_product(name: &str) -> bool {
    hints_at_product(name) && is_on_ordinary_cores(name)
}

/// Whether a kernel's name, in lower case, shows that it comes after a product: it adds up, scatters or rounds the
/// results of another kernel.
fn follows_a_product(name: &str) -> bool {
    const PARTS: [&str; 4] = ["finalize", "scatter", "splitkreduce", "splitk_reduce"];
    // Long names of C++ contain the names of all their parts.
    let head = name.split(['<', '(']).next().unwrap_or_default();
    !head.starts_with("_z") && PARTS.iter().any(|part| head.contains(part))
}

/// Whether a kernel's name shows that its inputs have 16 bits or fewer.
fn names_short_type(name: &str) -> bool {
    const TYPES: [&str; 7] = ["bf16", "bfloat16", "f16f16", "fp16", "e4m3", "e5m2", "e2m1"];
    let lower = name.to_ascii_lowercase();
    TYPES.iter().any(|part| lower.contains(part))
}

/// Whether a kernel's name shows that it rounds FP32 inputs to TF32 (xf32).
pub(super) fn rounds_to_tf32(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    ["tf32", "xf32", "s1688"].iter().any(|part| lower.contains(part))
}

/// Whether one of `parts` occurs after `first`.
fn follows(name: &str, first: &str, parts: &[&str]) -> bool {
    name.split_once(first).is_some_and(|(_, rest)| parts.iter().any(|part| rest.contains(part)))
}

fn digit_after(name: &str, mark: &str) -> bool {
    name.match_indices(mark).any(|(at, _)| name[at + mark.len()..].starts_with(|next: char| next.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use stepscope_input::Loader;

    #[test]
    fn names_of_kernels_on_tensor_cores() {
        let yes = [
            "void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_64x64_16x6_nn_align4>",
            "ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_nn",
            "nvjet_tst_128x64_64x8_2x1_v_bz_TNT",
            "void flash_fwd_kernel<Flash_fwd_kernel_traits<128>>",
            "Cijk_Ailk_Bljk_BBS_BH_MT128x128x32_MI16x16x1_SN",
            "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize2x1x1_bias_f16_execute_kernel__5x_cublas",
            "sm80_xmma_gemm_f16f16_f16f32_f32_tn_n_tilesize96x64x64_stage3_warpsize2x2x1_tensor16x8x16_kernel",
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

    #[test]
    fn a_name_alone_proves_little() {
        let of = |name: &str| (of_name(name).tensor_cores, of_name(name).may_be_product);
        for name in
            ["sm80_xmma_gemm_f32tf32", "Cijk_Ailk_Bljk_SB_MT64x64x8_SN", "flash_kernel", "kernel_unified_attention_2d"]
        {
            assert_eq!(of(name), (TensorCores::Unknown, true), "{name}");
        }
        for name in [
            "volta_sgemm_128x64_nn",
            "sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize32x32x8_stage3",
            "cutlass_80_simt_gemm",
        ] {
            assert_eq!(of(name), (TensorCores::NotUsed, true), "{name}");
        }
        for name in [
            "void at::native::(anonymous namespace)::CatArrayBatchedCopy_vectorized<int>",
            "void cudnn::engines_precompiled::nchwToNhwcKernel<__nv_bfloat16>",
            "void splitKreduce_kernel<32, 16, int>",
            "triton_poi_fused_mm_0",
            "SubTensorOpWithScalar1d",
        ] {
            assert_eq!(of(name), (TensorCores::NotUsed, false), "{name}");
        }
        for name in ["_finalize_matmul_scatter_bf16", "gemm_splitk_reduce_bf16"] {
            assert_eq!(of(name), (TensorCores::Unknown, true), "{name}");
        }
        assert_eq!(of("sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize64x64x64"), (TensorCores::Used, true));
        for name in [
            "BatchPrefillWithPagedKVCacheKernel",
            "void vllm::reshape_and_cache_flash_kernel<__hip_bfloat16, __hip_bfloat16>",
            "void vllm::paged_attention_v1_kernel<__nv_bfloat16>",
            "std::enable_if<vllm::_typeConvert<c10::BFloat16>::exists, void>::type vllm::fused_add_kernel<c10::BFloat16>",
        ] {
            assert_eq!(of(name).0, TensorCores::Unknown, "{name}");
        }
    }

    #[test]
    fn kernels_on_ascend() {
        let of = |name: &str| of_ascend(name).tensor_cores;
        for name in [
            "Gradients/Default/network-WithLossCell/gradMatMul/MatMul-op137",
            "Default/network-WithLossCell/_backbone-AlexNet/conv1-Conv2d/Conv2D-op8",
            "Gradients/Default/network-WithLossCell/Conv2DBackpropFilterD-op222",
            "Default/network-WithLossCell/_backbone-AlexNet/FusionOp_MatMul_Relu-op527",
            "aclnnMatmul_MatMulV3Common_MatMulV3",
            "aclnnFlashAttentionScore_FlashAttentionScore_FlashAttentionScore",
        ] {
            assert_eq!(of(name), TensorCores::Used, "{name}");
        }
        for name in [
            "Default/network-WithLossCell/conv1-Conv2d/Cast-op259",
            "Default/grad_reducer-DistributedGradReducer/TransData-op363",
            "Default/optimizer-Momentum/ApplyMomentum-op292",
            "Default/network-WithLossCell/Mul-op12",
            "aclnnAdd_AddAiCore_Add",
        ] {
            let expected = if name.starts_with("aclnn") { TensorCores::Unknown } else { TensorCores::NotUsed };
            assert_eq!(of(name), expected, "{name}");
        }
        for name in
            ["Default/ReduceSum-op7", "Default/DepthwiseConv2D-op7", "Default/network/Custom-op3", "BiasAddGrad-op9"]
        {
            assert_eq!(of(name), TensorCores::Unknown, "{name}");
        }
    }

    /// A product of 2 · 1024³ FLOPs by a kernel with the given name, type of inputs and time in µs.
    fn decided(kernel: &str, operator: &str, kind: &str, micros: u32, device: &str, major: u32) -> TensorCores {
        let text = format!(
            r#"{{"deviceProperties": [{{"id": 0, "name": "{device}", "numSms": 108, "warpSize": 32, "computeMajor": {major},
              "computeMinor": 0, "totalGlobalMem": 42505273344}}], "traceEvents": [
              {{"ph":"X","cat":"cpu_op","name":"{operator}","pid":1,"tid":1,"ts":0,"dur":20,"args":{{
               "Input Dims":[[1024,1024],[1024,1024]],"Input type":["{kind}","{kind}"]}}}},
              {{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":5,"dur":2,"args":{{"correlation":9}}}},
              {{"ph":"X","cat":"kernel","name":"{kernel}","pid":0,"tid":7,"ts":10,"dur":{micros},"args":{{
               "correlation":9,"device":0,"stream":7}}}}]}}"#
        );
        let mut loader = Loader::new("decided.json");
        loader.space(text.len()).copy_from_slice(text.as_bytes());
        loader.advance(text.len()).expect("a trace");
        let trace = loader.finish().expect("a trace").trace;
        let name = trace.slices.name(trace.activities[0].event);
        TensorCoreUse::of(&trace, &GivenPeaks::default()).get(name)
    }

    #[test]
    fn several_signs_decide() {
        const A100: &str = "NVIDIA A100-SXM4-40GB";
        // 2.1 GFLOP in 20 µs are 107 TFLOP/s, where the ordinary cores of an A100 do 19.5; in 200 µs 10.7.
        let of = |kernel, operator, kind, micros| decided(kernel, operator, kind, micros, A100, 8);
        assert_eq!(of("gemm_kernel", "aten::mm", "float", 20), TensorCores::Used, "faster than ordinary cores");
        assert_eq!(of("ampere_sgemm_128x64_nn", "aten::mm", "float", 20), TensorCores::Used, "whatever its name says");
        assert_eq!(of("gemm_kernel", "aten::mm", "float", 200), TensorCores::Unknown);
        assert_eq!(of("gemm_kernel", "aten::mm", "c10::BFloat16", 200), TensorCores::Used, "name and type");
        assert_eq!(of("some_kernel", "aten::mm", "c10::BFloat16", 200), TensorCores::Unknown, "the type alone");
        assert_eq!(of("gemv2T_kernel_val", "aten::mm", "c10::BFloat16", 200), TensorCores::NotUsed);
        assert_eq!(of("some_kernel", "aten::add", "float", 200), TensorCores::NotUsed, "no product");
        assert_eq!(of("some_kernel", "mine::op", "float", 200), TensorCores::Unknown);
        let pascal = decided("gemm_kernel", "aten::mm", "c10::Half", 20, "Tesla P100-PCIE-16GB", 6);
        assert_eq!(pascal, TensorCores::NotUsed, "the device has none");
    }
}
