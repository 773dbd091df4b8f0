//! Values: in an event, in its args, in a list there, in the metadata.

use stepscope::parse::FaultKind::{
    self, ControlCharacter, Deep, Encoding, Escape, MalformedObject, Number, Punctuation, Quote, Word,
};
use stepscope_tests::oracle::Json;

use super::{found, json, kinds};

/// Valid values.
const VALID: &[&str] = &[
    // Numbers.
    "0",
    "-0",
    "7",
    "-7",
    "123456789012345678",
    "18446744073709551615",
    "-9223372036854775808",
    "0.5",
    "-0.0",
    "1e1",
    "1E1",
    "1e+1",
    "1e-1",
    "0e0",
    "0E+1",
    "123.456e78",
    "1.5e-300",
    "1e-400",
    "18446744073709551616",
    "0.1234567890123456789012345",
    "123456789012345678901234567890",
    // Words.
    "true",
    "false",
    "null",
    // Strings.
    r#""""#,
    r#""a""#,
    r#"" ""#,
    r#""\"""#,
    r#""\\""#,
    r#""\/""#,
    r#""\b\f\n\r\t""#,
    r#""\u0000""#,
    r#""\u0061\u30af""#,
    r#""\ud83d\ude00""#,
    r#""\uDBFF\uDFFF""#,
    r#""\\u0000""#,
    r#""\"\\\"""#,
    "\"\u{e9}\u{540d}\u{1f600}\"",
    "\"\u{7f}\"",
    "\"\u{2028}\u{feff}\u{ffff}\"",
    r#""a,b:c}d]e{f[g""#,
    r#""// no comment /* either */""#,
    // Lists and objects.
    "[]",
    "[[]]",
    "[1]",
    "[1,2]",
    " [ 1 , 2 ] ",
    "[null,1,\"1\",{}]",
    "[\n]",
    "[\t1\r\n]",
    "{}",
    "{\"a\":1}",
    "{ \"a\" : 1 , \"b\" : [] }",
    "{\"\":0}",
    "{\"a\":1,\"a\":2}",
    "{\"\\u0061\":1}",
    "{\"a\":{\"b\":{}}}",
    "{\"a\\\"b\":\"c\\\"d\"}",
];

/// Values that are not valid: the value that is read, and the reported faults.
const REPAIRED: &[(&str, &str, &[FaultKind])] = &[
    // Numbers that JSON does not write.
    ("+1", "1", &[Number]),
    ("-01", "-1", &[Number]),
    ("007", "7", &[Number]),
    ("1.", "1", &[Number]),
    (".5", "0.5", &[Number]),
    ("-.5e3", "-0.5e3", &[Number]),
    ("2.e3", "2e3", &[Number]),
    ("0x1F", "31", &[Number]),
    ("-0XfF", "-255", &[Number]),
    ("1e999", "null", &[Word]),
    ("-1e999", "null", &[Word]),
    ("-", "null", &[Word]),
    // Words that JSON does not have.
    ("NaN", "null", &[Word]),
    ("nan", "null", &[Word]),
    ("-NaN", "null", &[Word]),
    ("-nan(ind)", "null", &[Word]),
    ("Infinity", "null", &[Word]),
    ("-Infinity", "null", &[Word]),
    ("+inf", "null", &[Word]),
    ("1.#INF", "null", &[Word]),
    ("N/A", "null", &[Word]),
    ("undefined", "null", &[Word]),
    ("None", "null", &[Word]),
    ("NULL", "null", &[Word]),
    ("True", "true", &[Word]),
    ("FALSE", "false", &[Word]),
    // Other words are text.
    ("word", "\"word\"", &[Word]),
    ("1.2.3", "\"1.2.3\"", &[Word]),
    ("0xg", "\"0xg\"", &[Word]),
    ("1e", "\"1e\"", &[Word]),
    ("tru", "\"tru\"", &[Word]),
    // Strings.
    ("\"a\nb\"", r#""a\nb""#, &[ControlCharacter]),
    ("\"a\tb\rc\u{1}d\u{0}e\"", r#""a\tb\rc\u0001d\u0000e""#, &[ControlCharacter]),
    (r#""C:\new\x""#, r#""C:\\new\\x""#, &[Escape]),
    (r#""\q""#, r#""\\q""#, &[Escape]),
    (r#""it\'s\n""#, r#""it\\'s\n""#, &[Escape]),
    (r#""\u12""#, r#""\\u12""#, &[Escape]),
    (r#""\u00g9""#, r#""\\u00g9""#, &[Escape]),
    (r#""\U0041""#, r#""\\U0041""#, &[Escape]),
    (r#""\ud83d""#, "\"\u{fffd}\"", &[Encoding]),
    (r#""\ude00\ud83d!""#, "\"\u{fffd}\u{fffd}!\"", &[Encoding]),
    (r#""\ud83d\u0041""#, "\"\u{fffd}A\"", &[Encoding]),
    (r#""a "quoted" name""#, r#""a \"quoted\" name""#, &[Quote]),
    (r#""5" disk""#, r#""5\" disk""#, &[Quote]),
    (r#"""quoted"""#, r#""\"quoted\"""#, &[Quote]),
    (r#""{"lr": 0.1, "bs": 2}""#, r#""{\"lr\": 0.1, \"bs\": 2}""#, &[Quote]),
    ("\"C:\\x \"quoted\"\n\"", r#""C:\\x \"quoted\"\n""#, &[ControlCharacter, Quote, Escape]),
    // A backslash that was meant as the text's last character.
    (r#""C:\path\""#, r#""C:\\path\\""#, &[Escape]),
    // Lists.
    ("[1,]", "[1]", &[Punctuation]),
    ("[1,,2]", "[1,2]", &[Punctuation]),
    ("[,1]", "[1]", &[Punctuation]),
    ("[,]", "[]", &[Punctuation]),
    ("[1 2]", "[1, 2]", &[Punctuation]),
    ("[1[2]{\"a\":3}]", "[1,[2],{\"a\":3}]", &[Punctuation]),
    ("[\"a\" \"b\"]", "[\"a\", \"b\"]", &[Punctuation]),
    ("[NaN, -.5, None]", "[null, -0.5, null]", &[Word, Number]),
    ("{\"a\":[1,2}", "{\"a\":[1,2]}", &[Punctuation]),
    ("[{\"a\":1]", "[{\"a\":1}]", &[Punctuation]),
    // Objects.
    ("{\"a\":1,}", "{\"a\":1}", &[Punctuation]),
    ("{,\"a\":1}", "{\"a\":1}", &[Punctuation]),
    ("{\"a\":1,,\"b\":2}", "{\"a\":1,\"b\":2}", &[Punctuation]),
    ("{\"a\":1 \"b\":2}", "{\"a\":1, \"b\":2}", &[Punctuation]),
    ("{\"a\":\"x\" \"b\":2}", "{\"a\":\"x\", \"b\":2}", &[Punctuation]),
    ("{\"a\":[1] \"b\":{}\n\"c\":0}", "{\"a\":[1], \"b\":{},\"c\":0}", &[Punctuation]),
    ("{\"a\":,\"b\":2}", "{\"a\":null,\"b\":2}", &[Word]),
    ("{\"a\":}", "{\"a\":null}", &[Word]),
    ("{\"a\":1],\"b\":2}", "{\"a\":1,\"b\":2}", &[Punctuation]),
    ("{\"a\nb\":1}", "{\"a\\nb\":1}", &[ControlCharacter]),
    ("{\"a\\qb\":1}", "{\"a\\\\qb\":1}", &[Escape]),
];

/// Values without a clear meaning: the event is skipped, and no other.
const REFUSED: &[&str] = &[
    "'single'",
    "['single']",
    "{'a':1}",
    "{a:1}",
    "{1:1}",
    "{\"a\" 1}",
    "{\"a\"=1}",
    "{\"a\"::1}",
    "[1:2]",
    "{\"a\":1:2}",
    "/* comment */ 1",
    "[1 // comment\n]",
    "`a`",
    "\u{ff11}",
    "\u{a0}1",
    "&",
    "<html>",
    "@",
    "{\"a\"}",
    "{\"a\",\"b\":1}",
    "::",
];

/// A document with the value at a place, among other events that are valid; and the index of its event.
fn placed(place: usize, value: &[u8]) -> (Vec<u8>, Option<usize>) {
    let (before, behind): (&str, &str) = match place {
        0 => ("[{\"ph\":\"A\"},\n{\"ph\":\"X\",\"id\":", ",\"tid\":3},\n{\"ph\":\"B\"}]"),
        1 => ("[{\"ph\":\"A\"}, {\"ph\": \"X\", \"tid\": 3, \"id\": ", "}, {\"ph\":\"B\"}]"),
        2 => (
            "[{\"ph\":\"A\"},{\"ph\":\"X\",\"args\":{\"stream\":7,\"id\":",
            ",\"correlation\":8},\"tid\":3},{\"ph\":\"B\"}]",
        ),
        3 => ("[{\"ph\":\"A\"},{\"ph\":\"X\",\"args\":{\"unwanted\":[0,", ",1]},\"tid\":3},{\"ph\":\"B\"}]"),
        4 => ("{\"meta\": ", ", \"traceEvents\": [{\"ph\":\"A\"},{\"ph\":\"B\"}]}"),
        _ => ("{\"traceEvents\": [{\"ph\":\"A\"},{\"ph\":\"B\"}],\n\"meta\": ", "\n}"),
    };
    ([before.as_bytes(), value, behind.as_bytes()].concat(), (place < 4).then_some(1))
}

const PLACES: usize = 6;

/// The value at that place, as `serde_json` reads the delivered text.
fn value_at(text: &[u8], place: usize) -> (Option<Json>, Vec<FaultKind>) {
    let found = found(text);
    let kinds = kinds(&found);
    let member = |object: &Json, key: &str| match object {
        Json::Object(members) => members.iter().find(|(name, _)| name == key).map(|(_, value)| value.clone()),
        _ => None,
    };
    let value = match place {
        0 | 1 => found.value(1, "id"),
        2 => found.value(1, "args").and_then(|args| member(&args, "id")),
        3 => match found.value(1, "args").and_then(|args| member(&args, "unwanted")) {
            Some(Json::List(list)) if list.len() == 3 => list.get(1).cloned(),
            _ => None,
        },
        _ => found.members.iter().find(|member| member.key == "meta").and_then(|member| Json::parse(&member.text)),
    };
    let whole = if place < 4 { 3 } else { 2 };
    let neighbours = found.events.first().is_some_and(|event| event.text == b"{\"ph\":\"A\"}")
        && found.events.last().is_some_and(|event| event.text == b"{\"ph\":\"B\"}");
    assert!(neighbours, "its neighbours are lost: {kinds:?} {}", String::from_utf8_lossy(text));
    if place < 4 && found.events.len() == whole {
        assert_eq!(found.value(1, "tid"), Some(Json::Unsigned(3)), "{}", String::from_utf8_lossy(text));
        assert_eq!(found.value(1, "ph"), Some(Json::Text("X".into())), "{}", String::from_utf8_lossy(text));
    }
    (value, kinds)
}

#[test]
fn what_is_valid_is_what_serde_json_reads() {
    for value in VALID {
        for place in 0..PLACES {
            let (text, _) = placed(place, value.as_bytes());
            let (found, kinds) = value_at(&text, place);
            assert_eq!(found, Some(json(value)), "{value} in place {place}: {kinds:?}");
            assert!(kinds.is_empty(), "{value} in place {place}: {kinds:?}");
        }
    }
}

#[test]
fn what_is_not_is_repaired_where_it_is_clear() {
    for (value, expected, told) in REPAIRED {
        for place in 0..PLACES {
            // In a list, a quote in a text looks like one that ends it, and a bracket too many like a missing brace.
            if place == 3 && (value.starts_with("\"{") || *value == "{\"a\":1],\"b\":2}") {
                continue;
            }
            let (text, _) = placed(place, value.as_bytes());
            let (found, kinds) = value_at(&text, place);
            assert_eq!(found, Some(json(expected)), "{value} in place {place}: {kinds:?}");
            assert_eq!(&kinds, told, "{value} in place {place}");
        }
    }
}

#[test]
fn bytes_that_are_no_text_are_replaced() {
    let cases: [(&[u8], &str); 7] = [
        (b"\"caf\xe9\"", "caf\u{fffd}"),
        (b"\"\xff\xfe\"", "\u{fffd}\u{fffd}"),
        (b"\"\xc0\xaf\"", "\u{fffd}\u{fffd}"),
        (b"\"\xed\xa0\x80\"", "\u{fffd}\u{fffd}\u{fffd}"),
        (b"\"\xf4\x90\x80\x80!\"", "\u{fffd}\u{fffd}\u{fffd}\u{fffd}!"),
        (b"\"\xe5\x90\"", "\u{fffd}"),
        // In the Chinese code page, the second byte of a character may be a backslash.
        (b"\"\x84\x5c\"", "\u{fffd}\\"),
    ];
    for (value, expected) in cases {
        for place in 0..PLACES {
            let (text, _) = placed(place, value);
            let (found, kinds) = value_at(&text, place);
            assert_eq!(found, Some(Json::Text(expected.into())), "{expected} in place {place}: {kinds:?}");
            assert!(kinds.contains(&Encoding), "{expected} in place {place}: {kinds:?}");
        }
    }
}

#[test]
fn what_is_unclear_costs_its_event_alone() {
    for value in REFUSED {
        for place in 0..PLACES {
            let (text, event) = placed(place, value.as_bytes());
            let (found, kinds) = value_at(&text, place);
            assert_eq!(found, None, "{value} in place {place}: {kinds:?}");
            let told = if event.is_some() { MalformedObject } else { FaultKind::MalformedMember };
            assert_eq!(kinds, [told], "{value} in place {place}");
        }
    }
}

#[test]
fn what_nests_too_deep_is_left_out() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        for (levels, deep) in [(100, false), (124, false), (130, true), (3000, true)] {
            let value = [&open.repeat(levels), "1", &close.repeat(levels)].concat();
            for place in 0..4 {
                let (text, _) = placed(place, value.as_bytes());
                let (found, kinds) = value_at(&text, place);
                assert!(found.is_some(), "{levels} of {open} in place {place}: {kinds:?}");
                assert_eq!(kinds, if deep { vec![Deep] } else { vec![] }, "{levels} of {open} in place {place}");
            }
        }
    }
}
