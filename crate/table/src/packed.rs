//! Values of a column as arrays of numbers, as passed between workers.

use std::collections::HashMap;

use super::{Count, Values};

/// Integers up to this are exact as floating-point numbers.
const EXACT: u64 = 1 << 53;

/// The values of a column as arrays.
#[derive(Clone, Debug, PartialEq)]
pub enum Packed {
    /// The distinct texts, and each row's index in them. The first one is empty: unknown.
    Names(Vec<String>, Vec<u32>),
    /// Numbers; NaN is unknown.
    Numbers(Vec<f64>),
    /// Integers, some of which are not exact as floating-point numbers; `i64::MIN` is unknown.
    Whole(Vec<i64>),
    /// Numbers and their coverage, the share of time for which they are known; NaN is unknown.
    Covered(Box<Packed>, Vec<f64>),
}

impl Values {
    /// Returns the values as arrays.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "those that lose something are packed as whole numbers")]
    pub fn packed(&self) -> Packed {
        match self {
            Self::Text(all) => names(all.iter().map(|text| text.clone().unwrap_or_default())),
            Self::Lines(all) => names(all.iter().map(|lines| lines.join("\n"))),
            Self::Extent(all) => names(all.iter().map(|extent| {
                extent.map_or_else(String::new, |[x, y, z]| [x, y, z].map(|one| one.to_string()).join(","))
            })),
            Self::Ids(all) => names(all.iter().map(|ids| {
                let texts: Vec<String> = ids.iter().flatten().map(u64::to_string).collect();
                texts.join(",")
            })),
            Self::Word(all) => names(all.iter().map(|word| (*word).to_owned())),
            Self::Flag(all) => Packed::Numbers(
                all.iter().map(|flag| flag.map_or(f64::NAN, |flag| f64::from(u8::from(flag)))).collect(),
            ),
            Self::Count(all) => counts(all),
            Self::Whole(all) => {
                if all.iter().flatten().any(|whole| whole.unsigned_abs() > EXACT) {
                    return Packed::Whole(all.iter().map(|whole| whole.unwrap_or(i64::MIN)).collect());
                }
                Packed::Numbers(all.iter().map(|whole| whole.map_or(f64::NAN, |whole| whole as f64)).collect())
            }
            Self::Real(all) => Packed::Numbers(all.clone()),
            Self::Covered(all) => {
                let numbers: Vec<_> = all.iter().map(|known| known.map(|(number, _)| number)).collect();
                let coverage = all.iter().map(|known| known.map_or(f64::NAN, |(_, coverage)| coverage));
                Packed::Covered(Box::new(counts(&numbers)), coverage.collect())
            }
        }
    }
}

/// Counts, with all their digits where a floating-point number has too few.
#[expect(clippy::cast_precision_loss, reason = "those that lose something are packed as whole numbers")]
fn counts(all: &[Option<Count>]) -> Packed {
    let is_large = |count: &Option<Count>| matches!(count, Some(Count::Whole(count)) if *count > EXACT);
    let whole = |count: &Option<Count>| match count {
        Some(Count::Whole(count)) => i64::try_from(*count).ok(),
        Some(Count::Mean(_)) => None,
        None => Some(i64::MIN),
    };
    let wholes = if all.iter().any(is_large) { all.iter().map(whole).collect::<Option<_>>() } else { None };
    let real = |count: &Option<Count>| match count {
        Some(Count::Whole(count)) => *count as f64,
        Some(Count::Mean(mean)) => *mean,
        None => f64::NAN,
    };
    wholes.map_or_else(|| Packed::Numbers(all.iter().map(real).collect()), Packed::Whole)
}

/// The distinct texts, and each row's index in them.
fn names(texts: impl Iterator<Item = String>) -> Packed {
    let mut names = vec![String::new()];
    let mut known = HashMap::from([(String::new(), 0)]);
    let mut rows = Vec::with_capacity(texts.size_hint().0);
    for text in texts {
        let next = u32::try_from(names.len()).unwrap_or_default();
        let name = *known.entry(text).or_insert_with_key(|text| {
            names.push(text.clone());
            next
        });
        rows.push(name);
    }
    Packed::Names(names, rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_there_once() {
        let packed = Values::Word(vec!["a", "", "b", "a"]).packed();
        assert_eq!(packed, Packed::Names(["", "a", "b"].map(str::to_owned).to_vec(), vec![1, 0, 2, 1]));
        let extents = Values::Extent(vec![Some([3, 2, 1]), None]).packed();
        assert_eq!(extents, Packed::Names(["", "3,2,1"].map(str::to_owned).to_vec(), vec![1, 0]));
    }

    #[test]
    fn whole_numbers_keep_their_digits() {
        let large = (1 << 53) + 1;
        assert_eq!(Values::Whole(vec![Some(large), None]).packed(), Packed::Whole(vec![large, i64::MIN]));
        let counts = Values::Count(vec![Some(Count::Whole(large.unsigned_abs())), None]);
        assert_eq!(counts.packed(), Packed::Whole(vec![large, i64::MIN]));
        // No integer of JavaScript's arrays holds it: its size counts more than its last digits.
        let counts = Values::Count(vec![Some(Count::Whole(u64::MAX))]);
        assert_eq!(counts.packed(), Packed::Numbers(vec![u64::MAX as f64]));
        assert_eq!(Values::Whole(vec![Some(7)]).packed(), Packed::Numbers(vec![7.0]));
    }

    #[test]
    fn a_coverage_is_an_array_of_its_own() {
        let packed = |known| match Values::Covered(vec![Some(known), None]).packed() {
            Packed::Covered(numbers, coverage) => (*numbers, coverage),
            other => panic!("no coverage: {other:?}"),
        };
        let (Packed::Numbers(numbers), coverage) = packed((Count::Mean(0.5), 0.25)) else { panic!("no numbers") };
        assert_eq!((numbers[0], coverage[0]), (0.5, 0.25));
        assert!(numbers[1].is_nan() && coverage[1].is_nan());
        let large = (1 << 53) + 1;
        let (numbers, coverage) = packed((Count::Whole(large), 0.25));
        assert_eq!(numbers, Packed::Whole(vec![large as i64, i64::MIN]));
        assert!(coverage[1].is_nan());
    }
}
