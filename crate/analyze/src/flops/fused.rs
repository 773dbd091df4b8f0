//! The work of attention in one kernel, from the shapes of the separate operators that compute it. INSIGHT section 4.

use super::inputs::shapes;
use crate::event::element_bytes;

/// The FLOPs and the fewest bytes of fused attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FusedWork {
    pub(crate) flops: u64,
    /// The FLOPs if queries and keys fill whole tiles, as a kernel computes them.
    pub(crate) tiled_flops: u64,
    pub(crate) bytes: u64,
}

/// Rows of the tiles of queries and keys: those of `FlashAttention` have 64 or more.
const TILE: u64 = 64;

/// A batch of products of matrices, `[batch, rows, inner] × [batch, inner, columns]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Product {
    batch: u64,
    rows: u64,
    inner: u64,
    columns: u64,
    /// Bytes per element.
    width: u64,
    /// Bytes of the addend, if it has the product's size.
    added: u64,
}

/// Sizes of attention scores, `[…, queries, keys]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Scores {
    batch: u64,
    queries: u64,
    keys: u64,
}

impl Product {
    /// The product of a call of `bmm` or `baddbmm`, from its texts.
    pub(crate) fn of_call(name: &str, shapes_text: &str, types: &str, concrete: &str) -> Option<Self> {
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
        // An addend with factor 0 is not read.
        let factor = concrete.split('"').skip(1).step_by(2).nth(3).and_then(|text| text.parse::<f64>().ok());
        let added = (first > 0 && factor != Some(0.0))
            .then(|| shape(0))
            .flatten()
            .filter(|added| added.ends_with(&[*rows, *columns]));
        let added = added.map_or(Some(0), |added| multiplied(added)?.checked_mul(width))?;
        fits.then_some(Self { batch: *batch, rows: *rows, inner: *inner, columns: *columns, width, added })
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
    /// The scores that a call of softmax takes, or whose gradient it makes. None where it is over another dimension
    /// than the keys, according to the input with index `dimension` if it was recorded.
    pub(crate) fn of_call(shapes_text: &str, concrete: &str, dimension: usize) -> Option<Self> {
        let shapes = shapes(shapes_text);
        let shape = shapes.first()?.as_deref()?;
        let [batch @ .., queries, keys] = shape else { return None };
        let told = concrete.split('"').skip(1).step_by(2).nth(dimension).and_then(|text| text.parse::<i64>().ok());
        let is_last =
            |dimension: i64| dimension == -1 || usize::try_from(dimension).is_ok_and(|of| of + 1 == shape.len());
        let is_of_keys = told.is_none_or(is_last) && !batch.is_empty();
        is_of_keys.then_some(Self { batch: multiplied(batch)?, queries: *queries, keys: *keys })
    }

    /// Whether a tensor has their size.
    fn is_size(self, shape: &[u64]) -> bool {
        let [batch @ .., queries, keys] = shape else { return false };
        (multiplied(batch), *queries, *keys) == (Some(self.batch), self.queries, self.keys)
    }

    /// Whether a call works on scores: one of its inputs has their size.
    pub(crate) fn are_input(self, shapes_text: &str) -> bool {
        shapes(shapes_text).into_iter().flatten().any(|shape| self.is_size(&shape))
    }

    /// The bytes of inputs that a call adds to scores, or masks them with: those that are as large as a matrix of
    /// scores, without the scores.
    pub(crate) fn bias_bytes(self, shapes_text: &str, types: &str) -> u64 {
        let kinds: Vec<&str> = types.split('"').skip(1).step_by(2).collect();
        let (mut are_there, mut sum) = (false, 0_u64);
        for (shape, kind) in shapes(shapes_text).into_iter().zip(&kinds) {
            let Some(shape) = shape.filter(|shape| shape.ends_with(&[self.queries, self.keys])) else { continue };
            if !are_there && self.is_size(&shape) {
                are_there = true;
                continue;
            }
            let bytes = element_bytes(kind).zip(multiplied(&shape)).and_then(|(width, count)| count.checked_mul(width));
            sum = sum.saturating_add(bytes.unwrap_or_default());
        }
        sum
    }

    /// The work of a kernel that computes these products and softmax between them: the first one makes the scores, the
    /// last one begins with the output of softmax.
    pub(crate) fn forward(self, first: Product, last: Product, bias: u64) -> Option<FusedWork> {
        let (width, value) = (first.inner, last.columns);
        let moved = multiplied(&[self.rows(width, value)?, first.width]);
        self.work(width.checked_add(value)?, sum(&[moved, Some(bias), Some(first.added)])?)
    }

    /// The same for the gradients: the first product makes the scores' gradient from the output's, the last one makes
    /// the queries' from it. A fused kernel computes the scores again.
    pub(crate) fn backward(self, first: Product, last: Product) -> Option<FusedWork> {
        let (width, value) = (last.columns, first.inner);
        // Inputs and the output are read, and their gradients written or read; a logarithm for each query is read.
        let moved = multiplied(&[self.rows(width, value)?, 2, first.width]);
        let bytes = sum(&[moved, multiplied(&[self.batch, self.queries, 4])])?;
        self.work(width.checked_mul(3)?.checked_add(value.checked_mul(2)?)?, bytes)
    }

    /// The elements of queries, keys, values and the output.
    fn rows(self, width: u64, value: u64) -> Option<u64> {
        multiplied(&[self.batch, self.queries.checked_add(self.keys)?, width.checked_add(value)?])
    }

    /// The work, given the number of products for each pair of query and key.
    fn work(self, products: u64, bytes: u64) -> Option<FusedWork> {
        let whole = |rows: u64| rows.checked_next_multiple_of(TILE);
        let tiles = Self { queries: whole(self.queries)?, keys: whole(self.keys)?, ..self };
        let [flops, tiled_flops] = [self, tiles].map(|of| multiplied(&[2, of.pairs()?, products]));
        Some(FusedWork { flops: flops?, tiled_flops: tiled_flops?, bytes })
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
        let product = |shapes: &str| Product::of_call("aten::bmm", shapes, HALF, "").expect("a product");
        let scores = Scores::of_call("[[2, 3, 10, 20], [], []]", "", 1).expect("scores");
        let (first, last) = (product("[[6, 10, 4], [6, 4, 20]]"), product("[[6, 10, 20], [6, 20, 5]]"));
        assert!(first.makes(scores) && !last.makes(scores) && last.begins_with(scores) && !first.begins_with(scores));
        let forward = scores.forward(first, last, 7).expect("work");
        let rows = 6 * (10 * 4 + 20 * 4 + 20 * 5 + 10 * 5);
        assert_eq!(
            forward,
            FusedWork { flops: 2 * 6 * 10 * 20 * 9, tiled_flops: 2 * 6 * 64 * 64 * 9, bytes: 2 * rows + 7 }
        );
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
        assert_eq!(Product::of_call("aten::mm", "[[3, 5], [5, 7]]", HALF, ""), None);
        assert_eq!(Product::of_call("aten::bmm", "[[2, 3, 5], [2, 6, 7]]", HALF, ""), None);
        assert_eq!(Scores::of_call("[[10, 20]]", "", 1), None);
        assert_eq!(Scores::of_call("[[]]", "", 1), None);
        let scores = Scores::of_call("[[6, 10, 20]]", "", 1).expect("scores");
        let types = r#"["float", "bool", "Scalar"]"#;
        assert_eq!(scores.bias_bytes("[[6, 10, 20], [1, 10, 20], []]", types), 200);
        assert_eq!(scores.bias_bytes("[[6, 10, 20], [20], []]", types), 0);
        // A mask may come first, and a bias be as large as the scores.
        let masked = scores.bias_bytes("[[1, 10, 20], [2, 3, 10, 20], []]", r#"["bool", "float", "float"]"#);
        assert_eq!(masked, 200);
        assert_eq!(scores.bias_bytes("[[6, 10, 20], [6, 10, 20]]", r#"["float", "float"]"#), 4 * 6 * 200);
        let added = |factor: &str| {
            let (shapes, types) = ("[[6, 10, 20], [6, 10, 4], [6, 4, 20]]", r#"["float", "float", "float"]"#);
            let concrete = format!(r#"["", "", "", "{factor}", "1"]"#);
            Product::of_call("aten::baddbmm", shapes, types, &concrete).expect("a product").added
        };
        assert_eq!([added("1"), added(""), added("0."), added("0")], [4 * 6 * 200, 4 * 6 * 200, 0, 0]);
        let over =
            |dimension: &str| Scores::of_call("[[6, 10, 20], [], []]", &format!(r#"["", "{dimension}", "False"]"#), 1);
        assert!(over("-1").is_some() && over("2").is_some() && over("").is_some());
        assert!(over("1").is_none() && over("-2").is_none());
        // Sizes that no number can represent.
        let huge = Scores::of_call("[[18446744073709551615, 2, 3]]", "", 1).expect("scores");
        assert_eq!(huge.pairs(), None);
    }
}
