//! Arguments of spans and instant events.

use std::path::Path;

use stepscope_collector::{Mark, Name, Span, argument, begin_span, end_span, mark, span};
use stepscope_format::{ArgumentValue, Category, Kind, OF_MARK, Record};

use crate::recording::RecordedFolder;
use crate::role::{begin, folder, record};

/// Deeper than a segment can show open spans.
const DEEP: u64 = 300;

pub(crate) fn said(folder: &Path) {
    let evaluated = || -> u64 { panic!("while nothing is recorded, arguments are not made") };
    let _early = span!("early", late = evaluated());
    mark!("early", late = evaluated());
    record(folder);
    let text = String::from("a text");
    let _all = span!("all", in Category::Forward, 5, signed = -1_i8, unsigned = 7_usize, float = 0.5_f32, text = &text, yes = true);
    mark!("mark", text = "of a mark", number = 3);
    {
        let later = span!("later", first = 1);
        let inner = span!("inner", 2, only = "inner");
        later.argument("second", 2);
        drop(inner);
        later.argument(Name::new("third"), 3);
    }
    begin_span(Category::General, "by hand", 0);
    argument("key", "by hand");
    assert!(end_span());
    let mark = Mark::record("another mark", 1);
    // More than fit into a segment: they continue in the next one.
    for number in 0..3_000_u64 {
        mark.argument("number", number);
    }
    let deep = Name::new("deep");
    let spans: Vec<Span> = (0..DEEP).map(|value| Span::with(Category::General, deep, value)).collect();
    for (span, value) in spans.iter().zip(0_u64..) {
        span.argument("value", value);
    }
    for span in spans.into_iter().rev() {
        drop(span);
    }
    let open = span!("open", in_the_file = "at once");
    argument("too", true);
    if open.is_recorded() {
        std::process::abort();
    }
}

#[test]
fn arguments_are_in_the_file_at_once() {
    let folder = folder("arguments");
    assert!(!begin("arguments", &folder).wait().expect("an end").success());
    let found = RecordedFolder::of(&folder);
    let thread = found.threads.values().find(|thread| !thread.records.is_empty()).expect("a thread");
    let of = |record: &Record| -> Vec<(String, ArgumentValue)> {
        let depth = if record.kind == Kind::Mark { OF_MARK } else { record.aux };
        let its = thread
            .records
            .iter()
            .filter(|argument| argument.kind == Kind::Argument && (argument.aux, argument.at) == (depth, record.at));
        its.map(|record| (found.name(0, record.name), ArgumentValue::of(record).expect("a value"))).collect()
    };
    let text = |value| match value {
        ArgumentValue::Text(name) => found.name(0, name),
        other => format!("{other:?}"),
    };
    let check = |kind, name: &str, expected: &[(&str, &str)]| {
        let [record] = found.named(kind, name)[..] else { panic!("{name}: one is expected") };
        let said: Vec<_> = of(&record).into_iter().map(|(key, value)| (key, text(value))).collect();
        let said: Vec<_> = said.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        assert_eq!(said, expected, "{name}");
    };
    check(
        Kind::Open,
        "all",
        &[
            ("signed", "Signed(-1)"),
            ("unsigned", "Unsigned(7)"),
            ("float", "Float(0.5)"),
            ("text", "a text"),
            ("yes", "Bool(true)"),
        ],
    );
    check(Kind::Mark, "mark", &[("text", "of a mark"), ("number", "Signed(3)")]);
    check(Kind::Span, "later", &[("first", "Signed(1)"), ("second", "Signed(2)"), ("third", "Signed(3)")]);
    check(Kind::Span, "inner", &[("only", "inner")]);
    check(Kind::Span, "by hand", &[("key", "by hand")]);
    check(Kind::Open, "open", &[("in_the_file", "at once"), ("too", "Bool(true)")]);
    let [mark] = found.named(Kind::Mark, "another mark")[..] else { panic!("a mark") };
    let numbers: Vec<_> = of(&mark).into_iter().map(|(_, value)| value).collect();
    assert_eq!(numbers, (0..3_000).map(ArgumentValue::Unsigned).collect::<Vec<_>>());
    let deep = found.named(Kind::Span, "deep");
    assert_eq!(deep.len() as u64, DEEP);
    for span in deep {
        assert_eq!(of(&span), [("value".to_owned(), ArgumentValue::Unsigned(span.value))]);
    }
    assert!(found.named(Kind::Span, "early").is_empty() && found.named(Kind::Mark, "early").is_empty());
}
