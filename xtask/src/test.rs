//! `cargo xtask test`: the checks and tests, in the order in which they fail fastest.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::page::Optimization;
use crate::progress::{Progress, Step};
use crate::shell::{Result, cargo, command, find, heading, run, succeeds};
use crate::skips::{self, skip};
use crate::{deny, docs, fuzz, page, paths, programs, scripts, setup, workflows};

/// The variable that makes tests run their long parts, too.
const ALL: &str = "STEPSCOPE_ALL";

/// The scope of the checks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Scope {
    /// Checks that need no browser and no wasm.
    Quick,
    /// Checks for each change.
    Usual,
    /// Additional checks for each release: long tests, other systems, other programs.
    All,
}

/// Runs the checks and tests of a scope.
pub(crate) fn task(args: &[String]) -> Result {
    let scope = match args {
        [] => Scope::Usual,
        [arg] if arg == "--quick" => Scope::Quick,
        [arg] if arg == "--all" => Scope::All,
        _ => return Err("test takes --quick or --all, or no option".into()),
    };
    let mut progress = Progress::new(steps(scope));
    if scope > Scope::Quick {
        progress.step(|| {
            setup::page()?;
            setup::browser_tests()?;
            setup::perfetto::ensure()
        })?;
    }
    progress.step(lints)?;
    progress.step(scripts::check)?;
    if scope == Scope::All {
        progress.step(|| {
            setup::ensure_firefox();
            more_lints()?;
            deny::test()?;
            workflows::test()?;
            docs::book().map(drop)
        })?;
    }
    let notebook = if scope == Scope::All { notebook() } else { None };
    progress.step(|| native(scope, notebook.as_deref()))?;
    if scope == Scope::All {
        progress.step(|| {
            // The recorder's library without the program, as in programs that record themselves.
            skips::cargo_test(cargo().args(["test", "--locked", "-p", "stepscope-collector"]))?;
            // As many files as take half a minute; `cargo xtask campaign` tries more.
            fuzz::campaign(&["--files".into(), "2000".into()])?;
            fuzz_targets()
        })?;
    }
    // After the library, which has other features.
    progress.step(programs::build_for_tests)?;
    if scope > Scope::Quick {
        let optimization = if scope == Scope::All { Optimization::Shipped } else { Optimization::Test };
        let page = progress.step(|| page::build(&programs::debug(page::GENERATOR), optimization))?;
        if scope == Scope::All {
            progress.step(page::compare_with_trunk)?;
        }
        progress.step(|| web(&page, scope, notebook.as_deref()))?;
    }
    progress.report();
    let skipped = skips::all();
    heading(&format!("all passed; {} skipped", skipped.len()));
    for what in &skipped {
        eprintln!("skipped: {what}");
    }
    if scope != Scope::All {
        eprintln!("`cargo xtask test --all` has the rest.");
    }
    Ok(())
}

/// The steps of a scope, in the order in which the task runs them.
fn steps(scope: Scope) -> Vec<Step> {
    let all = [
        (Scope::Usual, "set-up", 1),
        (Scope::Quick, "formatting, lints, documentation", 2),
        (Scope::Quick, "the page's scripts: layout, lints, types, unit tests", 1),
        (Scope::All, "lints for other systems, licenses, workflows, the book", 5),
        (Scope::Quick, "native tests", 6),
        (Scope::All, "the recorder's library, damaged files, fuzz targets", 3),
        (Scope::Quick, "programs for the tests", 0),
        (Scope::Usual, "page", 1),
        (Scope::All, "page by trunk", 4),
        (Scope::Usual, "browser tests", 10),
    ];
    let wanted = all.into_iter().filter(|(least, ..)| *least <= scope);
    wanted.map(|(_, name, minutes)| Step { name, minutes }).collect()
}

/// Formats the code.
pub(crate) fn format() -> Result {
    run(cargo().args(["fmt", "--all"]))?;
    scripts::format()
}

fn lints() -> Result {
    docs::links()?;
    run(cargo().args(["fmt", "--all", "--check"]))?;
    run(cargo().args(["clippy", "--locked", "--workspace", "--all-targets", "--", "-Dwarnings"]))?;
    run(cargo().args(["doc", "--locked", "--workspace", "--no-deps", "--quiet"]).env("RUSTDOCFLAGS", "-Dwarnings"))
}

/// Lints for other features and targets.
fn more_lints() -> Result {
    // The analyzer for machines without SIMD: a unit test compares the differing code with SIMD's, byte by byte.
    run(cargo().args([
        "clippy",
        "--locked",
        "--workspace",
        "--lib",
        "--features",
        "stepscope/scalar",
        "--",
        "-Dwarnings",
    ]))?;
    let library = ["clippy", "--locked", "-p", "stepscope-collector", "--lib", "--", "-Dwarnings"];
    run(cargo().args(library))?;
    elsewhere()?;
    wasm_lints()
}

/// The recorder's library for other systems than Linux. It is at least compiled if it cannot be run here.
fn elsewhere() -> Result {
    for target in ["x86_64-pc-windows-gnu", "x86_64-apple-darwin"] {
        if !setup::has_std(target) {
            skip(&format!("the recorder on {target}: rustup could not download its standard library"));
            continue;
        }
        let library = ["clippy", "--locked", "-p", "stepscope-collector", "--lib"];
        run(cargo().args(library).args(["--features", "tracing", "--target", target, "--", "-Dwarnings"]))?;
    }
    Ok(())
}

/// The analyzer for the browser. Not every toolchain that builds for wasm32 has clippy.
fn wasm_lints() -> Result {
    let toolchain = setup::wasm_toolchain().ok_or("the wasm32 target is missing; run: cargo xtask setup")?;
    if !succeeds(toolchain.cargo().args(["clippy", "--version"])) {
        skip("lints for wasm32: the toolchain that builds for it has no clippy");
        return Ok(());
    }
    let target = ["--target", "wasm32-unknown-unknown"];
    run(toolchain.cargo().args(["clippy", "--locked", "-p", "stepscope"]).args(target).args(["--", "-Dwarnings"]))
}

fn native(scope: Scope, notebook: Option<&Path>) -> Result {
    // The Python package and the hooks only need the machine's Python; this project's own has packages that they
    // record as well.
    let mut tests = cargo();
    match setup::python::ensure() {
        Ok(python) => drop(tests.env(setup::python::VARIABLE, python)),
        Err(error) => skip(&format!("nvtx in the tests of Python: {error}")),
    }
    if let Some(python) = notebook {
        tests.env(setup::python::NOTEBOOK, python);
    }
    if scope == Scope::All {
        tests.env(ALL, "1");
    }
    skips::cargo_test(tests.args(["test", "--locked", "--workspace"]))
}

/// A Python with notebooks and pandas, which are some hundred packages.
fn notebook() -> Option<PathBuf> {
    let found = setup::python::ensure_notebook();
    found.map_err(|error| skip(&format!("JupyterLab and pandas in the tests of Python: {error}"))).ok()
}

/// Checks that the fuzz targets, a separate workspace, still fit the code.
fn fuzz_targets() -> Result {
    if find("c++").is_none() {
        skip("the fuzz targets: no C++ compiler, which their runtime needs");
        return Ok(());
    }
    let manifest = paths::root().join("crate/fuzz/Cargo.toml");
    run(cargo()
        .args(["check", "--locked", "--manifest-path"])
        .arg(manifest)
        .env("CARGO_TARGET_DIR", paths::target().join("fuzz")))
}

fn web(page: &page::Page, scope: Scope, notebook: Option<&Path>) -> Result {
    let mut node = node_with(page)?;
    if let Some(python) = notebook {
        node.env(setup::python::NOTEBOOK, python);
    }
    if scope == Scope::All {
        node.env(ALL, "1");
    }
    // One test per core leaves a tenth of the cores' time idle; one more takes as long in total, and each test takes
    // longer.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    node.arg("--test").arg(format!("--test-concurrency={}", cores.clamp(1, 4))).arg("--test-reporter=spec");
    skips::node_test(node.args(scripts::tests_in(&paths::web_tests())?))
}

/// Node in the folder of the browser tests, with the paths of everything.
pub(crate) fn node_with(page: &page::Page) -> Result<Command> {
    let mut node = command(setup::node()?);
    node.current_dir(paths::web_tests())
        .env("STEPSCOPE_PAGE", &page.folder)
        .env("STEPSCOPE_EMBEDDED", paths::embedded())
        .env("STEPSCOPE_PROGRAM", programs::debug("stepscope"))
        .env("STEPSCOPE_GENERATE", programs::debug("generate"))
        .env("STEPSCOPE_SCRATCH", paths::target().join("web"))
        .env("PERFETTO", setup::perfetto::ensure()?);
    if let Some(chromium) = setup::chromium() {
        node.env("CHROMIUM", chromium);
    }
    if let Some(firefox) = setup::firefox() {
        node.env("FIREFOX", firefox);
    }
    if let Ok(python) = setup::python::ensure() {
        node.env(setup::python::VARIABLE, python);
    }
    Ok(node)
}
