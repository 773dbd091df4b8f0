//! Why a command fails.

/// Why a command failed, in a person's words.
pub(crate) type Result<T = ()> = std::result::Result<T, String>;
