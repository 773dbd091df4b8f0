//! Steps of `MindSpore`'s operators, where neither a mark nor a table has them: its graphs run the same operators in each
//! iteration.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::get_next::is_get_next;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use stepscope_base::{CompactSort, Interval, Nanos, sort_times};
use stepscope_trace::{Activity, Class, NameId, Trace};

/// An operator's run.
#[derive(Clone, Copy)]
struct Run {
    span: Interval,
    name: NameId,
    /// The time before it in which no operator runs.
    pause: Nanos,
}

/// Whole iterations, and the start of the one that the recording cuts.
#[derive(Default)]
struct Iterations {
    spans: Vec<Interval>,
    cut: Option<Nanos>,
}

/// Steps of the operators of the host, else of the only device: each from `GetNext`, else from the operator before which
/// the longest pauses are, to the end of the last operator before the next one. None where operators do not repeat, or
/// where layers look the same as iterations. Parts of iterations at both ends of the recording are no steps.
pub(super) fn steps(trace: &Trace) -> Vec<(String, Interval)> {
    let [host, device] = sequences(trace);
    let mut found = iterations(trace, &host);
    // Kernels run later than the operators that launch them.
    if found.spans.is_empty() {
        found = iterations(trace, &device);
    } else {
        extend(&mut found, &device);
    }
    (1..).zip(found.spans).map(|(number, span): (u64, _)| (number.to_string(), span)).collect()
}

/// The operators of the host and those of the only device, each in the order of time.
fn sequences(trace: &Trace) -> [Vec<Run>; 2] {
    let is_outer = |id: &_| !trace.slices.ancestors(*id).any(|around| trace.slices.class(around) == Class::Operator);
    let host = trace.slices_of(Class::Operator).filter(is_outer).collect();
    let kernels = trace.activities.iter().filter(|activity| trace.slices.class(activity.event) == Class::Kernel);
    let device_of = |activity: &Activity| trace.stream_of(activity.event).map(|stream| stream.device);
    let is_alone = trace.activities.windows(2).all(|pair| device_of(&pair[0]) == device_of(&pair[1]));
    let device = if is_alone { kernels.map(|activity| activity.event).collect() } else { Vec::new() };
    [host, device].map(|ids: Vec<_>| {
        let run = |id| Run { span: trace.slices.interval(id), name: trace.slices.name(id), pause: Nanos::ZERO };
        let mut runs: Vec<Run> = ids.into_iter().map(run).collect();
        runs.compact_sort_by_key(|run| (run.span.start, run.span.end, run.name));
        let mut until = Nanos::MIN;
        for run in &mut runs {
            if until > Nanos::MIN {
                run.pause = (run.span.start - until).max(Nanos::ZERO);
            }
            until = until.max(run.span.end);
        }
        runs
    })
}

/// Extends each step to the end of the last kernel that begins before the next one.
fn extend(found: &mut Iterations, kernels: &[Run]) {
    let after_last = found.cut.unwrap_or(Nanos::MAX);
    let starts: Vec<Nanos> = found.spans.iter().skip(1).map(|step| step.start).chain([after_last]).collect();
    for (step, next) in found.spans.iter_mut().zip(starts) {
        let first = kernels.partition_point(|run| run.span.start < step.start);
        let end = kernels.partition_point(|run| run.span.start < next);
        let last = kernels[first..end].iter().map(|run| run.span.end).fold(step.end, Nanos::max);
        *step = Interval::new(step.start, last.min(next));
    }
}

/// Least number of operators that run in each step.
const LEAST_OPERATORS: usize = 3;

/// Least number of steps without `GetNext`, which marks an iteration itself.
const LEAST_STEPS: usize = 3;

/// Number of counts of runs that are tried as that of steps: that of layers is the next one or the one after it.
const COUNTS: usize = 8;

/// Number of operators that are tried as the first one of a step.
const TRIED: usize = 16;

/// The iterations in a sequence of operators; none where it does not repeat.
fn iterations(trace: &Trace, runs: &[Run]) -> Iterations {
    let mut places: BTreeMap<NameId, Vec<usize>> = BTreeMap::new();
    for (place, run) in runs.iter().enumerate() {
        places.entry(run.name).or_default().push(place);
    }
    // An iteration begins with GetNext, unless that runs ahead of it, beside operators of the one before.
    let takes_data = |(name, of): &(&NameId, &Vec<usize>)| {
        of.len() > 1
            && is_get_next(trace.strings.get(**name))
            && of.iter().filter(|place| is_alone(runs, **place)).count() * 2 > of.len()
    };
    if let Some((_, firsts)) = places.iter().filter(takes_data).max_by_key(|(_, of)| (of.len(), Reverse(of[0]))) {
        return Parts::of(runs, firsts).map(|parts| parts.iterations(runs)).unwrap_or_default();
    }
    by_pauses(trace, runs, &places)
}

/// The iterations without `GetNext`: those that the operators with the fewest runs divide, from the one before which the
/// longest pauses are. Operators with more runs are then those of several layers.
fn by_pauses(trace: &Trace, runs: &[Run], places: &BTreeMap<NameId, Vec<usize>>) -> Iterations {
    let mut names_of: BTreeMap<usize, usize> = BTreeMap::new();
    places.values().filter(|of| of.len() > 1).for_each(|of| *names_of.entry(of.len()).or_default() += 1);
    let repeated: usize = names_of.iter().map(|(count, names)| count * names).sum();
    let (mut rarer, mut counts) = (0, 0);
    for (&count, &names) in &names_of {
        // A recording that begins or ends within an iteration has some of its operators once more.
        let once = names + names_of.get(&(count + 1)).copied().unwrap_or_default();
        if rarer * 10 <= repeated && once >= LEAST_OPERATORS && count + 1 >= LEAST_STEPS {
            let mut firsts: Vec<&Vec<usize>> = places.values().filter(|of| of.len().wrapping_sub(count) < 2).collect();
            let pauses = |of: &[usize]| of.iter().map(|place| runs[*place].pause).sum::<Nanos>();
            firsts.compact_sort_by_key(|of| (Reverse(pauses(of)), of[0]));
            let tried = firsts.into_iter().filter(|of| of.len() >= LEAST_STEPS).take(TRIED);
            let mut all = tried.filter_map(|of| Parts::of(runs, of)).filter(Parts::are_all);
            if let Some(longest) = all.next() {
                if pauses_divide(runs, longest.firsts) {
                    return longest.iterations(runs);
                }
                // Where pauses are anywhere, a recording of whole iterations is likelier than one cut at both ends.
                let uncut = if longest.are_uncut(runs) { None } else { all.find(|parts| parts.are_uncut(runs)) };
                let found = uncut.unwrap_or(longest);
                let are_iterations = found.are_nodes(trace) && !found.are_around;
                return if are_iterations { found.iterations(runs) } else { Iterations::default() };
            }
            counts += 1;
            if counts == COUNTS {
                break;
            }
        }
        rarer += count * names;
    }
    Iterations::default()
}

/// Whether the operator comes after a pause in each step, longer than those between operators: without that, layers that
/// run one after the other look the same as iterations.
fn pauses_divide(runs: &[Run], firsts: &[usize]) -> bool {
    let median = |mut pauses: Vec<Nanos>| {
        sort_times(&mut pauses);
        pauses[pauses.len() / 2]
    };
    // The training may have started before the first one.
    let before: Vec<Nanos> = firsts.iter().skip(1).map(|place| runs[*place].pause).collect();
    let mean = crate::mean(before.iter().copied().sum(), before.len() as u64);
    let [usual, any] = [before, runs.iter().map(|run| run.pause).collect()].map(median);
    usual.0 * 2 >= mean.0 && usual.0 > any.0 * 2
}

/// Whether no other operator runs while one does.
fn is_alone(runs: &[Run], place: usize) -> bool {
    let span = runs[place].span;
    let before = runs[..place].iter().rev().take(TRIED).all(|other| other.span.end <= span.start);
    before && runs.get(place + 1).is_none_or(|next| next.span.start >= span.end)
}

/// The runs of an operator: all, those in parts that have an end, the first part, and whether others have it too.
#[derive(Clone, Copy, Default)]
struct Seen {
    runs: usize,
    in_parts: usize,
    first: usize,
    several: bool,
}

/// Numbers of runs by operator.
type Counts = HashMap<NameId, usize, FxBuildHasher>;

/// A sequence of operators, divided before each run of one of them.
struct Parts<'a> {
    firsts: &'a [usize],
    /// How often each operator runs in a part.
    usual: Counts,
    /// The end of the last part, if that is whole.
    end: Option<usize>,
    /// Whether an operator that runs in no usual part does in several.
    are_mixed: bool,
    /// Whether what runs before the first part may be the end of a part.
    begins_with_part: bool,
    /// Runs of operators that run once in all.
    single: usize,
    /// Whether such operators run both before the parts and after them, as those of a graph around a loop.
    are_around: bool,
}

impl<'a> Parts<'a> {
    /// The parts from each place to the next one; none unless all of them have the same operators, but for a tenth, which
    /// are most of those that repeat. The last part may be cut.
    fn of(runs: &[Run], firsts: &'a [usize]) -> Option<Self> {
        let (begin, last) = (*firsts.first()?, *firsts.last()?);
        let parts = firsts.len() - 1;
        // In how many divisions each operator runs: before the first part, in one, or in the last one.
        let mut seen: HashMap<NameId, Seen, FxBuildHasher> = HashMap::default();
        let mut part = 0;
        for (place, run) in runs.iter().enumerate() {
            part += usize::from(firsts.get(part) == Some(&place));
            let of = seen.entry(run.name).or_insert(Seen { first: part, ..Seen::default() });
            of.runs += 1;
            of.in_parts += usize::from((begin..last).contains(&place));
            of.several |= of.first != part;
        }
        // Operators that start the training run once.
        let often = |of: &Seen| if of.runs > 1 { (of.in_parts * 2 + parts) / (parts * 2).max(1) } else { 0 };
        let usual: Counts = seen.iter().map(|(name, of)| (*name, often(of))).filter(|(_, count)| *count > 0).collect();
        let size: usize = usual.values().sum();
        let is_whole = |part: &[Run]| compared(&usual, part).iter().sum::<usize>() * 10 <= size;
        let are_same = firsts.windows(2).all(|pair| is_whole(&runs[pair[0]..pair[1]]));
        let [missing, more] = compared(&usual, &runs[last..]);
        let repeated: usize = seen.values().map(|of| of.runs).filter(|runs| *runs > 1).sum();
        let of_parts: usize = usual.keys().filter_map(|name| seen.get(name)).map(|of| of.runs).sum();
        if parts == 0 || usual.len() < LEAST_OPERATORS || !are_same || more * 10 > size || of_parts * 2 < repeated {
            return None;
        }
        // Operators that end the training are not of the last iteration.
        let end = runs.iter().rposition(|run| usual.contains_key(&run.name)).map_or(last, |place| place + 1);
        let others = || seen.iter().filter(|(name, _)| !usual.contains_key(*name)).map(|(_, of)| of);
        Some(Self {
            firsts,
            end: Some(end).filter(|_| missing * 10 <= size),
            are_mixed: others().any(|of| of.several),
            begins_with_part: compared(&usual, &runs[..begin])[1] * 10 <= size,
            single: others().filter(|of| of.runs == 1).count(),
            are_around: [0, parts + 1].iter().all(|at| others().any(|of| of.runs == 1 && of.first == *at)),
            usual,
        })
    }

    /// Whether the parts are all that the sequence has, but for few operators that start or end the training.
    fn are_all(&self) -> bool {
        let size: usize = self.usual.values().sum();
        !self.are_mixed && self.begins_with_part && self.single * 3 <= size
    }

    /// Whether no part of an iteration is before the first one, and the last one is whole.
    fn are_uncut(&self, runs: &[Run]) -> bool {
        let before = self.firsts.first().map_or(&[][..], |first| &runs[..*first]);
        self.end.is_some() && !before.iter().any(|run| self.usual.contains_key(&run.name))
    }

    /// Whether most operators have the number of a node of a graph, which runs once in each run of the graph.
    fn are_nodes(&self, trace: &Trace) -> bool {
        let is_node = |name: &&NameId| {
            let number = trace.strings.get(**name).rsplit_once("-op").map(|(_, number)| number);
            number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
        };
        self.usual.keys().filter(is_node).count() * 2 > self.usual.len()
    }

    fn iterations(&self, runs: &[Run]) -> Iterations {
        let ends = self.firsts.iter().skip(1).copied().chain(self.end);
        let spans = self.firsts.iter().zip(ends).map(|(first, end)| {
            let start = runs[*first].span.start;
            let last = runs[*first..end].iter().map(|run| run.span.end).fold(start, Nanos::max);
            // An operator that runs into the next step ends this one there.
            let next = runs.get(end).filter(|_| self.firsts.binary_search(&end).is_ok());
            Interval::new(start, next.map_or(last, |next| last.min(next.span.start)))
        });
        let cut = self.firsts.last().filter(|_| self.end.is_none()).map(|first| runs[*first].span.start);
        Iterations { spans: spans.collect(), cut }
    }
}

/// The usual runs that a part lacks, and those that it has more often than usual.
fn compared(usual: &Counts, part: &[Run]) -> [usize; 2] {
    let mut counts = Counts::default();
    part.iter().for_each(|run| *counts.entry(run.name).or_default() += 1);
    let missing = usual.iter().map(|(name, of)| of.saturating_sub(counts.get(name).copied().unwrap_or_default())).sum();
    let more = usual.iter().map(|(name, of)| counts.get(name).map_or(0, |count| count.saturating_sub(*of))).sum();
    [missing, more]
}

#[cfg(test)]
mod tests {
    use crate::{StepSource, StepTraceConfig, StepsConfig, phases, step_trace_of, steps};
    use stepscope_input::Loader;
    use stepscope_trace::Trace;

    /// A row of the display of a device's timeline: its name, its start and length in µs, and its stream.
    type Row = (String, i64, i64, &'static str);

    fn load(name: &str, rows: &[Row]) -> Trace {
        let event = |(name, start, length, thread): &Row| {
            format!(r#"{{"name":"{name}","ph":"X","tid":"{thread}","ts":{start},"dur":{length},"pid":0}}"#)
        };
        let text = format!("[{}]", rows.iter().map(event).collect::<Vec<_>>().join(","));
        let mut loader = Loader::new(name);
        loader.space(text.len()).copy_from_slice(text.as_bytes());
        loader.advance(text.len()).expect("a trace");
        loader.finish().expect("a trace").trace
    }

    /// Iterations of 100 µs: `GetNext` 0–10, `Conv2D` 12–30, `ConvGrad` 30–60, an all-reduce 62–90, Momentum 92–99.
    fn iterations(number: i64, with_data: bool) -> Vec<Row> {
        let operators =
            [("GetNext", 0, 10), ("Conv2D", 12, 30), ("ConvGrad", 30, 60), ("AllReduce", 62, 90), ("Momentum", 92, 99)];
        let of = |step: i64| {
            let named = operators.iter().filter(move |(name, ..)| with_data || *name != "GetNext");
            named.map(move |(name, from, to)| {
                (format!("Default/{name}-op1"), 1000 + 100 * step + from, to - from, "GpuOps")
            })
        };
        std::iter::once(("Default/InitDataSetQueue-op0".to_owned(), 900, 5, "GpuOps"))
            .chain((0..number).flat_map(of))
            .collect()
    }

    fn found(trace: &Trace) -> (StepSource, Vec<(String, i64, i64)>) {
        let found = steps(trace, &StepsConfig::default());
        let of = |step: &crate::Step| (step.name.clone(), step.host.start.0 / 1000, step.host.len().0 / 1000);
        (found.source, found.steps.iter().map(of).collect())
    }

    fn starts(trace: &Trace) -> (StepSource, Vec<i64>) {
        let (source, steps) = found(trace);
        let first = steps.first().map_or(0, |step| step.1);
        (source, steps.iter().map(|step| step.1 - first).collect())
    }

    const DISPLAY: &str = "profiler/gpu_timeline_display_0.json";

    #[test]
    fn steps_begin_with_get_next() {
        let trace = load(DISPLAY, &iterations(4, true));
        assert_eq!(starts(&trace), (StepSource::RepeatingOperators, vec![0, 100, 200, 300]));
        assert!(found(&trace).1.iter().all(|(_, _, length)| *length == 99));
        let steps = steps(&trace, &StepsConfig::default());
        let times = step_trace_of(&trace, &steps, &phases(&trace, &steps), &StepTraceConfig::default());
        let times = times.expect("a step trace");
        assert_eq!([times.forward_start.as_str(), &times.backward_end], ["Default/Conv2D-op1", "Default/ConvGrad-op1"]);
        let second = &times.steps[1];
        let micros = [second.total, second.iteration_interval, second.forward_and_backward, second.tail];
        assert_eq!(micros.map(|time| time.0 / 1000), [100, 13, 48, 39], "from the end of a step to that of the next");
    }

    #[test]
    fn without_get_next_they_begin_after_the_longest_pauses() {
        assert_eq!(
            starts(&load(DISPLAY, &iterations(4, false))),
            (StepSource::RepeatingOperators, vec![0, 100, 200, 300])
        );
        assert_eq!(found(&load(DISPLAY, &iterations(2, false))).0, StepSource::WholeTrace, "two may be chance");
    }

    #[test]
    fn kernels_that_run_later_belong_to_the_step_of_their_operator() {
        let kernel = |step: i64| ("void gemm<float>(int)".to_owned(), 1050 + 100 * step, 49, "17");
        let mut rows = iterations(4, true);
        rows.retain(|(name, ..)| name != "Default/Momentum-op1");
        rows.extend((0..4).map(kernel));
        let trace = load(DISPLAY, &rows);
        assert!(found(&trace).1.iter().all(|(_, _, length)| *length == 99));
    }

    /// Operators of 10 µs one after the other, and a pause of 200 µs after each list.
    fn one_by_one(lists: &[Vec<&str>]) -> Vec<Row> {
        let mut at = 1000;
        let mut rows = Vec::new();
        for names in lists {
            for name in names {
                rows.push(((*name).to_owned(), at, 10, "GpuOps"));
                at += 11;
            }
            at += 200;
        }
        rows
    }

    const LAYER: [&str; 8] = ["LayerNorm", "MatMul", "BatchMatMul", "Softmax", "Dropout", "Add", "GeLU", "BiasAdd"];

    /// An iteration of twelve layers, which have the same operators.
    fn layers(before: &[&'static str], after: &[&'static str]) -> Vec<&'static str> {
        [before, &LAYER.repeat(12), after].concat()
    }

    fn lengths(rows: &[Row]) -> Vec<i64> {
        let (source, steps) = found(&load(DISPLAY, rows));
        assert_eq!(source == StepSource::RepeatingOperators, steps.len() > 1, "{source:?}");
        if source == StepSource::RepeatingOperators { steps.iter().map(|step| step.2).collect() } else { Vec::new() }
    }

    #[test]
    fn layers_with_the_same_operators_are_no_steps() {
        let iteration = layers(&["Gather", "Cast"], &["SoftmaxCE", "Momentum"]);
        assert_eq!(lengths(&one_by_one(&vec![iteration; 6])), [1099; 6]);
        // An operator or two in each iteration are too few to divide by, and nothing else says what a layer is.
        let none: Vec<i64> = Vec::new();
        assert_eq!(lengths(&one_by_one(&vec![layers(&["Gather"], &[]); 6])), none);
        assert_eq!(lengths(&one_by_one(&vec![layers(&[], &[]); 6])), none);
    }

    #[test]
    fn get_next_begins_a_step_however_often_others_run() {
        assert_eq!(lengths(&one_by_one(&vec![layers(&["GetNext"], &[]); 6])), [1066; 6]);
        // Each of these begins the queue, not an iteration.
        let none: Vec<i64> = Vec::new();
        assert_eq!(lengths(&one_by_one(&vec![layers(&["InitDataSetQueue"], &[]); 6])), none);
    }

    #[test]
    fn parts_of_iterations_at_both_ends_are_no_steps() {
        for first in ["Default/GetNext-op0", "Default/Cast-op0"] {
            let whole =
                vec![first, "Default/A-op1", "Default/B-op2", "Default/C-op3", "Default/D-op4", "Default/E-op5"];
            let mut lists = vec![whole.clone(); 21];
            lists[20].truncate(3);
            assert_eq!(lengths(&one_by_one(&lists)), [65; 20], "{first}: the last one is cut");
            lists[0].drain(..4);
            assert_eq!(lengths(&one_by_one(&lists)), [65; 19], "{first}: the first one, too");
            lists[20] = whole;
            assert_eq!(lengths(&one_by_one(&lists)), [65; 20], "{first}: only the first one");
        }
    }

    #[test]
    fn kernels_of_a_cut_iteration_extend_no_step() {
        let mut rows = iterations(5, true);
        rows.truncate(1 + 4 * 5 + 2);
        rows.push(("void gemm<float>(int)".to_owned(), 1050 + 400, 30, "17"));
        let trace = load(DISPLAY, &rows);
        assert_eq!(found(&trace).1.iter().map(|step| step.2).collect::<Vec<_>>(), [99; 4]);
    }

    #[test]
    fn a_layer_that_runs_several_times_in_one_iteration_is_no_step() {
        let mut rows = iterations(4, false);
        rows.extend((0..40).map(|other| (format!("Default/Other-op{other}"), 2000 + other, 1, "GpuOps")));
        assert_eq!(found(&load(DISPLAY, &rows)).0, StepSource::WholeTrace, "what runs once is most of an iteration");
        let others = |name: &str, at: i64| {
            let of = |other: i64| (format!("Default/{name}-op{other}"), at + 6 * other, 5, "GpuOps");
            (0..20).map(of).collect::<Vec<Row>>()
        };
        let layers = (0..20).map(|at| (format!("Default/layer/{}", ["A", "B", "C", "D", "E"][at % 5]), at));
        let layers = layers.map(|(name, at)| (name, 1000 + 6 * i64::try_from(at).expect("small"), 5, "GpuOps"));
        let one: Vec<Row> = others("pre", 800).into_iter().chain(layers).chain(others("post", 1200)).collect();
        assert_eq!(found(&load(DISPLAY, &one)).0, StepSource::WholeTrace);
    }

    /// A graph's loop (such as `while`) runs nodes several times in one iteration, between others that run once.
    #[test]
    fn a_loop_in_a_recorded_graph_is_no_iterations() {
        let once = ["Gather-op0", "Cast-op9"];
        let names = ["A-op1", "B-op2", "C-op3", "D-op4", "E-op5", "F-op6"];
        let body = names.repeat(6);
        let of = |before: &[&'static str], after: &[&'static str]| {
            let (source, steps) = found(&load(DISPLAY, &one_by_one(&[[before, &body[..], after].concat()])));
            (source, if source == StepSource::RepeatingOperators { steps.len() } else { 0 })
        };
        assert_eq!(of(&once[..1], &once[1..]), (StepSource::WholeTrace, 0));
        // A training has a start or an end, too.
        for (before, after) in [(&once[..], &[][..]), (&[], &once[..])] {
            assert_eq!(of(before, after), (StepSource::RepeatingOperators, 6));
        }
    }

    #[test]
    fn what_runs_once_starts_or_ends_the_training() {
        let (before, after) = (vec!["Default/Init-op0"], vec!["Default/Save-op9"]);
        let iteration = vec!["Default/A-op1", "Default/B-op2", "Default/C-op3", "Default/D-op4"];
        let iteration = [iteration, vec!["Default/E-op5", "Default/F-op6", "Default/G-op7", "Default/H-op8"]].concat();
        let lists = [vec![before], vec![iteration; 4], vec![after]].concat();
        assert_eq!(lengths(&one_by_one(&lists)), [87; 4]);
    }

    #[test]
    fn operators_that_do_not_repeat_are_no_steps() {
        let none: Vec<i64> = Vec::new();
        let abcd = ["Default/A-op1", "Default/B-op2", "Default/C-op3", "Default/D-op4"];
        assert_eq!(lengths(&one_by_one(&vec![abcd.to_vec(); 4])), [43; 4], "these do");
        assert_eq!(lengths(&one_by_one(&vec![abcd[..2].to_vec(); 4])), none, "too few operators");
        let rare =
            |at: usize| if at.is_multiple_of(2) { [&abcd[..], &["Default/Rare-op5"]].concat() } else { abcd.to_vec() };
        assert_eq!(lengths(&one_by_one(&(0..12).map(rare).collect::<Vec<_>>())), none, "one runs in each second part");
        let other = |at: usize| abcd.iter().map(|name| if at == 2 { &abcd[0] } else { name }).copied().collect();
        assert_eq!(lengths(&one_by_one(&(0..5).map(other).collect::<Vec<_>>())), none, "one part is of others");
        assert_eq!(lengths(&one_by_one(&[["A", "B", "C"].repeat(5)])), none, "neither a number nor a pause divides");
        // GetNext needs no pause, and two of them do; but they must have the same operators between them.
        let with_data = [&["Default/GetNext-op0"], &abcd[..]].concat();
        assert_eq!(lengths(&one_by_one(&[with_data.repeat(2)])), [54; 2]);
        let others = [&with_data[..], &["Default/GetNext-op0", "Default/X-op1", "Default/Y-op2"], &with_data].concat();
        assert_eq!(lengths(&one_by_one(&[others])), none);
    }
}
