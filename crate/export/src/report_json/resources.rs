//! Use of the machine's resources over time, as curves.

use schemars::JsonSchema;
use serde::Serialize;

use super::table::RowOf;
use stepscope_analyze::Rank;
use stepscope_analyze::{Resource, ResourceRow, ResourceTable, resources};
use stepscope_base::CompactSort;

/// All curves with statistics, and the points of the requested kind.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct ResourcesReport {
    pub(super) resources: Vec<ResourceReport>,
}

#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct ResourceReport {
    #[serde(flatten)]
    row: RowOf<ResourceTable>,
    /// Points, thinned to the resolution of a chart without losing peaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<Vec<(f64, f64)>>,
}

/// As many points as two charts are wide.
const POINTS: usize = 4_000;

impl ResourcesReport {
    /// All curves without their points.
    pub(super) fn of(rank: &Rank) -> Self {
        Self::with(&resources(&rank.trace), |_| false)
    }

    /// All curves, with the points of the requested kind.
    pub(super) fn with_points(rank: &Rank, kind: &str) -> Self {
        Self::with(&resources(&rank.trace), |resource| resource.kind.name() == kind)
    }

    fn with(resources: &[Resource], has_points: impl Fn(&Resource) -> bool) -> Self {
        let shown = resources.iter().filter_map(|resource| Some((ResourceRow::of(resource)?, resource)));
        let (rows, shown): (Vec<ResourceRow>, Vec<&Resource>) = shown.unzip();
        let rows = RowOf::<ResourceTable>::all(&rows, &());
        let points = |resource: &Resource| has_points(resource).then(|| thinned(&resource.points, POINTS));
        let report = |(row, resource): (_, &Resource)| ResourceReport { row, points: points(resource) };
        Self { resources: rows.zip(shown).map(report).collect() }
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
