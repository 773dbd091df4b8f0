//! The summary of a report as Markdown, to paste into an issue. Text of a trace is only in code spans, where nothing
//! is markup.

use std::fmt::Write as _;

use serde_json::Value;

use super::notes::Note;
use super::texts::Texts;
use super::{advice, budget, cells, facts, quality};
use crate::clipped::clipped;
use crate::path::list;
use stepscope_base::Nanos;
use stepscope_present::text::{count, duration, percent};

/// The number of listed causes.
const CAUSES: usize = 3;

/// The number of listed sentences of ranks.
const RANKS: usize = 8;

/// The number of listed warnings.
const WARNINGS: usize = 8;

/// The verdict, the budget, causes and advice with their gains, oddities, and facts about the traces.
pub(super) fn markdown(summary: &Value, notes: &[Note], texts: &Texts) -> String {
    let mut text = String::new();
    if let Some(verdict) = budget::verdict(summary, texts) {
        let _ = writeln!(text, "### {}\n", plain(&verdict.first));
        if !verdict.more.is_empty() {
            let _ = writeln!(text, "{}\n", plain(&verdict.more.join(" ")));
        }
        // These have names of files.
        let each = verdict.each.iter().take(RANKS).map(|sentence| code(sentence));
        items(&mut text, each, verdict.each.len().saturating_sub(RANKS), texts);
    }
    let whole = match list(&summary["ranks"]) {
        [rank] => rank,
        _ => &summary["job"],
    };
    of_budget(&mut text, &whole["budget"], texts);
    of_causes(&mut text, list(&whole["causes"]), texts);
    of_advice(&mut text, summary, texts);
    of_notes(&mut text, list(&summary["ranks"]), notes, texts);
    of_quality(&mut text, summary, texts);
    let _ = writeln!(text, "**{}**\n", texts.word("about"));
    let facts =
        facts::facts(summary, texts).into_iter().map(|(name, value)| format!("{}: {}", plain(&name), code(&value)));
    let (made, tool) = facts::tool(texts);
    items(&mut text, facts.chain([format!("{made}: {tool}")]), 0, texts);
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

/// Writes a list, and the number of further items.
fn items(text: &mut String, items: impl Iterator<Item = String>, left: usize, texts: &Texts) {
    let mut is_empty = true;
    for item in items {
        is_empty = false;
        let _ = writeln!(text, "- {item}");
    }
    if left > 0 {
        let _ = writeln!(text, "- {}", texts.say("report.more", &[("count", &count(left as u64))]));
    }
    if !is_empty {
        text.push('\n');
    }
}

fn of_budget(text: &mut String, budget: &Value, texts: &Texts) {
    let parts = budget::parts(budget, texts);
    if parts.is_empty() {
        return;
    }
    let [part, share, time] =
        ["report.markdown.part", "report.markdown.share", "report.markdown.time"].map(|key| texts.word(key));
    let _ = writeln!(text, "{}\n\n| {part} | {share} | {time} |\n| --- | ---: | ---: |", budget::title(budget, texts));
    for part in parts {
        let _ = writeln!(text, "| {} | {} | {} |", plain(&part.name), part.share(), part.time());
    }
    text.push('\n');
}

fn of_causes(text: &mut String, causes: &[Value], texts: &Texts) {
    let said = causes.iter().take(CAUSES).filter_map(|cause| {
        let name = cells::about_late(texts.listed("budget.cause", cause["wording"].as_str()?), cause);
        let time = duration(Nanos(cause["score_ns"].as_i64()?));
        let values = [("cause", &*name), ("share", &percent(cause["share"].as_f64()?)), ("time", &time)];
        let more = [&cause["few_steps"]["text"], &cause["saves"], &cause["hides"]];
        let more: Vec<&str> = more.into_iter().filter_map(Value::as_str).collect();
        let more = if more.is_empty() { String::new() } else { [texts.stop(), &more.join(" ")].concat() };
        Some(plain(&(texts.say("report.cause", &values) + &more)))
    });
    let said: Vec<String> = said.collect();
    if said.is_empty() {
        return;
    }
    let _ = writeln!(text, "**{}**\n", texts.word("report.table.causes"));
    items(text, said.into_iter(), causes.len().saturating_sub(CAUSES), texts);
}

fn of_advice(text: &mut String, summary: &Value, texts: &Texts) {
    let rules = advice::applying(summary);
    let line = |rule: &&Value| {
        let title = plain(&advice::title(rule, texts));
        advice::saving(rule).map_or(title.clone(), |saves| format!("{title}: {}", plain(saves)))
    };
    let _ = writeln!(text, "**{}**\n", texts.word("report.advice"));
    if rules.is_empty() {
        // The cause may name a file.
        let mut sentences = advice::nothing_to_do(&summary["advice_conclusion"], texts).into_iter();
        let first = sentences.next().map(|text| plain(&text));
        items(text, first.into_iter().chain(sentences.map(|text| code(&text))), 0, texts);
        return;
    }
    items(text, rules.iter().take(advice::FIRST).map(line), rules.len().saturating_sub(advice::FIRST), texts);
}

fn of_notes(text: &mut String, ranks: &[Value], notes: &[Note], texts: &Texts) {
    if notes.is_empty() {
        return;
    }
    let _ = writeln!(text, "**{}**\n", texts.word("notes"));
    let said = notes.iter().map(|note| {
        let place = code(&note.place(ranks, texts));
        if note.text.is_empty() { place } else { format!("{} – {place}", code(&note.text)) }
    });
    items(text, said, 0, texts);
}

fn of_quality(text: &mut String, summary: &Value, texts: &Texts) {
    let oddities = quality::oddities(summary, texts);
    let left = oddities.len().saturating_sub(WARNINGS);
    let warnings = oddities.iter().take(WARNINGS).map(|one| {
        let severity = texts.listed("severity", one.severity);
        let values = [("severity", &*severity), ("text", &*plain(&one.text))];
        let sentence = texts.say("report.quality.of", &values);
        if one.example.is_empty() { sentence } else { format!("{sentence} {}", code(&clipped(&one.example))) }
    });
    let missing = quality::missing(summary, texts);
    let all: Vec<String> = warnings.chain(missing.iter().map(|text| plain(text))).collect();
    if all.is_empty() {
        return;
    }
    let _ = writeln!(text, "**{}**\n", texts.word("quality"));
    items(text, all.into_iter(), left, texts);
}

/// A text of this crate's messages, in which backticks are markup.
fn plain(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '<' => escaped.push_str("&lt;"),
            '*' | '|' | '[' | ']' | '\\' => escaped.extend(['\\', character]),
            control if control.is_control() => escaped.push(' '),
            other => escaped.push(other),
        }
    }
    escaped
}

/// A text of a trace as a code span: on one line, with a fence longer than any run of backticks in it.
fn code(text: &str) -> String {
    let is_turn = |character: char| matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_gone = |character: char| character.is_control() || is_turn(character) || character == '\u{2028}';
    let text: String = text.chars().map(|character| if is_gone(character) { ' ' } else { character }).collect();
    let text = text.trim();
    if text.is_empty() {
        return cells::NONE.to_owned();
    }
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    // Markdown drops one space at both ends.
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    [&fence, space, text, space, &fence].concat()
}

#[cfg(test)]
mod tests {
    use super::{code, plain};

    #[test]
    fn text_of_a_trace_is_one_code_span() {
        let cases = [
            ("aten::mm", "`aten::mm`"),
            ("a`b", "``a`b``"),
            ("``x", "``` ``x ```"),
            ("x`", "`` x` ``"),
            ("<img src=x>\n# @user #1 [a](b)", "`<img src=x>  # @user #1 [a](b)`"),
            ("\u{202e}a\u{2028}\0", "`a`"),
            (" \n ", "–"),
            ("", "–"),
        ];
        for (text, expected) in cases {
            assert_eq!(code(text).replace("  ", " "), expected.replace("  ", " "), "{text:?}");
        }
    }

    #[test]
    fn our_own_text_has_no_markup_but_code() {
        assert_eq!(plain("a < b * c | `x` [y]"), "a &lt; b \\* c \\| `x` \\[y\\]");
    }
}
