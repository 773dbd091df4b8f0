//! What the environment wants to be recorded.

use std::sync::OnceLock;

use stepscope_collector::{EnvironmentOptions, Target, is_recording};

/// Whether something is to be recorded: all is, unless the environment says otherwise. Starts the recording that the
/// environment asks for.
pub(crate) fn wants(target: Target) -> bool {
    static OPTIONS: OnceLock<Option<EnvironmentOptions>> = OnceLock::new();
    // Says what is wrong with the options, once.
    let _ = is_recording();
    let options = OPTIONS.get_or_init(|| EnvironmentOptions::get().map(Option::unwrap_or_default).ok());
    options.as_ref().is_some_and(|options| options.wants(target))
}
