//! Sizes of released files.

use std::fs;
use std::path::{Path, PathBuf};

use crate::page;
use crate::shell::{Result, capture, command, heading, python, run};

/// Prints the size of each item in a folder, of the page's wasm as servers send it, and of reports of a trace.
pub(super) fn show(folder: &Path, trace: &Path) -> Result {
    heading(&format!("sizes in {}", folder.display()));
    for path in inside(folder)? {
        let mark = if path.is_dir() { "/" } else { "" };
        eprintln!("{:>12}  {}{mark}", size(&path)?, name(&path));
    }
    let page = folder.join("page");
    let book = page.join(page::BOOK);
    let mut first = 0;
    for path in files(&page)? {
        let name = name(&path);
        let packed = packed(&path)?;
        if !page::is_later(&name) && !path.starts_with(&book) {
            first += packed;
        }
        for (module, most) in
            [(page::WASM, MOST_WASM), (page::SELDOM_WASM, MOST_SELDOM_WASM), (page::OUTPUT_WASM, MOST_OUTPUT_WASM)]
        {
            if name == module {
                eprintln!("{:>12}  {name} of the page, {packed} by gzip", size(&path)?);
                at_most(&name, packed, most)?;
            }
        }
    }
    eprintln!("{first:>12}  what the page starts with, by gzip");
    at_most("what the page starts with", first, MOST_FIRST)?;
    heading(&format!("sizes of a report of {}, without the trace and with it", name(trace)));
    for with in [None, Some("--trace")] {
        let mut report = command(folder.join(format!("stepscope{}", std::env::consts::EXE_SUFFIX)));
        report.args(["report", "--dry-run"]).args(with).arg(trace).arg("-o").arg(folder.join("report.html"));
        run(&mut report)?;
    }
    Ok(())
}

/// The most bytes, by gzip, of the wasm with which the page starts. If it exceeds the limit, look for added code that
/// is seldom needed (`xtask/src/page/split`).
const MOST_WASM: u64 = 1_320_000;

/// The same for the module that is loaded on demand.
const MOST_SELDOM_WASM: u64 = 660_000;

/// The same for the module of exports, reports and printed tables.
const MOST_OUTPUT_WASM: u64 = 240_000;

/// The same for all files with which the page starts: wasm, scripts, styles, messages, fonts.
const MOST_FIRST: u64 = 1_700_000;

fn at_most(what: &str, packed: u64, most: u64) -> Result {
    if packed <= most { Ok(()) } else { Err(format!("{what}: {packed} bytes by gzip, {most} are the most")) }
}

fn packed(path: &Path) -> Result<u64> {
    let packed = capture(command(python()?).args(["-c", GZIP]).arg(path)).ok_or("Python could not compress")?;
    packed.trim().parse().map_err(|_| format!("{packed:?} is no size"))
}

/// The size of a file by gzip.
const GZIP: &str = "import gzip, sys; print(len(gzip.compress(open(sys.argv[1], 'rb').read(), 9)))";

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The items in a folder, sorted.
fn inside(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

/// All files below a folder, or the file itself.
pub(super) fn files(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let mut all = Vec::new();
    for path in inside(path)? {
        all.extend(files(&path)?);
    }
    Ok(all)
}

fn size(path: &Path) -> Result<u64> {
    let length = |path: &PathBuf| fs::metadata(path).map_or(0, |data| data.len());
    Ok(files(path)?.iter().map(length).sum())
}
