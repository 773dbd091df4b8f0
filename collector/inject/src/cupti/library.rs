//! The library CUPTI: found at run time, so that this one works without it.

#![expect(unsafe_code, reason = "functions of a library that is found by name")]

use std::ffi::{CStr, CString, c_char, c_void};
use std::path::{Path, PathBuf};

/// Return value of CUPTI's functions.
pub(super) type Status = i32;

pub(super) const SUCCESS: Status = 0;

/// A client of CUPTI's, from 13.3 on.
pub(super) type Subscriber = *mut c_void;

pub(super) type Requested = unsafe extern "C" fn(*mut *mut u8, *mut usize, *mut usize);
pub(super) type Completed = unsafe extern "C" fn(*mut c_void, u32, *mut u8, usize, usize);
pub(super) type Requested2 = unsafe extern "C" fn(*mut *mut u8, *mut usize, *mut usize, *mut c_void);
pub(super) type Completed2 = unsafe extern "C" fn(*mut u8, usize, usize, *mut c_void);
pub(super) type Timestamp = unsafe extern "C" fn() -> u64;
pub(super) type Callback = unsafe extern "C" fn(*mut c_void, u32, u32, *const c_void);

/// Parameters with which a client registers.
#[repr(C)]
pub(super) struct SubscriberParams {
    pub(super) struct_size: usize,
    pub(super) name: *const c_char,
    pub(super) old_name: *mut c_char,
    pub(super) old_size: usize,
    pub(super) allow_multiple: u8,
    pub(super) padding: [u8; 7],
}

macro_rules! functions {
    ($(#[doc = $about:literal])+ $table:ident { $($field:ident = $name:literal: fn($($argument:ty),*);)+ }) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy)]
        pub(super) struct $table {
            $(pub(super) $field: unsafe extern "C" fn($($argument),*) -> Status,)+
        }

        impl $table {
            /// All of them; `None` if one is missing.
            fn of(library: Handle) -> Option<Self> {
                Some(Self {
                    // SAFETY: the library's function of that name has this signature.
                    $($field: unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($argument),*) -> Status>(library.symbol($name)?) },)+
                })
            }
        }
    };
}

functions! {
    /// Functions of every version.
    Functions {
        version = c"cuptiGetVersion": fn(*mut u32);
        register_callbacks = c"cuptiActivityRegisterCallbacks": fn(Requested, Completed);
        enable = c"cuptiActivityEnable": fn(u32);
        next_record = c"cuptiActivityGetNextRecord": fn(*mut u8, usize, *mut *mut u8);
        flush_all = c"cuptiActivityFlushAll": fn(u32);
        callback_name = c"cuptiGetCallbackName": fn(u32, u32, *mut *const c_char);
        timestamp = c"cuptiGetTimestamp": fn(*mut u64);
    }
}

functions! {
    /// Functions of versions from 11.6 on.
    Timing {
        register_timestamp = c"cuptiActivityRegisterTimestampCallback": fn(Timestamp);
    }
}

functions! {
    /// Functions of versions from 11.1 on.
    Periodic {
        flush_period = c"cuptiActivityFlushPeriod": fn(u32);
    }
}

functions! {
    /// Functions of most versions: threads by their system ids.
    Threads {
        set_thread_id_type = c"cuptiSetThreadIdType": fn(u32);
    }
}

functions! {
    /// Kinds that are no longer recorded.
    Disabling {
        disable = c"cuptiActivityDisable": fn(u32);
    }
}

functions! {
    /// Choice of single calls, from 12.5 on.
    Calls {
        enable_driver_call = c"cuptiActivityEnableDriverApi": fn(u32, u8);
        enable_runtime_call = c"cuptiActivityEnableRuntimeApi": fn(u32, u8);
    }
}

functions! {
    /// Choice of single calls for one of several clients.
    CallsOfClient {
        enable_driver_call = c"cuptiActivityEnableDriverApi_v2": fn(Subscriber, u32, u8);
        enable_runtime_call = c"cuptiActivityEnableRuntimeApi_v2": fn(Subscriber, u32, u8);
    }
}

functions! {
    /// Numbers of streams by handle.
    Streams {
        stream_id = c"cuptiGetStreamIdEx": fn(*mut c_void, usize, u8, *mut u32);
    }
}

functions! {
    /// Several clients, from 13.3 on.
    Multiple {
        subscribe = c"cuptiSubscribe_v2": fn(*mut Subscriber, Callback, *mut c_void, *mut SubscriberParams);
        unsubscribe = c"cuptiUnsubscribe": fn(Subscriber);
        register_callbacks = c"cuptiActivityRegisterCallbacks_v2": fn(Subscriber, Requested2, Completed2);
        enable = c"cuptiActivityEnable_v2": fn(Subscriber, u32, *mut c_void);
        next_record = c"cuptiActivityGetNextRecord_v2": fn(Subscriber, *mut u8, usize, *mut *mut u8);
        set_attribute = c"cuptiActivitySetAttribute_v2": fn(Subscriber, u32, *mut usize, *mut c_void);
    }
}

/// A library that is loaded; it is never unloaded.
#[derive(Clone, Copy)]
struct Handle(*mut c_void);

impl Handle {
    fn symbol(self, name: &CStr) -> Option<*mut c_void> {
        // SAFETY: the library stays loaded.
        let symbol = unsafe { libc::dlsym(self.0, name.as_ptr()) };
        (!symbol.is_null()).then_some(symbol)
    }

    fn load(name: &CStr, only_loaded: bool) -> Option<Self> {
        let only_loaded = if only_loaded { libc::RTLD_NOLOAD } else { 0 };
        // SAFETY: it is a library that the program has, or NVIDIA's.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_LAZY | libc::RTLD_LOCAL | only_loaded) };
        (!handle.is_null()).then_some(Self(handle))
    }
}

/// CUPTI, with the functions that this version has.
#[derive(Clone, Copy)]
pub(super) struct Library {
    pub(super) functions: Functions,
    pub(super) timing: Option<Timing>,
    pub(super) periodic: Option<Periodic>,
    pub(super) threads: Option<Threads>,
    pub(super) disabling: Option<Disabling>,
    pub(super) calls: Option<Calls>,
    pub(super) calls_of_client: Option<CallsOfClient>,
    pub(super) streams: Option<Streams>,
    pub(super) multiple: Option<Multiple>,
    /// Its version as it reports it: 18 is 11.8, 130301 is 13.3.
    pub(super) version: u32,
}

impl Library {
    /// The one that the program uses already, since two copies clash; else the one that fits its CUDA runtime; else
    /// any.
    pub(super) fn find() -> Option<Self> {
        let loaded = SONAMES.iter().find_map(|name| Handle::load(name, true));
        let beside = || beside_runtime().iter().find_map(|path| Handle::load(path, false));
        let any = || SONAMES.iter().find_map(|name| Handle::load(name, false));
        Self::of(loaded.or_else(beside).or_else(any)?)
    }

    fn of(handle: Handle) -> Option<Self> {
        let functions = Functions::of(handle)?;
        let mut version = 0;
        // SAFETY: it writes the version.
        if unsafe { (functions.version)(&raw mut version) } != SUCCESS {
            return None;
        }
        Some(Self {
            functions,
            timing: Timing::of(handle),
            periodic: Periodic::of(handle),
            threads: Threads::of(handle),
            disabling: Disabling::of(handle),
            calls: Calls::of(handle),
            calls_of_client: CallsOfClient::of(handle),
            streams: Streams::of(handle),
            multiple: Multiple::of(handle),
            version,
        })
    }
}

const SONAMES: [&CStr; 4] = [c"libcupti.so.13", c"libcupti.so.12", c"libcupti.so.11.8", c"libcupti.so.11.7"];

/// Possible paths of CUPTI, from the path of the program's CUDA runtime.
fn beside_runtime() -> Vec<CString> {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let paths = maps.lines().filter_map(|line| line.find('/').map(|at| Path::new(&line[at..])));
    let mut candidates: Vec<PathBuf> = paths.flat_map(candidates).collect();
    candidates.dedup();
    candidates.retain(|path| path.exists());
    candidates.iter().filter_map(|path| CString::new(path.to_str()?).ok()).collect()
}

/// Possible paths of CUPTI for a path of the CUDA runtime.
fn candidates(runtime: &Path) -> Vec<PathBuf> {
    let name = runtime.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let Some(version) = name.strip_prefix("libcudart.so.") else { return Vec::new() };
    let major = version.split('.').next().unwrap_or_default();
    // CUPTI 11's name has both numbers, the runtime's has `11.0` for all of 11.
    let names = if major == "11" { vec!["11.8", "11.7"] } else { vec![major] };
    let Some(folder) = runtime.parent() else { return Vec::new() };
    // The toolkit's; that of packages for Python (cuda_runtime/lib and cuda_cupti/lib); the toolkit's again.
    let folders = [".", "../../cuda_cupti/lib", "../extras/CUPTI/lib64", "../../../extras/CUPTI/lib64"];
    let in_folder = |part: &str| {
        let folder = folder.join(part);
        names.iter().map(move |name| folder.join(format!("libcupti.so.{name}"))).collect::<Vec<_>>()
    };
    folders.iter().flat_map(|part| in_folder(part)).collect()
}

/// A function of the driver's, which has called us or will.
pub(super) fn driver_function(name: &CStr) -> Option<*mut c_void> {
    let driver = Handle::load(c"libcuda.so.1", true).and_then(|driver| driver.symbol(name));
    driver.or_else(|| Handle(libc::RTLD_DEFAULT).symbol(name))
}

/// A call that the driver records and that has no other effect: `cuDriverGetVersion`.
pub(super) fn canary() -> Option<unsafe extern "C" fn(*mut i32) -> i32> {
    let function = driver_function(c"cuDriverGetVersion")?;
    // SAFETY: the driver's function has this signature.
    Some(unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*mut i32) -> i32>(function) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cupti_is_where_the_runtime_is() {
        let of = |runtime: &str| -> Vec<String> {
            candidates(Path::new(runtime)).iter().map(|path| path.display().to_string()).collect()
        };
        let wheel = of("/v/nvidia/cuda_runtime/lib/libcudart.so.12");
        assert_eq!(wheel[1], "/v/nvidia/cuda_runtime/lib/../../cuda_cupti/lib/libcupti.so.12");
        assert_eq!(of("/v/nvidia/cu13/lib/libcudart.so.13")[0], "/v/nvidia/cu13/lib/./libcupti.so.13");
        assert_eq!(of("/usr/local/cuda/lib64/libcudart.so.11.0")[0], "/usr/local/cuda/lib64/./libcupti.so.11.8");
        assert_eq!(
            of("/usr/local/cuda/lib64/libcudart.so.12.4.127")[2],
            "/usr/local/cuda/lib64/../extras/CUPTI/lib64/libcupti.so.12"
        );
        assert!(of("/usr/lib/libc.so.6").is_empty());
    }
}
