//! A file of thresholds: JSON, `{"dataloader": 0.1, "long_gaps.share": 0.02}`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use stepscope::analyze::{AdviceConfig, RULES, RuleSet};

use crate::result::Result;

/// The rules of a set, with the thresholds of a file.
pub(crate) fn read(set: RuleSet, file: Option<&Path>) -> Result<AdviceConfig> {
    let mut config = AdviceConfig::of(set);
    let Some(path) = file else { return Ok(config) };
    let place = path.display();
    let text = fs::read_to_string(path).map_err(|error| format!("{place}: {error}"))?;
    let values: BTreeMap<String, f64> =
        serde_json::from_str(&text).map_err(|error| format!("{place}: expected {{\"rule\": number, …}}: {error}"))?;
    for (name, value) in values {
        if !config.set_threshold(&name, value) {
            let names = RULES.iter().flat_map(|rule| rule.thresholds).map(|threshold| threshold.name);
            let known: Vec<&str> = names.collect();
            return Err(format!("{place}: no rule has a threshold `{name}`; there are {}", known.join(", ")));
        }
    }
    Ok(config)
}
