//! Names that a careless writer puts between quotes without escaping, as Paddle's exporter does.

use stepscope_tests::oracle::Json;

use super::{found, json, kinds};

/// Events as Paddle writes them, with nothing escaped.
fn written(names: &[&[u8]]) -> Vec<u8> {
    let mut text = b"\n  {\n    \"displayTimeUnit\": \"ms\",\n    \"traceEvents\": [\n  ".to_vec();
    for name in names {
        text.extend_from_slice(b"\n  {\n    \"name\": \"");
        text.extend_from_slice(name);
        text.extend_from_slice(b"[1.250 us]\", \"pid\": 23730, \"tid\": \"23730(Python)\",\n    \"ts\": 1795230280083322, \"dur\": 1.250,\n    \"ph\": \"X\", \"cat\": \"UserDefined\",\n    \"args\": {\n      \"start_time\": \"0.000 us\",\n      \"end_time\": \"1.250 us\"\n    }\n  },\n  ");
    }
    text.extend_from_slice(b"\n  {}\n  ],\n  \"ExtraInfo\": {\n     \"23730\": \"MainThread\"\n  }\n  }\n  ");
    text
}

#[test]
fn names_are_read_as_they_were_meant() {
    let names = [
        "plain",
        "a \"quoted\" name",
        "\"quoted\"",
        "a \"\" b",
        "5\" disk",
        "two\nlines",
        "tab\tand\rreturn",
        "null\0byte",
        "C:\\new\\x",
        "\\\\server\\share\\",
        "step {\"lr\": 0.1, \"bs\": 2}",
        "{\"a\": \"b\", \"c\": \"d\"}",
        "[\"a\", \"b\"]",
        "a\",\"b\":1",
        "x\", \"y\": 2",
        "a\": 1",
        "a\"}",
        "a\"]",
        "f(\"x\", 'y')",
        "<b class=\"c\">",
        "print(\"a\\n\")",
        "\u{540d}\u{5b57} \"\u{5f15}\"",
    ];
    for name in names {
        let text = written(&[b"before", name.as_bytes(), b"behind"]);
        let found = found(&text);
        let all: Vec<Option<Json>> = (0..3).map(|event| found.value(event, "name")).collect();
        let meant = [b"before", name.as_bytes(), b"behind"]
            .map(|name| Some(Json::Text(format!("{}[1.250 us]", String::from_utf8_lossy(name)))));
        // A name with only valid escapes cannot be distinguished from an escaped one.
        if name == "print(\"a\\n\")" {
            assert_eq!(all[1], Some(Json::Text("print(\"a\n\")[1.250 us]".into())));
            continue;
        }
        assert_eq!(all, meant, "{:?}", kinds(&found));
        assert_eq!(
            found.value(1, "args"),
            Some(json(r#"{"start_time": "0.000 us", "end_time": "1.250 us"}"#)),
            "{name}"
        );
        assert_eq!(found.value(1, "dur"), Some(Json::Float(1.25)), "{name}");
        assert_eq!((found.events.len(), found.members.len()), (4, 2), "{name}");
    }
}

/// No rule reads these as intended; they must cost no other event.
#[test]
fn names_that_look_like_json_cost_nothing_else() {
    for name in [
        "a\",\"b\":\"",
        "a\"}, {\"name\": \"b",
        "\"}, {\"name\": \"",
        "a\",\"ph\":\"M",
        "\\",
        "x\\\"",
        "\": \"",
        "{",
        "}",
        "]}, {",
        "a\"}]}",
        "a\"}],",
    ] {
        let text = written(&[b"before", name.as_bytes(), b"behind"]);
        let found = found(&text);
        for meant in ["before[1.250 us]", "behind[1.250 us]"] {
            let kept =
                (0..found.events.len()).any(|event| found.value(event, "name") == Some(Json::Text(meant.into())));
            assert!(kept, "{name:?} takes {meant} with it: {:?}", kinds(&found));
        }
        // The text after the list may be lost with the list's end.
        assert!(found.members.len() == 2 || name.contains(']'), "{name:?}: {:?}", kinds(&found));
    }
}
