//! The table of stragglers.

use super::Job;
use super::stragglers::{Straggler, StragglerPlace};
use crate::FewSteps;
use stepscope_table::{Field, Rows, Unit, Value};

/// The table of stragglers, in the order in which they are found.
#[derive(Debug)]
pub enum StragglerTable {}

impl Rows for StragglerTable {
    const ID: &'static str = "stragglers";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("place", Unit::Word("straggler.place"), |row, _| Value::Word(row.place.name())).known(),
        Field::<Self>::new("ranks", Unit::Ids, |row, job| Value::Ids(row.place.ranks(job).into())).wide().known(),
        Field::<Self>::new("group", Unit::Text, |row, job| match row.place {
            StragglerPlace::Group(group) => job.groups.get(group).map(|group| group.name.as_str()).into(),
            _ => Value::Unknown,
        })
        .wide()
        .omitted(),
        Field::<Self>::new("stage", Unit::Id, |row, _| match row.place {
            StragglerPlace::Stage(stage) => Value::id(stage.into()),
            _ => Value::Unknown,
        })
        .wide()
        .omitted(),
        Field::<Self>::new("cause", Unit::Word("ranks.cause"), |row, _| Value::Word(row.cause.name())).known(),
        Field::<Self>::new("rule", Unit::Word("ranks.rule"), |row, _| Value::Word(row.rule.name())).known(),
        Field::<Self>::new("value", Unit::Measure("unit"), |row, _| row.value.into()).known(),
        Field::<Self>::new("usual", Unit::Measure("unit"), |row, _| row.usual.into()).known(),
        Field::<Self>::new("unit", Unit::Text, |row, _| {
            // As the other tables of JSON name it.
            if row.place.is_time() { "ns" } else { Unit::BytesPerSecond.name() }.into()
        })
        .data()
        .known(),
        Field::<Self>::new("votes", Unit::Count, |row, _| row.of_rank(row.votes)).omitted(),
        Field::<Self>::new("voted", Unit::Count, |row, _| row.of_rank(row.voted)).omitted(),
        Field::<Self>::new("excess.compute_ns", Unit::DurationChange, |row, _| row.of_rank(row.excess[0])),
        Field::<Self>::new("excess.data_ns", Unit::DurationChange, |row, _| row.of_rank(row.excess[1])),
        Field::<Self>::new("excess.host_ns", Unit::DurationChange, |row, _| row.of_rank(row.excess[2])),
        Field::<Self>::new("mostly_in", Unit::Text, |row, _| row.few_steps.as_ref().map(FewSteps::first_names).into())
            .wide()
            .omitted(),
        Field::<Self>::new("gain_ns_per_step", Unit::Duration, |row, _| row.gain.into()),
    ];
    const FIRST: &'static [&'static str] = &[
        "place",
        "ranks",
        "group",
        "stage",
        "cause",
        "value",
        "usual",
        "excess.compute_ns",
        "excess.data_ns",
        "excess.host_ns",
        "mostly_in",
        "votes",
        "voted",
        "rule",
    ];
    const SORT: &'static str = "gain_ns_per_step";
    type Row = Straggler;
    type Context<'a> = Job;
}

impl StragglerPlace {
    /// A stable name of its kind.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Rank(_) => "rank",
            Self::Link(_) => "link",
            Self::Group(_) => "group",
            Self::Stage(_) => "stage",
        }
    }

    /// Whether its values are times per step, and no rates.
    fn is_time(self) -> bool {
        matches!(self, Self::Rank(_) | Self::Stage(_))
    }
}

impl Straggler {
    /// A value that ranks alone have.
    fn of_rank<'a>(&self, value: impl Into<Value<'a>>) -> Value<'a> {
        if matches!(self.place, StragglerPlace::Rank(_)) { value.into() } else { Value::Unknown }
    }
}
