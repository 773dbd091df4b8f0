//! MindSpore's tables as MindInsight shows them: the values of its tests, in `mindspore/EXPECTED.md`.
//!
//! Times there are rounded to 0.1 µs, ours are whole nanoseconds; both must be the same number.

use std::path::PathBuf;

use stepscope::analyze::{
    AdviceUnit, AnalysisConfig, Cluster, ClusterPlace, Definition, Evidence, Exemption, NotApplicable, ParallelKind,
    ParallelMode, RowSource, StragglerPlace, Thresholds, aicore_operators, aicore_types, bottlenecks, cluster,
    cluster_row, dynamic_shapes, shape_times, step_lines, table_advice,
};
use stepscope::trace::{Cell, RecordedTable};
use stepscope::{Loader, Nanos, Rank, job_of};
use stepscope_tests::files::{files_of, folder_ranks, load, real_traces, text_of};

/// The ranks of a folder, by number; `None` without the traces.
fn ranks(folder: &str) -> Option<Vec<Rank>> {
    let path: PathBuf = real_traces()?.join("mindspore").join(folder);
    // msprof's files beside the tables are events.
    let files: Vec<_> = files_of(&path).into_iter().filter(|(name, _)| !name.contains("PROF_")).collect();
    let named: Vec<_> = files.into_iter().map(|(name, bytes)| (format!("{folder}/{name}"), bytes)).collect();
    Some(folder_ranks(&named, 1 << 12, &AnalysisConfig::standard()).expect("ranks").ranks)
}

/// A folder's rank of a number.
fn rank(folder: &str, number: u64) -> Option<Rank> {
    let found = ranks(folder)?.into_iter().find(|rank| rank.rank == Some(number));
    Some(found.unwrap_or_else(|| panic!("{folder} has a rank {number}")))
}

fn table<'a>(rank: &'a Rank, id: &str) -> &'a RecordedTable {
    rank.trace.recorded.iter().find(|table| table.id == id).unwrap_or_else(|| panic!("a table {id}"))
}

/// Milliseconds with four decimals, as MindInsight rounds.
fn ms(nanos: Nanos) -> f64 {
    format!("{:.4}", nanos.0 as f64 / 1e6).parse().expect("a number")
}

/// Microseconds with three decimals.
fn us(nanos: Nanos) -> f64 {
    nanos.0 as f64 / 1000.0
}

fn round(value: f64, digits: i32) -> f64 {
    let power = 10_f64.powi(digits);
    (value * power).round() / power
}

#[test]
fn section_1_step_trace() {
    let Some(run) = rank("run_1/normal_run/profiler", 1) else { return };
    let steps = run.analysis.mindspore.step_trace.as_ref().expect("a step trace");
    let average = &steps.average;
    assert_eq!(steps.steps.len(), 322);
    assert!(steps.recorded_average);
    let parts = [average.total, average.iteration_interval, average.forward_and_backward, average.tail];
    assert_eq!(parts.map(ms), [205.3809, 0.2038, 118.054, 87.1231]);
    let shares = parts.map(|part| round(part.ratio_of(average.total).expect("a length") * 100.0, 2));
    assert_eq!(shares[1..], [0.1, 57.48, 42.42]);
    assert_eq!(steps.forward_start, "Default/Cast-op6");
    assert_eq!(steps.backward_end, "Default/TransData-op7");
    // Proc queries: a value per step.
    assert_eq!(steps.steps.iter().map(|step| step.tail).filter(|tail| tail.0 > 0).count(), 322);
    // Step 0 means the average, the last row.
    let lines = step_lines(table(&run, "step_trace"), 322);
    assert_eq!(lines.len(), 13);
    assert_eq!(
        lines[1].iter().map(|span| span.name.as_str()).collect::<Vec<_>>(),
        ["iteration_interval", "fp_and_bp", "tail"]
    );
    let last: Vec<(&str, f64, f64)> =
        lines[12].iter().map(|span| (span.name.as_str(), ms(span.start), ms(span.length))).collect();
    assert_eq!(last, [("", 0.2038, 118.1667), ("stream_540_parallel_0", 118.3705, 49.281), ("", 167.6515, 37.7294)]);
    assert_eq!(step_lines(table(&run, "step_trace"), 323), Vec::<Vec<_>>::new(), "there is no such step");
    // The folder of section 2 has one step.
    let Some(one) = rank("run_3/normal_run/profiler", 1) else { return };
    let steps = one.analysis.mindspore.step_trace.expect("a step trace").steps;
    assert_eq!(steps.iter().map(|step| ms(step.forward_and_backward)).collect::<Vec<_>>(), [23.6681]);
}

#[test]
fn section_2_cluster_step_trace() {
    let Some(pipeline) = rank("run_4/normal_run/profiler", 1) else { return };
    let row = cluster_row(1, &pipeline.trace, Some(0)).expect("a row");
    let parts = [row.iteration_interval, Some(row.computation), Some(row.communication_alone), row.stage];
    assert_eq!(parts.map(|part| part.map(ms)), [Some(0.0), Some(651.9051), Some(1293.1231), Some(1577.1234)]);
    assert_eq!([row.receive_alone, row.collective_alone].map(|part| part.map(ms)), [Some(368.7766), Some(227.1234)]);
    let Some(model) = rank("run_3/normal_run/profiler", 1) else { return };
    let row = cluster_row(1, &model.trace, Some(0)).expect("a row");
    let parts = [row.iteration_interval, Some(row.computation), Some(row.communication_alone)];
    assert_eq!(parts.map(|part| part.map(ms)), [Some(0.0), Some(651.9051), Some(1293.1231)]);
    assert_eq!((row.stage, row.receive_alone), (None, None));
    let found = cluster(&[(1, &model.trace)]).expect("a cluster");
    assert_eq!((found.mode, found.stages, found.ranks), (Some(ParallelMode::Model), 1, 2));
}

#[test]
fn section_3_parallel_proposer() {
    let Some(found) = ranks("cluster_propose") else { return };
    let numbered: Vec<_> = found.iter().map(|rank| (rank.rank.expect("a number"), &rank.trace)).collect();
    let cluster: Cluster = cluster(&numbered).expect("a cluster");
    assert_eq!((cluster.mode, cluster.stages, cluster.ranks), (Some(ParallelMode::Pipeline), 2, 4));
    let intervals: Vec<f64> = cluster.rows.iter().filter_map(|row| row.iteration_interval.map(ms)).collect();
    assert_eq!(intervals, [1.5722, 1.5588, 2.4318, 2.3954]);
    let operations: Vec<f64> = cluster.flops.iter().map(|flops| flops.operations / 1e6).collect();
    assert_eq!(operations, [107_146.763, 107_145.034, 329_608.369, 329_612.4]);
    let rates: Vec<f64> = cluster.flops.iter().map(|flops| flops.rate / 1e9).collect();
    assert_eq!(rates, [5385.552, 5386.261, 4859.39, 4897.642]);
    assert_eq!(round(cluster.between_stages.expect("a rate"), 4), 0.2582);
    let within = [(0, 0.602_985_104_596_349_4), (1, 0.234_379_384_576_478_58)];
    assert!(
        cluster
            .within_stages
            .iter()
            .zip(within)
            .all(|(found, wanted)| { found.0 == wanted.0 && (found.1 - wanted.1).abs() < 1e-12 })
    );
    let links: [(&str, f64, f64, f64); 8] = [
        ("1-0", 2.200_693_333_333_333, 46_069.418_666_666_66, 188_040_273.548_024_18),
        ("0-0", 0.068_161_666_666_666_66, 554.965_333_333_333_4, 275_806_635.057_702_96),
        ("0-1", 0.219_563_333_333_333_33, 1_109.930_666_666_666_9, 107_910_491.887_379_24),
        ("1-1", 2.061_693_333_333_333, 45_514.453_333_333_34, 356_004_676.448_006_3),
        ("1-0", 2.781_570_000_000_002, 48_309.248_000_000_276, 656_740_006.803_215_1),
        ("0-0", 1.997_394_999_999_999, 62_691.327_999_999_92, 1_109_248_782.654_752),
        ("0-1", 4.482_249_999_999_995, 86_845.952_000_000_14, 724_225_040.205_402_6),
        ("1-1", 0.305_240_000_000_000_4, 24_154.624_000_000_138, 1_045_243_926.958_468_1),
    ];
    assert_eq!(cluster.links.len(), links.len());
    for (found, (link, cost, size, width)) in cluster.links.iter().zip(links) {
        assert_eq!((found.link.as_str(), found.kind.as_str()), (link, "SDMA"));
        assert_eq!(found.time.0, (cost * 1e6).round() as i64, "{link}: ms to ns");
        assert_eq!(found.bytes, (size * 1e3).round() as i64, "{link}: thousands of bytes");
        assert!((found.bandwidth / (width * 1e3) - 1.0).abs() < 1e-12, "{link}: {}", found.bandwidth);
    }
    // The average row's operators: the sums of their costs in hccl_raw_0 to 3, in ms.
    for (rank, communication, wait) in [(0, 2.599_146, 268.253_75), (3, 7.947_725, 1_115.858_44)] {
        let of_rank = || cluster.operators.iter().filter(|row| row.rank == rank);
        let (transfers, waits): (Nanos, Nanos) =
            (of_rank().map(|row| row.communication).sum(), of_rank().map(|row| row.wait).sum());
        // Each operator's time is whole nanoseconds.
        for (found, wanted) in [(transfers, communication), (waits, wait)] {
            assert!((found.0 as f64 - wanted * 1e6).abs() < 200.0, "rank {rank}: {found:?} instead of {wanted} ms");
        }
    }
    let outliers: Vec<(ClusterPlace, f64, f64)> = cluster
        .outliers
        .iter()
        .map(|outlier| (outlier.place.clone(), round(outlier.value, 4), round(outlier.by * 100.0, 2)))
        .collect();
    assert_eq!(
        (&outliers[0].0, round(outliers[0].1 / 1e6, 4), outliers[0].2),
        (&ClusterPlace::Interval(2), 2.4318, 22.23)
    );
    let link = ClusterPlace::Link("0-1".into(), "SDMA".into());
    assert_eq!(
        outliers[1..],
        [(link, 107_910_491_887.379_2, 74.26), (ClusterPlace::Stage(1), 329_610_384_500.0, 50.94)]
    );
    let worst_stage = cluster.within_stages.iter().map(|(_, rate)| *rate).fold(0.0, f64::max);
    assert_eq!((round(worst_stage * 100.0, 1), round(cluster.between_stages.unwrap() * 100.0, 2)), (60.3, 25.82));
}

/// The same ranks as a job: the mean of the rows of the steps that count, without the first one of two seconds; stages
/// from the files' names; numbers that are not in the tables are unknown.
#[test]
fn a_job_of_tables_alone() {
    let Some(found) = ranks("cluster_propose") else { return };
    let job = job_of(&found).expect("a job");
    let spread: Vec<_> = job.parallel.iter().map(|shared| (shared.kind, shared.size)).collect();
    assert_eq!(spread, [(ParallelKind::Pipeline, 2)]);
    let row = job.ranks.iter().find(|row| row.rank == 2).expect("rank 2");
    assert_eq!((row.source, row.stage, row.steps), (RowSource::Tables, Some(1), 4));
    assert_eq!([row.compute, row.communication_alone], [123_228_725, 54_486_600].map(|time| Some(Nanos(time))));
    assert_eq!([row.stage_time, row.receive_alone], [174_820_050, 2_895_300].map(|time| Some(Nanos(time))));
    assert_eq!([row.own, row.idle], [None, None]);
    assert!(row.compute.zip(row.communication_alone).is_some_and(|(a, b)| a + b < row.step), "{row:?}");
    let stages: Vec<&[u64]> = job.stages.iter().map(|stage| stage.ranks.as_slice()).collect();
    assert_eq!(stages, [[0, 1], [2, 3]]);
    assert_eq!((job.stragglers.len(), job.stragglers[0].place, job.gain), (1, StragglerPlace::Stage(1), None));
}

#[test]
fn section_4_aicore() {
    let Some(profiler) = rank("profiler", 1) else { return };
    let types = table(&profiler, "aicore_type");
    assert_eq!(types.rows.len(), 5);
    let first = &types.rows[0];
    assert_eq!(first[..2], [Cell::Text("AtomicAddrClean".into()), Cell::Integer(7283)]);
    // In the order of the file, a search for the letter C finds rows 0, 1 and 3.
    let with_c = |row: &&Vec<Cell>| row[0].text().is_some_and(|name| name.contains('C'));
    let found: Vec<&str> = types.rows.iter().filter(with_c).filter_map(|row| row[0].text()).collect();
    assert_eq!(found, ["AtomicAddrClean", "Cast", "Conv2D"]);
    let clean = aicore_types(&profiler.trace).into_iter().find(|row| row.name == "AtomicAddrClean").expect("it");
    assert_eq!((us(clean.total), clean.calls, round(clean.share * 100.0, 2), us(clean.mean)), (7.283, 6, 0.49, 1.214));

    let details = aicore_operators(&profiler.trace);
    assert_eq!(details.len(), 10);
    let conv = details.iter().find(|row| row.kernel == "Conv2D-op13").expect("a convolution");
    assert_eq!((us(conv.mean), conv.calls, conv.flops), (56.51, 1, [333e6, 333e9, 333e6, 333e9].map(Some)));
    assert_eq!(conv.name, "Default/network-WithLossCell/_backbone-LeNet5/conv1-Conv2d/Conv2D-op13");
    assert!(conv.info.starts_with("{\"input_0\""));
    // By type (in that order), then by name.
    let mut order: Vec<usize> = (0..details.len()).collect();
    let kinds = ["MatMul", "AtomicAddrClean", "Cast"];
    order.retain(|row| kinds.contains(&details[*row].kind.as_str()));
    order.sort_by_key(|row| kinds.iter().position(|kind| *kind == details[*row].kind));
    assert_eq!(order.len(), 7);
    let sorted = |rows: &[usize]| {
        let mut rows = rows.to_vec();
        rows.sort_unstable();
        rows
    };
    assert_eq!((order[0], sorted(&order[1..4]), sorted(&order[4..])), (9, vec![0, 1, 2], vec![3, 4, 5]));

    let Some(run) = rank("run_1/normal_run/profiler", 1) else { return };
    let expected = [
        ("MatMul", 2807.82, 25, 57.6, 112.313),
        ("Cast", 104.32, 27, 2.14, 3.864),
        ("TransData", 86.12, 9, 1.77, 9.569),
        ("ApplyMomentumD", 56.68, 24, 1.16, 2.362),
        ("MaxPoolGradWithArgmax", 51.6, 6, 1.06, 8.6),
        ("AtomicAddrClean", 48.99, 30, 1.01, 1.633),
        ("Conv2DBackpropFilterD", 45.68, 6, 0.94, 7.613),
        ("Conv2D", 38.97, 6, 0.8, 6.495),
        ("MaxPoolWithArgmax", 34.32, 6, 0.7, 5.72),
        ("FusionOp_ReluGradV2_Cast", 32.87, 6, 0.67, 5.478),
        ("SoftmaxCrossEntropyWithLogits", 28.7, 3, 0.59, 9.567),
        ("BiasAddGrad", 26.73, 9, 0.55, 2.97),
        ("ReluV2", 25.99, 6, 0.53, 4.332),
        ("Conv2DBackpropInputD", 16.07, 3, 0.33, 5.357),
        ("OneHotD", 15.89, 3, 0.33, 5.297),
        ("ReluGrad", 11.54, 6, 0.24, 1.923),
        ("Relu", 9.67, 6, 0.2, 1.612),
        ("AssignAdd", 9.22, 6, 0.19, 1.537),
        ("TensorMove", 5.31, 3, 0.11, 1.77),
        ("Mul", 4.29, 3, 0.09, 1.43),
        ("ReduceMeanD", 4.24, 3, 0.09, 1.413),
        ("GetNext", 0.15, 3, 0.0, 0.05),
        ("StreamRecv", 0.15, 3, 0.0, 0.05),
        ("StreamSend", 0.03, 3, 0.0, 0.01),
    ];
    let rows = aicore_types(&run.trace);
    let rows: Vec<(&str, f64, i64, f64, f64)> = rows
        .iter()
        .map(|row| (row.name.as_str(), us(row.total), row.calls, round(row.share * 100.0, 2), us(row.mean)))
        .collect();
    assert_eq!(rows, expected);
    let adds: Vec<_> = aicore_operators(&run.trace).into_iter().filter(|row| row.kind == "AssignAdd").collect();
    let of = |kernel: &str| adds.iter().find(|row| row.kernel == kernel).expect("it");
    assert_eq!((us(of("AssignAdd-op203").mean), of("AssignAdd-op203").calls), (1.79, 3));
    assert_eq!((us(of("AssignAdd-op206").mean), of("AssignAdd-op206").calls), (1.283, 3));
    assert!(adds.iter().all(|row| row.flops == [None; 4] && row.info.contains("\"INT32\"")));
}

/// The AI CPU's own records, beside the table that MindSpore's test expects from them.
#[test]
fn section_5_records_of_the_ai_cpu() {
    let Some(folder) = real_traces().map(|traces| traces.join("mindspore/JOB_AICPU")) else { return };
    let table = |path: &str| {
        let read = load(path, &text_of(&folder.join(path)), 1 << 7).unwrap_or_else(|error| panic!("{path}: {error}"));
        let [table] = &read.trace.recorded[..] else { panic!("{path}: one table") };
        assert_eq!(table.id, "aicpu", "{path}");
        let cells = |row: &Vec<Cell>| {
            let names = ["node_type_name", "total_time", "dispatch_time", "run_start", "run_end"];
            names.map(|name| table.cell(row, name).clone())
        };
        table.rows.iter().map(cells).collect::<Vec<_>>()
    };
    let ours = table("data/DATA_PREPROCESS.dev.AICPU.0.slice_0");
    assert_eq!(ours, table("expect/output_data_preprocess_aicpu_0.txt"));
    assert_eq!(ours.len(), 3);
}

/// Records of a run whose table MindSpore has made.
#[test]
fn records_of_operators_are_mindspores_table() {
    let Some(folder) = real_traces().map(|traces| traces.join("mindspore")) else { return };
    let framework = |paths: &[&str]| {
        let mut loader = Loader::new(paths[0]);
        for (number, path) in paths.iter().enumerate() {
            if number > 0 {
                loader.next_file(path).expect("another file");
            }
            let bytes = std::fs::read(folder.join(path)).expect("a file");
            loader.space(bytes.len()).copy_from_slice(&bytes);
            loader.advance(bytes.len()).expect("a table");
        }
        let mut trace = loader.finish().expect("a table").trace;
        assert_eq!(trace.recorded.len(), 1);
        trace.recorded.remove(0)
    };
    let theirs = framework(&["profiler/framework_raw_0.csv"]);
    let ours = framework(
        &["graph", "task"]
            .map(|content| format!("JOB1/Framework.host.vm.{content}_desc_info.0.slice_0"))
            .each_ref()
            .map(String::as_str),
    );
    assert_eq!((ours.rows.len(), &ours.columns, &ours.rows), (4, &theirs.columns, &theirs.rows));
}

/// Records of runs whose tables MindSpore has made.
#[test]
fn records_of_the_step_trace_are_mindspores_table() {
    let Some(folder) = real_traces().map(|traces| traces.join("mindspore")) else { return };
    for (job, device) in [("JOB1", 0), ("ERROR_JOB", 10)] {
        let path = format!("{job}/training_trace.46.dev.profiler_default_tag.{device}.slice_0");
        let bytes = std::fs::read(folder.join(&path)).expect("records");
        let mut loader = Loader::new(&path);
        loader.space(bytes.len()).copy_from_slice(&bytes);
        loader.advance(bytes.len()).expect("records");
        let read = loader.finish().expect("a table").trace;
        let theirs = format!("profiler/step_trace_raw_{device}_detail_time.csv");
        let theirs = load(&theirs, &text_of(&folder.join(&theirs)), 1 << 7).expect("a table").trace;
        let [ours, theirs] = [&read, &theirs].map(|trace| trace.recorded.first().expect("a table"));
        // The last row is the average.
        assert_eq!((ours.rows.len() + 1, ours.columns.len()), (theirs.rows.len(), theirs.columns.len()), "{job}");
        for (ours_row, theirs_row) in ours.rows.iter().zip(&theirs.rows) {
            for column in &theirs.columns {
                // The profiler writes 0 for a collective that a step lacks.
                let [one, other] = [ours.cell(ours_row, &column.name), theirs.cell(theirs_row, &column.name)];
                let is_none = *one == Cell::Empty && *other == Cell::Integer(0);
                assert!(one == other || is_none, "{job}: {}: {one:?}, {other:?}", column.name);
            }
        }
    }
}

#[test]
fn section_6_data_pipeline() {
    let Some(profiler) = rank("profiler", 0) else { return };
    let found = profiler.analysis.mindspore.pipeline.as_ref().expect("a pipeline");
    assert_eq!(found.operators.len(), 4);
    let of = |high, low| Thresholds { high, low, ..Thresholds::of(Definition::MindSpore) };
    assert_eq!(bottlenecks(&found.operators, of(0.8, 0.2)), (vec![], false));
    let shuffle = &found.operators[1];
    assert_eq!((shuffle.kind.as_str(), shuffle.id, shuffle.workers, shuffle.parent), ("Shuffle", 1, 1, Some(0)));
    assert_eq!((shuffle.mean_size, shuffle.capacity, shuffle.usage), (Some(20.0), Some(64), 0.3125));
    assert_eq!((shuffle.samples, shuffle.children.as_slice()), ([0, 0, 3], &[2, 3][..]));
    assert_eq!(found.operators[0].workers, 4);
    assert_eq!(table(&profiler, "minddata_pipeline").rows[1][3], Cell::Text("[10, 20, 30]".into()));

    let Some(resources) = ranks("ut_minddata_resource") else { return };
    let expected =
        [(of(0.8, 0.2), vec![1]), (of(0.8, 0.6), vec![2]), (of(0.8, 0.6), vec![0]), (of(0.8, 0.2), vec![3, 4])];
    assert_eq!(resources.len(), expected.len());
    for (rank, (thresholds, rows)) in resources.iter().zip(expected) {
        let operators = &rank.analysis.mindspore.pipeline.as_ref().expect("a pipeline").operators;
        let (found, keeps_up) = bottlenecks(operators, thresholds);
        assert_eq!((found, keeps_up), (rows, rank.rank == Some(2)), "rank {:?}", rank.rank);
    }
    // Ours: nothing was seen to wait for these; they are named as slow by their queues. The low limit is 0.6 for all.
    for (rank, rows) in resources.iter().zip([vec![1, 3, 4], vec![2], vec![], vec![3, 4]]) {
        let found = rank.analysis.mindspore.pipeline.as_ref().expect("a pipeline");
        assert_eq!((&found.slow_by_queues, found.keeps_up), (&rows, rank.rank == Some(2)), "rank {:?}", rank.rank);
    }

    let Some(run) = rank("run_1/normal_run/profiler", 1) else { return };
    let operators = &run.analysis.mindspore.pipeline.as_ref().expect("a pipeline").operators;
    let readers: Vec<_> = operators.iter().filter(|operator| operator.kind == "TFReader").collect();
    assert!(readers.len() == 2 && readers.iter().all(|one| one.parent == Some(1) && one.mean_size == Some(20.0)));
    assert_eq!(operators.iter().find(|operator| operator.kind == "Batch").expect("it").mean_size, None);
}

#[test]
fn section_7_proposals() {
    let Some(mut profiler) = rank("profiler", 0) else { return };
    // Ours: one step, the first, is no evidence for the others, and no source's queue was ever empty.
    let judged = table_advice(&profiler.analysis);
    let of = |rule: &str| judged.iter().find(|one| one.rule.id == rule).expect("the rule");
    assert_eq!(of("data_processing").measured, Err(NotApplicable::FirstStepAlone));
    assert_eq!((of("empty_source").holds, of("empty_source").exemption()), (false, Some(Exemption::NeverEmpty)));
    assert!(of("iteration_interval").holds);
    let pipeline = profiler.analysis.mindspore.pipeline.as_ref().expect("a pipeline");
    assert_eq!((pipeline.verdict, pipeline.bottlenecks.len(), pipeline.counted.steps), (None, 0, 0));

    profiler.redefine(Definition::MindSpore);
    let found = &profiler.analysis.mindspore;
    let pipeline = found.pipeline.as_ref().expect("a pipeline");
    let queue = pipeline.queue.expect("a queue");
    assert_eq!((queue.device, queue.empty, queue.steps, queue.full), (true, 1, 1, 0));
    assert_eq!(pipeline.counted.empty_share(), Some(1.0));
    let judged = table_advice(&profiler.analysis);
    // MindInsight suggests that the processors are busy, too, from 3 samples; the rest is about the same wait.
    assert_eq!(pipeline.processor.map(|processor| (processor.samples, processor.busy())), Some((3, None)));
    assert_eq!(
        judged.iter().find(|one| one.rule.id == "data_processing").and_then(|one| one.covered_by),
        Some("empty_source")
    );
    let rules: Vec<(&str, f64, f64, Vec<Evidence>)> = judged
        .iter()
        .filter(|one| one.holds || one.covered_by.is_some())
        .map(|one| (one.rule.id, one.threshold, one.measured.as_ref().expect("it holds")))
        .map(|(id, threshold, found)| (id, found.value, threshold, found.evidence.clone()))
        .collect();
    assert_eq!((rules[0].0, rules[0].2), ("iteration_interval", 500_000.0));
    let named = |name: &str, value| Evidence::Named(name.to_owned(), value, AdviceUnit::Share);
    let sources = vec![named("TFReader_2", 0.3125), named("TFReader_3", 0.3125)];
    assert_eq!(rules[1..3], [("data_processing", 1.0, 0.3, vec![]), ("empty_source", 0.3125, 0.6, sources)]);
    // The recorded step is longer than the timeline's: shares are of the recorded one.
    let shares: Vec<f64> = judged.iter().filter_map(stepscope::analyze::Judgement::gain_share).collect();
    assert!(!shares.is_empty() && shares.iter().all(|share| *share <= 1.0), "{shares:?}");
    assert!((shares[0] - 0.693).abs() < 0.001, "{shares:?}");
    // MindInsight has no such rule.
    assert!(rules[3..].iter().all(|(id, ..)| *id == "slow_unit"), "{rules:?}");
}

#[test]
fn section_8_flops_timelines_and_shapes() {
    let Some(profiler) = rank("profiler", 0) else { return };
    let summary = table(&profiler, "flops_summary");
    assert_eq!(summary.rows, [[Cell::Real(8_167_743_000.0), Cell::Real(9_868_936_000_000.0), Cell::Real(0.03765)]]);
    let scopes = table(&profiler, "flops_scope");
    assert_eq!(scopes.rows.len(), 34);
    assert_eq!(scopes.rows[0], [Cell::Text("Total".into()), Cell::Text("Default".into()), Cell::Real(4_655_465_000.0)]);
    let timelines: Vec<&Vec<Cell>> = profiler
        .trace
        .recorded
        .iter()
        .filter(|table| table.id == "timeline_summary")
        .flat_map(|table| &table.rows)
        .collect();
    assert_eq!(
        timelines,
        [
            &[23_147_014_000, 2, 213, 112, 0].map(Cell::Integer).to_vec(),
            &[3_875_638_704, 1, 66, 66, 0].map(Cell::Integer).to_vec(),
        ]
    );

    let shapes = dynamic_shapes(&profiler.trace, 1, Some("Add"));
    assert_eq!(shapes.len(), 1);
    let add = &shapes[0];
    assert_eq!((add.side.as_str(), add.name.as_str(), us(add.time)), ("gpu", "Add-op6", 75.616));
    assert_eq!(add.shapes, "[[32, 1], [32, 1]]");
    assert_eq!(dynamic_shapes(&profiler.trace, 1, None).len(), 4);
    let times = |kernels, kind: &str| -> Vec<f64> {
        shape_times(&profiler.trace, kernels, kind).into_iter().map(|(_, time)| us(time)).collect()
    };
    assert_eq!(times(false, "GetNext"), [153.52, 80.224, 50.752, 72.768, 59.936, 81.344, 67.232, 52.064, 0.0]);
    let kernel = "ElewiseArithKernel<float, AddFunc<float> >(int, float const*, float const*, float*)";
    assert_eq!(times(true, kernel), [3.904, 3.232, 3.04, 3.04, 3.072, 3.072, 3.232, 3.04, 3.072]);
    let kernels = table(&profiler, "dynamic_shape_kernels");
    let text = |text: &str| Cell::Text(text.into());
    let expected = [
        Cell::Integer(1),
        text("cuLaunchKernel"),
        text(kernel),
        text("Default/network-Net/Add-op6"),
        Cell::Integer(3904),
        text("256,1,1"),
        text("1,1,1"),
    ];
    assert_eq!(kernels.rows[0], expected);

    let Some(strategy) = ranks("parallel_strategy") else { return };
    let rows: Vec<&Vec<Cell>> = strategy.iter().flat_map(|rank| &table(rank, "parallel_strategy").rows).collect();
    let row = [text("auto_parallel"), Cell::Integer(0), text("[0, 1]")];
    assert_eq!(rows, [&row, &row]);
    assert_eq!(strategy[0].trace.meta.distributed.world_size, Some(2));
}

/// The tables of a framework beside its events agree with each other.
#[test]
fn what_mindspore_wrote_on_a_cpu_adds_up() {
    let Some(folder) = real_traces() else { return };
    let folder = folder.join("generated/mindspore");
    let mut compared = 0;
    for entry in std::fs::read_dir(&folder).expect("runs").flatten() {
        let files = files_of(&entry.path());
        let found = folder_ranks(&files, 1 << 12, &AnalysisConfig::standard()).expect("ranks");
        for rank in &found.ranks {
            let tables = |id: &str| rank.trace.recorded.iter().find(|table| table.id == id);
            if let (Some(types), Some(details)) = (tables("cpu_op_type"), tables("cpu_op_detail")) {
                let sum = |table: &RecordedTable, column: &str| -> f64 {
                    table.rows.iter().filter_map(|row| table.cell(row, column).number()).sum()
                };
                let (by_type, by_name) = (sum(types, "total_compute_time"), sum(details, "op_total_time"));
                assert!((by_type / by_name - 1.0).abs() < 1e-4, "{}: {by_type} and {by_name}", rank.file);
                assert!((sum(types, "percent") - 1.0).abs() < 1e-4, "{}", rank.file);
                compared += 1;
            }
            if let (Some(analysed), Some(raw)) = (tables("minddata_pipeline"), tables("pipeline_profiling")) {
                for row in &analysed.rows {
                    let same = raw.rows.iter().find(|other| other[0] == row[0]).expect("the same operator");
                    let usage = |row: &Vec<Cell>| analysed.cell(row, "output_queue_usage_rate").number();
                    assert_eq!(usage(row), raw.cell(same, "output_queue_usage_rate").number(), "{}", rank.file);
                    let column = |table: &RecordedTable, row: &[Cell], name: &str| table.cell(row, name).clone();
                    for name in ["op_type", "num_workers", "output_queue_size", "parent_id"] {
                        assert_eq!(column(analysed, row, name), column(raw, same, name), "{}: {name}", rank.file);
                    }
                }
                compared += 1;
            }
        }
    }
    assert!(compared > 10, "only {compared} pairs of tables were compared");
}
