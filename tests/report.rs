//! The report in one HTML file, for every fixture's summary: complete and well formed.

#![expect(clippy::panic, reason = "a test says so what is wrong")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use stepscope::Nanos;
use stepscope::analyze::{
    AdviceConfig, AnalysisConfig, CompareConfig, CompareSide, TimeCategory, described_tables, overview,
};
use stepscope::export::perfetto::{ExportConfig, Level, write};
use stepscope::export::report_json::{Summary, SummaryParts, SummaryRequest};
use stepscope::present::kernel_names::short_names;
use stepscope::present::text::duration;
use stepscope::report::{Language, Texts, escaped};
use stepscope_tests::files::{rank, root};

/// A report in English.
fn report(summary: &[u8], scripts: Option<&str>) -> Result<stepscope::report::Report, String> {
    stepscope::report::report(summary, scripts, &[], &Texts::of(Language::English))
}

/// The summaries of all fixtures, by their paths.
fn summaries() -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join("tests/fixtures")];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.ends_with("expected/summary.json") {
                let text = fs::read(&path).expect("a file");
                found.push((path, text));
            }
        }
    }
    found.sort();
    found
}

/// Elements without content and end tag.
const EMPTY: [&str; 5] = ["meta", "circle", "line", "rect", "path"];

/// Fails if an element is not closed, or another one is.
fn well_formed(path: &Path, html: &str) {
    let mut open: Vec<&str> = Vec::new();
    // Style sheets are no markup.
    let style = html.find("</style>").unwrap_or_default();
    let body = html.strip_prefix("<!doctype html>\n").expect("a document");
    let mut rest = body;
    while let Some(start) = rest.find('<') {
        let inside = &rest[start + 1..];
        let end = inside.find('>').unwrap_or_else(|| panic!("{}: a tag without an end", path.display()));
        let tag = &inside[..end];
        rest = &inside[end + 1..];
        let name = tag.trim_start_matches('/').split([' ', '\n', '/']).next().unwrap_or_default();
        if let Some(ended) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(ended), "{}: at {:?}", path.display(), &rest[..rest.len().min(80)]);
        } else if !tag.ends_with('/') && !EMPTY.contains(&name) {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{}: {open:?} have no end", path.display());
    assert!(style > 0);
}

/// Fails if a link has no target, or two anchors have one name.
fn anchors(path: &Path, html: &str) {
    let after = |start: &str| html.split(start).skip(1).filter_map(|rest| rest.split('"').next()).collect::<Vec<_>>();
    let ids = after(" id=\"");
    let unique: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), unique.len(), "{}: {ids:?}", path.display());
    let links = after("href=\"#");
    assert!(!links.is_empty(), "{}: no contents", path.display());
    let lost: Vec<&str> = links.into_iter().filter(|link| !unique.contains(link)).collect();
    assert!(lost.is_empty(), "{}: {lost:?}", path.display());
}

/// The texts of a document outside of its style sheet and of the elements of one tag.
fn visible(html: &str) -> String {
    let body = html.split_once("<body>").map_or("", |(_, body)| body);
    body.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| format!("{text}\n")).collect()
}

/// A missing message shows as its key.
#[test]
fn every_text_of_a_report_is_a_message_in_both_languages() {
    for language in [Language::English, Language::Chinese] {
        let texts = Texts::of(language);
        for (path, summary) in summaries() {
            let made = stepscope::report::report(&summary, None, &[], &texts).expect("a report");
            let text = visible(&made.before) + &stepscope::report::markdown(&summary, &[], &texts).expect("a summary");
            for start in ["report.", "advice.", "budget.", "drill_down.", "overview.", "warning.", "tile.", "ranks."] {
                let is_key = |word: &str| {
                    word.strip_prefix(start)
                        .is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_lowercase()))
                };
                let key = text.split_whitespace().find(|word| is_key(word));
                assert_eq!(key, None, "{}, {language:?}", path.display());
            }
            assert!(!text.contains("{count") && !text.contains("{name}"), "{}", path.display());
        }
    }
}

#[test]
fn a_chinese_report_has_no_english_headings() {
    // Words that Chinese texts have, too.
    const SAME: [&str; 8] = ["ID", "FLOPs", "FLOP/s", "GFLOP/s", "Rank", "rank", "Kernel", "Memset"];
    let texts = Texts::of(Language::Chinese);
    let is_chinese = |text: &str| text.chars().any(|character| ('\u{4e00}'..='\u{9fff}').contains(&character));
    for (path, summary) in summaries() {
        let summary_value: Value = serde_json::from_slice(&summary).expect("JSON");
        // The profiler's own tables have its own heads.
        let recorded: BTreeSet<String> = summary_value["ranks"]
            .as_array()
            .into_iter()
            .flatten()
            .flat_map(|rank| rank["recorded"].as_array().cloned().unwrap_or_default())
            .flat_map(|table| table["columns"].as_array().cloned().unwrap_or_default())
            .map(|column| escaped(&column["name"].as_str().unwrap_or_default().replace('_', " ")))
            .collect();
        let sentences: BTreeSet<String> = summary_value["ranks"]
            .as_array()
            .into_iter()
            .flatten()
            .chain([&summary_value["job"]])
            .flat_map(|whole| whole["budget"]["sentences"].as_array().cloned().unwrap_or_default())
            .map(|sentence| escaped(sentence.as_str().unwrap_or_default()))
            .collect();
        let html = stepscope::report::report(&summary, None, &[], &texts).expect("a report").before;
        assert!(html.contains("<html lang=\"zh-Hans\">"));
        for tag in ["th", "h2", "h3", "dt", "figcaption"] {
            for part in html.split(&format!("<{tag}>")).skip(1) {
                let text = part.split('<').next().unwrap_or_default();
                let is_fine = text.is_empty() || is_chinese(text) || SAME.contains(&text) || recorded.contains(text);
                // Sentences of the verdict were written with the summary.
                let is_verdict = tag == "h2" && sentences.contains(text);
                assert!(is_fine || is_verdict, "{}: <{tag}>{text}", path.display());
            }
        }
    }
}

#[test]
fn every_summary_has_a_report() {
    let pages = fs::read_to_string(root().join("www/i18n/en.json")).expect("the page's messages");
    let pages: Value = serde_json::from_str(&pages).expect("messages");
    let summaries = summaries();
    assert!(summaries.len() > 50, "there are fixtures");
    for (path, summary) in summaries {
        let made = report(&summary, None).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let html = format!("{}{}", made.before, made.after);
        well_formed(&path, &html);
        assert!(html.len() < 1_500_000, "{}: {}", path.display(), html.len());
        assert!(!html.contains("<script"), "{}", path.display());
        // Nothing is fetched: links lead to the report's own sections, and there is no other address except that of
        // SVG's namespace.
        assert!(!html.contains("src=") && !html.contains("url("), "{}", path.display());
        let is_own = |link: &&str| link.starts_with("\"#");
        assert!(html.split("href=").skip(1).all(|link| is_own(&link)), "{}", path.display());
        anchors(&path, &html);
        let summary: Value = serde_json::from_slice(&summary).expect("JSON");
        for rule in summary["advice"].as_array().into_iter().flatten() {
            let title = rule["title"].as_str().expect("a title");
            assert!(html.contains(&escaped(title)), "{}: {title}", path.display());
        }
        for rank in summary["ranks"].as_array().expect("ranks") {
            let average = &rank["average"];
            if average["steps"].as_u64() > Some(0) {
                let step = duration(Nanos(average["step_ns"].as_i64().expect("a time")));
                assert!(html.contains(&step), "{}: {step}", path.display());
                // Without a device, nothing is known to idle.
                let has_device = rank["device_time"].as_array().is_some_and(|devices| !devices.is_empty());
                let tile = if has_device { "Idle in data loading</span>" } else { "Data loading</span>" };
                let is_told = html.contains(tile);
                let is_one = summary["ranks"].as_array().map_or(0, Vec::len) == 1;
                let is_none =
                    rank["phase_sources"]["dataloader"] == "absent" && average["categories"]["dataloader_ns"] == 0;
                assert!(!is_one || is_told != is_none, "{}: {is_told}", path.display());
            }
            for (list, name) in [("operators", "name"), ("kernels", "name"), ("copies", "name"), ("steps", "name")] {
                let rows = || rank[list].as_array().into_iter().flatten();
                let whole: Vec<&str> = rows().map(|row| row[name].as_str().expect("a name")).collect();
                let names: Vec<String> = if list == "kernels" {
                    short_names(&whole).into_iter().map(Into::into).collect()
                } else {
                    whole.into_iter().map(str::to_owned).collect()
                };
                for name in names.iter().take(10) {
                    // A long name shows its beginning.
                    let name: String = name.chars().take(250).collect();
                    let text = escaped(&name);
                    assert!(html.contains(&text), "{}: {list}: {text}", path.display());
                }
            }
            for table in rank["recorded"].as_array().into_iter().flatten() {
                let id = table["id"].as_str().expect("an id");
                let name = &pages["recorded.".to_owned() + id];
                let name = name.as_str().map_or_else(|| id.replace('_', " "), escaped);
                assert!(html.contains(&format!("<summary>{name}")), "{}: {id}", path.display());
            }
        }
    }
}

/// The lists of a value, by their paths as the report's tables name them.
fn lists<'a>(value: &'a Value, path: &str, found: &mut Vec<(String, &'a Value)>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                lists(value, &path, found);
            }
        }
        Value::Array(items) if items.iter().any(Value::is_object) => {
            found.push((path.to_owned(), value));
            for item in items {
                lists(item, &format!("{path}[]"), found);
            }
        }
        _ => {}
    }
}

/// "All tables", the page says: each list of a summary is in a table, or drawn in another way that is named here.
#[test]
fn every_list_is_in_the_report() {
    const OTHERWISE: [(&str, &str); 15] = [
        ("ranks", "each has its own part"),
        ("ranks[].recorded", "each is a table"),
        ("ranks[].recorded[].columns", "the heads of it"),
        ("ranks[].memory.recorded[].curve", "a curve"),
        ("ranks[].memory.processes[].curve", "a curve"),
        ("advice", "what to do"),
        ("advice_conclusion.missing", "a sentence where there is no advice"),
        ("advice[].evidence", "what to do"),
        ("advice[].ranks", "what to do: their names and the median"),
        ("advice[].ranks[].evidence", "that of the first is shown"),
        ("job.causes[].longest", "links of the page to a rank's timeline; each rank's part has its own spans"),
        ("job.drill_down", "a list"),
        ("job.walk", "the same by its earlier name"),
        ("not_a_job.traces", "a list of sentences"),
        ("ranks[].idle[].step_leaves_ns", "the device's causes are shown; those of each step are for scripts"),
    ];
    let tables: Vec<String> = stepscope::report::tables().collect();
    let mut seen = Vec::new();
    for (path, summary) in summaries() {
        let summary: Value = serde_json::from_slice(&summary).expect("JSON");
        let mut found = Vec::new();
        lists(&summary, "", &mut found);
        for (list, _) in found {
            let is_known = tables.contains(&list) || OTHERWISE.iter().any(|(name, _)| *name == list);
            let is_cell = list == "job.ranks[].marks";
            assert!(is_known || is_cell, "{}: no table shows {list}", path.display());
            seen.push(list);
        }
    }
    // Tables that are in no summary would never be tested.
    // Links need jobs whose ranks send to each other: such jobs are generated, none is a fixture.
    // Summaries have critical paths and the use of the devices on request, reports always: the next test has them.
    const UNSEEN: [&str; 4] =
        ["job.links", "ranks[].critical_path.rows", "ranks[].kernel_use.kernels", "ranks[].kernel_use.operators"];
    let unseen: Vec<String> =
        tables.into_iter().filter(|table| !UNSEEN.contains(&&**table) && !seen.contains(table)).collect();
    assert!(unseen.is_empty(), "no fixture has {unseen:?}");
}

#[test]
fn a_report_has_critical_paths_and_the_use_of_the_device() {
    let config = AdviceConfig::default();
    let titles = |case: &str, request: SummaryRequest<'_>, titles: [&str; 2]| {
        let text = fs::read(root().join("tests/fixtures/kineto").join(case).join("input.json")).expect("a file");
        let mut parts = SummaryParts::new(request);
        parts.add(&rank("trace.json", &text, &AnalysisConfig::standard()).expect("a trace"));
        let html = report(&parts.finish().to_json(), None).expect("a report").before;
        anchors(Path::new(case), &html);
        titles.map(|one| html.matches(&format!("<summary>{one}")).count())
    };
    let expected = ["Critical paths of the steps, by name", "Kernels, whole trace"];
    assert_eq!(titles("another_profiler", SummaryRequest::of_report(&config), expected), [1, 1]);
    assert_eq!(titles("another_profiler", SummaryRequest::of(&config), expected), [0, 1]);
    // Its operators have the shapes of their inputs.
    let expected = ["FLOPs by operator", "Kernels, whole trace"];
    assert_eq!(titles("cuda", SummaryRequest::of_report(&config), expected), [1, 1]);
    assert_eq!(titles("cuda", SummaryRequest::of(&config), expected), [0, 1]);
}

/// Each described table is in the report, or is named here with the reason why it is not.
#[test]
fn every_described_table_is_in_the_report() {
    const OTHERWISE: [(&str, &str); 2] =
        [("range.names", "of a range of time that a person chose"), ("range.changes", "of two such ranges")];
    let shown: Vec<String> = stepscope::report::tables().collect();
    let is_shown = |id: &str| shown.iter().any(|path| path == id || path.strip_prefix("ranks[].") == Some(id));
    let missing: Vec<&str> = described_tables().iter().map(|table| table.id).filter(|id| !is_shown(id)).collect();
    assert_eq!(missing, OTHERWISE.map(|(id, _)| id).to_vec());
}

#[test]
fn what_is_no_step_is_not_called_one() {
    let rank = |source: &str| {
        json!({"input": "a", "step_source": source, "average": {"steps": 1, "step_ns": 41_000_000_000_i64,
            "device_time": {"window_ns": 41_000_000_000_i64, "busy_ns": 1}}})
    };
    let made = |ranks: Value| report(json!({ "ranks": ranks }).to_string().as_bytes(), None).expect("a report").before;
    let whole = made(json!([rank("whole_trace")]));
    assert!(whole.contains("The trace marks no steps") && whole.contains("first to last event"), "{whole}");
    let mut of_operators = rank("whole_trace");
    of_operators["whole_step"] =
        json!({"span": "operators", "outside_ns": 9_000_000, "device_busy_outside_ns": 8_000_000});
    let of_operators = made(json!([of_operators]));
    assert!(of_operators.contains("first to last host operator"), "{of_operators}");
    assert!(of_operators.contains("9.000 ms of the trace is outside this time (devices busy for 8.000 ms)."));
    let mut bare = rank("whole_trace");
    (bare["only_tables"], bare["average"]) = (json!(true), json!({"steps": 0, "step_ns": 0}));
    bare["recorded"] = json!([{"id": "parallel_nodes"}]);
    assert!(made(json!([bare.clone()])).contains("There is no timeline: the files have 1 of"));
    let several = made(json!([bare.clone(), bare]));
    assert!(several.contains("no timeline<") && !several.contains("0 ns"), "{several}");
    assert!(!whole.contains("one step<"), "{whole}");
    assert!(made(json!([rank("marks")])).contains("one step<"));
    assert!(made(json!([rank("whole_trace"), rank("marks")])).contains("none marked<"));
}

#[test]
fn a_recorded_table_has_no_more_columns_than_fit() {
    let columns: Vec<Value> =
        (0..30).map(|index| json!({"name": format!("column_{index}"), "unit": "number"})).collect();
    let row: Vec<i64> = (0..30).collect();
    let rank = json!({"input": "a", "recorded": [{"id": "samples", "columns": columns, "rows": [row]}]});
    let html = report(json!({"ranks": [rank]}).to_string().as_bytes(), None).expect("a report").before;
    assert!(html.contains("samples (6 more columns are not shown)"), "{html}");
    assert!(html.contains("column 23<") && !html.contains("column 24<"));
}

/// The host's time while a device's state is unknown is a column of its own.
#[test]
fn steps_leave_out_what_the_device_hides() {
    let step = json!({"name": "7", "categories": {"cpu_ns": 18_000_000, "other_ns": 9_000_000},
        "categories_before_first_activity": {"cpu_ns": 15_000_000, "total_ns": 15_000_000}});
    let rank = json!({"input": "a", "steps": [step]});
    let html = report(json!({"ranks": [rank]}).to_string().as_bytes(), None).expect("a report").before;
    for cell in ["Device state unknown at start<", ">3.000 ms<", ">15.00 ms<", ">9.000 ms<"] {
        assert!(html.contains(cell), "{cell}: {html}");
    }
    assert!(!html.contains(">18.00 ms<"), "{html}");
}

#[test]
fn advice_has_its_evidence_and_warnings_their_sentences() {
    let summary = json!({
        "inputs": [{"name": "a", "warnings": [{"code": "truncated", "severity": "warning", "count": 1}]}],
        "advice": [{"rule": "long_gaps", "verdict": "holds", "title": "Pauses", "text": "Look below.", "evidence": [
            {"name": "gc.collect", "start_ns": 5_000_000, "duration_ns": 2_000_000},
            {"name": "share", "value": 0.5, "unit": "share"},
        ]}],
    });
    let html = report(summary.to_string().as_bytes(), None).expect("a report").before;
    assert!(html.contains("gc.collect") && html.contains("at 5"), "{html}");
    assert!(html.contains("50.0"), "{html}");
    let sentence = stepscope::Code::ALL.iter().find(|code| code.name() == "truncated").expect("a code").describe();
    assert_eq!(html.matches(&escaped(sentence)).count(), 3, "at the top, in the table, in Markdown");
}

/// Text such as `</script>` or a quotation mark must not end anything, whatever its source.
#[test]
fn text_of_a_trace_is_text_everywhere() {
    const EVIL: &str = "</style></script><b onclick=\"x\">&\u{202e}";
    fn poisoned(value: &Value) -> Value {
        match value {
            Value::String(_) => json!(EVIL),
            Value::Array(items) => items.iter().map(poisoned).collect(),
            Value::Object(fields) => fields.iter().map(|(key, value)| (key.clone(), poisoned(value))).collect(),
            other => other.clone(),
        }
    }
    for (path, summary) in summaries() {
        let summary: Value = serde_json::from_slice(&summary).expect("JSON");
        let mut evil = poisoned(&summary);
        // Applicable rules are shown.
        for rule in evil["advice"].as_array_mut().into_iter().flatten() {
            rule["verdict"] = json!("holds");
        }
        let made = report(evil.to_string().as_bytes(), None).unwrap_or_else(|error| panic!("{error}"));
        let html = format!("{}{}", made.before, made.after);
        well_formed(&path, &html);
        assert!(!html.contains("<b onclick"), "{}", path.display());
        assert_eq!(html.matches("</style>").count(), 1, "{}", path.display());
    }
}

#[test]
fn what_is_no_summary_is_refused() {
    let error = report(b"{", None).expect_err("no JSON");
    assert!(error.contains("the summary"), "{error}");
    let error = report(b"{}", Some("<script>")).expect_err("no hash");
    assert!(error.contains("hash"), "{error}");
    // A hash with more than one source.
    assert!(report(b"{}", Some("<script data-hash=\"a' *\">")).is_err());
    let made = report(b"{}", Some("<script data-hash=\"sha256-a+/=\">")).expect("a report");
    assert!(made.before.contains("script-src 'sha256-a+/=' 'wasm-unsafe-eval'"), "{}", made.before);
}

/// Host categories before the first recorded activity have no known cost: they are counted nowhere, and their time is
/// shown everywhere.
#[test]
fn the_time_before_the_first_activity_is_the_same_everywhere() {
    let text = fs::read(root().join("tests/fixtures/kineto/lead_in/input.json")).expect("the fixture");
    let rank = rank("lead_in.json", &text, &AnalysisConfig::standard()).expect("a trace");
    let analysis = &rank.analysis;
    let early = Nanos(400_000);
    let times =
        [analysis.step_devices[0][0].before_first, analysis.idle[0].before_first, analysis.time_before_first(0)];
    assert_eq!(times, [early; 3]);
    let launches = &analysis.launches.total;
    assert_eq!((launches.delayed, launches.queued, launches.before_first, launches.late), (4, 1, 2, 1));
    let wait = overview(analysis, None).tiles[3].time;
    assert_eq!(wait, analysis.average.known_categories()[TimeCategory::Dataloader as usize]);
    assert!(wait < analysis.average.categories[TimeCategory::Dataloader as usize]);

    let summary = Summary::of(std::slice::from_ref(&rank)).to_json();
    let html: String = report(&summary, None).expect("a report").before;
    let tile = html
        .split("<div class=\"tile of-dataloader\">")
        .nth(1)
        .and_then(|rest| rest.split("</div>").next())
        .expect("a tile");
    assert!(tile.contains(&duration(wait)), "{tile}");

    let side = CompareSide::of(&rank, CompareConfig { shapes: false });
    assert_eq!((side.before_first, side.categories.iter().copied().sum::<Nanos>()), (early, side.length - early));
    let named: Nanos = side.contributions.iter().map(|row| row.own).sum();
    assert_eq!(named, side.length - early);

    for level in [Level::Summary, Level::Detail] {
        let mut export = Vec::new();
        write(&[&rank], ExportConfig::of(level), &mut export).expect("an export");
        let export = String::from_utf8(export).expect("text");
        assert!(export.contains(r#""device state unknown at start (ns)":400000"#), "the step's arguments");
        assert!(export.contains("device 0: device state unknown at start"), "a lane");
    }
}

/// The host is late only until it has launched: late starts are a column of their own, as on the page.
#[test]
fn late_starts_are_no_host_wait() {
    let path = root().join("tests/fixtures/kineto/another_profiler/expected/summary.json");
    let html = report(&fs::read(path).expect("a summary"), None).expect("a report").before;
    let table = html.split("Why the devices idle").last().expect("a table").split("</table>").next().expect("its end");
    for text in ["Host wait<", ">1.130 ms · 20.2 %<", "Late start, unexplained<", ">120.0 µs · 2.1 %<"] {
        let is_there = table.replace(['\u{a0}', '\u{202f}', '\u{2009}'], " ").contains(text);
        assert!(is_there, "{text}: {table}");
    }
    assert!(!table.contains("Step before the first activity"), "the trace has none: {table}");
}

/// The table of ranks is described: what page and terminal show of a rank stands in the report, too.
#[test]
fn ranks_have_all_columns_of_their_description() {
    let path = root().join("tests/fixtures/kineto/slow_rank/expected/summary.json");
    let html = report(&fs::read(path).expect("a summary"), None).expect("a report").before;
    let tables = html.split("<summary>").filter(|table| table.starts_with("Ranks<") || table.starts_with("Ranks ("));
    let table = tables.last().expect("a table").split("</table>").next().expect("its end");
    for head in ["Own, to the next step<", "Exposed<", "Clock<", "Residual of the clock<", "Devices<", "Marks<"] {
        assert!(table.contains(head), "{head}: {table}");
    }
}
