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
    /// By domain (1: the driver, 2: the runtime) and number.
    calls: FxHashMap<(u32, u32), Name>,
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

    /// The name of a call, without the version of the runtime's interface: `cudaLaunchKernel`.
    #[expect(unsafe_code, reason = "a function of CUPTI's")]
    pub(super) fn call(&mut self, functions: &Functions, domain: u32, number: u32) -> Name {
        *self.calls.entry((domain, number)).or_insert_with(|| {
            let mut name: *const c_char = std::ptr::null();
            // SAFETY: it writes a pointer to a text that lasts.
            let known = unsafe { (functions.callback_name)(domain, number, &raw mut name) } == SUCCESS;
            // SAFETY: as above; null if it is not known.
            let text = if known { readable(unsafe { bytes(name) }) } else { "".into() };
            match plain(&text) {
                "" => Name::new(&format!("{} call {number}", if domain == 1 { "driver" } else { "runtime" })),
                text => Name::new(text),
            }
        })
    }
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
