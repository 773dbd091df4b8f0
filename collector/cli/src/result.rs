//! Failures of commands.

/// Result of a command; the error is a message for the user.
pub(crate) type Result<T = ()> = std::result::Result<T, String>;
