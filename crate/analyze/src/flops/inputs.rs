//! Lists as PyTorch's profiler writes them.

use crate::event::element_bytes;

/// The bytes of all inputs, which must be tensors, by their shapes and types. `None` if one is unknown or no tensor.
pub(crate) fn bytes(shapes_text: &str, types: &str) -> Option<u64> {
    let types = types.trim().trim_start_matches('[').trim_end_matches(']');
    let types: Vec<&str> = types.split(',').map(|one| one.trim().trim_matches('"')).collect();
    let shapes = lists(shapes_text);
    if shapes.is_empty() || shapes.len() != types.len() {
        return None;
    }
    // A shape without dimensions is that of a single number.
    let of = |(shape, dtype): (Option<Vec<u64>>, &&str)| {
        shape?.into_iter().try_fold(element_bytes(dtype)?, u64::checked_mul)
    };
    shapes.into_iter().zip(&types).map(of).try_fold(0, |sum: u64, bytes| sum.checked_add(bytes?))
}

/// The shapes of the inputs; `None` in the place of an input that is no tensor or a list of tensors.
pub(super) fn shapes(text: &str) -> Vec<Option<Vec<u64>>> {
    lists(text).into_iter().map(|list| list.filter(|shape| !shape.is_empty())).collect()
}

/// The lists in a list; `None` in the place of one that contains others.
fn lists(text: &str) -> Vec<Option<Vec<u64>>> {
    let mut found = Vec::new();
    let (mut depth, mut start, mut nested) = (0_u32, 0, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'[' => {
                depth += 1;
                match depth {
                    2 => (start, nested) = (at + 1, false),
                    3.. => nested = true,
                    _ => {}
                }
            }
            b']' => {
                if depth == 2 {
                    found.push(text.get(start..at).filter(|_| !nested).and_then(numbers));
                }
                depth = depth.saturating_sub(1);
            }
            _ => {}
        }
    }
    found
}

/// The numbers of a list, with or without its brackets.
pub(super) fn numbers(list: &str) -> Option<Vec<u64>> {
    let inside = list.trim().trim_start_matches('[').trim_end_matches(']').trim();
    if inside.is_empty() {
        return Some(Vec::new());
    }
    inside.split(',').map(|number| number.trim().parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_tensors() {
        assert_eq!(bytes("[[66752]]", r#"["float"]"#), Some(4 * 66752));
        assert_eq!(bytes("[[2, 3], []]", r#"["c10::Half", "long int"]"#), Some(12 + 8));
        for (shapes, types) in [
            ("[]", "[]"),
            ("[[2]]", r#"["Scalar"]"#),
            ("[[2], [2]]", r#"["float"]"#),
            ("[[[2], [3]]]", r#"["TensorList"]"#),
            ("[[18446744073709551615]]", r#"["float"]"#),
        ] {
            assert_eq!(bytes(shapes, types), None, "{shapes} {types}");
        }
    }

    #[test]
    fn shapes_of_tensors_scalars_and_lists() {
        let found = shapes("[[2, 3], [], [[4], [5, 6]], [7]]");
        assert_eq!(found, [Some(vec![2, 3]), None, None, Some(vec![7])]);
        assert_eq!(shapes("[\n  [\n    8,\n    9\n  ]\n]"), [Some(vec![8, 9])]);
        assert_eq!(shapes(r#"{"X":[[2,3]]}"#), [Some(vec![2, 3])]);
        assert_eq!(shapes("[[-1, 3]]"), [None]);
        for broken in ["", "[", "]]]", "[[1, 2", "[[1,,2]]", "[[é]]"] {
            assert!(shapes(broken).iter().all(Option::is_none), "{broken}");
        }
    }
}
