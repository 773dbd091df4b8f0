//! English texts of rules and of jobs, from the page's messages (`build.rs`).

use std::borrow::Cow;

use stepscope_present::messages::message;
use stepscope_table::messages::Language;

// `RULES`: wording, title and fix. `WHOLES`: texts of shares by wording. `REASONS`, `EXEMPTIONS`, `LACKS`: texts by name.
// `OF_JOB`: texts by key.
include!(concat!(env!("OUT_DIR"), "/page_text.rs"));

/// The title and the fix of a rule; empty for an unknown rule. `{ask}` stands for the sentence about what to record of
/// MindSpore's host.
#[must_use]
pub fn words(rule: &str) -> (&'static str, Cow<'static, str>) {
    let (title, text) = RULES.iter().find(|(id, ..)| *id == rule).map_or(("", ""), |(_, title, text)| (title, text));
    if !text.contains("{ask}") {
        return (title, Cow::Borrowed(text));
    }
    (title, Cow::Owned(text.replace("{ask}", message(Language::English, "budget.ask.host_of_mindspore"))))
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

/// A rule's value with the total that it is a share of, by rule or wording; none if it is not a share. `window` is the
/// name of the steps: see [`BudgetWhole`](stepscope_analyze::BudgetWhole).
#[must_use]
pub fn share_text(rule: &str, share: &str, window: &str) -> Option<String> {
    let (_, text) = WHOLES.iter().find(|(id, _)| *id == rule)?;
    Some(text.replace("{window}", window).replace("{share}", share))
}

/// A text on a job by its key: of a warning, of a fault of a given layout, of the drill-down; the key if there is none.
#[must_use]
pub fn job_text(key: &str) -> &str {
    OF_JOB.iter().find(|(known, _)| *known == key).map_or(key, |(_, text)| text)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{exemption, job_text, lack, reason, share_text, words};
    use stepscope_analyze::{AdviceUnit, Exemption, GridFault, JobCode, Missing, NotApplicable, RULES, StragglerCause};

    #[test]
    fn every_share_says_of_what() {
        for rule in &RULES {
            let is_share = rule.thresholds.first().is_some_and(|first| first.unit == AdviceUnit::Share);
            assert_eq!(
                share_text(rule.id, "3 %", "step").is_some_and(|text| text.contains("3 %")),
                is_share,
                "{}",
                rule.id
            );
        }
    }

    #[test]
    fn every_warning_and_cause_of_a_job_has_its_text() {
        let warnings = JobCode::ALL.map(|code| ["ranks.warning.", code.name()].concat());
        let faults = GridFault::ALL.map(|fault| ["ranks.given.", fault.name()].concat());
        let causes = StragglerCause::ALL.map(|cause| ["ranks.cause.", cause.name()].concat());
        for key in warnings.into_iter().chain(faults).chain(causes) {
            assert_ne!(job_text(&key), key);
        }
    }

    #[test]
    fn what_to_record_of_a_host_is_said_once() {
        let (_, fix) = words("long_gaps.no_host.mindspore");
        assert!(fix.contains("in these pauses. Record the queues of data (MindSpore: data_process=True)"), "{fix}");
        assert!(super::RULES.iter().all(|(id, ..)| !words(id).1.contains('{')));
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
