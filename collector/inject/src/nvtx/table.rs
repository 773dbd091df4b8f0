//! Tables of functions; each shared object has its own.

#![expect(unsafe_code, reason = "tables of pointers, as NVTX defines them")]

use std::ffi::c_void;

/// Gives a table by number; null if there is none.
pub type GetExportTable = unsafe extern "C" fn(u32) -> *const c_void;

/// A function with any signature.
pub(super) type Function = unsafe extern "C" fn();

/// The table of callbacks.
const CALLBACKS: u32 = 1;

/// The table of callbacks, as far as it is used.
#[repr(C)]
struct Callbacks {
    struct_size: usize,
    get_module_function_table: Option<unsafe extern "C" fn(i32, *mut *mut *mut Option<Function>, *mut u32) -> i32>,
}

/// A module's number and our functions that replace its own.
pub(super) type Module = (i32, &'static [(usize, Function)]);

/// Attaches our functions of modules to a shared object; returns whether any was attached.
///
/// # Safety
///
/// The function keeps to NVTX's interface.
pub(super) unsafe fn attach(get_export_table: GetExportTable, modules: &[Module]) -> bool {
    // SAFETY: the number is one of the interface's.
    let table = unsafe { get_export_table(CALLBACKS) }.cast::<Callbacks>();
    // SAFETY: the table begins with its size.
    let size = if table.is_null() { 0 } else { unsafe { (*table).struct_size } };
    if size < size_of::<Callbacks>() {
        return false;
    }
    // SAFETY: the table is as large as it says.
    let Some(get) = (unsafe { (*table).get_module_function_table }) else { return false };
    let mut any = false;
    for (module, functions) in modules {
        let (mut slots, mut count) = (std::ptr::null_mut(), 0);
        // SAFETY: both are written to.
        if unsafe { get(*module, &raw mut slots, &raw mut count) } != 1 || slots.is_null() {
            continue;
        }
        for (index, function) in *functions {
            if *index < count as usize {
                // SAFETY: the table has `count` entries.
                let slot = unsafe { *slots.add(*index) };
                if !slot.is_null() {
                    // SAFETY: an entry is null or points to the place of the function's address.
                    unsafe { *slot = Some(*function) };
                    any = true;
                }
            }
        }
    }
    any
}
