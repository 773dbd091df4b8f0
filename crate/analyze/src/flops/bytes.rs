//! The fewest bytes that an operator call moves: each element of its inputs is read once, each of its outputs written once.
//! INSIGHT section 4.
//!
//! Strides are not read: a tensor that is expanded counts at its full size.

use super::family::RoofFamily;
use super::formulas::work_of_call;
use super::inputs::shapes;
use crate::event::element_bytes;

/// The formula for an operator's bytes from its inputs.
#[derive(Clone, Copy)]
enum Formula {
    /// Two matrices from that input on, and an addend if there is an input before them.
    Matrix {
        first: usize,
    },
    /// Input, weight, bias.
    Linear,
    /// Input, weight, bias.
    Convolution,
    ConvolutionBackward,
    /// Query, key, value from that input on.
    Attention,
    AttentionBackward,
    /// Input, and the output of its size.
    SameSize,
    /// This many inputs of one size, and an output of that size.
    Several(usize),
    /// Input, a normalized shape, weight, bias.
    LayerNorm,
    /// Gradient, input, normalized shape, mean, reciprocal deviation, weight.
    LayerNormBackward,
    /// This many inputs, and an output of their common size and type. A tensor after these is the output itself.
    Broadcast(usize),
    /// The same, with an output of truth values.
    Compare(usize),
    /// The first input is only written.
    CopyInto,
    /// The first input is only written, with one number.
    Fill,
}

/// The family of an operator by its name; `None` without a formula.
#[must_use]
pub(crate) fn family_of(name: &str) -> Option<RoofFamily> {
    formula(name).map(|(family, _)| family)
}

fn formula(name: &str) -> Option<(RoofFamily, Formula)> {
    let Some(name) = name.strip_prefix("aten::") else {
        return match name {
            "vllm::rocm_unquantized_gemm" => Some((RoofFamily::Matrix, Formula::Linear)),
            "flash_attn::_flash_attn_forward" => Some((RoofFamily::Attention, Formula::Attention)),
            _ => None,
        };
    };
    Some(match name {
        "mm" | "bmm" => (RoofFamily::Matrix, Formula::Matrix { first: 0 }),
        "addmm" | "addmm_" | "_addmm_activation" | "baddbmm" | "baddbmm_" => {
            (RoofFamily::Matrix, Formula::Matrix { first: 1 })
        }
        "conv1d" | "conv2d" | "conv3d" | "convolution" | "_convolution" | "cudnn_convolution"
        | "miopen_convolution" => (RoofFamily::Convolution, Formula::Convolution),
        "convolution_backward" => (RoofFamily::Convolution, Formula::ConvolutionBackward),
        "_scaled_dot_product_flash_attention"
        | "_scaled_dot_product_efficient_attention"
        | "_scaled_dot_product_cudnn_attention"
        | "_flash_attention_forward"
        | "_efficient_attention_forward" => (RoofFamily::Attention, Formula::Attention),
        "_scaled_dot_product_flash_attention_backward"
        | "_scaled_dot_product_efficient_attention_backward"
        | "_scaled_dot_product_cudnn_attention_backward"
        | "_flash_attention_backward" => (RoofFamily::Attention, Formula::AttentionBackward),
        "_softmax" | "_log_softmax" => (RoofFamily::Softmax, Formula::SameSize),
        "_softmax_backward_data" | "_log_softmax_backward_data" => (RoofFamily::Softmax, Formula::Several(2)),
        "native_layer_norm" => (RoofFamily::Norm, Formula::LayerNorm),
        "native_layer_norm_backward" => (RoofFamily::Norm, Formula::LayerNormBackward),
        "native_group_norm"
        | "native_batch_norm"
        | "cudnn_batch_norm"
        | "miopen_batch_norm"
        | "_native_batch_norm_legit" => (RoofFamily::Norm, Formula::SameSize),
        "native_group_norm_backward"
        | "native_batch_norm_backward"
        | "cudnn_batch_norm_backward"
        | "miopen_batch_norm_backward" => (RoofFamily::Norm, Formula::Several(2)),
        "copy_" => (RoofFamily::Copy, Formula::CopyInto),
        "fill_" | "zero_" => (RoofFamily::Elementwise, Formula::Fill),
        "eq" | "ne" | "lt" | "gt" | "le" | "ge" | "logical_and" | "logical_or" => {
            (RoofFamily::Elementwise, Formula::Compare(2))
        }
        "logical_not" | "isnan" | "isinf" => (RoofFamily::Elementwise, Formula::Compare(1)),
        _ => {
            let base = name.strip_suffix('_').filter(|base| !base.ends_with('_')).unwrap_or(name);
            let arity = (1..).zip([&UNARY[..], &BINARY, &TERNARY]).find(|(_, names)| names.contains(&base))?.0;
            (RoofFamily::Elementwise, Formula::Broadcast(arity))
        }
    })
}

/// Operators of one tensor whose output has its size and type.
const UNARY: [&str; 25] = [
    "neg",
    "exp",
    "expm1",
    "log",
    "log1p",
    "sqrt",
    "rsqrt",
    "abs",
    "relu",
    "gelu",
    "silu",
    "sigmoid",
    "tanh",
    "erf",
    "cos",
    "sin",
    "reciprocal",
    "square",
    "leaky_relu",
    "hardtanh",
    "elu",
    "softplus",
    "floor",
    "ceil",
    "round",
];

/// Operators of two tensors whose output has their common size and type.
const BINARY: [&str; 16] = [
    "add",
    "sub",
    "rsub",
    "mul",
    "maximum",
    "minimum",
    "masked_fill",
    "clamp_min",
    "clamp_max",
    "threshold_backward",
    "gelu_backward",
    "silu_backward",
    "sigmoid_backward",
    "tanh_backward",
    "leaky_relu_backward",
    "hardtanh_backward",
];

/// Operators of three tensors whose output has their common size and type.
const TERNARY: [&str; 5] = ["clamp", "where", "addcmul", "addcdiv", "lerp"];

/// An input that is a tensor with dimensions.
struct Tensor<'a> {
    sizes: &'a [u64],
    /// Bytes per element.
    width: u64,
    kind: &'a str,
}

impl Tensor<'_> {
    fn elements(&self) -> Option<u64> {
        product(self.sizes)
    }

    fn bytes(&self) -> Option<u64> {
        self.elements()?.checked_mul(self.width)
    }
}

fn product(sizes: &[u64]) -> Option<u64> {
    sizes.iter().try_fold(1_u64, |all, size| all.checked_mul(*size))
}

/// The fewest bytes that a call moves, from its inputs as PyTorch's profiler writes them. `None` for operators without
/// a formula, and where the inputs are not recorded.
///
/// ```
/// use stepscope::analyze::bytes_of_call;
///
/// let bytes = bytes_of_call("aten::add", "[[8, 32], [32], []]", r#"["float", "float", "Scalar"]"#, "");
/// assert_eq!(bytes, Some(4 * (8 * 32 + 32 + 8 * 32)));
/// ```
#[must_use]
pub fn bytes_of_call(name: &str, shapes_text: &str, types: &str, concrete: &str) -> Option<u64> {
    let (_, formula) = formula(name)?;
    let shapes = shapes(shapes_text);
    let kinds: Vec<&str> = types.split('"').skip(1).step_by(2).collect();
    let tensor = |index: usize| {
        let (sizes, kind) = (shapes.get(index)?.as_deref()?, *kinds.get(index)?);
        Some(Tensor { sizes, width: element_bytes(kind)?, kind })
    };
    let bytes = |index: usize| tensor(index)?.bytes();
    let or_none = |index: usize| match shapes.get(index) {
        Some(Some(_)) => bytes(index),
        _ => Some(0),
    };
    let sum = |parts: &[Option<u64>]| parts.iter().try_fold(0_u64, |sum, part| sum.checked_add((*part)?));
    match formula {
        Formula::Matrix { first } => {
            let (a, b) = (tensor(first)?, tensor(first + 1)?);
            let ([rest @ .., _], [.., n]) = (a.sizes, b.sizes) else { return None };
            let out = product(rest)?.checked_mul(*n)?.checked_mul(a.width);
            let added = if first > 0 { or_none(0) } else { Some(0) };
            sum(&[a.bytes(), b.bytes(), out, added])
        }
        Formula::Linear => {
            let (input, weight) = (tensor(0)?, tensor(1)?);
            let [rows @ .., _] = input.sizes else { return None };
            let out = product(rows)?.checked_mul(*weight.sizes.first()?)?.checked_mul(input.width);
            sum(&[input.bytes(), weight.bytes(), out, or_none(2)])
        }
        Formula::Convolution => {
            // For a transposed one, only the input's points are counted.
            if concrete.split('"').skip(1).step_by(2).nth(6) == Some("True") && name != "aten::cudnn_convolution" {
                return None;
            }
            let (input, weight) = (tensor(0)?, tensor(1)?);
            let work = work_of_call(name, shapes_text, types, concrete)?;
            let points = work.flops.checked_div(weight.elements()?.checked_mul(2)?)?;
            let out = points.checked_mul(*weight.sizes.first()?)?.checked_mul(input.width);
            sum(&[input.bytes(), weight.bytes(), out, or_none(2)])
        }
        Formula::ConvolutionBackward => {
            let mask = concrete.split('"').skip(1).step_by(2).nth(10)?;
            let wanted: Vec<bool> = mask.split(',').map(|one| one.contains("True")).collect();
            let [of_input, of_weight, ..] = wanted[..] else { return None };
            let both = sum(&[bytes(1), bytes(2)]);
            let part = |is_wanted: bool| if is_wanted { both } else { Some(0) };
            sum(&[bytes(0), part(of_input), part(of_weight)])
        }
        Formula::Attention | Formula::AttentionBackward => {
            let backward = matches!(formula, Formula::AttentionBackward);
            let first = usize::from(backward);
            let (query, value) = (tensor(first)?, tensor(first + 2)?);
            let [rows @ .., _] = query.sizes else { return None };
            let rows = product(rows)?;
            let out = rows.checked_mul(*value.sizes.last()?)?.checked_mul(query.width);
            let inputs = sum(&[query.bytes(), bytes(first + 1), value.bytes()]);
            if backward {
                sum(&[inputs, inputs, out, out, rows.checked_mul(4)])
            } else {
                let is_bias = name.ends_with("efficient_attention") || name.ends_with("cudnn_attention");
                sum(&[inputs, out, if is_bias { or_none(3) } else { Some(0) }])
            }
        }
        Formula::SameSize => sum(&[bytes(0), bytes(0)]),
        Formula::Several(inputs) => {
            let first = tensor(0)?;
            let same = (0..inputs).all(|index| tensor(index).is_some_and(|other| other.sizes == first.sizes));
            same.then(|| first.bytes()?.checked_mul(inputs as u64 + 1)).flatten()
        }
        Formula::LayerNorm => {
            let input = tensor(0)?;
            sum(&[input.bytes(), input.bytes(), or_none(2), or_none(3), statistics(&input, tensor(2).as_ref())])
        }
        Formula::LayerNormBackward => {
            let (gradient, input) = (tensor(0)?, tensor(1)?);
            let of_rows = sum(&[or_none(3), or_none(4)]);
            // The weight is read, its gradient and the bias' are written.
            let of_weight = or_none(5)?.checked_mul(3);
            sum(&[gradient.bytes(), input.bytes(), of_rows, of_weight, input.bytes()])
        }
        Formula::Broadcast(arity) | Formula::Compare(arity) => {
            // The type of values without dimensions decides the output's here.
            if name == "aten::where" && (tensor(1).is_none() || tensor(2).is_none()) {
                return None;
            }
            let tensors: Vec<Tensor<'_>> = (0..shapes.len().min(arity))
                .filter(|index| shapes[*index].is_some())
                .map(tensor)
                .collect::<Option<_>>()?;
            let read = tensors.iter().try_fold(0_u64, |sum, one| sum.checked_add(one.bytes()?));
            let out = broadcast(&tensors)?;
            let in_place = name.ends_with('_');
            let width = match formula {
                Formula::Compare(_) if !in_place => 1,
                _ if in_place => tensors.first()?.width,
                _ => common_width(&tensors)?,
            };
            sum(&[read, out.checked_mul(width)])
        }
        Formula::CopyInto => sum(&[bytes(0), bytes(1)]),
        Formula::Fill => bytes(0),
    }
}

/// Bytes of the mean and the reciprocal deviation of each row that is normalized with weights; zero without weights.
fn statistics(input: &Tensor<'_>, weight: Option<&Tensor<'_>>) -> Option<u64> {
    let Some(weight) = weight else { return Some(0) };
    input.elements()?.checked_div(weight.elements()?)?.checked_mul(8)
}

/// The number of elements of the output.
fn broadcast(tensors: &[Tensor<'_>]) -> Option<u64> {
    let dimensions = tensors.iter().map(|one| one.sizes.len()).max()?;
    let size = |from_end: usize| {
        let sizes = tensors.iter().filter_map(|one| one.sizes.iter().rev().nth(from_end).copied());
        sizes.reduce(|a, b| if a == 1 { b } else { a }).unwrap_or(1)
    };
    (0..dimensions).try_fold(1_u64, |all, from_end| all.checked_mul(size(from_end)))
}

/// Bytes per element of the type that all have in common: floating-point types come before integers and truth values.
fn common_width(tensors: &[Tensor<'_>]) -> Option<u64> {
    let is_float = |one: &Tensor<'_>| {
        ["float", "double", "c10::Half", "c10::BFloat16"].contains(&one.kind) || one.kind.starts_with("c10::Float8")
    };
    let rank = |one: &Tensor<'_>| (is_float(one), one.kind != "bool", one.width);
    tensors.iter().map(rank).max().map(|(_, _, width)| width)
}

#[cfg(test)]
mod tests {
    use super::bytes_of_call;

    fn bytes(name: &str, shapes: &str, types: &str) -> Option<u64> {
        bytes_of_call(name, shapes, types, "")
    }

    #[test]
    fn by_hand() {
        let half = r#"["c10::Half", "c10::Half"]"#;
        assert_eq!(bytes("aten::mm", "[[3, 5], [5, 7]]", half), Some(2 * (15 + 35 + 21)));
        assert_eq!(bytes("aten::mul", "[[8, 32], [8, 32]]", half), Some(2 * 3 * 256));
        // The third tensor is the output.
        let types = r#"["float", "double", "float"]"#;
        assert_eq!(bytes("aten::mul", "[[512], [], [512]]", types), Some(4 * 2 * 512));
        assert_eq!(bytes("aten::relu", "[[512]]", r#"["float"]"#), Some(4 * 2 * 512));
        assert_eq!(bytes("aten::eq", "[[512], [512]]", r#"["float", "float"]"#), Some(4 * 2 * 512 + 512));
        assert_eq!(bytes("aten::copy_", "[[512], [512]]", r#"["c10::Half", "float"]"#), Some(6 * 512));
        assert_eq!(bytes("aten::_softmax", "[[4, 8], [], []]", r#"["float", "Scalar", "Scalar"]"#), Some(4 * 2 * 32));
        let where_types = r#"["bool", "float", "float"]"#;
        assert_eq!(bytes("aten::where", "[[9], [], []]", where_types), None);
        assert_eq!(bytes("aten::where", "[[9], [9], [9]]", where_types), Some(9 * 13));
        assert_eq!(bytes("aten::mm", "[[3, 5], [5, 7]]", ""), None);
        assert_eq!(bytes("aten::cat", "[[[3], [5]], []]", r#"["TensorList", "Scalar"]"#), None);
    }
}
