//! The Perf Summary that Paddle's profiler prints at the end of a run, with `timer_only` or without, and ours too: the
//! last one in a log.
//!
//! ```text
//! ============================================Perf Summary============================================
//! Reader Ratio: 53.514%
//! Time Unit: s, IPS Unit: steps/s
//! |                 |       avg       |       max       |       min       |
//! |   reader_cost   |     0.01367     |     0.01407     |     0.01310     |
//! |   batch_cost    |     0.02555     |     0.02381     |     0.02220     |
//! |       ips       |     39.13907    |     45.03588    |     41.99930    |
//! ```
//!
//! Paddle leaves out the ratio and the cost of readers where they are zero. A log says nothing of a trace beside it.
//!
//! Source: `TimerHook` of Paddle's `profiler/timer.py`.

use crate::reader::{About, Counts, Finished, Method, Reader, Reading};
use crate::{Head, Verdict};
use stepscope_base::{Error, ErrorKind, RejectionReason, Warnings};
use stepscope_trace::{Cell, RecordedTable, RecordedUnit, TraceBuilder};

/// Text of the line above a summary.
const TITLE: &str = "=Perf Summary=";

/// The longest line that can be a row: programs may print longer ones.
const LONGEST: usize = 1 << 12;

/// The values of a Perf Summary: each row is mean, maximum and minimum. Times in seconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PerfSummary {
    /// The wait for data as a part of a step; none where it is zero.
    pub reader_ratio: Option<f64>,
    /// The unit of the rate, such as `steps/s`.
    pub unit: String,
    /// A step's wait for data.
    pub reader_cost: Option<[f64; 3]>,
    /// A step.
    pub batch_cost: Option<[f64; 3]>,
    /// Samples or steps per second.
    pub ips: Option<[f64; 3]>,
}

impl PerfSummary {
    /// The last one in a text; none if it has none.
    #[must_use]
    pub fn last_in(text: &[u8]) -> Option<Self> {
        let mut log = Log::default();
        log.push(text);
        log.into_summary()
    }

    /// Adds what a line below the title says.
    fn line(&mut self, line: &str) {
        if let Some((_, ratio)) = line.split_once("Reader Ratio:") {
            self.reader_ratio = finite(ratio.trim().trim_end_matches('%')).map(|percent| percent / 100.0);
        } else if let Some((_, unit)) = line.split_once("IPS Unit:") {
            unit.trim().clone_into(&mut self.unit);
        } else if let Some((_, row)) = line.split_once('|') {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            let [name, avg, max, min, ..] = cells[..] else { return };
            let [Some(avg), Some(max), Some(min)] = [avg, max, min].map(finite) else { return };
            let values = Some([avg, max, min]);
            match name {
                "reader_cost" => self.reader_cost = values,
                "batch_cost" => self.batch_cost = values,
                "ips" => self.ips = values,
                _ => {}
            }
        }
    }

    /// The summary as a table, with a row for each of mean, maximum and minimum.
    fn table(&self, file: &str) -> RecordedTable {
        use RecordedUnit::{Nanoseconds, Number, Share, Text};
        let columns = [
            ("", Text),
            ("reader_ratio", Share),
            ("reader_cost", Nanoseconds),
            ("batch_cost", Nanoseconds),
            ("ips", Number),
            ("ips_unit", Text),
        ];
        let mut table = RecordedTable::new("perf_summary", file, &columns);
        #[expect(clippy::cast_possible_truncation, reason = "seconds of a step")]
        let time = |seconds: f64| Cell::Integer((seconds * 1e9).round() as i64);
        for (place, name) in ["avg", "max", "min"].into_iter().enumerate() {
            let at = |values: Option<[f64; 3]>| values.map(|values| values[place]);
            let cell = |value: Option<f64>, of: fn(f64) -> Cell| value.map_or(Cell::Empty, of);
            table.rows.push(vec![
                Cell::Text(name.to_owned()),
                cell(self.reader_ratio.filter(|_| place == 0), Cell::Real),
                cell(at(self.reader_cost), time),
                cell(at(self.batch_cost), time),
                cell(at(self.ips), Cell::Real),
                Cell::Text(self.unit.clone()),
            ]);
        }
        table
    }
}

/// A log in pieces.
#[derive(Default)]
struct Log {
    /// The summary whose title came last.
    found: Option<PerfSummary>,
    /// The incomplete line, as far as it can be a row.
    line: Vec<u8>,
}

impl Log {
    fn push(&mut self, text: &[u8]) {
        let mut lines = text.split(|byte| *byte == b'\n').peekable();
        while let Some(part) = lines.next() {
            self.line.extend_from_slice(&part[..part.len().min(LONGEST.saturating_sub(self.line.len()))]);
            if lines.peek().is_some() {
                self.end_line();
            }
        }
    }

    fn end_line(&mut self) {
        let line = String::from_utf8_lossy(&self.line);
        if line.contains(TITLE) {
            self.found = Some(PerfSummary::default());
        } else if let Some(found) = &mut self.found {
            found.line(&line);
        }
        self.line.clear();
    }

    fn into_summary(mut self) -> Option<PerfSummary> {
        self.end_line();
        self.found.filter(|found| found.batch_cost.is_some() || found.ips.is_some())
    }
}

/// The reader of logs with a Perf Summary.
pub(crate) struct PerfSummaryLog;

impl Reader for PerfSummaryLog {
    fn id(&self) -> &'static str {
        "perf_summary"
    }

    fn about(&self) -> About {
        About {
            title: "Perf Summary (printed)",
            versions: "PaddlePaddle 2.3 to 3.3, Stepscope: `timer_only`",
            read: "reader ratio, reader_cost, batch_cost and ips of the last one in a log, within the first or last bytes of a plain file",
            not_read: "other lines of the log",
        }
    }

    fn sniff(&self, _: &str, head: Head<'_>) -> Verdict {
        match head.trimmed().first() {
            Some(b'{' | b'[') => Verdict::No(RejectionReason::NoPerfSummary),
            _ if head.contains(TITLE) => Verdict::Yes,
            _ if !head.whole => Verdict::NeedMore,
            _ => Verdict::No(RejectionReason::NoPerfSummary),
        }
    }

    fn why_alone(&self) -> Option<RejectionReason> {
        Some(RejectionReason::PerfSummary)
    }

    fn method(&self) -> Method {
        Method::Stream(|builder| Box::new(LogReading { builder, log: Log::default(), buffer: Vec::new() }))
    }
}

/// A log in progress.
struct LogReading {
    builder: TraceBuilder,
    log: Log,
    buffer: Vec<u8>,
}

impl Reading for LogReading {
    fn space(&mut self, len: usize) -> &mut [u8] {
        self.buffer.resize(len.max(self.buffer.len()), 0);
        &mut self.buffer[..len]
    }

    fn advance(&mut self, len: usize) -> Result<(), Error> {
        self.log.push(&self.buffer[..len]);
        Ok(())
    }

    fn counts(&self) -> Counts {
        Counts::of(&self.builder)
    }

    fn finish(self: Box<Self>) -> Finished {
        let Self { mut builder, log, .. } = *self;
        let found = log.into_summary();
        let error = found.is_none().then(|| Error::new(ErrorKind::NoEvents));
        if let Some(found) = found {
            let table = found.table(builder.input_name());
            builder.table(table);
        }
        Finished { builder, warnings: Warnings::default(), error }
    }
}

/// A number; none for what is no number or has no end.
fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = "epoch: 0\n====Perf Summary====\nReader Ratio: 50.000%\nTime Unit: s, IPS Unit: samples/s\n\
        |  | avg | max | min |\n| reader_cost | 0.01 | 0.02 | 0.005 |\n| batch_cost | 0.02 | 0.03 | 0.01 |\n\
        | ips | 1600.5 | 3200 | 1066.7 |\n";

    #[test]
    fn the_last_summary_of_a_log_counts() {
        let again = PRINTED.replace("50.000", "25.000").replace("samples/s", "steps/s");
        let log = [PRINTED, &"x".repeat(2 * LONGEST), "\n", &again, "done"].concat();
        let whole = PerfSummary::last_in(log.as_bytes()).expect("a summary");
        assert_eq!((whole.reader_ratio, whole.unit.as_str()), (Some(0.25), "steps/s"));
        assert_eq!(whole.batch_cost, Some([0.02, 0.03, 0.01]));
        let mut pieces = Log::default();
        log.as_bytes().chunks(3).for_each(|piece| pieces.push(piece));
        assert_eq!(pieces.into_summary(), Some(whole));
        assert_eq!(PerfSummary::last_in(b"epoch: 0\nReader Ratio: 1%\n"), None);
        assert_eq!(PerfSummary::last_in(b"=Perf Summary=\nReader Ratio: 1%\n"), None, "it is cut");
    }

    #[test]
    fn rows_are_mean_maximum_and_minimum() {
        let table = PerfSummary::last_in(PRINTED.as_bytes()).expect("a summary").table("train.log");
        let row = |place: usize, name: &str| table.cell(&table.rows[place], name).clone();
        assert_eq!([row(0, "reader_ratio"), row(1, "reader_ratio")], [Cell::Real(0.5), Cell::Empty]);
        assert_eq!(
            [0, 1, 2].map(|place| row(place, "reader_cost").nanos().expect("a time").0),
            [10_000_000, 20_000_000, 5_000_000]
        );
        assert_eq!((row(2, "ips"), row(0, "ips_unit")), (Cell::Real(1066.7), Cell::Text("samples/s".to_owned())));
        // Without a wait for data there are no readers' rows.
        let none = PerfSummary::last_in(b"=Perf Summary=\n| batch_cost | 0.02 | 0.03 | 0.01 |").expect("a summary");
        assert_eq!(none.table("x").rows[0][1..3], [Cell::Empty, Cell::Empty]);
    }
}
