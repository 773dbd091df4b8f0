//! `stepscope summary`.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::Value;
use stepscope_tests::files::real_traces;
use stepscope_tests::generator::Spec;

use crate::support::{Printed, fixture, folder, program, trace};

const TITLES: [(&str, &str); 10] = [
    ("devices", "Device time, whole trace, from its first to its last activity"),
    ("idle", "Idle time, whole trace, of the window"),
    ("gaps", "Longest gaps of the devices, whole trace"),
    ("steps", "Steps by category"),
    ("phases", "Steps by phase"),
    ("operators", "Operators, whole trace"),
    ("kernels", "Kernels by family, whole trace"),
    ("copies", "Copies and sets, whole trace"),
    ("launches", "Launches, whole trace"),
    ("queues", "Queues, whole trace"),
];

fn summary() -> Command {
    let mut command = program();
    command.arg("summary");
    command
}

fn json(command: &mut Command) -> Value {
    serde_json::from_str(&Printed::of(command).success()).expect("--json prints JSON")
}

#[test]
fn json_is_of_the_schema_and_true() {
    let folder = folder("json");
    let summary = json(summary().arg("--json").arg(trace(&folder, "a.json", 1)));
    let (_, truth) = Spec { rank: 1, ..Spec::small(3) }.generate();
    assert_eq!(summary["schema"], "stepscope.summary/1");
    assert_eq!(summary["inputs"][0]["name"], "a.json");
    let rank = &summary["ranks"][0];
    assert_eq!((&rank["rank"], &rank["world_size"], &rank["definition"]), (&1.into(), &2.into(), &"stepscope".into()));
    let device = &rank["device_time"][0];
    for (key, expected) in [
        ("window_ns", truth.device.window),
        ("busy_ns", truth.device.busy),
        ("idle_ns", truth.device.window - truth.device.busy),
        ("communication_ns", truth.device.communication),
        ("overlap_ns", truth.device.overlap),
    ] {
        assert_eq!(device[key], expected, "{key}");
    }
    let steps = rank["steps"].as_array().expect("steps");
    assert_eq!(steps.len(), truth.steps.len());
    for (step, truth) in steps.iter().zip(&truth.steps) {
        assert_eq!(step["name"], truth.name.as_str());
        let categories = step["categories"].as_object().expect("categories").values().filter_map(Value::as_i64);
        assert_eq!(step["length_ns"], categories.sum::<i64>());
        assert_eq!(step["length_ns"], truth.span.1 - truth.span.0);
    }
    assert_eq!(rank["kernels"].as_array().map(Vec::len), Some(truth.kernels.len()));
}

#[test]
fn another_definition_adds_its_values() {
    let folder = folder("definition");
    let file = trace(&folder, "a.json", 0);
    let hta = json(summary().args(["--json", "--definition", "hta"]).arg(&file));
    let rank = &hta["ranks"][0];
    assert_eq!(rank["definition"], "hta");
    let values = &rank["definition_values"]["values"];
    let of = |key: &str| values[key].as_i64().expect("a time");
    assert_eq!(of("idle_time_ns") + of("compute_time_ns") + of("non_compute_time_ns"), of("kernel_time_ns"));
    let ours = json(summary().arg("--json").arg(&file));
    assert_eq!(ours["ranks"][0]["definition_values"], Value::Null);
    assert_eq!(ours["ranks"][0]["device_time"], rank["device_time"]);
    let tables = Printed::of(summary().args(["--definition", "hta"]).arg(&file)).success();
    assert!(tables.contains("\nAs hta defines it\n"), "{tables}");
    assert!(tables.contains("\nnon compute time ") && !tables.contains("_time_ns"), "{tables}");
    let unknown = Printed::of(summary().args(["--definition", "mine"]).arg(&file)).failure(2);
    assert!(unknown.contains("tracelens"), "{unknown}");
}

#[test]
fn one_table_or_all_of_them() {
    let folder = folder("by");
    let file = trace(&folder, "a.json", 0);
    let shown = |text: &str| TITLES.map(|(_, title)| text.lines().any(|line| line == title));
    let first = Printed::of(summary().arg(&file)).success();
    assert_eq!(shown(&first), [false; 10], "{first}");
    let all = Printed::of(summary().args(["--by", "all"]).arg(&file)).success();
    assert_eq!(shown(&all), [true; 10], "{all}");
    for (number, (name, title)) in TITLES.iter().enumerate() {
        let one = Printed::of(summary().args(["--by", name]).arg(&file)).success();
        assert_eq!(shown(&one), std::array::from_fn(|other| other == number), "{one}");
        assert_eq!(one.lines().next(), Some(*title));
    }
    let unknown = Printed::of(summary().args(["--by", "nothing"]).arg(&file)).failure(2);
    assert!(unknown.contains("operators"), "{unknown}");
}

/// Tables of a step, and of the average step with what it leaves out.
#[test]
fn tables_are_of_a_step_or_per_step() {
    let folder = folder("step");
    let file = trace(&folder, "a.json", 0);
    let of = |step: &str| Printed::of(summary().args(["--by", "kernels", "--step", step]).arg(&file)).success();
    let name = json(summary().arg("--json").arg(&file))["ranks"][0]["steps"][1]["name"].as_str().map(str::to_owned);
    let name = name.expect("a second step");
    assert_eq!(of(&name).lines().next(), Some(&*format!("Kernels by family, step {name}")));
    let average = of("average");
    assert!(average.starts_with("Kernels by family, per step, average of "), "{average}");
    assert!(average.contains("\noutside of all steps: 3 kernels, "), "{average}");
    let found = json(summary().args(["--json", "--step", "average"]).arg(&file));
    assert!(found["ranks"][0]["averaged_steps"].as_u64() > Some(1), "the JSON is per step, too");
    let unknown = Printed::of(summary().args(["--step", "nothing"]).arg(&file)).failure(1);
    assert!(unknown.contains("no step is called nothing"), "{unknown}");
}

#[test]
fn the_verdict_comes_first_and_lines_fit() {
    let folder = folder("width");
    let file = trace(&folder, "a.json", 0);
    for columns in [60_usize, 80, 100, 160] {
        let text = Printed::of(summary().env("COLUMNS", columns.to_string()).arg(&file)).success();
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("a.json · rank 0 of 2"));
        assert!(
            lines.next().is_some_and(|line| line.contains(" of the step (") && line.contains(" is lost to ")),
            "{text}"
        );
        assert!(lines.any(|line| line.starts_with("average of ")), "{text}");
        let tables = text.split_once("\nBudget").map_or("", |(_, tables)| tables);
        for line in tables.lines() {
            assert!(line.chars().count() <= columns, "{columns}: {line}");
        }
    }
    let top = Printed::of(summary().args(["--by", "operators", "--top", "2"]).arg(&file)).success();
    let (operators, ranges) = top.split_once("\nRanges").unwrap_or_else(|| panic!("{top}"));
    assert!(operators.ends_with(" more (--top 0 shows all)\n"), "{top}");
    assert!(ranges.lines().skip(3).count() <= 3, "{top}");
}

/// Options about tables imply tables.
#[test]
fn options_about_tables_show_tables() {
    let folder = folder("about_tables");
    let file = trace(&folder, "a.json", 0);
    for options in [
        &["--group", "shapes"][..],
        &["--merge-same-name"],
        &["--group-kernels", "launch"],
        &["--slow-call", "1us"],
        &["--late", "1us"],
        &["--kernel-wait", "1us"],
        &["--long-gap", "1us"],
        &["--batch-size", "4"],
        &["--step", "average"],
        &["--top", "3"],
        &["--definition", "hta"],
    ] {
        let text = Printed::of(summary().args(options).arg(&file)).success();
        assert!(text.contains("\nSteps by category\n"), "{options:?}: {text}");
    }
}

/// The first screen fits on a terminal, for any number of ranks.
#[test]
fn the_first_screen_is_one_screen() {
    const LINES: usize = 24;
    let folder = folder("screen");
    let one = Printed::of(summary().env("COLUMNS", "120").arg(trace(&folder, "a.json", 0))).success();
    assert!(one.contains("\nBudget, ") && one.contains("\nAdvice"), "{one}");
    let ranks = folder.join("ranks");
    fs::create_dir(&ranks).expect("a folder");
    for rank in 0..40 {
        let spec = Spec { rank, ..Spec::small(3) };
        fs::write(ranks.join(format!("rank{rank}.json")), spec.generate().0).expect("a trace for the test");
    }
    let many = Printed::of(summary().env("COLUMNS", "120").arg(&ranks)).success();
    assert!(many.contains("… and 36 more (--by all shows all)"), "{many}");
    for text in [one, many] {
        assert!(text.lines().count() <= LINES, "{text}");
    }
}

/// Long sentences leave out the longest span and a warning: that of each real trace fits a narrow terminal, too.
#[test]
fn the_first_screen_of_real_traces_is_one_screen() {
    let Some(folder) = real_traces() else { return };
    let traces = fs::read_dir(folder.join("pytorch")).expect("a folder").flatten().map(|entry| entry.path());
    let traces: Vec<_> = traces.filter(|path| path.extension().is_some_and(|end| end == "gz")).collect();
    assert!(traces.len() > 15, "{traces:?}");
    for trace in traces {
        let text = Printed::of(summary().env("COLUMNS", "80").arg(&trace)).success();
        // A terminal breaks longer lines.
        let rows: usize = text.lines().map(|line| line.chars().count().max(1).div_ceil(80)).sum();
        assert!(rows <= 24 && text.contains("--by advice"), "{rows} rows: {text}");
    }
}

/// The first sentences name kernels, whose names a file decides: they neither steer a terminal nor fill it.
#[test]
fn names_in_sentences_are_short_and_steer_nothing() {
    let folder = folder("sentences");
    let file = folder.join("a.json");
    let name = format!("evil\\u001b[2J{}", "x".repeat(5_000));
    let text = format!(
        r#"{{"deviceProperties": [], "traceEvents": [
          {{"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","pid":1,"tid":1,"ts":0,"dur":100}},
          {{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":1,"dur":2,"args":{{"correlation":9}}}},
          {{"ph":"X","cat":"kernel","name":"{name}","pid":0,"tid":7,"ts":4,"dur":90,"args":{{"stream":7,"correlation":9}}}}
        ]}}"#
    );
    fs::write(&file, text).expect("a file");
    let printed = Printed::of(summary().arg(&file)).success();
    assert!(printed.contains("The largest of them: evil"), "{printed}");
    assert!(!printed.contains('\x1b') && printed.len() < 2_500, "{printed}");
}

#[test]
fn bold_on_a_terminal_only() {
    let folder = folder("terminal");
    let file = trace(&folder, "a.json", 0);
    assert!(!Printed::of(summary().arg(&file)).success().contains('\x1b'));
    // util-linux's `script` runs a command on a terminal of its own.
    let line = format!("'{}' summary '{}'", env!("CARGO_BIN_EXE_stepscope"), file.display());
    let on_terminal = |color: Option<&str>| {
        let mut command = Command::new("script");
        command.args(["-qec", &line, "/dev/null"]).env("TERM", "xterm").env_remove("NO_COLOR").stdin(Stdio::null());
        command.envs(color.map(|value| ("NO_COLOR", value))).output()
    };
    let Some(found) = on_terminal(None).ok().filter(|output| output.status.success()) else {
        eprintln!("SKIPPED: there is no `script` that gives a terminal");
        return;
    };
    assert!(String::from_utf8_lossy(&found.stdout).contains("\x1b[1mBudget, mean of 3 steps\x1b[0m"));
    let plain = on_terminal(Some("1")).expect("script started before");
    assert!(!String::from_utf8_lossy(&plain.stdout).contains('\x1b'));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let folder = folder("pipe");
    let mut child = summary()
        .arg("--json")
        .arg(trace(&folder, "a.json", 0))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

#[test]
fn what_cannot_be_read_is_named() {
    let folder = folder("unreadable");
    let absent = folder.join("absent.json");
    let message = Printed::of(summary().arg(&absent)).failure(1);
    assert!(message.contains("absent.json"), "{message}");
    for (name, text, expected) in [
        ("empty.json", "", "empty"),
        ("letter.txt", "Dear reader", "first bytes are not JSON"),
        ("no_events.json", r#"{"deviceProperties": [], "traceEvents": []}"#, "no"),
    ] {
        let path = folder.join(name);
        fs::write(&path, text).expect("a file for the test");
        let message = Printed::of(summary().arg(&path)).failure(1);
        assert!(message.contains(name) && message.contains(expected), "{message}");
    }
    Printed::of(&mut summary()).failure(2);
    let nothing = Printed::of(&mut program());
    assert_eq!((nothing.code, nothing.out.as_str()), (Some(2), ""));
    assert!(nothing.err.contains("Usage: stepscope"), "{}", nothing.err);
}

#[test]
fn a_folder_of_ranks() {
    let folder = folder("ranks");
    trace(&folder, "b_rank0.json", 0);
    trace(&folder, "a_rank1.json", 1);
    fs::write(folder.join("notes.txt"), "no trace").expect("a file for the test");
    let printed = Printed::of(summary().arg("--json").arg(&folder));
    assert_eq!(printed.code, Some(0));
    assert!(printed.err.starts_with("left out: ") && printed.err.contains("notes.txt"), "{}", printed.err);
    let summary_of_both: Value = serde_json::from_str(&printed.out).expect("JSON");
    let names = ["inputs", "ranks"].map(|list| summary_of_both[list].as_array().map_or(0, Vec::len));
    assert_eq!(names, [2, 2]);
    assert_eq!([0, 1].map(|index| summary_of_both["ranks"][index]["rank"].as_u64()), [Some(0), Some(1)]);
    let first = Printed::of(summary().arg(&folder)).out;
    let (sentences, rest) = first.split_once("\n\n").expect("a first line");
    assert!(sentences.contains(" workers"), "{first}");
    assert!(rest.starts_with("2 of 2 ranks") && rest.contains("mean of 2 of 2 ranks"), "{first}");
    let tables = Printed::of(summary().args(["--by", "all"]).arg(&folder)).out;
    assert!(tables.starts_with("Ranks, by their average step\n"), "{tables}");
    let headings = tables.lines().filter(|line| line.ends_with(" of 2") && line.contains(" · rank ")).count();
    assert_eq!(headings, 2, "{tables}");
    let empty = folder.join("empty");
    fs::create_dir(&empty).expect("a folder");
    assert!(Printed::of(summary().arg(&empty)).failure(1).contains("there is no trace in it"));
}

/// A trace of Kineto whose steps take so many µs: each has an operator in a range, and waits for its device.
fn steps(lengths: &[u64], base: u64) -> String {
    let mut at = 0;
    let mut events: Vec<String> = Vec::new();
    for (step, length) in lengths.iter().enumerate() {
        let end = at + length;
        events.extend([
            format!(r#"{{"ph":"X","cat":"user_annotation","name":"ProfilerStep#{step}","pid":1,"tid":1,"ts":{at},"dur":{length}}}"#),
            format!(r#"{{"ph":"X","cat":"user_annotation","name":"loss","pid":1,"tid":1,"ts":{at},"dur":{length}}}"#),
            format!(r#"{{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":{},"dur":6}}"#, end - 20),
            format!(
                r#"{{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":{},"dur":2,"args":{{"correlation":{}}}}}"#,
                end - 18,
                step + 1
            ),
            format!(
                r#"{{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":{},"dur":5,"args":{{"stream":7,"correlation":{}}}}}"#,
                end - 10,
                step + 1
            ),
        ]);
        at = end;
    }
    format!(r#"{{"deviceProperties": [], "baseTimeNanoseconds": {base}, "traceEvents": [{}]}}"#, events.join(","))
}

/// A folder of several runs gives a list to choose from, without statements about all together.
#[test]
fn several_runs_are_a_list_to_choose_from() {
    let folder = folder("runs");
    for (number, name) in (0..).zip(["cnn/trace.json", "gpt/trace.json", "other.json"]) {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        let text = steps(&[1_000 * (number + 1), 1_000 * (number + 1)], number * 1_000_000_000_000);
        fs::write(path, text).expect("a trace for the test");
    }
    let first = Printed::of(summary().arg(&folder)).success();
    assert!(first.starts_with("3 runs. "), "{first}");
    for (name, step) in [("cnn/trace.json", "1.000 ms"), ("gpt/trace.json", "2.000 ms"), ("other.json", "3.000 ms")] {
        let row = first.lines().find(|line| line.starts_with(&format!("{name} "))).unwrap_or_else(|| panic!("{first}"));
        assert!(row.contains(step) && row.contains(" %  "), "{first}");
    }
    assert!(!first.contains("Advice"), "{first}");
    let advice = Printed::of(summary().args(["--by", "advice"]).arg(&folder)).success();
    let titles: Vec<&str> = advice.lines().filter(|line| line.ends_with(".json")).collect();
    assert_eq!(titles, ["cnn/trace.json", "gpt/trace.json", "other.json"], "{advice}");
    assert!(!advice.contains("median") && !advice.contains(" of 3 "), "{advice}");
    let json = json(summary().arg("--json").arg(&folder));
    assert_eq!(json["ranks"].as_array().map(Vec::len), Some(3));
}

/// The recorded time of a trace without marks is no step: its run has none in the list, as on the page.
#[test]
fn a_run_without_marks_has_no_step_in_the_list() {
    let folder = folder("unmarked");
    fs::write(folder.join("marked.json"), steps(&[1_000, 1_000], 0)).expect("a trace for the test");
    let unmarked = r#"{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":9000000000000,"dur":7000}"#;
    fs::write(folder.join("unmarked.json"), format!(r#"{{"traceEvents": [{unmarked}]}}"#)).expect("a trace");
    let first = Printed::of(summary().arg(&folder)).success();
    let row = |name: &str| first.lines().find(|line| line.starts_with(name)).map(str::to_owned).unwrap_or_default();
    assert!(row("marked.json").contains(" 1.000 ms "), "{first}");
    let cells = row("unmarked.json");
    assert_eq!(cells.split_whitespace().take(3).collect::<Vec<_>>(), ["unmarked.json", "1", "–"], "{first}");
}

/// The table of a pipeline's rank has the parts of its step, though no device is recorded.
#[test]
fn the_table_of_a_rank_without_a_device_is_on_the_first_screen() {
    let folder = folder("own_step");
    let job = "computation,communication_alone_time,stage_time,receive_alone_time,collective_communication_time\n\
               651.9051,1293.1231,1577.1234,368.7766,227.1234\n";
    let steps = "step_num,start_point,end_point,total,fp_point,bp_point,iteration_interval,fp_and_bp,tail\n\
                 1,100000,2100000,2000000,100000,2000000,0,1900000,100000\n";
    fs::write(folder.join("ascend_cluster_analyse_pipeline-parallel_1_2_1.csv"), job).expect("a file");
    fs::write(folder.join("step_trace_raw_1_detail_time.csv"), steps).expect("a file");
    let first = Printed::of(summary().arg(&folder)).success().replace("\n    ", " ");
    let parts = "computation 651.9 ms, communication alone 1.293 s, stage 1.577 s, receive alone 368.8 ms, collectives alone 227.1 ms.";
    assert!(first.contains(&format!("Average step, by the profiler's table: {parts}")), "{first}");
    // The parts of that step are longer than the steps of the other table.
    let other = |of: &str| of.contains("The step trace beside it is of other steps: 20.00 ms on average.");
    assert!(other(&first), "{first}");
    let long = steps.replace("2100000,2000000", "202100000,202000000");
    fs::write(folder.join("step_trace_raw_1_detail_time.csv"), long).expect("a file");
    assert!(
        !other(&Printed::of(summary().arg(&folder)).success().replace("\n    ", " ")),
        "they may be the same steps"
    );
    // Without marked steps, the mean is of the recorded time.
    let row = r#"{"name":"MatMul-op1","ph":"X","tid":"HostCpuOps0","ts":1,"dur":9,"pid":0}"#;
    fs::write(folder.join("cpu_timeline_display_1.json"), format!("[{row}]")).expect("a file");
    fs::remove_file(folder.join("step_trace_raw_1_detail_time.csv")).expect("a file");
    let unmarked = Printed::of(summary().arg(&folder)).success().replace("\n    ", " ");
    assert!(unmarked.contains("by the profiler's table") && !unmarked.contains("of other steps"), "{unmarked}");
    fs::remove_file(folder.join("cpu_timeline_display_1.json")).expect("a file");
    // Without both there is no event at all.
    let bare = Printed::of(summary().arg(&folder)).success().replace("\n    ", " ");
    assert!(bare.contains(&format!("Average step, by the profiler's table: {parts}")), "{bare}");
}

/// Totals by name are all that nvprof's summary has: they are on the first screen, and those of the device in `--by kernels`.
#[test]
fn totals_of_nvprof_are_on_the_first_screen() {
    let folder = folder("nvprof_totals");
    let file = folder.join("summary.txt");
    let text = "==1== Profiling application: ./a\n==1== Profiling result:\n\
                Time(%)     Time     Calls       Avg       Min       Max  Name\n\
                \x2060.00%  6.0000ms         2  3.0000ms  2.0000ms  4.0000ms  KeBilinearInterpFw\n\
                \x2040.00%  4.0000ms         1  4.0000ms  4.0000ms  4.0000ms  [CUDA memcpy HtoD]\n\n\
                ==1== API calls:\nTime(%)     Time     Calls       Avg       Min       Max  Name\n\
                100.00%  9.0000ms         3  3.0000ms  1.0000ms  5.0000ms  cudaMemcpy\n";
    fs::write(&file, text).expect("a file");
    let first = Printed::of(summary().arg(&file)).success();
    let kernels = Printed::of(summary().args(["--by", "kernels"]).arg(&file)).success();
    let has = |text: &str, name: &str, time: &str| text.lines().any(|line| line.contains(name) && line.contains(time));
    for text in [&first, &kernels] {
        assert!(has(text, "KeBilinearInterpFw", "6.000 ms") && has(text, "[CUDA memcpy HtoD]", "4.000 ms"), "{text}");
    }
    assert_eq!(first.matches("KeBilinearInterpFw").count(), 1, "{first}");
    assert!(has(&first, "cudaMemcpy", "9.000 ms") && !kernels.contains("cudaMemcpy"), "{first}\n{kernels}");
}

/// Values that a definition measures on a device are not zero where a trace has none.
#[test]
fn definitions_have_no_values_without_a_device() {
    let folder = folder("definition_of_tables");
    let steps = "step_num,start_point,end_point,total,fp_point,bp_point,iteration_interval,fp_and_bp,tail\n\
                 1,100000,2100000,2000000,100000,2000000,0,1900000,100000\n\
                 -,100000,2100000,2000000,100000,2000000,0,1900000,100000\n";
    fs::write(folder.join("step_trace_raw_0_detail_time.csv"), steps).expect("a file");
    let whole = json(summary().args(["--json", "--definition", "mindspore"]).arg(&folder));
    assert_eq!(whole["ranks"][0]["definition_values"], Value::Null);
    let tables = Printed::of(summary().args(["--definition", "mindspore"]).arg(&folder)).success();
    assert!(!tables.contains("defines it"), "{tables}");
    // The table is the output of a finished analysis.
    assert!(!tables.contains("ended early"), "{tables}");
}

/// A stray trace beside a job's ranks does not hide the job, and has no part in its advice.
#[test]
fn a_stray_trace_is_named_beside_the_job() {
    let folder = folder("stray");
    trace(&folder, "rank0.json", 0);
    trace(&folder, "rank1.json", 1);
    let of_job = Printed::of(summary().arg(&folder)).success();
    let advice = Printed::of(summary().args(["--by", "advice"]).arg(&folder)).success();
    fs::write(folder.join("stray.json"), steps(&[5_000, 5_000], 0)).expect("a trace for the test");
    let with_stray = Printed::of(summary().arg(&folder)).success();
    let (stray, rest): (Vec<&str>, Vec<&str>) = with_stray.lines().partition(|line| line.contains("stray.json"));
    assert_eq!(stray, ["1 more trace is not of this job: stray.json"], "{with_stray}");
    // The line takes the place of others that the screen had room for; the last one names what it had none for.
    assert!(rest.iter().all(|line| line.starts_with("--by ") || of_job.contains(line)), "{with_stray}");
    let missing: Vec<&str> = of_job.lines().filter(|line| !rest.contains(line)).collect();
    assert!(missing.len() <= 3, "{missing:?} in {with_stray}");
    assert_eq!(advice, Printed::of(summary().args(["--by", "advice"]).arg(&folder)).success());
}

/// One step that takes far longer than the others is named, and so is the step of the longest event.
#[test]
fn a_mean_of_unlike_steps_says_so() {
    let folder = folder("unlike");
    let file = folder.join("a.json");
    let first = |lengths: &[u64]| {
        fs::write(&file, steps(lengths, 0)).expect("a trace for the test");
        Printed::of(summary().arg(&file)).success().replace("\n  ", " ")
    };
    let unlike = first(&[100, 120, 2_000]);
    assert!(
        unlike.contains("average of 3 steps: 740.0 µs · step 2 took 2.000 ms, the median step 120.0 µs"),
        "{unlike}"
    );
    assert!(unlike.contains(", in step 2 of 2.000 ms, mostly "), "{unlike}");
    assert!(!first(&[100, 120, 140]).contains("median"));
}

/// Ranges are not operators, and a missing device is not an idle one.
#[test]
fn operators_and_ranges_are_two_tables() {
    let folder = folder("ranges");
    let file = folder.join("a.json");
    fs::write(&file, steps(&[100, 120], 0)).expect("a trace for the test");
    let rows = |text: &str, title: &str| -> Vec<String> {
        let (_, table) = text.split_once(&format!("{title}, whole trace\n")).unwrap_or_else(|| panic!("{text}"));
        let rows = table.lines().take_while(|line| !line.is_empty());
        rows.filter_map(|line| line.split_whitespace().next().map(str::to_owned)).collect()
    };
    let text = Printed::of(summary().args(["--by", "operators"]).arg(&file)).success();
    assert!(rows(&text, "Operators").contains(&"aten::mm".to_owned()), "{text}");
    assert!(!rows(&text, "Operators").contains(&"loss".to_owned()), "{text}");
    assert!(rows(&text, "Ranges").contains(&"loss".to_owned()) && text.contains("device"), "{text}");
    let of_host = r#"{"deviceProperties": [], "traceEvents": [
        {"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","pid":1,"tid":1,"ts":0,"dur":20},
        {"ph":"X","cat":"user_annotation","name":"gloo:all_reduce","pid":1,"tid":2,"ts":2,"dur":17},
        {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":0,"dur":0.1}]}"#;
    fs::write(&file, of_host).expect("a trace for the test");
    let first = Printed::of(summary().arg(&file)).success();
    assert!(first.contains("communication on the host 17.00 µs (85.0 %)"), "{first}");
    assert!(rows(&first, "Ranges").contains(&"gloo:all_reduce".to_owned()) && !first.contains(" 0 ns"), "{first}");
}

#[test]
fn a_trace_without_operators_shows_its_slices_and_counters() {
    let file = folder("slices").join("any.json");
    let text = r#"[{"ph":"X","cat":"db","name":"query","pid":1,"tid":7,"ts":0,"dur":10},
        {"ph":"X","cat":"db","name":"query","pid":1,"tid":8,"ts":4,"dur":2},
        {"ph":"C","name":"queue","pid":1,"ts":0,"args":{"length":3}},
        {"ph":"C","name":"queue","pid":1,"ts":8,"args":{"length":5.5}}]"#;
    fs::write(&file, text).expect("a file for the test");
    let first = Printed::of(summary().arg(&file)).success();
    assert!(first.contains("\nSlices\n") && !first.contains("\nResources\n"), "{first}");
    let all = Printed::of(summary().args(["--by", "all"]).arg(&file)).success();
    for expected in ["\nSlices\n", "\nResources\n", "Chrome trace"] {
        assert!(all.contains(expected), "{all}");
    }
    assert!(!all.contains("\nOperators\n"), "{all}");
    let counters = Printed::of(summary().args(["--by", "counters"]).arg(&file)).success();
    let row: Vec<&str> = counters.lines().last().unwrap_or_default().split_whitespace().collect();
    assert_eq!(row, ["queue:", "length", "1", "other", "2", "3", "5.5", "3", "5.5"], "{counters}");
    let names = |group: &str| {
        let json = json(summary().args(["--json", "--group", group]).arg(&file));
        assert_eq!(json["ranks"][0]["operators_are"], "slices");
        let rows = json["ranks"][0]["operators"].as_array().expect("rows").clone();
        rows.iter().map(|row| format!("{} {}", row["name"], row["calls"])).collect::<Vec<String>>()
    };
    assert_eq!(names("name"), ["\"query\" 2"]);
    assert_eq!(names("category"), ["\"db\" 2"]);
    assert_eq!(names("thread"), ["\"query\" 1", "\"query\" 1"]);
    let by_thread = Printed::of(summary().args(["--by", "operators", "--group", "thread"]).arg(&file)).success();
    assert!(by_thread.contains("query · 1 / 7") && by_thread.contains("query · 1 / 8"), "{by_thread}");
}

#[test]
fn json_has_the_chosen_table_and_rows() {
    let folder = folder("json-by");
    let file = trace(&folder, "a.json", 0);
    let json = |options: &[&str]| -> Value {
        let text = Printed::of(summary().arg("--json").args(options).arg(&file)).success();
        serde_json::from_str(&text).expect("JSON")
    };
    let keys = |value: &Value| value.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
    let (all, kernels) = (json(&[]), json(&["--by", "kernels"]));
    assert_eq!(keys(&kernels), ["inputs", "ranks", "schema"]);
    assert_eq!(
        keys(&kernels["ranks"][0]),
        ["communication_backend", "definition", "input", "kernel_families", "kernels", "rank", "vendor", "world_size"]
    );
    assert_eq!(kernels["ranks"][0]["kernels"], all["ranks"][0]["kernels"]);
    let advice = json(&["--by", "advice"]);
    assert!(advice["advice"].is_array() && advice["ranks"][0]["kernels"].is_null());
    let two = json(&["--top", "2"]);
    let rows = |report: &Value, key: &str| report["ranks"][0][key].as_array().map_or(0, Vec::len);
    for key in ["kernels", "operators", "steps"] {
        let (whole, left) = (rows(&all, key), rows(&two, key));
        assert_eq!(left, whole.min(2), "{key}");
        let out = two["ranks"][0]["left_out"][key].as_u64().unwrap_or_default();
        assert_eq!(out, whole as u64 - left as u64, "{key}");
    }
    assert!(rows(&all, "operators") > 2 && rows(&all, "kernels") > 2);
    assert_eq!(json(&["--top", "0"]), all);
    for (name, _) in TITLES {
        let found = json(&["--by", name, "--top", "1"]);
        assert!(found["ranks"][0].as_object().is_some_and(|rank| rank.len() > 4), "{name}: {found}");
    }
}

#[test]
fn a_refused_file_is_told_in_three_lines() {
    let folder = folder("refused");
    let file = folder.join("notes.txt");
    fs::write(&file, "what is this").expect("a file for the test");
    let message = Printed::of(summary().arg(&file)).failure(1);
    assert!(message.lines().count() <= 3, "{message}");
    assert!(message.contains("notes.txt: not a trace of a known format: its first bytes are not JSON"), "{message}");
    let verbose = Printed::of(summary().arg("--verbose").arg(&file)).failure(1);
    assert!(verbose.contains("PyTorch profiler (Kineto JSON): ") && verbose.contains("nvprof"), "{verbose}");
    for number in 0..20 {
        fs::write(folder.join(format!("{number}.txt")), "what is this").expect("a file for the test");
    }
    let none = Printed::of(summary().arg(&folder));
    assert_eq!((none.code, none.err.lines().count()), (Some(1), 7), "{}", none.err);
    assert!(none.err.contains("16 more files"), "{}", none.err);
}

/// Targets of links are read once, and nothing outside of the folder.
#[cfg(unix)]
#[test]
fn links_in_a_folder_do_not_double_its_ranks() {
    use std::os::unix::fs::symlink;

    let folder = folder("links");
    let run = folder.join("runs/run-1");
    fs::create_dir_all(&run).expect("a folder");
    trace(&run, "rank0.json", 0);
    trace(&run, "rank1.json", 1);
    let runs = folder.join("runs");
    trace(&folder, "outside.json", 2);
    for (to, link) in [(".", "a"), (".", "b"), ("run-1", "latest-run"), ("..", "up"), ("run-1/rank0.json", "one.json")]
    {
        symlink(to, runs.join(link)).expect("a link");
    }
    let printed = Printed::of(summary().arg("--json").arg(&runs));
    let found: Value = serde_json::from_str(&printed.out).expect("JSON");
    let ranks: Vec<Option<u64>> =
        found["ranks"].as_array().expect("ranks").iter().map(|rank| rank["rank"].as_u64()).collect();
    assert_eq!(ranks, [Some(0), Some(1)]);
    assert_eq!(printed.err.lines().count(), 1, "{}", printed.err);
    for part in ["links not followed: ", "to a folder outside (", "runs/up)", "latest-run"] {
        assert!(printed.err.contains(part), "{part} in {}", printed.err);
    }
}

#[test]
fn many_files_take_two_lines() {
    let files = |columns: &str| {
        let mut command = program();
        let text = command.arg("summary").arg(fixture("mindspore/graphs/input")).env("COLUMNS", columns).output();
        let text = String::from_utf8(text.expect("it runs").stdout).expect("text");
        let from = text.lines().skip_while(|line| !line.contains(" files · "));
        from.take_while(|line| !line.starts_with("warning")).map(str::to_owned).collect::<Vec<_>>()
    };
    for (columns, more) in [("80", "2 more"), ("50", "more"), ("400", "")] {
        let lines = files(columns);
        assert!((1..=2).contains(&lines.len()) && lines.concat().contains(more), "{lines:?}");
    }
}
