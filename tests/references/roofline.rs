//! FLOPs of operator calls, and shares of devices' peaks: METRICS section 4.

use std::fs;

use serde::Deserialize;
use stepscope::Rank;
use stepscope::analyze::{AnalysisConfig, GivenPeaks, KernelGrouping, kernel_use, shares_of_peak, work_of_call};
use stepscope_tests::files::{load_file, real_traces};

use super::{files, trace_name};

/// A call of an operator, and what an independent script says of it.
#[derive(Deserialize)]
struct Instance {
    op: String,
    dims: serde_json::Value,
    types: serde_json::Value,
    concrete: serde_json::Value,
    flops: Option<u64>,
    unit: Option<String>,
    how: String,
}

#[derive(Deserialize)]
struct Reference {
    instances: Vec<Instance>,
}

#[test]
fn flops_of_matrix_operators_are_exact() {
    let Some(folder) = real_traces() else { return };
    let bytes = fs::read(folder.join("reference/roofline_reference.json")).expect("the reference");
    let reference: Reference = serde_json::from_slice(&bytes).expect("JSON");
    let exact = |one: &&Instance| one.unit.as_deref() == Some("matrix") && one.how == "exact";
    let mut compared = 0;
    for one in reference.instances.iter().filter(exact) {
        let found = work_of_call(&one.op, &one.dims.to_string(), &one.types.to_string(), &one.concrete.to_string());
        assert_eq!(found.map(|work| work.flops), one.flops, "{} {} {}", one.op, one.dims, one.concrete);
        compared += 1;
    }
    assert!(compared >= 285, "{compared} instances");
}

/// More than a twentieth above the dense peak is a wrong peak, wrong FLOPs, or a wrong time.
#[test]
fn no_kernel_is_faster_than_its_device() {
    const MOST: f64 = 1.05;
    let Some(folder) = real_traces() else { return };
    let mut traces = files(&folder.join("pytorch"));
    traces.extend(files(&folder.join("more/inference")));
    let mut judged = 0;
    for path in traces.iter().filter(|path| path.to_string_lossy().ends_with(".json.gz")) {
        let file = fs::read(path).expect("a trace");
        let name = trace_name(path);
        let loaded = load_file(&name, &file, 256 << 10).unwrap_or_else(|error| panic!("{error}"));
        let rank = Rank::new(&name, file.len() as u64, loaded, &AnalysisConfig::standard());
        let given = GivenPeaks::default();
        for (call, share) in shares_of_peak(&rank.trace, &given) {
            let Some(share) = share else { continue };
            assert!(share <= MOST, "{name}: {} reaches {share} of the peak", rank.trace.name_of(call));
            judged += 1;
        }
        let found = kernel_use(&rank.trace, KernelGrouping::NameOperatorLaunch, None, &given);
        for used in &found.rows {
            let share = used.computed.share_of_peak().map_or(0.0, |share| share.value);
            assert!(share <= MOST, "{name}: {} reaches {share}", rank.trace.strings.get(used.row.name));
        }
        for device in &found.devices {
            let all = [device.sm_efficiency, device.occupancy, device.tensor_cores, device.computed.per_second()];
            for covered in all.into_iter().flatten() {
                assert!((0.0..=1.0).contains(&covered.coverage), "{name}: {covered:?}");
            }
        }
    }
    assert!(judged > 5_000, "{judged} calls");
}
