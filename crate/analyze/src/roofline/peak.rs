//! The peak that a call's work has on its device. INSIGHT section 4, "Unit".

use crate::devices::{Peaks, Precision};
use crate::flops::ComputingCall;
use crate::tensor_cores::{TensorCoreUse, TensorCores, rounds_to_tf32};
use stepscope_trace::Trace;

/// The peak for a call's work, in FLOP per ns: on matrix units if one of its kernels uses them.
pub(crate) fn peak_of_call(
    trace: &Trace,
    call: &ComputingCall<'_>,
    used: &TensorCoreUse,
    peaks: &Peaks,
) -> Option<f64> {
    let names = || call.kernels.iter().map(|id| trace.slices.name(trace.activities[id.index()].event));
    let on_matrix_units = names().any(|name| used.get(name) == TensorCores::Used);
    let precision = call.work.precision?;
    let peak = peaks.of(precision, on_matrix_units);
    let tf32 = peaks.of(Precision::Tf32, true);
    if precision != Precision::Fp32 || !on_matrix_units || tf32.is_none() {
        return peak;
    }
    // On a device with both FP32 and TF32 on its matrix units, the name shows which, or a rate that FP32 cannot reach.
    let is_rounded = names().any(|name| rounds_to_tf32(trace.strings.get(name)));
    let is_faster = call.rate().zip(peak).is_some_and(|(rate, peak)| rate > peak);
    if is_rounded || is_faster { tf32 } else { peak }
}

/// The peak with shorter numbers, where a call certainly computes in FP32 and the device is faster with these. Takes
/// the device's peaks, and the call's.
pub(crate) fn faster_peak(
    trace: &Trace,
    call: &ComputingCall<'_>,
    used: &TensorCoreUse,
    (peaks, peak): (&Peaks, f64),
) -> Option<f64> {
    let uses = || call.kernels.iter().map(|id| used.get(trace.slices.name(trace.activities[id.index()].event)));
    // Matrix units without FP32 of their own round it to TF32.
    let on_fp32_units = peaks.fp32_matrix > 0.0 && peaks.of(Precision::Fp32, true) == Some(peak);
    let computes_fp32 = on_fp32_units || uses().all(|of| of != TensorCores::Used);
    if call.work.precision != Some(Precision::Fp32) || !computes_fp32 || uses().any(|of| of == TensorCores::Unknown) {
        return None;
    }
    peaks.of(peaks.instead_of_fp32()?, true).filter(|faster| *faster > peak)
}
