//! The call tree of generated traces, compared with the union of each thread's slices; and of stacks made by hand.

use std::collections::BTreeSet;

use proptest::prelude::{prop_assert, prop_assert_eq};
use proptest::test_runner::TestCaseError;
use stepscope::analyze::{
    AnalysisConfig, CallGrouping, CallNode, CallScope, Called, IntervalSet, KernelGrouping, LaunchedBy,
    LaunchedOutside, OperatorGrouping, OperatorsConfig, Phase, PhaseSource, StepChoice, call_groupings, call_tree,
    kernels, operators, operators_in, working_call_tree,
};
use stepscope::trace::{Class, Layer, Track};
use stepscope::{Interval, Nanos, Rank};
use stepscope_tests::files::rank as read;

/// A thread's time is the union of its slices, however they are nested, and each moment of it is in one node's self
/// time.
pub(crate) fn covers_threads(rank: &Rank) -> Result<(), TestCaseError> {
    let (trace, steps) = (&rank.trace, &rank.analysis.steps);
    let tree = call_tree(trace, &rank.analysis, StepChoice::Whole.into(), CallGrouping::Calls);
    let mut threads: Vec<_> = Vec::new();
    for track in &trace.tracks {
        let id = (track.process, track.thread);
        if matches!(track.layer, Layer::Host | Layer::Python) && !threads.contains(&id) {
            threads.push(id);
        }
    }
    let is_mark =
        |id| steps.source.is_marked() && steps.steps.iter().any(|step| step.host == trace.slices.interval(id));
    let mut covered = Nanos::ZERO;
    for thread in threads {
        let tracks = trace.tracks.iter().filter(|track| {
            (track.process, track.thread) == thread && matches!(track.layer, Layer::Host | Layer::Python)
        });
        let calls = tracks.flat_map(Track::events);
        let calls = calls.filter(|id| trace.slices.class(*id) != Class::Annotation || !is_mark(*id));
        covered += IntervalSet::of(calls.map(|id| trace.slices.interval(id))).len();
    }
    let device = tree.device;
    let by_phase = call_tree(trace, &rank.analysis, StepChoice::Whole.into(), CallGrouping::Phases);
    for tree in [tree, by_phase] {
        prop_assert_eq!(tree.left_out, 0);
        prop_assert_eq!((tree.host, tree.device), (covered, device));
        prop_assert_eq!(tree.nodes.iter().map(|node| node.host_self).sum::<Nanos>(), covered);
        prop_assert_eq!(tree.nodes.iter().map(|node| node.device_self).sum::<Nanos>(), device);
        for (place, node) in tree.nodes.iter().enumerate() {
            let children = tree.nodes.iter().filter(|child| child.parent == Some(place));
            let (host, device) = children.fold((node.host_self, node.device_self), |(host, device), child| {
                (host + child.host, device + child.device)
            });
            prop_assert_eq!((node.host, node.device), (host, device));
            prop_assert!(node.host_self >= Nanos::ZERO);
        }
    }
    Ok(())
}

/// In each step, and in the whole trace, the call tree has for each name the host time and the calls of the table of operators.
pub(crate) fn same_as_operators(rank: &Rank) -> Result<(), TestCaseError> {
    let (trace, steps) = (&rank.trace, &rank.analysis.steps);
    let choices = (0..steps.steps.len()).map(StepChoice::One).chain([StepChoice::Whole]);
    for choice in choices {
        let tree = call_tree(trace, &rank.analysis, choice.into(), CallGrouping::Calls);
        prop_assert_eq!(tree.left_out, 0);
        let found = operators_in(trace, OperatorsConfig::standard(), choice.scope(steps).as_ref());
        let called = |node: &CallNode, name: &str| {
            matches!(node.call, Called::Name(id) if trace.strings.get(id) == name)
                && matches!(node.class, Some(Class::Operator | Class::Annotation))
        };
        let is_inside = |node: &CallNode, name: &str| {
            let parent = |node: &&CallNode| node.parent.map(|parent| &tree.nodes[parent]);
            std::iter::successors(parent(&node), parent).any(|around| called(around, name))
        };
        for name in found.rows.iter().map(|row| row.name.as_str()).collect::<BTreeSet<_>>() {
            let rows = found.rows.iter().filter(|row| row.name == name);
            let table = rows.fold((0, Nanos::ZERO, Nanos::ZERO), |(calls, total, own), row| {
                (calls + row.calls, total + row.host_total, own + row.host_self)
            });
            let nodes = tree.nodes.iter().filter(|node| called(node, name));
            let of_tree = nodes.fold((0, Nanos::ZERO, Nanos::ZERO), |(calls, total, own), node| {
                let outermost = if is_inside(node, name) { Nanos::ZERO } else { node.host };
                (calls + node.calls, total + outermost, own + node.host_self)
            });
            prop_assert_eq!(of_tree, table, "{} in {:?}", name, choice);
        }
    }
    Ok(())
}

/// Names, calls, host and own host time in µs.
fn said<'a>(rank: &'a Rank, nodes: &[CallNode]) -> Vec<(&'a str, u64, i64, i64)> {
    let of = |node: &CallNode| match node.call {
        Called::Name(name) => {
            Some((rank.trace.strings.get(name), node.calls, node.host.0 / 1000, node.host_self.0 / 1000))
        }
        Called::Thread(_) | Called::Phase(_) => None,
    };
    nodes.iter().filter_map(of).collect()
}

fn rank(text: &str) -> Rank {
    read("hand.json", text.as_bytes(), &AnalysisConfig::standard()).expect("a trace")
}

/// A slice of process 1, in µs.
fn event(cat: &str, name: &str, tid: u64, ts: u64, dur: u64) -> String {
    format!(r#"{{"ph":"X","cat":"{cat}","name":"{name}","pid":1,"tid":{tid},"ts":{ts},"dur":{dur}}}"#)
}

/// Two steps of 100 and 200 µs in a loop that began before them; a thread beside them.
fn two_steps() -> Rank {
    let events = [
        event("python_function", "loop", 1, 0, 500),
        event("user_annotation", "ProfilerStep#1", 1, 100, 100),
        event("cpu_op", "aten::mm", 1, 110, 40),
        event("user_annotation", "ProfilerStep#2", 1, 200, 200),
        event("python_function", "forward", 1, 210, 100),
        event("cpu_op", "aten::mm", 1, 220, 60),
        event("cpu_op", "backward", 2, 350, 100),
    ];
    rank(&format!("[{}]", events.join(",")))
}

/// A call that a step's edge cuts has its time in each step in both tables; its mean is of whole calls.
#[test]
fn a_call_across_steps_has_in_each_step_its_time_there() {
    let events = [
        event("user_annotation", "ProfilerStep#1", 1, 0, 100),
        event("user_annotation", "ProfilerStep#2", 1, 100, 100),
        event("cpu_op", "execute", 2, 40, 100),
        event("cpu_op", "aten::mm", 2, 90, 30),
    ];
    let rank = rank(&format!("[{}]", events.join(",")));
    same_as_operators(&rank).expect("one rule");
    let of = |step: usize| {
        let scope = StepChoice::One(step).scope(&rank.analysis.steps);
        let found = operators_in(&rank.trace, OperatorsConfig::standard(), scope.as_ref());
        let row = found.rows.into_iter().find(|row| row.name == "execute").expect("it runs in both");
        [row.calls.cast_signed(), row.host_total.0, row.host_self.0, row.host_mean().0]
    };
    assert_eq!([of(0), of(1)], [[1, 60_000, 50_000, 100_000], [0, 40_000, 20_000, 0]]);
}

#[test]
fn steps_share_their_stacks_and_cut_what_reaches_beyond_them() {
    let rank = two_steps();
    assert_eq!(rank.analysis.steps.steps.len(), 2);
    let of = |choice: StepChoice| call_tree(&rank.trace, &rank.analysis, choice.into(), CallGrouping::Calls);
    let whole = of(StepChoice::Whole);
    let calls = [
        ("loop", 1, 500, 360),
        ("forward", 1, 100, 40),
        ("aten::mm", 1, 60, 60),
        ("aten::mm", 1, 40, 40),
        ("backward", 1, 100, 100),
    ];
    assert_eq!(said(&rank, &whole.nodes), calls);
    // `loop` began before both steps: its time in them counts, and no call of it.
    let first = of(StepChoice::One(0));
    assert_eq!(said(&rank, &first.nodes), [("loop", 0, 100, 60), ("aten::mm", 1, 40, 40)]);
    let second = of(StepChoice::One(1));
    let calls = [("loop", 0, 200, 100), ("forward", 1, 100, 40), ("aten::mm", 1, 60, 60), ("backward", 1, 50, 50)];
    assert_eq!(said(&rank, &second.nodes), calls);
}

#[test]
fn what_ends_after_its_caller_by_rounding_is_called_by_it_and_else_counts_from_its_end() {
    let text = |end: u64| {
        format!(
            r#"[{{"ph":"X","cat":"python_function","name":"f","pid":1,"tid":1,"ts":0,"dur":100}},
            {{"ph":"X","cat":"cpu_op","name":"op","pid":1,"tid":1,"ts":50,"dur":{end}.5}}]"#
        )
    };
    let tree = |end| {
        let rank = rank(&text(end));
        let tree = call_tree(&rank.trace, &rank.analysis, StepChoice::Whole.into(), CallGrouping::Calls);
        said(&rank, &tree.nodes)
            .into_iter()
            .map(|(name, _, host, own)| (name.to_owned(), host, own))
            .collect::<Vec<_>>()
    };
    assert_eq!(tree(50), [("f".to_owned(), 100, 50), ("op".to_owned(), 50, 50)]);
    assert_eq!(tree(80), [("f".to_owned(), 100, 100), ("op".to_owned(), 30, 30)]);
}

#[test]
fn without_marked_steps_the_outermost_range_is_no_mark() {
    let rank = rank(
        r#"[{"ph":"X","cat":"user_annotation","name":"main","pid":1,"tid":1,"ts":0,"dur":100},
        {"ph":"X","cat":"user_annotation","name":"load","pid":1,"tid":1,"ts":10,"dur":30}]"#,
    );
    let tree = call_tree(&rank.trace, &rank.analysis, StepChoice::Whole.into(), CallGrouping::Calls);
    assert_eq!(said(&rank, &tree.nodes), [("main", 1, 100, 70), ("load", 1, 30, 30)]);
}

#[test]
fn many_calls_that_cross_each_other_take_no_longer_than_their_number() {
    let of = |index: u64| {
        format!(r#"{{"ph":"X","cat":"cpu_op","name":"op","pid":1,"tid":1,"ts":{},"dur":1000000}}"#, 10 * index)
    };
    let events: Vec<String> = (0..100_000).map(of).collect();
    let rank = rank(&format!("[{}]", events.join(",")));
    let tree = call_tree(&rank.trace, &rank.analysis, StepChoice::Whole.into(), CallGrouping::Calls);
    // Each is counted from where the one before ends.
    assert_eq!(said(&rank, &tree.nodes), [("op", 100_000, 1_999_990, 1_999_990)]);
}

/// The ranges of CUPTI's range profiler are named after kernels, and no function of a thread calls them.
#[test]
fn hardware_counters_are_no_calls() {
    let rank = super::advice_hand::rank_of(&[
        super::advice_hand::slice("cpu_op", "aten::mm", 1, (0, 10), ""),
        super::advice_hand::slice("cuda_profiler_range", "gemm", 0, (0, 90), r#""smsp__cycles.sum":7"#),
    ]);
    let tree = call_tree(&rank.trace, &rank.analysis, StepChoice::Whole.into(), CallGrouping::Calls);
    let names = tree.nodes.iter().filter_map(|node| match node.call {
        Called::Name(name) => Some(rank.trace.strings.get(name)),
        Called::Thread(_) | Called::Phase(_) => None,
    });
    assert_eq!(names.collect::<Vec<_>>(), ["aten::mm"]);
}

/// A trace of a training step: `Net_0` with two linear layers, an operator between these, one after the model, and a backward pass
/// on a thread of its own. Each call of the runtime launches a kernel.
fn modules() -> Rank {
    modules_with(0)
}

/// The same, with a second layer and its kernel that take so many µs more.
pub(crate) fn modules_with(more: u64) -> Rank {
    let event = |cat: &str, name: &str, tid: u64, (ts, dur): (u64, u64)| {
        format!(r#"{{"ph":"X","cat":"{cat}","name":"{name}","pid":1,"tid":{tid},"ts":{ts},"dur":{dur}}}"#)
    };
    let launch = |correlation: u64, tid: u64, ts: u64, call: &str, kernel: (u64, u64)| {
        let (at, dur) = kernel;
        format!(
            r#"{{"ph":"X","cat":"cuda_runtime","name":"{call}","pid":1,"tid":{tid},"ts":{ts},"dur":2,"args":{{"correlation":{correlation}}}}},
            {{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":{at},"dur":{dur},"args":{{"correlation":{correlation},"device":0,"stream":7}}}}"#
        )
    };
    let start = "cudaLaunchKernel";
    let events = [
        event("user_annotation", "ProfilerStep#1", 1, (0, 400)),
        event("python_function", "train.py(3): train", 1, (0, 390)),
        event("python_function", "nn.Module: Net_0", 1, (10, 200)),
        event("python_function", "net.py(5): forward", 1, (12, 190)),
        event("python_function", "nn.Module: Linear_0", 1, (20, 60)),
        event("cpu_op", "aten::linear", 1, (25, 50)),
        launch(1, 1, 30, start, (50, 10)),
        event("python_function", "nn.Module: Linear_1", 1, (90, 40 + more)),
        event("cpu_op", "aten::linear", 1, (95, 30)),
        launch(2, 1, 100, start, (110, 20 + more)),
        // The sum of two outputs, in the model but in none of its layers.
        event("cpu_op", "aten::add", 1, (140, 30)),
        launch(3, 1, 150, start, (160, 5)),
        // The loss, after the model; a graph of kernels.
        event("cpu_op", "aten::mse_loss", 1, (220, 20)),
        launch(4, 1, 225, start, (230, 3)),
        launch(5, 1, 245, "cudaGraphLaunch", (250, 7)),
        event("cpu_op", "autograd::engine::evaluate_function: AddmmBackward0", 2, (260, 40)),
        launch(6, 2, 270, start, (280, 30)),
    ];
    rank(&format!(r#"{{"deviceProperties":[{{"id":0,"name":"gpu"}}],"traceEvents":[{}]}}"#, events.join(",")))
}

/// The names of nodes, threads as `-`, with host, own host, device and own device time in µs.
fn times(rank: &Rank, nodes: &[CallNode]) -> Vec<(String, [i64; 4])> {
    let name = |node: &CallNode| match node.call {
        Called::Name(name) => rank.trace.strings.get(name).to_owned(),
        Called::Thread(_) => "-".to_owned(),
        Called::Phase(phase) => ["phase ", phase.name()].concat(),
    };
    let of = |node: &CallNode| [node.host, node.host_self, node.device, node.device_self].map(|time| time.0 / 1000);
    nodes.iter().map(|node| (name(node), of(node))).collect()
}

#[test]
fn what_a_module_does_itself_and_through_others_is_its_own() {
    let rank = modules();
    let tree = call_tree(&rank.trace, &rank.analysis, StepChoice::Average.into(), CallGrouping::Modules);
    let nodes = [
        ("-", [390, 190, 45, 10]),
        ("nn.Module: Net_0", [200, 100, 35, 5]),
        ("nn.Module: Linear_0", [60, 60, 10, 10]),
        ("nn.Module: Linear_1", [40, 40, 20, 20]),
        ("-", [40, 40, 30, 30]),
    ];
    assert_eq!(times(&rank, &tree.nodes), nodes.map(|(name, times)| (name.to_owned(), times)));
    let coverage = tree.coverage.expect("a tree of modules has it");
    assert_eq!((coverage.host, coverage.device), (Nanos(200_000), Nanos(35_000)));
    let outside = |by, source, micros: i64| LaunchedOutside { by, source, device: Nanos(1000 * micros) };
    let parts = [
        outside(LaunchedBy::Phase(Phase::Backward), PhaseSource::Autograd, 30),
        outside(LaunchedBy::Graph, PhaseSource::Absent, 7),
        outside(LaunchedBy::Phase(Phase::Other), PhaseSource::Absent, 3),
    ];
    assert_eq!(coverage.outside, parts);
}

#[test]
fn phases_have_the_calls_that_begin_in_them() {
    let rank = modules();
    let tree = call_tree(&rank.trace, &rank.analysis, StepChoice::Average.into(), CallGrouping::Phases);
    let of_phases = times(&rank, &tree.nodes).into_iter().filter(|(name, _)| name.starts_with(['-', 'p']));
    let nodes = [
        ("-", [390, 190, 45, 10]),
        ("phase forward", [200, 0, 35, 0]),
        ("-", [40, 0, 30, 0]),
        ("phase backward", [40, 0, 30, 0]),
    ];
    assert_eq!(of_phases.collect::<Vec<_>>(), nodes.map(|(name, times)| (name.to_owned(), times)));
    let [_, forward, net, ..] = tree.nodes.as_slice() else { panic!("a phase with calls") };
    assert_eq!((forward.calls, forward.longest, net.host), (1, net.longest, forward.host));
    let coverage = tree.coverage.expect("a tree by phases has it");
    assert_eq!((coverage.host, coverage.device), (Nanos(240_000), Nanos(65_000)));
    assert_eq!(coverage.phases, [(Phase::Forward, PhaseSource::Modules), (Phase::Backward, PhaseSource::Autograd)]);
    let by = [LaunchedBy::Graph, LaunchedBy::Phase(Phase::Other)];
    assert_eq!(coverage.outside.iter().map(|part| part.by).collect::<Vec<_>>(), by);
}

/// The optimizer runs within what the program calls forward: its time and its kernel are the optimizer's alone.
#[test]
fn each_moment_of_a_thread_is_in_one_phase() {
    let rank = rank(
        r#"[{"ph":"X","cat":"python_function","name":"train","pid":1,"tid":1,"ts":0,"dur":200},
        {"ph":"X","cat":"user_annotation","name":"forward","pid":1,"tid":1,"ts":10,"dur":100},
        {"ph":"X","cat":"cpu_op","name":"aten::linear","pid":1,"tid":1,"ts":20,"dur":80},
        {"ph":"X","cat":"user_annotation","name":"Optimizer.step#SGD.step","pid":1,"tid":1,"ts":30,"dur":20},
        {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":35,"dur":2,"args":{"correlation":1}},
        {"ph":"X","cat":"kernel","name":"add","pid":0,"tid":7,"ts":40,"dur":7,"args":{"correlation":1,"device":0,"stream":7}},
        {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":60,"dur":10},
        {"ph":"X","cat":"cpu_op","name":"aten::loss","pid":1,"tid":1,"ts":120,"dur":10}]"#,
    );
    let tree = call_tree(&rank.trace, &rank.analysis, StepChoice::Whole.into(), CallGrouping::Phases);
    let nodes = [
        ("-", [200, 100, 7, 0]),
        ("phase forward", [80, 0, 0, 0]),
        ("forward", [80, 20, 0, 0]),
        ("aten::linear", [60, 50, 0, 0]),
        ("aten::mm", [10, 10, 0, 0]),
        ("phase optimizer", [20, 0, 7, 0]),
        ("Optimizer.step#SGD.step", [20, 18, 7, 0]),
        ("cudaLaunchKernel", [2, 2, 7, 7]),
    ];
    assert_eq!(times(&rank, &tree.nodes), nodes.map(|(name, times)| (name.to_owned(), times)));
}

#[test]
fn groupings_are_offered_where_the_trace_has_them() {
    let of = |rank: &Rank| call_groupings(&rank.trace, &rank.analysis.steps, &rank.analysis.phases);
    // The only range is the mark of a step.
    assert_eq!(of(&modules()), [CallGrouping::Calls, CallGrouping::Modules, CallGrouping::Phases]);
    let range = r#"{"ph":"X","cat":"user_annotation","name":"load","pid":1,"tid":1,"ts":10,"dur":30}"#;
    assert_eq!(of(&rank(&format!("[{range}]"))), [CallGrouping::Calls]);
    let operator = r#"{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":12,"dur":3}"#;
    assert_eq!(of(&rank(&format!("[{range},{operator}]"))), [CallGrouping::Calls, CallGrouping::Ranges]);
}

#[test]
fn ranges_have_the_time_of_the_calls_in_them() {
    let rank = rank(
        r#"[{"ph":"X","cat":"cpu_op","name":"outer","pid":1,"tid":1,"ts":0,"dur":100},
        {"ph":"X","cat":"user_annotation","name":"load","pid":1,"tid":1,"ts":10,"dur":30},
        {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":12,"dur":3},
        {"ph":"X","cat":"user_annotation","name":"decode","pid":1,"tid":1,"ts":20,"dur":5},
        {"ph":"X","cat":"user_annotation","name":"load","pid":1,"tid":1,"ts":60,"dur":20}]"#,
    );
    let tree = call_tree(&rank.trace, &rank.analysis, StepChoice::Whole.into(), CallGrouping::Ranges);
    assert_eq!(said(&rank, &tree.nodes), [("load", 2, 50, 45), ("decode", 1, 5, 5)]);
    assert_eq!((tree.host, tree.nodes[0].host_self), (Nanos(100_000), Nanos(50_000)));
}

/// A range from 50 to 105 µs: the first kernel runs in it as a whole, and was launched before it; the second was
/// launched in it, and runs after it; calls count with the part inside.
#[test]
fn a_range_has_what_runs_in_it() {
    let rank = modules();
    let micros = |from: i64, to: i64| Interval::new(Nanos(1000 * from), Nanos(1000 * to));
    let of = |range, grouping| call_tree(&rank.trace, &rank.analysis, CallScope::Range(range), grouping);
    let tree = of(micros(50, 105), CallGrouping::Modules);
    let nodes = [
        ("-", [55, 0, 10, 0]),
        ("nn.Module: Net_0", [55, 10, 10, 0]),
        ("nn.Module: Linear_0", [30, 30, 10, 10]),
        ("nn.Module: Linear_1", [15, 15, 0, 0]),
    ];
    assert_eq!(times(&rank, &tree.nodes), nodes.map(|(name, times)| (name.to_owned(), times)));
    let coverage = tree.coverage.expect("a tree of modules has it");
    assert_eq!((coverage.host, coverage.device, coverage.outside), (Nanos(55_000), Nanos(10_000), Vec::new()));
    // The second kernel is cut: 5 of 20 µs.
    let tree = of(micros(115, 120), CallGrouping::Calls);
    assert_eq!((tree.host, tree.device, tree.device_unlinked), (Nanos(5_000), Nanos(5_000), Nanos::ZERO));
    // The launch is over before: its time is the device's alone.
    let launch = tree.nodes.iter().find(|node| node.device_self > Nanos::ZERO).expect("it launched");
    assert_eq!((launch.calls, launch.host, launch.device_self), (0, Nanos::ZERO, Nanos(5_000)));
    // Time of the graph, which no module launched.
    let outside = of(micros(252, 300), CallGrouping::Modules).coverage.expect("of modules").outside;
    let of_graph = outside.iter().find(|part| part.by == LaunchedBy::Graph).map(|part| part.device);
    assert_eq!(of_graph, Some(Nanos(5_000)));
    let nothing = of(micros(60, 60), CallGrouping::Calls);
    assert_eq!((nothing.nodes.len(), nothing.host, nothing.device), (0, Nanos::ZERO, Nanos::ZERO));
}

/// The host's part of a step is that of its range: one mechanism cuts calls.
#[test]
fn a_step_is_a_range_of_the_host() {
    let rank = two_steps();
    for (place, step) in rank.analysis.steps.steps.iter().enumerate() {
        let of = |scope| call_tree(&rank.trace, &rank.analysis, scope, CallGrouping::Calls);
        assert_eq!(of(StepChoice::One(place).into()).nodes, of(CallScope::Range(step.host)).nodes);
    }
}

/// A kernel is in the module whose thread's call launched it, also where no operator did.
#[test]
fn rows_are_told_apart_by_the_modules_around_calls() {
    let rank = modules();
    let trace = &rank.trace;
    let path = |modules: &[stepscope::trace::NameId]| {
        modules.iter().map(|name| trace.strings.get(*name)).collect::<Vec<_>>().join(" ")
    };
    let config = OperatorsConfig { grouping: OperatorGrouping::Module, merge_only_children: false };
    let rows = operators(trace, config).rows;
    let of = |name: &str| {
        let found = rows.iter().filter(|row| row.name == name);
        found.map(|row| (path(&row.modules), row.calls, row.device_self.0 / 1000)).collect::<Vec<_>>()
    };
    let inside = |module: &str| format!("nn.Module: Net_0{module}");
    let linears = [(inside(" nn.Module: Linear_1"), 1, 20), (inside(" nn.Module: Linear_0"), 1, 10)];
    assert_eq!(of("aten::linear"), linears);
    assert_eq!(of("aten::add"), [(inside(""), 1, 5)]);
    assert_eq!(of("aten::mse_loss"), [(String::new(), 1, 3)]);
    let rows = kernels(trace, KernelGrouping::NameModule);
    let found: Vec<_> = rows.iter().map(|row| (path(&row.modules), row.time.calls, row.time.total.0 / 1000)).collect();
    let [a, b] = linears;
    // The backward pass, the graph and the loss are in none.
    assert_eq!(found, [(String::new(), 3, 40), a, b, (inside(""), 1, 5)]);
}

/// A thread of a progress bar waits for 98 of 100 µs, and a worker of a pool that has no task for all of it. The main
/// thread works, though it waits longer than it works.
#[test]
fn threads_that_only_wait_are_set_apart() {
    let function = |name: &str, thread: u32, start: u32, length: u32| {
        format!(
            r#"{{"ph":"X","cat":"python_function","name":"{name}","pid":1,"tid":{thread},"ts":{start},"dur":{length}}}"#
        )
    };
    let monitor = |wait: u32| {
        [
            function("tqdm/_monitor.py(60): run", 2, 0, 100),
            function("threading.py(359): wait", 2, 1, wait),
            function("<built-in method acquire of _thread.lock object at 0x7f>", 2, 2, wait - 1),
            function("concurrent/futures/thread.py(81): _worker", 3, 0, 100),
        ]
    };
    let work = [
        function("train.py(1): train", 1, 0, 100),
        function("threading.py(359): wait", 1, 1, 98),
        r#"{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":99,"dur":1}"#.to_owned(),
    ];
    let rank_of = |events: &[String]| rank(&format!("[{}]", events.join(",")));
    let threads = |nodes: &[CallNode]| nodes.iter().filter(|node| node.parent.is_none()).count();

    let both = rank_of(&[&work[..], &monitor(98)].concat());
    let (trace, analysis) = (&both.trace, &both.analysis);
    let all = call_tree(trace, analysis, StepChoice::Whole.into(), CallGrouping::Calls);
    let working = working_call_tree(trace, analysis, StepChoice::Whole.into(), CallGrouping::Calls);
    assert_eq!((threads(&all.nodes), all.host), (3, Nanos(300_000)));
    assert_eq!((threads(&working.nodes), working.host), (1, Nanos(100_000)));
    assert_eq!((working.waiting.threads, working.waiting.host), (2, Nanos(200_000)));
    assert_eq!(all.waiting, working.waiting);
    let alone = rank_of(&work);
    let alone = call_tree(&alone.trace, &alone.analysis, StepChoice::Whole.into(), CallGrouping::Calls);
    assert_eq!(working.nodes.len(), alone.nodes.len());

    // In a range: its part of their time.
    let range = CallScope::Range(Interval::new(Nanos(0), Nanos(10_000)));
    let part = working_call_tree(trace, analysis, range, CallGrouping::Calls);
    assert_eq!((part.host, part.waiting.host), (Nanos(10_000), Nanos(20_000)));

    // A thread that works for 6 of 100 µs is no such thread.
    let busy = rank_of(&[&work[..], &monitor(94)].concat());
    let tree = working_call_tree(&busy.trace, &busy.analysis, StepChoice::Whole.into(), CallGrouping::Calls);
    assert_eq!((threads(&tree.nodes), tree.waiting.threads), (2, 1));

    // Where all threads wait, all are shown.
    let idle = rank_of(&monitor(98));
    let tree = working_call_tree(&idle.trace, &idle.analysis, StepChoice::Whole.into(), CallGrouping::Calls);
    assert_eq!((threads(&tree.nodes), tree.waiting.threads), (2, 0));
}
