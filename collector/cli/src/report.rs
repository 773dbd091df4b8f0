//! `stepscope report`: one HTML file, optionally with the traces and the analyzer.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::read::GzEncoder;
use flate2::write::GzEncoder as GzWriter;
use serde_json::Value;
use stepscope::analyze::{AdviceConfig, AnalysisConfig};
use stepscope::export::report_json::{SummaryParts, SummaryRequest};
use stepscope::present::text::bytes;
use stepscope::report::{self, Carried, Language, Report, Texts, carried};

use crate::args::{ReportLanguage, ReportOptions};
use crate::copy::{self, Secrets};
use crate::grid::printable;
use crate::open;
use crate::output::print;
use crate::result::Result;
use crate::serve;
use crate::serve::served::{self, Served};
use crate::written::{beside_first, is_standard, name_of};

/// The scripts, in the page's folder of assets.
const ANALYZER: &str = "analyzer.html";

/// Bytes from which a file's compression is detected: as many as any magic number has.
const HEAD: u64 = 16;

/// Writes the report, or prints its size.
pub(crate) fn run(options: &ReportOptions) -> Result {
    let input = &options.input;
    let output = options.output.clone().unwrap_or_else(|| usual_name(&input.files, options.markdown));
    let is_markdown = check_name(&output, options)?;
    if options.trace && !(input.rank.is_empty() && input.steps.is_none()) {
        return Err(
            "a report with traces reads them again by the page's own rule: leave out --trace, or --rank and --steps"
                .into(),
        );
    }
    if options.trace && !options.peaks.given().list().is_empty() {
        return Err("a report that carries traces uses the peaks of the table: leave out --trace, or --peak".into());
    }
    let advice = AdviceConfig::default();
    let language = match options.language {
        ReportLanguage::En => Language::English,
        ReportLanguage::Zh => Language::Chinese,
    };
    let texts = Texts::of(language);
    let mut parts = SummaryParts::new(SummaryRequest { language, ..SummaryRequest::of_report(&advice) });
    let mut read = Vec::new();
    let config = AnalysisConfig { peaks: options.peaks.given(), ..AnalysisConfig::standard() };
    open::each_rank(input, &config, |rank| {
        read.extend(rank.trace.meta.inputs.iter().map(|file| file.name.clone()));
        parts.add(&rank);
    })?;
    parts.sort();
    let summary = without_place(&parts.finish().to_json(), &input.files)?;
    let analyzer = if options.trace { Some(analyzer(options.page.as_deref())?) } else { None };
    let report = if is_markdown {
        Report { before: report::markdown(&summary, &[], &texts)?, after: "" }
    } else {
        report::report(&summary, analyzer.as_deref(), &[], &texts)?
    };
    let files = match &analyzer {
        // Other files in the folders were reported when they were read.
        Some(_) => served::traces(&input.files)?.0.into_iter().filter(|file| was_read(file, &read)).collect(),
        None => Vec::new(),
    };
    let tell = |sizes: &Sizes| eprintln!("{}: {sizes}", name_of(&output));
    if options.dry_run {
        let sizes = write(&report, analyzer.as_deref(), &files, &mut io::sink());
        tell(&sizes.map_err(|error| error.to_string())?);
        return Ok(());
    }
    tell(&beside_first(&output, |file| write(&report, analyzer.as_deref(), &files, file))?);
    if options.print_path { print(&[output.as_os_str().as_encoded_bytes(), b"\n"].concat()) } else { Ok(()) }
}

/// A summary with file names relative to the given folders: their location is private, and the page does not know it
/// either.
fn without_place(summary: &[u8], files: &[PathBuf]) -> Result<Vec<u8>> {
    let places: Vec<String> = files
        .iter()
        .filter_map(|file| {
            let place = file.parent().filter(|place| !place.as_os_str().is_empty())?;
            Some(format!("{}/", printable(&place.to_string_lossy()).trim_end_matches('/')))
        })
        .collect();
    let mut summary: Value = serde_json::from_slice(summary).map_err(|error| format!("the summary: {error}"))?;
    let strip = |text: &mut Value| {
        let inside = text.as_str().and_then(|text| places.iter().find_map(|place| text.strip_prefix(place.as_str())));
        if let Some(inside) = inside.map(str::to_owned) {
            *text = Value::String(inside);
        }
    };
    let inputs = summary.get_mut("inputs").and_then(Value::as_array_mut).into_iter().flatten();
    for input in inputs {
        for (list, key) in [("files", "name"), ("warnings", "example")] {
            let items = input.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten();
            items.filter_map(|item| item.get_mut(key)).for_each(strip);
        }
    }
    serde_json::to_vec(&summary).map_err(|error| error.to_string())
}

/// Sizes of a report and its parts.
struct Sizes {
    all: u64,
    own: u64,
    /// The traces' bytes and the analyzer's, if it carries them.
    carried: Option<(u64, u64)>,
}

impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", bytes(self.all))?;
        let Some((traces, analyzer)) = self.carried else { return Ok(()) };
        write!(f, ": tables and charts {}, traces {}, analyzer {}", bytes(self.own), bytes(traces), bytes(analyzer))
    }
}

/// Writes it from front to back: traces may be larger than the memory.
fn write(report: &Report, analyzer: Option<&str>, files: &[Served], out: &mut dyn Write) -> io::Result<Sizes> {
    let mut out = Counted { out, bytes: 0 };
    out.write_all(report.before.as_bytes())?;
    let own = out.bytes;
    for (number, file) in files.iter().enumerate() {
        embed(file, number, &mut out)
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", file.file.display())))?;
    }
    let traces = out.bytes - own;
    let analyzer = analyzer.unwrap_or_default();
    out.write_all(analyzer.as_bytes())?;
    out.write_all(report.after.as_bytes())?;
    let carried = (!analyzer.is_empty()).then_some((traces, analyzer.len() as u64));
    Ok(Sizes { all: out.bytes, own, carried })
}

/// Counts what is written.
struct Counted<'a> {
    out: &'a mut dyn Write,
    bytes: u64,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Whether to write Markdown. Rejects a name of another format, and a printed path if the report goes to standard
/// output.
fn check_name(output: &Path, options: &ReportOptions) -> Result<bool> {
    if is_standard(output) {
        let clash = "-o - and --print-path both write to standard output";
        return if options.print_path { Err(clash.to_owned()) } else { Ok(options.markdown) };
    }
    let name = output.display();
    match output.extension().map(|end| end.to_string_lossy().to_lowercase()).as_deref() {
        Some("md") if options.trace => {
            Err(format!("{name}: Markdown carries no trace: leave out --trace, or name an .html file"))
        }
        Some("md") => Ok(true),
        Some("html" | "htm") if options.markdown => Err(format!("{name}: --markdown writes .md, not HTML")),
        None | Some("html" | "htm") => Ok(options.markdown),
        Some(end) => Err(format!("{name}: report writes .html or .md, not .{end}")),
    }
}

/// The report's name, after its inputs.
fn usual_name(files: &[PathBuf], is_markdown: bool) -> PathBuf {
    let first = files.first().filter(|path| !is_standard(path));
    let first = first.map(|path| path.canonicalize().unwrap_or_else(|_| path.clone())).unwrap_or_default();
    let name = first.file_name().map_or_else(|| "report".into(), |name| name.to_string_lossy().into_owned());
    let endings = [".gz", ".zst", ".json", ".pt.trace", ".stepscope", ".sqlite", ".zip"];
    let stem = endings.iter().fold(name.as_str(), |name, ending| name.strip_suffix(ending).unwrap_or(name));
    PathBuf::from(format!("{stem}.{}", if is_markdown { "md" } else { "html" }))
}

/// The scripts that the page's build made.
fn analyzer(page: Option<&Path>) -> Result<String> {
    let page = serve::page(page)?;
    let found = fs::read_dir(&page).ok().into_iter().flatten().flatten();
    let found = found.map(|entry| entry.path().join(ANALYZER)).find(|path| path.is_file());
    let path = found.ok_or_else(|| format!("{}: the page has no {ANALYZER}; build the page again", page.display()))?;
    fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Whether a rank was made of a file, or of a file in it: other files of a folder stay private.
fn was_read(file: &Served, read: &[String]) -> bool {
    let path = file.file.to_string_lossy();
    read.iter().any(|name| {
        let name = name.as_str();
        name.strip_prefix(&*path).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '\\', ':', '!']))
    })
}

/// Puts a file into the page as text, with its secrets masked.
fn embed(file: &Served, number: usize, out: &mut dyn Write) -> io::Result<()> {
    let mut content = File::open(&file.file)?;
    if !content.metadata()?.is_file() {
        return Err(io::Error::other("what is not a file can be read only once, and was: --trace needs files"));
    }
    let mut head = Vec::new();
    (&content).take(HEAD).read_to_end(&mut head)?;
    content.rewind()?;
    let around = carried(number, &printable(&file.path), &head);
    let mut pieces = Pieces::new(&around, out);
    match copy::secrets(&file.file)? {
        Secrets::None if around.compress => {
            io::copy(&mut GzEncoder::new(content, Compression::default()), &mut pieces)?;
        }
        Secrets::None => {
            io::copy(&mut content, &mut pieces)?;
        }
        // Compressed either way: the first bytes show how.
        Secrets::Masked(text, mut mask) => {
            let mut gz = GzWriter::new(&mut pieces, Compression::default());
            text.pass(&mut mask, &mut (), &mut gz)?;
            gz.finish()?;
        }
        Secrets::Kept(found) => {
            return Err(io::Error::other(format!(
                "it contains secrets ({}) that cannot be masked where they stand: leave out --trace; or `stepscope redact` an archive, or \
                 `stepscope export` a trace to JSON first",
                found.list()
            )));
        }
    }
    pieces.finish()
}

/// Writes bytes as text, piece by piece.
struct Pieces<'a> {
    around: &'a Carried,
    out: &'a mut dyn Write,
    /// Bytes for which the piece that is open has room; none is open if it has none.
    room: usize,
    /// Bytes that are no whole triple yet.
    rest: Vec<u8>,
}

impl<'a> Pieces<'a> {
    fn new(around: &'a Carried, out: &'a mut dyn Write) -> Self {
        Self { around, out, room: 0, rest: Vec::new() }
    }

    /// Ends the last piece.
    fn finish(mut self) -> io::Result<()> {
        if self.room > 0 {
            self.close()?;
        }
        Ok(())
    }

    fn close(&mut self) -> io::Result<()> {
        self.out.write_all(STANDARD.encode(&self.rest).as_bytes())?;
        self.out.write_all(self.around.after.as_bytes())?;
        self.rest.clear();
        self.room = 0;
        Ok(())
    }
}

impl Write for Pieces<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.is_empty() {
            return Ok(0);
        }
        if self.room == 0 {
            self.out.write_all(self.around.before.as_bytes())?;
            self.room = self.around.piece;
        }
        let taken = bytes.len().min(self.room);
        self.rest.extend_from_slice(&bytes[..taken]);
        let whole = self.rest.len() / 3 * 3;
        self.out.write_all(STANDARD.encode(&self.rest[..whole]).as_bytes())?;
        self.rest.drain(..whole);
        self.room -= taken;
        if self.room == 0 {
            self.close()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::{Carried, Pieces, carried, without_place};

    #[test]
    fn where_a_folder_lies_is_not_told() {
        let summary = serde_json::json!({"inputs": [{
            "name": "run", "files": [{"name": "/home/me/run/a.json"}, {"name": "other/a.json"}],
            "warnings": [{"code": "x", "example": "/home/me/run/b.json"}, {"code": "y"}],
        }]});
        let stripped = without_place(summary.to_string().as_bytes(), &["/home/me/run".into(), "a".into()]).unwrap();
        let text = String::from_utf8(stripped).unwrap();
        assert!(!text.contains("/home"), "{text}");
        assert!(
            text.contains("\"run/a.json\"") && text.contains("other/a.json") && text.contains("run/b.json"),
            "{text}"
        );
    }

    #[test]
    fn a_file_is_cut_into_pieces() {
        for (content, expected) in [
            (&b""[..], ""),
            (b"abcde", "<YWJjZGU=>"),
            (b"abcdef", "<YWJjZGVm>"),
            (b"abcdefgabcdef", "<YWJjZGVm><Z2FiY2Rl><Zg==>"),
        ] {
            let around = Carried { before: "<".to_owned(), after: ">", piece: 6, ..carried(0, "", b"") };
            let mut out = Vec::new();
            let mut pieces = Pieces::new(&around, &mut out);
            for bytes in content.chunks(4) {
                pieces.write_all(bytes).unwrap();
            }
            pieces.finish().unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }
}
