//! The TensorBoard plugin's recommendations, compared with the verdicts of our rules of the same names.

use std::fs;
use std::path::Path;

use serde_json::Value;
use stepscope::Rank;
use stepscope::analyze::{AdviceConfig, RuleSet, advice};

use super::comparison::Comparison;

/// Words that identify each of the plugin's sentences, and our rule.
const SENTENCES: [(&str, &str); 7] = [
    ("tensorboard_dataloader", "input data loading"),
    ("tensorboard_data_parallel", "instead of DataParallel"),
    ("tensorboard_backend", "Nccl backend"),
    ("tensorboard_communication", "high time cost on communication"),
    ("tensorboard_utilization", "low utilization"),
    ("tensorboard_tensor_cores", "Tensor Cores eligible"),
    ("tensorboard_memory", "limit of device memory"),
];

/// Each rule's verdict, and the percentage in the plugin's sentence, if it has one.
pub(crate) fn tensorboard(rank: &Rank, trace: &str, reference: &Path, found: &mut Vec<Comparison>) {
    let text = fs::read(reference.join("tensorboard/overview.json")).expect("an overview");
    let overview: Value = serde_json::from_slice(&text).expect("JSON");
    let sentences = overview["recommendations"].as_str().expect("recommendations");
    let sentences: Vec<&str> =
        sentences.split("<li>").skip(1).filter(|sentence| !sentence.starts_with("N/A")).collect();
    let judged = advice(&rank.trace, &rank.analysis, &AdviceConfig::of(RuleSet::TensorBoard));
    assert_eq!(judged.len(), SENTENCES.len());
    let mut known = 0;
    for (rule, words) in SENTENCES {
        let sentence = sentences.iter().find(|sentence| sentence.contains(words));
        known += usize::from(sentence.is_some());
        let ours = judged.iter().find(|one| one.rule.id == rule).expect("the rule");
        let verdict = |holds: bool| if holds { 1.0 } else { 0.0 };
        let (expected, holds) = (verdict(sentence.is_some()), verdict(ours.holds));
        found.push(Comparison::close("tensorboard advice", trace, rule, expected, holds, 0.0));
        let Some((number, _)) = sentence.and_then(|sentence| sentence.split_once('%')) else { continue };
        let digits = number.rsplit(|character: char| !character.is_ascii_digit() && character != '.').next();
        let expected: f64 = digits.unwrap_or_default().parse().expect("a percentage");
        let decimals = digits.and_then(|digits| digits.split_once('.')).map_or(0, |(_, decimals)| decimals.len());
        let tolerance = 0.500_1 / 10_f64.powi(i32::try_from(decimals).expect("few decimals"));
        let value = ours.measured.as_ref().map_or(f64::NAN, |measured| measured.value * 100.0);
        let key = format!("{rule} percentage");
        found.push(Comparison::close("tensorboard advice", trace, key, expected, value, tolerance));
    }
    assert_eq!(known, sentences.len(), "{trace}: {sentences:?}");
}
