//! Short names of kernels, for people: the work of a kernel and its types, without parts for the compiler.
//!
//! A kernel's full name is a C++ signature of up to some thousand letters, mangled or not, or a library's list of
//! settings. The short one keeps the function, its template arguments and the types: `CUDAFunctor_add<bf16>`,
//! `gemm TN bf16 128x128x64 (xmma sm90)`. Where two kernels of a list would have the same, both have a longer one.

mod gemm;
mod instance;
mod signature;
mod tokens;

use std::borrow::Cow;

use stepscope_base::CompactSort as _;
use stepscope_table::{Column, Table, Unit, Value};
use stepscope_trace::{Class, EventId, Trace};

use self::signature::Detail;

/// Levels of detail of a name, the lowest first; after these comes the name without `void`, then the whole one.
const DETAILS: [Detail; 5] = [Detail::Work, Detail::Function, Detail::Types, Detail::Numbers, Detail::All];

/// The short name of a single kernel.
///
/// ```
/// use stepscope::present::kernel_names::short_name;
///
/// let full = "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::BFloat16>, \
///     std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<c10::BFloat16>, std::array<char*, 3ul>)";
/// assert_eq!(short_name(full), "CUDAFunctor_add<bf16>");
/// assert_eq!(short_name("Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_MT256x192x64_MI16x16x1_SN"), "gemm TN bf16 256x192x64 (Tensile)");
/// assert_eq!(short_name("triton_poi_fused_add_cos_sin_0"), "triton_poi_fused_add_cos_sin_0");
/// ```
#[must_use]
pub fn short_name(name: &str) -> Cow<'_, str> {
    at_level(name, 0)
}

/// The name of an event; for a kernel, its short name. A table with another kernel of that short name has a longer one.
#[must_use]
pub fn event_name(trace: &Trace, event: EventId) -> Cow<'_, str> {
    let name = trace.name_of(event);
    if trace.slices.class(event) == Class::Kernel { short_name(name) } else { Cow::Borrowed(name) }
}

/// The short names of kernels; different names in the list have different ones.
#[must_use]
pub fn short_names<'a>(names: &[&'a str]) -> Vec<Cow<'a, str>> {
    let mut distinct = names.to_vec();
    distinct.compact_sort();
    distinct.dedup();
    let mut levels = vec![0; distinct.len()];
    let mut short: Vec<Cow<'a, str>> = distinct.iter().map(|name| at_level(name, 0)).collect();
    for _ in 0..=DETAILS.len() {
        let mut order: Vec<usize> = (0..distinct.len()).collect();
        order.compact_sort_by(|a, b| short[*a].cmp(&short[*b]));
        let equal: Vec<&[usize]> =
            order.chunk_by(|a, b| short[*a] == short[*b]).filter(|names| names.len() > 1).collect();
        if equal.is_empty() {
            break;
        }
        let mut longer = Vec::new();
        for group in equal {
            let names: Vec<&str> = group.iter().map(|place| distinct[*place]).collect();
            let apart = told_apart(&names);
            for (index, (place, apart)) in group.iter().zip(apart).enumerate() {
                let (name, level) = (distinct[*place], levels[*place] + 1);
                let apart = match level {
                    1 => apart,
                    // They differ only in parts that people cannot read.
                    2 => instance::decoded(name).map(|_| format!("{} #{}", short[*place], index + 1)),
                    _ => None,
                };
                longer.push((*place, apart.map_or_else(|| at_level(name, level), Cow::Owned)));
            }
        }
        for (place, name) in longer {
            levels[place] += 1;
            short[place] = name;
        }
    }
    let place =
        |name: &&'a str| distinct.binary_search(name).map_or(Cow::Borrowed(*name), |place| short[place].clone());
    names.iter().map(place).collect()
}

/// The short names of all kernels that a table names.
#[derive(Clone, Debug, Default)]
pub struct TableNames(Vec<(String, String)>);

impl TableNames {
    /// The short names of a table, which differ for different kernels.
    #[must_use]
    pub fn of(table: &Table) -> Self {
        if table.columns().all(|(column, _)| column.unit != Unit::KernelName) {
            return Self::default();
        }
        let cells = (0..table.len()).flat_map(|row| table.row(row));
        let mut texts: Vec<Cow<'_, str>> = cells.filter_map(|(column, value)| name_in(column, value)).collect();
        texts.compact_sort();
        let names: Vec<&str> = texts.iter().map(|text| &**text).collect();
        let short = short_names(&names).into_iter().map(Cow::into_owned);
        Self(names.iter().map(|name| (*name).to_owned()).zip(short).collect())
    }

    /// A kernel's short name; the full name if it is not in the table.
    #[must_use]
    pub fn short<'a>(&'a self, name: &'a str) -> &'a str {
        let found = self.0.binary_search_by(|(known, _)| known.as_str().cmp(name));
        found.map_or(name, |place| &self.0[place].1)
    }
}

/// The kernel's name in a cell; none where it has no such name.
fn name_in<'a>(column: &Column, value: Value<'a>) -> Option<Cow<'a, str>> {
    match value {
        Value::Text(text) if column.unit == Unit::KernelName => Some(text),
        _ => None,
    }
}

/// The parts of a library's name; numbers belong to the part before them, as in `WG32_4_2`.
fn settings(name: &str) -> Vec<&str> {
    let ends = name.match_indices('_').map(|(at, _)| at);
    let ends = ends.filter(|at| !name[at + 1..].starts_with(|next: char| next.is_ascii_digit()));
    let mut from = 0;
    let mut found: Vec<&str> = Vec::new();
    for at in ends.chain([name.len()]) {
        found.push(&name[from..at]);
        from = (at + 1).min(name.len());
    }
    found
}

/// The short names of libraries' kernels with the parts that not all of `names` have; none for other kernels.
fn told_apart(names: &[&str]) -> Vec<Option<String>> {
    let all: Vec<Vec<&str>> = names.iter().map(|name| settings(gemm::inner_name(name))).collect();
    let is_shared = |setting: &&str| all.iter().all(|settings| settings.contains(setting));
    let differences = instance::differences(names);
    let apart = |index: usize| {
        let name = names[index];
        if let Some(short) = gemm::decoded(name) {
            let own: Vec<&str> = all[index].iter().copied().filter(|setting| !is_shared(setting)).collect();
            let apart = if own.is_empty() { short } else { format!("{short} · {}", own.join("_")) };
            return (apart.len() < name.len()).then_some(apart);
        }
        let (short, own) = (instance::decoded(name)?, &differences[index]);
        (!own.is_empty()).then(|| format!("{short} · {own}"))
    };
    (0..names.len()).map(apart).collect()
}

/// Longer names are not kernels', and comparing their parts would take long.
const LONGEST: usize = 16_384;

/// A name at a level of detail; the full name where that is no longer.
fn at_level(name: &str, level: usize) -> Cow<'_, str> {
    if name.len() > LONGEST {
        return Cow::Borrowed(name);
    }
    let library = if level == 0 { gemm::decoded(name) } else { None };
    let instance = || if level <= DETAILS.len() { instance::decoded(name) } else { None };
    let signature = || signature::shortened(name, *DETAILS.get(level)?);
    let short =
        library.or_else(instance).or_else(signature).filter(|short| !short.is_empty() && short.len() < name.len());
    let whole = if level == DETAILS.len() { name.strip_prefix("void ").unwrap_or(name) } else { name };
    short.map_or(Cow::Borrowed(whole), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADD: &str = "void at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl_nocast<at::native::BinaryFunctor<c10::BFloat16, c10::BFloat16, c10::BFloat16, at::native::binary_internal::MulFunctor<float> > >(at::TensorIteratorBase&, at::native::BinaryFunctor<c10::BFloat16, c10::BFloat16, c10::BFloat16, at::native::binary_internal::MulFunctor<float> > const&)::{lambda(int)#1}>(int, at::native::gpu_kernel_impl_nocast<at::native::BinaryFunctor<c10::BFloat16, c10::BFloat16, c10::BFloat16, at::native::binary_internal::MulFunctor<float> > >(at::TensorIteratorBase&, at::native::BinaryFunctor<c10::BFloat16, c10::BFloat16, c10::BFloat16, at::native::binary_internal::MulFunctor<float> > const&)::{lambda(int)#1})";

    #[test]
    fn a_signature_keeps_functions_and_types() {
        let copy = "void at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl_nocast<at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}::operator()() const::{lambda()#12}::operator()() const::{lambda(c10::BFloat16)#1}>(at::TensorIteratorBase&, int const&)::{lambda(int)#1}>(int)";
        for (full, short) in [
            (ADD, "MulFunctor<bf16>"),
            (copy, "direct_copy_kernel_cuda<bf16>"),
            (
                "void pytorch_flash::flash_fwd_kernel<pytorch_flash::Flash_fwd_kernel_traits<64, 128, 128, 4, false, false, cutlass::bfloat16_t, pytorch_flash::Flash_kernel_traits<64, 128, 128, 4, cutlass::bfloat16_t> >, false, true>(pytorch_flash::Flash_fwd_params)",
                "flash_fwd_kernel<Flash_fwd_kernel_traits<bf16, Flash_kernel_traits<bf16>>>",
            ),
            (
                "std::enable_if<(((8)>(0)))&&vllm::_typeConvert<c10::BFloat16>::exists, void>::type vllm::fused_add_rms_norm_kernel<c10::BFloat16, 8>(c10::BFloat16*, long, float, int)",
                "fused_add_rms_norm_kernel<bf16>",
            ),
            (
                "void (anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16, 16>(c10::BFloat16*, unsigned long)",
                "multimem_all_reduce_kernel<bf16>",
            ),
            (
                "void at::native::(anonymous namespace)::CatArrayBatchedCopy<at::native::(anonymous namespace)::OpaqueType<2u>, unsigned int, 4, 64, 64>(int)",
                "CatArrayBatchedCopy<OpaqueType, unsigned int>",
            ),
            (
                "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
                "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
            ),
            (
                "_ZN7ck_tile6kentryILi1ENS_12Rmsnorm2dFwdINS_27Rmsnorm2dFwdPipelineOnePassINS_7ProblemIDF16bEEEEEEEvDpT1_",
                "Rmsnorm2dFwd bf16 (CK)",
            ),
            (
                "void vllm::rotary_embedding_kernel<c10::BFloat16, true>(long const*, int) [clone .kd]",
                "rotary_embedding_kernel<bf16>",
            ),
        ] {
            assert_eq!(short_name(full), short, "{full}");
        }
    }

    #[test]
    fn a_matrix_product_is_its_layout_type_and_tile() {
        for (full, short) in [
            (
                "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_segment_k_off_kernel__5x_cublas",
                "gemm TN bf16 128x128x64 (xmma sm90)",
            ),
            (
                "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_64x64_64x6_tn_align8>(cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_64x64_64x6_tn_align8::Params)",
                "gemm_relu TN bf16 64x64x64 (CUTLASS sm80)",
            ),
            (
                "void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_128x64_32x6_nt_align1>(cutlass_80_tensorop_s1688gemm_128x64_32x6_nt_align1::Params)",
                "gemm NT tf32 128x64x32 (CUTLASS sm80)",
            ),
            ("ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_stages_64x4_tn", "gemm TN fp16 128x64x64 (ampere)"),
            (
                "ampere_bf16_s16816gemm_bf16_128x128_ldg8_relu_f2f_stages_32x5_tn",
                "gemm_relu TN bf16 128x128x32 (ampere)",
            ),
            ("volta_sgemm_128x64_nn_and_settings", "gemm NN fp32 128x64 (volta)"),
            ("nvjet_tst_64x16_64x16_2x4_2cta_h_bz_bias_TNT", "gemm_bias TNT bf16 64x16x64 (nvjet)"),
            ("Cijk_Ailk_Bjlk_SB_MT64x96x128_MI16x16x1_SN", "gemm NT fp32 64x96x128 (Tensile)"),
            (
                "void cutlass_cudnn::Kernel<cutlass_tensorop_s1688dgrad_optimized_tf32_128x64_16x4_nhwc_align4>(cutlass_tensorop_s1688dgrad_optimized_tf32_128x64_16x4_nhwc_align4::Params)",
                "conv_bwd_data NHWC tf32 128x64x16 (CUTLASS)",
            ),
            (
                "sm80_xmma_wgrad_implicit_gemm_bf16bf16_bf16f32_f32_nhwckrsc_nchw_tilesize64x64x32_stage4_execute_kernel_cudnn",
                "conv_bwd_weight NHWC bf16 64x64x32 (xmma sm80)",
            ),
            ("igemm_fwd_gtcx9_nhwc_fp16_bx0_ex0_bt64x256x16_wt32x32x8_ws1x2", "conv_fwd NHWC fp16 64x256x16 (MIOpen)"),
            ("igemm_bwd_gtcx9_nchw_fp32_bx0_ex0_bt32x64x8_wt32x32x8_ws1x2", "conv_bwd_data NCHW fp32 32x64x8 (MIOpen)"),
            (
                "igemm_wrw_gtcx9_nhwc_bf16_bx0_ex0_bt16x64x8_wt32x32x8_ws1x2",
                "conv_bwd_weight NHWC bf16 16x64x8 (MIOpen)",
            ),
        ] {
            assert_eq!(short_name(full), short, "{full}");
        }
    }

    /// Names by the Itanium ABI, with an enumerator and a number to choose.
    fn mangled_norm(fused: u32) -> String {
        format!(
            "_ZN7ck_tile6kentryILi2ENS_13SoftmaxKernelINS_7ProblemIDF16bfNS_8sequenceIJLi2ELi512EEEELNS_8FusedAddE{fused}EEEEEEvDpT1_"
        )
    }

    const CONVOLUTION: &str = "_ZN2ck16tensor_operation6device12_GLOBAL__N_135kernel_grouped_conv_bwd_data_xdl_v3INS_16GridwiseGemm_xdlINS_6layout8RowMajorES3_DF16_DF16_fLNS_14SpecializationE7ELi256ELi64ELi128ELi32ELi8ELi8ELi16ELi16ELi2ELi4ENS_8SequenceIJLi4ELi64ELi1EEEEEEEvT_";

    #[test]
    fn an_instance_is_its_operation_type_and_tile() {
        for (full, short) in [
            (
                "void ck::kernel_gemm_xdl_v3<ck::Gridwise<ck::layout::RowMajor, ck::Tuple<>, ck::f8_ocp_t, float, (ck::device::Specialization)3, 256, 128, 64, 32, 8, 8, 32, 32, 2, 1, ck::Sequence<4, 64, 1>, 8>, true>(int)",
                "gemm fp8 128x64x32 (CK)",
            ),
            // Blocks of scales have numbers, too.
            (
                "void ck::kernel_moe_gemm<ck::Gridwise<ck::bf8_t, unsigned short, (ck::Specialization)0, 256, 1, 96, 112, 16, 128, 64, 16, 16, 16, 16, 1, 2, ck::Sequence<16, 16, 1>>>(int)",
                "moe_gemm bf16 16x128x64 (CK)",
            ),
            (CONVOLUTION, "conv_bwd_data fp16 64x128x32 (CK)"),
            (
                "_ZN2ck16tensor_operation6device12_GLOBAL__N_137kernel_batched_gemm_xdlops_bwd_weightINS_12GridwiseGemmILi64EttftNS_8SequenceIJLi1ELi2EEEELi64ELi32ELi4ELi32ELi32ELi8ELi2ELi1ENS5_IJLi1EEEEEEvT_",
                "conv_bwd_weight bf16 64x32 (CK)",
            ),
            // Without matrix instructions, the numbers have another order.
            (
                "void ck::kernel_gemm_dl<ck::Gridwise<256, float, ck::Operation, 256, 128, 64, 16, 2, 4, 4, 1, ck::Sequence<2, 1>>>(int)",
                "gemm fp32 (CK)",
            ),
            (
                "void ck::tensor_operation::device::DeviceGroupedConvBwdWeight_Xdl<256, 128, 64, 32, Default, 32, 32, 2, 1>(int)",
                "conv_bwd_weight 128x64x32 (CK)",
            ),
            (
                "void ck::tensor_operation::device::(anonymous namespace)::kernel_softmax_gemm<_Float16, float>(int)",
                "kernel_softmax_gemm fp16 (CK)",
            ),
            (
                "void ck_tile::kentry<256, 2, ck_tile::FmhaKernel<ck_tile::Problem<ck_tile::fp16_t, ck_tile::sequence<128, 64, 32>>>>(int)",
                "FmhaKernel fp16 128x64x32 (CK)",
            ),
            (&mangled_norm(0), "SoftmaxKernel bf16 2x512 (CK)"),
            (
                "_ZN7cutlass6KernelINS_4conv12ImplicitGemmINS_4gemm9GemmShapeILi64ELi128ELi32EEENS_19Conv2dFpropIteratorINS_10tfloat32_tEEEEEEvNT_6ParamsE",
                "conv_fwd tf32 64x128x32 (CUTLASS)",
            ),
            (
                "void cutlass::Kernel<cutlass::gemm::kernel::Gemm<cutlass::Mma<cutlass::gemm::GemmShape<64, 32, 16>, cutlass::half_t, 8>>>(int)",
                "gemm fp16 64x32x16 (CUTLASS)",
            ),
        ] {
            assert_eq!(short_name(full), short, "{full}");
        }
    }

    #[test]
    fn a_mangled_name_is_its_path_and_first_arguments() {
        for (full, short) in [
            ("_ZN3lab12scale_kernelINS_5HalveEDF16bLi4EEEvPT0_", "lab::scale_kernel<Halve, bf16>"),
            ("_ZN3lab12_GLOBAL__N_15scaleILi4EEEvPf", "lab::scale"),
            ("_Z5scalePfi", "scale"),
            ("_ZSt5scaleIfEvT_", "scale<fp32>"),
            // Cut off.
            ("_ZN3lab5scaleI6HalvesNS_12Somethi", "lab::scale<Halves>"),
            ("?scale@lab@@YAXPEAMH@Z", "lab::scale"),
            (
                "??$add_kernel@$0IA@V?$Add@UBFloat16@c10@@@ops@lab@@@ops@lab@@YAXHV?$Add@UBFloat16@c10@@@01@@Z",
                "lab::ops::add_kernel<Add, bf16>",
            ),
            (
                "??$each@V<lambda_1>@?1???$outer@M@inner@lab@@YAXAEAM@Z@@ops@lab@@YAXV<lambda_1>@?1???$outer@M@inner@lab@@YAXAEAM@Z@@Z",
                "lab::ops::each<lambda_1, fp32>",
            ),
        ] {
            assert_eq!(short_name(full), short, "{full}");
        }
        for name in [CONVOLUTION, &mangled_norm(0), "??$each@V<lambda_1>@?1???$outer@M@lab@@YAXAEAM@Z@@lab@@YAXM@Z"] {
            for end in 0..name.len() {
                let short = short_name(&name[..end]);
                assert!(short.len() <= end, "{short}");
            }
        }
    }

    #[test]
    fn other_names_stay_as_they_are() {
        for name in [
            "triton_poi_fused_add_cos_sin_0",
            "_matmul_ogs_NNT_bf16xbf16xmxfp4_128x128x128x1",
            "Memcpy HtoD (Pageable -> Device)",
            "Default/AllReduce-op534_0",
            "attn_fwd",
            "a < b",
            "f(",
            "f<a(>)",
            "矩阵乘<浮点",
            "",
            "_Z1\u{e9}S\u{e9}L\u{e9}",
            "_Z",
            "_Z99999999999999999999x",
            "Cijk_",
            "nvjet_",
            "igemm_",
            "igemm_fwd_unknown_settings",
            "?",
            "??",
            "?scale@lab",
            "ck",
        ] {
            assert_eq!(short_name(name), name);
        }
        let long = format!("void k<{}float>(int)", "a<b>, ".repeat(LONGEST));
        assert_eq!(short_name(&long), long);
    }

    #[test]
    fn other_kernels_have_other_names() {
        let vectorized = "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul> >(int)";
        let unrolled = vectorized.replace("vectorized", "unrolled");
        assert_eq!(
            short_names(&[vectorized, &unrolled]),
            [
                "CUDAFunctor_add<fp32> · vectorized_elementwise_kernel",
                "CUDAFunctor_add<fp32> · unrolled_elementwise_kernel"
            ]
        );
        let of = |tile: u32| format!("void k<{tile}, float>(int)");
        let (one, other, third) = (of(1), of(2), "void k<1, float>(long)".to_owned());
        let names = [one.as_str(), other.as_str(), one.as_str(), third.as_str(), "void m<1, float>(int)"];
        assert_eq!(
            short_names(&names),
            ["k<1, float>(int)", "k<2, fp32>", "k<1, float>(int)", "k<1, float>(long)", "m<fp32>"]
        );
        let norms = [0, 1].map(mangled_norm);
        assert_eq!(
            short_names(&norms.each_ref().map(String::as_str)),
            ["SoftmaxKernel bf16 2x512 (CK) · FusedAdd 0", "SoftmaxKernel bf16 2x512 (CK) · FusedAdd 1"]
        );
        let names = ["_ZN3lab5scaleIfLi4EEEvPT_", "_ZN3lab5scaleIfLi8EEEvPT_", "_ZN3lab5scaleIfLi8EEEvPS0_"];
        assert_eq!(
            short_names(&names),
            ["lab::scale<fp32> · 4", "lab::scale<fp32> · 8 #2", "lab::scale<fp32> · 8 #1"],
            "the last two differ in nothing that people can read"
        );
        let names = ["void sort<Policy<long>::Sm80>(int)", "void sort<Policy<int>::Sm80>(int)"];
        assert_eq!(short_names(&names), ["sort<Policy<int64>::Sm80>", "sort<Policy<int32>::Sm80>"]);
        let lambda = |number: u32| {
            format!("void each<128, lab::(anonymous namespace)::norm(int)::{{lambda(float)#{number}}}>(int)")
        };
        let names = [1, 2].map(lambda);
        assert_eq!(
            short_names(&names.each_ref().map(String::as_str)),
            ["each<128, norm<fp32>#1>", "each<128, norm<fp32>#2>"]
        );
        let names = [
            "void cutlass::Kernel<cutlass_80_tensorop_bf16_s16816gemm_bf16_64x64_32x6_tn_align2>(Params)",
            "void cutlass::Kernel<cutlass_80_tensorop_bf16_s16816gemm_bf16_64x64_32x6_tn_align8>(Params)",
        ];
        let short = ["gemm TN bf16 64x64x32 (CUTLASS sm80) · align2", "gemm TN bf16 64x64x32 (CUTLASS sm80) · align8"];
        assert_eq!(short_names(&names), short);
        let gemms = ["volta_sgemm_128x64_nn_and_settings", "volta_sgemm_128x64_nn_or_others_of_them"];
        assert_eq!(short_names(&gemms), gemms, "what tells them apart is as long as the names");
        let settings = ["GRO0_USL1_WG64_4_1", "GRO1_USL1_WG64_4_1", "GRO1_WG64_8_1"];
        let gemms = settings.map(|settings| format!("Cijk_Alik_Bljk_BBS_BH_Bias_MT256x192x64_MI16x16x1_{settings}"));
        let short = ["GRO0_USL1_WG64_4_1", "GRO1_USL1_WG64_4_1", "GRO1_WG64_8_1"]
            .map(|own| format!("gemm TN bf16 256x192x64 (Tensile) · {own}"));
        assert_eq!(short_names(&gemms.each_ref().map(String::as_str)), short, "a library's settings tell them apart");
    }
}
