//! Traces that are transferred between workers.

use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};
use stepscope::Rank;
use stepscope::analyze::AnalysisConfig;
use stepscope::export::report_json::Summary;
use stepscope::trace::{deserialize, serialize};
use stepscope_tests::files::{deserialized, load};
use stepscope_tests::generator::Spec;

use super::specs;

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]
    #[test]
    fn a_trace_is_the_same_in_another_worker(spec in specs()) {
        let loaded = load("rank0.json", &spec.generate().0, 1 << 18).expect("a trace");
        let back = deserialized(loaded.clone());
        let same = format!("{back:?}") == format!("{loaded:?}");
        prop_assert!(same);
        let of = |loaded| Rank::new("rank0.json", 1, loaded, &AnalysisConfig::standard());
        let (here, there) = (of(loaded), of(back));
        prop_assert_eq!(there.bytes_held(), here.bytes_held());
        prop_assert!(Summary::of(&[there]).to_json() == Summary::of(&[here]).to_json());
    }
}

#[test]
fn a_trace_of_which_pieces_are_missing_is_none() {
    let loaded = load("rank0.json", &Spec::small(1).generate().0, 1 << 18).expect("a trace");
    let mut whole = Vec::new();
    serialize(loaded.trace, loaded.warnings, &mut |piece| whole.extend_from_slice(piece));
    let thaws = |len: usize| {
        let mut pieces = Some(whole[..len].to_vec()).into_iter();
        deserialize(&mut |piece| pieces.next().map(|next| *piece = next).is_some()).is_some()
    };
    assert!(thaws(whole.len()));
    assert!((0..whole.len()).step_by(97).all(|len| !thaws(len)));
}
