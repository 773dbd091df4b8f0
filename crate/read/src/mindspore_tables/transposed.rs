//! The CSV summary of MindData's pipeline: a line per property, with unquoted lists and sentences.

use super::documents;
use stepscope_base::{Code, Warnings};
use stepscope_parse::{DelimitedRow, Tree};
use stepscope_trace::TraceBuilder;

/// The content read so far.
#[derive(Default)]
pub(super) struct Transposed {
    members: Vec<(String, Tree)>,
}

/// Whether a text begins like such a summary.
pub(super) fn begins(lines: &[&str]) -> bool {
    let name = |at: usize| lines.get(at).and_then(|line| line.split(',').next());
    matches!((name(0), name(1)), (Some("pipeline_ops"), Some("op_names" | "op_ids")))
        || matches!((name(0), name(1)), (Some("op_ids"), Some("op_names" | "pipeline_ops")))
}

impl Transposed {
    /// Takes a line.
    pub(super) fn row(&mut self, row: &DelimitedRow<'_>, warnings: &mut Warnings) {
        let Some((name, values)) = row.fields.split_first() else { return };
        // Every line has a value, which may be empty.
        if row.last && values.is_empty() {
            warnings.add(Code::Truncated, Some(row.position), || name.to_string());
            return;
        }
        let is_words = name.contains("details") || name.contains("bottleneck");
        let values = if is_words { vec![Tree::Text(values.join(", "))] } else { lists(values) };
        self.members.push((name.to_string(), Tree::List(values)));
    }

    pub(super) fn finish(mut self, builder: &mut TraceBuilder) {
        // An empty line of sentences is dropped.
        for (_, values) in &mut self.members {
            if let Tree::List(values) = values {
                values.retain(|value| value.text().is_none_or(|text| !text.is_empty()));
            }
        }
        documents::minddata::summary(&Tree::Object(self.members), builder);
    }
}

/// Fields as values; fields between brackets belong together.
fn lists(fields: &[std::borrow::Cow<'_, str>]) -> Vec<Tree> {
    let mut values = Vec::new();
    let mut open = String::new();
    for field in fields {
        if !open.is_empty() {
            open.push_str(", ");
        }
        open.push_str(field);
        if !open.starts_with('[') || open.ends_with(']') {
            let text = std::mem::take(&mut open);
            let list = Some(&text).filter(|text| text.starts_with('[')).and_then(|text| Tree::parse(text.as_bytes()).0);
            values.push(list.unwrap_or(Tree::Text(text)));
        }
    }
    if !open.is_empty() {
        values.push(Tree::Text(open));
    }
    values
}
