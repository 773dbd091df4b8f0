//! Names of codes.

/// Names of copies by CUPTI's codes (documented: `CUpti_ActivityMemcpyKind`). Codes from 11 on are Nsight Systems'
/// own, for pages of unified memory.
const COPIES: [&str; 14] = [
    "Memcpy",
    "Memcpy HtoD",
    "Memcpy DtoH",
    "Memcpy HtoA",
    "Memcpy AtoH",
    "Memcpy AtoA",
    "Memcpy AtoD",
    "Memcpy DtoA",
    "Memcpy DtoD",
    "Memcpy HtoH",
    "Memcpy PtoP",
    "Unified Memory Memcpy HtoD",
    "Unified Memory Memcpy DtoH",
    "Unified Memory Memcpy DtoD",
];

/// The name of a copy, as PyTorch's profiler writes it, with the kinds of memory if both are known.
pub(crate) fn copy_name(kind: i64, from: Option<&str>, to: Option<&str>) -> String {
    let known = usize::try_from(kind).ok().and_then(|kind| COPIES.get(kind));
    let name = known.map_or_else(|| format!("Memcpy of kind {kind}"), |name| (*name).to_owned());
    match (from, to) {
        (Some(from), Some(to)) => format!("{name} ({from} -> {to})"),
        _ => name,
    }
}

/// The name of a memset, with the kind of memory if known.
pub(crate) fn memset_name(memory: Option<&str>) -> String {
    memory.map_or_else(|| "Memset".to_owned(), |memory| format!("Memset ({memory})"))
}

/// The code of a copy by its letters, such as `HTOD` or `HtoD`.
pub(crate) fn kind_by_name(letters: &str) -> Option<i64> {
    let known = |name: &&str| name.rsplit(' ').next().is_some_and(|end| end.eq_ignore_ascii_case(letters));
    COPIES[1..11].iter().position(known).and_then(|index| i64::try_from(index + 1).ok())
}

/// The name of a synchronization in PyTorch's profiler, by CUPTI's code (documented:
/// `CUpti_ActivitySynchronizationType`).
pub(crate) fn synchronization_name(code: Option<i64>) -> &'static str {
    match code {
        Some(1) => "Event Sync",
        Some(2) => "Stream Wait Event",
        Some(3) => "Stream Sync",
        Some(4) => "Context Sync",
        _ => "Sync",
    }
}

/// A function of the CUDA runtime without the version of its interface: `cudaLaunchKernel_v7000` is `cudaLaunchKernel`.
///
/// The driver's own `_v2` and `_v3` stay: they are part of the function's name.
pub(crate) fn plain_call_name(name: &str) -> &str {
    match name.rsplit_once("_v") {
        Some((plain, version)) if version.len() >= 4 && version.bytes().all(|byte| byte.is_ascii_digit()) => plain,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_as_in_pytorch() {
        assert_eq!(copy_name(1, Some("Pageable"), Some("Device")), "Memcpy HtoD (Pageable -> Device)");
        assert_eq!(copy_name(12, None, Some("Device")), "Unified Memory Memcpy DtoH");
        assert_eq!(copy_name(99, None, None), "Memcpy of kind 99");
        assert_eq!((kind_by_name("DTOD"), kind_by_name("HtoD"), kind_by_name("")), (Some(8), Some(1), None));
        assert_eq!(plain_call_name("cudaLaunchKernel_v7000"), "cudaLaunchKernel");
        assert_eq!(plain_call_name("cudaMemcpyAsync_ptsz_v10000"), "cudaMemcpyAsync_ptsz");
        assert_eq!(plain_call_name("cuMemcpyHtoDAsync_v2"), "cuMemcpyHtoDAsync_v2");
    }
}
