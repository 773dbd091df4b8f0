//! The table of a data pipeline's operators.

use super::pipeline::{Pipeline, PipelineOperator};
use stepscope_table::{Field, Rows, Unit, Value};

/// The table of a data pipeline's operators.
#[derive(Debug)]
pub enum PipelineTable {}

impl Pipeline {
    /// Whether an operator limits the pipeline.
    fn is_limited_by(&self, operator: &PipelineOperator) -> bool {
        let is_it = |index: &usize| self.operators.get(*index).is_some_and(|one| one.id == operator.id);
        !self.keeps_up && self.bottlenecks.iter().any(is_it)
    }
}

fn ids<'a>(operators: &[i64]) -> Value<'a> {
    Value::Ids(operators.iter().filter_map(|id| u64::try_from(*id).ok()).collect())
}

/// The value, unknown for an operator without a queue.
fn of_queue<'a>(row: &PipelineOperator, value: impl Into<Value<'a>>) -> Value<'a> {
    if row.capacity.is_some() { value.into() } else { Value::Unknown }
}

impl Rows for PipelineTable {
    const ID: &'static str = "pipeline.operators";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("id", Unit::Id, |row, _| row.id.into()).known(),
        Field::<Self>::new("type", Unit::Text, |row, _| row.kind.as_str().into()).sorted_by("id").known(),
        Field::<Self>::new("workers", Unit::Id, |row, _| row.workers.into()).known(),
        Field::<Self>::new("queue_mean_size", Unit::Decimal, |row, _| row.mean_size.into()),
        Field::<Self>::new("queue_capacity", Unit::Id, |row, _| row.capacity.into()),
        Field::<Self>::new("queue_usage", Unit::Share, |row, _| of_queue(row, row.usage)),
        Field::<Self>::new("times_empty", Unit::Count, |row, _| of_queue(row, row.samples[0])),
        Field::<Self>::new("times_full", Unit::Count, |row, _| of_queue(row, row.samples[1])),
        Field::<Self>::new("samples", Unit::Count, |row, _| of_queue(row, row.samples[2])),
        Field::<Self>::new("parent", Unit::Id, |row, _| row.parent.into()).data(),
        Field::<Self>::new("children", Unit::Ids, |row, _| ids(&row.children)).data().known(),
        Field::<Self>::new("limits_pipeline", Unit::Flag, |row, of| of.is_limited_by(row).into()).known(),
    ];
    const FIRST: &'static [&'static str] = &["type", "id"];
    const SORT: &'static str = "id";
    const IS_ASCENDING: bool = true;
    type Row = PipelineOperator;
    type Context<'a> = Pipeline;
}
