//! Lists as PyTorch's profiler writes them.

/// The shapes of the inputs; `None` in the place of an input that is no tensor, or a list of such.
pub(super) fn shapes(text: &str) -> Vec<Option<Vec<u64>>> {
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
                    found.push(
                        text.get(start..at).filter(|_| !nested).and_then(numbers).filter(|shape| !shape.is_empty()),
                    );
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
