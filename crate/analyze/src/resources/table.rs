//! The table of curves.

use super::kinds::ResourceKind;
use super::resource::{Resource, ResourceSummary};
use stepscope_base::Nanos;
use stepscope_table::{Field, Rows, Unit, Value};

/// A curve's row in the table.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceRow {
    kind: ResourceKind,
    owner: String,
    name: String,
    unit: &'static str,
    holds: bool,
    samples: u64,
    span: Option<[Nanos; 2]>,
    summary: ResourceSummary,
}

impl ResourceRow {
    /// The row of a curve; none if it has no value.
    #[must_use]
    pub fn of(resource: &Resource) -> Option<Self> {
        let summary = resource.summary()?;
        let (first, last) = (resource.points.first()?, resource.points.last()?);
        #[expect(clippy::cast_possible_truncation, reason = "it was whole nanoseconds")]
        let span = [first.0, last.0].map(|at| Nanos(at as i64));
        Some(Self {
            kind: resource.kind,
            owner: resource.owner.clone(),
            name: resource.name.clone(),
            unit: resource.unit.name(),
            holds: resource.holds,
            samples: resource.points.len() as u64,
            span: resource.holds.then_some(span),
            summary,
        })
    }
}

/// The table of curves.
#[derive(Debug)]
pub enum ResourceTable {}

impl Rows for ResourceTable {
    const ID: &'static str = "resources";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("kind", Unit::Word("resources"), |row, ()| Value::Word(row.kind.name())).ranked().known(),
        Field::<Self>::new("owner", Unit::Text, |row, ()| row.owner.as_str().into()).known(),
        Field::<Self>::new("name", Unit::Text, |row, ()| row.name.as_str().into()).known(),
        Field::<Self>::new("unit", Unit::Text, |row, ()| row.unit.into()).data().known(),
        Field::<Self>::new("holds", Unit::Flag, |row, ()| row.holds.into()).data().known(),
        Field::<Self>::new("samples", Unit::Count, |row, ()| row.samples.into()).known(),
        Field::<Self>::new("from_ns", Unit::Moment, |row, ()| row.span.map(|[from, _]| from).into()).data(),
        Field::<Self>::new("until_ns", Unit::Moment, |row, ()| row.span.map(|[_, until]| until).into()).data(),
        Field::<Self>::new("min", Unit::Measure("unit"), |row, ()| row.summary.min.into()).known(),
        Field::<Self>::new("max", Unit::Measure("unit"), |row, ()| row.summary.max.into()).known(),
        Field::<Self>::new("mean", Unit::Measure("unit"), |row, ()| row.summary.mean.into()).known(),
        Field::<Self>::new("last", Unit::Measure("unit"), |row, ()| row.summary.last.into()).known(),
    ];
    const FIRST: &'static [&'static str] = &["name", "owner", "kind"];
    const SORT: &'static str = "kind";
    const IS_ASCENDING: bool = true;
    const SPAN: Option<[&'static str; 2]> = Some(["from_ns", "until_ns"]);
    type Row = ResourceRow;
    type Context<'a> = ();
}
