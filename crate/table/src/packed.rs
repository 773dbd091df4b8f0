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
    Covered(Vec<f64>, Vec<f64>),
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
            Self::Count(all) => {
                let is_large = |count: &Option<Count>| matches!(count, Some(Count::Whole(count)) if *count > EXACT);
                let is_mean = |count: &Option<Count>| matches!(count, Some(Count::Mean(_)));
                if all.iter().any(is_large) && !all.iter().any(is_mean) {
                    let whole = |count: &Option<Count>| match count {
                        Some(Count::Whole(count)) => i64::try_from(*count).unwrap_or(i64::MAX),
                        _ => i64::MIN,
                    };
                    return Packed::Whole(all.iter().map(whole).collect());
                }
                Packed::Numbers(
                    all.iter()
                        .map(|count| match count {
                            Some(Count::Whole(count)) => *count as f64,
                            Some(Count::Mean(mean)) => *mean,
                            None => f64::NAN,
                        })
                        .collect(),
                )
            }
            Self::Whole(all) => {
                if all.iter().flatten().any(|whole| whole.unsigned_abs() > EXACT) {
                    return Packed::Whole(all.iter().map(|whole| whole.unwrap_or(i64::MIN)).collect());
                }
                Packed::Numbers(all.iter().map(|whole| whole.map_or(f64::NAN, |whole| whole as f64)).collect())
            }
            Self::Real(all) => Packed::Numbers(all.clone()),
            Self::Covered(all) => Packed::Covered(
                all.iter().map(|(value, _)| *value).collect(),
                all.iter().map(|(value, coverage)| if value.is_nan() { f64::NAN } else { *coverage }).collect(),
            ),
        }
    }
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
        let counts = Values::Count(vec![Some(Count::Whole(u64::MAX)), None]).packed();
        assert_eq!(counts, Packed::Whole(vec![i64::MAX, i64::MIN]));
        assert_eq!(Values::Whole(vec![Some(7)]).packed(), Packed::Numbers(vec![7.0]));
    }

    #[test]
    fn a_coverage_is_an_array_of_its_own() {
        let Packed::Covered(values, coverage) = Values::Covered(vec![(0.5, 0.25), (f64::NAN, 0.0)]).packed() else {
            panic!("no coverage");
        };
        assert_eq!((values[0], coverage[0]), (0.5, 0.25));
        assert!(values[1].is_nan() && coverage[1].is_nan());
    }
}
