//! `stepscope serve`: the built page over HTTP, on the loopback interface only, with traces to open. Every address
//! contains a token: all users of a machine reach its loopback interface.

mod link;
pub(crate) mod served;
mod site;
mod token;

use std::fs;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;

use self::served::traces;
use self::site::Site;
use self::token::Token;
use crate::args::{DemoOptions, ServeOptions};
use crate::beside::{in_checkout, installed};

use crate::output::print;
use crate::result::Result;

/// The default port, so that the page has the same address (and settings) next time.
const USUAL_PORT: u16 = 8321;

/// Pause after a connection could not be accepted, such as for lack of file handles.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves until the process is ended.
pub(crate) fn run(options: &ServeOptions) -> Result {
    let page = page(options.page.as_deref())?;
    let (traces, notes) = traces(&options.files)?;
    notes.iter().for_each(|note| eprintln!("{note}"));
    let listener = listen(options.port)?;
    let port = listener.local_addr().map_err(|error| format!("the server's address: {error}"))?.port();
    let token = Token::new()?;
    let path = link::to_page(&token, &traces)?;
    print(format!("{}\n", link::on_this_machine(port, &path)).as_bytes())?;
    eprintln!("serving {}; Ctrl-C ends it", page.display());
    let mut site = Site::new(&page, token, traces.into_iter().map(|trace| trace.file).collect());
    if options.open {
        // Other users see the browser's arguments: this address works once.
        let once = Token::new()?;
        let url = link::on_this_machine(port, &format!("{}{}", link::ONCE, once.text()));
        site.open_once(once, path);
        open_in_browser(&url);
    }
    serve(listener, site).map_err(|error| format!("the server: {error}"))
}

/// The trace that a built page comes with, in its folder of assets, and the job of several ranks.
const DEMO: &str = "demo.json.gz";
const DEMO_JOB: &str = "demo-job.zip";

/// Serves the page on its demo trace.
pub(crate) fn demo(options: &DemoOptions) -> Result {
    let folder = page(options.page.as_deref())?;
    let name = if options.ranks { DEMO_JOB } else { DEMO };
    let inside = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut traces: Vec<_> =
        inside.flatten().map(|entry| entry.path().join(name)).filter(|path| path.is_file()).collect();
    traces.sort();
    let trace = traces.pop().ok_or_else(|| format!("{}: this page has no demo trace ({name})", folder.display()))?;
    run(&ServeOptions { files: vec![trace], page: Some(folder), port: options.port, open: !options.no_open })
}

/// The folder of the built page: the chosen one, else the first that is there.
pub(crate) fn page(chosen: Option<&Path>) -> Result<PathBuf> {
    let is_page = |folder: &Path| folder.join("index.html").is_file();
    if let Some(folder) = chosen {
        let problem = || format!("{}: there is no page (no index.html) in this folder", folder.display());
        return is_page(folder).then(|| folder.to_path_buf()).ok_or_else(problem);
    }
    installed("page", is_page).or_else(|| in_checkout("target/page", is_page)).ok_or_else(|| {
        "there is no built page beside this program: `cargo xtask run` in Stepscope's checkout builds and serves it; \
         --page FOLDER chooses a built one"
            .to_owned()
    })
}

fn listen(port: Option<u16>) -> Result<TcpListener> {
    let bind = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    let bound = match port {
        Some(port) => bind(port),
        None => bind(USUAL_PORT).or_else(|_| bind(0)),
    };
    bound.map_err(|error| {
        let port = port.unwrap_or(USUAL_PORT);
        match error.kind() {
            io::ErrorKind::AddrInUse => format!("port {port} is in use: choose another, or 0 for any free one"),
            _ => format!("port {port}: {error}"),
        }
    })
}

/// Opens the system's browser; without one, the printed address can still be used.
fn open_in_browser(url: &str) {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        // `start` is a word of the shell, which would read the address's `&`.
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let (nothing, quiet) = (Stdio::null(), || Stdio::null());
    let started = Command::new(program).args(arguments).arg(url).stdin(nothing).stdout(quiet()).stderr(quiet()).spawn();
    if let Err(error) = started {
        eprintln!("no browser was opened ({program}: {error}): open the address yourself");
    }
}

fn serve(listener: TcpListener, site: Site) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let site = Arc::new(site);
    runtime.block_on(async {
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        loop {
            let Ok((stream, _)) = listener.accept().await else {
                tokio::time::sleep(PAUSE).await;
                continue;
            };
            let site = Arc::clone(&site);
            tokio::spawn(async move {
                let answer = service_fn(|request| site.answer(request));
                // A broken connection affects only its own client.
                let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), answer).await;
            });
        }
    })
}
