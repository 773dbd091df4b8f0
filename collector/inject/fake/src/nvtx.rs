//! A shared object that uses NVTX, built as with its headers.

use std::ffi::{CString, c_void};
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// Entries of the largest table.
const ENTRIES: usize = 16;

/// Modules: CORE, CUDA, OPENCL, CUDART, CORE2.
const MODULES: usize = 6;

/// Functions that calls are dispatched to; null: no handler.
static SLOTS: [[AtomicPtr<c_void>; ENTRIES]; MODULES] =
    [const { [const { AtomicPtr::new(std::ptr::null_mut()) }; ENTRIES] }; MODULES];

/// Pointers to them. The first is always null; others are where a library is older than the function.
static TABLES: [[AtomicPtr<c_void>; ENTRIES]; MODULES] =
    [const { [const { AtomicPtr::new(std::ptr::null_mut()) }; ENTRIES] }; MODULES];

/// Entries of CORE2's table.
static CORE2: AtomicUsize = AtomicUsize::new(ENTRIES);

unsafe extern "C" fn function_table(module: i32, table: *mut *mut c_void, size: *mut u32) -> i32 {
    const SIZES: [usize; MODULES] = [0, 16, 9, 0, 7, 16];
    let Some(index) = usize::try_from(module).ok().filter(|index| SIZES.get(*index).is_some_and(|size| *size > 0))
    else {
        return 0;
    };
    let entries = if index == 5 { CORE2.load(Ordering::Relaxed) } else { SIZES[index] };
    // SAFETY: the caller gives two places to be written to.
    unsafe {
        *table = TABLES[index].as_ptr().cast_mut().cast();
        *size = u32::try_from(entries).unwrap_or_default();
    }
    1
}

#[repr(C)]
struct Callbacks {
    size: usize,
    function_table: unsafe extern "C" fn(i32, *mut *mut c_void, *mut u32) -> i32,
}

static CALLBACKS: Callbacks = Callbacks { size: 16, function_table };

unsafe extern "C" fn export_table(id: u32) -> *const c_void {
    if id == 1 { (&raw const CALLBACKS).cast() } else { std::ptr::null() }
}

/// The work of NVTX's first call: loads the library that the environment names, and hands it the tables. Returns
/// whether it attached. With `old`, the tables are as of the library of version 2: CORE2 has 15 entries, of which two
/// are null.
///
/// # Safety
///
/// The library is one for NVTX.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fake_nvtx_first_call(old: bool) -> bool {
    for (table, slots) in TABLES.iter().zip(&SLOTS) {
        for (entry, slot) in table.iter().zip(slots).skip(1) {
            entry.store(slot.as_ptr().cast(), Ordering::Relaxed);
        }
    }
    if old {
        CORE2.store(15, Ordering::Relaxed);
        for index in [6, 7] {
            TABLES[5][index].store(std::ptr::null_mut(), Ordering::Relaxed);
        }
    }
    let Some(path) = std::env::var("NVTX_INJECTION64_PATH").ok().and_then(|path| CString::new(path).ok()) else {
        return false;
    };
    // SAFETY: as the caller says.
    unsafe {
        let library = libc::dlopen(path.as_ptr(), libc::RTLD_LAZY);
        if library.is_null() {
            return false;
        }
        let initialize = libc::dlsym(library, c"InitializeInjectionNvtx2".as_ptr());
        if initialize.is_null() {
            return false;
        }
        type GetExportTable = unsafe extern "C" fn(u32) -> *const c_void;
        type Initialize = unsafe extern "C" fn(GetExportTable) -> i32;
        let initialize = std::mem::transmute::<*mut c_void, Initialize>(initialize);
        let attached = initialize(export_table) != 0;
        if !attached {
            libc::dlclose(library);
        }
        attached
    }
}

/// The function that a call is dispatched to; null without a handler.
#[unsafe(no_mangle)]
pub extern "C" fn fake_nvtx_function(module: usize, index: usize) -> *mut c_void {
    SLOTS[module][index].load(Ordering::Relaxed)
}
