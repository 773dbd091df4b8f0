//! Chromium for the browser tests, and Firefox for those of reports: installed ones, or else Debian's.

use std::path::PathBuf;

use super::announce::announce;
use super::apt;
use crate::shell::{Result, find};
use crate::skips::skip;

const NAMES: [&str; 5] = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];
const PLACES: [&str; 3] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/// The browser's program: `CHROMIUM` if set, else one on PATH or in the usual places.
pub(crate) fn chromium() -> Option<PathBuf> {
    std::env::var_os("CHROMIUM")
        .map(PathBuf::from)
        .or_else(|| NAMES.iter().find_map(|name| find(name)))
        .or_else(|| PLACES.iter().map(PathBuf::from).find(|path| path.is_file()))
}

/// Firefox's program: `FIREFOX` if set, else one on PATH or in the usual place.
pub(crate) fn firefox() -> Option<PathBuf> {
    std::env::var_os("FIREFOX")
        .map(PathBuf::from)
        .or_else(|| ["firefox", "firefox-esr"].iter().find_map(|name| find(name)))
        .or_else(|| {
            Some(PathBuf::from("/Applications/Firefox.app/Contents/MacOS/firefox")).filter(|path| path.is_file())
        })
}

/// Installs Firefox if it is missing and available; otherwise tests skip it, with a message.
pub(crate) fn ensure_firefox() {
    if firefox().is_none() && apt::usable() {
        announce("Firefox by apt", "1 minute");
        if let Err(error) = apt::install(&["firefox-esr"]) {
            skip(&format!("Firefox: {error}"));
        }
    }
}

/// Installs Chromium if it is missing.
pub(super) fn ensure() -> Result {
    if chromium().is_some() {
        return Ok(());
    }
    announce("Chromium by apt", "1 minute");
    // The fonts are for Chinese text in screenshots: without them the page shows boxes.
    if apt::usable() {
        apt::install(&["chromium", "fonts-wqy-microhei", "fonts-dejavu-core"])?;
    }
    chromium().map(|_| ()).ok_or_else(|| {
        "no Chromium or Chrome was found; install one (Debian: apt-get install chromium) or set CHROMIUM to its program".into()
    })
}
