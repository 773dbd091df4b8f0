//! The measurements.

use std::fs::File;
use std::io::{BufReader, Read};
use std::time::{Duration, Instant};

use flate2::bufread::MultiGzDecoder;
use serde_json::{Value, json};
use stepscope::analyze::AnalysisConfig;
use stepscope::input::{Gunzipper, is_gzip};
use stepscope::parse::{Document, Fault, Keys, Object, Sink};
use stepscope::present::timeline::{Drawing, Strip, Timeline, View};
use stepscope::trace::{deserialize, serialize};
use stepscope::{Loader, Rank};

use crate::asks::asks;
use crate::clock::Stopwatch;

/// One measurement: a file to a JSON object.
type Measure = fn(&str) -> Result<Value, String>;

/// All, ours first.
pub(crate) const MEASUREMENTS: [(&str, Measure); 7] = [
    ("ours", ours),
    ("another_worker", another_worker),
    ("timeline", timeline),
    ("asks", asks),
    ("tokenize", tokenize),
    ("serde_json", serde_json),
    ("inflate", inflate),
];

/// Bytes read at a time, as the program `stepscope` does.
const CHUNK: usize = 256 << 10;

/// Bytes of text that `serde_json` gets: its `Value` takes about ten times as much memory.
const MOST_FOR_VALUE: u64 = 256_000_000;

/// The members that every reader of the Chrome family wants.
const KEYS: &[&str] = &[
    "ph",
    "cat",
    "name",
    "pid",
    "tid",
    "ts",
    "dur",
    "id",
    "args",
    "External id",
    "correlation",
    "stream",
    "device",
    "Ev Idx",
    "Sequence number",
    "Input Dims",
];

#[expect(clippy::needless_pass_by_value, reason = "what `map_err` wants")]
fn said(error: impl ToString) -> String {
    error.to_string()
}

/// A consumer that takes text chunk by chunk into a buffer of its own.
trait Taker {
    fn space(&mut self, len: usize) -> &mut [u8];
    fn advance(&mut self, len: usize) -> Result<(), String>;
}

impl Taker for Loader {
    fn space(&mut self, len: usize) -> &mut [u8] {
        self.space(len)
    }

    fn advance(&mut self, len: usize) -> Result<(), String> {
        self.advance(len).map_err(said)
    }
}

/// Feeds a file's text to a taker; returns its length and the taker's time.
fn feed(file: &str, taker: &mut impl Taker) -> Result<(u64, Duration), String> {
    let mut bytes = File::open(file).map_err(said)?;
    let mut head = [0; 2];
    let known = bytes.read(&mut head).map_err(said)?;
    let compressed = is_gzip(&head[..known]);
    let mut source = head[..known].chain(bytes);
    let mut gunzip = Gunzipper::default();
    let mut packed = vec![0; if compressed { CHUNK } else { 0 }];
    let (mut text, mut at_work) = (0, Duration::ZERO);
    let mut take = |taker: &mut dyn Taker, len: usize| {
        let start = Instant::now();
        let result = taker.advance(len);
        text += len as u64;
        at_work += start.elapsed();
        result
    };
    loop {
        let read = source.read(if compressed { &mut packed } else { taker.space(CHUNK) }).map_err(said)?;
        if read == 0 {
            return Ok((text, at_work));
        }
        if !compressed {
            take(taker, read)?;
            continue;
        }
        let mut input = &packed[..read];
        loop {
            let (used, written) = gunzip.push(input, taker.space(CHUNK));
            take(taker, written)?;
            input = &input[used..];
            if input.is_empty() && written < CHUNK {
                break;
            }
        }
    }
}

fn ours(file: &str) -> Result<Value, String> {
    let total = Stopwatch::start();
    let mut loader = Loader::new(file);
    let reading = Stopwatch::start();
    let (text_bytes, at_work) = feed(file, &mut loader)?;
    let mut reading = reading.read();
    reading["tokenize_and_build_wall_s"] = json!(at_work.as_secs_f64());
    let finishing = Stopwatch::start();
    let loaded = loader.finish().map_err(said)?;
    let finishing = finishing.read();
    let analysing = Stopwatch::start();
    let bytes = std::fs::metadata(file).map_err(said)?.len();
    let rank = Rank::new(file, bytes, loaded, &AnalysisConfig::standard());
    let analysing = analysing.read();
    let mut line = total.read();
    // The page asks for it once the trace is open.
    let budgeting = Stopwatch::start();
    let causes = rank.step_budget().map_or(0, |budget| budget.causes.len());
    let budgeting = budgeting.read();
    let slices = rank.trace.slices.len();
    assert!(slices > 0, "{file} holds slices");
    assert!(!rank.analysis.steps.steps.is_empty(), "{file} has a step");
    line["text_bytes"] = json!(text_bytes);
    line["file_bytes"] = json!(bytes);
    line["format"] = json!(rank.trace.meta.format);
    line["events"] = json!(rank.trace.meta.events);
    line["slices"] = json!(slices);
    line["memory_events"] = json!(rank.trace.memory.len());
    line["held_bytes"] = json!(rank.trace.bytes_held());
    #[expect(clippy::cast_precision_loss, reason = "a ratio for people")]
    let per_slice = rank.trace.bytes_held() as f64 / slices as f64;
    line["bytes_per_slice"] = json!(per_slice);
    line["string_bytes"] = json!(rank.trace.strings.bytes_held());
    let seconds = |stage: &Value| stage["cpu_s"].as_f64().or_else(|| stage["wall_s"].as_f64());
    line["budget_of_load"] = json!(seconds(&budgeting).zip(seconds(&line)).map(|(budget, load)| budget / load));
    line["causes"] = json!(causes);
    line["stages"] =
        json!({"read_tokenize_build": reading, "finish": finishing, "analyse": analysing, "budget": budgeting});
    Ok(line)
}

/// The cost of passing a trace on to another worker, in addition to reading it.
fn another_worker(file: &str) -> Result<Value, String> {
    let reading = Stopwatch::start();
    let mut loader = Loader::new(file);
    feed(file, &mut loader)?;
    let loaded = loader.finish().map_err(said)?;
    let reading = reading.read();
    let serializing = Stopwatch::start();
    let mut pieces = Vec::new();
    serialize(loaded.trace, loaded.warnings, &mut |piece| pieces.push(piece.to_vec()));
    let serializing = serializing.read();
    let serialized: usize = pieces.iter().map(Vec::len).sum();
    let mut pieces = pieces.into_iter();
    let deserializing = Stopwatch::start();
    let back = deserialize(&mut |piece| pieces.next().map(|next| *piece = next).is_some());
    let deserializing = deserializing.read();
    assert!(back.is_some(), "{file}: nothing is missing");
    Ok(
        json!({"serialized_bytes": serialized, "stages": {"read": reading, "serialize": serializing, "deserialize": deserializing}}),
    )
}

/// A file with all reports.
pub(crate) fn opened(file: &str) -> Result<Rank, String> {
    let mut loader = Loader::new(file);
    feed(file, &mut loader)?;
    let loaded = loader.finish().map_err(said)?;
    Ok(Rank::new(file, 0, loaded, &AnalysisConfig::standard()))
}

/// The timeline: the cost of preparing it, and of frames at all zooms and a few places, with all rows one above the
/// other.
fn timeline(file: &str) -> Result<Value, String> {
    const WIDTH: usize = 1600;
    const LINES: usize = 50;
    let ranks = [opened(file)?];
    let of = Stopwatch::start();
    let mut timeline = Timeline::of(&ranks, &[]);
    let of = of.read();
    let preparing = Stopwatch::start();
    for row in 0..timeline.rows().len() {
        timeline.prepare(&ranks, row);
    }
    let preparing = preparing.read();
    let whole = timeline.span(&ranks).len();
    let mut strips = Vec::new();
    let mut lines = 0;
    for row in 0..timeline.rows().len() {
        let count = timeline.lanes(row).unwrap_or(40).min(LINES - lines);
        strips.push(Strip { row, first: 0, count });
        lines += count;
        if lines == LINES {
            break;
        }
    }
    let mut frames: Vec<f64> = Vec::new();
    for zoom in 0..24 {
        for place in 0..8 {
            #[expect(clippy::cast_precision_loss, reason = "a view")]
            let (length, whole) = (whole.0 as f64 / 2_f64.powi(zoom), whole.0 as f64);
            let start = (whole - length) * f64::from(place) / 7.0;
            #[expect(clippy::cast_precision_loss, reason = "a view")]
            let view = View { start, pixel: length / WIDTH as f64, width: WIDTH };
            let begun = Instant::now();
            let picture = timeline.paint(&ranks, &Drawing { view, dark: false, labelled: 26.0 }, &strips);
            frames.push(begun.elapsed().as_secs_f64() * 1e3);
            assert!(picture.pixels.len() == WIDTH * lines * 4, "a line per lane");
        }
    }
    frames.sort_by(f64::total_cmp);
    let at = |percent: usize| frames[(frames.len() - 1) * percent / 100];
    Ok(json!({
        "slices": ranks[0].trace.slices.len(), "rows": timeline.rows().len(), "lines": lines, "rows_found": of,
        "prepared": preparing, "frame_ms": {"median": at(50), "p99": at(99), "longest": at(100)},
    }))
}

struct Tokenizer {
    document: Document,
    seen: Seen,
}

#[derive(Default)]
struct Seen {
    objects: u64,
    faults: u64,
}

impl Sink for Seen {
    fn object(&mut self, _: &Object<'_>) {
        self.objects += 1;
    }

    fn member(&mut self, _: &str, _: &[u8], _: u64) {}

    fn fault(&mut self, _: Fault) {
        self.faults += 1;
    }
}

impl Taker for Tokenizer {
    fn space(&mut self, len: usize) -> &mut [u8] {
        self.document.space(len)
    }

    fn advance(&mut self, len: usize) -> Result<(), String> {
        self.document.advance(len, &mut self.seen);
        Ok(())
    }
}

fn tokenize(file: &str) -> Result<Value, String> {
    let total = Stopwatch::start();
    let mut tokenizer = Tokenizer { document: Document::new("traceEvents", Keys::new(KEYS)), seen: Seen::default() };
    let (text_bytes, at_work) = feed(file, &mut tokenizer)?;
    tokenizer.document.finish(&mut tokenizer.seen);
    let mut line = total.read();
    assert!(tokenizer.seen.objects > 0, "{file} holds objects");
    line["text_bytes"] = json!(text_bytes);
    line["tokenize_wall_s"] = json!(at_work.as_secs_f64());
    line["objects"] = json!(tokenizer.seen.objects);
    line["faults"] = json!(tokenizer.seen.faults);
    Ok(line)
}

/// A file's text, inflated if it is compressed, up to a length.
fn text(file: &str, most: u64) -> Result<Vec<u8>, String> {
    let mut bytes = BufReader::new(File::open(file).map_err(said)?);
    let mut text = Vec::new();
    let head = std::io::BufRead::fill_buf(&mut bytes).map_err(said)?;
    let read = if is_gzip(head) {
        MultiGzDecoder::new(bytes).take(most).read_to_end(&mut text)
    } else {
        bytes.take(most).read_to_end(&mut text)
    };
    read.map_err(said)?;
    Ok(text)
}

fn serde_json(file: &str) -> Result<Value, String> {
    let text = text(file, MOST_FOR_VALUE)?;
    let total = Stopwatch::start();
    let value: Result<Value, serde_json::Error> = serde_json::from_slice(&text);
    let mut line = total.read();
    line["text_bytes"] = json!(text.len());
    match value {
        Ok(value) => assert!(value.is_object() || value.is_array(), "{file} is a document"),
        // Text that is cut at the limit was still read up to there; other errors are reported.
        Err(error) => {
            line["stopped"] = json!(error.to_string());
            if !error.is_eof() {
                line["text_bytes"] = Value::Null;
            }
        }
    }
    Ok(line)
}

fn inflate(file: &str) -> Result<Value, String> {
    let total = Stopwatch::start();
    let mut text = MultiGzDecoder::new(BufReader::with_capacity(CHUNK, File::open(file).map_err(said)?));
    let mut buffer = vec![0; CHUNK];
    let mut text_bytes = 0;
    loop {
        let read = text.read(&mut buffer).map_err(said)?;
        if read == 0 {
            break;
        }
        text_bytes += read as u64;
    }
    let mut line = total.read();
    assert!(text_bytes > 0, "{file} holds text");
    line["text_bytes"] = json!(text_bytes);
    Ok(line)
}
