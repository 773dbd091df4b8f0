//! The first cause of the step budget on real traces, compared with the judgment of a person who reads the timeline.

use std::collections::BTreeMap;
use std::fs;

use serde::Deserialize;
use stepscope::Rank;
use stepscope::analyze::AnalysisConfig;
use stepscope_tests::files::{load_file, real_traces, root};
use stepscope_tests::oracle::first_cause;

/// The verdict on a trace.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    /// The expected first line, by its name.
    first: String,
    /// The largest cause, by its name; empty if there is none.
    cause: String,
    /// The evidence on the timeline.
    #[expect(dead_code, reason = "for the reader of the file")]
    reason: String,
}

#[test]
fn the_first_cause_is_the_one_that_the_timeline_shows() {
    let Some(folder) = real_traces() else { return };
    let text = fs::read_to_string(root().join("tests/fixtures/verdicts.toml")).expect("verdicts");
    let verdicts: BTreeMap<String, Expected> = toml::from_str(&text).expect("TOML");
    let mut wrong = Vec::new();
    for (name, verdict) in &verdicts {
        let file = fs::read(folder.join("pytorch").join(format!("{name}.json.gz"))).expect("a trace");
        let loaded = load_file(name, &file, 256 << 10).unwrap_or_else(|error| panic!("{error}"));
        let rank = Rank::new(name, file.len() as u64, loaded, &AnalysisConfig::standard());
        let (cause, first) = first_cause(&rank);
        let found = (first.name(), cause.map_or("", |cause| cause.name()));
        if found != (verdict.first.as_str(), verdict.cause.as_str()) {
            wrong.push(format!("{name}: {found:?} instead of {:?}", (&verdict.first, &verdict.cause)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
