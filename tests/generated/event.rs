//! Details of events, which are also read again from the file one by one.

use stepscope::Rank;
use stepscope::analyze::AnalysisConfig;
use stepscope::trace::EventId;
use stepscope_tests::files::{rank, root, text_of};
use stepscope_tests::generator::{Producer, Spec};
use stepscope_tests::oracle::{ReadAgain, event_identities, read_again};

/// Whether the file's events are objects: tables and databases have none.
fn is_of_objects(rank: &Rank) -> bool {
    ["kineto", "paddle", "chrome", "mindspore"].contains(&rank.trace.meta.format)
}

/// For every producer whose files contain events as objects, each slice is read again.
#[test]
fn every_slice_is_found_again_in_the_file() {
    let mut found = ReadAgain::default();
    for (name, producer) in Producer::ALL {
        for seed in 1..4 {
            let (text, _) = Spec { producer, python: true, ..Spec::small(seed) }.generate();
            let rank = rank("run.json", &text, &AnalysisConfig::standard()).unwrap_or_else(|error| panic!("{error}"));
            let again = read_again(&rank.trace, &[&text]).unwrap_or_else(|what| panic!("{name}, seed {seed}: {what}"));
            let none = if is_of_objects(&rank) { again.without } else { again.alike };
            assert_eq!(none, 0, "{name}, seed {seed}: {again:?}");
            found.alike += again.alike;
        }
    }
    assert!(found.alike > 1000, "{found:?}");
}

/// Damaged objects are repaired by the same rules, beginnings and ends are two, stacks have none.
#[test]
fn every_slice_of_the_fixtures_is_found_again_or_has_no_event() {
    let mut found = ReadAgain::default();
    for group in ["chrome", "damaged", "kineto", "paddle"] {
        let folder = root().join("tests/fixtures").join(group);
        let cases = std::fs::read_dir(&folder).expect("fixtures").map(|entry| entry.expect("a case").path());
        for path in cases.flat_map(|case| std::fs::read_dir(case).into_iter().flatten()).flatten().map(|it| it.path()) {
            let name = path.display().to_string();
            if !path.is_file() || !name.ends_with(".json") {
                continue;
            }
            let text = text_of(&path);
            let Ok(rank) = rank("run.json", &text, &AnalysisConfig::standard()) else { continue };
            let again = read_again(&rank.trace, &[&text]).unwrap_or_else(|what| panic!("{name}: {what}"));
            found.alike += again.alike;
            found.without += again.without;
        }
    }
    assert!(found.alike > 200 && found.without > 0, "{found:?}");
}

#[test]
fn what_is_said_of_events_holds_both_ways() {
    for (name, producer) in Producer::ALL {
        let spec = Spec { producer, python: true, shapes: true, synchronize: true, ..Spec::small(7) };
        let (text, _) = spec.generate();
        let rank = rank("run.json", &text, &AnalysisConfig::standard()).unwrap_or_else(|error| panic!("{error}"));
        let step = (rank.trace.slices.len() / 200).max(1);
        let events = rank.trace.slices.ids().step_by(step);
        event_identities(&rank.trace, &rank.analysis, events).unwrap_or_else(|what| panic!("{name}: {what}"));
        let behind = EventId::from_index(rank.trace.slices.len());
        let config = stepscope::analyze::EventConfig::standard();
        assert_eq!(stepscope::analyze::event_detail(&rank.trace, &rank.analysis, behind, config), None);
    }
}
