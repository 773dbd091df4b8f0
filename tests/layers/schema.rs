//! The JSON schemas in the repository are those of the types.

use std::fs;

use stepscope::export::report_json::published_schemas;
use stepscope::page_schema;
use stepscope_tests::files::root;

use super::none;

#[test]
fn the_stored_schemas_are_those_of_the_types() {
    let published = published_schemas().into_iter().map(|(name, schema)| (file_of(name), schema));
    let mut problems = Vec::new();
    for (name, schema) in published.chain([("page.json".to_owned(), page_schema())]) {
        let text = serde_json::to_string_pretty(&schema).expect("JSON") + "\n";
        let path = root().join("crate/export/schema").join(&name);
        if std::env::var_os("STEPSCOPE_BLESS").is_some() {
            fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        } else if fs::read_to_string(&path).ok().as_deref() != Some(&text) {
            problems.push(format!("crate/export/schema/{name} is not the types' schema; STEPSCOPE_BLESS=1 writes it"));
        }
    }
    none(&problems);
}

#[test]
fn each_type_has_a_name_of_its_own() {
    let schema = page_schema();
    let names = schema["definitions"].as_object().expect("definitions").keys();
    // A second type of one name gets a number after it.
    let doubled: Vec<_> = names.filter(|name| name.ends_with(|end: char| end.is_ascii_digit())).cloned().collect();
    none(&doubled);
}

/// `summary-1.json` of `stepscope.summary/1`.
fn file_of(name: &str) -> String {
    format!("{}.json", name.trim_start_matches("stepscope.").replace('/', "-"))
}
