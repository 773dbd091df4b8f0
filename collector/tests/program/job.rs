//! `stepscope summary` of a folder of ranks.

use std::fs;
use std::path::Path;

use serde_json::Value;
use stepscope_tests::generator::{Fault, JobSpec};

use crate::support::{Printed, folder, program};

fn written(folder: &Path, spec: &JobSpec) {
    for (rank, text) in spec.traces().into_iter().enumerate() {
        fs::write(folder.join(format!("rank{rank}.json")), text).expect("a file");
    }
}

fn summary(folder: &Path, arguments: &[&str]) -> String {
    let mut command = program();
    command.arg("summary").arg(folder).args(arguments);
    Printed::of(&mut command).success()
}

#[test]
fn a_slow_rank_is_named_with_its_cause_and_gain() {
    let folder = folder("job_slow");
    let spec = JobSpec { faults: vec![Fault::Compute(5, 25)], ..JobSpec::data_parallel(3) };
    written(&folder, &spec);

    let tables = summary(&folder, &["--by", "job"]);
    for part in
        ["8 of 8 ranks", "data parallel 8", "shared clock", "Stragglers", "rank 5", "compute", "dixon", "Collectives"]
    {
        assert!(tables.contains(part), "{part} is missing in {tables}");
    }
    assert!(summary(&folder, &["--top", "2"]).contains("Stragglers"), "the default output has them, too");

    let json: Value = serde_json::from_str(&summary(&folder, &["--json"])).expect("JSON");
    let [slow] = json["stragglers"].as_array().expect("a list").as_slice() else { panic!("{}", json["stragglers"]) };
    assert_eq!((&slow["place"], &slow["ranks"], &slow["cause"]), (&"rank".into(), &vec![5].into(), &"compute".into()));
    let gain = slow["gain_ns_per_step"].as_i64().expect("a gain");
    assert!((gain - spec.gain()).abs() * 10 < spec.gain(), "{gain} of {}", spec.gain());
    assert_eq!(json["job"]["gain_ns_per_step"], slow["gain_ns_per_step"]);
    let rows = json["collectives"].as_array().expect("rows");
    for row in rows {
        let time = |key: &str| row[key].as_i64().expect("a time");
        assert_eq!(time("total_ns"), time("transfer_ns") + time("wait_ns"));
    }
    assert_eq!(json["job"]["ranks"].as_array().map(Vec::len), Some(8));
    let rule = json["advice"].as_array().expect("rules").iter().find(|rule| rule["rule"] == "slow_rank");
    let rule = rule.expect("the rule holds");
    assert_eq!((&rule["gain_ns_per_step"], &rule["evidence"][0]["name"]), (&gain.into(), &"rank 5".into()));
}

#[test]
fn a_healthy_job_has_no_stragglers_and_one_rank_is_no_job() {
    let folder = folder("job_healthy");
    written(&folder, &JobSpec { parallel: [4, 1, 1], ..JobSpec::data_parallel(4) });
    let json: Value = serde_json::from_str(&summary(&folder, &["--json"])).expect("JSON");
    assert_eq!(json["stragglers"], Value::Array(Vec::new()));
    let held = json["advice"].as_array().expect("rules").iter().map(|rule| &rule["rule"]);
    assert_eq!(
        held.filter(|rule| ["slow_rank", "slow_link", "unbalanced_stage"].map(Value::from).contains(rule)).count(),
        0
    );

    let one = folder.join("rank2.json");
    let json: Value = serde_json::from_str(&summary(&one, &["--json"])).expect("JSON");
    assert!(["job", "collectives", "stragglers"].iter().all(|key| json.get(key).is_none()));
    assert!(summary(&one, &["--by", "job"]).contains("several ranks"));
}
