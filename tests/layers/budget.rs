//! Limits the size of the wasm.

use super::{analyzer, none, short, text};

/// Files that use the standard library's sorts: for lists that may be as long as the events, unsorted.
const FAST_SORTS: [&str; 14] = [
    "crate/analyze/src/budget/charge.rs",
    "crate/analyze/src/critical/build.rs",
    "crate/analyze/src/critical/device.rs",
    "crate/analyze/src/idle/parts.rs",
    "crate/analyze/src/intervals.rs",
    "crate/analyze/src/linked.rs",
    "crate/analyze/src/operators/device.rs",
    "crate/analyze/src/statistics.rs",
    "crate/read/src/chrome/pairs.rs",
    "crate/read/src/native/model.rs",
    "crate/base/src/sort.rs",
    "crate/trace/src/finish.rs",
    "crate/trace/src/link.rs",
    "crate/trace/src/serial_set.rs",
];

/// A copy of a sort is 4 to 10 KB of the wasm: all else uses `CompactSort`.
#[test]
fn sorts_are_small() {
    const SORTS: [&str; 8] = [
        ".sort()",
        ".sort_by(",
        ".sort_by_key(",
        ".sort_by_cached_key(",
        ".sort_unstable()",
        ".sort_unstable_by(",
        ".sort_unstable_by_key(",
        ".select_nth_unstable",
    ];
    let mut problems = Vec::new();
    for path in analyzer() {
        let name = short(&path);
        let text = text(&path);
        let mut code = super::rust::code(&text);
        let sorts = !name.ends_with("/tests.rs") && code.any(|(_, line)| SORTS.iter().any(|sort| line.contains(sort)));
        match (sorts, FAST_SORTS.contains(&name.as_str())) {
            (true, false) => {
                problems.push(format!("{name}: a copy of the standard library's sort; see crate/base/src/sort.rs"));
            }
            (false, true) => problems.push(format!("{name} has no sort: it leaves the list")),
            _ => {}
        }
    }
    none(&problems);
}
