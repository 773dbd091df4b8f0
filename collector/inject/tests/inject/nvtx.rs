//! NVTX as C programs use it.

use std::ffi::{CStr, c_char, c_void};
use std::path::Path;

use stepscope_format::device::Detail;
use stepscope_format::{ArgumentValue, Category, Kind, Record};

use crate::library::{Library, copy_of_fakes, function};
use crate::recording::RecordedFolder;
use crate::role::{folder, play};

const CORE: usize = 1;
const RUNTIME: usize = 4;
const CORE2: usize = 5;

/// A shared object that uses NVTX.
#[derive(Clone, Copy)]
struct Object(Library);

impl Object {
    /// Loads one and makes its first call.
    fn load(folder: &Path, name: &str, old: bool) -> (Self, bool) {
        let library = Library::open(&copy_of_fakes(folder, name));
        let first = function!(library, "fake_nvtx_first_call", unsafe extern "C" fn(bool) -> bool);
        // SAFETY: the environment names the library that is tested.
        let attached = unsafe { first(old) };
        (Self(library), attached)
    }

    fn function(self, module: usize, index: usize) -> *mut c_void {
        function!(self.0, "fake_nvtx_function", extern "C" fn(usize, usize) -> *mut c_void)(module, index)
    }
}

/// Calls a function of NVTX by module, index and signature.
macro_rules! call {
    ($object:expr, $module:expr, $index:expr, fn($($type:ty),*) $(-> $result:ty)?, $($argument:expr),*) => {{
        let function = $object.function($module, $index);
        assert!(!function.is_null(), "nobody took {} {}", $module, $index);
        type Function = unsafe extern "C" fn($($type),*) $(-> $result)?;
        // SAFETY: the function has the signature that NVTX gives it.
        unsafe { std::mem::transmute::<*mut c_void, Function>(function)($($argument),*) }
    }};
}

/// Attributes of an event, as the structure lies in memory.
fn attributes(category: u32, payload: (u32, u64), message: (u32, usize)) -> [u64; 6] {
    let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
    [pair(3 | 48 << 16, category), 0, pair(payload.0, 0), payload.1, pair(message.0, 0), message.1 as u64]
}

fn push(object: Object, text: &CStr) -> i32 {
    call!(object, CORE, 9, fn(*const c_char) -> i32, text.as_ptr())
}

fn pop(object: Object) -> i32 {
    call!(object, CORE, 11, fn() -> i32,)
}

pub(crate) fn ranges(folder: &Path) {
    let (object, attached) = Object::load(folder, "a.so", false);
    assert!(attached);
    assert_eq!((push(object, c"outer"), push(object, c"middle")), (0, 1));
    let domain = call!(object, CORE2, 12, fn(*const c_char) -> usize, c"lib".as_ptr());
    call!(object, CORE2, 8, fn(usize, u32, *const c_char), domain, 3, c"io".as_ptr());
    let string = call!(object, CORE2, 10, fn(usize, *const c_char) -> usize, domain, c"read".as_ptr());
    let event = attributes(3, (1, 42), (3, string));
    assert_eq!(call!(object, CORE2, 4, fn(usize, *const u64) -> i32, domain, event.as_ptr()), 0);
    // Separately for each domain: the ranges of the default one end first.
    assert_eq!((pop(object), pop(object), pop(object)), (1, 0, -2));
    assert_eq!(call!(object, CORE2, 5, fn(usize) -> i32, domain), 0);
    // Wide characters, and invalid ones.
    let wide: Vec<i32> = "Größe 🦀".chars().map(|character| character as i32).chain([0xD800, 0]).collect();
    call!(object, CORE, 10, fn(*const i32) -> i32, wide.as_ptr());
    pop(object);
    call!(object, CORE, 9, fn(*const c_char) -> i32, std::ptr::null());
    pop(object);
    // PyTorch's.
    for index in 0..1_000 {
        let name = format!("aten::mm, seq = {index}, op_id = {index}, sizes = [[{index}]]\0");
        push(object, CStr::from_bytes_with_nul(name.as_bytes()).expect("a text"));
        pop(object);
    }
    call!(object, CORE, 2, fn(*const c_char), c"moment".as_ptr());
    let event = attributes(9, (3, 0.5_f64.to_bits()), (1, c"half".as_ptr() as usize));
    call!(object, CORE, 1, fn(*const u64), event.as_ptr());
    // Begun here, ended elsewhere.
    let id = call!(object, CORE, 5, fn(*const c_char) -> u64, c"across".as_ptr());
    let other = call!(object, CORE2, 2, fn(usize, *const u64) -> u64, domain, event.as_ptr());
    std::thread::spawn(move || {
        call!(object, CORE, 7, fn(u64), id);
        call!(object, CORE2, 3, fn(usize, u64), domain, other);
    })
    .join()
    .expect("a thread");
    call!(object, CORE, 14, fn(u32, *const c_char), 77, c"worker".as_ptr());
    call!(object, RUNTIME, 1, fn(i32, *const c_char), 1, c"second".as_ptr());
    // Too small to be one, and nothing at all.
    call!(object, CORE, 8, fn(*const u64) -> i32, [3 | 8 << 16].as_ptr());
    pop(object);
    call!(object, CORE, 8, fn(*const u64) -> i32, std::ptr::null());
    pop(object);
    // Left open, and not closed by the thread's end.
    push(object, c"never ends");
}

/// Arguments by key, in order.
fn arguments(found: &RecordedFolder, key: &str) -> Vec<ArgumentValue> {
    found.named(Kind::Argument, key).iter().map(|record| ArgumentValue::of(record).expect("a value")).collect()
}

#[test]
fn ranges_are_spans_of_their_domain() {
    let folder = folder("ranges");
    assert_eq!(play("ranges", &folder, ""), "");
    let found = RecordedFolder::of(&folder.join("recordings"));
    let one = |name: &str| -> Record {
        let [span] = found.named(Kind::Span, name)[..] else { panic!("not one {name}") };
        span
    };
    let (outer, middle, read) = (one("outer"), one("middle"), one("lib:read"));
    assert!(outer.at <= middle.at && middle.end() <= outer.end());
    assert!(read.at < middle.end() && read.end() > outer.end(), "of another domain");
    one("Größe 🦀\u{FFFD}");
    let operators = found.named(Kind::Span, "aten::mm");
    assert_eq!(operators.len(), 1_000);
    assert!(operators.iter().all(|span| span.category == Category::Operator));
    let numbers: Vec<ArgumentValue> = (0..1_000).map(ArgumentValue::Unsigned).collect();
    assert_eq!(arguments(&found, "seq"), numbers);
    let payloads = arguments(&found, "payload");
    assert_eq!(
        payloads,
        [42.0, 0.5, 0.5].map(|value| match value {
            42.0 => ArgumentValue::Unsigned(42),
            value => ArgumentValue::Float(value),
        })
    );
    let categories = arguments(&found, "category");
    let ArgumentValue::Text(io) = categories[0] else { panic!("{categories:?}") };
    assert_eq!((found.name(0, io).as_str(), categories[1]), ("io", ArgumentValue::Unsigned(9)));
    assert_eq!((found.named(Kind::Mark, "moment").len(), found.named(Kind::Mark, "half").len()), (1, 1));
    for name in ["across", "lib:half"] {
        let (begin, end) = (found.named(Kind::AsyncBegin, name), found.named(Kind::AsyncEnd, name));
        assert_eq!((begin.len(), end.len(), begin[0].value), (1, 1, end[0].value), "{name}");
    }
    let details: Vec<Detail> = found.named(Kind::Detail, "worker").iter().filter_map(Detail::of).collect();
    assert!(matches!(details[..], [Detail::ThreadName { thread: 77, .. }]), "{details:?}");
    let details: Vec<Detail> = found.named(Kind::Detail, "second").iter().filter_map(Detail::of).collect();
    assert!(matches!(details[..], [Detail::DeviceName { device: 1, .. }]), "{details:?}");
    assert_eq!(found.named(Kind::Open, "never ends").len(), 1);
    assert_eq!(found.named(Kind::Span, "").len(), 3);
}

pub(crate) fn several_objects(folder: &Path) {
    let (one, attached) = Object::load(folder, "one.so", false);
    assert!(attached);
    let (other, attached) = Object::load(folder, "other.so", false);
    assert!(attached);
    let (old, attached) = Object::load(folder, "libnvToolsExt.so.1", true);
    assert!(attached);
    assert_ne!(one.0.symbol("fake_nvtx_function"), other.0.symbol("fake_nvtx_function"));
    push(one, c"of one");
    push(other, c"of the other");
    push(old, c"of the old");
    assert!(old.function(CORE2, 15).is_null() && old.function(CORE2, 6).is_null(), "it does not have these");
    assert!(!one.function(CORE2, 15).is_null());
    assert_eq!((pop(one), pop(other), pop(old)), (2, 1, 0), "one thread, whoever calls");
}

#[test]
fn each_shared_object_is_attached_to() {
    let folder = folder("several objects");
    assert_eq!(play("several objects", &folder, ""), "");
    let found = RecordedFolder::of(&folder.join("recordings"));
    let depth = |name: &str| found.named(Kind::Span, name).iter().map(|span| span.aux).collect::<Vec<_>>();
    assert_eq!([depth("of one"), depth("of the other"), depth("of the old")], [[0], [1], [2]]);
}

pub(crate) fn forks(folder: &Path) {
    let (object, _) = Object::load(folder, "a.so", false);
    let domain = call!(object, CORE2, 12, fn(*const c_char) -> usize, c"lib".as_ptr());
    let strings: Vec<usize> = ["load", "decode"]
        .map(|name| {
            let name = format!("{name}\0");
            call!(object, CORE2, 10, fn(usize, *const c_char) -> usize, domain, name.as_ptr().cast())
        })
        .to_vec();
    push(object, c"in the parent");
    let across = call!(object, CORE, 5, fn(*const c_char) -> u64, c"across".as_ptr());
    // SAFETY: the child calls what is made for it, and `_exit`.
    let child = unsafe { libc::fork() };
    if child == 0 {
        // Handles from before the fork.
        for string in strings.iter().rev() {
            let event = attributes(0, (0, 0), (3, *string));
            call!(object, CORE2, 4, fn(usize, *const u64) -> i32, domain, event.as_ptr());
            push(object, c"new in the child");
            pop(object);
            call!(object, CORE2, 5, fn(usize) -> i32, domain);
        }
        call!(object, CORE, 7, fn(u64), across);
        // The child cannot end its parent's range, but has its level.
        assert_eq!(pop(object), 0);
        // SAFETY: it ends the process.
        unsafe { libc::_exit(0) };
    }
    let mut status = 0;
    // SAFETY: it writes the status.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    assert_eq!(status, 0);
    pop(object);
}

#[test]
fn handles_survive_a_fork() {
    let folder = folder("forks");
    assert_eq!(play("forks", &folder, ""), "");
    let found = RecordedFolder::of(&folder.join("recordings"));
    assert_eq!(found.recovered.processes, 2);
    let child =
        u32::try_from(found.processes.iter().position(|process| !process.closed).expect("a child")).expect("0 or 1");
    let spans = |process: u32| -> Vec<String> {
        let of_it = found.threads.iter().filter(|((of, _), _)| *of == process).flat_map(|(_, thread)| &thread.records);
        of_it.filter(|record| record.kind == Kind::Span).map(|record| found.name(process, record.name)).collect()
    };
    assert_eq!(spans(child), ["new in the child", "lib:decode", "new in the child", "lib:load"]);
    assert_eq!(spans(1 - child), ["in the parent"]);
}

pub(crate) fn not_wanted(folder: &Path) {
    let (object, attached) = Object::load(folder, "a.so", false);
    assert!(!attached, "it says so, and nothing is called");
    assert!(object.function(CORE, 9).is_null());
    // The library was closed; its threads and handlers stay.
    // SAFETY: the child ends at once.
    unsafe {
        if libc::fork() == 0 {
            libc::_exit(0);
        }
    }
}

#[test]
fn what_is_not_wanted_is_not_attached_to() {
    let folder = folder("not wanted");
    assert_eq!(play("not wanted", &folder, r#","targets":["cuda"]"#), "");
    let told = play("not wanted", &folder, r#","targets":["nvtz"]"#);
    assert!(told.contains("STEPSCOPE_OPTIONS") && told.lines().count() == 1, "{told}");
}
