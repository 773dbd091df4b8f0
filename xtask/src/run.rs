//! `cargo xtask run`: from a fresh clone to the page open on a demo trace.

use crate::page::Optimization;
use crate::progress::{Progress, Step};
use crate::shell::{Result, command, heading, run};
use crate::{page, programs, setup};

/// Sets up, builds, serves and opens. Ends when the user stops the server.
pub(crate) fn task(args: &[String]) -> Result {
    let mut serve = vec!["serve".to_owned()];
    let mut open = true;
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        match arg.as_str() {
            "--no-open" => open = false,
            "--port" => serve.extend(["--port".into(), rest.next().ok_or("--port wants a number")?.clone()]),
            other => return Err(format!("`{other}` is no option of run; there are --port N and --no-open")),
        }
    }
    if open {
        serve.push("--open".into());
    }
    let steps = [("set-up", 1), ("programs", 2), ("page", 2)];
    let mut progress = Progress::new(steps.map(|(name, minutes)| Step { name, minutes }).into());
    progress.step(setup::page)?;
    progress.step(programs::build)?;
    let page = progress.step(|| page::build(&programs::debug(page::GENERATOR), Optimization::Shipped))?;
    progress.report();
    heading("serving the page; press ctrl-C to stop");
    run(command(programs::debug("stepscope")).args(serve).arg("--page").arg(&page.folder).arg(&page.demo))
}
