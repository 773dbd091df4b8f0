//! The tables of operators from MindSpore's profiler: by type, and by name.

use super::operators::{AicoreOperator, HostOperator, OperatorMean, OperatorShare};
use stepscope_table::{Bar, Field, Rows, Unit, Value};

/// The place where the operators of a table by type ran.
pub trait OperatorSide: 'static {
    /// The key of its table.
    const ID: &'static str;
}

/// The AI core.
#[derive(Debug)]
pub enum AicoreSide {}

impl OperatorSide for AicoreSide {
    const ID: &'static str = "mindspore.aicore_types";
}

/// The AI CPU.
#[derive(Debug)]
pub enum AicpuSide {}

impl OperatorSide for AicpuSide {
    const ID: &'static str = "mindspore.aicpu_types";
}

/// The host, or a GPU.
#[derive(Debug)]
pub enum HostSide {}

impl OperatorSide for HostSide {
    const ID: &'static str = "mindspore.host_types";
}

/// The table of operators by type.
#[derive(Debug)]
pub struct OperatorTypeTable<T>(std::marker::PhantomData<T>);

impl<T: OperatorSide> Rows for OperatorTypeTable<T> {
    const ID: &'static str = T::ID;
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("name", Unit::Text, |row, ()| row.name.as_str().into()).known(),
        Field::<Self>::new("calls", Unit::Count, |row, ()| calls(row.calls)).part().known(),
        Field::<Self>::new("total_ns", Unit::Duration, |row, ()| row.total.into())
            .bar(Bar::Share("share"))
            .part()
            .known(),
        Field::<Self>::new("mean_ns", Unit::Duration, |row, ()| row.mean.into()).known(),
        Field::<Self>::new("share", Unit::Share, |row, ()| row.share.into()).known(),
    ];
    const SORT: &'static str = "total_ns";
    type Row = OperatorShare;
    type Context<'a> = ();
}

/// The table of operators on the AI core by name.
#[derive(Debug)]
pub enum AicoreOperatorTable {}

impl Rows for AicoreOperatorTable {
    const ID: &'static str = "mindspore.aicore_operators";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("name", Unit::Text, |row, ()| row.name.as_str().into()).known(),
        Field::<Self>::new("kernel", Unit::Text, |row, ()| row.kernel.as_str().into()).known(),
        Field::<Self>::new("type", Unit::Text, |row, ()| row.kind.as_str().into()).known(),
        Field::<Self>::new("calls", Unit::Count, |row, ()| calls(row.calls)).known(),
        Field::<Self>::new("mean_ns", Unit::Duration, |row, ()| row.mean.into()).known(),
        // As the profiler writes them: old versions have both units in the first two.
        Field::<Self>::new("mflops_cube", Unit::Number, |row, ()| row.in_units_of(1e6, 0)).data(),
        Field::<Self>::new("gflops_cube", Unit::Number, |row, ()| row.in_units_of(1e9, 1)).data(),
        Field::<Self>::new("mflops_vector", Unit::Number, |row, ()| row.in_units_of(1e6, 2)).data(),
        Field::<Self>::new("gflops_vector", Unit::Number, |row, ()| row.in_units_of(1e9, 3)).data(),
        Field::<Self>::new("cube_flops", Unit::Flops, |row, ()| row.whole(0, false)).omitted(),
        Field::<Self>::new("cube_flops_per_second", Unit::FlopsPerSecond, |row, ()| row.rate(1, false)).omitted(),
        Field::<Self>::new("vector_flops", Unit::Flops, |row, ()| row.whole(2, false)).omitted(),
        Field::<Self>::new("vector_flops_per_second", Unit::FlopsPerSecond, |row, ()| row.rate(3, false)).omitted(),
        Field::<Self>::new("flops", Unit::Flops, |row, ()| row.whole(0, true)).omitted(),
        Field::<Self>::new("flops_per_second", Unit::FlopsPerSecond, |row, ()| row.rate(1, true)).omitted(),
    ];
    const SORT: &'static str = "mean_ns";
    type Row = AicoreOperator;
    type Context<'a> = ();
}

impl AicoreOperator {
    /// A number of operations from [`AicoreOperator::flops`], if it is for both units or for one, as requested.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a number of operations is not negative"
    )]
    fn whole(&self, place: usize, of_both: bool) -> Value<'static> {
        self.flops[place].filter(|_| self.is_of_both == of_both).map(|count| count.round() as u64).into()
    }

    /// A rate from [`AicoreOperator::flops`], likewise.
    fn rate(&self, place: usize, of_both: bool) -> Value<'static> {
        self.flops[place].filter(|_| self.is_of_both == of_both).into()
    }

    /// A number of [`AicoreOperator::flops`] in units of this, as the profiler writes it.
    fn in_units_of(&self, unit: f64, place: usize) -> Value<'static> {
        self.flops[place].map(|count| count / unit).into()
    }
}

/// The table of operators on the AI CPU by name.
#[derive(Debug)]
pub enum AicpuOperatorTable {}

impl Rows for AicpuOperatorTable {
    const ID: &'static str = "mindspore.aicpu_operators";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("name", Unit::Text, |row, ()| row.name.as_str().into()).known(),
        Field::<Self>::new("type", Unit::Text, |row, ()| row.kind.as_str().into()).known(),
        Field::<Self>::new("calls", Unit::Count, |row, ()| calls(row.calls)).known(),
        Field::<Self>::new("mean_ns", Unit::Duration, |row, ()| row.mean.into()).known(),
        Field::<Self>::new("mean_dispatch_ns", Unit::Duration, |row, ()| row.dispatch.into()).known(),
    ];
    const SORT: &'static str = "mean_ns";
    type Row = OperatorMean;
    type Context<'a> = ();
}

/// The table of operators of the host, or of a GPU, by name.
#[derive(Debug)]
pub enum HostOperatorTable {}

impl Rows for HostOperatorTable {
    const ID: &'static str = "mindspore.host_operators";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("name", Unit::Text, |row, ()| row.name.as_str().into()).known(),
        Field::<Self>::new("type", Unit::Text, |row, ()| row.kind.as_str().into()).known(),
        Field::<Self>::new("side", Unit::Text, |row, ()| row.side.as_str().into()).omitted(),
        Field::<Self>::new("calls", Unit::Count, |row, ()| row.calls.map_or(Value::Unknown, calls)).omitted(),
        Field::<Self>::new("mean_ns", Unit::Duration, |row, ()| row.mean.into()).known(),
        Field::<Self>::new("table", Unit::Text, |row, ()| row.table.into()).data().known(),
    ];
    const SORT: &'static str = "mean_ns";
    type Row = HostOperator;
    type Context<'a> = ();
}

/// A number of runs; zero if a damaged table has a negative one.
fn calls(count: i64) -> Value<'static> {
    u64::try_from(count).unwrap_or_default().into()
}
