//! How large is what is handed out.

use std::fs;
use std::path::{Path, PathBuf};

use crate::shell::{Result, capture, command, heading, python, run};

/// Prints the size of everything in a folder, of the page's wasm as servers send it, and of reports of a trace.
pub(super) fn show(folder: &Path, trace: &Path) -> Result {
    heading(&format!("sizes in {}", folder.display()));
    for path in inside(folder)? {
        let mark = if path.is_dir() { "/" } else { "" };
        eprintln!("{:>12}  {}{mark}", size(&path)?, name(&path));
    }
    for wasm in files(&folder.join("page"))?.iter().filter(|path| path.extension().is_some_and(|end| end == "wasm")) {
        let packed = capture(command(python()?).args(["-c", GZIP]).arg(wasm)).ok_or("Python could not compress")?;
        eprintln!("{:>12}  {} of the page, {packed} by gzip", size(wasm)?, name(wasm));
        let packed: u64 = packed.trim().parse().map_err(|_| format!("{packed:?} is no size"))?;
        if packed > MOST_WASM {
            return Err(format!("{}: {packed} bytes by gzip, {MOST_WASM} are the most", name(wasm)));
        }
    }
    heading(&format!("sizes of a report of {}, without the trace and with it", name(trace)));
    for with in [None, Some("--trace")] {
        let mut report = command(folder.join(format!("stepscope{}", std::env::consts::EXE_SUFFIX)));
        report.args(["report", "--dry-run"]).args(with).arg(trace).arg("-o").arg(folder.join("report.html"));
        run(&mut report)?;
    }
    Ok(())
}

/// Bytes that the page's wasm may have by gzip: whoever needs more looks first at what came in.
const MOST_WASM: u64 = 1_450_000;

/// How long a file is by gzip.
const GZIP: &str = "import gzip, sys; print(len(gzip.compress(open(sys.argv[1], 'rb').read(), 9)))";

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// What is in a folder, sorted.
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
