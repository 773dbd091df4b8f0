//! Names in a trace that are similar to one that it does not have.

use stepscope_base::CompactSort;
use stepscope_trace::{Class, NameId, Trace};

use super::StepTraceConfig;
use super::point_name::point_name;

/// Most similar names that are listed.
const MOST: usize = 5;

/// A point of the step trace that the user named and that no operator or kernel has as its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownPoint {
    /// Whether it is the forward pass's start; else it is the backward pass's end.
    pub is_start: bool,
    /// The name.
    pub name: String,
    /// Similar names of operators and kernels, the most similar first.
    pub near: Vec<String>,
}

/// The named points of a step trace that the trace does not have.
///
/// ```
/// use stepscope::{Loader, analyze};
/// use stepscope::analyze::StepTraceConfig;
///
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"cpu_op","name":"aten::conv2d","pid":1,"tid":1,"ts":0,"dur":3},
///   {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":4,"dur":3}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let named = |name: &str| StepTraceConfig { forward_start: Some(name.into()), backward_end: None, graph: None };
/// assert!(analyze::unknown_points(&trace, &named("aten::mm")).is_empty());
/// let [unknown] = &analyze::unknown_points(&trace, &named("Conv2D"))[..] else { panic!("one point") };
/// assert_eq!((unknown.is_start, &unknown.near[..]), (true, &["aten::conv2d".to_owned()][..]));
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn unknown_points(trace: &Trace, config: &StepTraceConfig) -> Vec<UnknownPoint> {
    let points = [(true, &config.forward_start), (false, &config.backward_end)];
    let named = points.into_iter().filter_map(|(is_start, name)| Some((is_start, name.as_ref()?)));
    let unknown = named.filter(|(_, name)| point_name(trace, name).is_none());
    unknown.map(|(is_start, name)| UnknownPoint { is_start, name: name.clone(), near: near(trace, name) }).collect()
}

/// The names of operators and kernels that are most similar to a name.
fn near(trace: &Trace, name: &str) -> Vec<String> {
    let kernels = trace.activities.iter().map(|activity| trace.slices.name(activity.event));
    let operators = trace.slices_of(Class::Operator).map(|id| trace.slices.name(id));
    let mut names: Vec<NameId> = kernels.chain(operators).collect();
    names.compact_sort();
    names.dedup();
    let wanted = name.to_lowercase();
    let alike = names.into_iter().filter_map(|id| Some((distance(&wanted, trace.strings.get(id))?, id)));
    let mut alike: Vec<(usize, NameId)> = alike.collect();
    alike.compact_sort_by(|(one, a), (other, b)| {
        one.cmp(other).then_with(|| trace.strings.get(*a).cmp(trace.strings.get(*b)))
    });
    alike.into_iter().take(MOST).map(|(_, id)| trace.strings.get(id).to_owned()).collect()
}

/// The distance of a name from the wanted one, in lower case; none if it is too great. Scopes before the name do not
/// count.
fn distance(wanted: &str, name: &str) -> Option<usize> {
    let name = name.to_lowercase();
    let (one, other) = (last_part(wanted), last_part(&name));
    if one.is_empty() || other.is_empty() {
        return None;
    }
    if one == other {
        return Some(0);
    }
    if one.len().min(other.len()) >= 3 && (one.contains(other) || other.contains(one)) {
        return Some(1 + one.len().abs_diff(other.len()));
    }
    // Long names of templates are found only if one contains the other.
    const LONGEST: usize = 64;
    let letters = one.chars().count();
    if letters.max(other.chars().count()) > LONGEST {
        return None;
    }
    let allowed = letters / 3;
    let changes = edits(one, other);
    // Additional letters are no worse than in a name that contains the other.
    (changes <= allowed).then_some(1 + changes)
}

/// A name without its scopes and namespaces.
fn last_part(name: &str) -> &str {
    name.trim_end_matches(['/', ':']).rsplit(['/', ':']).next().unwrap_or(name)
}

/// The number of letters that must be changed, added or removed.
fn edits(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (line, letter) in one.chars().enumerate() {
        let mut corner = std::mem::replace(&mut row[0], line + 1);
        for (column, second) in other.iter().enumerate() {
            let change = corner + usize::from(letter != *second);
            corner = row[column + 1];
            row[column + 1] = change.min(corner + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted() {
        for (one, other, expected) in [("", "abc", 3), ("abc", "abc", 0), ("abc", "abd", 1), ("conv", "cnov", 2)] {
            assert_eq!((edits(one, other), edits(other, one)), (expected, expected), "{one} {other}");
        }
    }

    #[test]
    fn long_names_are_alike_by_what_they_contain_alone() {
        let long = "q".repeat(220);
        assert_eq!(distance(&long, "aten::mm"), None);
        assert_eq!(distance(&(long.clone() + "a"), &(long.clone() + "b")), None);
        assert!(distance(&long, &(long.clone() + "b")).is_some());
    }

    #[test]
    fn scopes_and_case_do_not_count() {
        assert_eq!(distance("default/network/conv2d-op3", "Conv2D-op3"), Some(0));
        assert_eq!(distance("conv2d", "aten::conv2d"), Some(0));
        assert!(distance("conv2d", "conv2d_backward").is_some());
        assert_eq!(distance("conv2d", "softmax"), None);
        assert_eq!(distance("", "softmax"), None);
        assert!(distance("sofmax", "aten::softmax") < distance("sofmax", "aten::log_softmax").or(Some(usize::MAX)));
    }
}
