//! The kinds of records that the environment asks for.

use std::sync::OnceLock;

use stepscope_collector::{EnvironmentOptions, Target, is_recording};

/// Whether a kind of records is wanted: all are, unless the environment excludes them. Starts the recording that the
/// environment asks for.
pub(crate) fn wants(target: Target) -> bool {
    static OPTIONS: OnceLock<Option<EnvironmentOptions>> = OnceLock::new();
    // Prints errors in the options, once.
    let _ = is_recording();
    let options = OPTIONS.get_or_init(|| EnvironmentOptions::get().map(Option::unwrap_or_default).ok());
    options.as_ref().is_some_and(|options| options.wants(target))
}
