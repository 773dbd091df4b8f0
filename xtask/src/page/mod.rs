//! The page for any static host: the files from `bundle`, arranged so that caches cannot mix two versions.
//!
//! All files except `index.html` and the book are in one folder whose name is a hash of their content. So a browser
//! that cached an old `js/page/app.js` never runs it with a new wasm.

mod bundle;
mod policy;
mod split;

use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

use self::policy::policy_of;
use crate::files::{read, read_tree, write};
use crate::shell::{Result, command, find, heading, python, run};
use crate::{docs, paths, programs, remap, setup};

pub(crate) use self::policy::policy;
pub(crate) use bundle::Optimization;

/// Folders that `index.html` refers to, at its own level.
const PARTS: [&str; 4] = ["css/", "fonts/", "img/", "js/"];

/// The scripts of a report with the analyzer: the page puts them into its reports.
const ANALYZER: &str = "analyzer.html";

/// The folder of the book, if it can be built: its address is the same in all versions.
pub(crate) const BOOK: &str = "book";

/// The module with which the page starts; before the split, the whole one.
pub(crate) const WASM: &str = "stepscope_bg.wasm";

/// The modules that are loaded on demand.
pub(crate) const SELDOM_WASM: &str = "stepscope_seldom.wasm";
pub(crate) const OUTPUT_WASM: &str = "stepscope_output.wasm";

/// The headers that a static host should send.
const HEADERS: &str = "_headers";

/// The trace that comes with the page: a device that waits for data.
const DEMO: &str = "demo.json.gz";

/// The job that comes with the page: eight ranks with a straggler.
const DEMO_JOB: &str = "demo-job.zip";

/// Files that are loaded later than the page's start.
const LATER: [&str; 9] = [
    ANALYZER,
    DEMO,
    DEMO_JOB,
    SELDOM_WASM,
    OUTPUT_WASM,
    "report.en.json",
    "report.zh.json",
    "seldom.js",
    "strategy-graph.js",
];

/// Whether a file is loaded later than the page's start, by its name or path.
pub(crate) fn is_later(path: &str) -> bool {
    LATER.contains(&path.rsplit('/').next().unwrap_or(path))
}

/// The program that writes the demo trace.
pub(crate) const GENERATOR: &str = "generate";

/// A built page.
pub(crate) struct Page {
    /// The folder to serve.
    pub(crate) folder: PathBuf,
    /// The demo trace in that folder.
    pub(crate) demo: PathBuf,
}

/// `cargo xtask page`.
pub(crate) fn task(arguments: &[String]) -> Result {
    let optimization = match arguments {
        [] => Optimization::Shipped,
        [quick] if quick == "--quick" => Optimization::Test,
        _ => return Err("page takes nothing but --quick".to_owned()),
    };
    setup::page()?;
    programs::build()?;
    let page = build(&programs::debug(GENERATOR), optimization)?;
    eprintln!("\n{}", page.folder.display());
    Ok(())
}

/// Builds the page into `target/page`, with a demo trace by a built generator.
pub(crate) fn build(generator: &Path, optimization: Optimization) -> Result<Page> {
    heading("building the page");
    match find("trunk").filter(|_| optimization == Optimization::Shipped) {
        Some(trunk) => with_trunk(trunk, &bundled())?,
        None => bundle::build(&bundled(), optimization)?,
    }
    let path = bundled().join(WASM);
    let wasm = read(&path)?;
    // Single files have everything in one module.
    write(&path, &split::without_names(&wasm)?)?;
    embed()?;
    join(optimization)?;
    assemble(generator, split::split(&wasm)?)
}

/// Builds the files with trunk into a folder.
fn with_trunk(trunk: PathBuf, folder: &Path) -> Result {
    let toolchain = setup::wasm_toolchain().ok_or("the wasm32 target is missing; run: cargo xtask setup")?;
    let mut trunk = command(trunk);
    let (name, flags) = remap::wasm_environment(toolchain)?;
    trunk.env(name, flags);
    toolchain.choose(trunk.env_remove("CARGO").env_remove("RUSTC").env_remove("RUSTDOC"));
    // trunk reads NO_COLOR as a boolean and fails with `1`, which the convention allows.
    run(trunk.env_remove("NO_COLOR").args(["build", "--locked", "true", "--dist"]).arg(folder))
}

/// Checks that xtask and trunk make the same files from `index.html`. Their wasm has other options, which does not
/// change the JavaScript.
pub(crate) fn compare_with_trunk() -> Result {
    setup::trunk()?;
    let folders = [paths::target().join("bundle-by-xtask"), paths::target().join("bundle-by-trunk")];
    bundle::build(&folders[0], Optimization::Shipped)?;
    with_trunk(find("trunk").ok_or("trunk is missing; run: cargo xtask setup")?, &folders[1])?;
    let [mut ours, mut theirs] = [BTreeMap::new(), BTreeMap::new()];
    read_tree(&folders[0], &folders[0], &mut ours)?;
    read_tree(&folders[1], &folders[1], &mut theirs)?;
    for files in [&mut ours, &mut theirs] {
        files.retain(|name, _| Path::new(name).extension().is_none_or(|end| end != "wasm"));
    }
    let differ = |name: &&String| ours.get(*name) != theirs.get(*name);
    match ours.keys().chain(theirs.keys()).find(differ) {
        Some(name) => {
            Err(format!("{name}: trunk makes another file of index.html's links than xtask/src/page/bundle.rs"))
        }
        None => Ok(()),
    }
}

/// Puts the scripts, the wasm and all other files of the page into single files.
fn embed() -> Result {
    let mut build = command(setup::node()?);
    run(build.arg(paths::embed().join("build.mjs")).arg(bundled()).arg(paths::embedded()))
}

/// Joins the page's scripts and style sheets. Those of a page for tests stay readable.
fn join(optimization: Optimization) -> Result {
    let mut script = command(setup::node()?);
    script.arg(paths::embed().join("page.mjs")).args([bundled(), joined()]);
    run(script.args((optimization == Optimization::Shipped).then_some("--minify")))
}

/// The page as trunk builds it.
fn bundled() -> PathBuf {
    paths::target().join("bundle")
}

/// The page with fewer files.
fn joined() -> PathBuf {
    paths::target().join("joined")
}

/// Copies the bundle, the demo traces and the book into place, with the wasm in its modules.
fn assemble(generator: &Path, wasm: split::Split) -> Result<Page> {
    let built = joined();
    let demo = paths::target().join(DEMO);
    run(command(generator).args(["--demo", "-o"]).arg(&demo))?;
    let job = demo_job(generator)?;
    let mut files = BTreeMap::new();
    read_tree(&built, &built, &mut files)?;
    let index = files.remove("index.html").ok_or_else(|| format!("{} has no index.html", built.display()))?;
    files.insert(WASM.into(), wasm.first);
    files.extend(wasm.parts.into_iter().map(|(name, part)| (format!("stepscope_{name}.wasm"), part)));
    files.insert(DEMO.into(), read(&demo)?);
    files.insert(DEMO_JOB.into(), read(&job)?);
    files.insert(ANALYZER.into(), read(&paths::embedded().join(ANALYZER))?);
    let index = String::from_utf8(index).map_err(|error| format!("index.html: {error}"))?;
    let mut book = BTreeMap::new();
    if let Some(built) = docs::book()? {
        read_tree(&built, &built, &mut book)?;
        // Not every host serves files whose names begin with a dot, and a service worker caches all files or none.
        book.retain(|name, _| !name.starts_with('.'));
    }
    let index = if book.is_empty() { index } else { with_book(&index)? };
    // The index is included: a page with another policy is another version.
    let assets = format!("assets-{}", hash(files.iter().chain(&book), &index));
    let page = paths::page();
    let _ = fs::remove_dir_all(&page);
    for (name, bytes) in &files {
        write(&page.join(&assets).join(name), bytes)?;
    }
    for (name, bytes) in &book {
        write(&page.join(BOOK).join(name), bytes)?;
    }
    write(&page.join("index.html"), pointed_at(&index, &assets)?.as_bytes())?;
    write(&page.join(HEADERS), headers(&index)?.as_bytes())?;
    write(&page.join("sw.js"), service_worker(&assets, files.keys(), book.keys())?.as_bytes())?;
    Ok(Page { demo: page.join(&assets).join(DEMO), folder: page })
}

/// Writes the traces of the job, packed.
fn demo_job(generator: &Path) -> Result<PathBuf> {
    let (folder, archive) = (paths::target().join("demo-job"), paths::target().join(DEMO_JOB));
    let _ = fs::remove_dir_all(&folder);
    let job = ["--job", "4x2x1", "--slow", "5", "--steps", "6", "--seed", "3", "--host", "4", "--details", "-o"];
    run(command(generator).args(job).arg(&folder))?;
    zip(&archive, &folder, None)?;
    Ok(archive)
}

/// Writes a zip of a folder, and of one more file: the same bytes for the same content.
pub(crate) fn zip(archive: &Path, folder: &Path, extra: Option<&Path>) -> Result {
    run(command(python()?).args(["-c", ZIP]).arg(archive).arg(folder).args(extra))
}

const ZIP: &str = "\
import os, sys, zipfile
archive, folder, *extras = sys.argv[1:]
names = sorted(os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names)
files = [(os.path.join(folder, name), name) for name in names] + [(extra, os.path.basename(extra)) for extra in extras]
with zipfile.ZipFile(archive, 'w', zipfile.ZIP_DEFLATED) as out:
    for path, name in files:
        entry = zipfile.ZipInfo(name.replace(os.sep, '/'), (1980, 1, 1, 0, 0, 0))
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = 0o644 << 16
        with open(path, 'rb') as file:
            out.writestr(entry, file.read())
";

/// The headers for hosts that read them from a file (Netlify, Cloudflare Pages). They have the index's own policy
/// with directives that an element cannot have, and the time for which files may be cached. A stricter opener policy
/// would cut off Perfetto's window.
fn headers(index: &str) -> Result<String> {
    let policy = policy_of(index)?;
    Ok(format!(
        "/*\n  Content-Security-Policy: {policy}; frame-ancestors 'self'\n  Cross-Origin-Opener-Policy: same-origin-allow-popups\n  \
         X-Content-Type-Options: nosniff\n  Referrer-Policy: no-referrer\n/\n  Cache-Control: no-cache\n/sw.js\n  \
         Cache-Control: no-cache\n/assets-*\n  Cache-Control: public, max-age=31536000, immutable\n"
    ))
}

/// `index.html` with the address of the book.
fn with_book(index: &str) -> Result<String> {
    let (head, body) = index.split_once("</head>").ok_or("index.html has no head")?;
    Ok(format!("{head}  <link rel=\"help\" href=\"./{BOOK}/index.html\">\n</head>{body}"))
}

/// The service worker with the list of files. Files that are seldom needed are cached after the others.
fn service_worker<'a>(
    assets: &str,
    files: impl Iterator<Item = &'a String>,
    book: impl Iterator<Item = &'a String>,
) -> Result<String> {
    let path = paths::root().join("www/sw.js");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let (later, first): (Vec<_>, Vec<_>) = files.partition(|name| is_later(name));
    let book: Vec<_> = book.map(|name| format!("{BOOK}/{name}")).collect();
    Ok(format!(
        "const ASSETS = {assets:?};\nconst FILES = {first:?};\nconst LATER = {later:?};\nconst BOOK = {book:?};\n{text}"
    ))
}

/// `index.html` with its references changed to the folder of assets.
fn pointed_at(index: &str, assets: &str) -> Result<String> {
    let mut text = index.to_owned();
    for part in PARTS {
        let from = format!("\"./{part}");
        if !text.contains(&from) {
            return Err(format!("index.html refers to nothing in {part}"));
        }
        text = text.replace(&from, &format!("\"./{assets}/{part}"));
    }
    Ok(text)
}

/// A short name derived from the content of the files.
fn hash<'a>(files: impl Iterator<Item = (&'a String, &'a Vec<u8>)>, index: &str) -> String {
    let mut hasher = DefaultHasher::new();
    hasher.write(index.as_bytes());
    for (name, bytes) in files {
        hasher.write(name.as_bytes());
        hasher.write(bytes);
    }
    format!("{:016x}", hasher.finish())
}
