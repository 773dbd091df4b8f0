//! `cargo xtask test`: every check and test there is, in the order in which they fail fastest.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{Result, cargo, command, find, heading, run, succeeds};
use crate::{deny, fuzz, page, paths, programs, setup};

/// Runs everything. `--quick` leaves out what needs wasm, a browser or cargo-deny.
pub(crate) fn task(args: &[String]) -> Result {
    let quick = match args {
        [] => false,
        [arg] if arg == "--quick" => true,
        _ => return Err("test takes no option but --quick".into()),
    };
    if !quick {
        setup::page()?;
        setup::browser_tests()?;
        setup::perfetto::ensure()?;
    }
    lints()?;
    if !quick {
        deny::test()?;
    }
    let notebook = notebook(quick);
    native(notebook.as_deref())?;
    // As many as take half a minute; `cargo xtask campaign` tries more.
    fuzz::campaign(&["--files".into(), "2000".into()])?;
    fuzz_targets()?;
    if !quick {
        wasm_lints()?;
        web(notebook.as_deref())?;
    }
    heading("all passed");
    Ok(())
}

fn lints() -> Result {
    heading("formatting, lints, documentation");
    run(cargo().args(["fmt", "--all", "--check"]))?;
    run(cargo().args(["clippy", "--workspace", "--all-targets", "--", "-Dwarnings"]))?;
    // The analyzer as machines without SIMD run it: a unit test compares what is another there with SIMD's, byte by byte.
    run(cargo().args(["clippy", "--workspace", "--lib", "--features", "stepscope/scalar", "--", "-Dwarnings"]))?;
    // The library without the program, as programs that record themselves take it.
    let library = ["clippy", "-p", "stepscope-collector", "--no-default-features", "--lib", "--", "-Dwarnings"];
    run(cargo().args(library))?;
    elsewhere()?;
    run(cargo().args(["doc", "--workspace", "--no-deps", "--quiet"]).env("RUSTDOCFLAGS", "-Dwarnings"))
}

/// The recorder's library where it is not Linux. What cannot be run here compiles at least.
fn elsewhere() -> Result {
    for target in ["x86_64-pc-windows-gnu", "x86_64-apple-darwin"] {
        if !setup::has_std(target) {
            eprintln!("SKIPPED: the recorder on {target}: rustup could not download its standard library");
            continue;
        }
        let library = ["clippy", "-p", "stepscope-collector", "--no-default-features", "--lib"];
        run(cargo().args(library).args(["--features", "tracing", "--target", target, "--", "-Dwarnings"]))?;
    }
    Ok(())
}

/// The analyzer as the browser gets it. Not every toolchain that builds for wasm32 brings clippy.
fn wasm_lints() -> Result {
    let toolchain = setup::wasm_toolchain().ok_or("the wasm32 target is missing; run: cargo xtask setup")?;
    if !succeeds(toolchain.cargo().args(["clippy", "--version"])) {
        eprintln!("SKIPPED: the toolchain that builds for wasm32 has no clippy");
        return Ok(());
    }
    let target = ["--target", "wasm32-unknown-unknown"];
    run(toolchain.cargo().args(["clippy", "-p", "stepscope"]).args(target).args(["--", "-Dwarnings"]))
}

fn native(notebook: Option<&Path>) -> Result {
    heading("native tests");
    // The Python package and the hooks need no other Python than the machine's; what they record more of is in ours.
    let mut tests = cargo();
    match setup::python::ensure() {
        Ok(python) => drop(tests.env(setup::python::VARIABLE, python)),
        Err(error) => eprintln!("SKIPPED: nvtx in the tests of Python: {error}"),
    }
    if let Some(python) = notebook {
        tests.env(setup::python::NOTEBOOK, python);
    }
    run(tests.args(["test", "--workspace"]))?;
    // The recorder's library by itself, as programs that record themselves take it.
    run(cargo().args(["test", "-p", "stepscope-collector", "--no-default-features"]))?;
    programs::build_for_tests()
}

/// A Python with notebooks and pandas, which are some hundred packages: nothing for a quick run.
fn notebook(quick: bool) -> Option<PathBuf> {
    let found = if quick { Err("--quick".into()) } else { setup::python::ensure_notebook() };
    found.map_err(|error| eprintln!("SKIPPED: JupyterLab and pandas in the tests of Python: {error}")).ok()
}

/// The fuzz targets are a workspace of their own; that they still fit the code is checked here.
fn fuzz_targets() -> Result {
    if find("c++").is_none() {
        eprintln!("SKIPPED: no C++ compiler, which the fuzz targets' runtime needs");
        return Ok(());
    }
    let manifest = paths::root().join("crate/fuzz/Cargo.toml");
    run(cargo().args(["check", "--manifest-path"]).arg(manifest).env("CARGO_TARGET_DIR", paths::target().join("fuzz")))
}

fn web(notebook: Option<&Path>) -> Result {
    let page = page::build(&programs::debug(page::GENERATOR))?;
    heading("types of the page's scripts and of the browser tests");
    let tests = paths::web_tests();
    let tsc = tests.join("node_modules/typescript/bin/tsc");
    for scripts in [paths::root().join("www"), paths::embed(), tests] {
        run(command(setup::node()?).arg(&tsc).arg("-p").arg(scripts))?;
    }
    heading("browser tests");
    let mut node = node_with(&page)?;
    if let Some(python) = notebook {
        node.env(setup::python::NOTEBOOK, python);
    }
    // A browser waits as long as it works: two of them keep two cores half busy.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    node.arg("--test").arg(format!("--test-concurrency={}", cores.clamp(1, 4))).arg("--test-reporter=spec");
    run(node.args(test_files()?))
}

/// Node in the folder of the browser tests, told where everything is.
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

fn test_files() -> Result<Vec<String>> {
    let folder = paths::web_tests();
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<_> = names.filter(|name| name.ends_with(".test.mjs")).collect();
    names.sort();
    Ok(names)
}
