//! Splits the lines into nvprof's messages, rows of tables, and the program's own output.

use std::borrow::Cow;

use super::layout::{Kind, Layout, title};
use super::{summary, trace};
use crate::clip::clip;
use stepscope_base::{Code, Warnings};
use stepscope_trace::TraceBuilder;

/// The longest line that can be a row: programs may print longer ones, nvprof does not.
const LONGEST: usize = 1 << 16;

/// Reads lines that arrive in chunks.
pub(super) struct Lines {
    pub(super) builder: TraceBuilder,
    pub(super) warnings: Warnings,
    /// The incomplete line, and whether it is already too long.
    line: Vec<u8>,
    too_long: bool,
    /// The position of the current line.
    position: u64,
    table: Option<Table>,
    /// The content of the next table, from a message.
    announced: Announced,
    /// The process of the messages.
    process: Option<i64>,
    summaries: summary::Summaries,
    activities: trace::Activities,
    /// Lines that are the program's own output.
    foreign: u64,
}

struct Table {
    layout: Layout,
    /// Whether the line below the titles may hold units.
    expects_units: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Announced {
    Activities,
    Calls,
    /// Tables that are not read.
    Other,
}

impl Lines {
    pub(super) fn new(mut builder: TraceBuilder) -> Self {
        let activities = trace::Activities::new(&mut builder);
        Self {
            builder,
            warnings: Warnings::default(),
            line: Vec::new(),
            too_long: false,
            position: 0,
            table: None,
            announced: Announced::Activities,
            process: None,
            summaries: summary::Summaries::default(),
            activities,
            foreign: 0,
        }
    }

    /// Takes the next bytes.
    pub(super) fn push(&mut self, mut bytes: &[u8]) {
        while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
            let (line, rest) = bytes.split_at(end);
            self.append(line);
            self.end_line(1);
            bytes = &rest[1..];
        }
        self.append(bytes);
    }

    fn append(&mut self, bytes: &[u8]) {
        // Bytes beyond the limit are only counted.
        let room = LONGEST.saturating_sub(self.line.len());
        self.too_long |= bytes.len() > room;
        self.line.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.position += bytes.len() as u64;
    }

    fn end_line(&mut self, line_break: u64) {
        let line = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&line);
        let start = self.position - line.len() as u64;
        // The program's own output may be in any encoding.
        if self.table.is_some() && matches!(text, Cow::Owned(_)) {
            self.warnings.add(Code::InvalidUtf8, Some(start), || "expected UTF-8".to_owned());
        }
        let text = text.trim_end_matches('\r').trim_start_matches('\u{feff}');
        if self.too_long {
            // No table continues after such a line.
            self.foreign += 1;
            self.table = None;
        } else {
            self.line_at(text, start);
        }
        self.too_long = false;
        self.position += line_break;
        self.line = line;
        self.line.clear();
    }

    /// Reads the last line, which may have no newline, and adds the tables to the trace.
    pub(super) fn finish(&mut self) {
        if !self.line.is_empty() {
            self.end_line(0);
        }
        self.summaries.finish(&mut self.builder);
        self.builder.meta.framework = "nvprof".into();
        if self.foreign > 0 {
            self.builder.meta.facts.push(("other lines".to_owned(), self.foreign.to_string()));
        }
    }

    fn line_at(&mut self, line: &str, position: u64) {
        if let Some((process, message)) = message(line) {
            self.table = None;
            self.process = process.or(self.process);
            self.message(message, position);
            return;
        }
        if line.trim().is_empty() {
            self.table = None;
            return;
        }
        if let Some(layout) = titles(line) {
            self.table = Some(Table { layout, expects_units: true });
            return;
        }
        if is_legend(line) {
            self.table = None;
            return;
        }
        let Some(table) = &mut self.table else {
            self.foreign += u64::from(self.announced != Announced::Other);
            return;
        };
        if std::mem::take(&mut table.expects_units) && table.layout.take_units(line) {
            return;
        }
        let found = match table.layout.kind() {
            Kind::Summary => self.summaries.row(&table.layout, line, self.announced == Announced::Calls, self.process),
            _ => {
                let place = trace::RowOrigin { process: self.process, position };
                let Self { builder, warnings, activities, .. } = self;
                activities.row(builder, warnings, &table.layout, line, place)
            }
        };
        match found {
            Some(()) => self.builder.meta.events += 1,
            None => self.warnings.add(Code::MalformedRow, Some(position), || clip(line)),
        }
    }

    fn message(&mut self, message: &str, position: u64) {
        const FACTS: [(&str, &str); 2] =
            [("NVPROF is profiling process", "command"), ("Profiling application: ", "application")];
        self.announced = match message {
            "Profiling result:" => Announced::Activities,
            "API calls:" => Announced::Calls,
            _ if message.ends_with(" result:") => {
                self.warnings.add(Code::UnreadTable, Some(position), || clip(message));
                Announced::Other
            }
            _ => self.announced,
        };
        if message.starts_with("Warning:") || message.starts_with("Error:") || message.starts_with("No ") {
            self.warnings.add(Code::ProfilerErrors, Some(position), || clip(message));
        }
        let fact = FACTS.iter().find_map(|(start, fact)| Some((fact, message.strip_prefix(start)?)));
        if let Some((fact, rest)) = fact {
            let text = rest.split_once("command: ").map_or(rest, |(_, command)| command);
            let fact = ((*fact).to_owned(), clip(text.trim()));
            if !self.builder.meta.facts.contains(&fact) {
                self.builder.meta.facts.push(fact);
            }
        }
    }
}

/// A message of nvprof: the text after its process's id, or after `========` in a log file.
pub(super) fn message(line: &str) -> Option<(Option<i64>, &str)> {
    let rest = line.strip_prefix("==")?;
    let (id, message) = rest.split_once("== ").or_else(|| Some((rest.strip_suffix("==")?, "")))?;
    let process = id.parse().ok();
    (process.is_some() || id == "====").then(|| (process, message.trim()))
}

/// Whether a line explains the columns below a trace, such as `Regs: Number of registers used per CUDA thread.`
fn is_legend(line: &str) -> bool {
    const WORDS: [&str; 5] = ["Regs: ", "SSMem: ", "DSMem: ", "SrcMemType: ", "DstMemType: "];
    WORDS.iter().any(|word| line.starts_with(word))
}

/// The layout of a line of titles. Most lines do not have one of the required words and are not parsed.
pub(super) fn titles(line: &str) -> Option<Layout> {
    let titled = [title::SHARE, title::START].iter().any(|title| line.contains(title)) && line.contains(title::NAME);
    titled.then(|| Layout::of(line)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nvprof_says_itself() {
        assert_eq!(message("==7522== Profiling result:"), Some((Some(7522), "Profiling result:")));
        assert_eq!(message("======== Profiling result:"), Some((None, "Profiling result:")));
        assert_eq!(message("==== a heading of the program ===="), None);
        assert_eq!(message("== 5 == x"), None);
    }
}
