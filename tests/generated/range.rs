//! Ranges of generated traces: their identities, and exports of them that are read back.

use proptest::test_runner::TestCaseError;
use stepscope::analyze::{RangeConfig, range};
use stepscope::{Interval, Nanos, Rank};
use stepscope_tests::oracle::{range_identities, reread_range};

/// Ranges add up, and an export of any of them has its contents.
pub(crate) fn ranges_hold(rank: &Rank, seed: u64) -> Result<(), TestCaseError> {
    let fail = |error: String| TestCaseError::fail(error);
    range_identities(rank).map_err(fail)?;
    let all = rank.trace.span().len().0;
    // Three places that a seed chooses: the narrow one mostly cuts its slices on both sides.
    for (place, width) in [(7, 3), (11, 50), (13, 4000)] {
        let from = i64::try_from(seed.wrapping_mul(place) % 1000).unwrap_or_default() * all / 1000;
        let span = Interval::new(Nanos(from), Nanos(from + all / width + 1));
        reread_range(rank, span).map_err(fail)?;
    }
    let mut config = RangeConfig::of(rank.trace.span());
    let whole = range(&rank.trace, &rank.analysis, &config);
    config.tracks = Some(whole.tracks.iter().map(|(track, _)| *track).collect());
    let all = range(&rank.trace, &rank.analysis, &config);
    proptest::prop_assert_eq!((&all.devices, all.categories), (&whole.devices, whole.categories));
    let mut slices = 0;
    for (track, sums) in &whole.tracks {
        config.tracks = Some(vec![*track]);
        let one = range(&rank.trace, &rank.analysis, &config);
        proptest::prop_assert_eq!((&one.tracks[..], one.whole), (&[(*track, *sums)][..], *sums));
        for part in one.devices {
            let of_all = whole.devices.iter().find(|time| time.device == part.device);
            proptest::prop_assert!(of_all.is_some_and(|of_all| part.busy <= of_all.busy), "{part:?} of {of_all:?}");
        }
        slices += one.whole.slices;
    }
    proptest::prop_assert_eq!(slices, whole.whole.slices);
    Ok(())
}
