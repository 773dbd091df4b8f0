//! Each folder `fixtures/timeline/<case>/` is a trace and its picture of the timeline.
//!
//! ```text
//! input.*                  the trace
//! case.toml                source = its origin; note = its purpose
//! expected/picture.txt     all rows at three zooms: runs of pixels as COUNT*RRGGBBAA, `.` where nothing is; labels with their texts
//! expected/*.png           the canvas as a browser shows it: tests/web/timeline-picture.test.mjs
//! ```
//!
//! `STEPSCOPE_BLESS=1 cargo test -p stepscope-tests --test timeline` writes the expected results.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use stepscope::Rank;
use stepscope::analyze::AnalysisConfig;
use stepscope::present::timeline::{Drawing, Picture, Strip, Timeline, View};
use stepscope_tests::files::{load_file, root};

/// Pixels of a line.
const WIDTH: usize = 120;

/// Lines of pixels of a curve.
const CURVE: usize = 6;

/// Allowed difference of a part of a color, of 255: processors round differently.
const TOLERANCE: u8 = 3;

fn cases() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("tests/fixtures/timeline")).expect("a folder");
    let mut cases: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    cases.retain(|path| path.is_dir());
    cases.sort();
    cases
}

fn rank_of(case: &Path) -> Rank {
    let mut entries = fs::read_dir(case).expect("a folder").map(|entry| entry.expect("an entry").path());
    let is_input = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("input."));
    let bytes = fs::read(entries.find(is_input).expect("an input")).expect("the input");
    let loaded = load_file("input", &bytes, 1 << 16).expect("a trace");
    Rank::new("input", bytes.len() as u64, loaded, &AnalysisConfig::standard())
}

/// Runs of pixels that are the same.
fn line_of(pixels: &[u8]) -> String {
    let pixels: Vec<&[u8]> = pixels.chunks_exact(4).collect();
    let run = |run: &[&[u8]]| match run[0] {
        [_, _, _, 0] => format!("{}*.", run.len()),
        [red, green, blue, alpha] => format!("{}*{red:02x}{green:02x}{blue:02x}{alpha:02x}", run.len()),
        _ => String::new(),
    };
    pixels.chunk_by(|a, b| a == b).map(run).collect::<Vec<_>>().join(" ")
}

/// The parts of a line's pixels; `None` if it is not a line of pixels.
fn pixels_of(line: &str) -> Option<Vec<u8>> {
    let mut pixels = Vec::new();
    for run in line.strip_prefix("  ")?.split(' ') {
        let (count, color) = run.split_once('*')?;
        let color = if color == "." { 0 } else { u32::from_str_radix(color, 16).ok()? };
        for _ in 0..count.parse::<usize>().ok()? {
            pixels.extend(color.to_be_bytes());
        }
    }
    Some(pixels)
}

fn strips(timeline: &Timeline) -> Vec<Strip> {
    let strip = |row| Strip { row, first: 0, count: timeline.lanes(row).unwrap_or(CURVE) };
    (0..timeline.rows().len()).map(strip).collect()
}

/// Rows and labels as text.
fn told(ranks: &[Rank], timeline: &Timeline, picture: &Picture) -> String {
    let mut text = String::new();
    let mut line = 0;
    for strip in strips(timeline) {
        writeln!(text, " row {} {:?}", strip.row, timeline.rows()[strip.row].kind).expect("memory");
        for _ in 0..strip.count {
            let pixels = &picture.pixels[line * WIDTH * 4..(line + 1) * WIDTH * 4];
            writeln!(text, "  {}", line_of(pixels)).expect("memory");
            for label in picture.labels.iter().filter(|label| label.line as usize == line) {
                let (left, right, light) = (label.left, label.right, if label.light { "dark" } else { "light" });
                let words = timeline.text(ranks, label.row as usize, label.number);
                writeln!(text, "   {left:.1}-{right:.1} {light} text: {words}").expect("memory");
            }
            line += 1;
        }
    }
    text
}

fn pictures(ranks: &[Rank]) -> String {
    let mut timeline = Timeline::of(ranks, &[]);
    let end = timeline.span(ranks).end.0 as f64;
    let mut text = String::new();
    for (start, length, dark) in [(0.0, 1.0, false), (0.0, 1.0, true), (0.3, 0.1, false), (0.42, 0.01, false)] {
        let (start, pixel) = (start * end, length * end / WIDTH as f64);
        let drawing = Drawing { view: View { start, pixel, width: WIDTH }, dark, labelled: 26.0 };
        let picture = timeline.paint(ranks, &drawing, &strips(&timeline));
        writeln!(text, "from {start:.0} ns, {pixel:.1} ns per pixel, {}", if dark { "dark" } else { "light" })
            .expect("memory");
        text += &told(ranks, &timeline, &picture);
    }
    text
}

/// Lines in which two pictures differ by more than rounding.
fn differing<'a>(found: &'a str, expected: &'a str) -> Vec<(usize, &'a str, &'a str)> {
    let same = |(found, expected): (&str, &str)| {
        if found == expected {
            return true;
        }
        let (Some(found), Some(expected)) = (pixels_of(found), pixels_of(expected)) else { return false };
        found.len() == expected.len() && found.iter().zip(&expected).all(|(a, b)| a.abs_diff(*b) <= TOLERANCE)
    };
    let lines = found.lines().zip(expected.lines()).enumerate();
    let mut differing: Vec<(usize, &str, &str)> =
        lines.filter(|(_, pair)| !same(*pair)).map(|(index, (found, expected))| (index + 1, found, expected)).collect();
    let (lines, expected) = (found.lines().count(), expected.lines().count());
    if lines != expected {
        differing.push((lines.min(expected) + 1, "lines are", "more or fewer"));
    }
    differing
}

#[test]
fn pictures_are_as_they_were() {
    let cases = cases();
    assert!(cases.len() >= 2, "{cases:?}");
    for case in cases {
        let found = pictures(&[rank_of(&case)]);
        let path = case.join("expected/picture.txt");
        if std::env::var_os("STEPSCOPE_BLESS").is_some() {
            fs::create_dir_all(case.join("expected")).expect("a folder");
            fs::write(&path, &found).expect("a file");
            continue;
        }
        let expected = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let differing = differing(&found, &expected);
        assert!(differing.is_empty(), "{}: {:#?}", path.display(), &differing[..differing.len().min(5)]);
    }
}

#[test]
fn lines_are_read_back() {
    let pixels: Vec<u8> = [[0, 0, 0, 0], [1, 2, 3, 255], [1, 2, 3, 255], [0, 0, 0, 0]].concat();
    assert_eq!(line_of(&pixels), "1*. 2*010203ff 1*.");
    assert_eq!(pixels_of("  1*. 2*010203ff 1*."), Some(pixels));
    assert!(differing("  1*01020304", "  1*01020307").is_empty());
    assert_eq!(differing("  1*01020304", "  1*01020308").len(), 1);
    assert_eq!(differing("  1*01020304", "  2*01020304").len(), 1);
    assert_eq!(differing("  1*01020304", "").len(), 1);
    assert_eq!(differing(" row 1", " row 2").len(), 1);
}
