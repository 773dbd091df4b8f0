//! Shared libraries, loaded.

use std::ffi::{CString, c_void};
use std::path::{Path, PathBuf};

use crate::role::built;

/// A library that stays loaded.
#[derive(Clone, Copy)]
pub(crate) struct Library(*mut c_void);

// SAFETY: a handle that is never closed.
unsafe impl Send for Library {}
// SAFETY: as above.
unsafe impl Sync for Library {}

impl Library {
    pub(crate) fn open(path: &Path) -> Self {
        let name = CString::new(path.to_str().expect("a path")).expect("a path");
        // SAFETY: it is one of those that were built for the tests.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) };
        assert!(!handle.is_null(), "{} cannot be loaded", path.display());
        Self(handle)
    }

    /// The address of a function.
    pub(crate) fn symbol(self, name: &str) -> *mut c_void {
        let name = CString::new(name).expect("a name");
        // SAFETY: the library stays loaded.
        let symbol = unsafe { libc::dlsym(self.0, name.as_ptr()) };
        assert!(!symbol.is_null(), "no {name:?}");
        symbol
    }
}

/// A function of a library by name and signature.
macro_rules! function {
    ($library:expr, $name:literal, $($signature:tt)+) => {
        // SAFETY: the function has that signature.
        unsafe { std::mem::transmute::<*mut std::ffi::c_void, $($signature)+>($library.symbol($name)) }
    };
}
pub(crate) use function;

/// A copy of the fakes under a name of its own: another library to the loader.
pub(crate) fn copy_of_fakes(folder: &Path, name: &str) -> PathBuf {
    let copy = folder.join(name);
    std::fs::create_dir_all(copy.parent().expect("a folder")).expect("a folder");
    std::fs::copy(built("libstepscope_fake_nvidia.so"), &copy).expect("a copy");
    copy
}
