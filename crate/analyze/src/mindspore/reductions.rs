//! Names of `MindSpore`'s operators that communicate, on the host as on a device.

/// Whether an operator communicates, by its name: `Default/AllReduce-op3`.
pub(crate) fn is_reduction(name: &str) -> bool {
    const KINDS: [&str; 4] = ["AllReduce", "AllGather", "ReduceScatter", "Broadcast-"];
    let own = name.rsplit('/').next().unwrap_or(name);
    KINDS.iter().any(|kind| own.starts_with(kind))
}
