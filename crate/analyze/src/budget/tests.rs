//! The budget against simulated schedules: a cause is charged no more than removing it saves.

use proptest::prelude::{Strategy, prop_assert, prop_assert_eq, proptest};
use proptest::prop_oneof;

use super::causes::causes;
use super::report::Budget;
use super::{BudgetLeaf, BudgetMean, CauseKind, Debt, FirstLine, budget};
use crate::{Analysis, AnalysisConfig, IdleLeaf, analyze};
use stepscope_base::Nanos;
use stepscope_input::Loader;
use stepscope_trace::Trace;

/// The host's next act, with its length in microseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Act {
    Work(i64),
    /// Launches a kernel of this length.
    Launch(i64),
    /// Waits for the device.
    Synchronize,
    /// Waits for the device, and frees memory.
    Free(i64),
    Allocate(i64),
    Load(i64),
    Collect(i64),
}

impl Act {
    fn debt(self) -> Option<Debt> {
        Some(match self {
            Self::Work(_) | Self::Launch(_) => return None,
            Self::Synchronize => Debt::Synchronization,
            Self::Free(_) | Self::Allocate(_) => Debt::Allocation,
            Self::Load(_) => Debt::Data,
            Self::Collect(_) => Debt::GarbageCollection,
        })
    }
}

/// Runs a schedule of one thread and one stream, without the acts that make a debt. Returns when the device is done.
fn run(acts: &[Act], without: Option<Debt>, mut see: impl FnMut(&str, &str, i64, i64, u64)) -> i64 {
    let (mut host, mut device) = (0_i64, 0_i64);
    for (act, number) in acts.iter().zip(1_u64..) {
        if without.is_some() && act.debt() == without {
            continue;
        }
        let start = host;
        let wait = (device - host).max(1);
        let (category, name, length) = match *act {
            Act::Work(length) => ("cpu_op", "aten::work", length),
            Act::Launch(_) => ("cuda_runtime", "cudaLaunchKernel", 2),
            Act::Synchronize => ("cuda_runtime", "cudaDeviceSynchronize", wait),
            Act::Free(length) => ("cuda_runtime", "cudaFree", wait + length),
            Act::Allocate(length) => ("cuda_runtime", "cudaMalloc", length),
            Act::Load(length) => {
                ("user_annotation", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", length)
            }
            Act::Collect(length) => ("python_function", "<built-in function collect>", length),
        };
        host += length;
        see(category, name, start, length, number);
        if let Act::Launch(length) = *act {
            let begin = device.max(host + 1);
            device = begin + length;
            see("kernel", "gemm", begin, length, number);
        }
    }
    device
}

fn trace_of(acts: &[Act]) -> (Trace, Analysis) {
    let mut events = Vec::new();
    run(acts, None, |category, name, start, length, number| {
        let is_kernel = category == "kernel";
        let (process, thread) = if is_kernel { (0, 7) } else { (1, 1) };
        let launches = is_kernel || name == "cudaLaunchKernel";
        let arguments = if launches { format!(r#""correlation":{number}"#) } else { String::new() };
        events.push(format!(
            r#"{{"ph":"X","cat":"{category}","name":"{name}","pid":{process},"tid":{thread},"ts":{start},"dur":{length},"args":{{{arguments}}}}}"#
        ));
    });
    loaded(&events)
}

fn loaded(events: &[String]) -> (Trace, Analysis) {
    let text = format!(r#"{{"deviceProperties": [], "traceEvents": [{}]}}"#, events.join(","));
    let mut loader = Loader::new("simulated.json");
    loader.space(text.len()).copy_from_slice(text.as_bytes());
    loader.advance(text.len()).expect("a trace");
    let trace = loader.finish().expect("a trace").trace;
    let analysis = analyze(&trace, &AnalysisConfig::standard());
    (trace, analysis)
}

fn is_of(leaf: BudgetLeaf, debt: Debt) -> bool {
    match leaf {
        BudgetLeaf::LeadLost(lost) => lost == debt,
        BudgetLeaf::Idle(leaf) => Debt::of(leaf) == Some(debt),
        _ => false,
    }
}

fn adds_up(found: &Budget) -> Result<(), String> {
    for device in &found.devices {
        if device.trace.total() != device.trace_length {
            return Err(format!("{:?} of the trace is not {:?}", device.trace.total(), device.trace_length));
        }
        for (times, window) in device.windows.iter().zip(&found.windows) {
            if times.total() != window.len() {
                return Err(format!("{times:?} is not {window:?}"));
            }
        }
    }
    Ok(())
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        4 => (1_i64..20).prop_map(Act::Work),
        6 => (1_i64..60).prop_map(Act::Launch),
        1 => proptest::prelude::Just(Act::Synchronize),
        1 => (1_i64..20).prop_map(Act::Free),
        1 => (1_i64..20).prop_map(Act::Allocate),
        1 => (1_i64..60).prop_map(Act::Load),
        1 => (1_i64..40).prop_map(Act::Collect),
    ];
    proptest::collection::vec(act, 2..60)
}

proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(2000))]

    #[test]
    fn a_cause_is_charged_no_more_than_removing_it_saves(acts in acts()) {
        // Something is launched, with an operator before it.
        let acts = [&[Act::Work(3), Act::Launch(5)], &acts[..]].concat();
        let (trace, analysis) = trace_of(&acts);
        let found = budget(&trace, &analysis);
        prop_assert_eq!(adds_up(&found), Ok(()));
        let all = run(&acts, None, |_, _, _, _, _| ());
        for debt in Debt::ALL {
            let saved = all - run(&acts, Some(debt), |_, _, _, _, _| ());
            let charged = found.devices[0].trace.sum(|leaf| is_of(leaf, debt));
            prop_assert!(charged <= Nanos(saved * 1000), "{debt:?}: {charged:?} of {saved} in {acts:?}");
            // All that the host does is recorded here, so that all of the time is in functions.
            let kind = CauseKind::of(BudgetLeaf::LeadLost(debt));
            let functions = found.devices[0].functions.iter().filter(|(of, _)| *of == kind);
            prop_assert_eq!(functions.map(|(_, function)| function.time).sum::<Nanos>(), charged, "{:?}", acts);
        }
    }
}

/// The host waited while the device was busy, and then launches with an empty queue.
#[test]
fn lead_that_a_wait_lost() {
    let kernels = |wait: bool| {
        let mut acts = Vec::new();
        for _ in 0..10 {
            acts.extend([Act::Work(10), Act::Launch(100)]);
            if wait {
                acts.push(Act::Synchronize);
            }
        }
        acts
    };
    let (trace, analysis) = trace_of(&kernels(true));
    let found = budget(&trace, &analysis);
    let times = &found.devices[0].trace;
    // Before each kernel but the first, the host works for 10 µs; then comes the launch.
    assert_eq!(times.get(BudgetLeaf::LeadLost(Debt::Synchronization)), Nanos(90_000));
    assert_eq!(times.get(BudgetLeaf::Idle(IdleLeaf::Operator)), Nanos(10_000));
    let (list, first) = causes(&trace, &found);
    assert_eq!(list[0].kind, CauseKind::Synchronization);
    // The work is in other functions; the lead was lost in this one.
    let functions = list[0].functions.iter().map(|function| (trace.name_of(function.event), function.time));
    assert_eq!(functions.collect::<Vec<_>>(), [("cudaDeviceSynchronize", Nanos(90_000))]);
    // Roofs of kernels without operators are not known, which is most of the time.
    assert_eq!((first, list[0].share > 0.05), (FirstLine::LimitUnknown, true));
    let (trace, analysis) = trace_of(&kernels(false));
    let found = budget(&trace, &analysis);
    assert_eq!(found.devices[0].trace.sum(|leaf| is_of(leaf, Debt::Synchronization)), Nanos::ZERO);
}

/// A wait for a worker of the loader ends at the worker's own time: earlier work costs nothing.
#[test]
fn a_worker_s_time_is_its_own() {
    let of = |loader: &str| {
        let slice = |category: &str, name: &str, thread: i64, start: i64, length: i64, arguments: &str| {
            format!(
                r#"{{"ph":"X","cat":"{category}","name":"{name}","pid":{},"tid":{thread},"ts":{start},"dur":{length},"args":{{{arguments}}}}}"#,
                thread % 7
            )
        };
        let events = [
            slice("cuda_runtime", "cudaLaunchKernel", 1, 0, 2, r#""correlation":1"#),
            slice("kernel", "gemm", 7, 3, 100, r#""correlation":1"#),
            slice("cpu_op", "aten::item", 1, 5, 40, ""),
            slice("user_annotation", loader, 1, 50, 55, ""),
            slice("cpu_op", "aten::mm", 1, 105, 30, ""),
            slice("cuda_runtime", "cudaLaunchKernel", 1, 130, 2, r#""correlation":2"#),
            slice("kernel", "gemm", 7, 133, 10, r#""correlation":2"#),
        ];
        let (trace, analysis) = loaded(&events);
        let found = budget(&trace, &analysis);
        assert_eq!(adds_up(&found), Ok(()));
        let times = &found.devices[0].trace;
        [Debt::Synchronization, Debt::Data].map(|debt| times.get(BudgetLeaf::LeadLost(debt)).0 / 1000)
    };
    // 25 µs of work before the launch: all of it is paid from the debts of 40 and 53 µs, by their order.
    assert_eq!(of("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"), [25, 0]);
    assert_eq!(of("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"), [0, 25]);
}

/// A mean of steps hides the one that waits for data.
#[test]
fn a_cause_in_one_step_is_told_from_one_in_all() {
    let of = |waits: [i64; 4]| {
        let mut events = Vec::new();
        let slice = |category: &str, name: &str, thread: i64, start: i64, length: i64, arguments: &str| {
            format!(
                r#"{{"ph":"X","cat":"{category}","name":"{name}","pid":{},"tid":{thread},"ts":{start},"dur":{length},"args":{{{arguments}}}}}"#,
                thread % 7
            )
        };
        let mut now = 0;
        for (number, wait) in (1_i64..).zip(waits) {
            let correlation = format!(r#""correlation":{number}"#);
            let loader = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__";
            events.push(slice("user_annotation", &format!("ProfilerStep#{number}"), 1, now, wait + 110, ""));
            events.push(slice("user_annotation", loader, 1, now + 1, wait, ""));
            events.push(slice("cuda_runtime", "cudaLaunchKernel", 1, now + wait + 2, 2, &correlation));
            events.push(slice("kernel", "gemm", 7, now + wait + 5, 100, &correlation));
            now += wait + 110;
        }
        let (trace, analysis) = loaded(&events);
        let mean = BudgetMean::of(&trace, &analysis, None);
        let cause = mean.causes.into_iter().find(|cause| cause.kind == CauseKind::DataPipeline).expect("a cause");
        cause.few_steps.map(|few| (few.names.join(" "), few.of, few.means.map(|mean| mean.0 / 1000)))
    };
    assert_eq!(of([40, 40, 40, 40]), None);
    assert_eq!(of([10, 10, 400, 10]).map(|(steps, of, _)| (steps, of)), Some(("3".to_owned(), 4)));
}

/// A device communicates for longer than it computes: overlap hides no more than the computation that runs alone.
#[test]
fn communication_hides_beside_no_more_than_there_is() {
    let slice = |category: &str, name: &str, thread: i64, [start, length]: [i64; 2], number: i64| {
        let process = i64::from(category != "kernel");
        format!(
            r#"{{"ph":"X","cat":"{category}","name":"{name}","pid":{process},"tid":{thread},"ts":{start},"dur":{length},"args":{{"correlation":{number},"stream":{thread}}}}}"#
        )
    };
    let of = |alone: i64| {
        let (trace, analysis) = loaded(&[
            slice("cuda_runtime", "cudaLaunchKernel", 1, [0, 1], 1),
            slice("cuda_runtime", "cudaLaunchKernel", 1, [2, 1], 2),
            slice("kernel", "gemm", 7, [4, alone + 20], 1),
            slice("kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL", 9, [4 + alone, 100], 2),
        ]);
        let mean = BudgetMean::of(&trace, &analysis, None);
        let cause = mean.causes.into_iter().find(|cause| cause.kind == CauseKind::Communication).expect("a cause");
        (cause.score.0 / 1000, cause.can_hide.map(|time| time.0 / 1000))
    };
    assert_eq!(of(30), (80, Some(30)), "20 of 50 µs run beside it already");
    assert_eq!(of(200), (80, None), "all of it can be hidden");
}

/// Ten steps of four launches of kernels that wait for nothing; `change` gives the name of a kernel, the length of its
/// launch and a call before that, by the launch's number.
fn launching(change: impl Fn(i64) -> (String, i64, Option<(&'static str, i64)>)) -> BudgetMean {
    let slice = |category: &str, name: &str, thread: i64, at: i64, length: i64, args: &str| {
        format!(
            r#"{{"ph":"X","cat":"{category}","name":"{name}","pid":1,"tid":{thread},"ts":{at},"dur":{length},"args":{{{args}}}}}"#
        )
    };
    let (mut at, mut events) = (0, Vec::new());
    for step in 0..10 {
        let begin = at;
        for number in step * 4..step * 4 + 4 {
            let (kernel, length, call) = change(number);
            if let Some((name, length)) = call {
                events.push(slice("cuda_runtime", name, 1, at, length, ""));
                at += length;
            }
            let correlation = format!(r#""correlation":{}"#, number + 1);
            events.push(slice("cuda_runtime", "cudaLaunchKernel", 1, at, length, &correlation));
            at += length;
            events.push(slice("kernel", &kernel, 7, at, 90, &format!(r#""device":0,"stream":7,{correlation}"#)));
            at += 100;
        }
        events.push(slice("user_annotation", &format!("ProfilerStep#{step}"), 1, begin, at - begin, ""));
    }
    let (trace, analysis) = loaded(&events);
    BudgetMean::of(&trace, &analysis, None)
}

#[test]
fn slow_first_launches_are_no_slow_launching() {
    let of = |name: fn(i64) -> String| {
        let found = launching(|number| (name(number), if number % 9 == 8 { 700 } else { 5 }, None));
        found.causes.first().map(|cause| cause.kind)
    };
    // The kernels of the slow launches are new, or were launched before.
    assert_eq!(of(|number| format!("gemm_{}", if number % 9 == 8 { number } else { 0 })), Some(CauseKind::SlowCalls));
    assert_eq!(of(|_| "gemm".to_owned()), Some(CauseKind::LaunchBound));
    // A kernel whose launches are always slow: its first one is not slow for being new.
    assert_eq!(of(|number| if number % 9 == 8 { "slow" } else { "gemm" }.to_owned()), Some(CauseKind::LaunchBound));
}

#[test]
fn allocations_in_the_first_steps_only_are_a_warm_up() {
    // The first of them is left out as a warm-up.
    let in_step = |step: i64| {
        let found = launching(|number| {
            let allocates = number >= step * 4 && number < step * 4 + 8;
            ("gemm".to_owned(), 5, allocates.then_some(("cudaMalloc", 30)))
        });
        found.causes.iter().find(|cause| cause.kind == CauseKind::Allocation).map(|cause| cause.wording)
    };
    assert_eq!((in_step(0), in_step(5)), (Some("allocation_warm_up"), Some("allocation")));
    // Later steps go on allocating: a longer warm-up would not end that.
    let found = launching(|number| ("gemm".to_owned(), 5, Some(("cudaMalloc", if number < 8 { 200 } else { 20 }))));
    let wording = found.causes.iter().find(|cause| cause.kind == CauseKind::Allocation).map(|cause| cause.wording);
    assert_eq!(wording, Some("allocation"));
}
