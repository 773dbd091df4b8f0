//! Served files: the page's folder at `/TOKEN/`, traces at `/TOKEN/trace/NUMBER/PATH`.
//!
//! Only for this machine's own browser. A request whose `Host` is not a name of this machine is rejected: it comes from
//! a page elsewhere whose name resolves to this machine (DNS rebinding). A request without the token is rejected, too:
//! it comes from another user of this machine, or from a page of another program. Other origins have no access.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use http_body_util::{Either, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{
    CACHE_CONTROL, CONTENT_TYPE, HOST, HeaderName, HeaderValue, LOCATION, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use hyper::http::uri::Authority;
use hyper::{Method, Request, Response, StatusCode, Uri};
use tower_http::services::fs::ServeFileSystemResponseBody;
use tower_http::services::{ServeDir, ServeFile};

use super::link::{ONCE, TRACES};
use super::token::Token;

/// Bytes read from a file at a time.
const CHUNK: usize = 1 << 18;

const NO_CACHE: HeaderValue = HeaderValue::from_static("no-cache");
const NO_SNIFF: HeaderValue = HeaderValue::from_static("nosniff");
const SAME_ORIGIN: HeaderValue = HeaderValue::from_static("same-origin");
const NO_REFERRER: HeaderValue = HeaderValue::from_static("no-referrer");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

type Body = Either<ServeFileSystemResponseBody, Full<Bytes>>;

/// The page's service worker, which caches the page for the next visit: at an address with a new token each time, that
/// would only fill the browser's storage.
const SERVICE_WORKER: &str = "sw.js";

/// The page and the traces.
pub(super) struct Site {
    page: ServeDir,
    token: Token,
    traces: Vec<PathBuf>,
    /// Until it is used: the token of the address that works once, and its target path.
    once: Mutex<Option<(Token, String)>>,
}

impl Site {
    pub(super) fn new(page: &Path, token: Token, traces: Vec<PathBuf>) -> Self {
        Self { page: ServeDir::new(page).with_buf_chunk_size(CHUNK), token, traces, once: Mutex::default() }
    }

    /// Adds an address that works once, and its target path.
    pub(super) fn open_once(&mut self, once: Token, path: String) {
        self.once = Mutex::new(Some((once, path)));
    }

    /// Answers a request, possibly with an error.
    pub(super) async fn answer(&self, request: Request<Incoming>) -> Result<Response<Body>, Infallible> {
        let mut response = self.response(request).await;
        let headers = response.headers_mut();
        // A rebuilt page is loaded again.
        headers.insert(CACHE_CONTROL, NO_CACHE);
        headers.insert(X_CONTENT_TYPE_OPTIONS, NO_SNIFF);
        headers.insert(RESOURCE_POLICY, SAME_ORIGIN);
        headers.insert(REFERRER_POLICY, NO_REFERRER);
        Ok(response)
    }

    async fn response(&self, mut request: Request<Incoming>) -> Response<Body> {
        if !is_for_this_machine(&request) {
            return refusal(StatusCode::FORBIDDEN, "this server answers to the names of its own machine only");
        }
        let path = request.uri().path().strip_prefix('/').unwrap_or_default();
        if request.method() == Method::GET
            && let Some(once) = path.strip_prefix(ONCE)
            && let Some(path) = self.use_once(once)
        {
            return redirect(&format!("/{path}"));
        }
        let (token, rest) = path.split_once('/').unwrap_or((path, ""));
        if !self.token.is(token) {
            return refusal(
                StatusCode::FORBIDDEN,
                "the address lacks the token: open the one that `stepscope serve` printed",
            );
        }
        if token.len() == path.len() {
            // Relative addresses in the page are relative to its folder.
            let query = request.uri().query().map_or_else(String::new, |query| format!("?{query}"));
            return redirect(&format!("/{path}/{query}"));
        }
        if let Some(rest) = rest.strip_prefix(TRACES) {
            return match self.trace(rest) {
                Some(path) => trace(path, request).await,
                None => refusal(StatusCode::NOT_FOUND, "this trace does not exist"),
            };
        }
        if rest == SERVICE_WORKER {
            return refusal(StatusCode::NOT_FOUND, "the page is not kept for another visit");
        }
        let Ok(inside) = format!("/{rest}").parse::<Uri>() else {
            return refusal(StatusCode::BAD_REQUEST, "this is not a valid path");
        };
        *request.uri_mut() = inside;
        let mut page = self.page.clone();
        page.try_call(request).await.map_or_else(|error| unreadable(&error), |answer| answer.map(Either::Left))
    }

    /// The target of the address that works once, if this is it.
    fn use_once(&self, token: &str) -> Option<String> {
        let mut once = self.once.lock().unwrap_or_else(PoisonError::into_inner);
        once.take_if(|(once, _)| once.is(token)).map(|(_, path)| path)
    }

    /// The file of `NUMBER/PATH`. The number alone decides; the path is for the page.
    fn trace(&self, path: &str) -> Option<&Path> {
        let (number, rest) = path.split_once('/')?;
        let file = self.traces.get(number.parse::<usize>().ok()?)?;
        let leads_elsewhere = |part: &str| matches!(part, "" | "." | "..");
        (!rest.split('/').any(leads_elsewhere)).then_some(file)
    }
}

/// A trace's bytes as they lie on disk: compressed ones too are the page's to inflate.
async fn trace(path: &Path, request: Request<Incoming>) -> Response<Body> {
    let answer = ServeFile::new(path).with_buf_chunk_size(CHUNK).try_call(request).await;
    let mut response = answer.map_or_else(|error| unreadable(&error), |answer| answer.map(Either::Left));
    if response.status().is_success() {
        let is_json = path.extension().is_some_and(|extension| extension == "json");
        // Never a type that a browser would run, whatever the file's name.
        let kind = if is_json { "application/json" } else { "application/octet-stream" };
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    }
    response
}

/// Whether every host that the request names is this machine, and it names one.
fn is_for_this_machine(request: &Request<Incoming>) -> bool {
    let headers = request.headers().get_all(HOST).iter().map(|host| host.to_str().unwrap_or_default());
    let hosts: Vec<&str> = headers.chain(request.uri().authority().map(Authority::as_str)).collect();
    !hosts.is_empty() && hosts.into_iter().all(is_loopback)
}

/// Whether a host, with or without a port (a tunnel's may differ from ours), is a name of this machine.
fn is_loopback(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if !port.is_empty() && port.bytes().all(|digit| digit.is_ascii_digit()) => name,
        _ => host,
    };
    name.eq_ignore_ascii_case("localhost") || name == "127.0.0.1" || name == "[::1]"
}

fn unreadable(error: &std::io::Error) -> Response<Body> {
    refusal(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string())
}

fn redirect(to: &str) -> Response<Body> {
    let mut response = refusal(StatusCode::SEE_OTHER, "the page is at another address");
    if let Ok(to) = HeaderValue::from_str(to) {
        response.headers_mut().insert(LOCATION, to);
    }
    response
}

fn refusal(status: StatusCode, why: &str) -> Response<Body> {
    let mut response = Response::new(Either::Right(Full::new(Bytes::from(format!("{why}\n")))));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response
}

#[cfg(test)]
mod tests {
    use super::is_loopback;

    #[test]
    fn only_names_of_this_machine() {
        for host in ["localhost", "LOCALHOST:8321", "127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:8321"] {
            assert!(is_loopback(host), "{host}");
        }
        let foreign =
            ["", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", "::1", "localhost:", "0.0.0.0"];
        for host in foreign {
            assert!(!is_loopback(host), "{host}");
        }
    }
}
