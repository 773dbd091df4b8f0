//! NVTX: a program's own annotations, by NVIDIA's interface.
//!
//! Each shared object that uses NVTX has its own tables of functions and calls [`InitializeInjectionNvtx2`] when it
//! first uses one. There, pointers to its functions are replaced by ours. Versions of the old library
//! `libnvToolsExt.so.1` have shorter tables, and some slots are empty.
//!
//! | NVTX | recording |
//! | --- | --- |
//! | push and pop | spans of the thread, separately for each domain |
//! | start and end | asynchronous operations, whose ends may be on any thread |
//! | marks | instant events |
//! | domain | before the name, as in Nsight Systems: `domain:name` |
//! | category | the argument `category`: its name, else its number |
//! | payload | the argument `payload` |
//! | names of threads, devices, streams | names of threads, devices, streams |
//!
//! Names that end in `, seq = 7, op_id = 12, sizes = […]` are PyTorch's `emit_nvtx`: these ranges are operators of the
//! name before, with the argument `seq`; the rest would make each name unique.

mod attributes;
mod callbacks;
mod domains;
mod names;
mod ranges;
mod table;

use stepscope_collector::Target;

use crate::guard::guard;
use crate::switch::wants;

pub use table::GetExportTable;

/// Called by NVTX, once for each shared object that uses it. Returns 1 if it is attached.
///
/// # Safety
///
/// As the interface demands: `get_export_table` is the caller's, and is called with numbers of its tables.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "NVIDIA's name")]
#[expect(unsafe_code, reason = "a name that others find, called with pointers")]
pub unsafe extern "C" fn InitializeInjectionNvtx2(get_export_table: Option<GetExportTable>) -> i32 {
    guard(0, || {
        let Some(get_export_table) = get_export_table.filter(|_| wants(Target::Nvtx)) else { return 0 };
        // SAFETY: the caller follows the interface.
        i32::from(unsafe { table::attach(get_export_table, &callbacks::MODULES) })
    })
}
