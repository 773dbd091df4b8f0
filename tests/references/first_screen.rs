//! First statements about real traces: the span of a step, the main advice, and the known numbers of kernels.

use std::fs;
use std::path::Path;

use stepscope::Rank;
use stepscope::analyze::{AnalysisConfig, GivenPeaks, KernelGrouping, TensorCores, WholeSpan, kernel_use};
use stepscope::present::budget::rank_sentences;
use stepscope::table::messages::Language;
use stepscope_tests::files::{load_file, real_traces};

fn rank_of(folder: &Path, name: &str) -> Rank {
    rank_at(folder, &format!("pytorch/{name}"))
}

fn rank_at(folder: &Path, name: &str) -> Rank {
    let file = fs::read(folder.join(format!("{name}.json.gz"))).expect("a trace");
    let loaded = load_file(name, &file, 256 << 10).unwrap_or_else(|error| panic!("{error}"));
    Rank::new(name, file.len() as u64, loaded, &AnalysisConfig::standard())
}

#[test]
fn the_span_of_the_only_step_is_named() {
    let Some(folder) = real_traces() else { return };
    let whole = rank_of(&folder, "mtia_inference").analysis.whole_step.expect("no steps are marked");
    assert_eq!(whole.span, WholeSpan::Operators);
    assert!(whole.busy_outside.0 > 100_000_000 && whole.outside >= whole.busy_outside, "{whole:?}");
}

/// Without operators, the step covers all activities of the devices.
#[test]
fn a_step_of_all_activities_has_all_of_them() {
    let Some(folder) = real_traces() else { return };
    let analysis = rank_at(&folder, "more/inference/mi210_gpu_only").analysis;
    let whole = analysis.whole_step.expect("no steps are marked");
    assert_eq!((whole.span, whole.busy_outside.0), (WholeSpan::Activities, 0));
    assert_eq!(analysis.steps.steps[0].span, analysis.devices[0].window);
}

/// Launches during a graph's capture run when the graph is launched: nothing is lost, and the device is idle.
#[test]
fn launches_inside_a_capture_are_not_lost() {
    let Some(folder) = real_traces() else { return };
    for (name, calls, captured) in [
        ("sglang_decode/bs_32_rank0", 546, 544),
        ("vllm_piecewise/graph_capture_rank_0.1773709679453551615.pt.trace", 460, 361),
    ] {
        let analysis = rank_at(&folder, &format!("more/inference/{name}")).analysis;
        let found = analysis.launch_record;
        assert_eq!((found.calls, found.captured, found.lost), (calls, captured, 0), "{name}");
        assert!(analysis.devices.iter().all(|device| device.uncovered.is_empty()), "{name}");
    }
}

#[test]
fn a_mean_of_one_device_has_its_number() {
    let Some(folder) = real_traces() else { return };
    let rank = rank_of(&folder, "mi300_vllm_piecewise");
    assert_eq!(rank.analysis.average.device.device, 2);
    // The average step is the only one: the time before its device's state is known is the same.
    let [early] = rank.analysis.categories_before_first[..] else { panic!("one step") };
    assert_eq!(rank.analysis.average.categories_before_first, early);
    let kernels = kernel_use(&rank.trace, KernelGrouping::Name, None, &GivenPeaks::default()).rows;
    let named = |part: &str| kernels.iter().find(|one| rank.trace.strings.get(one.row.name).contains(part));
    let scatter = named("_finalize_matmul_scatter").expect("the kernel");
    assert_eq!(scatter.row.tensor_cores, TensorCores::Unknown);
}

#[test]
fn a_transpose_computes_nothing() {
    let Some(folder) = real_traces() else { return };
    for name in ["mi300_sd35", "mi300_resnet_rank0of8"] {
        let rank = rank_of(&folder, name);
        let found = kernel_use(&rank.trace, KernelGrouping::Name, None, &GivenPeaks::default());
        for one in found.rows.iter().filter(|one| rank.trace.strings.get(one.row.name).contains("batched_transpose")) {
            assert_eq!(one.computed.flops, 0, "{name}");
        }
        let share = found.devices[0].peak_share_of_span().expect("a peak");
        // A quarter of the convolutions is not linked.
        assert_eq!(share.enough().is_some(), name == "mi300_sd35", "{name}: {share:?}");
    }
}

/// A mean hides one long step, and a saving what its remedy can do: the numbers are of scripts that read the files' events.
#[test]
fn first_sentences_name_the_step_the_pause_and_the_bound() {
    let Some(folder) = real_traces() else { return };
    let of = |name: &str| {
        let rank = rank_at(&folder, name);
        let budget = rank.step_budget().expect("a budget");
        rank_sentences((&rank.analysis, None), budget, Language::English).join(" ")
    };
    for (name, said) in [
        ("more/kineto_2026/torch_cuspy_eager.cuspy", "90.9 % of that is in step 3 (8.480 ms)"),
        // Its first copy waits in the stream for 463.3 ms: an earlier batch runs, which is not recorded.
        (
            "more/inference/sglang_decode/sglang_Qwen3-8B_decode",
            "(463.3 ms) is not known. Synchronize the device before the recording starts",
        ),
        // 25.7 ms of computing in four steps, of which 15.9 ms run beside communication.
        ("pytorch/mi300_resnet_rank0of8", "Computation that runs alone can hide at most 2.439 ms of it"),
        ("pytorch/cpu_only_rank34", "whether the step waits for it is not recorded"),
    ] {
        let text = of(name);
        assert!(text.contains(said), "{name}: {text}");
    }
    assert_eq!(of("pytorch/no_distributed_info"), "The trace shows no device activity.", "1.3 % are no first loss");
}
