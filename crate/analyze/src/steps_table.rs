//! The table of steps: the time of each by category and by phase.

use super::{Analysis, DeviceTime, InferenceKind, Phase, PhaseTime, Step, TimeCategory};
use stepscope_base::Nanos;
use stepscope_table::{Field, Rows, Unit, Value};

/// The context of rows of [`StepTable`].
#[derive(Clone, Copy, Debug)]
pub struct StepContext<'a> {
    /// The analysis of the trace.
    pub analysis: &'a Analysis,
    /// Whether the host's categories leave out the time before the first recorded activity, in which a device may run
    /// work from before the recording: see [`Analysis::known_categories`]. In data exports they are whole.
    pub known: bool,
}

impl StepContext<'_> {
    fn step(&self, index: usize) -> Option<&Step> {
        self.analysis.steps.steps.get(index)
    }

    fn category<'a>(&self, step: usize, category: TimeCategory) -> Value<'a> {
        let known = || self.analysis.known_categories_of(step);
        let all = || self.analysis.categories.get(step).copied().unwrap_or_default();
        let times = if self.known { known() } else { all() };
        times[category as usize].into()
    }

    /// Unknown where there is no such time.
    fn before_first<'a>(&self, step: usize, category: TimeCategory) -> Value<'a> {
        let is_any = self.analysis.time_before_first(step) > Nanos::ZERO;
        let times = self.analysis.categories_before_first.get(step).filter(|_| is_any);
        times.map(|times| times[category as usize]).into()
    }

    fn phase(&self, step: usize, phase: Phase) -> PhaseTime {
        self.analysis.phases.steps.get(step).map(|times| times[phase as usize]).unwrap_or_default()
    }

    fn busy<'a>(&self, step: usize) -> Value<'a> {
        let time = self.analysis.step_devices.get(step).filter(|devices| !devices.is_empty());
        time.map(|devices| DeviceTime::mean(devices)).and_then(|time| time.share(time.busy)).into()
    }
}

/// The reason why a step differs from the others.
fn mark<'a>(step: Option<&Step>) -> Value<'a> {
    match step {
        Some(step) if step.partial => Value::Word("partial"),
        Some(step) if step.warm_up => Value::Word("warmup"),
        Some(step) if step.captures => Value::Word("captures"),
        // The timeline does not cover it: categories are not known.
        Some(step) if !step.covered => Value::Word("not_on_timeline"),
        _ => Value::Unknown,
    }
}

fn kind<'a>(step: Option<&Step>) -> Value<'a> {
    let kind = step.and_then(|step| step.inference).and_then(|facts| facts.kind);
    kind.map(InferenceKind::name).into()
}

/// The table of steps; a row is the index of a step.
#[derive(Debug)]
pub enum StepTable {}

/// Columns of this table.
type Of = Field<StepTable>;

impl Rows for StepTable {
    const ID: &'static str = "steps";
    const FIELDS: &'static [Field<Self>] = &[
        Of::new("name", Unit::Text, |row, of| of.step(*row).map(|step| step.name.as_str()).into())
            .sorted_by("start_ns")
            .known(),
        Of::new("mark", Unit::Word("step_mark"), |row, of| mark(of.step(*row))).in_name(),
        Of::new("start_ns", Unit::Moment, |row, of| of.step(*row).map(|step| step.span.start).into()).data().known(),
        Of::new("end_ns", Unit::Moment, |row, of| of.step(*row).map(|step| step.span.end).into()).data().known(),
        Of::new("length_ns", Unit::Duration, |row, of| of.step(*row).map(|step| step.span.len()).into()).known(),
        Of::new("unrecorded_ns", Unit::Duration, |row, of| {
            of.step(*row).map(Step::unrecorded).filter(|time| *time > Nanos::ZERO).into()
        })
        .omitted(),
        Of::new("host_start_ns", Unit::Moment, |row, of| of.step(*row).map(|step| step.host.start).into())
            .data()
            .known(),
        Of::new("host_end_ns", Unit::Moment, |row, of| of.step(*row).map(|step| step.host.end).into()).data().known(),
        Of::new("host_length_ns", Unit::Duration, |row, of| of.step(*row).map(|step| step.host.len()).into())
            .data()
            .known(),
        Of::new("activities", Unit::Count, |row, of| of.step(*row).map(|step| step.activities).into()).data().known(),
        Of::new("partial", Unit::Flag, |row, of| of.step(*row).map(|step| step.partial).into()).data().known(),
        Of::new("warmup", Unit::Flag, |row, of| of.step(*row).map(|step| step.warm_up).into()).data().known(),
        Of::new("graph", Unit::Id, |row, of| {
            of.step(*row).and_then(|step| step.graph).map_or(Value::Unknown, Value::id)
        })
        .data()
        .omitted(),
        Of::new("captures", Unit::Flag, |row, of| of.step(*row).filter(|step| step.captures).map(|_| true).into())
            .data()
            .omitted(),
        Of::new("counted", Unit::Flag, |row, of| of.step(*row).map(Step::counts).into()).data().known(),
        Of::new("covered", Unit::Flag, |row, of| of.step(*row).map(|step| step.covered).into()).data().known(),
        Of::new("inference.kind", Unit::Text, |row, of| kind(of.step(*row))).data(),
        Of::new("inference.requests", Unit::Count, |row, of| {
            of.step(*row).and_then(|step| step.inference?.requests).into()
        }),
        Of::new("inference.tokens", Unit::Count, |row, of| {
            of.step(*row).and_then(|step| step.inference?.tokens).into()
        }),
        Of::new("device_busy_share", Unit::Share, |row, of| of.busy(*row)).of_device(),
        Of::new("categories.kernel_ns", Unit::Duration, |row, of| of.category(*row, TimeCategory::Kernel))
            .of_device()
            .known(),
        Of::new("categories.memcpy_ns", Unit::Duration, |row, of| of.category(*row, TimeCategory::Memcpy))
            .of_device()
            .known(),
        Of::new("categories.memset_ns", Unit::Duration, |row, of| of.category(*row, TimeCategory::Memset))
            .of_device()
            .known(),
        Of::new("categories.communication_ns", Unit::Duration, |row, of| {
            of.category(*row, TimeCategory::Communication)
        })
        .of_device()
        .known(),
        Of::new("categories.runtime_ns", Unit::Duration, |row, of| of.category(*row, TimeCategory::Runtime))
            .of_device()
            .known(),
        Of::new("categories.dataloader_ns", Unit::Duration, |row, of| of.category(*row, TimeCategory::Dataloader))
            .known(),
        Of::new("categories.cpu_ns", Unit::Duration, |row, of| of.category(*row, TimeCategory::Cpu)).known(),
        Of::new("categories.other_ns", Unit::Duration, |row, of| of.category(*row, TimeCategory::Other)).known(),
        Of::new("categories_before_first_activity.runtime_ns", Unit::Duration, |row, of| {
            of.before_first(*row, TimeCategory::Runtime)
        })
        .data(),
        Of::new("categories_before_first_activity.dataloader_ns", Unit::Duration, |row, of| {
            of.before_first(*row, TimeCategory::Dataloader)
        })
        .data(),
        Of::new("categories_before_first_activity.cpu_ns", Unit::Duration, |row, of| {
            of.before_first(*row, TimeCategory::Cpu)
        })
        .data(),
        Of::new("categories_before_first_activity.other_ns", Unit::Duration, |row, of| {
            of.before_first(*row, TimeCategory::Other)
        })
        .data(),
        Of::new("categories_before_first_activity.total_ns", Unit::Duration, |row, of| {
            Some(of.analysis.time_before_first(*row)).filter(|time| *time > Nanos::ZERO).into()
        }),
        Of::new("phases.dataloader.calls", Unit::Count, |row, of| of.phase(*row, Phase::Dataloader).calls.into())
            .data()
            .known(),
        Of::new("phases.dataloader.host_ns", Unit::Duration, |row, of| of.phase(*row, Phase::Dataloader).host.into())
            .data()
            .known(),
        Of::new("phases.dataloader.device_ns", Unit::Duration, |row, of| {
            of.phase(*row, Phase::Dataloader).device.into()
        })
        .data()
        .of_device()
        .known(),
        Of::new("phases.optimizer.calls", Unit::Count, |row, of| of.phase(*row, Phase::Optimizer).calls.into())
            .data()
            .known(),
        Of::new("phases.optimizer.host_ns", Unit::Duration, |row, of| of.phase(*row, Phase::Optimizer).host.into())
            .data()
            .known(),
        Of::new("phases.optimizer.device_ns", Unit::Duration, |row, of| of.phase(*row, Phase::Optimizer).device.into())
            .data()
            .of_device()
            .known(),
        Of::new("phases.backward.calls", Unit::Count, |row, of| of.phase(*row, Phase::Backward).calls.into())
            .data()
            .known(),
        Of::new("phases.backward.host_ns", Unit::Duration, |row, of| of.phase(*row, Phase::Backward).host.into())
            .data()
            .known(),
        Of::new("phases.backward.device_ns", Unit::Duration, |row, of| of.phase(*row, Phase::Backward).device.into())
            .data()
            .of_device()
            .known(),
        Of::new("phases.forward.calls", Unit::Count, |row, of| of.phase(*row, Phase::Forward).calls.into())
            .data()
            .known(),
        Of::new("phases.forward.host_ns", Unit::Duration, |row, of| of.phase(*row, Phase::Forward).host.into())
            .data()
            .known(),
        Of::new("phases.forward.device_ns", Unit::Duration, |row, of| of.phase(*row, Phase::Forward).device.into())
            .data()
            .of_device()
            .known(),
        Of::new("phases.other.calls", Unit::Count, |row, of| of.phase(*row, Phase::Other).calls.into()).data().known(),
        Of::new("phases.other.host_ns", Unit::Duration, |row, of| of.phase(*row, Phase::Other).host.into())
            .data()
            .known(),
        Of::new("phases.other.device_ns", Unit::Duration, |row, of| of.phase(*row, Phase::Other).device.into())
            .data()
            .of_device()
            .known(),
    ];
    const SORT: &'static str = "name";
    const IS_ASCENDING: bool = true;
    const SPAN: Option<[&'static str; 2]> = Some(["start_ns", "end_ns"]);
    type Row = usize;
    type Context<'a> = StepContext<'a>;
}
