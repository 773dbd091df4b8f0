//! FLOPs of operator calls, and shares of devices' peaks: METRICS section 4.

use std::fs;

use serde::Deserialize;
use stepscope::Rank;
use stepscope::analyze::{
    AnalysisConfig, GivenPeaks, KernelGrouping, bytes_of_call, kernel_use, shares_of_peak, work_of_call,
};
use stepscope_tests::files::{load_file, real_traces};

use super::{files, trace_name};

/// A call of an operator, with an independent script's numbers.
#[derive(Deserialize)]
struct Instance {
    op: String,
    dims: serde_json::Value,
    types: serde_json::Value,
    concrete: serde_json::Value,
    flops: Option<u64>,
    unit: Option<String>,
    how: String,
    /// The fewest bytes; `None` if unknown.
    bytes: Option<u64>,
    /// Strides of each input's dimensions.
    strides: Option<serde_json::Value>,
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

/// Whether an input is expanded: it has fewer elements than its sizes suggest, and these traces have no strides.
fn is_expanded(one: &Instance) -> bool {
    let empty = Vec::new();
    let list = |value: &serde_json::Value| value.as_array().cloned().unwrap_or_default();
    let strides = one.strides.as_ref().and_then(|all| all.as_array()).unwrap_or(&empty);
    let of_input = |(sizes, strides): (&serde_json::Value, &serde_json::Value)| {
        list(sizes)
            .iter()
            .zip(list(strides))
            .any(|(size, stride)| size.as_u64() > Some(1) && stride.as_u64() == Some(0))
    };
    one.dims.as_array().unwrap_or(&empty).iter().zip(strides).any(of_input)
}

#[test]
fn bytes_of_operators_are_within_a_hundredth() {
    let Some(folder) = real_traces() else { return };
    let bytes = fs::read(folder.join("reference/roofline_reference.json")).expect("the reference");
    let reference: Reference = serde_json::from_slice(&bytes).expect("JSON");
    let (mut compared, mut wrong) = (0, Vec::new());
    for one in reference.instances.iter().filter(|one| one.how == "exact" && !is_expanded(one)) {
        let [dims, types, concrete] = [&one.dims, &one.types, &one.concrete].map(ToString::to_string);
        let Some(found) = bytes_of_call(&one.op, &dims, &types, &concrete) else { continue };
        compared += 1;
        // Statistics of norms are small, and inputs do not always have their sizes.
        if one.bytes.is_none_or(|bytes| found.abs_diff(bytes).saturating_mul(100) > bytes) {
            wrong.push(format!("{} {dims} {types}: {found} instead of {:?}", one.op, one.bytes));
        }
    }
    assert!(compared >= 500, "{compared} instances");
    // Batch norms of a few points.
    assert!(wrong.len() <= 2, "{} of {compared}:\n{}", wrong.len(), wrong.join("\n"));
}

/// More than a twentieth above the dense peak means a wrong peak, wrong FLOPs, or a wrong time.
#[test]
fn no_kernel_is_faster_than_its_device() {
    const MOST: f64 = 1.05;
    let Some(folder) = real_traces() else { return };
    let mut traces = files(&folder.join("pytorch"));
    traces.extend(files(&folder.join("more/inference")));
    let (mut judged, mut bound) = (0, 0);
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
            let limit = used.at_limit.share(used.row.time.total).map_or(0.0, |share| share.value);
            assert!(limit <= MOST, "{name}: {} reaches {limit} of its limit", rank.trace.strings.get(used.row.name));
            bound += usize::from(used.at_limit.bound(used.row.time.total).is_some());
        }
        for device in &found.devices {
            let all = [device.sm_efficiency, device.occupancy, device.tensor_cores, device.computed.per_second()];
            for covered in all.into_iter().flatten() {
                assert!((0.0..=1.0).contains(&covered.coverage), "{name}: {covered:?}");
            }
        }
    }
    assert!(judged > 5_000, "{judged} calls");
    assert!(bound > 500, "{bound} kernels");
}
