//! Tables of the average step, compared with those of each step and of the whole trace; steps that a profiler recorded
//! itself.

use proptest::test_runner::TestCaseError;
use stepscope::analyze::{AnalysisConfig, BudgetMean, StepSource};
use stepscope::export::report_json::RankSet;
use stepscope::present::budget::first_sentences;
use stepscope::table::messages::Language;
use stepscope::{Code, Nanos, Rank};
use stepscope_tests::files::{FileOf, folder_ranks, rank};
use stepscope_tests::generator::{Producer, Spec};
use stepscope_tests::oracle::step_tables;

/// Tables of the average step are those of the steps.
pub(crate) fn averages_hold(rank: &Rank) -> Result<(), TestCaseError> {
    step_tables(rank).map_err(TestCaseError::fail)
}

/// One complete step is the average step; with several, sums per step and the left-out part add up to the whole.
#[test]
fn tables_per_step() {
    for steps in [1, 2, 5] {
        for producer in [Producer::Kineto, Producer::Paddle] {
            let spec = Spec { producer, steps, ..Spec::small(31) };
            let (text, _) = spec.generate();
            let rank = rank("trace.json", &text, &AnalysisConfig::standard()).expect("a trace");
            let counted = rank.analysis.steps.counted().len();
            assert!(counted == steps || steps > 2 && counted + 1 == steps, "{producer:?}: {counted} of {steps}");
            step_tables(&rank).unwrap_or_else(|error| panic!("{producer:?}, {steps} steps: {error}"));
        }
    }
}

/// A timeline of milliseconds since the first task, and the profiler's own table of steps, which counts from another moment.
fn run(table: &str, timeline: &str) -> Vec<FileOf> {
    vec![
        ("job/profiler/ascend_timeline_display_0.json".to_owned(), timeline.into()),
        ("job/profiler/step_trace_raw_0_detail_time.csv".to_owned(), table.into()),
    ]
}

const HEAD: &str = "step_num,start_point,end_point,total,fp_point,bp_point,iteration_interval,fp_and_bp,tail";

/// A run whose timeline begins with the initialization, 6 s before the only step: the step does not include it, and the
/// profiler has no average of a single step.
#[test]
fn the_profilers_table_of_steps_says_how_long_a_step_is() {
    let table = format!(
        "{HEAD}\n1,15490789606875,15490791977780,2370905,15490789606875,15490791973683,0,2366808,4097\n0,0,0,0,0,0,0,0,0\n"
    );
    let timeline = r#"[
        {"name": "AI Core OP", "ph": "X", "pid": 0, "tid": 0, "ts": 6042000.0, "dur": 5.0, "args": {"type": "Conv2D"}},
        {"name": "InitData", "ph": "X", "pid": 9000, "tid": 0, "ts": 0.0, "dur": 680.0, "args": {"type": "InitData"}},
        {"name": "process_name", "ph": "M", "pid": 0, "args": {"name": "Ascend Hardware"}}
    ]"#;
    let found = folder_ranks(&run(&table, timeline), 1 << 12, &AnalysisConfig::standard()).expect("ranks").ranks;
    let [rank] = &found[..] else { panic!("one rank") };
    let analysis = &rank.analysis;
    assert_eq!((analysis.steps.source, analysis.steps.steps.len()), (StepSource::Table, 0));
    assert_eq!((analysis.average.steps, analysis.average.length), (1, Nanos(23_709_050)));
    assert_eq!(analysis.step_trace.as_ref().expect("a step trace").average.total, Nanos(23_709_050));
    let tiles = stepscope::analyze::overview(analysis, None).tiles;
    assert_eq!(tiles.map(|tile| tile.share), [None; 5], "nothing is known of what ran in the step");
    assert!(rank.warnings.iter().any(|warning| warning.code == Code::StepsNotPlaced));
    // All reports can be made for this rank.
    let mut set = RankSet::new(usize::MAX);
    set.add(found.into_iter().next().expect("one rank"), 0);
    set.gather(0, Language::English, false);
    assert!(!set.whole_json(Language::English).is_empty());
}

/// A timeline that ends after the second of five steps: only the steps that it shows have device times, all have lengths.
#[test]
fn a_timeline_that_ends_early_makes_no_idle_steps() {
    use std::fmt::Write as _;
    let mut table = format!("{HEAD}\n");
    let mut timeline = Vec::new();
    for step in 0..5_i64 {
        // Ticks of 10 ns: steps of 1 ms, the first one shorter.
        let (start, end) = (1000 + step * 100_000, 1000 + (step + 1) * 100_000);
        let start = if step == 0 { start + 50_000 } else { start };
        let _ = writeln!(
            table,
            "{},{start},{end},{},{start},{},0,{},10",
            step + 1,
            end - start,
            end - 10,
            end - 10 - start
        );
        let micros = |ticks: i64| (ticks - 1000) as f64 / 100.0;
        let operators = [8, 8, 3, 0, 0][usize::try_from(step).expect("few")];
        for operator in 0..operators {
            let at = micros(start) + 10.0 + 110.0 * f64::from(operator) / 2.0;
            timeline.push(format!(
                r#"{{"name": "Conv2D-op{operator}", "ph": "X", "pid": 1, "tid": 3, "ts": {at}, "dur": 40.0, "args": {{"type": "Conv2D", "fullname": "Default/Conv2D-op{operator}"}}}}"#
            ));
        }
    }
    let mut files = run(&table, &format!("[{}]", timeline.join(",\n")));
    files.push(("job/profiler/min_cycle_counter_0.txt".to_owned(), b"1000".to_vec()));
    let found = folder_ranks(&files, 1 << 12, &AnalysisConfig::standard()).expect("ranks").ranks;
    let [rank] = &found[..] else { panic!("one rank") };
    let analysis = &rank.analysis;
    let steps: Vec<_> = analysis.steps.steps.iter().map(|step| (step.covered, step.partial)).collect();
    assert_eq!(steps, [(true, true), (true, false), (false, false), (false, false), (false, false)]);
    assert_eq!((analysis.average.steps, analysis.average.covered_steps), (4, 1));
    assert_eq!(analysis.average.length, Nanos(1_000_000), "without the first, as the profiler's own average");
    assert_eq!(analysis.average.length, analysis.step_trace.as_ref().expect("a step trace").average.total);
    assert_eq!(analysis.average.device.busy, Nanos(320_000));
    let warning = rank.warnings.iter().find(|warning| warning.code == Code::StepsNotCovered).expect("it is said");
    assert_eq!(warning.example, "2 of 5");
    step_tables(rank).unwrap_or_else(|error| panic!("{error}"));
}

/// A kernel of the first step runs on its stream after the last step's kernel: its link or its time is wrong. It
/// extends no step, and the first step is not a warm-up step.
#[test]
fn kernels_out_of_order_are_told_and_extend_no_step() {
    let mut events = Vec::new();
    for (step, start) in [(0, 900), (1, 160), (2, 260), (3, 360)] {
        let (mark, call, args) = (100 * step, 100 * step + 50, format!(r#""args":{{"correlation":{}}}"#, step + 1));
        events.push(format!(
            r#"{{"ph":"X","cat":"user_annotation","name":"ProfilerStep#{step}","pid":1,"tid":1,"ts":{mark},"dur":100}},
            {{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":{call},"dur":2,{args}}},
            {{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":{start},"dur":10,{args}}}"#
        ));
    }
    let text = format!(r#"{{"deviceProperties": [], "traceEvents": [{}]}}"#, events.join(","));
    let rank = rank("order.json", text.as_bytes(), &AnalysisConfig::standard()).expect("a trace");
    let warned = rank.warnings.iter().find(|warning| warning.code == Code::OutOfOrder);
    assert_eq!(warned.map(|warning| (warning.count, warning.example.as_str())), Some((1, "1 of 4 activities")));
    let average = rank.analysis.average;
    assert_eq!((average.steps, average.length), (4, Nanos(100_000)));
    step_tables(&rank).unwrap_or_else(|error| panic!("{error}"));
}

/// Marks of an inference engine are steps: nested marks of two grammars are one, and each kind is compared with its own only.
#[test]
fn marks_of_inference_engines_are_steps() {
    let mut events = Vec::new();
    let mut correlation = 0;
    let mut step = |start: u32, length: u32, launches: u32, names: &[&str]| {
        for name in names {
            events.push(format!(
                r#"{{"ph":"X","cat":"user_annotation","name":"{name}","pid":1,"tid":1,"ts":{start},"dur":{length}}}"#
            ));
        }
        for launch in 0..launches {
            correlation += 1;
            let (at, args) = (start + 1 + 2 * launch, format!(r#""args":{{"correlation":{correlation}}}"#));
            events.push(format!(
                r#"{{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":{at},"dur":1,{args}}},
                {{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":{},"dur":1,{args}}}"#,
                at + 1
            ));
        }
    };
    step(0, 100, 9, &["step[EXTEND bs=2 toks=300]"]);
    let decode = "execute_2_context_0(sq0sk0sqsq0sqsk0)_generation_2(sq2sk302sqsq2sqsk302)";
    for start in [100, 130, 160, 190] {
        step(start, 20, 3, &["step[DECODE bs=2]", decode]);
    }
    step(220, 10, 0, &["step[IDLE bs=0]"]);
    step(240, 20, 3, &["step[DECODE bs=2]"]);
    // A thread that launches nothing marks the same steps.
    events.push(
        r#"{"ph":"X","cat":"user_annotation","name":"step[DECODE bs=2]","pid":1,"tid":2,"ts":99,"dur":22}"#.into(),
    );
    let text = format!(r#"{{"schemaVersion":1,"deviceProperties":[],"traceEvents":[{}]}}"#, events.join(","));
    let rank = rank("inference.json", text.as_bytes(), &AnalysisConfig::standard()).expect("a trace");
    let steps = &rank.analysis.steps;
    assert_eq!(steps.source, StepSource::InferenceMarks);
    let names: Vec<&str> = steps.steps.iter().map(|step| step.name.as_str()).collect();
    assert_eq!(names, ["prefill 0", "decode 1", "decode 2", "decode 3", "decode 4", "idle 5", "decode 6"]);
    let facts = |step: usize| steps.steps[step].inference.map(|facts| (facts.requests, facts.tokens));
    assert_eq!((facts(0), facts(1)), (Some((Some(2), Some(300))), Some((Some(2), Some(2)))), "both marks' facts");
    // A prefill takes longer than decoding: it is not a warm-up step, and a step of another kind is not partial.
    assert!(steps.steps.iter().all(|step| !step.warm_up && !step.partial));
    assert_eq!(steps.steps[5].span.len(), Nanos::ZERO, "nothing runs in it");
    assert_eq!(steps.counted(), [0, 1, 2, 3, 4, 6]);
    // Their mean is not the length of any step, as the first sentences say.
    let budget = rank.step_budget().expect("a budget");
    let said = first_sentences(budget, Language::English).join(" ");
    assert!(said.contains("of several kinds (5 decode, 1 prefill)"), "{said}");
    let one = BudgetMean::of(&rank.trace, &rank.analysis, Some(1));
    assert!(!first_sentences(&one, Language::English).join(" ").contains("several kinds"));
}
