//! Rules about the work of the devices.

use std::collections::BTreeMap;

use super::claim::Claim;
use super::facts::{self, Facts};
use super::host::{no_host_wording, queued_wording};
use super::printed;
use super::recorded::{recorded_step, slow_unit_per_step};
use super::{AdviceUnit, Evidence, Measured, NotApplicable, Waits};
use crate::cluster::{CollectiveKind, collective_of};
use crate::devices::device_of;
use crate::kernel_use::computed_by_name;
use crate::time_categories::names_collective;
use crate::{DeviceReport, HostActivity, IdleLeaf, IntervalSet, TimeCategory, copy_use};
use stepscope_base::{CompactSort, Interval, Nanos};
use stepscope_trace::{Collective, EventId, NO_COUNT, NO_SERIAL, NameId};

type Judged = Result<Measured, NotApplicable>;

/// Number of pauses of a device shown as evidence.
const SHOWN: usize = 5;

/// The part of a step in which devices communicate and do not compute; without devices, in which the hosts communicate
/// and none of them computes. Gain: all of that, without waits for other ranks where the job shows them, as those ranks
/// cause them.
pub(super) fn exposed_communication(facts: &Facts<'_>, _: &[f64]) -> Judged {
    let of_hosts = facts.analysis.average.categories[TimeCategory::Communication as usize];
    if facts.analysis.devices.is_empty() && of_hosts > Nanos::ZERO {
        return exposed_on_hosts(facts);
    }
    if facts.analysis.devices.is_empty()
        && let Some(found) = super::recorded::exposed_by_table(facts)
    {
        return found;
    }
    facts.device_step()?;
    let exposed = facts.analysis.average.device.exposed_communication;
    let communication = facts.kernels().filter(|(_, kernel)| kernel.communication).map(|(_, kernel)| kernel.event);
    let communication: Vec<EventId> = communication.collect();
    let exposed_spans = exposed_time(facts);
    Ok(Measured {
        value: facts.share(exposed),
        gain: Some(exposed),
        claim: Some(facts.claim(exposed_spans.clone(), 0.0)),
        wording: remedy(facts, &communication, |span| exposed_spans.len_in(span)),
        evidence: facts.longest(communication),
        waits: Waits::GainAndValue,
        ..Measured::default()
    })
}

/// The wording with the remedy that fits what is exposed: exchanges, gathers and sums of inference are no gradients.
/// Takes the exposed time of a span.
fn remedy(facts: &Facts<'_>, communication: &[EventId], exposed: impl Fn(Interval) -> Nanos) -> Option<&'static str> {
    let (mut exchanged, mut gathered, mut all) = (Nanos::ZERO, Nanos::ZERO, Nanos::ZERO);
    for event in communication {
        let time = exposed(facts.trace.slices.interval(*event));
        all += time;
        match CollectiveKind::of_slice(facts.trace, *event) {
            CollectiveKind::AllToAll | CollectiveKind::SendReceive | CollectiveKind::Send | CollectiveKind::Receive => {
                exchanged += time;
            }
            CollectiveKind::AllGather | CollectiveKind::Gather => gathered += time,
            _ => {}
        }
    }
    let others = exchanged + gathered;
    match () {
        // Without a backward pass nothing runs beside the sums of layers.
        () if facts.analysis.only_infers() && gathered + gathered <= all => Some("exposed_communication.exchange"),
        () if others + others <= all => are_short(facts, communication).then_some("exposed_communication.short"),
        () if exchanged >= gathered => Some("exposed_communication.exchange"),
        () => Some("exposed_communication.gather"),
    }
}

/// The part of a step in which the hosts communicate and none of their threads computes.
///
/// # Errors
///
/// If hardly any computation is recorded beside the collectives.
fn exposed_on_hosts(facts: &Facts<'_>) -> Judged {
    let exposed = facts.analysis.average.exposed_on_hosts.ok_or(NotApplicable::NoComputing)?;
    let named = facts.named(names_collective);
    let calls = facts.trace.slices.ids().filter(|id| named.has(*id) && facts.is_inside(*id));
    let calls: Vec<EventId> = calls.collect();
    Ok(Measured {
        value: facts.share(exposed),
        gain: Some(exposed),
        wording: remedy(facts, &calls, Interval::len),
        evidence: facts.longest(calls),
        waits: Waits::GainAndValue,
        ..Measured::default()
    })
}

/// Spans in which a device communicates and computes nothing, in the steps that count.
fn exposed_time(facts: &Facts<'_>) -> IntervalSet {
    facts.analysis.only_communicating().intersection(facts.spans())
}

/// The part of the steps, and of the time between them, in which kernels run on the device where it is least, as far as
/// the device's state is known. Gain: the rest there.
pub(super) fn low_utilization(facts: &Facts<'_>, limits: &[f64]) -> Judged {
    if let Ok(found) = printed::utilization(facts.trace) {
        return Ok(found);
    }
    facts.device_step()?;
    let of_device = |(index, report): (usize, &DeviceReport)| {
        let known = facts.known_of(index);
        let kernels = report.sets.compute.union(&report.sets.communication);
        let rest = known.difference(&kernels);
        let share = facts.part_of_period(&known.intersection(&kernels), &known)?;
        Some((share, report.time.device, rest))
    };
    let devices = facts.analysis.devices.iter().enumerate().filter_map(of_device);
    let least = devices.reduce(|least, next| if next.0 < least.0 { next } else { least });
    let (value, device, rest) = least.ok_or(NotApplicable::NoDevice)?;
    let place = facts.analysis.devices.iter().position(|report| report.time.device == device);
    let end = place.map(|place| facts.unexplained_end(place)).unwrap_or_default();
    // Time after the last activity without a known reason is no known gain. If that is most of it, the gain is unknown.
    let known = facts.per_period(&rest.difference(&end));
    let gain = (known >= facts.per_period(&end)).then_some(known);
    let step = Some(facts.period());
    // The first screen's shares are of the steps alone.
    let wording = (!facts.analysis.steps.between().is_empty()).then_some("low_utilization.periods");
    // It is a finding only if the device is mostly idle even without the other findings.
    let whole = place.map(|place| facts.known_of(place)).unwrap_or_default();
    let claim = Some(facts::claim(rest, &whole, 1.0 - limits.first().copied().unwrap_or_default()));
    Ok(Measured { value, gain, step, claim, wording, evidence: gaps(facts, device), ..Measured::default() })
}

/// The longest gaps of a device, each with the slice that best shows the activity of the host.
fn gaps(facts: &Facts<'_>, device: i64) -> Vec<Evidence> {
    let listed = facts.analysis.idle.iter().filter(|idle| idle.device == device).flat_map(|idle| &idle.longest);
    let known = facts.analysis.devices.iter().position(|report| report.time.device == device);
    let is_known = |span: &Interval| known.is_some_and(|index| !facts.idle_of(index).clip(*span).is_empty());
    let mut spans: Vec<Interval> = listed.map(|gap| gap.gap.span).filter(is_known).collect();
    spans.compact_sort_by_key(|span| (std::cmp::Reverse(span.len()), span.start));
    spans.into_iter().take(SHOWN).map(|span| gap(facts, device, span)).collect()
}

impl Facts<'_> {
    /// The longest pauses of the least idle device between steps.
    pub(super) fn idle_between(&self) -> Vec<Evidence> {
        let Some(device) = self.least_idle_device() else { return Vec::new() };
        let idle = self.idle_of(device).intersection(&self.analysis.steps.between());
        let mut spans = idle.intervals().to_vec();
        spans.compact_sort_by_key(|span| (std::cmp::Reverse(span.len()), span.start));
        let number = self.analysis.devices[device].time.device;
        spans.into_iter().take(SHOWN).map(|span| gap(self, number, span)).collect()
    }
}

/// A gap of a device as evidence.
fn gap(facts: &Facts<'_>, device: i64, span: Interval) -> Evidence {
    let (host, cause) = during(facts, device, span);
    Evidence::Gap { device, span, host, cause }
}

/// The longest time in the steps and between them in which a whole device is known to be idle. Gain: all gaps longer
/// than the threshold, as far as they lie there, on the device where these are longest.
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "lengths, and a threshold")]
pub(super) fn long_gaps(facts: &Facts<'_>, limits: &[f64]) -> Judged {
    let step = facts.device_step()?;
    let threshold = limits[0].max(limits[1] * step.0 as f64);
    let (mut most, mut shown, mut claimed) = (Nanos::ZERO, Vec::new(), IntervalSet::new());
    for (index, report) in facts.analysis.devices.iter().enumerate() {
        // From the steps' starts to their ends, wherever the device begins or stops: after its last activity only where
        // the trace shows why.
        let idle = facts.idle_of(index).difference(&facts.unexplained_end(index));
        let idle = idle.intervals();
        most = idle.iter().map(|gap| gap.len()).fold(most, Nanos::max);
        let mut long: Vec<Interval> = idle.iter().filter(|gap| gap.len().0 as f64 > threshold).copied().collect();
        let all = IntervalSet::of(long.iter().copied());
        if all.len() > claimed.len() {
            claimed = all;
        }
        long.compact_sort_by_key(|gap| std::cmp::Reverse(gap.len()));
        shown.extend(long.into_iter().take(SHOWN).map(|span| (report.time.device, span)));
    }
    shown.compact_sort_by_key(|(device, span)| (std::cmp::Reverse(span.len()), *device, span.start));
    let shortest = Nanos((threshold as i64).saturating_add(1));
    let evidence: Vec<Evidence> =
        shown.into_iter().take(SHOWN).map(|(device, span)| gap(facts, device, span)).collect();
    Ok(Measured {
        value: most.0 as f64,
        threshold: Some(threshold),
        gain: Some(facts.per_period(&claimed)),
        step: Some(facts.period()),
        wording: no_host_wording(facts.trace, &evidence, "long_gaps.no_host").or_else(|| queued_wording(&evidence)),
        evidence,
        claim: Some(Claim { time: claimed, shortest, least: Nanos::ZERO }),
        ..Measured::default()
    })
}

/// The host's slice and the main cause while a device idled, as in the table of gaps. The slice is only given where the
/// host may be the cause, including after the device's last activity.
fn during(facts: &Facts<'_>, device: i64, span: Interval) -> (Option<EventId>, Option<IdleLeaf>) {
    let of_device = || facts.analysis.idle.iter().filter(|idle| idle.device == device);
    let gaps = of_device().flat_map(|idle| &idle.longest);
    let gaps = gaps.map(|listed| (listed.gap.span, listed.host, Some(listed.cause())));
    let edges = of_device().flat_map(|idle| &idle.edges).map(|edge| (edge.span, edge.host, edge.cause()));
    let overlap = |(of, ..): &(Interval, _, _)| of.intersection(span).len();
    let best = gaps.chain(edges).filter(|one| overlap(one) > Nanos::ZERO).max_by_key(overlap);
    let Some((_, host, cause)) = best else { return (None, None) };
    let is_host = cause.is_none_or(|cause| {
        cause == IdleLeaf::AfterLast || cause.activity().is_some_and(|activity| activity != HostActivity::StartLate)
    });
    (host.filter(|_| is_host).and_then(|host| host.slice), cause)
}

/// The longest kernel of a step that computes, as far as it runs in the step, as a part of the time in which its device
/// is busy there. Gain: that kernel.
pub(super) fn slow_operator(facts: &Facts<'_>, _: &[f64]) -> Judged {
    if facts.analysis.devices.is_empty() {
        return recorded_operator(facts);
    }
    facts.step()?;
    let (trace, analysis) = (facts.trace, facts.analysis);
    let mut of_steps: Vec<(usize, EventId, Nanos)> = Vec::new();
    for (step, kernel) in facts.kernels().filter(|(_, kernel)| !kernel.communication) {
        let id = kernel.event;
        let length = trace.slices.interval(id).intersection(analysis.steps.steps[step].span).len();
        match of_steps.iter_mut().rev().find(|(known, ..)| *known == step) {
            Some(longest) if length > longest.2 => *longest = (step, id, length),
            Some(_) => {}
            None => of_steps.push((step, id, length)),
        }
    }
    if of_steps.is_empty() {
        return Err(NotApplicable::NoKernels);
    }
    let busy = |(step, id, _): &(usize, EventId, Nanos)| {
        let device = trace.stream_of(*id).map(|stream| stream.device);
        let of_step = analysis.step_devices[*step].iter().find(|time| Some(time.device) == device);
        of_step.map_or(Nanos::ZERO, |time| time.busy)
    };
    let (longest, busy): (Nanos, Nanos) =
        (of_steps.iter().map(|(.., length)| *length).sum(), of_steps.iter().map(busy).sum());
    Ok(Measured {
        value: longest.ratio_of(busy).unwrap_or_default(),
        gain: Some(facts.per_step(longest)),
        claim: Some(facts.claim_of(&of_steps.iter().map(|(_, id, _)| *id).collect::<Vec<_>>())),
        evidence: facts.longest(of_steps.iter().map(|(_, id, _)| *id)),
        ..Measured::default()
    })
}

/// The same by MindSpore's tables of operators, as a part of the time of all operators, those of the AI CPU among them.
fn recorded_operator(facts: &Facts<'_>) -> Judged {
    let found = &facts.analysis.mindspore;
    let on_core = found.aicore_operators.iter();
    let on_core = on_core.map(|row| (row.name.as_str(), Nanos(row.mean.0.saturating_mul(row.calls.max(1)))));
    if found.aicore_operators.is_empty() {
        return Err(NotApplicable::NoDevice);
    }
    let all: Vec<(&str, Nanos)> = on_core.chain(slow_unit_per_step(facts.analysis)).collect();
    let whole: Nanos = all.iter().map(|(_, total)| *total).sum();
    let (longest, total) = all.into_iter().max_by_key(|(_, total)| *total).ok_or(NotApplicable::NoDevice)?;
    let value = total.ratio_of(whole).unwrap_or_default();
    Ok(Measured {
        value,
        gain: part_of_step(facts, value),
        step: recorded_step(facts.analysis),
        evidence: vec![Evidence::Named(longest.to_owned(), value, AdviceUnit::Share)],
        ..Measured::default()
    })
}

/// A part of a step by MindSpore's step trace, where there is one.
pub(super) fn part_of_step(facts: &Facts<'_>, share: f64) -> Option<Nanos> {
    Some(part_of(recorded_step(facts.analysis)?, share))
}

/// A part of a time.
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "a part of a length")]
pub(super) fn part_of(time: Nanos, share: f64) -> Nanos {
    Nanos((time.0 as f64 * share).round() as i64)
}

/// Parts of the names of operators that only change the form of data, in lower case.
const CONVERSIONS: [&str; 7] =
    ["transdata", "transpose", "nchwtonhwc", "nhwctonchw", "converttensor", "cast_kernel", "permute"];

/// Parts of the names of operators that compute: a kernel that does so on the way changes more than the form.
const COMPUTES: [&str; 29] = [
    "gemm",
    "gemv",
    "matmul",
    "_mm",
    "bmm",
    "conv2d",
    "conv3d",
    "conv1d",
    "convolution",
    "convtranspose",
    "conv_transpose",
    "attention",
    "flash",
    "fmha",
    "softmax",
    "norm",
    "relu",
    "gelu",
    "silu",
    "sigmoid",
    "tanh",
    "add",
    "mul",
    "sub",
    "div",
    "sum",
    "mean",
    "embedding",
    "reduce",
];

/// Operators in a fused kernel's name that only change forms.
const FORMS: [&str; 14] = [
    "_to_copy",
    "transpose",
    "permute",
    "clone",
    "contiguous",
    "convert",
    "view",
    "reshape",
    "expand",
    "squeeze",
    "unsqueeze",
    "slice",
    "copy_",
    "t",
];

/// Whether kernels of a name only change the form of data.
fn converts(name: &str) -> bool {
    let name = own_name(name).to_ascii_lowercase();
    if let Some((_, operators)) = name.split_once("fused_").filter(|_| name.starts_with("triton_")) {
        return only_forms(operators);
    }
    if name.contains("fus") {
        return false;
    }
    // The names of many products contain a transpose.
    let converts = CONVERSIONS.iter().any(|part| name.contains(part));
    // MIOpen's transposes divide indices.
    let plain = name.replace("_ediv_", "_");
    let computes = COMPUTES.iter().any(|part| plain.contains(part));
    is_cast(&name) || (converts && !computes)
}

/// The name of an Ascend's operator without the scopes that `MindSpore` writes before it: `Default/network/Cast-op239`.
/// Other names are left as they are.
fn own_name(name: &str) -> &str {
    match name.rsplit_once('/') {
        Some((_, own))
            if own.rsplit_once("-op").is_some_and(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit())) =>
        {
            own
        }
        _ => name,
    }
}

/// Whether it is a cast by `MindSpore`'s name (`cast-op12`), by the graph engine's (`trans_cast_3`), by that of an operator
/// of ACLNN (`aclnncast_castaicore_cast`), or by `MIOpen`'s.
fn is_cast(name: &str) -> bool {
    let bare = name.trim_end_matches(|character: char| character.is_ascii_digit());
    let bare = bare.strip_suffix("-op").or_else(|| bare.strip_suffix('_')).unwrap_or(bare);
    bare == "cast"
        || bare == "trans_cast"
        || name.contains("withcasttensor")
        || (name.starts_with("aclnn") && bare.ends_with("_cast"))
}

/// Whether the operators that a kernel was fused of, joined as the compiler joins them, all change forms and nothing
/// else.
fn only_forms(operators: &str) -> bool {
    let mut rest = operators.trim_end_matches(|character: char| character.is_ascii_digit() || character == '_');
    while !rest.is_empty() {
        let is_form =
            |form: &&&str| rest.strip_prefix(**form).is_some_and(|after| after.is_empty() || after.starts_with('_'));
        match FORMS.iter().filter(is_form).max_by_key(|form| form.len()) {
            Some(form) => rest = rest[form.len()..].strip_prefix('_').unwrap_or(&rest[form.len()..]),
            None => return false,
        }
    }
    true
}

/// The part of the computing kernels' time in kernels that only change formats, types or orders. Gain: all of it.
pub(super) fn format_conversion(facts: &Facts<'_>, _: &[f64]) -> Judged {
    let types = &facts.analysis.mindspore.aicore_types;
    if facts.analysis.kernels.is_empty() && !types.is_empty() {
        let rows = || types.iter().filter(|row| converts(&row.name));
        let value = rows().map(|row| row.share).sum();
        let evidence =
            rows().take(5).map(|row| Evidence::Named(row.name.clone(), row.share, AdviceUnit::Share)).collect();
        let (gain, step) = (part_of_step(facts, value), recorded_step(facts.analysis));
        return Ok(Measured { value, gain, step, evidence, ..Measured::default() });
    }
    facts.device_step()?;
    let named = facts.named(converts);
    let length = |id: &EventId| facts.trace.slices.length(*id);
    let computing = facts.kernels().filter(|(_, kernel)| !kernel.communication);
    let all: Vec<EventId> = computing.map(|(_, kernel)| kernel.event).collect();
    if all.is_empty() {
        return Err(NotApplicable::NoKernels);
    }
    let such: Vec<EventId> = all.iter().copied().filter(|id| named.has(*id)).collect();
    let (part, whole): (Nanos, Nanos) = (such.iter().map(length).sum(), all.iter().map(length).sum());
    Ok(Measured {
        value: part.ratio_of(whole).unwrap_or_default(),
        gain: Some(facts.on_devices(&such)),
        claim: Some(facts.claim_of(&such)),
        evidence: facts.longest(such),
        ..Measured::default()
    })
}

/// The part of the bytes of collectives that small ones move. Gain: the overhead that joining them saves, as far as
/// computation does not hide it, and no more than their transfers where the job shows these (see [`overhead_saved`]).
#[expect(clippy::cast_precision_loss, reason = "bytes, for a share")]
pub(super) fn small_collectives(facts: &Facts<'_>, limits: &[f64]) -> Judged {
    facts.step()?;
    let trace = facts.trace;
    let mut known: Vec<Transfer> = Vec::new();
    let mut any = facts.analysis.average.categories[TimeCategory::Communication as usize] > Nanos::ZERO;
    for (step, kernel) in facts.kernels().filter(|(_, kernel)| kernel.communication) {
        any = true;
        let (kind, found) = (CollectiveKind::of_slice(trace, kernel.event), collective_of(trace, kernel.event));
        let of_arguments = |found: &Collective| {
            let counts = [found.input_elements, found.output_elements].into_iter().filter(|count| *count != NO_COUNT);
            Some(counts.max()? as f64 * element_bytes(facts, found.dtype)?)
        };
        let ranks = found.map(|found| found.group_size).filter(|size| *size != NO_SERIAL).map(u64::from);
        let of_inputs = || kind.bytes_of_slice(trace, kernel.event, ranks).map(|bytes| bytes as f64);
        if let Some(bytes) = found.and_then(of_arguments).or_else(of_inputs) {
            let group = found.map(|found| Group::Named(found.group));
            let stream = || trace.stream_of(kernel.event).map_or(0, |stream| stream.stream);
            let kind = (kind, group.unwrap_or_else(|| Group::OfStream(stream())));
            known.push(Transfer { event: kernel.event, step, kind, bytes });
        }
    }
    if known.is_empty() {
        // Without a recorded device it is unknown whether one communicates.
        return Err(match (any, facts.analysis.devices.is_empty()) {
            (true, _) => NotApplicable::NoSizes,
            (false, true) => NotApplicable::NoDevice,
            (false, false) => NotApplicable::NoCommunication,
        });
    }
    let is_small = |one: &&Transfer| one.bytes < limits[1];
    let sum = |list: &mut dyn Iterator<Item = &Transfer>| list.fold(0.0, |sum, one| sum + one.bytes);
    let (small, whole) = (sum(&mut known.iter().filter(is_small)), sum(&mut known.iter()));
    let events: Vec<EventId> = known.iter().filter(is_small).map(|one| one.event).collect();
    let claim = facts.claim(overhead_saved(facts, &known, limits[1]), facts::WORTH);
    let exposed = facts.per_step(claim.time.len()).min(facts.analysis.average.device.exposed_communication);
    Ok(Measured {
        value: if whole > 0.0 { small / whole } else { 0.0 },
        gain: Some(exposed),
        claim: Some(claim),
        evidence: facts.longest(events.iter().copied()),
        waits: Waits::Of(events),
        ..Measured::default()
    })
}

/// A collective's kernel with a known number of bytes.
struct Transfer {
    event: EventId,
    /// The step that launched it, by index.
    step: usize,
    /// The operation and its group.
    kind: (CollectiveKind, Group),
    bytes: f64,
}

/// A group of ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    /// By its name.
    Named(NameId),
    /// Where the name is not recorded, by the stream of its collectives: a library has one for each.
    OfStream(i64),
}

/// Spans in which the devices communicate alone for overhead that joining small collectives of a step saves.
///
/// A collective takes a fixed time and a time in proportion to its bytes. Joining saves the fixed time of each
/// collective except those that remain: at least one, and enough not to be small. The fixed time is at most the
/// shortest collective of the same operation and group. It is also at most twice the shortest of any operation of that
/// group, as an all-reduce goes there and back. Longer ones take time for their bytes, or wait for other ranks. The
/// fixed time counts at the end of each collective, since ranks that wait do so before. A collective that has none to
/// join within its step saves nothing.
fn overhead_saved(facts: &Facts<'_>, known: &[Transfer], limit: f64) -> IntervalSet {
    let slices = &facts.trace.slices;
    let exposed = exposed_time(facts);
    let mut shortest: BTreeMap<(CollectiveKind, Group), Nanos> = BTreeMap::new();
    let mut of_groups: BTreeMap<Group, Nanos> = BTreeMap::new();
    // Only collectives of one step and one device can be joined.
    let place = |one: &Transfer| (one.step, facts.trace.stream_of(one.event).map(|stream| stream.device), one.kind);
    let mut joined: BTreeMap<_, Vec<&Transfer>> = BTreeMap::new();
    for one in known {
        let length = slices.length(one.event);
        shortest.entry(one.kind).and_modify(|least| *least = (*least).min(length)).or_insert(length);
        // A message goes one way, once.
        if !one.kind.0.is_point_to_point() {
            of_groups.entry(one.kind.1).and_modify(|least| *least = (*least).min(length)).or_insert(length);
        }
        joined.entry(place(one)).or_default().push(one);
    }
    let mut saved: Vec<Interval> = Vec::new();
    for ((_, _, kind), all) in joined {
        let own = shortest.get(&kind).copied().unwrap_or_default();
        let overhead = of_groups.get(&kind.1).map_or(own, |least| own.min(Nanos(least.0.saturating_mul(2))));
        let small = || all.iter().filter(|one| one.bytes < limit);
        let mut ends: Vec<IntervalSet> = small()
            .map(|one| {
                let end = slices.end(one.event);
                exposed.clip(Interval::new(end - overhead, end))
            })
            .collect();
        // A large one takes small ones along.
        let left = if ends.len() < all.len() { 0 } else { collectives_left(small().map(|one| one.bytes).sum(), limit) };
        ends.compact_sort_by_key(IntervalSet::len);
        saved.extend(ends.into_iter().skip(left).flat_map(|set| set.intervals().to_vec()));
    }
    IntervalSet::of(saved).intersection(facts.spans())
}

/// Number of collectives, none larger than a limit, that carry some bytes.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small count")]
fn collectives_left(bytes: f64, limit: f64) -> usize {
    if limit > 0.0 { (bytes / limit).ceil().max(1.0) as usize } else { usize::MAX }
}

/// Whether collectives that send numbers of at most 16 bits take nine tenths of the time of all.
fn are_short(facts: &Facts<'_>, collectives: &[EventId]) -> bool {
    const MOST: f64 = 0.9;
    let (mut short, mut all) = (Nanos::ZERO, Nanos::ZERO);
    for event in collectives {
        let dtype = collective_of(facts.trace, *event).map_or(NameId::NONE, |found| found.dtype);
        let length = facts.trace.slices.length(*event);
        all += length;
        if element_bytes(facts, dtype).is_some_and(|size| size <= 2.0) {
            short += length;
        }
    }
    short.ratio_of(all).is_some_and(|share| share >= MOST)
}

/// Bytes of an element by its type's name; none for an unknown name.
fn element_bytes(facts: &Facts<'_>, dtype: NameId) -> Option<f64> {
    let name = facts.trace.strings.get(dtype.get()?).to_ascii_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
    match () {
        () if has(&["16", "half", "short"]) => Some(2.0),
        () if has(&["double", "64", "long"]) => Some(8.0),
        () if has(&["8", "byte", "char", "bool"]) => Some(1.0),
        () if has(&["float", "int", "32"]) => Some(4.0),
        () => None,
    }
}

/// The part of the kernels' time above which a kernel or a kind of copies counts.
const WORTH: f64 = 0.01;

/// The part of the peak from which times or bytes must be wrong: a temporary boost of clocks does not explain it.
const IMPOSSIBLE: f64 = 1.1;

/// The largest part of the device's peak that a kernel's FLOP/s or a kind of copies' bandwidth reaches, among those
/// with more than 1 % of the kernels' time. Gain: none, nothing is left there.
pub(super) fn at_the_peak(facts: &Facts<'_>, limits: &[f64]) -> Judged {
    facts.device_step()?;
    let (trace, analysis) = (facts.trace, facts.analysis);
    let all: Nanos = analysis.kernels.iter().map(|row| row.time.total).sum();
    let counts = |time: Nanos| time.ratio_of(all).is_none_or(|share| share > WORTH);
    let computed = computed_by_name(trace, &analysis.kernels, &analysis.peaks);
    let kernels = analysis.kernels.iter().zip(&computed).filter(|(kernel, _)| counts(kernel.time.total));
    let kernels = kernels.filter_map(|(kernel, computed)| Some((kernel.name, computed.share_of_peak()?.enough()?)));
    let copies = analysis.copies.iter().filter(|copy| counts(copy.time.total));
    let copies = copies.filter_map(|copy| Some((copy.name, copy_use(trace, copy, &analysis.peaks)?.share.enough()?)));
    let mut reached: Vec<(NameId, f64)> = kernels.chain(copies).filter(|(_, share)| *share < IMPOSSIBLE).collect();
    reached.compact_sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let has_peaks = |one: &DeviceReport| analysis.peaks.of_device(device_of(trace, one.time.device)).is_some();
    let unknown = match analysis.devices.iter().any(has_peaks) {
        true => NotApplicable::UnknownWork,
        false => NotApplicable::UnknownPeak,
    };
    let (_, value) = *reached.first().ok_or(unknown)?;
    let at_peak = reached.iter().filter(|(_, share)| *share > limits[0]).take(5);
    let named =
        |(name, share): &(NameId, f64)| Evidence::Named(trace.strings.get(*name).to_owned(), *share, AdviceUnit::Share);
    let evidence = at_peak.map(named).collect();
    Ok(Measured { value, evidence, ..Measured::default() })
}

#[cfg(test)]
mod tests {
    use super::converts;
    use crate::kernel_use::computed_by_name;
    use crate::{AdviceConfig, AnalysisConfig, Evidence, GivenPeaks, KernelGrouping, advice, analyze, kernel_use};
    use stepscope_base::Nanos;
    use stepscope_input::Loader;

    #[test]
    fn operators_of_an_ascend_that_change_forms() {
        for name in [
            "Default/network-WithLossCell/_backbone-AlexNet/Cast-op239",
            "Gradients/Default/fused-Cell/TransData-op7",
            "Cast",
            "trans_Cast_3",
            "aclnnCast_CastAiCore_Cast",
            "trans_TransData_12",
        ] {
            assert!(converts(name), "{name}");
        }
        for name in
            ["Default/Cast-net/MatMul-op3", "Default/network/BroadcastTo-op1", "aclnnMatmul_MatMulV2", "Forecast-op2"]
        {
            assert!(!converts(name), "{name}");
        }
    }

    /// A product of 2 · 4096³ FLOPs on an A100, whose tensor cores make 312 TFLOP/s of 16 bits: it takes 440.5 µs at
    /// least.
    fn judged(device: &str, micros: u32) -> (Option<f64>, bool, Vec<Evidence>) {
        let text = format!(
            r#"{{"deviceProperties": [{{"id": 0, "name": "{device}", "numSms": 108, "warpSize": 32, "computeMajor": 8,
              "computeMinor": 0, "totalGlobalMem": 42505273344}}], "traceEvents": [
              {{"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","pid":1,"tid":1,"ts":0,"dur":2000}},
              {{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":0,"dur":20,"args":{{
               "Input Dims":[[4096,4096],[4096,4096]],"Input type":["c10::Half","c10::Half"]}}}},
              {{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":5,"dur":2,"args":{{"correlation":9}}}},
              {{"ph":"X","cat":"kernel","name":"ampere_fp16_s16816gemm","pid":0,"tid":7,"ts":10,"dur":{micros},"args":{{
               "correlation":9,"device":0,"stream":7,"grid":[16,32,1],"block":[256,1,1],"registers per thread":128}}}}]}}"#
        );
        let mut loader = Loader::new("peak.json");
        loader.space(text.len()).copy_from_slice(text.as_bytes());
        loader.advance(text.len()).expect("a trace");
        let trace = loader.finish().expect("a trace").trace;
        let analysis = analyze(&trace, &AnalysisConfig::standard());
        let whole = kernel_use(&trace, KernelGrouping::Name, None, &GivenPeaks::default()).rows;
        let whole: Vec<_> = whole.into_iter().map(|kernel| kernel.computed).collect();
        assert_eq!(
            computed_by_name(&trace, &analysis.kernels, &analysis.peaks),
            whole,
            "the table of kernels says the same"
        );
        let found = advice(&trace, &analysis, &AdviceConfig::default());
        let found = found.into_iter().find(|found| found.rule.id == "at_the_peak").expect("the rule");
        assert_eq!(found.gain(), None::<Nanos>);
        let measured = found.measured.as_ref().ok();
        (measured.map(|found| found.value), found.holds, measured.map_or_else(Vec::new, |found| found.evidence.clone()))
    }

    #[test]
    fn kernels_that_only_change_forms() {
        for name in [
            "TransData",
            "batched_transpose_32x32_half",
            "batched_transpose_16x32_pack_1x4_ediv_1x2_half",
            "SubTensorOpWithCastTensor1d",
            "void cudnn::ops::nchwToNhwcKernel<__half, __half, float, false, true>",
            "triton_poi_fused_transpose_3",
            "triton_poi_fused__to_copy_permute_clone_0",
            "Cast",
        ] {
            assert!(converts(name), "{name}");
        }
        for name in [
            "triton_per_fused__to_copy_add_addmm_mean_mul_native_layer_norm_transpose_view_8",
            "triton_poi_fused_add_transpose_1",
            "triton_red_fused_native_layer_norm_permute_2",
            "FusionOp_ReluGradV2_TransData",
            "Cijk_gemm_transpose_kernel",
            "conv2d_transpose_kernel",
            "ampere_fp16_s16816gemm",
        ] {
            assert!(!converts(name), "{name}");
        }
    }

    #[test]
    fn what_runs_at_the_peak_is_named() {
        let (value, holds, evidence) = judged("NVIDIA A100-SXM4-40GB", 450);
        assert!(value.is_some_and(|value| (value - 0.979).abs() < 0.001), "{value:?}");
        let named = matches!(&evidence[..], [Evidence::Named(name, ..)] if name == "ampere_fp16_s16816gemm");
        assert!(holds && named, "{evidence:?}");
        let (value, holds, evidence) = judged("NVIDIA A100-SXM4-40GB", 1000);
        assert!(
            value.is_some_and(|value| (value - 0.4405).abs() < 0.001) && !holds && evidence.is_empty(),
            "{value:?}"
        );
        assert_eq!(judged("a device that nobody knows", 450), (None, false, Vec::new()));
        assert_eq!(judged("NVIDIA A100-SXM4-40GB", 4), (None, false, Vec::new()), "that cannot be");
    }
}
