//! Waits for the data loader: METRICS section 7.

use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};
use stepscope::Nanos;
use stepscope::analyze::{AnalysisConfig, IdleLeaf, LoaderKind, Phase, TimeCategory, data_loading};
use stepscope_tests::files::rank;

use super::advice_hand::{call, kernel, of_rule, rank_of, slice, step};

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn waits_are_those_of_the_steps(spec in super::specs()) {
        let (text, truth) = spec.generate();
        let rank = rank("trace.json", &text, &AnalysisConfig::standard()).expect("a generated trace");
        let analysis = &rank.analysis;
        let found = data_loading(&rank.trace, &analysis.steps, &analysis.categories);
        let waited = truth.steps.iter().any(|step| step.phases_calls[0] > 0);
        prop_assert_eq!(found.is_some(), waited);
        let Some(found) = found else { return Ok(()) };
        prop_assert_eq!(found.kind, LoaderKind::Workers);
        for (step, truth) in found.steps.iter().zip(&truth.steps) {
            prop_assert_eq!((step.calls, step.total.0), (truth.phases_calls[0], truth.phases_host[0]));
            prop_assert_eq!(step.exposed.0, truth.categories[TimeCategory::Dataloader as usize]);
            prop_assert!(step.longest <= step.total);
        }
        let all: Nanos = found.steps.iter().map(|step| step.total).sum();
        prop_assert_eq!(found.waits.statistics.total, all);
        prop_assert_eq!(found.longest.first().map(|id| rank.trace.slices.length(*id)), Some(found.waits.statistics.max));
    }
}

/// A wait for data is a wait in all places, whichever name it has.
#[test]
fn waits_of_other_frameworks_and_of_people_are_waits() {
    for (category, name) in [
        ("user_annotation", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"),
        ("cpu_op", "IteratorGetNext"),
        ("user_annotation", "data_wait"),
        ("user_annotation", "next(train_loader)"),
        ("user_annotation", "[pl][profile][_TrainingEpochLoop].train_dataloader_next"),
    ] {
        let steps = (0..4).flat_map(|index| {
            let (at, number) = (1_000 * index, index + 1);
            [
                step(number, (at, at + 1_000)),
                slice(category, name, 1, (at, at + 400), ""),
                call("cudaLaunchKernel", (at + 401, at + 402), number),
                kernel("gemm", 7, (at + 403, at + 999), number),
            ]
        });
        let rank = rank_of(&steps.collect::<Vec<_>>());
        let analysis = &rank.analysis;
        let micros = |time: Nanos| time.0 / 1000;
        for index in 0..4 {
            assert_eq!(micros(analysis.categories[index][TimeCategory::Dataloader as usize]), 400, "{name}");
            assert_eq!(micros(analysis.phases.steps[index][Phase::Dataloader as usize].host), 400, "{name}");
        }
        let found = data_loading(&rank.trace, &analysis.steps, &analysis.categories).expect("waits");
        assert_eq!((found.waits.statistics.calls, found.waiting_steps), (4, 4), "{name}");
        let idle = analysis.idle[0].times.leaves[IdleLeaf::DataWait as usize];
        assert_eq!(micros(idle), 1_200, "{name}: three gaps");
        assert!(of_rule(&rank, "dataloader").holds, "{name}");
    }
}

/// A thread that loads in advance, beside the steps, is not a wait; nor is an iterator of any other kind.
#[test]
fn loading_beside_the_steps_is_no_wait() {
    for (name, thread) in [("load_data", 2), ("Iterator::Prefetch", 1), ("data_parallel", 1)] {
        let rank = rank_of(&[
            step(1, (0, 1_000)),
            slice("user_annotation", name, thread, (0, 400), ""),
            call("cudaLaunchKernel", (401, 402), 1),
            kernel("gemm", 7, (403, 999), 1),
        ]);
        assert_eq!(rank.analysis.categories[0][TimeCategory::Dataloader as usize], Nanos::ZERO, "{name}");
        assert!(data_loading(&rank.trace, &rank.analysis.steps, &rank.analysis.categories).is_none(), "{name}");
    }
}
