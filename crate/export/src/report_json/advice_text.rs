//! English texts of rules, from the page's messages (`build.rs`).

// `RULES`: wording, title and fix. `REASONS`, `EXEMPTIONS`, `LACKS`: texts by name.
include!(concat!(env!("OUT_DIR"), "/advice_text.rs"));

/// The title and the fix of a rule; empty for an unknown rule.
#[must_use]
pub fn words(rule: &str) -> (&'static str, &'static str) {
    RULES.iter().find(|(id, ..)| *id == rule).map_or(("", ""), |(_, title, text)| (title, text))
}

/// The text of a reason why a rule could not be judged, by its name.
#[must_use]
pub fn reason(name: &str) -> &'static str {
    REASONS.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text)
}

/// The text of an exemption, by its name: why a rule passes although its value is reached.
#[must_use]
pub fn exemption(name: &str) -> &'static str {
    EXEMPTIONS.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text)
}

/// The text for data that a trace lacks for the verdict that nothing is to be done, by its name.
#[must_use]
pub fn lack(name: &str) -> &'static str {
    LACKS.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text)
}

/// The total that a rule's value is a share of, to follow the value, by rule or wording; none if it is not a share. `window` is
/// the name of the steps: see [`BudgetWhole`](stepscope_analyze::BudgetWhole).
#[must_use]
pub fn whole(rule: &str, window: &str) -> Option<String> {
    WHOLES.iter().find(|(id, _)| *id == rule).map(|(_, whole)| whole.replace("{window}", window))
}

const WHOLES: [(&str, &str); 43] = [
    ("dataloader", "of the {window} idle in data loading"),
    ("dataloader.host", "of the {window} in data loading"),
    ("dataloader.tf_data", "of the {window} in data loading"),
    ("dataloader.tf_data_ahead", "of the {window} in data loading"),
    ("communication_backend", "of the {window}"),
    ("exposed_communication", "of the {window}"),
    ("low_utilization", "of the time in kernels"),
    ("tensor_cores", "of the compute kernels' time"),
    ("memory_full", "of the device's memory reserved"),
    ("memory_unused", "of the device's memory allocated"),
    ("launch_bound", "of the idle time"),
    ("short_kernels", "of the launches"),
    ("host_bound", "of the critical path"),
    ("synchronization", "of the {window}"),
    ("pageable_copies", "of the {window}"),
    ("synchronous_copies", "of the {window}"),
    ("slow_calls", "of the {window}"),
    ("exposed_copies", "of the {window}"),
    ("data_processing", "of the steps"),
    ("get_next", "of the {window}"),
    ("pipeline_bottleneck", "of the capacity more in the input queue"),
    ("empty_source", "of its queue's capacity"),
    ("processor_busy", "of the processors"),
    ("processor_few_threads", "of the processors"),
    ("processor_many_threads", "of the processors"),
    ("format_conversion", "of the computing kernels' time"),
    ("slow_unit", "of the operators' time"),
    ("slow_operator", "of the device's busy time"),
    ("small_collectives", "of the bytes"),
    ("slow_rank", "worse than usual"),
    ("slow_link", "slower than usual"),
    ("unbalanced_stage", "more computing than usual"),
    ("unbalanced_stage.operations", "more operations than the mean stage"),
    ("low_utilization.nvprof", "of the longest call or activity"),
    ("synchronous_copies.nvprof", "of the copies between host and device"),
    ("exposed_copies.nvprof", "of the activities' time"),
    ("tensor_cores.ascend", "of the AI Cores' time"),
    ("at_the_peak", "of the device's peak"),
    ("tensorboard_dataloader", "of the {window}"),
    ("tensorboard_communication", "of the {window}"),
    ("tensorboard_utilization", "of the time in kernels"),
    ("tensorboard_tensor_cores", "of the launched kernels' time"),
    ("tensorboard_memory", "of the device's memory"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{exemption, lack, reason, whole, words};
    use stepscope_analyze::{AdviceUnit, Exemption, Missing, NotApplicable, RULES};

    #[test]
    fn every_share_says_of_what() {
        for rule in &RULES {
            let is_share = rule.thresholds.first().is_some_and(|first| first.unit == AdviceUnit::Share);
            assert_eq!(whole(rule.id, "step").is_some(), is_share, "{}", rule.id);
        }
    }

    #[test]
    fn every_rule_has_its_texts() {
        let english: BTreeMap<String, String> =
            serde_json::from_str(include_str!("../page/en.json")).expect("messages");
        let has = |key: &[&str]| assert!(english.get(&key.concat()).is_some_and(|text| !text.is_empty()), "{key:?}");
        for rule in &RULES {
            let (title, text) = words(rule.id);
            assert!(!title.is_empty() && !text.is_empty(), "{}", rule.id);
            has(&["advice.", rule.id, ".why"]);
            for threshold in &rule.thresholds[1..] {
                has(&["advice.limit.", threshold.name]);
            }
        }
        for (id, title, text) in super::RULES {
            // As JSON reads them.
            assert_eq!(english[&["advice.", id, ".title"].concat()], title);
            assert_eq!(english[&["advice.", id].concat()], text);
            // Wordings of a rule are judged alike, unless they say otherwise.
            let of_rule = RULES.iter().find(|rule| id.starts_with(rule.id)).expect("a rule of this wording");
            let why = |id: &str| english.get(&["advice.", id, ".why"].concat());
            assert!(id == of_rule.id || why(id) != why(of_rule.id), "{id} repeats how {} is judged", of_rule.id);
        }
        let reasons = NotApplicable::ALL.map(|why| (why.name(), reason(why.name())));
        let lacks = Missing::ALL.map(|what| (what.name(), lack(what.name())));
        let exemptions = Exemption::ALL.map(|why| (why.name(), exemption(why.name())));
        for (name, text) in reasons.into_iter().chain(lacks).chain(exemptions) {
            assert!(!text.is_empty(), "{name}");
        }
    }
}
