//! The instant events that match a query, and the terms that match nothing.

use std::ops::Range;

use super::query::{Query, Test};
use super::rows::{Asked, ShownName, Texts, find};
use crate::steps::{StepAt, Steps};
use stepscope_trace::Trace;

/// The instant events that match a query, by their indices in [`Trace::instants`]: none if the query is empty.
///
/// They have a name, a place and a time: they match no term that asks for anything else.
///
/// ```
/// use stepscope::{Loader, analyze};
/// use stepscope::analyze::{Query, StepsConfig, find_instants, steps};
///
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":0,"dur":4},
///   {"ph":"i","name":"Record Window End","pid":1,"tid":1,"ts":9,"s":"g"}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let steps = steps(&trace, &StepsConfig::default());
/// let found = |text: &str| find_instants(&trace, &steps, &Query::parse(text).expect("a query")).len();
/// assert_eq!((found("window"), found("class:instant"), found("window class:kernel"), found("at<5us")), (1, 1, 0, 0));
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn find_instants(trace: &Trace, steps: &Steps, query: &Query) -> Vec<usize> {
    if query.is_empty() {
        return Vec::new();
    }
    let (mut names, mut others) = (Texts::new(trace), Vec::new());
    for term in &query.terms {
        match &term.test {
            Test::Name(pattern) => names.tests.push((pattern, term.negated)),
            test => others.push((Asked::new(trace, steps, test), test, term.negated)),
        }
    }
    let (of_tracks, of_instants): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|(asked, ..)| matches!(asked, Asked::Track(_)));
    let is_track = |(asked, _, negated): &(Asked<'_>, _, bool), track| asked.holds_of(trace, track) != *negated;
    let tracks: Vec<bool> =
        trace.tracks.iter().map(|track| of_tracks.iter().all(|asked| is_track(asked, track))).collect();
    let step_at = StepAt::of(steps);
    let mut found = Vec::new();
    for (index, mark) in trace.instants.iter().enumerate() {
        let is_so = |test: &Test| match test {
            Test::Classes { instants, .. } => *instants,
            Test::Start(limit) => limit.holds(mark.at.0),
            Test::Step(name) => step_at.at(mark.at).is_some_and(|step| steps.steps[step].name == *name),
            _ => false,
        };
        let is_there = tracks.get(mark.track.index()).copied().unwrap_or_default();
        if is_there && names.hold(mark.name) && of_instants.iter().all(|(_, test, negated)| is_so(test) != *negated) {
            found.push(index);
        }
    }
    found
}

/// The parts of a query's text that alone match nothing: because of them, a query of several terms finds nothing.
#[must_use]
pub fn unmatched(trace: &Trace, steps: &Steps, query: &Query, shown: ShownName) -> Vec<Range<usize>> {
    let terms = query.terms.iter().filter(|term| {
        let alone = Query { terms: vec![(*term).clone()] };
        find(trace, steps, &alone, shown).is_empty() && find_instants(trace, steps, &alone).is_empty()
    });
    terms.map(|term| term.at.clone()).collect()
}
