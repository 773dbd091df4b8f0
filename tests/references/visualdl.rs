//! VisualDL's tables of a Paddle trace with a device, compared with ours. VisualDL prints µs and percents with two
//! decimals.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value as Json;
use stepscope::analyze::{
    AnalysisConfig, Definition, KernelGrouping, KernelRow, PaddleSummary, Phase, RangeTimes, Spread, Statistics,
    StepsConfig, TensorCores, Value, data_loading, definition_values, kernels, paddle_summary, phases, steps,
};
use stepscope::trace::{NameId, Trace};
use stepscope::{Code, Interval, Nanos};
use stepscope_style::paddle::{self, PaddleStyle, View};
use stepscope_tests::files::{load, rank, real_traces, text_of};
use stepscope_tests::oracle::identities;

use super::comparison::{Comparison, float};

/// Half of the last decimal in ns, and a bit for VisualDL's doubles.
const PRINTED: f64 = 5.01;

/// Compares the traces in a folder.
pub(crate) fn compare(folder: &Path) -> Vec<Comparison> {
    let mut found = Vec::new();
    for worker in ["worker0", "worker1"] {
        let path = folder.join(format!("{worker}_time_2026_01_01_00_00_00_000000.paddle_trace.json"));
        let loaded = load(worker, &text_of(&path), 1 << 16).unwrap_or_else(|error| panic!("{error}"));
        let of_steps = steps(&loaded.trace, &StepsConfig::default());
        let summary = paddle_summary(&loaded.trace, &of_steps, false);
        let results = folder.join(format!("visualdl_{worker}"));
        let mut run = Run { worker, trace: &loaded.trace, summary: &summary, results: &results, found: &mut found };
        run.devices();
        run.kernels();
        run.kernels_by_launch();
        run.model();
        run.steps();
        run.operators();
        run.memory();
        run.distribution();
    }
    found
}

struct Run<'a> {
    worker: &'static str,
    trace: &'a Trace,
    summary: &'a PaddleSummary,
    results: &'a Path,
    found: &'a mut Vec<Comparison>,
}

/// A number, which may stand in quotes.
fn number(value: &Json) -> f64 {
    value.as_f64().or_else(|| value.as_str()?.parse().ok()).unwrap_or_else(|| panic!("{value} is no number"))
}

fn list(value: &Json) -> &[Json] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

#[expect(clippy::cast_precision_loss, reason = "counts")]
fn count(count: u64) -> f64 {
    count as f64
}

impl Run<'_> {
    fn read(&self, name: &str) -> Json {
        let bytes =
            fs::read(self.results.join(format!("{name}.json"))).unwrap_or_else(|error| panic!("{name}: {error}"));
        serde_json::from_slice(&bytes).expect("JSON")
    }

    fn add(&mut self, key: impl Into<String>, theirs: f64, ours: f64, tolerance: f64) {
        self.found.push(Comparison::close("visualdl", self.worker, key, theirs, ours, tolerance));
    }

    /// A time in µs.
    fn time(&mut self, key: impl Into<String>, theirs: &Json, ours: f64) {
        self.sum(key, theirs, ours, 0);
    }

    /// The time of so many spans in µs: their ends are cut to whole ns, from doubles.
    fn sum(&mut self, key: impl Into<String>, theirs: &Json, ours: f64, spans: u64) {
        self.add(key, number(theirs) * 1000.0, ours, PRINTED + count(spans));
    }

    fn devices(&mut self) {
        let infos = self.read("device_infos");
        let fact = |name: &str| {
            let fact = self.trace.meta.facts.iter().find(|(key, _)| key == name).expect("a fact");
            fact.1.parse::<f64>().expect("a number") * 100.0
        };
        let (process, system) = (fact("Process Cpu Utilization"), fact("System Cpu Utilization"));
        self.add("CPU process", number(&infos["CPU"]["process_utilization"]), process, 0.0051);
        self.add("CPU system", number(&infos["CPU"]["system_utilization"]), system, 0.0051);
        let device = &self.trace.meta.devices[0];
        assert_eq!(infos["GPU"]["name"].as_str(), Some(device.name.as_str()));
        let (major, minor) = device.capability.expect("a capability");
        assert_eq!(infos["GPU"]["compute_capability"].as_str(), Some(format!("{major}.{minor}").as_str()));
        let steps = float(self.summary.steps);
        let rows = kernels(self.trace, KernelGrouping::NameOperatorLaunch);
        let all: f64 = rows.iter().map(|row| float(row.time.total)).sum();
        let weighted =
            |of: &dyn Fn(&KernelRow) -> f64| -> f64 { rows.iter().map(|row| of(row) * float(row.time.total)).sum() };
        let (_, busy) = self.summary.kernels_of_devices[0];
        let gpu = &infos["GPU"];
        let theirs = |key: &str| number(&gpu[key]);
        self.add("GPU utilization", theirs("utilization"), float(busy) / steps * 100.0, 0.0051);
        let efficiency = weighted(&|row| row.blocks_per_sm.map_or(0.0, |found| found.value).min(1.0));
        self.add("SM efficiency", theirs("sm_efficiency"), efficiency / steps * 100.0, 0.0051);
        let occupancy = weighted(&|row| row.occupancy_percent.map_or(0.0, |found| found.value));
        self.add("occupancy", theirs("achieved_occupancy"), occupancy / all, 0.0051);
        let tensor = weighted(&|row| f64::from(u8::from(row.tensor_cores == TensorCores::Used)));
        self.add("tensor cores", theirs("tensor_core_percentage"), tensor / all * 100.0, 0.0051);
    }

    fn statistics(&mut self, key: &str, row: &Json, ours: &Statistics) {
        self.add(format!("{key} calls"), number(&row["calls"]), count(ours.calls), 0.0);
        self.sum(format!("{key} total"), &row["total_time"], float(ours.total), ours.calls);
        self.time(format!("{key} mean"), &row["avg_time"], float(ours.mean));
        self.time(format!("{key} max"), &row["max_time"], float(ours.max));
        self.time(format!("{key} min"), &row["min_time"], float(ours.min));
    }

    fn kernel(&mut self, key: &str, row: &Json, ours: &KernelRow) {
        self.statistics(key, row, &ours.time);
        self.add(format!("{key} ratio"), number(&row["ratio"]), ours.share * 100.0, 0.0051);
        self.add(
            format!("{key} blocks"),
            number(&row["mean blocks per sm"]),
            ours.blocks_per_sm.map_or(0.0, |found| found.value),
            0.0051,
        );
        let occupancy = ours.occupancy_percent.map_or(0.0, |found| found.value);
        self.add(format!("{key} occupancy"), number(&row["mean est achieved occupancy"]), occupancy, 0.0051);
        let theirs = row["tensor core used"].as_bool().expect("a truth value");
        self.add(
            format!("{key} tensor"),
            f64::from(u8::from(theirs)),
            f64::from(u8::from(ours.tensor_cores == TensorCores::Used)),
            0.0,
        );
    }

    fn kernels(&mut self) {
        let table = self.read("kernel_table");
        let rows = kernels(self.trace, KernelGrouping::Name);
        let mut rows: BTreeMap<&str, KernelRow> =
            rows.into_iter().map(|row| (self.trace.strings.get(row.name), row)).collect();
        for row in list(&table["events"]) {
            let name = row["name"].as_str().expect("a name");
            let ours = rows.remove(name).unwrap_or_else(|| panic!("no kernel {name}"));
            self.kernel(&format!("kernel {name}"), row, &ours);
        }
        self.add("kernels that VisualDL does not show", 0.0, count(rows.len() as u64), 0.0);
        // Paddle's own Kernel Summary.
        for row in list(&table["events"]) {
            let name = row["name"].as_str().expect("a name");
            let summary = self.summary;
            let ours = summary.kernels.iter().find(|(known, _)| self.trace.strings.get(*known) == name);
            let (_, time) = ours.unwrap_or_else(|| panic!("no kernel {name} in the summary"));
            self.statistics(&format!("summary's kernel {name}"), row, time);
        }
    }

    fn kernels_by_launch(&mut self) {
        let table = self.read("kernel_table_by_attr");
        let rows = kernels(self.trace, KernelGrouping::NameOperatorLaunch);
        let key = |row: &KernelRow| {
            let config = row.config.get().map(|id| self.trace.configs[id.index()]).expect("a configuration");
            let triple = |[x, y, z]: [u32; 3]| format!("[{x},{y},{z}]");
            let name = |id: NameId| self.trace.strings.get(id).to_owned();
            let launch = format!(
                "{} {} {} {}",
                triple(config.grid),
                triple(config.block),
                config.registers,
                config.shared_memory
            );
            format!("{} by {} {launch}", name(row.name), name(row.operator))
        };
        // Launch configurations that differ outside of their row's columns are several rows of ours.
        let mut ours: BTreeMap<String, (u64, f64)> = BTreeMap::new();
        for row in &rows {
            let sum = ours.entry(key(row)).or_default();
            sum.0 += row.time.calls;
            sum.1 += float(row.time.total);
        }
        for row in list(&table["events"]) {
            let text = |key: &str| row[key].as_str().map_or_else(|| row[key].to_string(), str::to_owned);
            let launch =
                format!("{} {} {} {}", text("grid"), text("block"), text("register per thread"), text("shared memory"));
            let key = format!("{} by {} {launch}", text("name"), text("operator"));
            let (calls, total) = ours.remove(&key).unwrap_or((0, f64::NAN));
            self.add(format!("launch {key} calls"), number(&row["calls"]), count(calls), 0.0);
            self.time(format!("launch {key} total"), &row["total_time"], total);
        }
        for (key, (calls, _)) in ours {
            self.add(format!("launch {key} calls"), 0.0, count(calls), 0.0);
        }
    }

    fn spread(&mut self, key: &str, row: &Json, prefix: &str, ours: Spread, calls: u64) {
        self.sum(format!("{key} total"), &row[format!("{prefix}total_time")], float(ours.total), calls);
        let mean = float(ours.total) / count(calls.max(1));
        self.sum(format!("{key} mean"), &row[format!("{prefix}avg_time")], mean, 1);
        self.sum(format!("{key} max"), &row[format!("{prefix}max_time")], float(ours.max), 1);
        let min = if calls == 0 { 0.0 } else { float(ours.min) };
        self.sum(format!("{key} min"), &row[format!("{prefix}min_time")], min, 1);
    }

    fn model(&mut self) {
        let table = self.read("model_perspective");
        let ours: BTreeMap<&str, RangeTimes> = self.summary.model.iter().copied().collect();
        for row in list(&table["cpu"]) {
            let name = row["name"].as_str().expect("a name");
            if name == "Other" {
                self.time("model Other host", &row["total_time"], float(self.summary.others[0]));
                continue;
            }
            let times = ours[name];
            self.add(format!("model {name} calls"), number(&row["calls"]), count(times.calls), 0.0);
            self.spread(&format!("model {name} host"), row, "", times.host, times.calls);
            let ratio = float(times.host.total) / float(self.summary.steps) * 100.0;
            self.add(format!("model {name} ratio"), number(&row["ratio"]), ratio, 0.0051);
        }
    }

    /// Each step's phases.
    fn steps(&mut self) {
        let steps = steps(self.trace, &StepsConfig::default());
        let phases = phases(self.trace, &steps);
        for (what, table) in [("host", "model_perspective_perstep_cpu"), ("device", "model_perspective_perstep_gpu")] {
            let table = self.read(table);
            let numbers: Vec<String> = list(&table["steps"]).iter().map(Json::to_string).collect();
            let names: Vec<&str> = steps.steps.iter().map(|step| step.name.as_str()).collect();
            assert_eq!(names, numbers);
            for (order, values) in list(&table["order"]).iter().zip(list(&table["data"])) {
                let phase = match order.as_str() {
                    Some("Dataloader") => Phase::Dataloader,
                    Some("Forward") => Phase::Forward,
                    Some("Backward") => Phase::Backward,
                    Some("Optimization") => Phase::Optimizer,
                    _ => Phase::Other,
                };
                for ((name, theirs), times) in names.iter().zip(list(values)).zip(&phases.steps) {
                    let time = times[phase as usize];
                    let ours = if what == "host" { time.host } else { time.device };
                    self.time(format!("step {name} {} {what}", phase.name()), theirs, float(ours));
                }
            }
        }
    }

    fn operators(&mut self) {
        let table = self.read("operator_table");
        let host: f64 = self.summary.operators.iter().map(|row| float(row.times.host.total)).sum();
        let mut ours: BTreeMap<&str, &stepscope::analyze::PaddleOperator> =
            self.summary.operators.iter().map(|row| (self.trace.strings.get(row.name), row)).collect();
        for row in list(&table["events"]) {
            let name = row["name"].as_str().expect("a name");
            let Some(operator) = ours.remove(name) else {
                self.add(format!("operator {name} calls"), number(&row["calls"]), 0.0, 0.0);
                continue;
            };
            let times = operator.times;
            self.add(format!("operator {name} calls"), number(&row["calls"]), count(times.calls), 0.0);
            self.spread(&format!("operator {name} host"), row, "cpu_", times.host, times.calls);
            self.spread(&format!("operator {name} device"), row, "gpu_", times.device, times.calls);
            self.add(
                format!("operator {name} ratio"),
                number(&row["cpu_ratio"]),
                float(times.host.total) / host * 100.0,
                0.0051,
            );
            let mut parts: BTreeMap<&str, RangeTimes> =
                operator.parts.iter().map(|part| (self.trace.strings.get(part.name), part.times)).collect();
            for row in list(&row["children"]) {
                let part = row["name"].as_str().expect("a name");
                let times = parts.remove(part).unwrap_or_default();
                let key = format!("part {name} / {part}");
                self.add(format!("{key} calls"), number(&row["calls"]), count(times.calls), 0.0);
                self.spread(&format!("{key} host"), row, "cpu_", times.host, times.calls);
                self.spread(&format!("{key} device"), row, "gpu_", times.device, times.calls);
            }
            self.add(format!("operator {name} parts"), 0.0, count(parts.len() as u64), 0.0);
        }
        self.add("operators that VisualDL does not show", 0.0, count(ours.len() as u64), 0.0);
    }

    fn memory(&mut self) {
        let table = self.read("op_memory_events_Place_cpu_");
        let rows = self.summary.memory.clone();
        let mut ours: BTreeMap<&str, _> = rows.iter().map(|row| (self.trace.strings.get(row.name), row)).collect();
        for row in list(&table["data"]) {
            let name = row["EventName"].as_str().expect("a name");
            let Some(found) = ours.remove(name) else {
                self.add(format!("memory {name}"), 1.0, 0.0, 0.0);
                continue;
            };
            self.add(
                format!("memory {name} allocations"),
                number(&row["AllocationCount"]),
                count(found.sums.allocations),
                0.0,
            );
            self.add(format!("memory {name} releases"), number(&row["FreeCount"]), count(found.sums.releases), 0.0);
            #[expect(clippy::cast_precision_loss, reason = "bytes of a small run")]
            for (key, ours) in [
                ("AllocationSize", found.sums.allocated),
                ("FreeSize", found.sums.released),
                ("IncreasedSize", found.sums.net()),
            ] {
                self.add(format!("memory {name} {key}"), number(&row[key]), ours as f64 / 1024.0, 0.0051);
            }
        }
        for name in ours.into_keys() {
            self.add(format!("memory {name} only here"), 0.0, 1.0, 0.0);
        }
    }

    fn distribution(&mut self) {
        let table = self.read("distributed_histogram_all");
        let steps = steps(self.trace, &StepsConfig::default());
        let values = definition_values(self.trace, &steps, Definition::Paddle).values;
        let ours = |key: &str| match values.iter().find(|(name, _)| *name == key) {
            Some((_, Value::Time(time))) => *time,
            _ => panic!("no {key}"),
        };
        let [total, communication, computation, overlap] =
            ["profile_step_ns", "communication_ns", "computation_ns", "overlap_ns"].map(ours);
        let others = total - communication - computation + overlap;
        let all: [(&str, Nanos); 5] = [
            ("ProfileStep", total),
            ("Communication", communication),
            ("Computation", computation),
            ("Overlap", overlap),
            ("Others", others),
        ];
        for ((name, ours), (order, theirs)) in
            all.into_iter().zip(list(&table["order"]).iter().zip(list(&table["data"])))
        {
            assert_eq!(order.as_str(), Some(name));
            self.time(format!("distribution {name}"), &theirs[0], float(ours));
        }
    }
}

/// Half of the kernels run on their stream after kernels that were launched later, those of the first step after the
/// last one's: they extend no step, which is then as long as its mark.
#[test]
fn kernels_out_of_order_extend_no_step() {
    let Some(traces) = real_traces() else { return };
    let worker = "worker0_time_2026_01_01_00_00_00_000000.paddle_trace.json";
    let text = text_of(&traces.join("paddle_gpu_synthetic").join(worker));
    let rank = rank(worker, &text, &AnalysisConfig::standard()).expect("a trace");
    assert_eq!(identities(&rank), Ok(()));
    let analysis = &rank.analysis;
    let lengths = |of: fn(&stepscope::analyze::Step) -> Interval| -> Vec<i64> {
        analysis.steps.steps.iter().map(|step| of(step).len().0).collect()
    };
    let (steps, marks) = (lengths(|step| step.span), lengths(|step| step.host));
    assert_eq!((&steps[..3], analysis.steps.counted().len()), (&marks[..3], 4), "no step is a warm-up");
    assert!(steps[3] > marks[3], "the last one's own kernels run on after it");
    assert!(analysis.average.device.exposed_communication > Nanos(400_000), "{:?}", analysis.average.device);
    // The host's wait is that of its own table, and less than a step.
    assert_eq!(analysis.average.data_wait, Nanos(1_285_447));
    let warned = rank.warnings.iter().find(|warning| warning.code == Code::OutOfOrder).map(|warning| warning.count);
    assert_eq!(warned, Some(71));
}

/// The part of the steps in which the host waits for data is one number wherever it is shown: VisualDL's, which is that of
/// Paddle's Model Summary.
#[test]
fn the_hosts_wait_for_data_is_one_number() {
    let Some(traces) = real_traces() else { return };
    let folder = traces.join("paddle_gpu_synthetic");
    for worker in 0..2 {
        let file = format!("worker{worker}_time_2026_01_01_00_00_00_000000.paddle_trace.json");
        let rank = rank(&file, &text_of(&folder.join(&file)), &AnalysisConfig::standard()).expect("a trace");
        let theirs = text_of(&folder.join(format!("visualdl_worker{worker}/model_perspective.json")));
        let theirs: Json = serde_json::from_slice(&theirs).expect("JSON");
        assert_eq!(
            (&theirs["cpu"][1]["name"], theirs["cpu"][1]["ratio"].as_f64()),
            (&Json::from("Dataloader"), Some(48.8))
        );
        let reader = rank.analysis.benchmark.expect("steps").reader_ratio.expect("waits");
        let analysis = &rank.analysis;
        let loading = data_loading(&rank.trace, &analysis.steps, &analysis.known_categories()).expect("waits").average;
        let table = loading.waiting.ratio_of(loading.host).expect("steps");
        let style = PaddleStyle { views: Some(vec![View::Model]), ..PaddleStyle::standard() };
        let summary = paddle_summary(&rank.trace, &analysis.steps, false);
        let printed = paddle::summary(&rank.trace, &summary, &style);
        let line = printed.lines().find(|line| line.trim_start().starts_with("Dataloader")).expect("a row");
        assert!(line.contains("/ 48.80 "), "{line}");
        for share in [reader, table] {
            assert_eq!((share * 1000.0).round(), 488.0, "{share}");
        }
        assert_eq!(analysis.average.data_wait, loading.waiting);
    }
}
