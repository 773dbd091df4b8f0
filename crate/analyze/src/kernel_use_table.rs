//! The table of the use of the device by kernels.

use super::flops::OperatorFlops;
use super::kernel_use::{KernelLaunch, KernelUse};
use super::kernels::KernelGrouping;
use super::occupancy::{Limiter, Occupancy, Waves};
use super::operators::OperatorRow;
use super::per_step::PerStep;
use super::python_stacks::module_path;
use stepscope_base::Nanos;
use stepscope_table::{Field, Rows, Unit, Value};
use stepscope_trace::{LaunchConfig, Trace};

/// Use of the device by kernels. Rows are [`KernelUse`]s; the columns follow those of
/// [`KernelTable`](super::KernelTable).
pub enum KernelUseTable {}

/// Context of the rows of the table.
#[derive(Clone, Copy, Debug)]
pub struct KernelUseContext<'a> {
    /// The trace of the rows.
    pub trace: &'a Trace,
    /// The divisor of sums.
    pub per: PerStep,
    /// The key of the rows.
    pub grouping: KernelGrouping,
}

impl KernelUseContext<'_> {
    /// The launch of a row with the longest total.
    fn launch<'a>(&self, row: &'a KernelUse) -> Option<(&'a KernelLaunch, &LaunchConfig)> {
        let launch = row.main.as_ref()?;
        Some((launch, self.trace.configs.get(launch.config.get()?.index())?))
    }

    /// A value of that launch.
    fn of_launch<'a, T: Into<Value<'a>>>(
        &self,
        row: &KernelUse,
        value: impl FnOnce(&KernelLaunch, &LaunchConfig) -> T,
    ) -> Value<'a> {
        self.launch(row).map(|(launch, config)| value(launch, config)).into()
    }

    fn of_occupancy<'a, T: Into<Value<'a>>>(&self, row: &KernelUse, value: impl FnOnce(&Occupancy) -> T) -> Value<'a> {
        self.of_launch(row, |launch, _| launch.occupancy.as_ref().map(value))
    }

    fn of_waves<'a, T: Into<Value<'a>>>(&self, row: &KernelUse, value: impl FnOnce(&Waves) -> T) -> Value<'a> {
        self.of_launch(row, |launch, _| launch.waves.as_ref().map(value))
    }

    /// The number of blocks that a limit admits.
    fn fitting<'a>(&self, row: &KernelUse, limiter: Limiter) -> Value<'a> {
        self.of_occupancy(row, |found| {
            Limiter::ALL.iter().zip(found.fitting).find(|(one, _)| **one == limiter).and_then(|(_, blocks)| blocks)
        })
    }

    /// The launch configuration of a row, where it is a part of the key.
    fn told(&self, row: &KernelUse) -> Option<&LaunchConfig> {
        let config = row.row.config.get().filter(|_| self.grouping == KernelGrouping::NameOperatorLaunch)?;
        self.trace.configs.get(config.index())
    }
}

/// A number of a launch that the trace may lack.
fn known(value: u32) -> Option<u32> {
    (value != u32::MAX).then_some(value)
}

impl Rows for KernelUseTable {
    const ID: &'static str = "kernel_use.kernels";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("operator", Unit::Text, |row, of| {
            of.told(row).map(|_| of.trace.strings.get(row.row.operator)).into()
        })
        .in_name(),
        Field::<Self>::new("grid", Unit::Extent, |row, of| of.told(row).map(|config| config.grid).into()).in_name(),
        Field::<Self>::new("block", Unit::Extent, |row, of| of.told(row).map(|config| config.block).into()).in_name(),
        Field::<Self>::new("module", Unit::Text, |row, of| {
            let modules = &row.row.modules;
            (!modules.is_empty()).then(|| module_path(of.trace, modules)).into()
        })
        .in_name(),
        Field::<Self>::new("family", Unit::Word("kernel_family"), |row, _| {
            row.family.map_or(Value::Unknown, |family| Value::Word(family.name()))
        })
        .wide(),
        Field::<Self>::new("launches", Unit::Count, |row, _| (row.launches as u64).into()).data(),
        Field::<Self>::new("launch.device", Unit::Id, |row, of| of.of_launch(row, |launch, _| launch.device)).data(),
        Field::<Self>::new("launch.calls", Unit::Count, |row, of| {
            of.of_launch(row, |launch, _| of.per.count(launch.calls))
        })
        .data(),
        Field::<Self>::new("launch.total_ns", Unit::Duration, |row, of| {
            of.of_launch(row, |launch, _| of.per.time(launch.total))
        })
        .data(),
        Field::<Self>::new("launch.grid", Unit::Extent, |row, of| of.of_launch(row, |_, config| config.grid)).data(),
        Field::<Self>::new("launch.block", Unit::Extent, |row, of| of.of_launch(row, |_, config| config.block)).data(),
        Field::<Self>::new("launch.registers", Unit::Count, |row, of| {
            of.of_launch(row, |_, config| known(config.registers))
        }),
        Field::<Self>::new("launch.shared_memory", Unit::Bytes, |row, of| {
            of.of_launch(row, |_, config| known(config.shared_memory))
        }),
        Field::<Self>::new("launch.occupancy.share", Unit::Share, |row, of| of.of_occupancy(row, |found| found.share))
            .data(),
        Field::<Self>::new("launch.occupancy.limiter", Unit::Word("limiter"), |row, of| {
            of.of_occupancy(row, |found| Value::Word(found.limiter.name()))
        }),
        Field::<Self>::new("launch.occupancy.blocks", Unit::Count, |row, of| {
            of.of_occupancy(row, |found| found.blocks)
        })
        .data(),
        Field::<Self>::new("launch.occupancy.fitting.warps", Unit::Count, |row, of| of.fitting(row, Limiter::Warps))
            .data(),
        Field::<Self>::new("launch.occupancy.fitting.blocks", Unit::Count, |row, of| of.fitting(row, Limiter::Blocks))
            .data(),
        Field::<Self>::new("launch.occupancy.fitting.registers", Unit::Count, |row, of| {
            of.fitting(row, Limiter::Registers)
        })
        .data(),
        Field::<Self>::new("launch.occupancy.fitting.shared_memory", Unit::Count, |row, of| {
            of.fitting(row, Limiter::SharedMemory)
        })
        .data(),
        Field::<Self>::new("launch.occupancy.warps_per_block", Unit::Count, |row, of| {
            of.of_occupancy(row, |found| found.warps_per_block)
        })
        .data(),
        Field::<Self>::new("launch.occupancy.warps", Unit::Count, |row, of| of.of_occupancy(row, |found| found.warps))
            .data(),
        Field::<Self>::new("launch.occupancy.registers_per_block", Unit::Count, |row, of| {
            of.of_occupancy(row, |found| found.registers_per_block)
        })
        .data(),
        Field::<Self>::new("launch.occupancy.shared_memory_per_block", Unit::Bytes, |row, of| {
            of.of_occupancy(row, |found| found.shared_memory_per_block)
        })
        .data(),
        Field::<Self>::new("launch.waves.blocks", Unit::Count, |row, of| of.of_waves(row, |found| found.blocks)).data(),
        Field::<Self>::new("launch.waves.at_once", Unit::Count, |row, of| of.of_waves(row, |found| found.at_once))
            .data(),
        Field::<Self>::new("launch.waves.waves", Unit::Decimal, |row, of| of.of_waves(row, |found| found.waves)),
        Field::<Self>::new("launch.waves.last", Unit::Share, |row, of| of.of_waves(row, |found| found.last)).data(),
        Field::<Self>::new("launch.waves.tail", Unit::Share, |row, of| of.of_waves(row, |found| found.tail)).data(),
        Field::<Self>::new("theoretical_occupancy", Unit::Share, |row, _| row.occupancy.into()).covered(),
        Field::<Self>::new("tail", Unit::Share, |row, _| row.tail.into()).covered(),
        Field::<Self>::new("computed_flops", Unit::Flops, |row, of| {
            (row.computed.calls > 0).then(|| of.per.count(row.computed.flops)).into()
        })
        .data(),
        Field::<Self>::new("flops_per_second", Unit::FlopsPerSecond, |row, _| row.computed.per_second().into())
            .covered(),
        Field::<Self>::new("share_of_peak", Unit::Share, |row, _| row.computed.share_of_peak().into()).covered(),
        Field::<Self>::new("share_of_limit", Unit::Share, |row, _| row.at_limit.share(row.row.time.total).into())
            .covered(),
        Field::<Self>::new("bound_by", Unit::Word("bound"), |row, _| {
            row.at_limit.bound(row.row.time.total).map_or(Value::Unknown, |bound| Value::Word(bound.name()))
        }),
    ];
    const FIRST: &'static [&'static str] = &[
        "name",
        "calls",
        "total_ns",
        "share_of_kernel_time",
        "mean_ns",
        "theoretical_occupancy",
        "launch.occupancy.limiter",
        "flops_per_second",
        "share_of_peak",
        "bound_by",
        "share_of_limit",
        "tensor_core_use",
        "launch.waves.waves",
        "tail",
    ];
    const SORT: &'static str = "total_ns";
    type Row = KernelUse;
    type Context<'a> = KernelUseContext<'a>;
}

/// Work of the operators with a formula. Rows are [`OperatorFlops`].
pub enum OperatorFlopsTable {}

/// Context of the rows of the table.
#[derive(Clone, Copy, Debug)]
pub struct OperatorFlopsContext<'a> {
    /// The trace of the rows.
    pub trace: &'a Trace,
    /// The operators of the same scope by name, with their times.
    pub operators: &'a [OperatorRow],
    /// The divisor of sums.
    pub per: PerStep,
}

impl OperatorFlopsContext<'_> {
    fn operator(&self, row: &OperatorFlops) -> Option<&OperatorRow> {
        let name = self.trace.strings.get(row.name);
        self.operators.iter().find(|operator| operator.name == name)
    }
}

impl Rows for OperatorFlopsTable {
    const ID: &'static str = "kernel_use.operators";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("name", Unit::Text, |row, of| of.trace.strings.get(row.name).into()).known(),
        Field::<Self>::new("calls", Unit::Count, |row, of| of.per.count(row.calls).into()).known(),
        Field::<Self>::new("computed_flops", Unit::Flops, |row, of| of.per.count(row.flops).into()).known(),
        Field::<Self>::new("device_total_ns", Unit::Duration, |row, of| {
            of.operator(row).map_or(Nanos::ZERO, |operator| of.per.time(operator.device_total)).into()
        })
        .known(),
        Field::<Self>::new("flops_per_second", Unit::FlopsPerSecond, |row, of| {
            // FLOPs of some calls only would give a wrong rate over the time of all calls.
            let whole = of.operator(row).filter(|operator| operator.calls == row.calls);
            whole.and_then(|operator| row.per_second(operator.device_total)).into()
        }),
    ];
    const SORT: &'static str = "computed_flops";
    type Row = OperatorFlops;
    type Context<'a> = OperatorFlopsContext<'a>;
}
