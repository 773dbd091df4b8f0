//! `stepscope summary`'s advice: at the end of the default output, alone, as JSON, with other thresholds and rules.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use stepscope_tests::generator::{Program, ProgramSpec, Waits};

use crate::support::{Printed, fixture, folder, program};

/// A program that waits for data.
fn written(folder: &Path) -> PathBuf {
    let spec = ProgramSpec {
        seed: 5,
        steps: 4,
        operators: 12,
        host: 4_000,
        kernel: 30_000,
        collective: 50_000,
        communicating: 10,
        data_wait: 6_000_000,
        waits: Waits::Device,
        backward_thread: true,
        tells_waits: true,
        shapes: false,
    };
    let path = folder.join("program.json");
    fs::write(&path, Program::new(spec).trace()).expect("a file");
    path
}

fn summary(path: &Path) -> Command {
    let mut command = program();
    command.arg("summary").arg(path);
    command
}

fn json(command: &mut Command) -> Value {
    serde_json::from_str(&Printed::of(command.arg("--json")).success()).expect("JSON")
}

fn rules(summary: &Value) -> Vec<&str> {
    summary["advice"].as_array().expect("a list").iter().filter_map(|one| one["rule"].as_str()).collect()
}

/// The judgement of a rule.
fn judgement<'a>(summary: &'a Value, rule: &str) -> &'a Value {
    let all = summary["advice"].as_array().expect("a list");
    all.iter().find(|one| one["rule"] == rule).expect(rule)
}

#[test]
fn the_best_advice_ends_the_summary() {
    let folder = folder("advice");
    let path = written(&folder);
    let first = Printed::of(&mut summary(&path)).success();
    let (_, end) = first.split_once("\nAdvice\n").expect("advice");
    assert!(
        end.starts_with(" 1  ") && end.contains("  Waiting for data (dataloader) · ") && end.contains(" per step ("),
        "{end}"
    );
    let text = Printed::of(summary(&path).args(["--by", "all"])).success();
    let (_, end) = text.split_once("\nAdvice (--by advice shows all rules").expect("advice");
    assert!(end.contains("  Waiting for data (dataloader) · ") && end.contains(" 1  "), "{end}");
    assert!(end.contains("num_workers") && end.contains(" per step ("), "{end}");
    assert!(!end.contains("\n\n"), "nothing follows: {end}");
}

#[test]
fn all_rules_say_something() {
    let folder = folder("advice_all");
    let path = written(&folder);
    let text = Printed::of(summary(&path).args(["--by", "advice"])).success();
    assert!(text.starts_with("Advice (gains: as in the step budget, else at most the time lost to it"), "{text}");
    for expected in [
        "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
        "Rules that passed",
        "Rules that could not be judged",
        "Allocations are not recorded.",
    ] {
        assert!(text.contains(expected), "{expected} in\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 140), "{text}");
    let found = json(summary(&path).args(["--by", "advice"]));
    let all = found["advice"].as_array().expect("a list");
    assert_eq!(all.len(), 35);
    for one in all {
        let (judged, holds) = (one["verdict"] != "not_judged", one["verdict"] == "holds");
        assert_eq!(one["value"].is_number(), judged, "{one}");
        assert_eq!(one["reason"].is_object(), !judged, "{one}");
        assert_eq!(one["gain_ns_per_step"].is_number(), holds, "{one}");
        assert!(one["threshold"].is_number() && one["text"].as_str().is_some_and(|text| text.len() > 20), "{one}");
    }
    let gains: Vec<i64> = all.iter().filter_map(|one| one["gain_ns_per_step"].as_i64()).collect();
    assert!(gains.is_sorted_by(|a, b| a >= b), "{gains:?}");
    assert_eq!(rules(&json(&mut summary(&path))), rules(&found)[..gains.len()]);
    let evidence = &all[0]["evidence"][0];
    assert_eq!((&evidence["table"], &evidence["search"]), (&"operators".into(), &evidence["name"]));
}

#[test]
fn thresholds_are_read_from_a_file() {
    let folder = folder("advice_thresholds");
    let (path, file) = (written(&folder), folder.join("thresholds.json"));
    let with = |text: &str| {
        fs::write(&file, text).expect("a file");
        let mut command = summary(&path);
        command.arg("--thresholds").arg(&file);
        command
    };
    let found = json(&mut with(r#"{"dataloader": 0.99, "long_gaps": 1e12}"#));
    assert!(!rules(&found).contains(&"dataloader") && !rules(&found).contains(&"long_gaps"), "{:?}", rules(&found));
    let message = Printed::of(&mut with(r#"{"data": 1}"#)).failure(1);
    assert!(message.contains("no rule has a threshold `data`; there are dataloader, "), "{message}");
    let message = Printed::of(&mut with("[]")).failure(1);
    assert!(message.contains("thresholds.json: expected "), "{message}");
    let message = Printed::of(summary(&path).args(["--thresholds", "not/there.json"])).failure(1);
    assert!(message.contains("not/there.json"), "{message}");
}

#[test]
fn the_plugins_rules_are_a_set_of_their_own() {
    let folder = folder("advice_plugin");
    let path = written(&folder);
    let found = json(summary(&path).args(["--by", "advice", "--rules", "tensorboard"]));
    assert_eq!(rules(&found).len(), 7);
    assert!(rules(&found).iter().all(|rule| rule.starts_with("tensorboard_")));
}

/// Ranks are judged one by one; rules that compare them are judged once.
#[test]
fn ranks_are_judged_together() {
    let folder = fixture("mindspore_tables/ascend_two_ranks/input");
    let found = json(summary(&folder).args(["--by", "advice"]));
    let of = |rule: &str| {
        let all = found["advice"].as_array().expect("a list").iter();
        all.filter(|one| one["rule"] == rule).cloned().collect::<Vec<_>>()
    };
    let [interval] = &of("iteration_interval")[..] else { panic!("told once: {found}") };
    assert_eq!(interval["ranks"].as_array().map(Vec::len), Some(2), "{interval}");
    let slow = of("slow_rank");
    assert_eq!(slow.len(), 1);
    assert!(slow[0].get("rank").is_none(), "{slow:?}");
    let whole = json(&mut summary(&folder));
    let outliers = whole["cluster"]["outliers"].as_array().map_or(0, Vec::len);
    let held = ["slow_rank", "slow_link", "unbalanced_stage"].map(|rule| of(rule)[0]["verdict"] == "holds");
    assert_eq!(outliers > 0, held.contains(&true), "{found}");
}

/// The guide's limit of an iteration interval is 1 ms, that of MindInsight's program 0.5 ms.
#[test]
fn an_iteration_interval_is_long_by_the_chosen_definition() {
    let folder = folder("advice_interval");
    // The counter ticks every 10 ns: steps of 20 ms, the second one after 0.8 ms.
    let steps = "step_num,start_point,end_point,total,fp_point,bp_point,iteration_interval,fp_and_bp,tail\n\
                 1,100000,2100000,2000000,100000,2000000,0,1900000,100000\n\
                 2,2100000,4100000,2000000,2180000,4000000,80000,1820000,100000\n\
                 -,2100000,4100000,2000000,2180000,4000000,80000,1820000,100000\n";
    // The queue in front of the device is empty in each step.
    let queue = "0 0 1 9 1000\n0 1 1 1 1000\n0 2 1 10 1000\n1 8 1 0 1000\n\
                 0 0 2 9 1020\n0 1 2 1 1020\n0 2 2 10 1020\n1 8 2 0 1020\n";
    fs::write(folder.join("step_trace_raw_0_detail_time.csv"), steps).expect("a file");
    fs::write(folder.join("device_queue_profiling_0.txt"), queue).expect("a file");
    let judged = |definition: &str| {
        let whole = json(summary(&folder).args(["--definition", definition]));
        let pipeline = &whole["ranks"][0]["pipeline"];
        let found = json(summary(&folder).args(["--definition", definition, "--by", "advice"]));
        let rule = |id: &str| {
            let one = judgement(&found, id);
            (one["verdict"].clone(), one["threshold"].clone(), one["exemption"]["code"].clone())
        };
        let (interval, processing) = (rule("iteration_interval"), rule("data_processing"));
        assert_eq!((&pipeline["interval_ns"], &pipeline["interval_limit_ns"]), (&800_000.into(), &interval.1));
        (interval.0, interval.1, pipeline["verdict"].clone(), processing.0, processing.2)
    };
    let [holds, passed] = ["holds", "passed"].map(Value::from);
    let (ours, theirs) = (judged("stepscope"), judged("mindspore"));
    assert_eq!(ours, (passed.clone(), 1_000_000.0.into(), "not_data".into(), passed.clone(), "data_are_there".into()));
    // One wait is one finding.
    assert_eq!(theirs, (passed.clone(), 500_000.0.into(), "processing".into(), holds.clone(), Value::Null));
    // Without data sinking, the limit is a part of the step; MindInsight knows none but its time.
    fs::rename(folder.join("device_queue_profiling_0.txt"), folder.join("dataset_iterator_profiling_0.txt"))
        .expect("a file");
    let judged = |definition: &str| {
        let found = json(summary(&folder).args(["--definition", definition, "--by", "advice"]));
        let one = judgement(&found, "iteration_interval").clone();
        let names = one["thresholds"].as_array().expect("thresholds").iter().map(|limit| limit["name"].clone());
        let names: Vec<Value> = names.collect();
        let holds = one["verdict"] == holds || one["exemption"]["code"] == "same_time";
        (holds, one["threshold"].clone(), names)
    };
    let names = ["iteration_interval", "iteration_interval.share"].map(Value::from);
    assert_eq!(judged("stepscope"), (false, 1_000_000.0.into(), names.to_vec()), "5 % of 20 ms");
    assert_eq!(judged("mindspore"), (true, 500_000.0.into(), names[..1].to_vec()));
}

#[test]
fn get_next_that_takes_long_is_a_finding_where_it_found_data() {
    let folder = folder("advice_get_next");
    // Steps of 20 ms; the second one begins after a `GetNext` of 1.5 ms. Its table is in µs.
    let steps = "step_num,start_point,end_point,total,fp_point,bp_point,iteration_interval,fp_and_bp,tail\n\
                 1,100000,2100000,2000000,100000,2000000,0,1900000,100000\n\
                 2,2100000,4100000,2000000,2260000,4000000,160000,1740000,100000\n\
                 -,2100000,4100000,2000000,2260000,4000000,160000,1740000,100000\n";
    fs::write(folder.join("step_trace_raw_0_detail_time.csv"), steps).expect("a file");
    let judged = |sizes: [u64; 2]| {
        let next = sizes.map(|size| format!("GetNext_dequeue_wait 1000 2500 {size}\n")).concat();
        fs::write(folder.join("minddata_aicpu_0.txt"), next).expect("a file");
        let found = json(summary(&folder).args(["--by", "advice"]));
        judgement(&found, "get_next").clone()
    };
    let long = judged([3, 5]);
    assert_eq!(
        (&long["verdict"], &long["value"], &long["gain_ns_per_step"]),
        (&"holds".into(), &0.075.into(), &1_500_000.into())
    );
    assert_eq!((&long["evidence"][0]["name"], &long["evidence"][0]["value"]), (&"GetNext".into(), &1_500_000.0.into()));
    let empty = judged([3, 0]);
    assert_eq!((&empty["verdict"], &empty["exemption"]["code"]), (&"passed".into(), &"queue_was_empty".into()));
}

/// The tuning guide with data sinking: data are moved late only if the queue on the host is never empty; else they are made
/// too slowly, also where few steps find it empty.
#[test]
fn data_are_moved_late_only_if_the_hosts_queue_is_never_empty() {
    let folder = folder("advice_sinking");
    let next: String = (0..40).map(|step| format!("GetNext_dequeue_wait 1000 2500 {}\n", step % 2)).collect();
    fs::write(folder.join("minddata_aicpu_0.txt"), next).expect("a file");
    let judged = |empty: u64, definition: &str| {
        let queue = (1..=40).map(|step| {
            let size = if step > 20 && step <= 20 + empty { 0 } else { 5 };
            format!("0 0 {step} 9 1000\n0 1 {step} 1 1000\n0 2 {step} 10 1000\n1 8 {step} {size} 1000\n")
        });
        fs::write(folder.join("device_queue_profiling_0.txt"), queue.collect::<String>()).expect("a file");
        let verdict =
            json(summary(&folder).args(["--definition", definition]))["ranks"][0]["pipeline"]["verdict"].clone();
        let found = json(summary(&folder).args(["--definition", definition, "--by", "advice"]));
        let rule = |id: &str| judgement(&found, id)["verdict"].clone();
        [verdict, rule("data_processing"), rule("data_transmission")]
            .map(|text| text.as_str().unwrap_or("-").to_owned())
    };
    for definition in ["stepscope", "mindspore"] {
        assert_eq!(judged(10, definition), ["processing", "holds", "passed"], "{definition}");
        assert_eq!(judged(0, definition), ["transmission", "passed", "holds"], "{definition}");
    }
}

/// Few late steps cost no more than the time before as many steps, and are no amount above nothing.
#[test]
fn data_that_are_late_in_few_steps_cost_no_more_than_these() {
    let folder = folder("advice_few_late");
    let next: String = (0..40).map(|step| format!("GetNext_dequeue_wait 1000 2500 {}\n", step % 2)).collect();
    fs::write(folder.join("minddata_aicpu_0.txt"), next).expect("a file");
    // The counter ticks every 10 ns: steps of 60 ms after 2 ms each, one of them after 30 ms.
    let step = |name: &str, number: u64, interval: u64| {
        let (start, end) = (number * 6_000_000, (number + 1) * 6_000_000);
        let (forward, backward, tail) = (start + interval, end - 100_000, 100_000);
        format!("{name},{start},{end},6000000,{forward},{backward},{interval},{},{tail}\n", backward - forward)
    };
    let steps = (1..=40).map(|number| {
        let interval = if number == 1 {
            0
        } else if number == 21 {
            3_000_000
        } else {
            200_000
        };
        step(&number.to_string(), number, interval)
    });
    let head = "step_num,start_point,end_point,total,fp_point,bp_point,iteration_interval,fp_and_bp,tail\n";
    let average = step("-", 1, (3_000_000 + 38 * 200_000) / 39);
    let text: String = [head.to_owned()].into_iter().chain(steps).chain([average]).collect();
    fs::write(folder.join("step_trace_raw_0_detail_time.csv"), text).expect("a file");
    let judged = |empty: u64| {
        let queue = (1..=40).map(|step| {
            let size = if step > 20 && step <= 20 + empty { 0 } else { 5 };
            format!("0 0 {step} 9 1000\n0 1 {step} 1 1000\n0 2 {step} 10 1000\n1 8 {step} {size} 1000\n")
        });
        fs::write(folder.join("device_queue_profiling_0.txt"), queue.collect::<String>()).expect("a file");
        let found = json(summary(&folder).args(["--by", "advice"]));
        let one = judgement(&found, "data_processing");
        (one["verdict"].clone(), one["gain_ns_per_step"].clone())
    };
    let holds = |gain: u64| (Value::from("holds"), Value::from(gain));
    // Without the first of 40 steps, 1 of 39 is at most 2 of 40: 30 ms and 2 ms.
    assert_eq!(judged(1), holds(32_000_000 / 40));
    assert_eq!(judged(10), holds((30_000_000 + 10 * 2_000_000) / 40));
    let text = Printed::of(summary(&folder).args(["--by", "advice"])).success();
    assert!(text.contains("(data_processing)") && !text.contains("above 0.0 %"), "{text}");
}

/// The printed summary of the Paddle guide, and the same in nvprof's layout since CUDA 8.
#[test]
fn totals_that_nvprof_printed_are_judged_in_both_layouts() {
    let folder = folder("advice_nvprof");
    let activities = [
        "27.60%  9.6305ms         5  1.9261ms  3.4560us  6.4035ms  [CUDA memcpy HtoD]",
        "26.07%  9.0957ms         1  9.0957ms  9.0957ms  9.0957ms  KeBilinearInterpBw",
        "23.78%  8.2977ms         1  8.2977ms  8.2977ms  8.2977ms  KeBilinearInterpFw",
        "22.55%  7.8661ms         2  3.9330ms  1.5798ms  6.2863ms  [CUDA memcpy DtoH]",
    ];
    let calls = [
        "46.85%  682.28ms         8  85.285ms  12.639us  682.03ms  cudaStreamCreateWithFlags",
        "1.23%   17.983ms         7  2.5690ms  23.210us  6.4563ms  cudaMemcpy",
    ];
    let lines = |rows: &[&str], kind: &str| -> String {
        let line = |(index, row): (usize, &&str)| format!("{:>16} {row}\n", if index == 0 { kind } else { "" });
        rows.iter().enumerate().map(line).collect()
    };
    let heads = "Time(%)     Time     Calls       Avg       Min       Max  Name\n";
    let begin = "==1== NVPROF is profiling process 1, command: ./a\n==1== Profiling result:\n";
    let old = format!("{begin}{heads}{}\n\n==1== API calls:\n{heads}{}\n", activities.join("\n"), calls.join("\n"));
    let typed = [lines(&activities, "GPU activities:"), lines(&calls, "API calls:")].concat();
    let new = format!("{begin}            Type  {heads}{typed}");
    for (name, text) in [("old.txt", old), ("new.txt", new)] {
        let file = folder.join(name);
        fs::write(&file, text).expect("a file");
        let found = json(summary(&file).args(["--by", "advice"]));
        let one = |rule: &str| {
            let one = judgement(&found, rule);
            let value = one["value"].as_f64().expect("a value");
            (one["verdict"].clone(), (value * 1e4).round() / 1e4, one["evidence"][0]["name"].clone())
        };
        // (9.6305 + 7.8661) of 34.89 ms; 17.3934 ms of kernels in 682.03 ms; 7 copies, none of them by an asynchronous call.
        assert_eq!(one("exposed_copies"), ("holds".into(), 0.5015, "[CUDA memcpy HtoD]".into()), "{name}");
        assert_eq!(one("low_utilization"), ("holds".into(), 0.0255, "cudaStreamCreateWithFlags".into()), "{name}");
        assert_eq!(one("synchronous_copies"), ("holds".into(), 1.0, "cudaMemcpy".into()), "{name}");
        // A summary has no sizes, rates or kinds of memory.
        assert_eq!(judgement(&found, "pageable_copies")["verdict"], "not_judged", "{name}");
        let shown = Printed::of(summary(&file).args(["--by", "advice"])).success();
        assert!(shown.contains("Copies take much of the device's time"), "{shown}");
    }
}

/// Products of an Ascend whose inputs are float32, by MindSpore's tables and by msprof's.
#[test]
fn products_in_32_bits_are_a_finding_on_an_ascend() {
    let folder = folder("advice_ascend");
    let judged = || judgement(&json(summary(&folder).args(["--by", "advice"])), "tensor_cores").clone();
    // In ms: 2 × 3 of a product, 2 of one in 16 bits that adds up in 32, 2 of others.
    let info = |types: &[&str]| {
        let input = |(index, name): (usize, &&str)| {
            format!("\"\"input_{index}\"\": {{\"\"data_type\"\": \"\"NUMBER_TYPE_{name}\"\"}}")
        };
        format!("\"{{{}}}\"", types.iter().enumerate().map(input).collect::<Vec<_>>().join(", "))
    };
    let framework = |product: &str| {
        format!(
            "task_id,stream_id,block_dim,full_kernel_name,op_name,kernel_name,kernel_type,subgraph,op_info\n\
             1,0,1,Default/MatMul-op1,Default/MatMul-op1,MatMul-op1,MatMulV2,Default,{}\n\
             2,0,1,Default/Conv2D-op2,Default/Conv2D-op2,Conv2D-op2,Conv2D,Default,{}\n\
             3,0,1,Default/Mul-op3,Default/Mul-op3,Mul-op3,Mul,Default,{}\n",
            info(&[product, product]),
            info(&["FLOAT16", "FLOAT16", "FLOAT32"]),
            info(&["FLOAT32"])
        )
    };
    let detail = "full_kernel_time,execution_time,execution_frequency\n\
                  Default/MatMul-op1,3.0,2\nDefault/Conv2D-op2,2.0,1\nDefault/Mul-op3,2.0,1\n";
    fs::write(folder.join("aicore_intermediate_0_detail.csv"), detail).expect("a file");
    fs::write(folder.join("framework_raw_0.csv"), framework("FLOAT32")).expect("a file");
    let found = judged();
    assert_eq!((&found["verdict"], found["value"].as_f64()), (&"holds".into(), Some(0.6)), "{found}");
    assert_eq!(found["evidence"][0]["name"], "Default/MatMul-op1");
    fs::write(folder.join("framework_raw_0.csv"), framework("FLOAT16")).expect("a file");
    assert_eq!(judged()["verdict"], "passed");
    for name in ["aicore_intermediate_0_detail.csv", "framework_raw_0.csv"] {
        fs::remove_file(folder.join(name)).expect("a file");
    }
    let msprof = |types: &str| {
        format!(
            "Op Name,OP Type,Task Type,Task Duration(us),Input Data Types\n\
             mm,MatMulV2,AI_CORE,30,{types}\nmm,MatMulV2,AI_CORE,30,{types}\n\
             conv,Conv2D,AI_CORE,20,FLOAT16;FLOAT16;FLOAT\nadd,Add,AI_VECTOR_CORE,20,FLOAT;FLOAT\n\
             pad,Pad,AI_CPU,500,FLOAT\n"
        )
    };
    fs::write(folder.join("op_summary_0.csv"), msprof("FLOAT;FLOAT")).expect("a file");
    let found = judged();
    assert_eq!((&found["verdict"], found["value"].as_f64()), (&"holds".into(), Some(0.6)), "{found}");
    fs::write(folder.join("op_summary_0.csv"), msprof("N/A")).expect("a file");
    assert_ne!(judged()["verdict"], "holds", "nothing says their types");
}

/// Low user time: more threads; much system time, and processes that wait for a processor: fewer.
#[test]
fn the_load_of_processors_says_whether_threads_are_too_few_or_too_many() {
    let folder = folder("advice_threads");
    // Numbers of elements that three steps find in the queue in front of the device.
    let queue = |sizes: [u64; 3]| {
        let lines = (1..).zip(sizes).map(|(step, size)| {
            format!("0 0 {step} 9 1000\n0 1 {step} 1 1000\n0 2 {step} 10 1000\n1 8 {step} {size} 1000\n")
        });
        lines.collect::<String>()
    };
    let judged = |sizes: [u64; 3], [user, sys, idle]: [u64; 3], runnable: u64, process: u64| {
        let of = |value: u64| vec![value; 12];
        let load = serde_json::json!({
            "cpu_processor_num": 8, "sampling_interval": 1000, "time_stamp": (0..12).map(|at| at * 1000).collect::<Vec<u64>>(),
            "device_info": {
                "user_utilization": of(user), "sys_utilization": of(sys), "io_utilization": of(100 - user - sys - idle),
                "idle_utilization": of(idle), "runnable_process": of(runnable), "context_switch_count": of(900),
            },
            "process_info": {"user_utilization": of(process), "sys_utilization": of(sys)},
        });
        fs::write(folder.join("minddata_cpu_utilization_0.json"), load.to_string()).expect("a file");
        fs::write(folder.join("device_queue_profiling_0.txt"), queue(sizes)).expect("a file");
        let found = json(summary(&folder).args(["--by", "advice"]));
        ["processor_few_threads", "processor_many_threads", "processor_busy", "data_processing"].map(|rule| {
            let one = judgement(&found, rule);
            let why = one["exemption"]["code"].as_str().unwrap_or("-");
            format!("{} {why}", one["verdict"].as_str().unwrap_or("-"))
        })
    };
    let (empty, full) = ([0, 0, 4], [8, 8, 8]);
    let [holds, passed, covered] = ["holds -", "passed -", "passed same_time"];
    // 10 % run programs.
    assert_eq!(judged(empty, [10, 2, 80], 2, 9), [holds, passed, passed, covered]);
    assert_eq!(judged(full, [10, 2, 80], 2, 9), ["passed data_are_there", passed, passed, passed]);
    // The process alone runs more than the machine: that counts another time.
    assert_eq!(judged(empty, [10, 2, 80], 2, 70), [passed, passed, passed, holds]);
    // Nearly half of the time runs the system, and 20 processes wait for 8 processors.
    assert_eq!(judged(empty, [35, 45, 20], 20, 30), [passed, holds, passed, covered]);
    assert_eq!(judged(empty, [35, 45, 20], 8, 30), [passed, "passed threads_fit", passed, holds]);
    assert_eq!(judged(empty, [45, 35, 20], 20, 30), [passed, "passed threads_fit", passed, holds]);
    // Processors that are busy with the system have no room for more threads.
    assert_eq!(judged(empty, [20, 75, 5], 20, 20), [covered, holds, covered, covered]);
}

/// Exchanges and gathers are no gradients: the remedy is another. The evidence says which part of the program they are of.
#[test]
fn exposed_communication_has_the_remedy_of_its_kind() {
    let folder = folder("remedies");
    let path = folder.join("a.json");
    let slice = |class: &str, name: &str, thread: u32, at: u32, length: u32, args: &str| {
        format!(
            r#"{{"ph":"X","cat":"{class}","name":"{name}","pid":1,"tid":{thread},"ts":{at},"dur":{length},"args":{{{args}}}}}"#
        )
    };
    let found_by = |(class, part): (&str, &str), name: &str, kernel: &str| {
        let step = |step: u32| {
            let at = step * 1000;
            let correlation = format!(r#""correlation":{}"#, step + 1);
            let of_device = format!(r#""device":0,"stream":7,{correlation}"#);
            [
                slice("user_annotation", &format!("ProfilerStep#{step}"), 1, at, 1000, ""),
                slice("user_annotation", "experts", 1, at + 1, 90, ""),
                slice(class, part, 1, at + 2, 5, r#""Python id":1"#),
                slice("user_annotation", name, 1, at + 10, 60, ""),
                slice("cuda_runtime", "cudaLaunchKernel", 1, at + 20, 5, &correlation),
                slice("kernel", kernel, 7, at + 40, 400, &of_device),
                slice("kernel", "gemm", 8, at + 500, 390, r#""device":0,"stream":8"#),
            ]
        };
        let events: Vec<String> = (0..4).flat_map(step).collect();
        let text = format!(r#"{{"deviceProperties": [], "traceEvents": [{}]}}"#, events.join(",\n"));
        fs::write(&path, text).expect("a file");
        let summary = json(&mut summary(&path));
        let rule = judgement(&summary, "exposed_communication");
        assert_eq!(rule["evidence"][0]["within"], "experts", "{name}");
        rule["wording"].as_str().map(str::to_owned)
    };
    let found_of = |name: &str, kernel: &str| found_by(("cpu_op", "aten::mm"), name, kernel);
    let found = |name: &str| found_of(name, "ncclDevKernel_Generic(x)");
    assert_eq!(found("nccl:all_to_all").as_deref(), Some("exposed_communication.exchange"));
    assert_eq!(found("nccl:recv 0<-1").as_deref(), Some("exposed_communication.exchange"));
    assert_eq!(found("nccl:_all_gather_base").as_deref(), Some("exposed_communication.gather"));
    assert_eq!(found("nccl:all_reduce"), None);
    assert_eq!(found("nccl:broadcast"), None, "it gathers nothing");
    // Sums of layers in a forward pass without a backward one.
    let module = ("python_function", "nn.Module: Linear_0");
    let summed = found_by(module, "nccl:all_reduce", "ncclDevKernel_Generic(x)");
    assert_eq!(summed.as_deref(), Some("exposed_communication.exchange"));
    assert_eq!(found_of("nccl:coalesced", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(x)"), None, "joined gradients");
    let gathers = found_of("nccl:coalesced", "ncclDevKernel_AllGather_RING_LL(x)");
    assert_eq!(gathers.as_deref(), Some("exposed_communication.gather"));
}

/// A pipeline of tf.data that prefetches and maps in parallel is not advised to.
#[test]
fn a_pipeline_of_tf_data_is_advised_what_it_does_not_do_yet() {
    let folder = folder("tf_data");
    let path = folder.join("a.json");
    let slice = |name: &str, thread: u32, at: u32, length: u32| {
        format!(
            r#"{{"ph":"X","pid":701,"tid":{thread},"name":"{name}","ts":{at},"dur":{length},"args":{{"long_name":"{name}","id":"1"}}}}"#
        )
    };
    let wording = |stages: &[&str]| {
        let step = |step: u32| {
            let at = step * 1000;
            let marks = [
                format!(
                    r#"{{"ph":"X","pid":701,"tid":1,"name":"train","ts":{at},"dur":1000,"args":{{"step_num":"{step}"}}}}"#
                ),
                slice("IteratorGetNext", 1, at + 10, 600),
                slice("MatMul", 1, at + 650, 300),
            ];
            let stages = stages.iter().map(|name| slice(&format!("Iterator::{name}"), 2, at + 20, 500));
            marks.into_iter().chain(stages).collect::<Vec<_>>()
        };
        let process = r#"{"ph":"M","pid":701,"name":"process_name","args":{"name":"/host:CPU"}}"#.to_owned();
        let events: Vec<String> = [process].into_iter().chain((0..4).flat_map(step)).collect();
        fs::write(&path, format!("[{}]", events.join(",\n"))).expect("a file");
        let summary = json(&mut summary(&path));
        assert_eq!(judgement(&summary, "dataloader")["verdict"], "holds", "{stages:?}");
        judgement(&summary, "dataloader")["wording"].as_str().map(str::to_owned)
    };
    assert_eq!(wording(&["BatchV2"]).as_deref(), Some("dataloader.tf_data"));
    assert_eq!(wording(&["Root::Prefetch"]).as_deref(), Some("dataloader.tf_data"), "maps are not parallel");
    let ahead = wording(&["Root::Prefetch", "Root::Prefetch::BatchV2::ParallelMapV2"]);
    assert_eq!(ahead.as_deref(), Some("dataloader.tf_data_ahead"));
}

#[test]
fn a_cause_without_a_rule_comes_first_with_its_fix() {
    let text = Printed::of(summary(&fixture("kineto/two_devices/input.json")).args(["--by", "advice"])).success();
    let lines: Vec<&str> = text.lines().skip(1).take(4).collect();
    assert_eq!(lines[0], "31.7 % of the recorded time (19.00 µs) is lost to the host launching too slowly.", "{text}");
    assert!(lines[1].trim_start().starts_with("Capture graphs"), "{text}");
    assert_eq!(lines[2], "Other findings");
    assert!(lines[3].starts_with(" 1  One operator takes"), "{text}");
}
