//! The work of attention in one kernel, from the shapes of the operators that do it one after the other. INSIGHT section 4.

use super::inputs::shapes;
use crate::event::element_bytes;

/// The FLOPs and the fewest bytes of fused attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FusedWork {
    pub(crate) flops: u64,
    pub(crate) bytes: u64,
}

/// A batch of products of matrices, `[batch, rows, inner] × [batch, inner, columns]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Product {
    batch: u64,
    rows: u64,
    inner: u64,
    columns: u64,
    /// Bytes per element.
    width: u64,
}

/// How well queries and keys fit, `[…, queries, keys]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scores {
    batch: u64,
    queries: u64,
    keys: u64,
}

impl Product {
    /// The product of a call of `bmm` or `baddbmm`, from its texts.
    pub(crate) fn of_call(name: &str, shapes_text: &str, types: &str) -> Option<Self> {
        let first = match name {
            "aten::bmm" => 0,
            "aten::baddbmm" | "aten::baddbmm_" => 1,
            _ => return None,
        };
        let shapes = shapes(shapes_text);
        let shape = |index: usize| shapes.get(index)?.as_deref();
        let ([batch, rows, inner], [other, same, columns]) = (shape(first)?, shape(first + 1)?) else { return None };
        let width = element_bytes(types.split('"').skip(1).step_by(2).nth(first)?)?;
        let fits = (batch, inner) == (other, same);
        fits.then_some(Self { batch: *batch, rows: *rows, inner: *inner, columns: *columns, width })
    }

    /// Whether it makes scores, or their gradient.
    pub(crate) fn makes(self, scores: Scores) -> bool {
        (self.batch, self.rows, self.columns) == (scores.batch, scores.queries, scores.keys)
    }

    /// Whether scores, or their gradient, are its first matrix.
    pub(crate) fn begins_with(self, scores: Scores) -> bool {
        (self.batch, self.rows, self.inner) == (scores.batch, scores.queries, scores.keys)
    }

    /// Whether scores, or their gradient, are one of its matrices, transposed or not.
    pub(crate) fn has(self, scores: Scores) -> bool {
        let Scores { batch, queries, keys } = scores;
        let is_one = |rows, columns| (rows, columns) == (queries, keys) || (rows, columns) == (keys, queries);
        self.batch == batch && (is_one(self.rows, self.inner) || is_one(self.inner, self.columns))
    }
}

impl Scores {
    /// The scores that a call of softmax takes, or whose gradient it makes.
    pub(crate) fn of_call(shapes_text: &str) -> Option<Self> {
        let shapes = shapes(shapes_text);
        let [batch @ .., queries, keys] = shapes.first()?.as_deref()? else { return None };
        let count = batch.iter().try_fold(1_u64, |count, size| count.checked_mul(*size))?;
        (!batch.is_empty()).then_some(Self { batch: count, queries: *queries, keys: *keys })
    }

    /// Whether a call works on scores: one of its inputs has their size.
    pub(crate) fn are_input(self, shapes_text: &str) -> bool {
        let are = |shape: Vec<u64>| {
            let [batch @ .., queries, keys] = shape.as_slice() else { return false };
            let count = batch.iter().try_fold(1_u64, |count, size| count.checked_mul(*size));
            (count, *queries, *keys) == (Some(self.batch), self.queries, self.keys)
        };
        shapes(shapes_text).into_iter().flatten().any(are)
    }

    /// The bytes of what a call adds to scores, or masks them with: inputs behind the first that have the size of the scores' matrices.
    pub(crate) fn bias_bytes(self, shapes_text: &str, types: &str) -> u64 {
        let kinds: Vec<&str> = types.split('"').skip(1).step_by(2).collect();
        let of = |(shape, kind): (Option<Vec<u64>>, &&str)| {
            let shape = shape.filter(|shape| shape.ends_with(&[self.queries, self.keys]))?;
            shape.into_iter().try_fold(element_bytes(kind)?, u64::checked_mul)
        };
        shapes(shapes_text).into_iter().zip(&kinds).skip(1).filter_map(of).fold(0, u64::saturating_add)
    }

    /// The work of a kernel that does what these products do, and softmax between them: the first one makes the scores, the last one begins
    /// with what softmax makes of them.
    pub(crate) fn forward(self, first: Product, last: Product, bias: u64) -> Option<FusedWork> {
        let (width, value) = (first.inner, last.columns);
        let flops = multiplied(&[2, self.pairs()?, width.checked_add(value)?])?;
        let rows = sum(&[
            self.queries.checked_mul(width),
            self.keys.checked_mul(width),
            self.keys.checked_mul(value),
            self.queries.checked_mul(value),
        ])?;
        let bytes = multiplied(&[self.batch, rows, first.width])?.checked_add(bias)?;
        Some(FusedWork { flops, bytes })
    }

    /// The same of the gradients: the first product makes the scores' gradient from the output's, the last one begins with it and makes the
    /// queries'. A fused kernel computes the scores again.
    pub(crate) fn backward(self, first: Product, last: Product) -> Option<FusedWork> {
        let (width, value) = (last.columns, first.inner);
        let inner = width.checked_mul(3)?.checked_add(value.checked_mul(2)?)?;
        let flops = multiplied(&[2, self.pairs()?, inner])?;
        let of_inputs = sum(&[
            self.queries.checked_mul(width),
            self.keys.checked_mul(width),
            self.keys.checked_mul(value),
            self.queries.checked_mul(value),
        ])?;
        // Inputs and the output are read, and their gradients written or read; a logarithm for each query is read.
        let elements = multiplied(&[self.batch, of_inputs, 2, first.width])?;
        Some(FusedWork { flops, bytes: elements.checked_add(multiplied(&[self.batch, self.queries, 4])?)? })
    }

    fn pairs(self) -> Option<u64> {
        multiplied(&[self.batch, self.queries, self.keys])
    }
}

fn multiplied(factors: &[u64]) -> Option<u64> {
    factors.iter().try_fold(1_u64, |product, factor| product.checked_mul(*factor))
}

fn sum(parts: &[Option<u64>]) -> Option<u64> {
    parts.iter().try_fold(0_u64, |sum, part| sum.checked_add((*part)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALF: &str = r#"["c10::Half", "c10::Half"]"#;

    /// 2 × 3 heads, 10 queries, 20 keys, rows of 4 and values of 5.
    #[test]
    fn by_hand() {
        let product = |shapes: &str| Product::of_call("aten::bmm", shapes, HALF).expect("a product");
        let scores = Scores::of_call("[[2, 3, 10, 20], [], []]").expect("scores");
        let (first, last) = (product("[[6, 10, 4], [6, 4, 20]]"), product("[[6, 10, 20], [6, 20, 5]]"));
        assert!(first.makes(scores) && !last.makes(scores) && last.begins_with(scores) && !first.begins_with(scores));
        let forward = scores.forward(first, last, 7).expect("work");
        let rows = 6 * (10 * 4 + 20 * 4 + 20 * 5 + 10 * 5);
        assert_eq!(forward, FusedWork { flops: 2 * 6 * 10 * 20 * 9, bytes: 2 * rows + 7 });
        let (first, last) = (product("[[6, 10, 5], [6, 5, 20]]"), product("[[6, 10, 20], [6, 20, 4]]"));
        assert!(first.makes(scores) && last.begins_with(scores));
        let backward = scores.backward(first, last).expect("work");
        assert_eq!(backward.flops, 2 * 6 * 10 * 20 * (3 * 4 + 2 * 5));
        assert_eq!(backward.bytes, 2 * 2 * rows + 4 * 6 * 10);
        // The gradients of values and keys have the scores' sizes transposed.
        assert!(product("[[6, 20, 10], [6, 10, 5]]").has(scores) && product("[[6, 4, 10], [6, 10, 20]]").has(scores));
        assert!(!product("[[5, 20, 10], [5, 10, 5]]").has(scores));
    }

    #[test]
    fn no_attention() {
        assert_eq!(Product::of_call("aten::mm", "[[3, 5], [5, 7]]", HALF), None);
        assert_eq!(Product::of_call("aten::bmm", "[[2, 3, 5], [2, 6, 7]]", HALF), None);
        assert_eq!(Scores::of_call("[[10, 20]]"), None);
        assert_eq!(Scores::of_call("[[]]"), None);
        let scores = Scores::of_call("[[6, 10, 20]]").expect("scores");
        let types = r#"["float", "bool", "Scalar"]"#;
        assert_eq!(scores.bias_bytes("[[6, 10, 20], [1, 10, 20], []]", types), 200);
        assert_eq!(scores.bias_bytes("[[6, 10, 20], [20], []]", types), 0);
        // Sizes that no number holds.
        let huge = Scores::of_call("[[18446744073709551615, 2, 3]]").expect("scores");
        assert_eq!(huge.pairs(), None);
    }
}
