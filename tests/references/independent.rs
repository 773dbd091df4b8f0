//! Two independent scripts: device time on integers, and everything of METRICS sections 2 and 3.

use std::fs;
use std::path::Path;

use serde_json::Value;
use stepscope::analyze::{DeviceSets, DeviceTime, IntervalSet, TimeCategory};
use stepscope::trace::{Activity, Class};
use stepscope::{Interval, Nanos, Rank};

use super::comparison::{Comparison, nanos_of_text};

/// The activities of all devices, as one device: the references do not distinguish devices.
fn sets(rank: &Rank) -> DeviceSets {
    DeviceSets::of(&rank.trace, &rank.trace.activities)
}

fn window(rank: &Rank) -> Interval {
    sets(rank).busy().hull().unwrap_or_default()
}

/// `exact_device_time.json`: communication by the names `^nccl.*Kernel`.
pub(crate) fn exact_device_time(rank: &Rank, trace: &str, reference: &Path, found: &mut Vec<Comparison>) {
    const REFERENCE: &str = "exact_device_time";
    let Ok(text) = fs::read(reference.join("exact_device_time.json")) else { return };
    let expected: Value = serde_json::from_slice(&text).expect("JSON");
    let sets = sets(rank);
    let time = DeviceTime::of(0, &sets, window(rank));
    let of_class = |wanted: &dyn Fn(&Activity) -> bool| rank.trace.activities.iter().filter(|one| wanted(one)).count();
    let is_kernel = |activity: &Activity| rank.trace.slices.class(activity.event) == Class::Kernel;
    let counts = [
        ("gpu_events", rank.trace.activities.len()),
        ("kernels", of_class(&is_kernel)),
        ("comm_any", of_class(&|activity| activity.communication)),
    ];
    for (key, count) in counts {
        let expected: i64 = expected[key].as_str().expect("a text").parse().expect("a number");
        found.push(Comparison::exact(REFERENCE, trace, key, expected, i64::try_from(count).expect("few")));
    }
    let times = [
        ("span_us", time.window),
        ("busy_us", time.busy),
        ("idle_us", time.idle),
        ("compute_union_us", time.compute),
        ("comm_union_us", time.communication),
        ("mem_union_us", sets.memcpy.union(&sets.memset).len()),
        ("comp_comm_overlap_us", time.overlap),
    ];
    for (key, time) in times {
        if !expected[key].is_null() {
            found.push(Comparison::exact(REFERENCE, trace, key, nanos_of_text(&expected[key]), time.0));
        }
    }
}

/// `expected.json`: under METRICS' own definitions, to the nanosecond.
pub(crate) fn expected(rank: &Rank, trace: &str, expected: &Value, found: &mut Vec<Comparison>) {
    let mut compare = Section { trace, found };
    let all = sets(rank);
    if expected["section2"].is_object() {
        compare.device_time("section2", &expected["section2"], &all, window(rank));
        assert_eq!(rank.analysis.devices.len(), 1, "{trace}: the report on the one device is the same");
        assert_eq!(rank.analysis.devices[0].sets, all, "{trace}");
    }
    let steps = &rank.analysis.steps.steps;
    let expected_steps = expected["steps"].as_array().map(Vec::as_slice).unwrap_or_default();
    let count = |length: usize| i64::try_from(length).expect("few");
    compare.add("steps".into(), count(expected_steps.len()), count(steps.len()));
    let number = |value: &Value| value.as_i64().unwrap_or_else(|| panic!("{value} is no number"));
    // The script keeps the file's clock, ours starts with the trace.
    let first = expected_steps.first().map_or(0, |step| number(&step["host"][0]));
    let shift = first - steps.first().map_or(0, |step| step.host.start.0);
    for (index, (step, of_step)) in steps.iter().zip(expected_steps).enumerate() {
        let name = of_step["name"].as_str().expect("a name");
        assert_eq!(step.name, name, "{trace}: steps in order");
        let key = |what: &str| format!("step {name} {what}");
        compare.add(key("host start"), number(&of_step["host"][0]), step.host.start.0 + shift);
        compare.add(key("host end"), number(&of_step["host"][1]), step.host.end.0 + shift);
        compare.add(key("start"), number(&of_step["start"]), step.span.start.0 + shift);
        compare.add(key("end"), number(&of_step["end"]), step.span.end.0 + shift);
        compare.add(key("activities"), number(&of_step["activities"]), i64::try_from(step.activities).expect("few"));
        compare.add(key("partial"), i64::from(of_step["partial"] == true), i64::from(step.partial));
        // The script gives partial steps no categories.
        for (category, of_category) in ROLES.iter().filter(|_| expected["roles"][name].is_object()) {
            let ours = rank.analysis.categories[index][*category as usize].0;
            compare.add(key(of_category), number(&expected["roles"][name][of_category]), ours);
        }
        let of_devices = &expected["section2_per_step"][name];
        if of_devices.is_object() {
            compare.device_time(&key("device"), of_devices, &all.clip(step.span), step.span);
        }
    }
}

pub(crate) const ROLES: [(TimeCategory, &str); 8] = [
    (TimeCategory::Kernel, "Kernel"),
    (TimeCategory::Memcpy, "Memcpy"),
    (TimeCategory::Memset, "Memset"),
    (TimeCategory::Communication, "Communication"),
    (TimeCategory::Runtime, "Runtime"),
    (TimeCategory::Dataloader, "DataLoader"),
    (TimeCategory::Cpu, "CPU Exec"),
    (TimeCategory::Other, "Other"),
];

struct Section<'a> {
    trace: &'a str,
    found: &'a mut Vec<Comparison>,
}

impl Section<'_> {
    fn add(&mut self, key: String, expected: i64, found: i64) {
        // The file's clock has times of 2^60 ns; only their differences matter.
        let base = if expected.unsigned_abs() >= 1 << 52 { expected } else { 0 };
        self.found.push(Comparison::exact("expected", self.trace, key, expected - base, found - base));
    }

    fn device_time(&mut self, of: &str, expected: &Value, sets: &DeviceSets, window: Interval) {
        let time = DeviceTime::of(0, sets, window);
        let memory: &IntervalSet = &sets.memcpy.union(&sets.memset);
        let values: [(&str, Nanos); 12] = [
            ("window", time.window),
            ("busy", time.busy),
            ("idle", time.idle),
            ("compute", time.compute),
            ("communication", time.communication),
            ("memcpy", time.memcpy),
            ("memset", time.memset),
            ("overlap", time.overlap),
            ("exposed_communication", time.exposed_communication),
            ("exposed_memcpy", time.exposed_memcpy),
            ("exposed_memset", time.exposed_memset),
            ("memory", memory.len()),
        ];
        for (key, value) in values {
            let expected = expected[key].as_i64().unwrap_or_else(|| panic!("no {key}"));
            self.add(format!("{of} {key}"), expected, value.0);
        }
    }
}
