//! `stepscope report`: one HTML file, with the traces and the analyzer if that is wanted.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use stepscope::analyze::{AdviceConfig, AnalysisConfig};
use stepscope::export::report_json::{SummaryAsk, SummaryParts};
use stepscope::present::text::bytes;
use stepscope::report;

use crate::args::ReportOptions;
use crate::grid::printable;
use crate::serve::{self, Served};
use crate::{Result, open};

/// Bytes of a file in one element: browsers hold no text of more than half a GB. Whole triples, so that nothing pads.
const PIECE: usize = 24 << 20;

/// What packed files begin with: gzip, zstd, zip, bzip2, xz.
const PACKED: [&[u8]; 5] =
    [&[0x1f, 0x8b], &[0x28, 0xb5, 0x2f, 0xfd], b"PK\x03\x04", b"BZh", &[0xfd, b'7', b'z', b'X', b'Z']];

/// The scripts, in the page's folder of assets.
const ANALYZER: &str = "analyzer.html";

/// Writes it, or says how large it is.
pub(crate) fn run(options: &ReportOptions) -> Result {
    let input = &options.input;
    if options.trace && !(input.rank.is_empty() && input.steps.is_none()) {
        return Err("a report that carries traces is read anew by the page's own rule: leave out --trace, or --rank and --steps".into());
    }
    let advice = AdviceConfig::default();
    let mut parts = SummaryParts::new(SummaryAsk::of(&advice));
    let mut read = Vec::new();
    open::each_rank(input, &AnalysisConfig::standard(), |rank| {
        read.extend(rank.trace.meta.inputs.iter().map(|file| file.name.clone()));
        parts.add(&rank);
    })?;
    parts.sort();
    let summary = parts.finish().to_json();
    let analyzer = if options.trace { Some(analyzer(options.page.as_deref())?) } else { None };
    let report = report::report(&summary, analyzer.as_deref())?;
    let mut html = report.before.into_bytes();
    let own = html.len();
    let mut traces = 0;
    if let Some(analyzer) = &analyzer {
        let files = serve::traces(&input.files)?;
        for (number, file) in files.iter().filter(|file| was_read(file, &read)).enumerate() {
            embed(file, number, &mut html)?;
        }
        traces = html.len() - own;
        html.extend_from_slice(analyzer.as_bytes());
    }
    html.extend_from_slice(report.after.as_bytes());
    let output = options.output.clone().unwrap_or_else(|| usual_name(&input.files));
    let parts = match &analyzer {
        None => String::new(),
        Some(analyzer) => format!(
            ": tables and charts {}, traces {}, analyzer {}",
            bytes(own as u64),
            bytes(traces as u64),
            bytes(analyzer.len() as u64)
        ),
    };
    eprintln!("{}: {}{parts}", output.display(), bytes(html.len() as u64));
    if options.dry_run { Ok(()) } else { write(&output, &html) }
}

/// The report's name after what it is about.
fn usual_name(files: &[PathBuf]) -> PathBuf {
    let first = files.first().map(|path| path.canonicalize().unwrap_or_else(|_| path.clone())).unwrap_or_default();
    let name = first.file_name().map_or_else(|| "report".into(), |name| name.to_string_lossy().into_owned());
    let endings = [".gz", ".zst", ".json", ".pt.trace", ".stepscope", ".sqlite", ".zip"];
    let stem = endings.iter().fold(name.as_str(), |name, ending| name.strip_suffix(ending).unwrap_or(name));
    PathBuf::from(format!("{stem}.html"))
}

/// The scripts that the page's build made.
fn analyzer(page: Option<&Path>) -> Result<String> {
    let page = serve::page(page)?;
    let found = fs::read_dir(&page).ok().into_iter().flatten().flatten();
    let found = found.map(|entry| entry.path().join(ANALYZER)).find(|path| path.is_file());
    let path = found.ok_or_else(|| format!("{}: the page has no {ANALYZER}; build it anew", page.display()))?;
    fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Whether a rank was made of a file, or of what is in it: what else lies in a folder is nobody's business.
fn was_read(file: &Served, read: &[String]) -> bool {
    let path = file.file.to_string_lossy();
    read.iter().any(|name| {
        let name = name.as_str();
        name.strip_prefix(&*path).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '\\', ':', '!']))
    })
}

/// Puts a file into the page as text, compressed; by a number, since two may have the same name.
fn embed(file: &Served, number: usize, html: &mut Vec<u8>) -> Result {
    let failed = |error: std::io::Error| format!("{}: {error}", file.file.display());
    let content = fs::read(&file.file).map_err(failed)?;
    let is_packed = PACKED.iter().any(|start| content.starts_with(start));
    let content = if is_packed {
        content
    } else {
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        packed.write_all(&content).and_then(|()| packed.finish()).map_err(failed)?
    };
    let packed = if is_packed { "" } else { " data-stepscope-packed=\"gzip\"" };
    let path = report::escaped(&printable(&file.path));
    for piece in content.chunks(PIECE) {
        let start = format!(
            "<script type=\"text/plain\" data-stepscope-file=\"{number}\" data-stepscope-path=\"{path}\"{packed}>"
        );
        html.extend_from_slice(start.as_bytes());
        html.extend_from_slice(STANDARD.encode(piece).as_bytes());
        html.extend_from_slice(b"</script>\n");
    }
    Ok(())
}

/// Writes beside the file first, so that a failure leaves no half of one.
fn write(path: &Path, html: &[u8]) -> Result {
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    let partial = Path::new(&partial);
    let written = File::create(partial).and_then(|file| {
        let mut file = BufWriter::new(file);
        file.write_all(html)?;
        file.flush()
    });
    written.and_then(|()| fs::rename(partial, path)).map_err(|error| {
        let _ = fs::remove_file(partial);
        format!("{}: {error}", path.display())
    })
}
