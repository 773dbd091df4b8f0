//! Whole documents: the text around the events, and their separators.

use stepscope::parse::FaultKind::{
    self, Lines, MalformedMember, MalformedObject, NotAnObject, Punctuation, Quote, SecondDocument, SecondList,
    TrailingText, Truncated, Unclosed, Word,
};
use stepscope_tests::oracle::Json;

use super::{found, kinds};

/// The `id`s of the events found, the members' keys, and the reported faults.
#[track_caller]
fn check(text: &str, ids: &[u64], members: &str, told: &[FaultKind]) {
    let found = found(text.as_bytes());
    let all: Vec<Option<Json>> = (0..found.events.len()).map(|event| found.value(event, "id")).collect();
    let expected: Vec<Option<Json>> = ids.iter().map(|id| Some(Json::Unsigned(*id))).collect();
    assert_eq!(all, expected, "{text}: {:?}", found.faults);
    let keys: Vec<&str> = found.members.iter().map(|member| &*member.key).collect();
    assert_eq!(keys.join(" "), members, "{text}");
    assert_eq!(kinds(&found), told, "{text}");
}

#[test]
fn lists_and_the_object_around_them() {
    check(r#"[]"#, &[], "", &[]);
    check(r#"{}"#, &[], "", &[]);
    check(r#"{"a":1}"#, &[], "a", &[]);
    check(r#"[{"id":1},{"id":2}]"#, &[1, 2], "", &[]);
    check(r#"{"a":1,"traceEvents":[{"id":1}],"b":{"id":2}}"#, &[1], "a b", &[]);
    check("\u{feff}  [{\"id\":1}]\n\n", &[1], "", &[]);
    check(r#"{"a":1,,"traceEvents":[{"id":1}],}"#, &[1], "a", &[Punctuation, Punctuation]);
    check(r#"{,"a":1 "b":2 "traceEvents":[{"id":1}]"c":3}"#, &[1], "a b c", &[Punctuation; 4]);
    check(r#"[{"id":1},null,"x",3,[{"id":7}],NaN,{"id":2}]"#, &[1, 2], "", &[NotAnObject; 5]);
    check(r#"[{"id":1},},{"id":2}]"#, &[1, 2], "", &[Punctuation; 2]);
}

#[test]
fn lists_that_nobody_closed() {
    check(r#"[{"id":1},{"id":2}"#, &[1, 2], "", &[Unclosed]);
    check("[{\"id\":1},{\"id\":2},\n", &[1, 2], "", &[Unclosed]);
    check(r#"["#, &[], "", &[Unclosed]);
    check(r#"{"a":1,"traceEvents":[{"id":1}"#, &[1], "a", &[Unclosed]);
    check(r#"{"traceEvents":[{"id":1}]"#, &[1], "", &[Unclosed]);
    check(r#"{"traceEvents":[{"id":1}],"#, &[1], "", &[Unclosed]);
    check(r#"{"traceEvents":[{"id":1}],"a":"b""#, &[1], "a", &[Unclosed]);
    check(r#"{"traceEvents":[{"id":1}}"#, &[1], "", &[Punctuation, Unclosed]);
}

#[test]
fn files_that_end_in_the_middle() {
    let event = r#"{"id":2,"ph":"X","name":"a \"b\" c","args":{"x":[1,{"y":null}],"z":tru },"ts":1.5}"#;
    for cut in 1..event.len() {
        let text = format!("[{{\"id\":1}},{}", &event[..cut]);
        check(&text, &[1], "", &[Truncated]);
        let text = format!("{{\"a\":1,\"traceEvents\":[{{\"id\":1}},\n{}", &event[..cut]);
        check(&text, &[1], "a", &[Truncated]);
        let text = format!("{{\"id\":1}}\n{}", &event[..cut]);
        check(&text, &[1], "", &[Lines, Truncated]);
    }
    check(r#"{"traceEvents":[{"id":1}],"a":"b"#, &[1], "", &[Truncated]);
    check(r#"{"traceEvents":[{"id":1}],"a"#, &[1], "", &[Truncated]);
    check(r#"{"traceEvents":[{"id":1}],"a":[1,"#, &[1], "", &[Truncated]);
}

#[test]
fn objects_one_after_another() {
    check("{\"id\":1}\n{\"id\":2}\n", &[1, 2], "", &[Lines]);
    check("{\"id\":1}{\"id\":2}", &[1, 2], "", &[Lines]);
    check(r#"{"id":1}, {"id":2},"#, &[1, 2], "", &[Lines]);
    check(r#"{"id":1},{"id":2}]"#, &[1, 2], "", &[Lines, Punctuation]);
    check("{\"ph\":\"X\",\"id\":1}", &[1], "", &[Lines]);
    check("{\"id\":1}\r\n\r\n{\"id\":2,\"ts\":N/A}\n{\"id\":3", &[1, 2], "", &[Lines, Word, Truncated]);
}

#[test]
fn documents_one_after_another() {
    let first = r#"{"a":1,"traceEvents":[{"id":1}]}"#;
    check(&format!("{first}\n{first}"), &[1, 1], "a a", &[SecondDocument]);
    check(&format!("{first}[{{\"id\":2}}]{first}"), &[1, 2, 1], "a a", &[SecondDocument; 2]);
    check("[{\"id\":1}]\n{\"ph\":\"X\",\"id\":2}\n{\"id\":3}", &[1, 2, 3], "", &[SecondDocument, Lines]);
    check("{\"a\":1}\n{\"id\":2}\n{\"id\":3}", &[2, 3], "a", &[SecondDocument, Lines]);
    check(r#"[{"id":1}],{"id":2}]"#, &[1, 2], "", &[Punctuation, SecondDocument, Lines, Punctuation]);
    check(r#"{"traceEvents":[{"id":1}],{"id":2}],"a":1}"#, &[1, 2], "a", &[Punctuation]);
    check(r#"[{"id":1}]}"#, &[1], "", &[Punctuation]);
    check(r#"[{"id":1}] and more {"id":2}"#, &[1], "", &[TrailingText]);
}

#[test]
fn lists_of_the_same_name() {
    check(r#"{"traceEvents":[{"id":1}],"traceEvents":[{"id":2}]}"#, &[1, 2], "", &[SecondList]);
    check(r#"{"traceEvents":"shadow","traceEvents":[{"id":2}]}"#, &[2], "traceEvents", &[SecondList]);
    check(r#"{"traceEvents":[{"id":1}],"traceEvents":{"id":2}}"#, &[1], "traceEvents", &[SecondList]);
}

#[test]
fn members_that_are_broken() {
    let behind = r#","b":2,"traceEvents":[{"id":1}]}"#;
    check(&format!(r#"{{"a":x:y{behind}"#), &[1], "b", &[MalformedMember]);
    check(&format!(r#"{{"a":"has "quotes" in it"{behind}"#), &[1], "a b", &[Quote]);
    // The text between it and the list is lost with it.
    check(&format!(r#"{{"a":"no end{behind}"#), &[1], "a", &[Punctuation, MalformedMember]);
    check(&format!(r#"{{"a":[1,{{"x":}}]]{behind}"#), &[1], "", &[MalformedMember]);
}

#[test]
fn a_broken_event_costs_no_other_and_gives_nothing_from_its_inside() {
    let inside = r#""args":{"list":[{"id":8,"ph":"X"},{"id":9,"ph":"X"}, {"id":10}],"more":[{"id":11},{"id":12}]}"#;
    let broken = ["'single'", "@", "a b c", "{\"x\" 1}", "[1:2]", "::"];
    for bad in broken {
        for (before, behind) in [("", ""), ("\n  ", "\n"), (" ", " ")] {
            let event = format!("{before}{{\"id\":5,\"bad\":{bad},{inside},\"ts\":1}}{behind}");
            check(&format!("[{{\"id\":1}},{event},{{\"id\":2}}]"), &[1, 2], "", &[MalformedObject]);
            check(&format!("[{event},{{\"id\":2}}]"), &[2], "", &[MalformedObject]);
            check(&format!("{{\"traceEvents\":[{{\"id\":1}},{event}],\"a\":1}}"), &[1], "a", &[MalformedObject]);
        }
        let line = format!("{{\"id\":5,{inside},\"bad\":{bad}}}");
        check(&format!("{{\"id\":1}}\n{line}\n{{\"id\":2}}\n"), &[1, 2], "", &[Lines, MalformedObject]);
    }
}

#[test]
fn a_cut_line_costs_no_other() {
    let line = r#"{"id":5,"ph":"X","name":"a name","args":{"x":[1,{"y":"z"}]},"ts":1.5}"#;
    for cut in 1..line.len() {
        let text = format!("{{\"id\":1}}\n{}\n{{\"id\":2,\"ph\":\"X\"}}\n{{\"id\":3,\"ph\":\"X\"}}\n", &line[..cut]);
        let found = found(text.as_bytes());
        for id in 1..=3 {
            let kept = (0..found.events.len()).any(|event| found.value(event, "id") == Some(Json::Unsigned(id)));
            assert!(kept, "cut at {cut}, {id} is lost: {:?}\n{text}", found.faults);
        }
    }
}
