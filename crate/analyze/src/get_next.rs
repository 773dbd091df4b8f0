//! `MindSpore`'s operators that take data.

/// Whether an operator takes an iteration's data from the queue: `Default/GetNext-op0`.
pub(crate) fn is_get_next(name: &str) -> bool {
    own_name(name).starts_with("GetNext")
}

/// Whether an operator takes data, or begins the queue of them: `Default/InitDataSetQueue-op0`.
pub(crate) fn is_of_data(name: &str) -> bool {
    is_get_next(name) || own_name(name).starts_with("InitData")
}

/// A name without the scopes around it.
fn own_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_queue_begins_once_and_is_no_get_next() {
        for name in ["GetNext", "Default/GetNext-op0", "Default/GetNextFromQueue-op3"] {
            assert!(is_get_next(name) && is_of_data(name), "{name}");
        }
        assert!(!is_get_next("Default/InitDataSetQueue-op0") && is_of_data("Default/InitDataSetQueue-op0"));
        assert!(!is_of_data("GetNext/Conv2D-op1"), "its scope");
    }
}
