//! Announcements of long steps.

use crate::shell::heading;

/// Announces a step that is about to run.
pub(super) fn announce(what: &str, how_long: &str) {
    heading(&format!("set-up: {what} (may take {how_long})"));
}
