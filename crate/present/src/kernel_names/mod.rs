//! Short names of kernels, for people: the work of a kernel and its types, without parts for the compiler.
//!
//! A kernel's full name is a C++ signature of up to some thousand letters, or a library's list of settings. The short
//! one keeps the function, its template arguments and the types: `CUDAFunctor_add<bf16>`, `gemm TN bf16 128x128x64
//! (xmma sm90)`. Where two kernels of a list would have the same, both have a longer one.

mod gemm;
mod signature;

use std::borrow::Cow;

use stepscope_base::CompactSort as _;
use stepscope_table::{Column, Table, Unit, Value};
use stepscope_trace::{Class, EventId, Trace};

use self::signature::Detail;

/// Levels of detail of a name, the lowest first; after these comes the whole name.
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
    for _ in DETAILS {
        let mut order: Vec<usize> = (0..distinct.len()).collect();
        order.compact_sort_by(|a, b| short[*a].cmp(&short[*b]));
        let equal: Vec<&[usize]> =
            order.chunk_by(|a, b| short[*a] == short[*b]).filter(|names| names.len() > 1).collect();
        if equal.is_empty() {
            break;
        }
        let longer = equal.iter().flat_map(|group| {
            let names: Vec<&str> = group.iter().map(|place| distinct[*place]).collect();
            let longer = |place: &usize| {
                let (name, level) = (distinct[*place], levels[*place] + 1);
                let told_apart = if level == 1 { with_settings(name, &names) } else { None };
                (*place, told_apart.map_or_else(|| at_level(name, level), Cow::Owned))
            };
            group.iter().map(longer).collect::<Vec<_>>()
        });
        for (place, name) in longer.collect::<Vec<_>>() {
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

/// The short name of a library's kernel with the settings that not all of `names` have; none for other kernels.
fn with_settings(name: &str, names: &[&str]) -> Option<String> {
    let short = gemm::decoded(name)?;
    let is_shared = |setting: &&str| names.iter().all(|name| settings(name).contains(setting));
    let own: Vec<&str> = settings(name).into_iter().filter(|setting| !is_shared(setting)).collect();
    let told_apart = format!("{short} · {}", own.join("_"));
    (!own.is_empty() && told_apart.len() < name.len()).then_some(told_apart)
}

/// Longer names are not kernels', and comparing their parts would take long.
const LONGEST: usize = 16_384;

/// A name at a level of detail; the full name where that is no longer.
fn at_level(name: &str, level: usize) -> Cow<'_, str> {
    if name.len() > LONGEST {
        return Cow::Borrowed(name);
    }
    let library = if level == 0 { gemm::decoded(name) } else { None };
    let short = library.or_else(|| signature::shortened(name, *DETAILS.get(level)?));
    short.filter(|short| !short.is_empty() && short.len() < name.len()).map_or(Cow::Borrowed(name), Cow::Owned)
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
                "ck_tile::kentry<Rmsnorm2dFwd>",
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
        ] {
            assert_eq!(short_name(full), short, "{full}");
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
            ["void k<1, float>(int)", "k<2, fp32>", "void k<1, float>(int)", "void k<1, float>(long)", "m<fp32>"]
        );
        let gemms = ["volta_sgemm_128x64_nn_and_settings", "volta_sgemm_128x64_nn_or_others_of_them"];
        assert_eq!(short_names(&gemms), gemms, "what tells them apart is as long as the names");
        let settings = ["GRO0_USL1_WG64_4_1", "GRO1_USL1_WG64_4_1", "GRO1_WG64_8_1"];
        let gemms = settings.map(|settings| format!("Cijk_Alik_Bljk_BBS_BH_Bias_MT256x192x64_MI16x16x1_{settings}"));
        let short = ["GRO0_USL1_WG64_4_1", "GRO1_USL1_WG64_4_1", "GRO1_WG64_8_1"]
            .map(|own| format!("gemm TN bf16 256x192x64 (Tensile) · {own}"));
        assert_eq!(short_names(&gemms.each_ref().map(String::as_str)), short, "a library's settings tell them apart");
    }
}
