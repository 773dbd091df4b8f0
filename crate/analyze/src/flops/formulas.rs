//! Floating-point operations of an operator call, by the formulas of `torch.utils.flop_counter` (and the profiler's
//! `with_flops`), from its recorded inputs. A multiplication and an addition are two.

use super::inputs::{numbers, shapes};
use crate::Precision;

/// Work of one call of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// Floating-point operations.
    pub flops: u64,
    /// The precision of its numbers; `None` if not recorded, or if there is no peak for them.
    pub precision: Option<Precision>,
    /// Whether the second matrix of a product has a size that is no multiple of 8: its rows or columns, as they lie in
    /// memory, are then read in pieces. The number of rows of the first one makes no such difference, nor does padding
    /// a few numbers.
    pub is_unaligned: bool,
}

/// The work of one call; `None` for operators without a formula, and where shapes are not recorded.
///
/// `shapes`, `types` and `concrete` are lists as PyTorch's profiler writes them. Matrix products, convolutions and
/// attention have formulas. Causal attention counts the pairs of query and key that are not masked. If the inputs do
/// not show whether it is causal, its FLOPs are unknown.
///
/// ```
/// use stepscope::analyze::{Precision, work_of_call};
///
/// let work = work_of_call("aten::addmm", "[[64], [8, 32], [32, 64], []]", r#"["c10::Half", "c10::Half"]"#, "");
/// let work = work.expect("a matrix product");
/// assert_eq!((work.flops, work.precision), (2 * 8 * 32 * 64, Some(Precision::Half)));
/// assert_eq!(work_of_call("aten::relu", "[[8, 32]]", "", ""), None);
/// ```
#[must_use]
pub fn work_of_call(name: &str, shapes_text: &str, types: &str, concrete: &str) -> Option<Work> {
    let formula = formula(name)?;
    let shapes = shapes(shapes_text);
    let shape = |index: usize| shapes.get(index).and_then(Option::as_deref);
    let precision = precision(types);
    let flops = match formula {
        Formula::Matrix { first } => matrix(shape(first)?, shape(first + 1)?, precision),
        Formula::Linear => linear(shape(0)?, shape(1)?),
        Formula::Convolution { stride, transposed } => {
            let transposed = transposed.and_then(|index| argument(concrete, index)) == Some("True");
            let (input, weight) = (shape(0)?, shape(1)?);
            let out = if transposed { input.get(2..)?.to_vec() } else { spatial_out(input, weight, concrete, stride)? };
            convolution(*input.first()?, &out, weight)
        }
        Formula::ConvolutionBackward => {
            let (gradient, input, weight) = (shape(0)?, shape(1)?, shape(2)?);
            let transposed = argument(concrete, 7) == Some("True");
            let points = if transposed { input } else { gradient };
            let once = convolution(*points.first()?, points.get(2..)?, weight)?;
            // Input and weight each cost as much as forward; the bias is not counted.
            let wanted = argument(concrete, 10)
                .map_or(2, |mask| mask.split(',').take(2).filter(|one| one.contains("True")).count());
            once.checked_mul(wanted as u64)
        }
        Formula::Attention(attention) => {
            // For sequences of different lengths in one tensor, only the sum is recorded.
            if attention.lengths.is_some_and(|index| shape(index).is_some()) {
                return None;
            }
            let mask = Mask::of(argument(concrete, attention.mask)?, attention.bottom_right)?;
            let first = usize::from(attention.backward);
            let [query, key, value] =
                [first, first + 1, first + 2].map(|index| shape(index).and_then(|sizes| attention.sizes(sizes)));
            attention_flops(query?, key?, value?, if attention.backward { [3, 2] } else { [1, 1] }, mask)
        }
    }?;
    let sizes = match formula {
        Formula::Matrix { first } => shape(first + 1),
        Formula::Linear => shape(1),
        _ => None,
    };
    let mut sizes = sizes.unwrap_or_default().iter().rev().take(2);
    let is_unaligned = sizes.any(|size| *size > ALIGNED && size % ALIGNED != 0);
    Some(Work { flops, precision, is_unaligned })
}

/// Matrix units take this many 16-bit numbers at once.
const ALIGNED: u64 = 8;

/// Whether an operator of that name has a formula.
pub(super) fn has_formula(name: &str) -> bool {
    formula(name).is_some()
}

#[derive(Clone, Copy)]
enum Formula {
    /// Two matrices, or two batches of them, from that input on.
    Matrix {
        first: usize,
    },
    /// Input, and the weight as outputs × inputs.
    Linear,
    /// Input and weight; the index of the stride, or else of the padding, and of the argument that says whether it is
    /// transposed.
    Convolution {
        stride: Strides,
        transposed: Option<usize>,
    },
    ConvolutionBackward,
    Attention(Attention),
}

/// Indices of a convolution's numbers among the arguments.
#[derive(Clone, Copy)]
struct Strides {
    stride: usize,
    padding: usize,
    dilation: usize,
}

/// Indices and layout of attention's arguments.
#[derive(Clone, Copy)]
struct Attention {
    /// Whether the gradient of the output comes first.
    backward: bool,
    /// The input that says whether attention is causal.
    mask: usize,
    /// Whether tensors are `[batch, length, heads, width]`, else `[batch, heads, length, width]`.
    length_first: bool,
    /// Whether a causal mask ends at the last query and key, else begins at the first ones.
    bottom_right: bool,
    /// The input that is a tensor if sequences have lengths of their own.
    lengths: Option<usize>,
}

impl Attention {
    const SDPA: Self = Self { backward: false, mask: 0, length_first: false, bottom_right: false, lengths: None };
    const FLASH: Self = Self { length_first: true, bottom_right: true, ..Self::SDPA };

    /// `[batch, heads, length, width]`.
    fn sizes(self, sizes: &[u64]) -> Option<[u64; 4]> {
        let [batch, a, b, width] = *sizes else { return None };
        Some(if self.length_first { [batch, b, a, width] } else { [batch, a, b, width] })
    }
}

/// The pairs of query and key that count.
#[derive(Clone, Copy)]
enum Mask {
    Full,
    TopLeft,
    BottomRight,
}

impl Mask {
    /// From a truth value, or the number of a kind of mask.
    fn of(text: &str, bottom_right: bool) -> Option<Self> {
        Some(match (text, bottom_right) {
            ("False" | "0", _) => Self::Full,
            ("True", false) | ("1", _) => Self::TopLeft,
            ("True", true) | ("2", _) => Self::BottomRight,
            _ => return None,
        })
    }

    /// Number of pairs that count for these numbers of queries and keys.
    fn pairs(self, queries: u64, keys: u64) -> Option<u64> {
        /// 1 + 2 + … + n.
        fn triangle(n: u64) -> Option<u64> {
            let (even, odd) = if n.is_multiple_of(2) { (n, n.checked_add(1)?) } else { (n.checked_add(1)?, n) };
            (even / 2).checked_mul(odd)
        }
        match self {
            Self::Full => queries.checked_mul(keys),
            // The first query meets one key, and each one more, until there are no more keys.
            Self::TopLeft => triangle(queries.min(keys))?.checked_add(queries.saturating_sub(keys).checked_mul(keys)?),
            // The last query meets all keys, and each one before it one less.
            Self::BottomRight => triangle(keys)?.checked_sub(triangle(keys.saturating_sub(queries))?),
        }
    }
}

fn formula(name: &str) -> Option<Formula> {
    const fn convolution(stride: usize, padding: usize, transposed: Option<usize>) -> Formula {
        let dilation = if stride > padding { stride + 1 } else { padding + 1 };
        Formula::Convolution { stride: Strides { stride, padding, dilation }, transposed }
    }
    let attention = |mask: usize, kind: Attention| Formula::Attention(Attention { mask, ..kind });
    let backward = |mask: usize, kind: Attention| Formula::Attention(Attention { mask, backward: true, ..kind });
    let lengths = |index: usize| Attention { lengths: Some(index), ..Attention::FLASH };
    let Some(name) = name.strip_prefix("aten::") else {
        return Some(match name {
            "vllm::rocm_unquantized_gemm" => Formula::Linear,
            "flash_attn::_flash_attn_forward" => attention(5, Attention::FLASH),
            _ => return None,
        });
    };
    Some(match name {
        "mm" | "bmm" | "_int_mm" | "_scaled_mm" => Formula::Matrix { first: 0 },
        "addmm" | "addmm_" | "_addmm_activation" | "baddbmm" | "baddbmm_" => Formula::Matrix { first: 1 },
        "conv1d" | "conv2d" | "conv3d" => convolution(3, 4, None),
        "convolution" | "_convolution" => convolution(3, 4, Some(6)),
        "cudnn_convolution" => convolution(3, 2, None),
        "miopen_convolution" => convolution(4, 3, None),
        "convolution_backward" => Formula::ConvolutionBackward,
        "_scaled_dot_product_flash_attention" => attention(4, Attention::SDPA),
        "_scaled_dot_product_efficient_attention" | "_scaled_dot_product_cudnn_attention" => {
            attention(6, Attention::SDPA)
        }
        "_scaled_dot_product_flash_attention_backward" | "_scaled_dot_product_efficient_attention_backward" => {
            backward(11, Attention::SDPA)
        }
        "_scaled_dot_product_cudnn_attention_backward" => backward(14, Attention::SDPA),
        "_flash_attention_forward" => attention(8, lengths(3)),
        "_flash_attention_backward" => backward(11, lengths(6)),
        "_efficient_attention_forward" => attention(9, lengths(4)),
        _ => return None,
    })
}

fn multiplied(sizes: &[u64]) -> Option<u64> {
    sizes.iter().try_fold(1_u64, |product, size| product.checked_mul(*size))
}

/// `[m, k] × [k, n]`, or a batch of such.
fn matrix(a: &[u64], b: &[u64], precision: Option<Precision>) -> Option<u64> {
    let ([batch @ .., m, k], [other @ .., k2, n]) = (a, b) else { return None };
    if k != k2 || batch != other || batch.len() > 1 {
        return None;
    }
    // An element of four bits holds two numbers.
    let packed = if precision == Some(Precision::Fp4) { 2 } else { 1 };
    multiplied(&[multiplied(batch)?, *m, *k, *n, 2, packed])
}

/// `[…, k]` × the transpose of `[n, k]`.
fn linear(input: &[u64], weight: &[u64]) -> Option<u64> {
    let ([rows @ .., k], [n, k2]) = (input, weight) else { return None };
    (k == k2).then(|| multiplied(&[multiplied(rows)?, *k, *n, 2])).flatten()
}

/// Each point of the output is a product of the weights with the points around it.
fn convolution(batch: u64, points: &[u64], weight: &[u64]) -> Option<u64> {
    multiplied(&[batch, multiplied(points)?, multiplied(weight)?, 2])
}

/// The size of a convolution's output: ⌊(in + 2 padding − dilation (kernel − 1) − 1) / stride⌋ + 1.
fn spatial_out(input: &[u64], weight: &[u64], concrete: &str, at: Strides) -> Option<Vec<u64>> {
    let list = |index: usize| argument(concrete, index).and_then(numbers);
    let (stride, padding, dilation) = (list(at.stride)?, list(at.padding)?, list(at.dilation)?);
    let sizes = input.get(2..)?.iter().zip(weight.get(2..)?);
    // One number may stand for all.
    let of = |list: &[u64], axis: usize| list.get(axis).or(list.first()).copied();
    let out = |(axis, (size, kernel)): (usize, (&u64, &u64))| {
        let reach = of(&dilation, axis)?.checked_mul(kernel.checked_sub(1)?)?.checked_add(1)?;
        let room = size.checked_add(of(&padding, axis)?.checked_mul(2)?)?.checked_sub(reach)?;
        room.checked_div(of(&stride, axis)?)?.checked_add(1)
    };
    sizes.enumerate().map(out).collect()
}

/// Query, key and value are `[batch, heads, length, width]`; `times` are the numbers of products of queries with keys,
/// and of scores with values.
fn attention_flops(query: [u64; 4], key: [u64; 4], value: [u64; 4], times: [u64; 2], mask: Mask) -> Option<u64> {
    let ([batch, heads, queries, width], [_, _, keys, _], [.., value_width]) = (query, key, value);
    let scores = multiplied(&[batch, heads, mask.pairs(queries, keys)?, 2])?;
    let inner = width.checked_mul(times[0])?.checked_add(value_width.checked_mul(times[1])?)?;
    scores.checked_mul(inner)
}

/// The text of an argument that is not a tensor.
fn argument(concrete: &str, index: usize) -> Option<&str> {
    // Texts in quotes, none of which contains another quote.
    concrete.split('"').skip(1).step_by(2).nth(index)
}

/// The precision of the first tensor of numbers.
pub(crate) fn precision(types: &str) -> Option<Precision> {
    types.split('"').skip(1).step_by(2).find_map(|kind| {
        Some(match kind {
            "double" => Precision::Fp64,
            "float" => Precision::Fp32,
            "c10::Half" | "c10::BFloat16" => Precision::Half,
            "signed char" => Precision::Int8,
            _ if kind.starts_with("c10::Float8") => Precision::Fp8,
            _ if kind.starts_with("c10::Float4") => Precision::Fp4,
            _ => return None,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flops(name: &str, shapes: &str, concrete: &str) -> Option<u64> {
        work_of_call(name, shapes, "", concrete).map(|work| work.flops)
    }

    #[test]
    fn by_hand() {
        assert_eq!(flops("aten::mm", "[[3, 5], [5, 7]]", ""), Some(210));
        assert_eq!(flops("aten::bmm", "[\n [2, 3, 5],\n [2, 5, 7]\n]", ""), Some(420));
        assert_eq!(flops("aten::baddbmm", "[[2, 3, 7], [2, 3, 5], [2, 5, 7], [], []]", ""), Some(420));
        // 16 images of 3 channels and 32 × 32 points, 16 filters of 3 × 3: 2 · 16 · 32 · 32 · 16 · 27.
        let inputs = r#"["", "", "", "[1, 1]", "[1, 1]", "[1, 1]", "1"]"#;
        assert_eq!(
            flops("aten::conv2d", "[[16, 3, 32, 32], [16, 3, 3, 3], [16], [], [], [], []]", inputs),
            Some(14_155_776)
        );
        // Stride 2 halves both sides; a group sees a part of the channels.
        let inputs = r#"["", "", "", "[2, 2]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "2"]"#;
        let strided = flops("aten::convolution", "[[1, 8, 16, 16], [32, 4, 3, 3], []]", inputs);
        assert_eq!(strided, Some(2 * 8 * 8 * 32 * 4 * 9));
        let inputs = r#"["", "", "", "[2, 2]", "[1, 1]", "[1, 1]", "True", "[0, 0]", "1"]"#;
        assert_eq!(
            flops("aten::convolution", "[[1, 8, 16, 16], [8, 4, 3, 3], []]", inputs),
            Some(2 * 16 * 16 * 8 * 4 * 9)
        );
        let shapes = "[[1, 32, 8, 8], [1, 8, 16, 16], [32, 8, 3, 3], []]";
        let inputs = |mask: &str| {
            format!(r#"["", "", "", "[32]", "[2, 2]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "1", "[{mask}]"]"#)
        };
        let once = 2 * 8 * 8 * 32 * 8 * 9;
        assert_eq!(flops("aten::convolution_backward", shapes, &inputs("True, True, True")), Some(2 * once));
        assert_eq!(flops("aten::convolution_backward", shapes, &inputs("False, True, True")), Some(once));
        let qkv = "[[2, 4, 10, 8], [2, 4, 20, 8], [2, 4, 20, 16], []]";
        let scores = 2 * 2 * 4 * 10 * 20;
        let concrete = |causal: &str| format!(r#"["", "", "", "0.", "{causal}", "False", "0.125"]"#);
        let flash = |causal: &str| flops("aten::_scaled_dot_product_flash_attention", qkv, &concrete(causal));
        assert_eq!(flash("False"), Some(scores * (8 + 16)));
        // 10 queries meet 1, 2, … 10 of 20 keys.
        assert_eq!(flash("True"), Some(2 * 2 * 4 * 55 * (8 + 16)));
        let with_gradient = "[[2, 4, 10, 16], [2, 4, 10, 8], [2, 4, 20, 8], [2, 4, 20, 16], []]";
        let inputs = r#"["", "", "", "", "", "", "", "", "10", "20", "0.", "False", "", "", "0.125"]"#;
        let backward = flops("aten::_scaled_dot_product_flash_attention_backward", with_gradient, inputs);
        assert_eq!(backward, Some(scores * (3 * 8 + 2 * 16)));
    }

    #[test]
    fn masks_count_the_pairs_that_stay() {
        for queries in 1..8_u64 {
            for keys in 1..8_u64 {
                let top_left: u64 = (0..queries).map(|query| (query + 1).min(keys)).sum();
                assert_eq!(Mask::TopLeft.pairs(queries, keys), Some(top_left), "{queries} {keys}");
                let bottom_right: u64 =
                    (0..queries).map(|query| (query + 1 + keys).saturating_sub(queries).min(keys)).sum();
                assert_eq!(Mask::BottomRight.pairs(queries, keys), Some(bottom_right), "{queries} {keys}");
                assert_eq!(Mask::Full.pairs(queries, keys), Some(queries * keys));
            }
        }
        assert_eq!(Mask::TopLeft.pairs(u64::MAX, u64::MAX), None);
    }

    #[test]
    fn nothing_is_guessed() {
        let qkv = "[[2, 4, 10, 8], [2, 4, 20, 8], [2, 4, 20, 16], []]";
        assert_eq!(flops("aten::_scaled_dot_product_flash_attention", qkv, ""), None, "causal or not");
        let varlen = "[[1, 40, 4, 8], [1, 40, 4, 8], [1, 40, 4, 8], [3], [3]]";
        let inputs = r#"["", "", "", "", "", "20", "20", "0.", "True", "False"]"#;
        assert_eq!(flops("aten::_flash_attention_forward", varlen, inputs), None, "lengths are not recorded");
        assert_eq!(flops("aten::mm", "[[3, 5], [6, 7]]", ""), None, "they do not fit");
        assert_eq!(flops("aten::mm", "[[3, 5]]", ""), None);
        assert_eq!(flops("aten::mm", "", ""), None);
        assert_eq!(flops("aten::conv2d", "[[16, 3, 32, 32], [16, 3, 3, 3]]", ""), None, "no stride");
        assert_eq!(
            flops("aten::conv2d", "[[1, 1, 2, 2], [1, 1, 9, 9]]", r#"["","","","1","0","1"]"#),
            None,
            "too small"
        );
        assert_eq!(flops("mm", "[[3, 5], [5, 7]]", ""), None, "somebody else's");
        let huge = "[[18446744073709551615, 5], [5, 7]]";
        assert_eq!(flops("aten::mm", huge, ""), None);
    }

    #[test]
    fn kinds_of_numbers() {
        let of = |types: &str| work_of_call("aten::mm", "[[1, 1], [1, 1]]", types, "").and_then(|work| work.precision);
        assert_eq!(of(r#"["float", "float"]"#), Some(Precision::Fp32));
        assert_eq!(of(r#"["c10::Float8_e4m3fn", "c10::Float8_e4m3fn"]"#), Some(Precision::Fp8));
        assert_eq!(of(r#"["signed char", "signed char"]"#), Some(Precision::Int8));
        assert_eq!(of(r#"["long int", "long int"]"#), None);
        assert_eq!(of(""), None);
    }
}
