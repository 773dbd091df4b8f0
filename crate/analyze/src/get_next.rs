//! `MindSpore`'s operator that takes data from the queue.

/// Whether an operator takes data from the queue: `Default/GetNext-op0`.
pub(crate) fn is_get_next(name: &str) -> bool {
    let own = name.rsplit('/').next().unwrap_or(name);
    own.starts_with("GetNext") || own.starts_with("InitData")
}
