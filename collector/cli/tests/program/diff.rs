//! `stepscope diff`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use stepscope::present::kernel_names::short_name;
use stepscope_tests::generator::{Difference, Fault, JobSpec, Program, ProgramSpec, Spec, Waits};

use crate::support::{Printed, folder, program};

/// A program's trace, and the one of the same program with a kernel three times as fast.
fn written(folder: &Path) -> [PathBuf; 2] {
    let spec = ProgramSpec {
        seed: 5,
        steps: 4,
        operators: 12,
        host: 2_000,
        kernel: 60_000,
        collective: 30_000,
        communicating: 20,
        data_wait: 50_000,
        waits: Waits::Device,
        backward_thread: true,
        tells_waits: true,
        shapes: false,
    };
    let program = Program::new(spec);
    let write = |name: &str, difference| {
        let path = folder.join(name);
        fs::write(&path, program.trace_of(difference)).expect("a file");
        path
    };
    [write("slow.json", Difference::Nothing), write("fast.json", Difference::Kernel(3.0))]
}

#[test]
fn what_became_faster_comes_first() {
    let folder = folder("diff");
    let [slow, fast] = written(&folder);
    let run = |arguments: &[&str]| {
        let mut command = program();
        command.arg("diff").arg(&slow).arg(&fast).args(arguments);
        Printed::of(&mut command)
    };
    let tables = run(&["--top", "3"]).success();
    for part in ["A  ", "slow.json", "B  ", "fast.json", "step: -", "by category", "by phase", "Operators", "Steps"] {
        assert!(tables.contains(part), "{part} is missing in {tables}");
    }
    let json: Value = serde_json::from_str(&run(&["--json"]).success()).expect("JSON");
    assert_eq!(json["schema"], "stepscope.diff/1");
    let first = &json["contributions"][0];
    assert_eq!((&first["name"], &first["category"]), (&Value::from(Program::KERNEL), &Value::from("kernel")));
    assert!(first["time"]["change_ns"].as_i64() < Some(0));
    let own = |side: &str| -> i64 {
        let rows = json["contributions"].as_array().expect("rows").iter();
        rows.map(|row| row["own_total_ns"][side].as_i64().expect("a time")).sum()
    };
    for side in ["a", "b"] {
        let steps = json["steps"].as_array().expect("steps").iter();
        let length: i64 = steps.filter_map(|pair| pair[side]["length_ns"].as_i64()).sum();
        assert_eq!(own(side), length);
    }
    // Each side's throughput is that of its summary.
    let rate = |file: &Path| {
        let text = Printed::of(program().args(["summary", "--json"]).arg(file)).success();
        let summary: Value = serde_json::from_str(&text).expect("JSON");
        summary["ranks"][0]["benchmark"]["ips"]["avg"].as_f64().expect("a rate")
    };
    let throughput = &json["throughput"];
    let [a, b] = [&slow, &fast].map(|file| rate(file));
    let found = ["a", "b"].map(|side| throughput["per_second"][side].as_f64().expect("a rate"));
    assert!((found[0] / a - 1.0).abs() < 1e-9 && (found[1] / b - 1.0).abs() < 1e-9, "{found:?}, {a}, {b}");
    assert_eq!(
        (&throughput["unit"], throughput["change"].as_f64()),
        (&Value::from("steps"), Some(found[1] / found[0] - 1.0))
    );
    assert!(tables.contains(" steps per second (+") && b > a, "{tables}");
    let only = run(&["--by", "contributions", "--top", "1"]).success();
    let kernel = short_name(Program::KERNEL);
    assert!(only.contains(kernel.as_ref()) && !only.contains("by category"), "{only}");
}

#[test]
fn modules_are_paired_by_their_paths() {
    let folder = folder("diff-modules");
    let write = |name: &str, seed| {
        let path = folder.join(name);
        fs::write(&path, Spec { python: true, ..Spec::small(seed) }.generate().0).expect("a file");
        path
    };
    let (a, b) = (write("a.json", 3), write("b.json", 4));
    let run = |arguments: &[&str]| {
        let mut command = program();
        command.arg("diff").arg(&a).arg(&b).args(arguments);
        Printed::of(&mut command).success()
    };
    let all = run(&[]);
    let table = run(&["--by", "modules"]);
    for part in ["Modules, per step, by path", "Net_0", "(outside of modules)"] {
        assert!(table.contains(part) && all.contains(part), "{part} is missing in {table}");
    }
    assert_eq!(run(&["--by", "module"]), table);
    let json: Value = serde_json::from_str(&run(&["--by", "modules", "--json"])).expect("JSON");
    let row = json["modules"].as_array().expect("rows").iter().find(|row| row["name"] == "Net_0").expect("a module");
    assert!(row["calls"]["a"].as_u64() > Some(0) && row["host_total"]["b_ns"].as_i64() > Some(0), "{row}");
    assert_eq!(json.get("operators"), None);
}

#[test]
fn a_rank_is_chosen_by_its_number() {
    let folder = folder("diff-ranks");
    for rank in [0, 3] {
        let (text, _) = Spec { rank, world_size: 4, ..Spec::small(rank) }.generate();
        fs::write(folder.join(format!("rank{rank}.json")), text).expect("a file");
    }
    let run = |arguments: &[&str]| {
        let mut command = program();
        command.arg("diff").args([&folder, &folder]).arg("--json").args(arguments);
        Printed::of(&mut command)
    };
    let ranks = |arguments: &[&str]| {
        let json: Value = serde_json::from_str(&run(arguments).success()).expect("JSON");
        [json["a"]["rank"].clone(), json["b"]["rank"].clone()]
    };
    assert_eq!(ranks(&[]), [0, 0]);
    assert_eq!(ranks(&["--rank-a", "3"]), [3, 3]);
    assert_eq!(ranks(&["--rank-b", "3"]), [0, 3]);
    let refused = run(&["--rank-a", "2"]).failure(1);
    assert!(refused.contains("it has no rank 2, only 0, 3"));
}

/// The ranks of a job, in a folder of its own.
fn job_in(folder: &Path, name: &str, faults: Vec<Fault>) -> PathBuf {
    let path = folder.join(name);
    fs::create_dir_all(&path).expect("a folder");
    let spec = JobSpec { faults, ..JobSpec::data_parallel(3) };
    for (rank, text) in spec.traces().into_iter().enumerate() {
        fs::write(path.join(format!("rank{rank}.json")), text).expect("a file");
    }
    path
}

#[test]
fn two_jobs_are_compared_as_jobs() {
    let folder = folder("diff-jobs");
    let late = job_in(&folder, "late", vec![Fault::Compute(5, 60)]);
    let healthy = job_in(&folder, "healthy", Vec::new());
    let run = |arguments: &[&str]| {
        let mut command = program();
        command.arg("diff").arg(&late).arg(&healthy).args(arguments);
        Printed::of(&mut command)
    };
    let text = run(&[]).success();
    for part in
        ["8 ranks", "step of the job: -", "rank 5 being late", "as predicted", "One rank of each", "Ranks: mean step"]
    {
        assert!(text.contains(part), "{part} is missing in {text}");
    }
    let json: Value = serde_json::from_str(&run(&["--json"]).success()).expect("JSON");
    let job = &json["job"];
    assert_eq!((&job["averaged"]["a"], &job["outcome"]["verdict"]), (&Value::from(8), &Value::from("as_predicted")));
    assert_eq!(job["outcome"]["cause"]["late"], "rank 5");
    assert_eq!(job["ranks"].as_array().map(Vec::len), Some(8));
    assert!(run(&["--by", "ranks"]).success().starts_with("Ranks: mean step"));
    // A chosen rank is compared as a rank.
    let one: Value = serde_json::from_str(&run(&["--rank-a", "5", "--rank-b", "5", "--json"]).success()).expect("JSON");
    assert_eq!((&one["job"], &one["a"]["rank"]), (&Value::Null, &Value::from(5)));
    assert!(run(&["--rank-a", "5", "--by", "ranks"]).failure(1).contains("several ranks of one job"));
}

/// The two summaries of Paddle's guide: the second run loads its data in four processes.
#[test]
fn perf_summaries_of_two_runs_are_compared() {
    let folder = folder("diff-perf-summary");
    let printed = |name: &str, ratio: &str, rows: [[&str; 3]; 3]| {
        let head = format!("{0}Perf Summary{0}", "=".repeat(44));
        let rows = ["reader_cost", "batch_cost", "ips"].iter().zip(rows);
        let rows =
            rows.map(|(name, row)| format!("|{name:^17}|{}|\n", row.map(|cell| format!("{cell:^17}")).join("|")));
        let text = format!(
            "epoch: 0, batch_id: 0\n{head}\nReader Ratio: {ratio}%\nTime Unit: s, IPS Unit: steps/s\n\
             |                 |       avg       |       max       |       min       |\n{}",
            rows.collect::<String>()
        );
        let path = folder.join(name);
        fs::write(&path, text).expect("a file");
        path
    };
    let before = printed(
        "before.txt",
        "53.514",
        [["0.01367", "0.01407", "0.01310"], ["0.02555", "0.02381", "0.02220"], ["39.13907", "45.03588", "41.99930"]],
    );
    let after = printed(
        "after.txt",
        "1.653",
        [["0.00011", "0.00024", "0.00009"], ["0.00660", "0.00629", "0.00587"], ["151.45498", "170.28927", "159.06308"]],
    );
    let run = |files: [&Path; 2], arguments: &[&str]| {
        let mut command = program();
        command.arg("diff").args(files).args(arguments);
        Printed::of(&mut command)
    };
    let text = run([&before, &after], &[]).success();
    assert!(text.contains("throughput: 39.14 to 151.5 steps/s (+287.0 %)"), "{text}");
    for expected in ["reader ratio", "53.5 %", "1.7 %", "batch_cost avg", "25.55 ms", "6.600 ms", "-74.2 %"] {
        assert!(text.contains(expected), "{expected} in\n{text}");
    }
    let json: Value = serde_json::from_str(&run([&before, &after], &["--json"]).success()).expect("JSON");
    let found = &json["perf_summary"];
    let ratio = found["a"]["reader_ratio"].as_f64().expect("a ratio");
    assert_eq!(((ratio * 1e5).round(), &found["b"]["ips"]["max"]), (53_514.0, &170.28927.into()));
    assert_eq!((found["ips_change"].as_f64().expect("a change") * 1000.0).round(), 2870.0);
    let trace = folder.join("trace.json");
    fs::write(&trace, Spec::small(1).generate().0).expect("a trace");
    // Alone it is a table, wherever in a log it stands, and its ratio is judged.
    let long = folder.join("long.txt");
    let log = ["epoch: 0, batch_id: 0\n".repeat(9_000), fs::read_to_string(&after).expect("a log")].concat();
    fs::write(&long, log).expect("a file");
    for (of, share, cost) in [(&before, "53.5 %", "13.67 ms"), (&long, "1.7 %", "110.0 µs")] {
        let first = Printed::of(program().arg("summary").arg(of)).success();
        assert!(first.contains("perf_summary") && first.contains("reader_cost") && first.contains(cost), "{first}");
        let advice = Printed::of(program().args(["summary", "--by", "advice"]).arg(of)).success();
        assert_eq!(advice.contains("(dataloader) · 53.5 % of batch_cost"), share == "53.5 %", "{advice}");
        let json = Printed::of(program().args(["summary", "--json"]).arg(of)).success();
        let json: Value = serde_json::from_str(&json).expect("JSON");
        let table = &json["ranks"][0]["recorded"][0];
        assert_eq!((&table["id"], &table["rows"][0][0]), (&"perf_summary".into(), &"avg".into()), "{table}");
    }
    // Beside a trace it says nothing.
    let both = folder.join("both");
    fs::create_dir_all(&both).expect("a folder");
    for file in [&before, &trace] {
        fs::copy(file, both.join(file.file_name().expect("a name"))).expect("a copy");
    }
    let printed = Printed::of(program().args(["summary", "--json"]).arg(&both));
    assert!(printed.code == Some(0) && printed.err.contains("before.txt: known, but not read"), "{}", printed.err);
    let json: Value = serde_json::from_str(&printed.out).expect("JSON");
    let ranks =
        json["ranks"].as_array().expect("ranks").iter().map(|rank| rank["recorded"].as_array().map_or(0, Vec::len));
    assert_eq!(ranks.collect::<Vec<_>>(), [0], "the trace alone");
    let refused = run([&before, &trace], &[]).failure(1);
    assert!(refused.contains("compare two summaries, or two traces"), "{refused}");
}
