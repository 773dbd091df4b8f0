//! `cargo xtask run`: from a fresh clone to the page open on a demo trace.

use crate::shell::{Result, command, heading, run};
use crate::{page, programs, setup};

/// Sets up, builds, serves and opens. Ends when the person stops the server.
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
    setup::page()?;
    programs::build()?;
    let page = page::build(&programs::debug(page::GENERATOR))?;
    heading("serving the page; press ctrl-C to stop");
    run(command(programs::debug("stepscope")).args(serve).arg("--page").arg(&page.folder).arg(&page.demo))
}
