//! Details of rows, compared with their tables: METRICS section 4.

use proptest::prelude::{prop_assert, prop_assert_eq};
use proptest::test_runner::TestCaseError;
use stepscope::analyze::{
    AnalysisConfig, KernelGrouping, OperatorGrouping, OperatorsConfig, RowConfig, RowDetail, RowKey, RowTimes, Scope,
    copies_in, kernels_in, operators_in, row_detail,
};
use stepscope::export::report_json::{ReportRequest, request, topic};
use stepscope::{Nanos, Rank};
use stepscope_tests::files::rank;
use stepscope_tests::generator::{Spec, Truth};

fn sum<'a>(parts: impl IntoIterator<Item = &'a RowTimes>) -> [i64; 3] {
    parts.into_iter().fold([0; 3], |[calls, total, device], part| {
        [calls + part.calls.cast_signed(), total + part.total.0, device + part.device.0]
    })
}

/// Invariant of every row: all of its parts add up to it.
fn parts_add_up(rank: &Rank, found: &RowDetail, whole: [i64; 3]) -> Result<(), TestCaseError> {
    prop_assert_eq!(sum(found.steps.iter().chain([&found.outside])), whole);
    if !found.variants.is_empty() {
        prop_assert_eq!(sum(found.variants.iter().map(|variant| &variant.times)), whole);
        for (step, times) in found.steps.iter().enumerate() {
            let of_step: Vec<RowTimes> = found.variants.iter().map(|variant| variant.steps[step]).collect();
            prop_assert_eq!(sum(&of_step), sum([times]), "variants in step {}", step);
        }
    }
    let slices = &rank.trace.slices;
    prop_assert!(found.slowest.is_sorted_by(|a, b| a.length >= b.length));
    prop_assert!(found.first.is_sorted_by(|a, b| slices.start(a.event) <= slices.start(b.event)));
    prop_assert_eq!(found.slowest.len(), found.first.len());
    prop_assert_eq!(found.slowest.first().map(|event| event.length), Some(found.lengths.statistics.max));
    let drawn: u64 = found.lengths.histogram.bars().map(|(_, count)| count).sum();
    prop_assert_eq!(drawn, found.lengths.statistics.calls);
    Ok(())
}

/// Each row of each table is the sum of its events.
pub(crate) fn same_rows(rank: &Rank, truth: &Truth) -> Result<(), TestCaseError> {
    let (trace, steps, config) = (&rank.trace, &rank.analysis.steps, RowConfig::standard());
    let look = |key: RowKey<'_>| row_detail(trace, steps, key, None, config);
    for grouping in [OperatorGrouping::Name, OperatorGrouping::NameShapes, OperatorGrouping::Type] {
        let operators = OperatorsConfig { grouping, merge_only_children: false };
        for row in &operators_in(trace, operators, None).rows {
            let found = look(RowKey::Operator(row, operators));
            prop_assert_eq!(found.lengths.statistics.max, row.host_max, "{}", &row.name);
            let whole = [row.calls.cast_signed(), row.host_total.0, row.device_self.0];
            parts_add_up(rank, &found, whole)?;
        }
    }
    for grouping in [KernelGrouping::Name, KernelGrouping::NameOperatorLaunch] {
        for row in &kernels_in(trace, grouping, None) {
            let found = look(RowKey::Kernel(row, grouping));
            prop_assert_eq!(found.lengths.statistics, row.time);
            parts_add_up(rank, &found, [row.time.calls.cast_signed(), row.time.total.0, row.time.total.0])?;
            if grouping == KernelGrouping::Name {
                let mut expected = truth.kernels[trace.strings.get(row.name)].clone();
                expected.sort_unstable_by_key(|length| -length);
                expected.truncate(config.listed);
                let slowest: Vec<i64> = found.slowest.iter().map(|event| event.length.0).collect();
                prop_assert_eq!(slowest, expected);
            }
        }
    }
    for row in &copies_in(trace, None) {
        let found = look(RowKey::Copy(row));
        prop_assert_eq!(found.lengths.statistics, row.time);
        parts_add_up(rank, &found, [row.time.calls.cast_signed(), row.time.total.0, row.time.total.0])?;
    }
    for (name, row) in &rank.analysis.launches.names {
        let found = look(RowKey::Launch(*name));
        prop_assert_eq!(found.lengths.statistics.max, row.cpu_max);
        parts_add_up(rank, &found, [row.calls.cast_signed(), row.cpu.0, row.gpu.0])?;
    }
    of_steps(rank)
}

/// A step's rows are the step's part of the whole trace's.
fn of_steps(rank: &Rank) -> Result<(), TestCaseError> {
    let (trace, steps, config) = (&rank.trace, &rank.analysis.steps, RowConfig::standard());
    for step in 0..steps.steps.len() {
        let scope = Scope::of_step(steps, step);
        let grouping = KernelGrouping::Name;
        for row in &kernels_in(trace, grouping, scope.as_ref()) {
            let found = row_detail(trace, steps, RowKey::Kernel(row, grouping), scope.as_ref(), config);
            prop_assert_eq!(found.lengths.statistics, row.time);
            prop_assert_eq!((found.steps[step].calls, found.steps[step].total), (row.time.calls, row.time.total));
        }
        let operators = OperatorsConfig::standard();
        for row in &operators_in(trace, operators, scope.as_ref()).rows {
            let key = RowKey::Operator(row, operators);
            let found = row_detail(trace, steps, key, scope.as_ref(), config);
            prop_assert_eq!(
                (found.lengths.statistics.calls, found.lengths.statistics.total),
                (row.calls, row.host_whole)
            );
            prop_assert_eq!((found.steps[step].calls, found.steps[step].total), (row.calls, row.host_total));
        }
    }
    Ok(())
}

/// Shapes distinguish an operator's calls; variants beyond the most frequent eight are one.
#[test]
fn rows_tell_variants_apart() {
    let call = |index: usize| {
        format!(
            r#"{{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":{},"dur":{},"args":{{
                "Input Dims":[[{},4]],"Input type":["float"]}}}}"#,
            index * 100,
            index + 1,
            index % 10
        )
    };
    let events: Vec<String> = (0..20).map(call).collect();
    let text = format!(r#"{{"schemaVersion":1,"deviceProperties":[],"traceEvents":[{}]}}"#, events.join(","));
    let rank = rank("shapes.json", text.as_bytes(), &AnalysisConfig::standard()).expect("a trace");
    let row = &rank.analysis.operators.rows[0];
    let key = RowKey::Operator(row, OperatorsConfig::standard());
    let found = row_detail(&rank.trace, &rank.analysis.steps, key, None, RowConfig::standard());
    assert_eq!((found.variant_count, found.variants.len()), (10, 9));
    let shapes = |index: usize| rank.trace.strings.get(found.variants[index].variant.expect("shapes").shapes);
    assert_eq!((shapes(0), found.variants[0].times.total), ("[[9,4]]", Nanos(30_000)));
    assert_eq!((shapes(7), found.variants[7].times.calls), ("[[2,4]]", 2));
    let rest = &found.variants[8];
    assert_eq!((rest.variant, rest.times.calls, rest.times.total), (None, 4, Nanos((1 + 11 + 2 + 12) * 1000)));
    assert_eq!(found.slowest[0].length, Nanos(20_000));
    assert_eq!(found.first[0].event, rank.trace.slices.ids().next().expect("a slice"));
}

#[test]
fn rows_are_asked_for_by_their_place() {
    let (text, _) = Spec::small(3).generate();
    let rank = rank("row.json", &text, &AnalysisConfig::standard()).expect("a trace");
    let request = |table: &str, row: usize| {
        let asked =
            topic(&rank, &ReportRequest::Row(request::Row { table: table.to_owned(), row, ..request::Row::default() }));
        asked.map(|json| serde_json::from_slice::<serde_json::Value>(&json).expect("JSON"))
    };
    for (index, row) in rank.analysis.kernels.iter().enumerate() {
        let found = request("kernels", index).expect("a kernel");
        assert_eq!(found["slowest"][0]["name"], rank.trace.strings.get(row.name));
        assert_eq!(found["lengths"]["max_ns"], row.time.max.0);
        assert!(found["slowest"][0]["stream"].is_i64() && found["slowest"][0]["thread"].is_null());
    }
    for (table, rows) in [
        ("operators", rank.analysis.operators.rows.len()),
        ("copies", rank.analysis.copies.len()),
        ("launches", rank.analysis.launches.names.len()),
    ] {
        assert!(rows > 0 && request(table, rows - 1).is_some(), "{table}");
        assert!(request(table, rows).is_none(), "{table} has no row {rows}");
    }
    assert!(request("nothing", 0).is_none());
}

#[test]
fn thresholds_change_what_is_slow_late_and_long() {
    let (text, _) = Spec::small(3).generate();
    let rank = rank("idle.json", &text, &AnalysisConfig::standard()).expect("a trace");
    let request = |thresholds: &str| {
        let text = format!(r#"{{"thresholds":{thresholds}}}"#);
        let request =
            ReportRequest::read("why_idle", &mut serde_json::Deserializer::from_str(&text)).expect("a question");
        let found = topic(&rank, &request.expect("a topic")).expect("launches");
        serde_json::from_slice::<serde_json::Value>(&found).expect("JSON")
    };
    let all = request(r#"{"slow_call_ns":0,"late_ns":0,"kernel_wait_ns":0,"long_gap_ns":0}"#);
    let (launches, idle) = (&all["launches"], &all["idle"][0]);
    assert_eq!(launches["slow"], launches["calls"]);
    assert_eq!(idle["gaps"]["kernel_wait"], 0);
    let gaps: i64 =
        ["host_wait", "kernel_wait", "other", "unknown"].iter().filter_map(|class| idle["gaps"][class].as_i64()).sum();
    assert_eq!(idle["long_gaps"]["count"], gaps);
    let none = request(r#"{"slow_call_ns":1000000000000,"late_ns":1000000000000,"long_gap_ns":1000000000000}"#);
    assert_eq!((&none["launches"]["slow"], &none["launches"]["late"]), (&0.into(), &0.into()));
    assert_eq!(none["idle"][0]["long_gaps"]["longest"], serde_json::json!([]));
    let usual = request("{}");
    assert_eq!(usual["launches"]["slow_threshold_ns"], 50_000);
    assert_eq!(usual["idle"][0]["kernel_wait_threshold_ns"], 30_000);
    let queue = &usual["queues"][0];
    let curve = usual["queue_curves"][0]["waiting"].as_array().expect("a curve");
    let longest = curve.iter().filter_map(|point| point[1].as_u64()).max();
    assert_eq!(longest, queue["waiting"]["max"].as_u64());
}

/// A range inside another one of its name, on one thread, takes no time of its own in the total.
#[test]
fn nested_calls_of_one_name_count_once() {
    const TEXT: &str = r#"{"schemaVersion":1,"deviceProperties":[],"traceEvents":[
        {"ph":"X","cat":"user_annotation","name":"forward","pid":1,"tid":1,"ts":0,"dur":100},
        {"ph":"X","cat":"user_annotation","name":"block","pid":1,"tid":1,"ts":10,"dur":80},
        {"ph":"X","cat":"user_annotation","name":"forward","pid":1,"tid":1,"ts":20,"dur":50},
        {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":30,"dur":10},
        {"ph":"X","cat":"user_annotation","name":"forward","pid":1,"tid":1,"ts":200,"dur":30},
        {"ph":"X","cat":"user_annotation","name":"forward","pid":1,"tid":2,"ts":210,"dur":7}
    ]}"#;
    let micros = |time: i64| Nanos(time * 1000);
    let rank = rank("nested.json", TEXT.as_bytes(), &AnalysisConfig::standard()).expect("a trace");
    let rows = &rank.analysis.operators.rows;
    let forward = rows.iter().find(|row| row.name == "forward").expect("a row");
    assert_eq!((forward.calls, forward.host_total, forward.host_sum), (4, micros(137), micros(187)));
    assert_eq!((forward.host_self, forward.host_max), (micros(20 + 40 + 30 + 7), micros(100)));
    assert_eq!(forward.host_mean(), Nanos(46_750), "of all calls");
    let look = |row, config| {
        row_detail(&rank.trace, &rank.analysis.steps, RowKey::Operator(row, config), None, RowConfig::standard())
    };
    let found = look(forward, OperatorsConfig::standard());
    assert_eq!(sum(found.steps.iter().chain([&found.outside])), [4, 137_000, 0]);
    // `key_averages()` sums all calls, and merges only children alone.
    let config = OperatorsConfig { merge_only_children: true, ..OperatorsConfig::standard() };
    let rows = operators_in(&rank.trace, config, None).rows;
    let forward = rows.iter().find(|row| row.name == "forward").expect("a row");
    assert_eq!((forward.calls, forward.host_total), (4, micros(187)));
    assert_eq!(sum([&look(forward, config).outside])[1] + sum(&look(forward, config).steps)[1], 187_000);
}
