//! The page's content security policy.

use std::fs;

use crate::paths;
use crate::shell::Result;

/// The content security policy of an index.
pub(super) fn policy_of(index: &str) -> Result<&str> {
    let policy = index.split("Content-Security-Policy\" content=\"").nth(1).and_then(|rest| rest.split('"').next());
    policy.ok_or_else(|| "index.html has no content security policy".to_owned())
}

/// The page's content security policy.
pub(crate) fn policy() -> Result<String> {
    let path = paths::root().join("www/index.html");
    let index = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    policy_of(&index).map(str::to_owned)
}
