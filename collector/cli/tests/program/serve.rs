//! `stepscope serve`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::support::{Printed, folder, program, trace};

/// A server that ends with its test.
struct Server {
    child: Child,
    url: String,
}

impl Server {
    fn start(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program starts");
        let mut url = String::new();
        let out = child.stdout.take().expect("its output is piped");
        BufReader::new(out).read_line(&mut url).expect("it prints its address");
        Self { child, url: url.trim_end().to_owned() }
    }

    fn address(&self) -> &str {
        self.url.trim_start_matches("http://").split('/').next().unwrap_or_default()
    }

    /// Sends a raw request, which no client library would send.
    fn answer(&self, request: &str) -> Answer {
        let mut stream = TcpStream::connect(self.address()).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a time limit");
        stream.write_all(request.as_bytes()).expect("the request is sent");
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("the connection is closed after the answer");
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("an answer has a head");
        let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
        Answer { head, body: bytes[end + 4..].to_vec() }
    }

    /// The path below which everything is served: the token.
    fn base(&self) -> &str {
        let path = self.url.trim_start_matches("http://").trim_start_matches(self.address());
        path.split('?').next().unwrap_or_default().trim_end_matches('/')
    }

    fn get(&self, path: &str) -> Answer {
        self.get_with(path, "")
    }

    /// Requests a path below the token.
    fn get_with(&self, path: &str, more: &str) -> Answer {
        self.get_at(&format!("{}{path}", self.base()), more)
    }

    fn get_at(&self, path: &str, more: &str) -> Answer {
        let host = self.address();
        self.answer(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}\r\n"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Answer {
    head: String,
    body: Vec<u8>,
}

impl Answer {
    fn status(&self) -> u16 {
        self.head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default()
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }
}

const INDEX: &str = "<!doctype html><title>the page</title>";

/// A folder with a page, and something beside it that must not be served.
fn page(folder: &Path) -> PathBuf {
    let page = folder.join("page");
    std::fs::create_dir_all(page.join("js")).expect("a folder");
    for (name, text) in [
        ("page/index.html", INDEX),
        ("page/stepscope.wasm", "\0asm"),
        ("page/js/main.js", "start()"),
        ("page/en.json", "{}"),
        ("page/tracer.txt", "a name that begins like the traces' folder"),
        ("secret.txt", "secret"),
    ] {
        std::fs::write(folder.join(name), text).expect("a file for the test");
    }
    page
}

fn serve(page: &Path) -> Command {
    let mut command = program();
    command.arg("serve").arg("--page").arg(page).args(["--port", "0"]);
    command
}

#[test]
fn the_page_has_its_types() {
    let server = Server::start(&mut serve(&page(&folder("serve_page"))));
    assert_eq!(server.url, format!("http://{}{}/", server.address(), server.base()));
    assert_eq!(server.base().len(), 49, "a slash and a token: {}", server.url);
    for (path, kind) in [
        ("/", "text/html"),
        ("/index.html", "text/html"),
        ("/?trace=trace/0/a.json", "text/html"),
        ("/stepscope.wasm", "application/wasm"),
        ("/js/main.js", "text/javascript"),
        ("/en.json", "application/json"),
        ("/tracer.txt", "text/plain"),
    ] {
        let answer = server.get(path);
        assert_eq!((answer.status(), answer.header("content-type")), (200, Some(kind)), "{path}: {}", answer.head);
        assert_eq!(answer.header("cache-control"), Some("no-cache"));
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(answer.header("access-control-allow-origin"), None);
    }
    assert_eq!(server.get("/").body, INDEX.as_bytes());
    assert_eq!(server.get("/absent.js").status(), 404);
    let host = server.address();
    let base = server.base();
    let posted = server.answer(&format!("POST {base}/ HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"));
    assert_eq!(posted.status(), 405);
    assert_eq!(server.get("/sw.js").status(), 404, "each start has another address: none is kept for later");
    let bare = server.get_at(&format!("{base}?theme=dark"), "");
    assert_eq!((bare.status(), bare.header("location")), (303, Some(format!("{base}/?theme=dark").as_str())));
}

/// All users of a machine reach its loopback interface.
#[test]
fn nothing_is_served_without_the_token() {
    let folder = folder("serve_token");
    let file = trace(&folder, "a.json", 0);
    let start = || Server::start(serve(&page(&folder)).arg(&file));
    let (server, other) = (start(), start());
    assert_ne!(server.base(), other.base(), "each start has its own");
    let token = server.base().trim_start_matches('/');
    let wrong = format!("{}{}", &token[..47], if token.ends_with('0') { '1' } else { '0' });
    assert_eq!(server.get("/trace/0/a.json").status(), 200);
    for token in [
        "",
        &token[..47],
        &format!("{token}0"),
        &wrong,
        &token.to_ascii_uppercase(),
        other.base().trim_start_matches('/'),
    ] {
        if token == server.base().trim_start_matches('/') {
            // All digits.
            continue;
        }
        for path in ["", "/", "/index.html", "/js/main.js", "/stepscope.wasm", "/trace/0/a.json", "/trace/0/a.json?x"] {
            let path = format!("/{token}{path}");
            let answer = server.get_at(&path, "");
            assert_eq!(answer.status(), 403, "{path}");
            assert!(!String::from_utf8_lossy(&answer.body).contains(server.base()), "{path}");
        }
    }
    for path in ["/", "/?token=1", "/trace/0/a.json", "/js/main.js", "/once/", "/once/0"] {
        let answer = server.get_at(path, "Cookie: token=1\r\n");
        assert_eq!(answer.status(), 403, "{path}");
        assert!(String::from_utf8_lossy(&answer.body).contains("lacks the token"), "{path}");
    }
}

/// All users of the machine can see the arguments of the browser that `--open` starts.
#[cfg(target_os = "linux")]
#[test]
fn the_browser_is_given_an_address_that_works_once() {
    use std::os::unix::fs::PermissionsExt;

    let folder = folder("serve_open");
    let file = trace(&folder, "a.json", 0);
    let (browser, asked) = (folder.join("xdg-open"), folder.join("asked"));
    std::fs::write(&browser, format!("#!/bin/sh\necho \"$1\" > '{0}.new'; mv '{0}.new' '{0}'\n", asked.display()))
        .expect("a browser");
    std::fs::set_permissions(&browser, std::fs::Permissions::from_mode(0o755)).expect("it can be run");
    let path = format!("{}:/usr/bin:/bin", folder.display());
    let server = Server::start(serve(&page(&folder)).arg("--open").arg(&file).env("PATH", path));
    let begun = std::time::Instant::now();
    while !asked.exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "no browser was started");
        std::thread::yield_now();
    }
    let url = std::fs::read_to_string(&asked).expect("the address");
    assert!(!url.contains(server.base()), "{url}");
    let once = url.trim_end().trim_start_matches("http://").trim_start_matches(server.address());
    let first = server.get_at(once, "");
    let to = format!("{}/?trace=trace/0/a.json", server.base());
    assert_eq!((first.status(), first.header("location")), (303, Some(to.as_str())));
    assert_eq!(server.get_at(&to, "").body, INDEX.as_bytes());
    assert_eq!(server.get_at(once, "").status(), 403, "the second time");
}

#[test]
fn traces_are_bytes_with_ranges() {
    let folder = folder("serve_traces");
    let plain = trace(&folder, "rank 0&1.json", 0);
    let packed = folder.join("b.json.gz");
    let exported = Printed::of(program().arg("export").arg(&plain).arg("-o").arg(&packed));
    assert_eq!(exported.code, Some(0), "{}", exported.err);
    let disguised = folder.join("c.html");
    std::fs::write(&disguised, "<script>alert(1)</script>").expect("a file for the test");
    let server = Server::start(serve(&page(&folder)).args([&plain, &packed, &disguised]));
    let (_, query) = server.url.split_once('?').expect("the address names the traces");
    assert_eq!(query, "trace=trace/0/rank%25200%25261.json&trace=trace/1/b.json.gz&trace=trace/2/c.html");

    let text = std::fs::read(&plain).expect("the trace");
    let whole = server.get("/trace/0/rank%200%261.json");
    assert_eq!((whole.status(), whole.header("content-type")), (200, Some("application/json")));
    assert_eq!(whole.body, text);
    let part = server.get_with("/trace/0/rank%200%261.json", "Range: bytes=10-29\r\n");
    assert_eq!(part.status(), 206);
    assert_eq!(part.header("content-range"), Some(format!("bytes 10-29/{}", text.len()).as_str()));
    assert_eq!(part.body, text[10..30]);
    let beyond = server.get_with("/trace/0/rank%200%261.json", &format!("Range: bytes={}-\r\n", text.len()));
    assert_eq!(beyond.status(), 416);

    let compressed = server.get_with("/trace/1/b.json.gz", "Accept-Encoding: gzip\r\n");
    assert_eq!(compressed.header("content-encoding"), None);
    assert_eq!(compressed.header("content-type"), Some("application/octet-stream"));
    assert_eq!(compressed.body, std::fs::read(&packed).expect("the compressed trace"));
    // A trace is data, whatever its name: never a page of this origin.
    assert_eq!(server.get("/trace/2/c.html").header("content-type"), Some("application/octet-stream"));
    for path in ["/trace/3/d.json", "/trace/0", "/trace/0/", "/trace/x/a", "/trace/0/a//b", "/trace/-1/a"] {
        assert_eq!(server.get(path).status(), 404, "{path}");
    }
}

#[test]
fn nothing_outside_is_served() {
    let folder = folder("serve_outside");
    let file = trace(&folder, "a.json", 0);
    let server = Server::start(serve(&page(&folder)).arg(&file));
    for path in [
        "/../secret.txt",
        "/js/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e%2fsecret.txt",
        "/..\\secret.txt",
        "//secret.txt",
        "/trace/0/../../secret.txt",
        "/trace/0/..%2f..%2fsecret.txt",
    ] {
        let answer = server.get(path);
        assert_ne!(answer.body, b"secret", "{path}");
        // The number alone chooses a trace: a name with encoded slashes is still only a name.
        assert!(matches!(answer.status(), 400 | 404) || path.starts_with("/trace/0/..%2f"), "{path}: {}", answer.head);
        assert_ne!(server.get_at(path, "").body, b"secret", "{path}");
    }
}

#[test]
fn only_the_names_of_this_machine_are_answered() {
    let server = Server::start(&mut serve(&page(&folder("serve_host"))));
    let base = server.base();
    let status = |request: &str| server.answer(request).status();
    for host in ["localhost", "LocalHost:9000", "127.0.0.1", "[::1]:1"] {
        assert_eq!(
            status(&format!("GET {base}/ HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")),
            200,
            "{host}"
        );
    }
    for host in ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example", "0.0.0.0", ""] {
        let answer = server.answer(&format!("GET {base}/ HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"));
        assert_eq!(answer.status(), 403, "{host}");
        assert!(!answer.body.starts_with(INDEX.as_bytes()));
    }
    assert_eq!(status(&format!("GET {base}/ HTTP/1.1\r\nConnection: close\r\n\r\n")), 403, "no host at all");
    let absolute = format!("GET http://evil.example{base}/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assert_eq!(status(&absolute), 403, "the address itself names another host");
    let twice = format!("GET {base}/ HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    assert_eq!(status(&twice), 403, "one of two hosts is another");
}

#[test]
fn what_cannot_be_served_is_said() {
    let folder = folder("serve_failures");
    let page = page(&folder);
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let mut command = program();
    command.arg("serve").arg("--page").arg(&page).args(["--port", &port]);
    let message = Printed::of(&mut command).failure(1);
    assert!(message.contains(&format!("port {port} is in use")), "{message}");

    let message = Printed::of(serve(&page).arg(folder.join("absent.json"))).failure(1);
    assert!(message.contains("absent.json"), "{message}");
    let message = Printed::of(&mut serve(&folder)).failure(1);
    assert!(message.contains("no index.html"), "{message}");
    let message = Printed::of(program().arg("serve").env("STEPSCOPE_PAGE", &folder)).failure(1);
    assert!(message.contains("no index.html"), "{message}");
    Printed::of(serve(&page).args(["--port", "70000"])).failure(2);
}

#[test]
fn the_page_is_found_by_the_environment_and_a_folder_is_its_files() {
    let folder = folder("serve_environment");
    let ranks = folder.join("ranks");
    std::fs::create_dir(&ranks).expect("a folder");
    trace(&ranks, "rank1.json", 1);
    trace(&ranks, "rank0.json", 0);
    let page = page(&folder);
    let server = Server::start(program().args(["serve", "--port", "0"]).env("STEPSCOPE_PAGE", &page).arg(&ranks));
    assert!(server.url.ends_with("/?trace=trace/0/ranks/rank0.json&trace=trace/1/ranks/rank1.json"), "{}", server.url);
    assert_eq!(server.get("/trace/1/ranks/rank1.json").status(), 200);
    assert_eq!(server.get("/").body, INDEX.as_bytes());
}

#[test]
fn the_demo_is_the_pages_own_trace() {
    let folder = folder("serve_demo");
    let page = page(&folder);
    let command = || {
        let mut command = program();
        command.args(["demo", "--no-open", "--port", "0", "--page"]).arg(&page);
        command
    };
    let message = Printed::of(&mut command()).failure(1);
    assert!(message.contains("demo.json.gz"), "{message}");
    std::fs::create_dir(page.join("assets-1")).expect("a folder");
    trace(&page.join("assets-1"), "demo.json.gz", 0);
    let server = Server::start(&mut command());
    assert!(server.url.ends_with("/?trace=trace/0/demo.json.gz"), "{}", server.url);
    assert_eq!(server.get("/trace/0/demo.json.gz").status(), 200);
    let message = Printed::of(command().arg("--ranks")).failure(1);
    assert!(message.contains("demo-job.zip"), "{message}");
    trace(&page.join("assets-1"), "demo-job.zip", 0);
    let server = Server::start(command().arg("--ranks"));
    assert!(server.url.ends_with("/?trace=trace/0/demo-job.zip"), "{}", server.url);
}
