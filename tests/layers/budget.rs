//! What makes the wasm larger than it needs to be.

use super::{files, none, short, text};

/// Where the standard library's sorts are used: for what there may be as many of as events, unsorted.
const FAST_SORTS: [&str; 14] = [
    "crate/src/analyze/budget/charge.rs",
    "crate/src/analyze/critical/build.rs",
    "crate/src/analyze/critical/device.rs",
    "crate/src/analyze/idle/parts.rs",
    "crate/src/analyze/intervals.rs",
    "crate/src/analyze/linked.rs",
    "crate/src/analyze/operators/device.rs",
    "crate/src/analyze/statistics.rs",
    "crate/src/read/chrome/pairs.rs",
    "crate/src/read/native/model.rs",
    "crate/src/sort.rs",
    "crate/src/trace/finish.rs",
    "crate/src/trace/link.rs",
    "crate/src/trace/serial_set.rs",
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
    for path in files("crate/src", &[".rs"]) {
        let name = short(&path);
        let text = text(&path);
        let mut code = super::rust::code(&text);
        let sorts = !name.ends_with("/tests.rs") && code.any(|(_, line)| SORTS.iter().any(|sort| line.contains(sort)));
        match (sorts, FAST_SORTS.contains(&name.as_str())) {
            (true, false) => {
                problems.push(format!("{name}: a copy of the standard library's sort; see crate/src/sort.rs"));
            }
            (false, true) => problems.push(format!("{name} has no sort: it leaves the list")),
            _ => {}
        }
    }
    none(&problems);
}
