//! The user's notes on events and ranges.

use serde_json::Value;

use super::html::Html;
use super::texts::Texts;
use crate::rank_name::name_of;
use stepscope_base::{Interval, Nanos};
use stepscope_present::text::duration;

/// A note on an event or a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The rank, by its index in the summary.
    pub rank: usize,
    /// The name of its subject.
    pub name: String,
    /// The user's text; empty for a bookmark.
    pub text: String,
    /// The subject's time on the rank's clock; none if its trace is not in memory.
    pub span: Option<Interval>,
}

impl Note {
    /// The notes listed in a text as JSON: objects with `rank`, `name`, `text`, `start_ns` and `end_ns`; the last two
    /// are optional.
    ///
    /// # Errors
    ///
    /// If the text is not such a list.
    pub fn list(json: &str) -> Result<Vec<Self>, String> {
        let listed: Vec<Value> = serde_json::from_str(json).map_err(|error| format!("the notes: {error}"))?;
        let note = |one: &Value| {
            let text = |key: &str| one[key].as_str().map(str::to_owned);
            let time = |key: &str| one[key].as_i64().map(Nanos);
            let span = time("start_ns").zip(time("end_ns")).filter(|(start, end)| start <= end);
            Some(Self {
                rank: usize::try_from(one["rank"].as_u64()?).ok()?,
                name: text("name")?,
                text: text("text")?,
                span: span.map(|(start, end)| Interval::new(start, end)),
            })
        };
        listed.iter().map(|one| note(one).ok_or_else(|| format!("the notes: no note: {one}"))).collect()
    }

    /// The note's subject with its time and, with several traces, its rank.
    pub(super) fn place(&self, ranks: &[Value], texts: &Texts) -> String {
        let time = self.span.map(|span| {
            let [length, start] = [span.len(), span.start].map(duration);
            texts.say("event.at", &[("length", &length), ("start", &start)])
        });
        let rank = ranks.get(self.rank).filter(|_| ranks.len() > 1).map(|rank| name_of(rank, self.rank, texts));
        [Some(self.name.clone()), time, rank].into_iter().flatten().collect::<Vec<_>>().join(" · ")
    }
}

/// The list of notes; nothing if there are none.
pub(super) fn section(html: &mut Html, ranks: &[Value], notes: &[Note], texts: &Texts) {
    if notes.is_empty() {
        return;
    }
    html.open_at("section", "card notes", "notes");
    html.element("h2", "", &texts.word("notes"));
    html.open("ul", "");
    for note in notes {
        html.open("li", "");
        if !note.text.is_empty() {
            html.element("strong", "", &note.text);
            html.raw("<br>");
        }
        html.text(&note.place(ranks, texts));
        html.close("li");
    }
    html.close("ul");
    html.close("section");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_notes() {
        let listed = r#"[{"rank": 1, "name": "gemm", "text": "slow", "start_ns": 5, "end_ns": 9}, {"rank": 0, "name": "gone", "text": ""}]"#;
        let notes = Note::list(listed).expect("notes");
        assert_eq!(notes[0].span, Some(Interval::new(Nanos(5), Nanos(9))));
        assert_eq!((notes[0].rank, notes[1].rank, notes[1].span), (1, 0, None));
        // An end before its start is ignored.
        assert_eq!(
            Note::list(r#"[{"rank": 0, "name": "", "text": "", "start_ns": 9, "end_ns": 5}]"#).expect("a note")[0].span,
            None
        );
        for wrong in ["", "{}", "[1]", r#"[{"rank": -1, "name": "", "text": ""}]"#, r#"[{"rank": 0, "name": ""}]"#] {
            assert!(Note::list(wrong).is_err(), "{wrong}");
        }
    }
}
