//! `stepscope summary --style`.

use std::process::Command;

use serde_json::Value;

use crate::support::{Printed, fixture, folder, program, trace};

fn style(tool: &str) -> Command {
    let mut command = program();
    command.args(["summary", "--style", tool]);
    command
}

fn lines(command: &mut Command) -> Vec<String> {
    Printed::of(command).success().lines().map(str::to_owned).collect()
}

#[test]
fn paddles_tables_and_options() {
    let input = fixture("paddle/protobuf_gpu/input.pb");
    let all = lines(style("paddle").arg(&input));
    let titles: Vec<String> = all
        .iter()
        .filter(|line| line.contains("Summary"))
        .map(|line| line.trim_matches(['-', '=']).to_owned())
        .collect();
    let expected = [
        "Device Summary",
        "Overview Summary",
        "Model Summary",
        "Distribution Summary",
        "Operator Summary",
        "Kernel Summary",
    ];
    assert_eq!(titles[..6], expected);
    assert_eq!(titles.last().map(String::as_str), Some("Perf Summary"));
    let some = lines(style("paddle").args(["--views", "model,kernel", "--time-unit", "ns"]).arg(&input));
    assert_eq!(some.iter().filter(|line| line.as_str() == "Time unit: ns").count(), 2);
    assert!(!some.iter().any(|line| line.contains("Overview") || line.contains("Perf")));
    let threads = lines(style("paddle").args(["--views", "operator", "--thread-sep"]).arg(&input));
    assert!(threads.iter().any(|line| line.contains("Thread: ") && !line.contains("merged")));
    let plain = lines(style("paddle").args(["--views", "operator", "--no-op-detail"]).arg(&input));
    assert!(!plain.iter().any(|line| line.starts_with("  ")) && threads.iter().any(|line| line.starts_with("  ")));
    let sorted =
        lines(style("paddle").args(["--views", "operator", "--sort", "cpu-min", "--no-op-detail"]).arg(&input));
    let set = |lines: &[String]| {
        let mut lines = lines.to_vec();
        lines.sort();
        lines
    };
    assert_eq!(set(&sorted), set(&plain));
}

/// Our own recordings have Paddle's kinds of events, whatever their recorder.
#[test]
fn paddles_tables_of_our_own_recordings() {
    let text = lines(
        style("paddle").args(["--views", "overview,operator,udf"]).arg(fixture("stepscope/arguments/input.stepscope")),
    );
    let kinds: Vec<&str> = text.iter().filter_map(|line| line.strip_prefix("  ")?.split("  ").next()).collect();
    for kind in ["Forward", "PythonUserDefined", "Operator"] {
        assert!(kinds.contains(&kind), "{kind} in {kinds:?}");
    }
    assert!(text.iter().all(|line| !line.contains("user_annotation") && !line.contains("cpu_op")));
    let heads = ["Operator Summary", "UserDefined Summary"];
    assert!(heads.iter().all(|head| text.iter().any(|line| line.contains(head))), "{text:?}");
}

/// Our recordings have the processors' activity, and shapes give the FLOPs of products.
#[test]
fn paddles_tables_have_the_use_of_processors_and_flops() {
    let folder = folder("style_paddle_own");
    let file = folder.join("own.json");
    let text = r#"{"deviceProperties": [], "traceEvents": [
        {"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":7,"tid":1,"ts":0,"dur":40},
        {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":7,"tid":1,"ts":1,"dur":5,
         "args":{"Input Dims":[[2,3],[3,4]],"Input type":["float","float"]}},
        {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":7,"tid":1,"ts":8,"dur":5,
         "args":{"Input Dims":[[2,3],[3,4]],"Input type":["float","float"]}},
        {"ph":"X","cat":"cpu_op","name":"aten::relu_of_ours","pid":7,"tid":1,"ts":20,"dur":5,"args":{}},
        {"ph":"C","name":"CPU time (% of a core): running","pid":7,"ts":0,"args":{"":150}},
        {"ph":"C","name":"CPU time (% of a core): running","pid":7,"ts":20,"args":{"":50}},
        {"ph":"C","name":"CPU utilization (%): user","pid":1,"ts":0,"args":{"":20}},
        {"ph":"C","name":"CPU utilization (%): system","pid":1,"ts":0,"args":{"":5.5}}
    ]}"#;
    std::fs::write(&file, text).expect("a file");
    let text = lines(style("paddle").args(["--views", "device,operator"]).arg(&file));
    let cells = |name: &str| -> Vec<String> {
        let line = text.iter().find(|line| line.trim_start().starts_with(name)).expect("a row");
        line.split_whitespace().map(str::to_owned).collect()
    };
    assert_eq!([cells("CPU(Process)  ")[1].as_str(), cells("CPU(System)  ")[1].as_str()], ["100.00", "25.50"]);
    // Twice 2 · 2 · 3 · 4.
    assert_eq!(
        [cells("aten::mm").last(), cells("aten::relu_of_ours").last()].map(|cell| cell.expect("FLOPs").as_str()),
        ["96", "0"]
    );
}

#[test]
fn nvprofs_tables() {
    let input = fixture("nvprof/summary_new/input.txt");
    let rows = |lines: &[String]| -> Vec<String> {
        lines.iter().filter(|line| line.contains("%  ")).map(|line| line.trim().to_owned()).collect()
    };
    let text = std::fs::read_to_string(&input).expect("a fixture");
    let theirs: Vec<String> = text.lines().map(str::to_owned).collect();
    assert_eq!(rows(&lines(style("nvprof").arg(&input))), rows(&theirs));
    // In the layout of CUDA 8 activities, calls and others have a table each.
    let old = lines(style("nvprof").args(["--nvprof-layout", "8"]).arg(&input));
    let heads = old.iter().filter(|line| line.starts_with("Time(%)     Time     Calls ")).count();
    assert!(heads == 3 && old.iter().any(|line| line.ends_with("== API calls:")), "{old:?}");
    let folder = folder("style_nvprof");
    let generated = trace(&folder, "a.json", 0);
    let csv = lines(style("nvprof").args(["--csv", "--print-gpu-trace", "--time-unit", "us"]).arg(&generated));
    assert!(csv[1].starts_with("\"Start\",\"Duration\",\"Grid X\"") && csv[2].starts_with("us,us,"));
    let calls = lines(style("nvprof").arg("--print-api-trace").arg(&generated));
    assert!(calls.iter().any(|line| line.contains("cudaLaunchKernel (")), "{calls:?}");
    // nvprof's own reader reads what is printed.
    let printed = folder.join("printed.csv");
    std::fs::write(&printed, csv.join("\n")).expect("a file");
    let again = Printed::of(program().args(["summary", "--json"]).arg(&printed)).success();
    let again: Value = serde_json::from_str(&again).expect("JSON");
    let whole = Printed::of(program().args(["summary", "--json"]).arg(&generated)).success();
    let whole: Value = serde_json::from_str(&whole).expect("JSON");
    let busy = |summary: &Value| summary["ranks"][0]["device_time"][0]["compute_ns"].as_i64().expect("a time");
    assert_eq!(busy(&again), busy(&whole));
}

#[test]
fn mindspores_step_trace_with_points_by_hand() {
    let folder = folder("style_mindspore");
    let input = trace(&folder, "a.json", 0);
    let automatic = lines(style("mindspore").arg(&input));
    assert!(automatic[0].starts_with("total_steps: ") && automatic[2].starts_with("iteration_interval: "));
    // From and to the optimizer: longer before, shorter after.
    let optimizer = "aten::_foreach_add_";
    let named = lines(style("mindspore").args(["--fp-start", optimizer, "--bp-end", optimizer]).arg(&input));
    assert_eq!(named[..2], [format!("fp_start: {optimizer}"), format!("bp_end: {optimizer}")]);
    let value = |lines: &[String], key: &str| -> f64 {
        let line = lines.iter().find_map(|line| line.strip_prefix(key)).expect("a line");
        line.split_whitespace().next().and_then(|number| number.parse().ok()).expect("a number")
    };
    assert!(value(&named, "iteration_interval: ") > value(&automatic, "iteration_interval: "));
    assert!(value(&named, "tail: ") < value(&automatic, "tail: "));
    assert!((value(&named, "total_time: ") - value(&automatic, "total_time: ")).abs() < 1e-9);
    // A name that is not there is named, with those that are like it, whatever is printed.
    let near = "unknown operator or kernel: `Foreach_add`; similar names: ";
    for way in ["--style=mindspore", "--json", "--by=steps"] {
        let mut command = program();
        command.args(["summary", way, "--fp-start", optimizer, "--bp-end", "Foreach_add"]).arg(&input);
        let error = Printed::of(&mut command).failure(1);
        assert!(error.contains("--bp-end: ") && error.contains(near), "{error}");
        assert!(error.contains("`aten::_foreach_add_`") && !error.contains("--fp-start"), "{error}");
    }
    let csv = lines(style("mindspore").args(["--csv"]).arg(&input));
    assert!(csv[0].starts_with("step_num,start_point,end_point,total,fp_point,bp_point,"));
    assert_eq!(csv.last().map(|line| line.starts_with("-,")), Some(true));
    let width = |line: &String| line.split(',').count();
    assert!(csv.iter().all(|line| width(line) == width(&csv[0])));
}

/// Three iterations of a MindSpore timeline without rows of steps, on the CPU.
#[test]
fn operators_by_hand_divide_a_trace_without_marks() {
    let folder = folder("style_unmarked").join("profiler");
    std::fs::create_dir_all(&folder).expect("a folder");
    let row = |name: &str, start: u32, length: u32| {
        format!(r#"{{"name": "{name}", "ph": "X", "tid": "HostCpuOps0", "ts": {start}, "dur": {length}, "pid": 0}}"#)
    };
    let of = |at: u32| [row("Conv2D-op1", at, 200), row("MatMul-op2", at + 300, 400), row("Adam-op3", at + 800, 100)];
    let rows: Vec<String> = [1000, 2500, 4000].into_iter().flat_map(of).collect();
    let text = format!("[{}, {}]", row("Cast-op0", 100, 50), rows.join(", "));
    std::fs::write(folder.join("cpu_timeline_display_0.json"), text).expect("a file");
    let json = |arguments: &[&str]| -> Value {
        let text = Printed::of(program().args(["summary", "--json"]).args(arguments).arg(&folder)).success();
        serde_json::from_str(&text).expect("JSON")
    };
    // Operators that are named by hand come before those that are found.
    assert_eq!(json(&[])["ranks"][0]["step_source"], "repeating_operators");
    let named = json(&["--fp-start", "Conv2D-op1", "--bp-end", "MatMul-op2"]);
    let rank = &named["ranks"][0];
    assert_eq!(rank["step_source"], "operator");
    let lengths: Vec<&Value> = rank["steps"].as_array().expect("steps").iter().map(|step| &step["length_ns"]).collect();
    assert_eq!(lengths, [1_500_000, 1_500_000]);
    let trace = &rank["step_trace"];
    let parts =
        ["total_ns", "iteration_interval_ns", "forward_and_backward_ns", "tail_ns"].map(|key| &trace["average"][key]);
    assert_eq!(
        (trace["source"].as_str(), parts.map(Value::as_i64)),
        (Some("named_steps"), [1_500_000, 0, 700_000, 800_000].map(Some),)
    );
    let steps = Printed::of(program().args(["summary", "--by", "step-trace", "--fp-start", "Conv2D-op1"]).arg(&folder))
        .success();
    assert!(steps.contains("Step trace, by the named operators: the tail has the time until the next step"), "{steps}");
    let first = Printed::of(program().args(["summary", "--fp-start", "Conv2D-op1"]).arg(&folder)).success();
    assert!(first.contains("average of 2 steps: 1.500 ms, by the named operator"), "{first}");
    let error = Printed::of(program().args(["summary", "--fp-start", "Conv2d-op1"]).arg(&folder)).failure(1);
    assert!(error.contains("similar names: `Conv2D-op1`"), "{error}");
}

#[test]
fn formulas_stay_text_in_tables_with_commas() {
    let folder = folder("style_formulas");
    let generated = std::fs::read_to_string(trace(&folder, "a.json", 0)).expect("a trace");
    let mut events: Value = serde_json::from_str(&generated).expect("JSON");
    for (at, event) in events["traceEvents"].as_array_mut().expect("events").iter_mut().enumerate() {
        let name = event["name"].as_str().unwrap_or_default();
        if event["ph"] == "X" && !name.starts_with("ProfilerStep") {
            let sign = ["=", "+", "-", "@", "\t=", "\r=", "\u{1}="][at % 7];
            event["name"] = format!("{sign}cmd|'/C calc'!A0 {name}").into();
        }
    }
    let paths = ["=1,=2.json", "=3.json"].map(|name| folder.join(name));
    for path in &paths {
        std::fs::write(path, events.to_string()).expect("a file");
    }
    let steps = folder.join("step_trace_raw_0_detail_time.csv");
    let row = "step_num,start_point,end_point,total,fp_point,bp_point,iteration_interval,fp_and_bp,tail,=cmd()";
    std::fs::write(&steps, format!("{row}\n1,100,200100,200000,100,150100,0,150000,50000,@cmd()\n")).expect("a file");
    let mut defused = 0;
    for (tool, options, inputs) in [
        ("nvprof", &["--csv"][..], &paths[..]),
        ("nvprof", &["--csv", "--print-gpu-trace"], &paths[..]),
        ("nvprof", &["--csv", "--print-api-trace"], &paths[..]),
        ("mindspore", &["--csv"], std::slice::from_ref(&steps)),
    ] {
        for line in lines(style(tool).args(options).args(inputs)) {
            // nvprof's lines before a table begin with such a sign, and contain no formula.
            if line.starts_with("==") {
                continue;
            }
            let cells = line.split([',', '"']).map(str::trim_start);
            for cell in cells.filter(|cell| cell.starts_with(['=', '+', '-', '@']) && cell.len() > 1) {
                assert!(cell.parse::<f64>().is_ok(), "{tool} {options:?}: {line}");
            }
            defused += usize::from(line.contains("'=") || line.contains("'@"));
        }
    }
    assert!(defused > 20, "{defused} lines with formulas");
}

#[test]
fn tensorboards_overview() {
    let folder = folder("style_tensorboard");
    let text = lines(style("tensorboard").arg(trace(&folder, "a.json", 0)));
    for line in ["Configuration", "GPU Summary", "GPU 0:", "Execution Summary", "Step Time Breakdown"] {
        assert!(text.iter().any(|known| known == line), "{line}");
    }
    let shares: Vec<f64> = text
        .iter()
        .skip_while(|line| !line.starts_with("Average Step Time"))
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().last()?.parse().ok())
        .collect();
    assert!((shares.iter().sum::<f64>() - 100.0).abs() < 0.05, "{shares:?}");
}

#[test]
fn several_ranks_have_headings() {
    let folder = folder("style_ranks");
    trace(&folder, "rank0.json", 0);
    trace(&folder, "rank1.json", 1);
    let text = lines(style("paddle").args(["--views", "device"]).arg(&folder));
    assert!(text[0].ends_with("rank0.json · rank 0"), "{}", text[0]);
    assert_eq!(text.iter().filter(|line| line.contains("Device Summary")).count(), 2);
}

#[test]
fn throughput_counts_samples() {
    let folder = folder("style_throughput");
    let input = trace(&folder, "a.json", 0);
    let steps = Printed::of(program().args(["summary", "--json"]).arg(&input)).success();
    let samples = Printed::of(program().args(["summary", "--json", "--batch-size", "32"]).arg(&input)).success();
    let rate = |text: &str| {
        let summary: Value = serde_json::from_str(text).expect("JSON");
        summary["ranks"][0]["benchmark"]["ips"]["avg"].as_f64().expect("a rate")
    };
    assert!((rate(&samples) / rate(&steps) - 32.0).abs() < 1e-9);
    let table = lines(program().args(["summary", "--by", "benchmark", "--batch-size", "32"]).arg(&input));
    assert!(table.iter().any(|line| line.starts_with("samples per second")), "{table:?}");
}

#[test]
fn what_does_not_go_together_is_bad_usage() {
    let cases: [&[&str]; 5] = [
        &["--style", "paddle", "--json"],
        &["--style", "paddle", "--by", "kernels"],
        &["--csv"],
        &["--style", "nvprof", "--print-gpu-trace", "--print-api-trace"],
        &["--style", "vtune"],
    ];
    for arguments in cases {
        let printed = Printed::of(program().arg("summary").args(arguments).arg("a.json"));
        printed.failure(2);
    }
}

/// The step trace of one graph of several: its steps and their mean.
#[test]
fn a_step_trace_is_of_the_chosen_graph() {
    let of = |arguments: &[&str]| {
        let mut command = program();
        command
            .args(["summary", "--by", "step-trace", "--json"])
            .args(arguments)
            .arg(fixture("mindspore/graphs/input"));
        let summary: Value = serde_json::from_str(&Printed::of(&mut command).success()).expect("JSON");
        let trace = &summary["ranks"][0]["step_trace"];
        let steps = trace["steps"].as_array().cloned().unwrap_or_default();
        let names: Vec<String> =
            steps.iter().map(|step| step["name"].as_str().unwrap_or_default().to_owned()).collect();
        let total = |step: &Value| step["total_ns"].as_i64().expect("a time");
        let others: Vec<i64> = steps.iter().skip(usize::from(steps.len() > 1)).map(total).collect();
        let mean = others.iter().sum::<i64>() / i64::try_from(others.len().max(1)).expect("a few");
        assert!((total(&trace["average"]) - mean).abs() <= 1, "{names:?}");
        names
    };
    let all = of(&[]);
    let [first, second] = ["1", "2"].map(|graph| of(&["--graph", graph]));
    assert!(!first.is_empty() && !second.is_empty(), "{all:?}");
    assert_eq!(all.len(), first.len() + second.len());
    assert!(first.iter().all(|name| name.starts_with("1:")) && second.iter().all(|name| name.starts_with("2:")));
    let mut command = program();
    command.args(["summary", "--by", "step-trace", "--graph", "7"]).arg(fixture("mindspore/graphs/input"));
    assert!(Printed::of(&mut command).failure(1).contains("--graph: no step is of graph 7"));
}
