//! The slices that match a query.

use super::pattern::Pattern;
use super::quantity::Limit;
use super::query::{Numbers, Query, Test, TrackFilter};
use crate::intervals::newly_covered;
use crate::steps::{StepAt, Steps};
use std::borrow::Cow;
use stepscope_base::Nanos;
use stepscope_trace::{Activity, Class, EventId, NO_COUNT, NO_SERIAL, NameId, RawId, Serial, Trace, Track};

/// A kernel's name as it is shown, which may be shorter than the recorded one.
pub type ShownName = fn(&str) -> Cow<'_, str>;

/// The slices that match a query, sorted by handle: none if the query is empty. A kernel matches by its recorded name or
/// by the shown one.
///
/// Each name, category and text of shapes is tested once, however many slices have it. Conditions on a track are tested
/// once per track; columns are read only for slices with a matching name.
///
/// ```
/// use stepscope::{Loader, analyze};
/// use stepscope::analyze::{Query, StepsConfig, find, steps};
///
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"kernel","name":"gemm_tn","pid":0,"tid":7,"ts":0,"dur":4,"args":{"device":0,"stream":7}},
///   {"ph":"X","cat":"kernel","name":"GEMM_nt","pid":0,"tid":7,"ts":5,"dur":9,"args":{"device":0,"stream":7}}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let steps = steps(&trace, &StepsConfig::default());
/// let found = |text: &str| find(&trace, &steps, &Query::parse(text).expect("a query"), |name| name.into()).len();
/// assert_eq!((found("gemm"), found("gemm nt stream:7"), found("gemm dur<5us"), found("-nt")), (2, 1, 1, 1));
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn find(trace: &Trace, steps: &Steps, query: &Query, shown: ShownName) -> Vec<EventId> {
    let mut hits = Vec::new();
    if query.is_empty() {
        return hits;
    }
    let (mut names, mut others) = (Texts::new(trace), Vec::new());
    let mut of_devices = Texts { shown: Some(shown), ..Texts::new(trace) };
    for term in &query.terms {
        match &term.test {
            Test::Name(pattern) => {
                names.tests.push((pattern, term.negated));
                of_devices.tests.push((pattern, term.negated));
            }
            test => others.push((Asked::new(trace, steps, test), term.negated)),
        }
    }
    let (mut of_tracks, mut of_slices): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|(asked, _)| matches!(asked, Asked::Track(_)));
    for track in &trace.tracks {
        if !of_tracks.iter_mut().all(|(asked, negated)| asked.holds_of(trace, track) != *negated) {
            continue;
        }
        for (asked, _) in &mut of_slices {
            asked.begin(trace, track);
        }
        let names = if track.stream.is_some() { &mut of_devices } else { &mut names };
        let named = track.events().filter(|id| names.hold(trace.slices.name(*id)));
        hits.extend(
            named.filter(|id| of_slices.iter_mut().all(|(asked, negated)| asked.holds(trace, *id) != *negated)),
        );
    }
    hits
}

/// Tests of texts, with the results so far.
pub(super) struct Texts<'a> {
    trace: &'a Trace,
    /// The patterns, and whether each is negated.
    pub(super) tests: Vec<(&'a Pattern, bool)>,
    /// By [`NameId::index`]: whether all tests pass.
    known: Vec<Option<bool>>,
    /// A text that is shown for another one: tests are true of it, too.
    shown: Option<ShownName>,
}

impl<'a> Texts<'a> {
    pub(super) fn new(trace: &'a Trace) -> Self {
        Self { trace, tests: Vec::new(), known: vec![None; trace.strings.len()], shown: None }
    }

    fn of(trace: &'a Trace, pattern: &'a Pattern) -> Self {
        Self { tests: vec![(pattern, false)], ..Self::new(trace) }
    }

    #[inline]
    pub(super) fn hold(&mut self, name: NameId) -> bool {
        match self.known.get(name.index()) {
            Some(Some(known)) => *known,
            _ => self.look(name),
        }
    }

    #[cold]
    fn look(&mut self, name: NameId) -> bool {
        let text = self.trace.strings.get(name);
        let holds =
            |pattern: &Pattern| pattern.holds(text) || self.shown.is_some_and(|shown| pattern.holds(&shown(text)));
        let hold = self.tests.iter().all(|(pattern, negated)| holds(pattern) != *negated);
        if let Some(known) = self.known.get_mut(name.index()) {
            *known = Some(hold);
        }
        hold
    }
}

/// A test, prepared for a trace.
pub(super) enum Asked<'a> {
    Track(&'a Test),
    Classes(&'a [Class]),
    Categories(Vec<bool>),
    Step {
        wanted: Vec<bool>,
        step_of: StepOf<'a>,
    },
    Shapes(Texts<'a>),
    Types(Texts<'a>),
    Group(Texts<'a>),
    Correlation(u64),
    External(u64),
    Sequence(u64),
    Config {
        numbers: Numbers,
        of_block: bool,
    },
    Length(Limit),
    /// For a track's slices from `first` on: each one's length without its children, and the time until which these
    /// cover it.
    OwnLength {
        limit: Limit,
        first: usize,
        own: Vec<(Nanos, Nanos)>,
    },
    Start(Limit),
    Bytes(Limit),
}

impl<'a> Asked<'a> {
    pub(super) fn new(trace: &'a Trace, steps: &'a Steps, test: &'a Test) -> Self {
        match test {
            Test::Name(_) | Test::Device(_) | Test::Stream(_) | Test::Thread(_) | Test::Process(_) => Self::Track(test),
            Test::Classes { slices, .. } => Self::Classes(slices),
            Test::Category(pattern) => {
                Self::Categories(trace.categories.iter().map(|name| pattern.holds(trace.strings.get(*name))).collect())
            }
            Test::Step(name) => Self::Step {
                wanted: steps.steps.iter().map(|step| step.name == *name).collect(),
                step_of: StepOf::new(trace, steps),
            },
            Test::Shapes(pattern) => Self::Shapes(Texts::of(trace, pattern)),
            Test::Types(pattern) => Self::Types(Texts::of(trace, pattern)),
            Test::Group(pattern) => Self::Group(Texts::of(trace, pattern)),
            Test::Correlation(number) => Self::Correlation(*number),
            Test::External(number) => Self::External(*number),
            Test::Sequence(number) => Self::Sequence(*number),
            Test::Grid(numbers) => Self::Config { numbers: *numbers, of_block: false },
            Test::Block(numbers) => Self::Config { numbers: *numbers, of_block: true },
            Test::Length(limit) => Self::Length(*limit),
            Test::OwnLength(limit) => Self::OwnLength { limit: *limit, first: 0, own: Vec::new() },
            Test::Start(limit) => Self::Start(*limit),
            Test::Bytes(limit) => Self::Bytes(*limit),
        }
    }

    /// Whether it is true for all slices of a track.
    pub(super) fn holds_of(&self, trace: &Trace, track: &Track) -> bool {
        let Self::Track(test) = self else { return true };
        match test {
            Test::Device(number) => track.stream.is_some_and(|stream| stream.device == *number),
            Test::Stream(number) => track.stream.is_some_and(|stream| stream.stream == *number),
            Test::Thread(place) => is_at(trace, place, track.thread, track.name),
            Test::Process(place) => {
                let process = &trace.processes[track.process.index()];
                is_at(trace, place, process.id, process.name)
            }
            _ => true,
        }
    }

    /// Prepares for the slices of a track.
    fn begin(&mut self, trace: &Trace, track: &Track) {
        let Self::OwnLength { first, own, .. } = self else { return };
        *first = track.rows().start;
        own.clear();
        own.extend(track.events().map(|id| (trace.slices.length(id), trace.slices.start(id))));
        for id in track.events() {
            if let Some(parent) = trace.slices.parent(id) {
                let (left, until) = &mut own[parent.index() - *first];
                *left -= newly_covered(until, trace.slices.interval(id));
            }
        }
    }

    /// Whether it is true for a slice of the track that was prepared.
    fn holds(&mut self, trace: &Trace, id: EventId) -> bool {
        let activity = || trace.activity(id);
        match self {
            Self::Track(_) => true,
            Self::Classes(classes) => classes.contains(&trace.slices.class(id)),
            Self::Categories(wanted) => trace.category_number(id).is_some_and(|number| wanted[number]),
            Self::Step { wanted, step_of } => step_of.index(id).is_some_and(|step| wanted[step]),
            Self::Shapes(texts) => trace.operation(id).is_some_and(|found| texts.hold(found.shapes)),
            Self::Types(texts) => {
                trace.operation(id).is_some_and(|found| texts.hold(found.types))
                    || trace.collective(id).is_some_and(|found| texts.hold(found.dtype))
            }
            Self::Group(texts) => {
                trace.collective(id).is_some_and(|found| texts.hold(found.group) || texts.hold(found.group_description))
            }
            Self::Correlation(number) => {
                let of_call = trace.call(id).map(|call| call.correlation);
                is_serial(of_call.or_else(|| Some(activity()?.correlation)), *number)
            }
            Self::External(number) => {
                let of_host = trace.operation(id).map(|found| found.external);
                let of_call = trace.call(id).map(|call| call.external);
                is_serial(of_host.or(of_call).or_else(|| Some(activity()?.external)), *number)
            }
            Self::Sequence(number) => {
                is_serial(trace.operation(id).map(|found| found.sequence), *number)
                    || trace.collective(id).is_some_and(|found| found.sequence == *number && *number != NO_COUNT)
            }
            Self::Config { numbers, of_block } => {
                activity().and_then(|found| trace.config(found)).is_some_and(|config| {
                    let has = if *of_block { config.block } else { config.grid };
                    numbers.iter().zip(has).all(|(wanted, number)| wanted.is_none_or(|wanted| wanted == number))
                })
            }
            Self::Length(limit) => limit.holds(trace.slices.length(id).0),
            Self::OwnLength { limit, first, own } => limit.holds(own[id.index() - *first].0.0),
            Self::Start(limit) => limit.holds(trace.slices.start(id).0),
            Self::Bytes(limit) => {
                let bytes = activity().and_then(Activity::known_bytes);
                bytes.is_some_and(|bytes| limit.holds(i64::try_from(bytes).unwrap_or(i64::MAX)))
            }
        }
    }
}

fn is_serial(found: Option<Serial>, wanted: u64) -> bool {
    found.is_some_and(|found| found != NO_SERIAL && u64::from(found) == wanted)
}

fn is_at(trace: &Trace, place: &TrackFilter, id: RawId, name: NameId) -> bool {
    match (place, id) {
        (TrackFilter::Number(wanted), RawId::Number(number)) => *wanted == number,
        (TrackFilter::Number(_), RawId::Text(_)) => false,
        (TrackFilter::Named(pattern), RawId::Number(_)) => pattern.holds(trace.strings.get(name)),
        (TrackFilter::Named(pattern), RawId::Text(text)) => {
            pattern.holds(trace.strings.get(name)) || pattern.holds(trace.strings.get(text))
        }
    }
}

/// Finds the steps of slices.
#[derive(Debug)]
pub struct StepOf<'a> {
    trace: &'a Trace,
    steps: &'a Steps,
    at: StepAt,
}

impl<'a> StepOf<'a> {
    /// Prepares for the slices of a trace.
    #[must_use]
    pub fn new(trace: &'a Trace, steps: &'a Steps) -> Self {
        Self { trace, steps, at: StepAt::of(steps) }
    }

    /// Index of a slice's step: for an activity the one that launched it, else the one in which it begins.
    #[must_use]
    pub fn index(&self, id: EventId) -> Option<usize> {
        match self.trace.activity_number(id) {
            Some(number) => self.steps.step_of_activity.get(number).copied().flatten().map(|step| step as usize),
            None => self.at(self.trace.slices.start(id)),
        }
    }

    /// Index of the step at a time.
    #[must_use]
    pub fn at(&self, at: Nanos) -> Option<usize> {
        self.at.at(at)
    }
}
