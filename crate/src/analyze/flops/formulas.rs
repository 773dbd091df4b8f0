//! Floating-point operations of an operator call, by the formulas of `torch.utils.flop_counter` (and the profiler's
//! `with_flops`), from what the trace tells of its inputs: a multiplication and an addition are two.

use super::inputs::{numbers, shapes};
use crate::analyze::Precision;

/// What one call of an operator computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// Floating-point operations.
    pub flops: u64,
    /// With which numbers; `None` if the trace does not tell, or if they are of no kind with a peak.
    pub precision: Option<Precision>,
}

/// What one call computes; `None` of operators without a formula, and where shapes do not tell.
///
/// `shapes`, `types` and `concrete` are lists as PyTorch's profiler writes them. Matrix products, convolutions and
/// attention have formulas; attention counts as if nothing were masked, as `flop_counter` does.
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
    let flops = match formula {
        Formula::Matrix { first } => matrix(shape(first)?, shape(first + 1)?),
        Formula::Convolution { transposed } => {
            let transposed = transposed.and_then(|index| argument(concrete, index)) == Some("True");
            let (input, weight) = (shape(0)?, shape(1)?);
            let out = if transposed { input.get(2..)?.to_vec() } else { spatial_out(input, weight, concrete)? };
            convolution(*input.first()?, &out, weight)
        }
        Formula::ConvolutionBackward => {
            let (gradient, input, weight) = (shape(0)?, shape(1)?, shape(2)?);
            let transposed = argument(concrete, 7) == Some("True");
            let points = if transposed { input } else { gradient };
            let once = convolution(*points.first()?, points.get(2..)?, weight)?;
            // Of input and weight, each as much as forward; the bias is not counted.
            let wanted = argument(concrete, 10)
                .map_or(2, |mask| mask.split(',').take(2).filter(|one| one.contains("True")).count());
            once.checked_mul(wanted as u64)
        }
        Formula::Attention => attention(shape(0)?, shape(1)?, shape(2)?, [1, 1]),
        Formula::AttentionBackward => attention(shape(1)?, shape(2)?, shape(3)?, [3, 2]),
    }?;
    Some(Work { flops, precision: precision(types) })
}

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
    /// Input, weight, bias, stride, padding, dilation; and at which place it says that it is transposed.
    Convolution {
        transposed: Option<usize>,
    },
    ConvolutionBackward,
    Attention,
    AttentionBackward,
}

fn formula(name: &str) -> Option<Formula> {
    let name = name.strip_prefix("aten::")?;
    Some(match name {
        "mm" | "bmm" => Formula::Matrix { first: 0 },
        "addmm" | "addmm_" | "_addmm_activation" | "baddbmm" | "baddbmm_" => Formula::Matrix { first: 1 },
        "_scaled_mm" => Formula::Matrix { first: 0 },
        "conv1d" | "conv2d" | "conv3d" => Formula::Convolution { transposed: None },
        "convolution" | "_convolution" => Formula::Convolution { transposed: Some(6) },
        "convolution_backward" => Formula::ConvolutionBackward,
        "_scaled_dot_product_flash_attention"
        | "_scaled_dot_product_efficient_attention"
        | "_scaled_dot_product_cudnn_attention" => Formula::Attention,
        "_scaled_dot_product_flash_attention_backward"
        | "_scaled_dot_product_efficient_attention_backward"
        | "_scaled_dot_product_cudnn_attention_backward" => Formula::AttentionBackward,
        _ => return None,
    })
}

fn multiplied(sizes: &[u64]) -> Option<u64> {
    sizes.iter().try_fold(1_u64, |product, size| product.checked_mul(*size))
}

/// `[m, k] × [k, n]`, or a batch of such.
fn matrix(a: &[u64], b: &[u64]) -> Option<u64> {
    let ([batch @ .., m, k], [other @ .., k2, n]) = (a, b) else { return None };
    if k != k2 || batch != other || batch.len() > 1 {
        return None;
    }
    multiplied(&[multiplied(batch)?, *m, *k, *n, 2])
}

/// Each point of the output is a product of the weights with what is around it.
fn convolution(batch: u64, points: &[u64], weight: &[u64]) -> Option<u64> {
    multiplied(&[batch, multiplied(points)?, multiplied(weight)?, 2])
}

/// The size of a convolution's output: ⌊(in + 2 padding − dilation (kernel − 1) − 1) / stride⌋ + 1.
fn spatial_out(input: &[u64], weight: &[u64], concrete: &str) -> Option<Vec<u64>> {
    let list = |index: usize| argument(concrete, index).and_then(numbers);
    let (stride, padding, dilation) = (list(3)?, list(4)?, list(5)?);
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

/// Query, key and value of `[batch, heads, length, width]`; how often queries meet keys, and scores meet values.
fn attention(query: &[u64], key: &[u64], value: &[u64], times: [u64; 2]) -> Option<u64> {
    let ([batch, heads, length, width], [_, _, keys, _], [.., value_width]) = (query, key, value) else { return None };
    let scores = multiplied(&[*batch, *heads, *length, *keys, 2])?;
    let inner = width.checked_mul(times[0])?.checked_add(value_width.checked_mul(times[1])?)?;
    scores.checked_mul(inner)
}

/// The text of an argument that is no tensor.
fn argument(concrete: &str, index: usize) -> Option<&str> {
    // Texts in quotes, of which none holds another quote.
    concrete.split('"').skip(1).step_by(2).nth(index)
}

/// The numbers that the first tensors hold.
fn precision(types: &str) -> Option<Precision> {
    types.split('"').skip(1).step_by(2).find_map(|kind| {
        Some(match kind {
            "double" => Precision::Fp64,
            "float" => Precision::Fp32,
            "c10::Half" | "c10::BFloat16" => Precision::Half,
            _ if kind.starts_with("c10::Float8") => Precision::Fp8,
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
        assert_eq!(flops("aten::_scaled_dot_product_flash_attention", qkv, ""), Some(scores * (8 + 16)));
        let with_gradient = "[[2, 4, 10, 16], [2, 4, 10, 8], [2, 4, 20, 8], [2, 4, 20, 16], []]";
        let backward = flops("aten::_scaled_dot_product_flash_attention_backward", with_gradient, "");
        assert_eq!(backward, Some(scores * (3 * 8 + 2 * 16)));
    }

    #[test]
    fn nothing_is_guessed() {
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
        assert_eq!(of(r#"["long int", "long int"]"#), None);
        assert_eq!(of(""), None);
    }
}
