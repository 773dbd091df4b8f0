//! Shares of the largest values in the sum of all.

use super::style::Style;
use stepscope_base::CompactSort;

/// One of the largest values, or the rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// Index of the value; none for all others together.
    pub place: Option<usize>,
    /// The value.
    pub value: i64,
    /// Its part of the sum of all.
    pub share: f64,
}

/// The largest values, and the number of others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shares {
    /// The largest values, the largest first; then the rest, if it is not zero.
    pub shares: Vec<Share>,
    /// Number of values in the last share; 0 if each has its own.
    pub others: usize,
}

/// The `top` largest values and the sum of the others; negative values and zeros are ignored.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "a share for display")]
pub fn shares(values: &[i64], top: usize) -> Shares {
    let mut order: Vec<usize> = (0..values.len()).filter(|place| values[*place] > 0).collect();
    order.compact_sort_by_key(|place| -values[*place]);
    let all: f64 = order.iter().map(|place| values[*place] as f64).sum();
    let rest = order.split_off(top.min(order.len()));
    let share = |value: i64| value as f64 / all;
    let one = |place: &usize| Share { place: Some(*place), value: values[*place], share: share(values[*place]) };
    let mut shares: Vec<Share> = order.iter().map(one).collect();
    let value = rest.iter().map(|place| values[*place]).fold(0, i64::saturating_add);
    if value > 0 {
        shares.push(Share { place: None, value, share: share(value) });
    }
    Shares { shares, others: rest.len() }
}

/// The color of the share at an index: eight that can be distinguished, then the same paler.
#[must_use]
pub fn sector_color(place: Option<usize>, style: &Style) -> (u8, u8, u8) {
    const LIGHT: [(u8, u8, u8); 8] = [
        (0, 114, 178),
        (230, 159, 0),
        (0, 158, 115),
        (213, 94, 0),
        (86, 180, 233),
        (128, 70, 160),
        (204, 121, 167),
        (148, 130, 40),
    ];
    const DARK: [(u8, u8, u8); 8] = [
        (64, 156, 218),
        (242, 184, 48),
        (38, 186, 142),
        (240, 130, 50),
        (120, 200, 245),
        (178, 128, 208),
        (222, 148, 188),
        (200, 184, 90),
    ];
    let Some(place) = place else {
        return if style.dark { (92, 97, 106) } else { (200, 204, 210) };
    };
    let (red, green, blue) = if style.dark { DARK[place % 8] } else { LIGHT[place % 8] };
    let ground = if style.dark { 30 } else { 255 };
    let mut mixed = [red, green, blue];
    for _ in 0..(place / 8).min(2) {
        mixed = mixed.map(|value| u8::midpoint(value, ground));
    }
    (mixed[0], mixed[1], mixed[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_come_first_and_the_rest_is_one() {
        let found = shares(&[1, 5, 0, 2, 2, -7], 2);
        let parts: Vec<(Option<usize>, i64, f64)> =
            found.shares.iter().map(|share| (share.place, share.value, share.share)).collect();
        assert_eq!(parts, [(Some(1), 5, 0.5), (Some(3), 2, 0.2), (None, 3, 0.3)]);
        assert_eq!(found.others, 2);
        assert_eq!(shares(&[1, 5], 2).others, 0);
        assert_eq!(shares(&[0, -1], 2), Shares::default());
        assert_eq!(shares(&[], 2), Shares::default());
    }

    proptest::proptest! {
        #[test]
        fn shares_add_up_to_one(values in proptest::collection::vec(0_i64..1_000_000_000, 1..60), top in 1_usize..30) {
            let found = shares(&values, top);
            let sum: i64 = found.shares.iter().map(|share| share.value).sum();
            proptest::prop_assert_eq!(sum, values.iter().sum::<i64>());
            let told = found.shares.iter().filter(|share| share.place.is_some()).count();
            proptest::prop_assert_eq!(told + found.others, values.iter().filter(|value| **value > 0).count());
            if sum > 0 {
                let all: f64 = found.shares.iter().map(|share| share.share).sum();
                proptest::prop_assert!((all - 1.0).abs() < 1e-9);
            }
        }
    }
}
