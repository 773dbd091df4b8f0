//! Names of kernels and calls.

use std::ffi::c_char;

use cpp_demangle::{DemangleOptions, Symbol};
use rustc_hash::FxHashMap;
use stepscope_collector::Name;

use super::library::{Functions, SUCCESS};
use crate::text::{bytes, readable};

/// Most kernels whose names are remembered: each has to be demangled only once.
const MOST_REMEMBERED: usize = 1 << 16;

/// Names that were looked up before.
#[derive(Default)]
pub(super) struct Names {
    kernels: FxHashMap<Box<[u8]>, Name>,
    /// By domain and number; `None` for calls that only [query](is_query).
    calls: FxHashMap<(u32, u32), Option<Name>>,
}

impl Names {
    /// The demangled name of a kernel, as PyTorch's profiler shows it.
    pub(super) fn kernel(&mut self, name: &[u8]) -> Name {
        if let Some(known) = self.kernels.get(name) {
            return *known;
        }
        if self.kernels.len() >= MOST_REMEMBERED {
            self.kernels.clear();
        }
        let readable = Name::new(&demangled(&readable(name)));
        self.kernels.insert(name.into(), readable);
        readable
    }

    /// The name of a call, without the version of the runtime's interface: `cudaLaunchKernel`. `None` for a call that only
    /// [queries](is_query).
    pub(super) fn call(&mut self, functions: &Functions, domain: u32, number: u32) -> Option<Name> {
        *self.calls.entry((domain, number)).or_insert_with(|| match call_name(functions, domain, number).as_deref() {
            Some(name) if is_query(name) => None,
            Some(name) => Some(Name::new(name)),
            None => Some(Name::new(&format!("{} call {number}", if domain == DRIVER { "driver" } else { "runtime" }))),
        })
    }
}

/// CUPTI's numbers of the two interfaces.
pub(super) const DRIVER: u32 = 1;
pub(super) const RUNTIME: u32 = 2;

/// Unknown numbers in a row after which there are no more calls.
const MOST_UNKNOWN: u32 = 32;

/// The numbers of an interface's calls that only [query](is_query).
pub(super) fn queries(functions: Functions, domain: u32) -> impl Iterator<Item = u32> {
    let mut unknown = 0;
    let known = (1..).map(move |number| (number, call_name(&functions, domain, number)));
    let known = known.take_while(move |(_, name)| {
        unknown = if name.is_some() { 0 } else { unknown + 1 };
        unknown < MOST_UNKNOWN
    });
    known.filter(|(_, name)| name.as_deref().is_some_and(is_query)).map(|(number, _)| number)
}

/// The plain name of a call, if it is known.
#[expect(unsafe_code, reason = "a function of CUPTI's")]
fn call_name(functions: &Functions, domain: u32, number: u32) -> Option<String> {
    let mut name: *const c_char = std::ptr::null();
    // SAFETY: it writes a pointer to a text that lasts.
    let known = unsafe { (functions.callback_name)(domain, number, &raw mut name) } == SUCCESS;
    // SAFETY: as above; null if it is not known.
    let text = if known { readable(unsafe { bytes(name) }) } else { "".into() };
    Some(plain(&text).to_owned()).filter(|name| !name.is_empty())
}

/// Calls that ask for a state and return at once, many times for each launch: of PyTorch's calls on an H100 they were nine of ten, and
/// recording them took more time than they do. Those that load a module or a function are not among them.
const QUERIES: [&str; 23] = [
    "cuCtxGetCurrent",
    "cuCtxGetDevice",
    "cuDeviceGetAttribute",
    "cuDevicePrimaryCtxGetState",
    "cuFuncGetAttribute",
    "cuGetProcAddress",
    "cuGetProcAddress_v2",
    "cuKernelGetAttribute",
    "cuKernelGetName",
    "cuOccupancyMaxActiveBlocksPerMultiprocessor",
    "cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
    "cuPointerGetAttribute",
    "cuStreamGetCaptureInfo",
    "cuStreamIsCapturing",
    "cudaDeviceGetAttribute",
    "cudaGetDevice",
    "cudaGetLastError",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
    "cudaOccupancyMaxActiveClusters",
    "cudaPeekAtLastError",
    "cudaStreamGetCaptureInfo",
    "cudaStreamIsCapturing",
];

/// Whether a call only asks for a state.
fn is_query(name: &str) -> bool {
    QUERIES.binary_search(&name.strip_suffix("_ptsz").unwrap_or(name)).is_ok()
}

/// `cudaLaunchKernel_v7000` is `cudaLaunchKernel`; the driver's own `_v2` stays, as it is part of the function's name.
fn plain(name: &str) -> &str {
    match name.rsplit_once("_v") {
        Some((plain, version)) if version.len() >= 4 && version.bytes().all(|byte| byte.is_ascii_digit()) => plain,
        _ => name,
    }
}

fn demangled(name: &str) -> String {
    let options = DemangleOptions::default();
    let symbol = if name.starts_with("_Z") { Symbol::new(name).ok() } else { None };
    symbol.and_then(|symbol| symbol.demangle_with_options(&options).ok()).unwrap_or_else(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_readable() {
        assert_eq!(
            demangled(
                "_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_15FillFunctorIfEESt5arrayIPcLm1EEEEviT0_T1_"
            ),
            "_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_15FillFunctorIfEESt5arrayIPcLm1EEEEviT0_T1_",
            "what is no symbol stays as it is"
        );
        assert_eq!(demangled("_Z6kernelPfi"), "kernel(float*, int)");
        assert_eq!(
            demangled("_ZN2at6native11fill_kernelILi4EfEEvPT0_i"),
            "void at::native::fill_kernel<4, float>(float*, int)"
        );
        assert_eq!(demangled("triton_poi_fused_add_0"), "triton_poi_fused_add_0");
    }

    #[test]
    fn queries_do_nothing_but_ask() {
        assert!(QUERIES.is_sorted());
        for query in
            ["cudaGetDevice_v3020", "cuKernelGetName", "cudaStreamIsCapturing_ptsz_v10000", "cuGetProcAddress_v2"]
        {
            assert!(is_query(plain(query)), "{query}");
        }
        // The canary; the first call of a program; one that loads a function.
        for other in ["cuDriverGetVersion", "cudaGetDeviceCount_v3020", "cuKernelGetFunction", "cudaLaunchKernel_v7000"]
        {
            assert!(!is_query(plain(other)), "{other}");
        }
    }

    #[test]
    fn calls_have_plain_names() {
        for (name, expected) in [
            ("cudaLaunchKernel_v7000", "cudaLaunchKernel"),
            ("cudaMemcpyAsync_ptsz_v7000", "cudaMemcpyAsync_ptsz"),
            ("cuMemcpyHtoDAsync_v2", "cuMemcpyHtoDAsync_v2"),
            ("", ""),
        ] {
            assert_eq!(plain(name), expected);
        }
    }
}
