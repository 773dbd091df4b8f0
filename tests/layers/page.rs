//! The page: allowed imports, and its common parts with the analyzer.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use stepscope::present::colors::{COLORS, FAMILY_COLORS, Rgb};
use stepscope::{Code, RejectionReason};
use stepscope_tests::files::{error_codes, root};

use super::{analyzer, files, none, short, text};

/// Modules that views may import: for drawing, for texts, and for the state. None of these can reach the analyzer.
const VIEWS_IMPORT: [&str; 11] = [
    "page/dom.js",
    "page/hashed.js",
    "page/files/adding.js",
    "page/files/files.js",
    "page/state.js",
    "page/environment/book.js",
    "page/environment/face.js",
    "page/environment/i18n.js",
    "page/environment/parts.js",
    "page/environment/environment.js",
    "page/environment/theme.js",
];

/// The folder of views.
const VIEWS: &str = "page/views/";

/// A folder of pure functions: positions on the timeline.
const PURE: &str = "page/timeline/";

/// The folders by the thread that runs them, with their allowed imports besides themselves. Types may come from
/// anywhere.
const THREADS: [(&str, &[&str]); 5] = [
    ("page/", &["shared/"]),
    ("session/", &["loaders/", "shared/"]),
    ("loaders/", &["shared/"]),
    ("shared/", &[]),
    ("protocol/", &[]),
];

/// The most scripts of a folder: more are hard to overlook.
const MOST_SCRIPTS: usize = 15;

/// Modules that reach the analyzer, with the scripts that may import them.
const GUARDED: [(&str, &[&str]); 14] = [
    // The page loads it for charts, the workers for everything else.
    ("shared/wasm.js", &["page/main.js", "session/worker.js", "loaders/reader.js", "loaders/loader.js"]),
    ("page/client.js", &["page/main.js", "page/app.js", "page/comparing.js"]),
    ("session/worker.js", &[]),
    ("loaders/reader.js", &[]),
    ("loaders/loader.js", &[]),
    ("loaders/rank-reader.js", &["session/opening.js", "loaders/loader.js"]),
    (
        "loaders/text-reader.js",
        &["session/worker.js", "loaders/loader.js", "session/search-args.js", "session/html-report.js"],
    ),
    ("session/opening.js", &["session/worker.js"]),
    ("session/rank-loaders.js", &["session/opening.js"]),
    ("session/piece-reader.js", &["session/opening.js"]),
    ("session/loader-pool.js", &["session/rank-loaders.js", "session/piece-reader.js"]),
    ("session/event-text.js", &["session/worker.js"]),
    ("session/painter.js", &["session/worker.js"]),
    (
        "shared/spawn.js",
        &["page/client.js", "session/event-text.js", "session/loader-pool.js", "loaders/text-reader.js"],
    ),
];

/// The modules that a script imports at run time: types in comments do not count.
pub(super) fn imports(script: &str) -> Vec<&str> {
    let statement =
        |line: &&str| line.starts_with("import ") || line.starts_with("} from ") || line.starts_with("export * from ");
    let lines = script.lines().filter(statement);
    lines.filter_map(|line| line.split(['\'', '"']).nth(1)).collect()
}

/// The path of an import of a script, from the scripts' folder.
pub(super) fn resolved(name: &str, import: &str) -> String {
    let mut folders: Vec<&str> = name.split('/').collect();
    folders.pop();
    for part in import.split('/') {
        match part {
            "." => {}
            ".." => drop(folders.pop()),
            part => folders.push(part),
        }
    }
    folders.join("/")
}

fn violations(name: &str, script: &str) -> Vec<String> {
    let mut found = Vec::new();
    for import in imports(script) {
        let of = resolved(name, import);
        let is_fine = VIEWS_IMPORT.contains(&&*of) || of.starts_with(VIEWS) || of.starts_with(PURE);
        if name.starts_with(VIEWS) && !is_fine {
            found.push(format!("a view must not import {import}"));
        }
        if name.starts_with(PURE) && !of.starts_with(PURE) && of != "shared/axis.js" {
            found.push(format!("what only says where things stand must not import {import}"));
        }
        if let Some((own, others)) = THREADS.iter().find(|(own, _)| name.starts_with(own))
            && !of.starts_with(own)
            && !others.iter().any(|other| of.starts_with(other))
        {
            found.push(format!("{own} must not import {import}: another thread runs it"));
        }
        if let Some((_, may)) = GUARDED.iter().find(|(guarded, _)| *guarded == of)
            && !may.contains(&name)
        {
            found.push(format!("must not import {import}: only {may:?} may"));
        }
        if !import.starts_with('.') {
            found.push(format!("{import} is not the page's own"));
        }
    }
    if !THREADS.iter().any(|(own, _)| name.starts_with(own)) {
        found.push("is in no thread's folder".to_owned());
    }
    if name.starts_with(VIEWS) && script.lines().any(|line| line.contains("import(") && !line.contains('*')) {
        found.push("a view must not import at run time".to_owned());
    }
    found
}

#[test]
fn views_draw_and_nothing_else() {
    let mut problems = Vec::new();
    let scripts = files("www/js", &[".js"]);
    assert!(scripts.len() > 20, "{} scripts", scripts.len());
    for path in scripts {
        let name = short(&path);
        let found = violations(name.trim_start_matches("www/js/"), &text(&path));
        problems.extend(found.into_iter().map(|what| format!("{name}: {what}")));
    }
    none(&problems);
}

#[test]
fn no_folder_of_scripts_is_too_full() {
    let mut folders: BTreeMap<String, usize> = BTreeMap::new();
    for path in files("www/js", &[".js"]) {
        let name = short(&path);
        let (folder, _) = name.rsplit_once('/').expect("a script is in a folder");
        *folders.entry(folder.to_owned()).or_default() += 1;
    }
    let full = folders.into_iter().filter(|(_, count)| *count > MOST_SCRIPTS);
    none(&full.map(|(folder, count)| format!("{folder} has {count} scripts")).collect::<Vec<_>>());
}

#[test]
fn the_scan_sees_what_views_must_not_import() {
    let view = "page/views/tables/a.js";
    assert_eq!(violations(view, "import {h} from '../../dom.js';\nimport {B} from './b.js';\n"), [""; 0]);
    let others =
        ["../../client.js", "../../../session/worker.js", "../../../shared/wasm.js", "https://example.org/x.js"];
    for import in others {
        assert!(!violations(view, &format!("import {{x}} from '{import}';")).is_empty(), "{import}");
    }
    assert_eq!(
        violations(
            "page/views/timeline/a.js",
            "import {B} from '../charts/b.js';\nimport {c} from '../../timeline/c.js';"
        ),
        [""; 0]
    );
    assert!(!violations(view, "import {App} from '../../app.js';").is_empty());
    assert!(!violations(view, "import {\n  a,\n} from '../../app.js';").is_empty());
    assert!(!violations(view, "const a = await import('../../dom.js');").is_empty());
    assert!(violations(view, "/** @param {import('../../app.js').App} app */").is_empty());
}

#[test]
fn the_scan_sees_who_reaches_the_analyzer_and_other_threads() {
    assert!(!violations("page/state.js", "import {Client} from './client.js';").is_empty());
    assert!(!violations("page/timeline/a.js", "import {h} from '../dom.js';").is_empty());
    assert!(!violations("page/a.js", "import {Painter} from '../session/painter.js';").is_empty());
    assert!(!violations("session/a.js", "import {h} from '../page/dom.js';").is_empty());
    assert!(!violations("loaders/a.js", "import {Exporting} from '../session/exporting.js';").is_empty());
    assert!(!violations("shared/a.js", "import {Exporting} from '../session/exporting.js';").is_empty());
    assert!(!violations("a.js", "").is_empty());
    assert_eq!(violations("session/a.js", "import {problemOf} from '../shared/problem.js';"), [""; 0]);
}

pub(super) fn messages(language: &str) -> BTreeMap<String, String> {
    let read = |path: String| -> BTreeMap<String, String> {
        serde_json::from_str(&text(&root().join(path))).expect("messages are texts")
    };
    let files = [
        format!("www/i18n/{language}.json"),
        format!("crate/table/src/messages/{language}.json"),
        format!("crate/present/src/messages/{language}.json"),
        format!("crate/report/src/messages/report.{language}.json"),
    ];
    let mut all = BTreeMap::new();
    for file in files {
        let messages = read(file.clone());
        let twice: Vec<&String> = messages.keys().filter(|key| all.contains_key(*key)).collect();
        assert!(twice.is_empty(), "messages of another file are in {file}, too: {twice:?}");
        all.extend(messages);
    }
    all
}

/// The names in braces that a message fills in.
fn blanks(message: &str) -> BTreeSet<&str> {
    message
        .split('{')
        .skip(1)
        .filter_map(|rest| rest.split_once('}'))
        .map(|(name, _)| name.split('|').next().unwrap_or(name))
        .collect()
}

#[test]
fn both_languages_say_the_same_things() {
    let (english, chinese) = (messages("en"), messages("zh"));
    let keys = |messages: &BTreeMap<String, String>| messages.keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&english), keys(&chinese));
    for (key, message) in &english {
        assert!(!message.is_empty() && !chinese[key].is_empty(), "{key} is empty");
        assert_eq!(blanks(message), blanks(&chinese[key]), "{key} fills in other names");
    }
}

#[test]
fn every_warning_and_error_is_said_in_both_languages() {
    let (english, chinese) = (messages("en"), messages("zh"));
    for code in Code::ALL {
        let key = format!("warning.{}", code.name());
        assert_eq!(
            english.get(&key).map(String::as_str),
            Some(code.describe()),
            "{key} differs from the program's words"
        );
        assert!(chinese.contains_key(&key), "{key} is not in zh.json");
    }
    for reason in RejectionReason::ALL {
        let key = format!("rejection.{}", reason.name());
        assert_eq!(english.get(&key).map(String::as_str), Some(reason.describe()), "{key} differs");
    }
    let codes = error_codes();
    assert!(codes.len() >= 7, "{codes:?}");
    let missing: Vec<&String> = codes.iter().filter(|code| !english.contains_key(&format!("problem.{code}"))).collect();
    assert!(missing.is_empty(), "the page has no words for {missing:?}");
    let warnings = Code::ALL.iter().map(|code| format!("warning.{}", code.name()));
    let known: BTreeSet<String> =
        warnings.chain(RejectionReason::ALL.iter().map(|reason| format!("rejection.{}", reason.name()))).collect();
    let is_code = |key: &String| key.starts_with("warning.") || key.starts_with("rejection.");
    let unknown: Vec<&String> = english.keys().filter(|key| is_code(key) && !known.contains(*key)).collect();
    assert!(unknown.is_empty(), "nothing has the codes {unknown:?}");
}

#[test]
fn every_recorded_table_of_the_golden_cases_has_a_name_in_both_languages() {
    let summaries =
        files("tests/fixtures", &["summary.json"]).into_iter().filter(|path| path.ends_with("expected/summary.json"));
    let mut named = BTreeSet::new();
    for path in summaries {
        let summary: Value = serde_json::from_str(&text(&path)).expect("a summary is JSON");
        let ranks = summary["ranks"].as_array().expect("ranks");
        let tables = ranks.iter().filter_map(|rank| rank["recorded"].as_array()).flatten();
        named.extend(tables.map(|table| format!("recorded.{}", table["id"].as_str().expect("an id"))));
    }
    assert!(named.len() > 40, "{} tables", named.len());
    for language in ["en", "zh"] {
        let messages = messages(language);
        let missing: Vec<&String> = named.iter().filter(|key| !messages.contains_key(*key)).collect();
        assert!(missing.is_empty(), "{language}.json has no words for {missing:?}");
    }
}

#[test]
fn classes_have_the_same_colours_in_charts_and_on_the_page() {
    let sheet = text(&root().join("www/css/base.css"));
    let rgb = |(red, green, blue): Rgb| format!("rgb({red} {green} {blue})");
    let values = |start: &str| -> Vec<&str> {
        sheet
            .lines()
            .filter_map(|line| line.trim().strip_prefix(start))
            .map(|rest| rest.trim_end_matches(';'))
            .collect()
    };
    for (kind, colors) in [("class", &COLORS[..]), ("family", &FAMILY_COLORS[..])] {
        for class in colors {
            let found = values(&format!("--{kind}-{}: ", class.name));
            assert_eq!(found, [rgb(class.light), rgb(class.dark)], "{}: light, then dark", class.name);
        }
        let declared = sheet.lines().filter(|line| line.trim().starts_with(&format!("--{kind}-"))).count();
        assert_eq!(declared, 2 * colors.len(), "the style sheet has another {kind} than the charts");
    }
}

#[test]
fn the_legend_of_the_timeline_lists_all_families() {
    let script = text(&root().join("www/js/page/views/timeline/bar.js"));
    let list = script.split("const FAMILIES = [").nth(1).and_then(|rest| rest.split(']').next()).expect("the list");
    let listed: Vec<&str> =
        list.split(',').map(|name| name.trim().trim_matches('\'')).filter(|name| !name.is_empty()).collect();
    assert_eq!(listed, FAMILY_COLORS.map(|family| family.name));
}

/// Whether a source declares a function, type, trait or module of that name.
fn declares(source: &str, name: &str) -> bool {
    ["fn ", "struct ", "enum ", "trait ", "mod "].iter().any(|kind| {
        let mut rest = source;
        std::iter::from_fn(|| {
            let (_, after) = rest.split_once(kind)?;
            rest = after;
            Some(after)
        })
        .filter_map(|after| after.strip_prefix(name))
        .any(|after| !after.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_'))
    })
}

/// The page's wasm is split by paths of functions: one that is renamed would silently return to the first download.
#[test]
fn what_is_loaded_on_demand_exists() {
    let split = text(&root().join("xtask/src/page/split/mod.rs"));
    let begin = split.find("const SELDOM").expect("a list");
    let end = begin + split[begin..].find("/// All methods of readers").expect("an end");
    let quoted = split[begin..end].lines().filter_map(|line| line.trim().strip_prefix('"')?.split('"').next());
    // Whole crates need no check.
    let paths: Vec<&str> = quoted.filter(|path| path.contains("::") || path.starts_with("session")).collect();
    assert!(paths.len() > 100, "{paths:?}");
    let format = files("collector/format", &[".rs"]);
    let sources: Vec<(String, String)> =
        analyzer().iter().chain(&format).map(|path| (short(path), text(path))).collect();
    let is_there = |path: &&str| {
        let (krate, rest) = path.split_once("::").unwrap_or(("stepscope", path));
        let folder = match krate.strip_prefix("stepscope") {
            Some("") => "crate/src/".to_owned(),
            Some("_format") => "collector/format/src/".to_owned(),
            Some(name) => ["crate/", &name[1..], "/src/"].concat(),
            None => return true,
        };
        // Exports of the session are named `session_METHOD`.
        let rest = rest.trim_start_matches("session_").trim_start_matches("secretmask_");
        // Each part lies in the files that the parts before it lead to.
        let mut scope: Vec<&(String, String)> = sources.iter().filter(|(file, _)| file.starts_with(&folder)).collect();
        rest.replace('>', "").split("::").all(|part| {
            let is_file = |(name, _): &&&(String, String)| {
                name.ends_with(&["/", part, ".rs"].concat()) || name.contains(&["/", part, "/"].concat())
            };
            let module: Vec<_> = scope.iter().filter(is_file).copied().collect();
            let inside = || scope.iter().filter(|(_, text)| declares(text, part)).copied().collect();
            scope = if module.is_empty() { inside() } else { module };
            !scope.is_empty()
        })
    };
    none(&paths.iter().filter(|path| !is_there(path)).map(|path| (*path).to_owned()).collect::<Vec<_>>());
}
