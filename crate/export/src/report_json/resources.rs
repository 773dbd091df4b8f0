//! What the machine did meanwhile, as curves.

use schemars::JsonSchema;
use serde::Serialize;

use stepscope_analyze::Rank;
use stepscope_analyze::{Resource, resources};
use stepscope_base::CompactSort;

/// All curves with statistics, and the points of the requested kind.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct ResourcesReport {
    pub(super) resources: Vec<ResourceReport>,
}

#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct ResourceReport {
    kind: &'static str,
    owner: String,
    name: String,
    unit: &'static str,
    /// Whether a value is valid until the next one; if not, points are numbered.
    holds: bool,
    samples: u64,
    /// Time of the first value; null for measurements without time.
    from_ns: Option<i64>,
    until_ns: Option<i64>,
    min: f64,
    max: f64,
    mean: f64,
    last: f64,
    /// Points, thinned to the resolution of a chart without losing peaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<Vec<(f64, f64)>>,
}

/// As many points as two charts are wide.
const POINTS: usize = 4_000;

impl ResourcesReport {
    /// All curves without their points.
    pub(super) fn of(rank: &Rank) -> Self {
        Self { resources: resources(&rank.trace).iter().filter_map(|one| ResourceReport::of(one, false)).collect() }
    }

    /// All curves, with the points of the kind that is asked for.
    pub(super) fn with_points(rank: &Rank, kind: &str) -> Self {
        let wanted = |resource: &Resource| resource.kind.name() == kind;
        let resources = resources(&rank.trace);
        Self { resources: resources.iter().filter_map(|one| ResourceReport::of(one, wanted(one))).collect() }
    }
}

impl ResourceReport {
    fn of(resource: &Resource, points: bool) -> Option<Self> {
        let summary = resource.summary()?;
        #[expect(clippy::cast_possible_truncation, reason = "it was whole nanoseconds")]
        let time = |point: Option<&(f64, f64)>| point.filter(|_| resource.holds).map(|(at, _)| *at as i64);
        Some(Self {
            kind: resource.kind.name(),
            owner: resource.owner.clone(),
            name: resource.name.clone(),
            unit: resource.unit.name(),
            holds: resource.holds,
            samples: resource.points.len() as u64,
            from_ns: time(resource.points.first()),
            until_ns: time(resource.points.last()),
            min: summary.min,
            max: summary.max,
            mean: summary.mean,
            last: summary.last,
            points: points.then(|| thinned(&resource.points, POINTS)),
        })
    }
}

/// At most about `most` points: of equally many neighbours each, the first, the lowest, the highest and the last.
fn thinned(points: &[(f64, f64)], most: usize) -> Vec<(f64, f64)> {
    if points.len() <= most {
        return points.to_vec();
    }
    let mut kept = Vec::with_capacity(most);
    for group in points.chunks(points.len().div_ceil(most / 4)) {
        let place = |best: fn(f64, f64) -> bool| {
            (1..group.len()).fold(0, |found, next| if best(group[next].1, group[found].1) { next } else { found })
        };
        let mut places = [0, place(|a, b| a < b), place(|a, b| a > b), group.len() - 1];
        places.compact_sort();
        for (number, at) in places.iter().enumerate() {
            if number == 0 || *at != places[number - 1] {
                kept.push(group[*at]);
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::thinned;

    #[test]
    fn no_peak_is_lost() {
        let points: Vec<(f64, f64)> = (0..100_000).map(|at| (f64::from(at), f64::from(at % 7))).collect();
        let mut peaked = points.clone();
        peaked[54_321].1 = 1e9;
        peaked[65_432].1 = -1e9;
        let kept = thinned(&peaked, 400);
        assert!(kept.len() <= 404 && kept.is_sorted_by(|a, b| a.0 < b.0));
        assert!(kept.contains(&(54_321.0, 1e9)) && kept.contains(&(65_432.0, -1e9)));
        assert_eq!((kept.first(), kept.last()), (peaked.first(), peaked.last()));
        assert_eq!(thinned(&points[..400], 400), points[..400]);
    }
}
