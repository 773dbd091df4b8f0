//! The finding on one thing that recording needs.

use serde::Serialize;

/// Whether something can be recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum State {
    /// It can.
    Ok,
    /// Only partly, or at a cost.
    Limited,
    /// It cannot.
    Missing,
}

/// A check of one thing.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Check {
    /// A stable name.
    pub(super) id: &'static str,
    /// Its subject.
    pub(super) title: &'static str,
    pub(super) state: State,
    /// The finding.
    pub(super) found: String,
    /// The remedy, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) fix: Option<String>,
}

impl Check {
    pub(super) fn ok(id: &'static str, title: &'static str, found: impl Into<String>) -> Self {
        Self { id, title, state: State::Ok, found: found.into(), fix: None }
    }

    pub(super) fn limited(
        id: &'static str,
        title: &'static str,
        found: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        Self { state: State::Limited, fix: Some(fix.into()), ..Self::ok(id, title, found) }
    }

    pub(super) fn missing(
        id: &'static str,
        title: &'static str,
        found: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        Self { state: State::Missing, fix: Some(fix.into()), ..Self::ok(id, title, found) }
    }
}
