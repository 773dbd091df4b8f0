//! The functions that replace NVTX's own.

#![expect(unsafe_code, reason = "functions that C calls, with pointers")]

use std::ffi::{c_char, c_void};
use std::mem::transmute;

use stepscope_collector::device::{Detail, NO_DEVICE};
use stepscope_collector::internal::thread_id;
use stepscope_collector::{AsName, Name, device_detail, is_recording, name_thread};

use super::attributes;
use super::domains::{Domain, name_category};
use super::names::Label;
use super::ranges::{self, Said};
use super::table::{Function, Module};
use crate::cupti;
use crate::guard::guard;
use crate::text::{bytes, readable, wide};

/// A text of C in one of two kinds of characters.
trait Text: Copy {
    /// The text.
    unsafe fn read<'a>(self) -> std::borrow::Cow<'a, [u8]>;
}

impl Text for *const c_char {
    #[inline]
    unsafe fn read<'a>(self) -> std::borrow::Cow<'a, [u8]> {
        // SAFETY: the caller's.
        std::borrow::Cow::Borrowed(unsafe { bytes(self) })
    }
}

/// Text of wide characters, distinct from [`c_char`] where those are as wide.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Wide(*const libc::wchar_t);

impl Text for Wide {
    unsafe fn read<'a>(self) -> std::borrow::Cow<'a, [u8]> {
        // SAFETY: the caller's.
        std::borrow::Cow::Owned(unsafe { wide(self.0) }.into_bytes())
    }
}

/// Return value of a function that did nothing.
const NOTHING: i32 = -2;

// SAFETY of all functions below: NVTX passes on its callers' arguments: texts that end with a zero or null, structures
// that contain their size or null, handles that were returned here.

unsafe extern "C" fn mark<T: Text>(text: T) {
    guard((), || {
        if is_recording() {
            // SAFETY: see above.
            let label = Label::new(Domain::DEFAULT, &unsafe { text.read() });
            ranges::mark(Domain::DEFAULT, label, Said::default());
        }
    });
}

unsafe extern "C" fn start<T: Text>(text: T) -> u64 {
    guard(0, || {
        // SAFETY: see above.
        let label = Label::new(Domain::DEFAULT, &unsafe { text.read() });
        ranges::start(Domain::DEFAULT, label, Said::default())
    })
}

unsafe extern "C" fn push<T: Text>(text: T) -> i32 {
    guard(NOTHING, || {
        // SAFETY: see above.
        let label = Label::new(Domain::DEFAULT, &unsafe { text.read() });
        ranges::push(Domain::DEFAULT, label, Said::default())
    })
}

unsafe extern "C" fn end(id: u64) {
    guard((), || ranges::end(id));
}

unsafe extern "C" fn pop() -> i32 {
    guard(NOTHING, || ranges::pop(Domain::DEFAULT))
}

unsafe extern "C" fn mark_attributes(attributes: *const u8) {
    // SAFETY: the same signature but for the domain.
    unsafe { domain_mark(0, attributes) }
}

unsafe extern "C" fn start_attributes(attributes: *const u8) -> u64 {
    // SAFETY: as above.
    unsafe { domain_start(0, attributes) }
}

unsafe extern "C" fn push_attributes(attributes: *const u8) -> i32 {
    // SAFETY: as above.
    unsafe { domain_push(0, attributes) }
}

unsafe extern "C" fn domain_mark(domain: usize, attributes: *const u8) {
    guard((), || {
        let domain = Domain::of(domain);
        // SAFETY: see above.
        let (label, said) = unsafe { attributes::event(domain, attributes) };
        ranges::mark(domain, label, said);
    });
}

unsafe extern "C" fn domain_start(domain: usize, attributes: *const u8) -> u64 {
    guard(0, || {
        let domain = Domain::of(domain);
        // SAFETY: see above.
        let (label, said) = unsafe { attributes::event(domain, attributes) };
        ranges::start(domain, label, said)
    })
}

unsafe extern "C" fn domain_push(domain: usize, attributes: *const u8) -> i32 {
    guard(NOTHING, || {
        let domain = Domain::of(domain);
        // SAFETY: see above.
        let (label, said) = unsafe { attributes::event(domain, attributes) };
        ranges::push(domain, label, said)
    })
}

unsafe extern "C" fn domain_end(_domain: usize, id: u64) {
    guard((), || ranges::end(id));
}

unsafe extern "C" fn domain_pop(domain: usize) -> i32 {
    guard(NOTHING, || ranges::pop(Domain::of(domain)))
}

unsafe extern "C" fn category<T: Text>(category: u32, name: T) {
    // SAFETY: as of the other one.
    unsafe { domain_category(0, category, name) }
}

unsafe extern "C" fn domain_category<T: Text>(domain: usize, category: u32, name: T) {
    // SAFETY: see above.
    guard((), || name_category(Domain::of(domain), category, &readable(&unsafe { name.read() })));
}

unsafe extern "C" fn thread<T: Text>(thread: u32, name: T) {
    // SAFETY: see above.
    guard((), || call_thread(thread.into(), &readable(&unsafe { name.read() })));
}

/// Names a thread by its system id: this one, or another.
fn call_thread(thread: u64, name: &str) {
    if thread_id() == thread {
        name_thread(name);
    } else if is_recording() {
        device_detail(&Detail::ThreadName { thread, name: name.number() });
    }
}

unsafe extern "C" fn domain_resource(domain: usize, attributes: *const u8) -> usize {
    // The returned handle is not null, and never read.
    const RESOURCE: usize = 1;
    guard(RESOURCE, || {
        // SAFETY: see above.
        if let Some((thread, name)) = unsafe { attributes::thread(Domain::of(domain), attributes) }
            && is_recording()
        {
            device_detail(&Detail::ThreadName { thread, name: name.get() });
        }
        RESOURCE
    })
}

unsafe extern "C" fn resource_destroy(_resource: usize) {}

unsafe extern "C" fn domain_string<T: Text>(domain: usize, text: T) -> usize {
    // The name's number, which forked children know, too.
    // SAFETY: see above.
    guard(0, || Domain::of(domain).full(&readable(&unsafe { text.read() })).get() as usize)
}

unsafe extern "C" fn domain_create<T: Text>(name: T) -> usize {
    // SAFETY: see above.
    guard(0, || Domain::create(&readable(&unsafe { name.read() })).0.into())
}

unsafe extern "C" fn domain_destroy(_domain: usize) {}

unsafe extern "C" fn initialize(_reserved: *const c_void) {}

unsafe extern "C" fn device<T: Text>(device: i32, name: T) {
    guard((), || {
        if let Ok(device) = u16::try_from(device)
            && is_recording()
        {
            // SAFETY: see above.
            let name = Name::new(&readable(&unsafe { name.read() })).get();
            device_detail(&Detail::DeviceName { device, name });
        }
    });
}

unsafe extern "C" fn stream<T: Text>(stream: usize, name: T) {
    guard((), || {
        if is_recording()
            && let Some(stream) = cupti::stream_number(stream)
        {
            // SAFETY: see above.
            let name = Name::new(&readable(&unsafe { name.read() })).get();
            device_detail(&Detail::StreamName { device: NO_DEVICE, stream, name });
        }
    });
}

type A = *const c_char;

/// A function, whatever its signature.
macro_rules! function {
    ($function:expr, $($signature:tt)+) => {{
        let function: $($signature)+ = $function;
        // SAFETY: NVTX calls it by the signature that belongs to its slot.
        unsafe { transmute::<$($signature)+, Function>(function) }
    }};
}

/// The modules of NVTX's interface, and our functions of each.
pub(super) const MODULES: [Module; 4] = [(1, CORE), (2, CUDA), (4, RUNTIME), (5, CORE2)];

/// Functions of any program.
const CORE: &[(usize, Function)] = &[
    (1, function!(mark_attributes, unsafe extern "C" fn(*const u8))),
    (2, function!(mark::<A>, unsafe extern "C" fn(A))),
    (3, function!(mark::<Wide>, unsafe extern "C" fn(Wide))),
    (4, function!(start_attributes, unsafe extern "C" fn(*const u8) -> u64)),
    (5, function!(start::<A>, unsafe extern "C" fn(A) -> u64)),
    (6, function!(start::<Wide>, unsafe extern "C" fn(Wide) -> u64)),
    (7, function!(end, unsafe extern "C" fn(u64))),
    (8, function!(push_attributes, unsafe extern "C" fn(*const u8) -> i32)),
    (9, function!(push::<A>, unsafe extern "C" fn(A) -> i32)),
    (10, function!(push::<Wide>, unsafe extern "C" fn(Wide) -> i32)),
    (11, function!(pop, unsafe extern "C" fn() -> i32)),
    (12, function!(category::<A>, unsafe extern "C" fn(u32, A))),
    (13, function!(category::<Wide>, unsafe extern "C" fn(u32, Wide))),
    (14, function!(thread::<A>, unsafe extern "C" fn(u32, A))),
    (15, function!(thread::<Wide>, unsafe extern "C" fn(u32, Wide))),
];

/// Names of what the CUDA driver made; contexts and events have no rows.
const CUDA: &[(usize, Function)] = &[
    (1, function!(device::<A>, unsafe extern "C" fn(i32, A))),
    (2, function!(device::<Wide>, unsafe extern "C" fn(i32, Wide))),
    (5, function!(stream::<A>, unsafe extern "C" fn(usize, A))),
    (6, function!(stream::<Wide>, unsafe extern "C" fn(usize, Wide))),
];

/// Names of what the CUDA runtime made.
const RUNTIME: &[(usize, Function)] = &[
    (1, function!(device::<A>, unsafe extern "C" fn(i32, A))),
    (2, function!(device::<Wide>, unsafe extern "C" fn(i32, Wide))),
    (3, function!(stream::<A>, unsafe extern "C" fn(usize, A))),
    (4, function!(stream::<Wide>, unsafe extern "C" fn(usize, Wide))),
];

/// Functions of domains.
const CORE2: &[(usize, Function)] = &[
    (1, function!(domain_mark, unsafe extern "C" fn(usize, *const u8))),
    (2, function!(domain_start, unsafe extern "C" fn(usize, *const u8) -> u64)),
    (3, function!(domain_end, unsafe extern "C" fn(usize, u64))),
    (4, function!(domain_push, unsafe extern "C" fn(usize, *const u8) -> i32)),
    (5, function!(domain_pop, unsafe extern "C" fn(usize) -> i32)),
    (6, function!(domain_resource, unsafe extern "C" fn(usize, *const u8) -> usize)),
    (7, function!(resource_destroy, unsafe extern "C" fn(usize))),
    (8, function!(domain_category::<A>, unsafe extern "C" fn(usize, u32, A))),
    (9, function!(domain_category::<Wide>, unsafe extern "C" fn(usize, u32, Wide))),
    (10, function!(domain_string::<A>, unsafe extern "C" fn(usize, A) -> usize)),
    (11, function!(domain_string::<Wide>, unsafe extern "C" fn(usize, Wide) -> usize)),
    (12, function!(domain_create::<A>, unsafe extern "C" fn(A) -> usize)),
    (13, function!(domain_create::<Wide>, unsafe extern "C" fn(Wide) -> usize)),
    (14, function!(domain_destroy, unsafe extern "C" fn(usize))),
    (15, function!(initialize, unsafe extern "C" fn(*const c_void))),
];
