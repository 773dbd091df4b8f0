//! The book's list of items in other tools' documents: each row has a state, and tests that exist.

use super::{none, root, text};

const PAGE: &str = "docs/src/documents.md";

/// The fewest rows: without its table, a list has no faults either.
const ROWS: usize = 80;

/// A row's cells, trimmed; `None` for headings, rules and other lines.
fn cells(line: &str) -> Option<[&str; 4]> {
    let inner = line.strip_prefix("| ")?.strip_suffix(" |")?;
    let cells: Vec<&str> = inner.split(" | ").map(str::trim).collect();
    let cells: [&str; 4] = cells.try_into().ok()?;
    (cells[0] != "item" && !cells[0].starts_with("---")).then_some(cells)
}

/// The faults of a row.
fn faults([item, _, tests, state]: [&str; 4]) -> Vec<String> {
    let mut found = Vec::new();
    let (kind, reason) = state.split_once(": ").unwrap_or((state, ""));
    let is_known = match kind {
        "yes" => reason.is_empty(),
        "partly" | "no" => reason.len() > 10,
        _ => false,
    };
    if !is_known {
        found
            .push(format!("{item}: the state is {state:?}; expected `yes`, or `partly: …` or `no: …` with the reason"));
    }
    // Between backticks.
    let named: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
    if named.is_empty() && kind != "no" {
        found.push(format!("{item}: no test shows it"));
    }
    for test in named {
        let (file, name) = test.split_once('#').unwrap_or((test, ""));
        let path = root().join(file);
        if !path.exists() {
            found.push(format!("{item}: there is no {file}"));
        } else if !name.is_empty() && !text(&path).contains(name) {
            found.push(format!("{item}: {file} has no {name}"));
        }
    }
    found
}

/// ARCHITECTURE.md says how many files something new takes; CONTRIBUTING.md lists them.
#[test]
fn both_pages_count_the_files_to_touch_alike() {
    let (architecture, contributing) = (text(&root().join("ARCHITECTURE.md")), text(&root().join("CONTRIBUTING.md")));
    let (_, short) = architecture.split_once("## Adding things").expect("the section");
    let short = short.split_whitespace().collect::<Vec<_>>().join(" ");
    for (row, name) in [
        ("a column of a described table", "for a column"),
        ("a table that ends a view", "for a table at the end of a rank's view"),
        ("a described table with a place of its own", "for a table with a place of its own"),
        ("a reader", "for a reader"),
        ("a rule of advice", "for a rule of advice or a warning"),
        ("a warning", "for a rule of advice or a warning"),
        ("a tab of the page", "for a tab or a style"),
        ("a style", "for a tab or a style"),
    ] {
        let line = contributing.lines().find(|line| line.starts_with(&format!("| {row}"))).expect(row);
        let count = line.split(" | ").nth(1).expect("the number of files");
        assert!(short.contains(&format!("{count} {name}")), "{row}: {count} in CONTRIBUTING.md");
    }
}

#[test]
fn the_list_of_documents_names_tests_that_are_there() {
    let page = text(&root().join(PAGE));
    let rows: Vec<[&str; 4]> = page.lines().filter_map(cells).collect();
    assert!(rows.len() >= ROWS, "{PAGE} has {} rows that can be read", rows.len());
    let tables = page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| ---")).count();
    let heads = page.lines().filter(|line| line.starts_with("| item |")).count();
    assert_eq!(tables - heads, rows.len(), "a row of {PAGE} has not four cells");
    none(&rows.into_iter().flat_map(faults).collect::<Vec<_>>());
    assert!(text(&root().join("docs/src/SUMMARY.md")).contains("(documents.md)"), "the book does not name {PAGE}");
}

#[test]
fn a_row_without_its_test_is_found() {
    let row = |line: &'static str| cells(line).map(faults).unwrap_or_default();
    let good = "| an item | a tab | `tests/layers/documents.rs#a_row_without_its_test_is_found` | yes |";
    assert_eq!(row(good), Vec::<String>::new());
    for (line, part) in [
        ("| an item | a tab | `tests/layers/none.rs` | yes |", "there is no tests/layers/none.rs"),
        ("| an item | a tab | `tests/layers/main.rs#no such name` | yes |", "has no no such name"),
        ("| an item | a tab | - | yes |", "no test"),
        ("| an item | a tab | `tests/layers/main.rs` | perhaps |", "the state is"),
        ("| an item | a tab | - | no: later |", "the state is"),
    ] {
        let found = row(line);
        assert!(found.len() == 1 && found[0].contains(part), "{line}: {found:?}");
    }
    assert_eq!((cells("| item | here | test | state |"), cells("| --- | --- | --- | --- |")), (None, None));
}
