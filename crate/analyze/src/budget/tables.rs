//! The tables of the budget: causes with their longest spans, branches and their leaves. `JOB` is that of a job.

use super::{BudgetBranch, BudgetCause, BudgetTwig, Longest};
use stepscope_table::{Bar, Field, Rows, Unit, Value};
use stepscope_trace::{EventId, Trace};

/// The table of causes of lost time, the one with the largest expected saving first.
#[derive(Debug)]
pub enum CauseTable<const JOB: bool> {}

impl<const JOB: bool> Rows for CauseTable<JOB> {
    const ID: &'static str = if JOB { "job.causes" } else { "causes" };
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("cause", Unit::Text, |row, ()| row.kind.name().into()).data().known(),
        Field::<Self>::new("wording", Unit::Word("budget.cause"), |row, ()| Value::Word(row.wording)).known(),
        Field::<Self>::new("mean_ns", Unit::Duration, |row, ()| row.time.into()).known(),
        Field::<Self>::new("score_ns", Unit::Duration, |row, ()| row.score.into()).bar(Bar::Share("share")).known(),
        Field::<Self>::new("share", Unit::Share, |row, ()| row.share.into()).known(),
        Field::<Self>::new("saving_low_ns", Unit::Duration, |row, ()| row.saving.map(|saving| saving.low).into())
            .omitted(),
        Field::<Self>::new("saving_high_ns", Unit::Duration, |row, ()| row.saving.map(|saving| saving.high).into())
            .omitted(),
        Field::<Self>::new("confidence", Unit::Word("budget.confidence"), |row, ()| Value::Word(row.confidence.name()))
            .known(),
        Field::<Self>::new("known_share", Unit::Share, |row, ()| row.confidence.known().into()).omitted(),
    ];
    const SORT: &'static str = "score_ns";
    type Row = BudgetCause;
    type Context<'a> = ();
}

/// The longest span of a leaf of a cause. The row of a [`LongestTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongestOfLeaf {
    leaf: &'static str,
    longest: Longest,
}

impl BudgetCause {
    /// The longest span of each of its leaves, as rows.
    #[must_use]
    pub fn longest_rows(&self) -> Vec<LongestOfLeaf> {
        self.longest.iter().map(|(leaf, longest)| LongestOfLeaf { leaf: leaf.name(), longest: *longest }).collect()
    }
}

/// The table of the longest spans of causes.
#[derive(Debug)]
pub enum LongestTable {}

impl Rows for LongestTable {
    const ID: &'static str = "causes[].longest";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("leaf", Unit::Word("budget.leaf"), |row, _| Value::Word(row.leaf)).known(),
        Field::<Self>::new("rank", Unit::Id, |row, _| row.longest.rank.map_or(Value::Unknown, Value::id)).omitted(),
        Field::<Self>::new("start_ns", Unit::Moment, |row, _| row.longest.span.start.into()).known(),
        Field::<Self>::new("length_ns", Unit::Duration, |row, _| row.longest.span.len().into()).known(),
        Field::<Self>::new("event", Unit::Id, |row, _| event(row.longest.activity)).event(),
        Field::<Self>::new("name", Unit::KernelName, |row, trace| name(trace, row.longest.activity)),
        Field::<Self>::new("host", Unit::Text, |row, trace| name(trace, row.longest.host)),
    ];
    const FIRST: &'static [&'static str] = &["leaf"];
    const SORT: &'static str = "length_ns";
    const SPAN: Option<[&'static str; 2]> = Some(["start_ns", "length_ns"]);
    type Row = LongestOfLeaf;
    type Context<'a> = Trace;
}

/// The table of the budget's branches.
#[derive(Debug)]
pub enum BranchTable<const JOB: bool> {}

impl<const JOB: bool> Rows for BranchTable<JOB> {
    const ID: &'static str = if JOB { "job.budget.branches" } else { "budget.branches" };
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("branch", Unit::Word("budget.branch"), |row, ()| Value::Word(row.branch.name())).known(),
        Field::<Self>::new("class", Unit::Text, |row, ()| row.branch.class().into()).data().known(),
        Field::<Self>::new("mean_ns", Unit::Duration, |row, ()| row.portion.time.into())
            .bar(Bar::Share("share"))
            .part()
            .known(),
        Field::<Self>::new("share", Unit::Share, |row, ()| row.portion.share.into()).known(),
    ];
    const SORT: &'static str = "mean_ns";
    type Row = BudgetBranch;
    type Context<'a> = ();
}

/// The table of the leaves of a branch. Those of a job have no spans: they are means over ranks.
#[derive(Debug)]
pub enum LeafTable<const JOB: bool> {}

impl<const JOB: bool> LeafTable<JOB> {
    const LEAF: Field<Self> =
        Field::<Self>::new("leaf", Unit::Word("budget.leaf"), |row, _| Value::Word(row.name)).known();
    const MEAN: Field<Self> = Field::<Self>::new("mean_ns", Unit::Duration, |row, _| row.portion.time.into())
        .bar(Bar::Share("share"))
        .part()
        .known();
    const SHARE: Field<Self> = Field::<Self>::new("share", Unit::Share, |row, _| row.portion.share.into()).known();
}

impl<const JOB: bool> Rows for LeafTable<JOB> {
    const ID: &'static str = if JOB { "job.budget.branches[].leaves" } else { "budget.branches[].leaves" };
    const FIELDS: &'static [Field<Self>] = if JOB {
        &[Self::LEAF, Self::MEAN, Self::SHARE]
    } else {
        &[
            Self::LEAF,
            Self::MEAN,
            Self::SHARE,
            Field::<Self>::new("longest.leaf", Unit::Text, |row, _| row.longest.map(|_| row.name).into()).data(),
            Field::<Self>::new("longest.start_ns", Unit::Moment, |row, _| row.span(|one| one.span.start.into())),
            Field::<Self>::new("longest.length_ns", Unit::Duration, |row, _| row.span(|one| one.span.len().into())),
            Field::<Self>::new("longest.event", Unit::Id, |row, _| row.span(|one| event(one.activity))).event(),
            Field::<Self>::new("longest.name", Unit::KernelName, |row, trace| {
                name(trace, row.longest.and_then(|one| one.activity))
            }),
            Field::<Self>::new("longest.host", Unit::Text, |row, trace| {
                name(trace, row.longest.and_then(|one| one.host))
            }),
        ]
    };
    const SORT: &'static str = "mean_ns";
    type Row = BudgetTwig;
    type Context<'a> = Trace;
}

impl BudgetTwig {
    fn span(&self, of: impl Fn(&Longest) -> Value<'static>) -> Value<'static> {
        self.longest.as_ref().map_or(Value::Unknown, of)
    }
}

fn event(event: Option<EventId>) -> Value<'static> {
    event.map_or(Value::Unknown, |event| Value::id(event.0.into()))
}

fn name(trace: &Trace, event: Option<EventId>) -> Value<'_> {
    event.map(|event| trace.name_of(event)).into()
}
