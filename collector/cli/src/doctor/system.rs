//! The operating system's edge: libraries that are loaded, file systems' sizes.

#![expect(unsafe_code, reason = "loading and file systems are the system's C interface")]

use std::ffi::{CStr, CString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Loads a library as the dynamic linker would, and looks for a function in it.
///
/// # Errors
///
/// The linker's message.
pub(super) fn load(library: &Path, function: Option<&CStr>) -> Result<(), String> {
    let path = CString::new(library.as_os_str().as_bytes()).map_err(|error| error.to_string())?;
    // SAFETY: the library's initializers run, as they would in any program that it is for; `dlerror` is a text of this
    // thread, copied before the next call.
    unsafe {
        let handle = libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL);
        let said = || {
            let error = libc::dlerror();
            if error.is_null() { "unknown".to_owned() } else { CStr::from_ptr(error).to_string_lossy().into_owned() }
        };
        if handle.is_null() {
            return Err(said());
        }
        match function {
            Some(name) if libc::dlsym(handle, name.as_ptr()).is_null() => Err(said()),
            _ => Ok(()),
        }
    }
}

/// The version of an injection library's C interface; `None` without such an interface.
pub(super) fn abi_version(library: &Path) -> Option<u32> {
    let path = CString::new(library.as_os_str().as_bytes()).ok()?;
    // SAFETY: as in `load`; the function has this type in all versions of the library, which stays loaded.
    unsafe {
        let handle = libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL);
        if handle.is_null() {
            return None;
        }
        let function = libc::dlsym(handle, c"stepscope_abi_version".as_ptr());
        if function.is_null() {
            return None;
        }
        let function = std::mem::transmute::<*mut libc::c_void, extern "C" fn() -> u32>(function);
        Some(function())
    }
}

/// Bytes of a path's file system: in all, and available to this user.
///
/// # Errors
///
/// The system's.
pub(super) fn room(path: &Path) -> io::Result<(u64, u64)> {
    let path = CString::new(path.as_os_str().as_bytes())?;
    // SAFETY: it writes into `about` alone, which is plain memory.
    unsafe {
        let mut about: libc::statvfs = std::mem::zeroed();
        if libc::statvfs(path.as_ptr(), &raw mut about) != 0 {
            return Err(io::Error::last_os_error());
        }
        let block = about.f_frsize;
        Ok((about.f_blocks.saturating_mul(block), about.f_bavail.saturating_mul(block)))
    }
}

/// The C library's version, where it is GNU's.
pub(super) fn libc_version() -> Option<String> {
    #[cfg(target_env = "gnu")]
    {
        // SAFETY: it returns a text that is always there.
        let version = unsafe { CStr::from_ptr(libc::gnu_get_libc_version()) };
        Some(version.to_string_lossy().into_owned())
    }
    #[cfg(not(target_env = "gnu"))]
    None
}
