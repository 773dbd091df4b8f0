//! Rules about MindSpore's tables of steps, the data pipeline and ranks.

use super::{AdviceUnit, Evidence, Exemption, Measured, NotApplicable, Waits};
use crate::cluster::RecordedRank;
use crate::get_next::is_of_data;
use crate::mindspore::{Cluster, ClusterPlace, Outlier};
use crate::{Analysis, DataVerdict, IntervalLimits, MindSpore, Pipeline, PipelineOperator, Processor, mean};
use std::cmp::Reverse;
use stepscope_base::{CompactSort as _, Nanos};

type Judged = Result<Measured, NotApplicable>;

/// The mean time between two steps, in ns, by the step trace. Gain: all of it.
///
/// Where a device takes its data from a queue of its own (sink mode), and by MindSpore's definition always, it is compared
/// with the first threshold, else with a part of the step.
#[expect(clippy::cast_precision_loss, reason = "a length, to be compared with a threshold")]
pub(super) fn iteration_interval(analysis: &Analysis, limits: &[f64]) -> Judged {
    let Some(interval) = analysis.iteration_interval() else {
        return if analysis.shown_steps().is_some() {
            Err(NotApplicable::OneStep)
        } else {
            between_marks(analysis, limits)
        };
    };
    Ok(Measured {
        value: interval.mean.0 as f64,
        threshold: Some(interval.limit(interval_limits(analysis, limits))),
        gain: Some(interval.mean),
        step: Some(interval.step),
        // Late data keep the host from the next step, whichever source has the length of that time.
        waits_for_data: interval.recorded || wait_for_data(analysis).is_some(),
        // That is not the time between the steps' marks.
        wording: Some("iteration_interval.step_trace"),
        ..Measured::default()
    })
}

/// The limits of the rule about the iteration interval, by its thresholds.
fn interval_limits(analysis: &Analysis, limits: &[f64]) -> IntervalLimits {
    IntervalLimits::of(analysis.definition.definition).with(limits[0], limits[1])
}

/// The same without a step trace of these steps: by the time between the steps' ends and starts.
#[expect(clippy::cast_precision_loss, reason = "lengths, to be compared with a threshold")]
fn between_marks(analysis: &Analysis, limits: &[f64]) -> Judged {
    let steps = &analysis.steps;
    if !steps.source.is_marked() {
        return Err(NotApplicable::NoSteps);
    }
    if analysis.devices.is_empty() {
        return Err(NotApplicable::NoDevice);
    }
    if steps.counted().len() < 2 {
        return Err(NotApplicable::OneStep);
    }
    let (between, step) = (steps.mean_between(), analysis.average.length);
    Ok(Measured {
        value: between.0 as f64,
        threshold: Some(interval_limits(analysis, limits).of_interval(false, step)),
        gain: Some(between),
        step: Some(step + between),
        waits_for_data: analysis.mindspore.pipeline.is_some(),
        ..Measured::default()
    })
}

/// The part of a step in which a rank communicates and does not compute, by the profiler's table of steps. Waits for
/// other pipeline stages do not count, as those stages cause them. None without such a table.
///
/// # Errors
///
/// Fails if the table is of other, longer steps.
pub(super) fn exposed_by_table(facts: &super::facts::Facts<'_>) -> Option<Judged> {
    let step = facts.step().ok()?;
    let times = RecordedRank::of(facts.trace, &facts.analysis.steps)?.times?;
    let fits = (times.compute + times.communication_alone).ratio_of(step).is_some_and(|share| share <= 1.05);
    let exposed = times.communication_alone - times.receive_alone.unwrap_or_default();
    if !fits {
        return Some(Err(NotApplicable::OtherSteps));
    }
    Some(Ok(Measured {
        value: facts.share(exposed),
        gain: Some(exposed),
        waits: Waits::GainAndValue,
        ..Measured::default()
    }))
}

/// The part of a step's operators' time on the slow unit. Gain: their time per step.
pub(super) fn slow_unit(analysis: &Analysis, _: &[f64]) -> Judged {
    let found = &analysis.mindspore;
    // A table of the slow unit alone shows nothing of the other one.
    if found.aicore_types.is_empty() {
        return Err(NotApplicable::NoTable);
    }
    let of_steps = slow_unit_per_step(analysis);
    let slow: Nanos = of_steps.iter().map(|(_, time)| *time).sum();
    // The table of the AI core has a mean step.
    let fast: Nanos = found.aicore_types.iter().map(|row| row.total).sum();
    let shown = of_steps.iter().take(5);
    let shown = shown.map(|(name, time)| {
        Evidence::Named((*name).to_owned(), time.ratio_of(slow).unwrap_or_default(), AdviceUnit::Share)
    });
    let step = recorded_step(analysis);
    Ok(Measured {
        value: slow.ratio_of(slow + fast).unwrap_or_default(),
        gain: step.map(|step| slow.min(step)),
        step,
        evidence: shown.collect(),
        ..Measured::default()
    })
}

/// The types of operators that run on the AI CPU in each step, with their time per step: of the table's total where the
/// number of steps is known, else of one run. Those that run in half as many calls as there are steps, or fewer, belong to
/// no step, and those of the data queue wait for data.
pub(super) fn slow_unit_per_step(analysis: &Analysis) -> Vec<(&str, Nanos)> {
    let is_of_queue = |name: &str| is_of_data(name) || name == "EndOfSequence";
    let steps = analysis.recorded_steps().map(|recorded| recorded.steps.len() as u64).filter(|steps| *steps > 0);
    let rows = analysis.mindspore.aicpu_types.iter().filter(|row| !is_of_queue(&row.name));
    let of_step = |row: &crate::OperatorShare| match steps {
        // A recording may cut a step off.
        Some(steps) if row.calls.unsigned_abs().saturating_mul(2) <= steps => None,
        Some(steps) => Some(mean(row.total, steps)),
        None => Some(row.mean),
    };
    rows.filter_map(|row| Some((row.name.as_str(), of_step(row)?))).collect()
}

fn pipeline(found: &MindSpore) -> Result<&Pipeline, NotApplicable> {
    found.pipeline.as_ref().ok_or(NotApplicable::NoTable)
}

/// The time between steps per step, of as many of the steps as `late` of `all`: of those with the longest. None without
/// a step trace of these steps.
#[expect(clippy::cast_possible_truncation, reason = "a count of steps")]
fn longest_intervals(analysis: &Analysis, late: u64, all: u64) -> Option<Nanos> {
    let steps = &analysis.recorded_steps()?.steps;
    let mut intervals: Vec<Nanos> = steps.iter().map(|step| step.iteration_interval).collect();
    intervals.compact_sort_by_key(|interval| Reverse(*interval));
    let count = late.saturating_mul(steps.len() as u64).div_ceil(all.max(1)) as usize;
    Some(mean(intervals.into_iter().take(count).sum(), steps.len() as u64))
}

/// Upper bound of the cost of data per step: the time between two steps, else the waits of the queue's steps.
#[expect(clippy::cast_possible_truncation, reason = "a mean of lengths")]
fn wait_for_data(analysis: &Analysis) -> Option<Nanos> {
    let interval = analysis.recorded_steps().map(|steps| steps.own_average().iteration_interval);
    let queue = analysis.mindspore.pipeline.as_ref().and_then(|pipeline| pipeline.queue);
    // The first batch comes once, not with each step.
    let waited = interval.or_else(|| queue.map(|queue| Nanos(queue.get.round() as i64)));
    // Zero is no bound.
    waited.filter(|time| *time > Nanos::ZERO)
}

fn of_data(analysis: &Analysis, value: f64, evidence: Vec<Evidence>) -> Measured {
    let step = recorded_step(analysis);
    let verdict = analysis.mindspore.pipeline.as_ref().and_then(|pipeline| pipeline.verdict);
    let exemption = (verdict == Some(DataVerdict::NotData)).then_some(Exemption::DataAreThere);
    Measured {
        value,
        exemption,
        gain: wait_for_data(analysis),
        step,
        evidence,
        waits_for_data: true,
        ..Measured::default()
    }
}

/// The same of data that are late in so many of all steps.
fn of_late_data(analysis: &Analysis, value: f64, late: u64, all: u64) -> Measured {
    let found = of_data(analysis, value, Vec::new());
    let longest = longest_intervals(analysis, late, all);
    Measured { gain: found.gain.map(|gain| longest.map_or(gain, |longest| gain.min(longest))), ..found }
}

/// The part of the steps that find the queue of data empty. Gain: the time between as many steps.
pub(super) fn data_processing(analysis: &Analysis, _: &[f64]) -> Judged {
    let found = &analysis.mindspore;
    let pipeline = pipeline(found)?;
    pipeline.queue.filter(|queue| queue.steps > 0).ok_or(NotApplicable::NoTable)?;
    let counted = pipeline.counted;
    let share = counted.empty_share().ok_or(NotApplicable::FirstStepAlone)?;
    // Where the device finds no data, any step that finds the host's queue empty shows that data are made too slowly.
    let any = pipeline.verdict == Some(DataVerdict::Processing) && pipeline.get_next.is_some_and(|one| one.empty > 0);
    Ok(Measured { threshold: any.then_some(0.0), ..of_late_data(analysis, share, counted.empty, counted.steps) })
}

/// The number of steps that find no data on the device though data are made in time. Gain: the time between as many
/// steps.
#[expect(clippy::cast_precision_loss, reason = "a count of steps")]
pub(super) fn data_transmission(analysis: &Analysis, _: &[f64]) -> Judged {
    let found = &analysis.mindspore;
    let pipeline = pipeline(found)?;
    let get_next = pipeline.get_next.ok_or(NotApplicable::NoTable)?;
    let exemption = match pipeline.verdict {
        Some(DataVerdict::Transmission) => None,
        Some(DataVerdict::NotData) => Some(Exemption::DataAreThere),
        _ => Some(Exemption::DataAreLate),
    };
    Ok(Measured { exemption, ..of_late_data(analysis, get_next.empty as f64, get_next.empty, get_next.steps) })
}

/// The part of a step that `GetNext` takes though it always found data. Gain: that time, as far as it can be between
/// steps.
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "a mean of lengths")]
pub(super) fn get_next(analysis: &Analysis, _: &[f64]) -> Judged {
    let pipeline = pipeline(&analysis.mindspore)?;
    let found = pipeline.get_next.filter(|found| found.steps > 0).ok_or(NotApplicable::NoTable)?;
    let (interval, limit) = pipeline.interval.ok_or(NotApplicable::NoTable)?;
    let time = Nanos(found.mean.round() as i64);
    let is_long = interval.mean.0 as f64 > limit;
    Ok(Measured {
        value: time.ratio_of(interval.step).unwrap_or_default(),
        exemption: match found.empty {
            0 if is_long => None,
            0 => Some(Exemption::IntervalIsShort),
            _ => Some(Exemption::QueueWasEmpty),
        },
        gain: Some(time.min(interval.mean)),
        step: Some(interval.step),
        evidence: vec![Evidence::Named("GetNext".to_owned(), found.mean, AdviceUnit::Nanoseconds)],
        waits_for_data: true,
        ..Measured::default()
    })
}

/// Largest difference of fill between an operator's input and its own queue. Gain: the time between steps.
pub(super) fn pipeline_bottleneck(analysis: &Analysis, limits: &[f64]) -> Judged {
    let found = &analysis.mindspore;
    let pipeline = pipeline(found)?;
    let operators = pipeline.operators.iter().filter(|operator| operator.is_judged());
    let differences = operators.filter_map(|operator| Some((operator, operator.input_ahead(&pipeline.operators)?)));
    worst_of(analysis, &differences.collect::<Vec<_>>(), |value| value > limits[0], f64::max)
}

/// Lowest fill of a source's queue. Gain: the time between steps.
pub(super) fn empty_source(analysis: &Analysis, limits: &[f64]) -> Judged {
    let found = &analysis.mindspore;
    let sources = pipeline(found)?.operators.iter();
    let sources = sources.filter(|operator| operator.is_judged() && operator.is_source());
    let usages: Vec<_> = sources.map(|operator| (operator, operator.usage)).collect();
    worst_of(analysis, &usages, |value| value < limits[0], f64::min)
}

fn worst_of(
    analysis: &Analysis,
    values: &[(&PipelineOperator, f64)],
    is_such: impl Fn(f64) -> bool,
    worse: fn(f64, f64) -> f64,
) -> Judged {
    let pipeline = pipeline(&analysis.mindspore)?;
    // The rule measures the worst of those that something waited for, or of all where there are none.
    let waited_for: Vec<_> =
        values.iter().copied().filter(|(operator, _)| pipeline.thresholds.counts(operator)).collect();
    let (values, never_empty) = if waited_for.is_empty() { (values, true) } else { (waited_for.as_slice(), false) };
    let worst = values.iter().map(|(_, value)| *value).reduce(worse).ok_or(NotApplicable::NoTable)?;
    let such = values.iter().filter(|(_, value)| is_such(*value));
    let named = such.map(|(operator, value)| {
        Evidence::Named([operator.kind.as_str(), "_", &operator.id.to_string()].concat(), *value, AdviceUnit::Share)
    });
    let found = of_data(analysis, worst, named.collect());
    let exemption = if pipeline.keeps_up {
        Some(Exemption::KeepsUp)
    } else {
        let is_moved_late = pipeline.verdict == Some(DataVerdict::Transmission);
        let other = is_moved_late.then_some(Exemption::TransferIsLate);
        found.exemption.or(other).or(never_empty.then_some(Exemption::NeverEmpty))
    };
    Ok(Measured { exemption, ..found })
}

/// The processors' load while data were made.
fn processor_load(pipeline: &Pipeline) -> Result<Processor, NotApplicable> {
    let implausible = pipeline.implausible_samples;
    pipeline.processor.ok_or(if implausible { NotApplicable::ImplausibleSamples } else { NotApplicable::NoTable })
}

/// The busy part of the machine's processors while data are made. Gain: the time between steps.
pub(super) fn processor_busy(analysis: &Analysis, _: &[f64]) -> Judged {
    let processor = processor_load(pipeline(&analysis.mindspore)?)?;
    let busy = processor.busy().ok_or(NotApplicable::FewSamples)?;
    Ok(of_data(analysis, busy, Vec::new()))
}

/// The load of the processors while making data limited the steps; exempt where it did not, not judged where no queue
/// shows it.
fn of_processors(
    analysis: &Analysis,
    value: impl Fn(&Processor) -> f64,
) -> Result<(Processor, Measured), NotApplicable> {
    let pipeline = pipeline(&analysis.mindspore)?;
    let processor = processor_load(pipeline)?;
    let verdict = pipeline.verdict.ok_or(NotApplicable::NoTable)?;
    processor.busy().ok_or(NotApplicable::FewSamples)?;
    let count = |name: &str, count: f64| Evidence::Named(name.to_owned(), count, AdviceUnit::Count);
    let share = |name: &str, share: f64| Evidence::Named(name.to_owned(), share, AdviceUnit::Share);
    let evidence = [
        Some(share("machine user", processor.user)),
        Some(share("machine sys", processor.system)),
        processor.process_user.map(|user| share("process user", user)),
        processor.runnable.map(|processes| count("runnable processes", processes)),
        processor.switches.map(|switches| count("context switches", switches)),
        processor.count.map(|processors| count("processors", processors)),
    ];
    let mut found = of_data(analysis, value(&processor), evidence.into_iter().flatten().collect());
    if verdict == DataVerdict::Transmission {
        found.exemption = Some(Exemption::TransferIsLate);
    }
    Ok((processor, found))
}

/// The part of the processors that programs use while making data limits the steps: if it is small, there is room for
/// more workers. Gain: the time between steps.
pub(super) fn processor_few_threads(analysis: &Analysis, _: &[f64]) -> Judged {
    // A machine does not do less for all programs than for one: else it counts another time.
    let (_, found) = of_processors(analysis, |one| one.user.max(one.process_user.unwrap_or_default()))?;
    Ok(found)
}

/// The part of the processors that the system uses while making data limits the steps, where programs use less and
/// processes wait for a processor: too many threads. Gain: the time between steps.
pub(super) fn processor_many_threads(analysis: &Analysis, _: &[f64]) -> Judged {
    let (processor, mut found) = of_processors(analysis, |one| one.system)?;
    let (runnable, count) = processor.runnable.zip(processor.count).ok_or(NotApplicable::NoTable)?;
    if processor.system <= processor.user || runnable <= count {
        found.exemption = found.exemption.or(Some(Exemption::ThreadsFit));
    }
    Ok(found)
}

/// The worst of a kind of place, if several are compared.
fn worst(job: &Cluster, is_such: fn(&ClusterPlace) -> bool) -> Result<Outlier, NotApplicable> {
    let such = job.worst().into_iter().filter(|outlier| is_such(&outlier.place));
    such.reduce(|worst, next| if next.by > worst.by { next } else { worst }).ok_or(NotApplicable::NoTable)
}

fn of_job(outlier: &Outlier, name: String, gain: Option<Nanos>) -> Measured {
    let (value, unit) = match outlier.place {
        ClusterPlace::Interval(_) => (outlier.value, AdviceUnit::Nanoseconds),
        ClusterPlace::Rate(_) => (outlier.value, AdviceUnit::OperationRate),
        ClusterPlace::Link(..) => (outlier.value, AdviceUnit::ByteRate),
        ClusterPlace::Stage(_) => (outlier.value, AdviceUnit::Operations),
    };
    let evidence = vec![Evidence::Named(name, value, unit)];
    Measured { value: outlier.by, gain, evidence, ..Measured::default() }
}

#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "a part of a length")]
fn part(time: Nanos, share: f64) -> Nanos {
    Nanos((time.0 as f64 * share).round() as i64)
}

/// Excess of the rank with the longest interval between steps, or shortfall of the one with the lowest rate of
/// operations, as a part of the mean. Gain: the excess of its interval, or that part of its computation.
pub(super) fn slow_rank(job: &Cluster, _: &[f64]) -> Judged {
    if job.rows.len().max(job.flops.len()) < 2 {
        return Err(NotApplicable::OneRank);
    }
    let found = worst(job, |place| matches!(place, ClusterPlace::Interval(_) | ClusterPlace::Rate(_)))?;
    let (ClusterPlace::Interval(rank) | ClusterPlace::Rate(rank)) = &found.place else {
        return Err(NotApplicable::NoTable);
    };
    let row = job.rows.iter().find(|row| row.rank == *rank);
    let is_interval = matches!(found.place, ClusterPlace::Interval(_));
    let gain = row.and_then(|row| match found.place {
        ClusterPlace::Interval(_) => Some(part(row.iteration_interval?, found.by / (1.0 + found.by))),
        _ => Some(part(row.computation, found.by)),
    });
    let between_steps_of = is_interval.then_some(*rank);
    Ok(Measured { between_steps_of, ..of_job(&found, ["rank ", &rank.to_string()].concat(), gain) })
}

/// Shortfall of the slowest link of a kind below the mean of its kind, as a part of that. Gain: that part of its time.
pub(super) fn slow_link(job: &Cluster, _: &[f64]) -> Judged {
    if job.links.is_empty() {
        return Err(NotApplicable::NoTable);
    }
    let found = worst(job, |place| matches!(place, ClusterPlace::Link(..)))?;
    let ClusterPlace::Link(link, kind) = &found.place else { return Err(NotApplicable::NoTable) };
    let row = job.links.iter().find(|row| row.link == *link && row.kind == *kind);
    Ok(of_job(&found, [link.as_str(), " ", kind].concat(), row.map(|row| part(row.time, found.by))))
}

/// Excess of the stage with the most operations over the mean, as a part of that. Gain: the longest computation without
/// the mean of all ranks, which is what is left where all compute as long.
pub(super) fn unbalanced_stage(job: &Cluster, _: &[f64]) -> Judged {
    let found = worst(job, |place| matches!(place, ClusterPlace::Stage(_)))?;
    let ClusterPlace::Stage(stage) = &found.place else { return Err(NotApplicable::NoTable) };
    let times = || job.rows.iter().map(|row| row.computation);
    let gain = times().max().map(|longest| longest - mean(times().sum(), job.rows.len() as u64));
    let wording = Some("unbalanced_stage.operations");
    Ok(Measured { wording, ..of_job(&found, ["stage ", &stage.to_string()].concat(), gain) })
}

/// The mean step by MindSpore's step trace, where there is one of the steps that the timeline shows.
pub(super) fn recorded_step(analysis: &Analysis) -> Option<Nanos> {
    Some(analysis.recorded_steps()?.own_average().total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advice::table_advice;
    use crate::{AnalysisConfig, GetNext, StepTimes, StepTrace, analyze};
    use stepscope_input::Loader;

    /// Gain and step of the busy-processor rule by a step trace of two steps of a length; the timeline's are of 20 µs.
    fn busy(total: i64, samples: u64) -> Result<(Option<Nanos>, Option<Nanos>), NotApplicable> {
        let text = br#"{"deviceProperties": [], "traceEvents": [
            {"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":1,"tid":1,"ts":0,"dur":20},
            {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":2,"dur":9},
            {"ph":"X","cat":"user_annotation","name":"ProfilerStep#2","pid":1,"tid":1,"ts":20,"dur":20},
            {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":22,"dur":9}
        ]}"#;
        let mut loader = Loader::new("steps.json");
        loader.space(text.len()).copy_from_slice(text);
        loader.advance(text.len()).expect("a trace");
        let mut analysis = analyze(&loader.finish().expect("a trace").trace, &AnalysisConfig::standard());
        let step = StepTimes { total: Nanos(total), iteration_interval: Nanos(total / 2), ..StepTimes::default() };
        let recorded = StepTrace { steps: vec![step.clone(); 2], average: step, ..StepTrace::default() };
        analysis.mindspore.step_trace = Some(recorded);
        let processor = Some(Processor { idle: 0.1, samples, ..Processor::default() });
        analysis.mindspore.pipeline = Some(Pipeline { processor, ..Pipeline::default() });
        processor_busy(&analysis, &[0.8]).map(|found| (found.gain, found.step))
    }

    #[test]
    fn a_table_of_other_steps_tells_nothing_of_these() {
        assert_eq!(busy(20_000, 50), Ok((Some(Nanos(10_000)), Some(Nanos(20_000)))));
        assert_eq!(busy(130_000, 50), Ok((None, None)), "another run's");
    }

    #[test]
    fn operators_of_the_slow_unit_cost_a_step_what_they_take_in_it() {
        let text = b"step_num,start_point,end_point,total,fp_point,bp_point,iteration_interval,fp_and_bp,tail\n";
        let mut loader = Loader::new("step_trace_raw_0_detail_time.csv");
        loader.space(text.len()).copy_from_slice(text);
        loader.advance(text.len()).expect("a table");
        let mut analysis = analyze(&loader.finish().expect("a trace").trace, &AnalysisConfig::standard());
        let step = StepTimes { total: Nanos(20_000_000), ..StepTimes::default() };
        analysis.mindspore.step_trace =
            Some(StepTrace { steps: vec![step.clone(); 2], average: step, ..StepTrace::default() });
        let row = |name: &str, total: i64, calls: i64| crate::OperatorShare {
            name: name.to_owned(),
            total: Nanos(total),
            calls,
            mean: Nanos(total / calls),
            share: 0.0,
        };
        analysis.mindspore.aicore_types = vec![row("MatMul", 6_000_000, 3)];
        // One runs once, in no particular step; the data queue's own wait for data.
        let of_queue = [row("InitData", 90_000_000, 1), row("GetNext", 50_000_000, 2)];
        analysis.mindspore.aicpu_types =
            of_queue.into_iter().chain([row("Unique", 7_000_000, 1), row("TopK", 4_000_000, 4)]).collect();
        let found = slow_unit(&analysis, &[]).expect("both units are recorded");
        assert_eq!(found.gain, Some(Nanos(2_000_000)));
        assert!((found.value - 0.25).abs() < 1e-9, "{}", found.value);
        assert_eq!(found.evidence, [Evidence::Named("TopK".to_owned(), 1.0, AdviceUnit::Share)]);
    }

    /// Judgements of two steps of 20 ms with an interval of some length, before which `GetNext` takes some time:
    /// whether the rules about it and about the interval hold, with their gains and exemptions.
    fn get_next(interval: i64, time: f64, empty: u64) -> [(bool, Option<Nanos>, Option<Exemption>); 2] {
        let text = b"step_num,start_point,end_point,total,fp_point,bp_point,iteration_interval,fp_and_bp,tail\n";
        let mut loader = Loader::new("step_trace_raw_0_detail_time.csv");
        loader.space(text.len()).copy_from_slice(text);
        loader.advance(text.len()).expect("a table");
        let mut analysis = analyze(&loader.finish().expect("a trace").trace, &AnalysisConfig::standard());
        let step = StepTimes { total: Nanos(20_000_000), iteration_interval: Nanos(interval), ..StepTimes::default() };
        let recorded = StepTrace { steps: vec![step.clone(); 2], average: step, ..StepTrace::default() };
        analysis.mindspore.step_trace = Some(recorded);
        let next = GetNext { steps: 10, empty, mean: time };
        analysis.mindspore.pipeline = Some(Pipeline { get_next: Some(next), ..Pipeline::default() });
        analysis.judge_data();
        let judged = table_advice(&analysis);
        ["get_next", "iteration_interval"].map(|rule| {
            let one = judged.iter().find(|one| one.rule.id == rule).expect("the rule");
            (one.holds, one.gain(), one.exemption())
        })
    }

    #[test]
    fn get_next_is_long_though_it_always_found_data() {
        let ms = |time: f64| Some(Nanos((time * 1e6) as i64));
        let covered = (false, None, Some(Exemption::SameTime));
        assert_eq!(get_next(2_500_000, 2_000_000.0, 0), [(true, ms(2.0), None), covered], "nearly all of the interval");
        assert_eq!(
            get_next(2_500_000, 5_000_000.0, 0),
            [(true, ms(2.5), None), covered],
            "most of it in the step before"
        );
        assert_eq!(get_next(9_000_000, 2_000_000.0, 0), [(true, ms(2.0), None), (true, ms(7.0), None)], "a part of it");
        let waits = get_next(9_000_000, 2_000_000.0, 1);
        assert_eq!(waits, [(false, None, Some(Exemption::QueueWasEmpty)), (true, ms(9.0), None)]);
        let short = get_next(900_000, 2_000_000.0, 0);
        assert_eq!(short, [(false, None, Some(Exemption::IntervalIsShort)), (false, None, None)]);
        assert_eq!(
            get_next(2_500_000, 900_000.0, 0),
            [(false, None, None), (true, ms(2.5), None)],
            "4.5 % of the step"
        );
    }

    #[test]
    fn few_samples_of_processors_tell_nothing() {
        assert_eq!(busy(20_000, 3), Err(NotApplicable::FewSamples));
        let unknown = |implausible_samples| processor_load(&Pipeline { implausible_samples, ..Pipeline::default() });
        assert_eq!([false, true].map(unknown), [Err(NotApplicable::NoTable), Err(NotApplicable::ImplausibleSamples)]);
    }
}
