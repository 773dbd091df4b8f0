//! `stepscope summary` of a folder of ranks.

use std::fs;
use std::path::Path;

use serde_json::Value;
use stepscope_tests::generator::{Fault, JobSpec, Tells};

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
    for part in [
        "8 of 8 ranks",
        "data parallel 8",
        "shared clock",
        "Stragglers",
        "rank 5",
        "compute",
        "beyond spread",
        "Collectives",
    ] {
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

#[test]
fn the_walk_leads_from_the_job_to_the_cause() {
    let folder = folder("job_walk");
    written(&folder, &JobSpec { faults: vec![Fault::Stage(2, 60)], ..JobSpec::three_dimensional(5) });
    let text = summary(&folder, &["--by", "walk"]);
    let mut rest = text.as_str();
    for part in ["! the job", "! pipeline parallel (described)", "compute of stages", "! stage 2", "more to do", "gain"]
    {
        let at = rest.find(part).unwrap_or_else(|| panic!("{part} is missing in {text}"));
        rest = &rest[at + part.len()..];
    }
    let json: Value = serde_json::from_str(&summary(&folder, &["--json"])).expect("JSON");
    let mut steps = json["job"]["walk"].as_array().expect("steps").iter().filter(|step| step["off"] == true);
    let kinds: Vec<&Value> = steps.clone().map(|step| &step["step"]).collect();
    assert_eq!(kinds, ["entry", "parallel", "metric", "place", "cause"]);
    let (last, gain) = (steps.next_back().expect("a cause"), &json["stragglers"][0]["gain_ns_per_step"]);
    assert_eq!((&last["name"], &last["look"]), (&"stage".into(), &"kernels".into()));
    assert_eq!(last["numbers"]["gain"]["value"].as_f64(), gain.as_f64());
}

#[test]
fn a_person_says_how_the_model_is_spread() {
    let folder = folder("job_parallel");
    written(&folder, &JobSpec { parallel: [2, 2, 1], tells: Tells::NoPurpose, ..JobSpec::data_parallel(6) });
    let spread = |grid: &str| {
        let json: Value = serde_json::from_str(&summary(&folder, &["--json", "--parallel", grid])).expect("JSON");
        let kinds = json["job"]["parallel"].as_array().expect("kinds").clone();
        kinds.iter().map(|one| format!("{}={}", one["kind"].as_str().expect("a kind"), one["size"])).collect::<Vec<_>>()
    };
    assert_eq!(spread("dp=2,tp=2"), ["data=2", "tensor=2"]);
    assert_eq!(spread("dp=2,ep=2"), ["data=2", "expert=2"]);
    assert!(summary(&folder, &["--by", "walk", "--parallel", "dp=2,cp=2"]).contains("sequence parallel (given)"));
    let refused = |grid: &str, code| {
        let mut command = program();
        command.arg("summary").arg(&folder).args(["--by", "job", "--parallel", grid]);
        Printed::of(&mut command).failure(code)
    };
    assert!(refused("dp=8", 1).contains("--parallel tells of 8 ranks, the traces of 4"));
    assert!(
        refused("dp=2,xp=2", 2).contains("`xp=2`: it is none of pp, dp, ep, cp and tp; for example pp=2,dp=4,tp=2")
    );
}

/// The kernels that communicate, of ranks whose clocks are 7 ms apart from one to the next, end together.
#[test]
fn chosen_ranks_are_merged_on_one_clock() {
    let folder = folder("job_export");
    written(&folder, &JobSpec { clock_offset: 7_000_000, ..JobSpec::data_parallel(7) });
    let output = folder.join("merged/two.json");
    fs::create_dir_all(folder.join("merged")).expect("a folder");
    let mut command = program();
    command.arg("export").arg(&folder).args(["--merge", "--ranks", "0,3", "-o"]).arg(&output);
    assert_eq!(Printed::of(&mut command).code, Some(0));
    let merged: Value = serde_json::from_slice(&fs::read(&output).expect("a file")).expect("JSON");
    let events = merged["traceEvents"].as_array().expect("events").iter();
    let sums = events
        .filter(|event| event["ph"] == "X" && event["name"].as_str().is_some_and(|name| name.starts_with("ncclDev")));
    let end = |event: &Value| event["ts"].as_f64().expect("a time") + event["dur"].as_f64().expect("a length");
    let mut ends: Vec<f64> = sums.map(end).collect();
    ends.sort_by(f64::total_cmp);
    assert_eq!(ends.len(), 2 * 12 * 6);
    assert!(ends.chunks(2).all(|pair| pair[1] - pair[0] < 5.0), "{ends:?}");
}
