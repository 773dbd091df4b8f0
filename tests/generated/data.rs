//! Waits for the data loader: METRICS section 7.

use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};
use stepscope::Nanos;
use stepscope::analyze::{AnalysisConfig, LoaderKind, Role, data_loading};
use stepscope_tests::files::rank;

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn waits_are_those_of_the_steps(spec in super::specs()) {
        let (text, truth) = spec.generate();
        let rank = rank("trace.json", &text, &AnalysisConfig::standard()).expect("a generated trace");
        let analysis = &rank.analysis;
        let found = data_loading(&rank.trace, &analysis.steps, &analysis.roles);
        let waited = truth.steps.iter().any(|step| step.phases_calls[0] > 0);
        prop_assert_eq!(found.is_some(), waited);
        let Some(found) = found else { return Ok(()) };
        prop_assert_eq!(found.kind, LoaderKind::Workers);
        for (step, truth) in found.steps.iter().zip(&truth.steps) {
            prop_assert_eq!((step.calls, step.total.0), (truth.phases_calls[0], truth.phases_host[0]));
            prop_assert_eq!(step.exposed.0, truth.roles[Role::Dataloader as usize]);
            prop_assert!(step.longest <= step.total);
        }
        let all: Nanos = found.steps.iter().map(|step| step.total).sum();
        prop_assert_eq!(found.waits.statistics.total, all);
        prop_assert_eq!(found.longest.first().map(|id| rank.trace.slices.length(*id)), Some(found.waits.statistics.max));
    }
}
