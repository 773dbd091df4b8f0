//! Searches in sorted lists.

/// The same as [`partition_point`](slice::partition_point), from a place that is probably close to the result: the time is
/// logarithmic in their distance.
///
/// ```
/// use stepscope_base::partition_point_near;
///
/// let starts = [3, 5, 8, 13];
/// assert_eq!(partition_point_near(&starts, 1, |start| *start < 8), 2);
/// ```
#[inline]
pub fn partition_point_near<T>(list: &[T], near: usize, is_before: impl Fn(&T) -> bool) -> usize {
    let near = near.min(list.len());
    let (mut from, mut to, mut step) = (near, near, 1);
    while from > 0 && !is_before(&list[from - 1]) {
        (from, to, step) = (from.saturating_sub(step), from - 1, 2 * step);
    }
    while to < list.len() && is_before(&list[to]) {
        (from, to, step) = (to + 1, list.len().min(to + step), 2 * step);
    }
    from + list[from..to].partition_point(is_before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_is_the_same_from_any_place() {
        for length in 0..20_usize {
            let list: Vec<usize> = (0..length).collect();
            for (point, near) in (0..=length).flat_map(|point| (0..length + 3).map(move |near| (point, near))) {
                assert_eq!(partition_point_near(&list, near, |item| *item < point), point);
            }
        }
    }
}
