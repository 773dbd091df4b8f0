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
        "longer kernels",
        "beyond spread",
        "Collectives",
    ] {
        assert!(tables.contains(part), "{part} is missing in {tables}");
    }
    for table in ["job", "budget"] {
        let text = summary(&folder, &["--by", table]);
        assert!(
            text.contains("is lost to rank 5 being late") && text.contains("mean of 8 of 8 ranks"),
            "{table}: {text}"
        );
    }
    let first = summary(&folder, &[]);
    assert!(first.contains("1 straggler found") && first.contains("rank 5 (longer kernels)"), "{first}");
    // The job's largest cause is the straggler's effect on the others.
    let (sentences, _) = first.split_once("\n\n").expect("a first line");
    assert!(sentences.contains("is lost to rank 5 being late"), "{first}");
    assert!(first.lines().count() <= 24, "{first}");

    let json: Value = serde_json::from_str(&summary(&folder, &["--json"])).expect("JSON");
    let [slow] = json["stragglers"].as_array().expect("a list").as_slice() else { panic!("{}", json["stragglers"]) };
    assert_eq!(
        (&slow["place"], &slow["ranks"], &slow["cause"]),
        (&"rank".into(), &vec![5].into(), &"longer_kernels".into())
    );
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

/// Rules that compare ranks come first; a rule for many ranks is printed once, with the worst one's gain and each rank
/// on a line.
#[test]
fn advice_on_many_ranks_is_told_once() {
    let folder = folder("job_advice");
    let spec = JobSpec { faults: vec![Fault::Compute(5, 60)], steps: 4, ..JobSpec::data_parallel(31) };
    written(&folder, &JobSpec { bytes: [1_000, 400_000, 400_000], ..spec });
    let text = summary(&folder, &["--by", "advice"]);
    let first = text.lines().nth(1).expect("advice");
    assert!(first.contains("(slow_rank)"), "{text}");
    assert_eq!(text.matches("(small_collectives) ·").count(), 1, "{text}");
    let (_, small) = text.split_once("(small_collectives)").expect("the rule");
    let small = small.split_once(".\n").map_or(small, |(card, _)| card).replace("\n  ", " ");
    for part in ["per step", " on rank ", " in the median", "7 of 8 ranks"] {
        assert!(small.contains(part), "{part} is missing in {small}");
    }
    let beside = |rank: u64| text.contains(&format!("    rank {rank} · "));
    assert_eq!((0..8).filter(|rank| beside(*rank)).count(), 6, "each of the others: {text}");
    assert!(summary(&folder, &["--top", "1"]).contains("of several ranks the worst's)"));
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
    let text = summary(&folder, &["--by", "drill-down"]);
    let mut rest = text.as_str();
    for part in ["! the job", "! pipeline parallel (described)", "compute of stages", "! stage 2", "more to do", "gain"]
    {
        let at = rest.find(part).unwrap_or_else(|| panic!("{part} is missing in {text}"));
        rest = &rest[at + part.len()..];
    }
    let json: Value = serde_json::from_str(&summary(&folder, &["--json"])).expect("JSON");
    // Limits of their own lead to no cause: communication that is not hidden, waiting for the stage, its time.
    let alone = ["exposed_without_receiving", "exposed_in_stage", "receive_alone", "stage_time", "tensor", "data"];
    let is_such = |step: &&Value| step["off"] == true && !alone.iter().any(|name| step["name"] == *name);
    let mut steps = json["job"]["drill_down"].as_array().expect("steps").iter().filter(is_such);
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
    assert!(summary(&folder, &["--by", "drill-down", "--parallel", "dp=2,cp=2"]).contains("sequence parallel (given)"));
    let refused = |grid: &str, code| {
        let mut command = program();
        command.arg("summary").arg(&folder).args(["--by", "job", "--parallel", grid]);
        Printed::of(&mut command).failure(code)
    };
    assert!(refused("dp=8", 1).contains("--parallel has 8 ranks, the traces have 4"));
    assert!(
        refused("dp=2,xp=2", 2).contains("`xp=2`: it is not one of pp, dp, ep, cp and tp; for example pp=2,dp=4,tp=2")
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

/// Ranks without a common collective are aligned through those that are not chosen; the last one's profiler began
/// later.
#[test]
fn chosen_ranks_are_on_the_clock_of_all() {
    let folder = folder("job_export_apart");
    let spec = JobSpec { base: false, recorded: Some((15, 2, 4)), steps: 4, ..JobSpec::three_dimensional(7) };
    written(&folder, &spec);
    let output = folder.join("merged/two.json");
    fs::create_dir_all(folder.join("merged")).expect("a folder");
    let mut command = program();
    command.arg("export").arg(&folder).args(["--merge", "--ranks", "0,15", "-o"]).arg(&output);
    assert_eq!(Printed::of(&mut command).code, Some(0));
    let merged: Value = serde_json::from_slice(&fs::read(&output).expect("a file")).expect("JSON");
    let events = merged["traceEvents"].as_array().expect("events").iter();
    let third = events
        .filter(|event| event["ph"] == "X" && event["name"] == "ProfilerStep#3" && event["cat"] == "user_annotation");
    let starts: Vec<f64> = third.map(|event| event["ts"].as_f64().expect("a time")).collect();
    // Each begins a step when it is done with the one before, which takes some 40 ms.
    let [one, other] = starts[..] else { panic!("{starts:?}") };
    assert!((one - other).abs() < 20_000.0, "{starts:?}");
}

/// Every column of the page's tables with a value for some rank.
#[test]
fn the_text_has_the_columns_of_the_page() {
    let folder = folder("job_columns");
    let spec = JobSpec { faults: vec![Fault::Compute(5, 25)], ..JobSpec::three_dimensional(5) };
    for (rank, text) in spec.traces().into_iter().enumerate() {
        assert_eq!(text[0], b'{');
        let host = format!("{{\"host_name\": \"node{}\",", rank % 2);
        fs::write(folder.join(format!("rank{rank}.json")), [host.as_bytes(), &text[1..]].concat()).expect("a file");
    }
    let text = summary(&folder, &["--by", "job"]);
    let tables: Vec<&str> = text.split("\n\n").collect();
    let of = |title: &str| {
        let at = tables.iter().position(|table| table.starts_with(title)).unwrap_or_else(|| panic!("{title}: {text}"));
        // A wide table is continued below itself.
        let next = |table: &&&str| {
            table.starts_with(tables[at].lines().nth(1).and_then(|head| head.split(' ').next()).unwrap_or("-"))
        };
        let rest: Vec<&str> = tables[at + 1..].iter().take_while(next).copied().collect();
        [tables[at], &rest.join("\n")].join("\n")
    };
    let columns: [(&str, &[&str]); 6] = [
        ("Stragglers", &["device", "data", "host", "collectives", "gain"]),
        (
            "Ranks of the job",
            &[
                "host",
                "steps",
                "own",
                "stage",
                "receive",
                "last in",
                "clock",
                "marked",
                "(beyond spread)",
                "device",
                "node1",
            ],
        ),
        ("Stages", &["ranks", "receive"]),
        ("Process groups", &["parallel", "size", "ranks", "data parallel", "described", "pipeline parallel"]),
        ("Collectives", &["size", "matched", "skew"]),
        ("Links between ranks", &["from", "hosts", "rate"]),
    ];
    for (title, heads) in columns {
        let table = of(title);
        for head in heads {
            assert!(table.contains(head), "{head} is missing in {table}");
        }
    }
    assert!(!of("Ranks of the job").contains("FLOP"), "nothing tells it");
}

/// Two ranks of a stage each, of four steps; the profiler's average has other steps in it.
fn mindspore_tables(folder: &Path) {
    for rank in 0..4_i64 {
        let slow = i64::from(rank > 1);
        let mut steps =
            "step_num,start_point,end_point,total,fp_point,bp_point,iteration_interval,fp_and_bp,tail\n".to_owned();
        let mut times =
            "computation_time,communication_alone_time,stage_time,receive_alone_time,collective_communication_alone_time\n"
                .to_owned();
        for step in 1..=4_i64 {
            // In units of 10 ns.
            let start = step * 1_000_000;
            steps += &format!(
                "{step},{start},{},1000000,{},{},100000,800000,100000\n",
                start + 1_000_000,
                start + 100_000,
                start + 900_000
            );
            let first = if step == 1 { 50.0 } else { 0.0 };
            times += &format!("{}.0,{},5.5,{},0.5\n", 3 + 2 * slow, first + 2.0, first + 1.5);
        }
        steps += "-,1000000,2000000,1000000,1100000,1900000,100000,800000,100000\n";
        times += &format!("{}.0,14.5,5.5,14.0,0.5\n", 3 + 2 * slow);
        let write = |name: String, text: &str| fs::write(folder.join(name), text).expect("a file");
        write(format!("step_trace_raw_{rank}_detail_time.csv"), &steps);
        write(format!("ascend_cluster_analyse_pipeline-parallel_2_4_{rank}.csv"), &times);
        write(
            format!("flops_summary_{rank}.json"),
            "{\"FLOPs\": 1000.5, \"FLOPS\": 50.25, \"FLOPS_Utilization\": 1.5}",
        );
    }
}

#[test]
fn the_memory_that_graphs_plan_to_use_is_compared() {
    let folder = folder("job_planned");
    mindspore_tables(&folder);
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("a file");
    write("memory_usage_summary_0.json", r#"{"capacity": 32, "peak_mem": 1.5, "static_mem": 0.5}"#);
    // Without the profiler's summary: the larger of two graphs, which run one after the other.
    let graph = |lines: &str| {
        format!(
            r#"{{"static_mem": 0.25, "fp_start": 0, "bp_end": 1, "lines": [{lines}], "nodes": [], "breakdowns": []}}"#
        )
    };
    let details = format!(r#"{{"0": {}, "1": {}}}"#, graph("0.5, 2.25, 1"), graph("3.5, 0.5"));
    write("memory_usage_details_1.json", &details);
    let json: Value = serde_json::from_str(&summary(&folder, &["--json"])).expect("JSON");
    let planned: Vec<Option<u64>> =
        (0..4).map(|rank| json["job"]["ranks"][rank]["planned_peak_bytes"].as_u64()).collect();
    assert_eq!(planned, [Some(3 << 29), Some(7 << 29), None, None]);
    let table = summary(&folder, &["--by", "job"]);
    assert!(table.contains("planned") && table.contains("1.50 GiB") && table.contains("3.50 GiB"), "{table}");
}

#[test]
fn what_a_profiler_summed_up_is_shown_as_such_and_nothing_as_zero() {
    let folder = folder("job_tables");
    mindspore_tables(&folder);
    let json: Value = serde_json::from_str(&summary(&folder, &["--json"])).expect("JSON");
    let row = &json["job"]["ranks"][3];
    assert_eq!((&row["source"], &row["stage"]), (&"tables".into(), &1.into()));
    for key in ["own_ns", "communication_ns", "exposed_memcpy_ns", "idle_ns", "memory_peak_bytes"] {
        assert_eq!(row[key], Value::Null, "{key}");
    }
    // From the steps that count: not the first, nor the average that includes it.
    let of = |key: &str| row[key].as_i64().expect("a number");
    let counted = json["ranks"][3]["steps"].as_array().expect("steps").iter().filter(|step| step["counted"] == true);
    let names: Vec<&Value> = counted.map(|step| &step["name"]).collect();
    let wait = if names.contains(&&"1".into()) { (50_000_000 + 4 * 2_000_000) / 4 } else { 2_000_000 };
    assert_eq!([of("compute_ns"), of("exposed_communication_ns"), of("stage_ns")], [5_000_000, wait, 5_500_000]);
    assert_eq!((of("flops"), row["flops_per_second"].as_f64()), (1_000_500_000, Some(50.25e9)));
    assert_eq!(json["cluster"]["rows"][3]["communication_alone_ns"], 14_500_000);
    assert_eq!(json["job"]["parallel"][0], serde_json::json!({"kind": "pipeline", "size": 2, "source": "strategy"}));
    assert_eq!(json["job"]["gain_ns_per_step"], Value::Null);

    let text = summary(&folder, &["--by", "job"]);
    for part in
        ["stage 0: ranks 0, 1 · stage 1: ranks 2, 3", "from its profiler's tables", "as the profiler has it", "+25.0 %"]
    {
        assert!(text.contains(part), "{part} is missing in {text}");
    }
    assert!(!text.contains("0 ns"), "{text}");
    let walk = summary(&folder, &["--by", "drill-down"]).replace("\n  ", " ");
    assert!(walk.contains("ranks with their profiler's tables alone 4"), "{walk}");
    assert!(!walk.contains("idle") && !walk.contains("kernels"), "{walk}");

    // These tables are shown, too, if there is nothing else.
    for rank in 0..4 {
        fs::remove_file(folder.join(format!("step_trace_raw_{rank}_detail_time.csv"))).expect("a file");
    }
    let first = summary(&folder, &[]);
    assert!(first.contains("no timeline: 2 of the profiler's own tables") && !first.contains("device busy"), "{first}");
    let text = summary(&folder, &["--by", "job"]);
    assert!(text.contains("as the profiler has it") && !text.contains("several ranks with events"), "{text}");
}

/// The budget of a rank says how much of its exposed communication waits for others, by their traces: all of them, or
/// those that are there.
#[test]
fn the_ranks_of_a_job_know_what_they_wait_for() {
    let folder = folder("job_waits");
    let spec = JobSpec { faults: vec![Fault::Compute(5, 60)], ..JobSpec::data_parallel(3) };
    written(&folder, &spec);
    let ranks = || -> Vec<Value> {
        let json: Value = serde_json::from_str(&summary(&folder, &["--json"])).expect("JSON");
        json["ranks"].as_array().cloned().unwrap_or_default()
    };
    let cause = |rank: &Value| {
        let causes = rank["causes"].as_array().cloned().unwrap_or_default();
        causes.into_iter().find(|cause| cause["cause"] == "communication").expect("communication")
    };
    let all = ranks();
    let (split, waits) = (&all[0]["budget"]["in_job"], cause(&all[0]));
    let [waiting, transfer] = ["waiting_ns", "transfer_ns"].map(|key| split[key].as_i64().expect("a time"));
    assert!(waiting > transfer && waiting + transfer <= waits["mean_ns"].as_i64().expect("a time"), "{split}");
    let said = waits["split"].as_str().expect("a sentence");
    assert!(said.contains(" transfer.") && said.ends_with("Stragglers: rank 5."), "{said}");
    // The late rank hardly waits, and is not told of itself.
    let own = all.iter().find(|rank| rank["rank"] == 5).expect("the rank");
    assert_eq!(cause(own)["wording"], "communication_transfer");
    assert!(!own.to_string().contains("Stragglers: "), "{}", cause(own)["split"]);
    let text = summary(&folder, &["--by", "budget"]).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains(said), "the program prints it: {text}");
    // Where ranks are missing, the rest may be waiting for these.
    for rank in [1, 2, 3] {
        fs::remove_file(folder.join(format!("rank{rank}.json"))).expect("a file");
    }
    let some = ranks();
    assert_eq!(some[0]["budget"]["in_job"]["transfer_ns"], Value::Null);
    assert!(cause(&some[0])["split"].as_str().is_some_and(|said| said.contains("at least")), "{}", cause(&some[0]));
}
