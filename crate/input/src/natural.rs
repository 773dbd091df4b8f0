//! Natural order of paths.

use std::cmp::Ordering;

/// Compares texts, with runs of digits as numbers; equal only for equal texts.
pub(super) fn natural(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a.as_bytes(), b.as_bytes());
    loop {
        let order = match (left, right) {
            ([a, ..], [b, ..]) if a.is_ascii_digit() && b.is_ascii_digit() => {
                number(&mut left).cmp(&number(&mut right))
            }
            ([a, rest_a @ ..], [b, rest_b @ ..]) => {
                (left, right) = (rest_a, rest_b);
                a.cmp(b)
            }
            _ => return left.len().cmp(&right.len()).then_with(|| a.cmp(b)),
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// Takes the leading digits; returns their number without leading zeros, and the digits.
fn number<'t>(text: &mut &'t [u8]) -> (usize, &'t [u8]) {
    let len = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(len);
    *text = rest;
    let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
    (len - zeros, &digits[zeros..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_as_numbers() {
        let mut paths =
            ["b", "a/rank_10.csv", "a/rank_9.csv", "a/rank_09.csv", "a/rank_9", "a/rank_9.json", "", "10", "9a"];
        paths.sort_by(|a, b| natural(a, b));
        let sorted =
            ["", "9a", "10", "a/rank_9", "a/rank_09.csv", "a/rank_9.csv", "a/rank_9.json", "a/rank_10.csv", "b"];
        assert_eq!(paths, sorted);
        assert_eq!(natural("99999999999999999999999", "100000000000000000000000"), Ordering::Less);
    }
}
