//! The seven rules of PyTorch's TensorBoard plugin, with its definitions: its verdicts on the same traces. Tensor cores
//! are in their own file.

use super::facts::Facts;
use super::{Exemption, Measured, NotApplicable, Waits, host, memory};
use crate::{TensorBoardOverview, TimeCategory};
use stepscope_base::Nanos;
use stepscope_trace::EventId;

type Judged = Result<Measured, NotApplicable>;

/// A category's part of a step and its time, on average.
#[expect(clippy::cast_possible_truncation, reason = "a mean of lengths")]
fn category(facts: &Facts<'_>, category: TimeCategory) -> Judged {
    let overview: &TensorBoardOverview = facts.tensorboard();
    let average = overview.average();
    let whole: f64 = average.iter().sum();
    if whole <= 0.0 {
        return Err(NotApplicable::NoSteps);
    }
    let time = average[category as usize];
    Ok(Measured { value: time / whole, gain: Some(Nanos(time.round() as i64)), ..Measured::default() })
}

/// The part of a step in which nothing happens but the wait for data, if that is an operator. Gain: all of that.
pub(super) fn dataloader(facts: &Facts<'_>, limits: &[f64]) -> Judged {
    let evidence = host::dataloader(facts, limits).map(|found| found.evidence).unwrap_or_default();
    Ok(Measured { evidence, ..category(facts, TimeCategory::Dataloader)? })
}

/// Number of devices that `DataParallel.forward` feeds. Gain: a device's idle time.
#[expect(clippy::cast_precision_loss, reason = "a count of devices")]
pub(super) fn data_parallel(facts: &Facts<'_>, _: &[f64]) -> Judged {
    let calls = slices(facts, |name| name == "DataParallel.forward");
    let value = if calls.is_empty() { 0.0 } else { facts.analysis.devices.len() as f64 };
    Ok(Measured { value, gain: Some(facts.idle()), evidence: facts.longest(calls), ..Measured::default() })
}

fn slices(facts: &Facts<'_>, is_such: fn(&str) -> bool) -> Vec<EventId> {
    let such = facts.named(is_such);
    facts.trace.slices.ids().filter(|id| such.has(*id)).collect()
}

/// Number of modules distributed without NCCL on devices that could have it. Gain: communication.
#[expect(clippy::cast_precision_loss, reason = "a count of calls")]
pub(super) fn communication_backend(facts: &Facts<'_>, _: &[f64]) -> Judged {
    let calls = slices(facts, |name| name == "DistributedDataParallel.forward");
    let has_nccl = !slices(facts, |name| name.starts_with("nccl:")).is_empty();
    let devices = &facts.trace.meta.devices;
    let capable = devices.iter().any(|device| device.capability.is_some_and(|capability| capability >= (3, 5)));
    let gain = category(facts, TimeCategory::Communication).ok().and_then(|found| found.gain);
    let evidence = facts.longest(calls.iter().copied());
    let exemption =
        if capable { has_nccl.then_some(Exemption::DevicesCommunicate) } else { Some(Exemption::OldDevice) };
    Ok(Measured { value: calls.len() as f64, exemption, gain, evidence, ..Measured::default() })
}

/// The part of a step with communication, by the plugin's definition, and nothing of more weight. Gain: all of that,
/// without the waits for other ranks that the job shows.
pub(super) fn communication(facts: &Facts<'_>, _: &[f64]) -> Judged {
    Ok(Measured { waits: Waits::Gain, ..category(facts, TimeCategory::Communication)? })
}

/// The part of the steps in which kernels run on the GPU where it is least. Gain: the rest of the step there.
pub(super) fn utilization(facts: &Facts<'_>, _: &[f64]) -> Judged {
    let gpus = facts.tensorboard().gpus.iter();
    let least = gpus.min_by(|a, b| a.utilization.total_cmp(&b.utilization)).ok_or(NotApplicable::NoKernels)?;
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "a part of a length")]
    let gain = (facts.analysis.average.length.0 as f64 * (1.0 - least.utilization)).round() as i64;
    Ok(Measured { value: least.utilization, gain: Some(Nanos(gain)), ..Measured::default() })
}

/// The largest part of its memory that a device uses. Gain: the time in calls that allocate and free.
pub(super) fn memory_full(facts: &Facts<'_>, limits: &[f64]) -> Judged {
    let value = memory::peak(facts, false)?;
    Ok(Measured { value, ..memory::memory_full(facts, limits)? })
}
