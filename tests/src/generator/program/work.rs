//! The work of operators, with its duration on an A100: from the numbers on its data sheet, independent of the
//! analyses.

use crate::generator::simulate::Inputs;

/// FLOPs per ns in 16 bit on tensor cores.
const TENSOR_CORES: i64 = 312_000;

/// FLOPs per ns in TF32 on tensor cores.
const TF32: i64 = 156_000;

/// FLOPs per ns in 32 bit without tensor cores.
const SINGLE: i64 = 19_500;

/// Bytes per ns of its memory.
const MEMORY: i64 = 2_039;

/// Columns of matrices.
const WIDTH: i64 = 1_024;

/// Percentages of the units that compute and of the memory's bandwidth that a good kernel reaches.
const GOOD: [i64; 2] = [80, 85];

/// The same for kernels that do all of attention, for both.
pub(super) const GOOD_FUSED: i64 = 70;

const GEMM: &str = crate::generator::simulate::KERNELS[0];
const GEMM_SMALL_ALIGNMENT: &str = "ampere_bf16_s1688gemm_bf16_128x128_ldg8_relu_f2f_align1_stages_32x1_nn";
const GEMM_SINGLE: &str = "ampere_sgemm_128x64_nn";
const ADD: &str = "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::BFloat16>, at::detail::Array<char*, 3> >(int, at::native::CUDAFunctor_add<c10::BFloat16>, at::detail::Array<char*, 3>)";
const SOFTMAX: &str = "void (anonymous namespace)::cunn_SoftMaxForward<8, c10::BFloat16, float, c10::BFloat16>(c10::BFloat16*, c10::BFloat16 const*, int)";
const ATTENTION: &str = "void pytorch_flash::flash_fwd_kernel<pytorch_flash::Flash_fwd_kernel_traits<64, 128, 128, 4> >(pytorch_flash::Flash_fwd_params)";

/// Kind of work of kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Products of matrices.
    Matrix,
    /// Products of matrices in 32 bit, which TF32 does faster.
    Single,
    /// One element after the other.
    Elementwise,
    /// Softmax.
    Softmax,
    /// Attention, which a single kernel can do.
    Attention,
}

/// The matrices of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    /// In 16 bit, with rows that are aligned for tensor cores.
    Aligned,
    /// In 16 bit, with rows of an odd number of elements.
    Misaligned,
    /// In 32 bit, without tensor cores.
    Single,
}

/// An operator that launches one kernel.
pub(super) struct Work {
    pub(super) operator: &'static str,
    pub(super) kernel: &'static str,
    pub(super) inputs: Inputs,
    pub(super) family: Family,
    /// Duration of the kernel.
    pub(super) length: i64,
    /// Duration of a good kernel.
    pub(super) good: i64,
}

impl Work {
    fn new(names: [&'static str; 2], inputs: Inputs, family: Family, limits: [i64; 2], percent: i64) -> Self {
        let [operator, kernel] = names;
        let length = limits[0].max(limits[1]) * 100 / percent;
        Self { operator, kernel, inputs, family, length, good: good(limits) }
    }
}

/// Duration of a good kernel.
fn good(limits: [i64; 2]) -> i64 {
    let reached = if limits[1] > limits[0] { GOOD[1] } else { GOOD[0] };
    limits[0].max(limits[1]) * 100 / reached + 1
}

fn inputs(dims: &[&[i64]], element: &str, scalars: &[&str]) -> Inputs {
    let none = scalars.iter().map(|_| "[]".to_owned());
    let dims = dims.iter().map(|dims| format!("{dims:?}")).collect::<Vec<_>>();
    let types = dims.iter().map(|_| format!("\"{element}\"")).chain(scalars.iter().map(|_| "\"Scalar\"".to_owned()));
    let concrete = dims.iter().map(|_| "\"\"".to_owned()).chain(scalars.iter().map(|one| format!("\"{one}\"")));
    let list = |parts: Vec<String>| format!("[{}]", parts.join(", "));
    Inputs {
        types: list(types.collect()),
        concrete: list(concrete.collect()),
        dims: list(dims.iter().cloned().chain(none).collect()),
    }
}

/// The rows of a product with this duration at the device's limit.
pub(super) fn rows_for(length: i64) -> i64 {
    (length * TENSOR_CORES / (2 * WIDTH * WIDTH)).max(64)
}

/// The elements of a sum with this duration at the device's limit.
pub(super) fn elements_for(length: i64) -> i64 {
    (length * MEMORY / 6).max(1_024)
}

/// A product of matrices that reaches so many percent of the device's limit.
pub(super) fn product(rows: i64, percent: i64, kind: Product) -> Work {
    let (inner, columns) = if kind == Product::Misaligned { (WIDTH - 1, WIDTH - 3) } else { (WIDTH, WIDTH) };
    let (element, bytes, peak, kernel) = match kind {
        Product::Aligned => ("c10::BFloat16", 2, TENSOR_CORES, GEMM),
        Product::Misaligned => ("c10::BFloat16", 2, TENSOR_CORES, GEMM_SMALL_ALIGNMENT),
        Product::Single => ("float", 4, SINGLE, GEMM_SINGLE),
    };
    let flops = 2 * rows * inner * columns;
    let moved = bytes * (rows * inner + inner * columns + rows * columns);
    let inputs = inputs(&[&[rows, inner], &[inner, columns]], element, &[]);
    let work = Work::new(["aten::mm", kernel], inputs, Family::Matrix, [flops / peak, moved / MEMORY], percent);
    if kind != Product::Single {
        return work;
    }
    let good = good([flops / TF32, moved / MEMORY]);
    Work { family: Family::Single, good, ..work }
}

/// A sum of two tensors that reaches so many percent of the memory's bandwidth.
pub(super) fn sum(elements: i64, percent: i64) -> Work {
    let inputs = inputs(&[&[elements], &[elements]], "c10::BFloat16", &["1"]);
    Work::new(["aten::add", ADD], inputs, Family::Elementwise, [0, 6 * elements / MEMORY], percent)
}

/// Attention over a sequence of so many tokens, by 32 heads of 64: in one kernel, or in one for each operation.
pub(super) fn attention(tokens: i64, is_fused: bool, percent: i64) -> Vec<Work> {
    const HEADS: i64 = 32;
    const SIZE: i64 = 64;
    let scores = HEADS * tokens * tokens;
    let element = "c10::BFloat16";
    let flops = 2 * scores * SIZE;
    let fused_limits = [2 * flops / TENSOR_CORES, 4 * 2 * HEADS * tokens * SIZE / MEMORY];
    if is_fused {
        let one: &[i64] = &[1, HEADS, tokens, SIZE];
        let inputs = inputs(&[one, one, one], element, &["0.", "False", "False", ""]);
        let names = ["aten::_scaled_dot_product_flash_attention", ATTENTION];
        return vec![Work::new(names, inputs, Family::Attention, fused_limits, percent)];
    }
    let moved = 2 * (2 * HEADS * tokens * SIZE + scores);
    let limits = [flops / TENSOR_CORES, moved / MEMORY];
    let part = |names, inputs, limits| Work { good: 1, ..Work::new(names, inputs, Family::Attention, limits, percent) };
    let product =
        |first: &[i64], second: &[i64]| part(["aten::bmm", GEMM], inputs(&[first, second], element, &[]), limits);
    let (wide, square): ([i64; 3], [i64; 3]) = ([HEADS, tokens, SIZE], [HEADS, tokens, tokens]);
    let all = [1, HEADS, tokens, tokens];
    // All heads have one mask.
    let masked = inputs(&[&all, &[1, 1, tokens, tokens]], element, &["1"]);
    let mask = part(["aten::add", ADD], masked, [0, (4 * scores + 2 * tokens * tokens) / MEMORY]);
    let softmax =
        part(["aten::_softmax", SOFTMAX], inputs(&[&all], element, &["-1", "False"]), [0, 4 * scores / MEMORY]);
    // One kernel could do all of it.
    let fused = fused_limits[0].max(fused_limits[1]) * 100 / GOOD_FUSED + 1;
    let first = Work { good: fused, ..product(&wide, &[HEADS, SIZE, tokens]) };
    vec![first, mask, softmax, product(&square, &wide)]
}
