//! `cargo xtask run`: from a fresh clone to the page open on a demo trace.

use crate::shell::{Result, cargo, heading, run};
use crate::{page, setup};

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
    let page = page::build()?;
    heading("building the program that serves it");
    run(cargo().args(["build", "-p", "stepscope-collector", "--bin", "stepscope"]))?;
    heading("serving the page; press ctrl-C to stop");
    let program = crate::paths::target().join("debug").join(format!("stepscope{}", std::env::consts::EXE_SUFFIX));
    run(crate::shell::command(program).args(serve).arg("--page").arg(&page.folder).arg(&page.demo))
}
