//! Reports that are asked for by name: the page gets them when it shows them.

use serde::Deserialize;

use super::data::{DataReport, has_data};
use super::resources::ResourcesReport;
use super::text::json;
use super::{AdviceReport, CriticalAsk, CriticalReport, Selection, WhyIdle};
use crate::analyze::{AdviceConfig, Change, OperatorGrouping, OperatorsConfig, RuleSet, has_resources};
use crate::summary::Rank;

/// What is asked of a topic; each takes of it what it knows.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Ask {
    /// A step by its index; none for the whole trace.
    pub step: Option<usize>,
    /// How operators are grouped, by its name; by name if that is none.
    pub grouping: String,
    /// Whether operators that are only children of the same name are merged.
    pub merge: bool,
    /// What kind of resources points are wanted of, by its name.
    pub kind: String,
    /// Changes to replay, such as `overlap` or `kernel=gemm*:2`; what names none is left out.
    pub what_if: Vec<String>,
    /// A set of rules by its name; ours if that is none.
    pub rules: String,
    /// Thresholds of rules by name; what names none is left out.
    pub thresholds: Vec<(String, f64)>,
}

impl Ask {
    fn operators(&self) -> OperatorsConfig {
        OperatorsConfig {
            grouping: OperatorGrouping::named(&self.grouping).unwrap_or(OperatorGrouping::Name),
            merge_only_children: self.merge,
        }
    }

    fn advice(&self) -> AdviceConfig {
        let mut config = AdviceConfig::of(RuleSet::named(&self.rules).unwrap_or_default());
        for (name, value) in &self.thresholds {
            config.set_threshold(name, *value);
        }
        config
    }
}

/// A report by its name.
struct Topic {
    name: &'static str,
    /// Whether the trace has anything for it: the page shows no tab of it otherwise.
    has: fn(&Rank) -> bool,
    /// The report as JSON; nothing if the trace has nothing for it.
    report: fn(&Rank, &Ask) -> Option<Vec<u8>>,
}

/// All topics.
const TOPICS: [Topic; 6] = [
    Topic {
        name: "selection",
        has: |rank| rank.trace.has_events(),
        report: |rank, ask| Some(json(&Selection::of(rank, ask.step, ask.operators()))),
    },
    Topic {
        name: "why_idle",
        has: |rank| !rank.trace.activities.is_empty(),
        report: |rank, _| WhyIdle::of(rank).map(|report| json(&report)),
    },
    Topic { name: "data", has: has_data, report: |rank, _| DataReport::of(rank).map(|report| json(&report)) },
    Topic {
        name: "resources",
        has: |rank| has_resources(&rank.trace),
        report: |rank, ask| Some(json(&ResourcesReport::with_points(rank, ask))),
    },
    Topic {
        name: "critical_path",
        has: |rank| !rank.analysis.steps.steps.is_empty(),
        report: |rank, ask| {
            let changes: Vec<Change> = ask.what_if.iter().filter_map(|text| Change::named(text)).collect();
            let ask = CriticalAsk { paths: true, step: ask.step, changes: &changes };
            (!rank.analysis.steps.steps.is_empty()).then(|| json(&CriticalReport::of(rank, ask)))
        },
    },
    Topic {
        name: "advice",
        has: |rank| !rank.analysis.steps.steps.is_empty() || !rank.analysis.mindspore.is_empty(),
        report: |rank, ask| Some(json(&AdviceReport::of(rank, &ask.advice()))),
    },
];

/// The report of that name, as JSON; nothing if there is none, or if the trace has nothing for it.
#[must_use]
pub fn topic(rank: &Rank, name: &str, ask: &Ask) -> Option<Vec<u8>> {
    let topic = TOPICS.iter().find(|topic| topic.name == name)?;
    (topic.report)(rank, ask)
}

/// The names of what can be asked of a rank.
pub(super) fn topics_of(rank: &Rank) -> Vec<&'static str> {
    TOPICS.iter().filter(|topic| (topic.has)(rank)).map(|topic| topic.name).collect()
}
