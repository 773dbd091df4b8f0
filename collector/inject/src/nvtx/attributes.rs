//! Structures that describe events and resources, of any version: they contain their size.

#![expect(unsafe_code, reason = "structures of C, read by offsets")]

use std::ffi::c_char;

use stepscope_collector::Name;

use super::domains::Domain;
use super::names::Label;
use super::ranges::{Payload, Said};
use crate::text::{bytes, wide};

/// Bytes of the first version of the attributes of events.
const EVENT_BYTES: u16 = 48;

/// Bytes of the first version of the attributes of resources.
const RESOURCE_BYTES: u16 = 32;

/// Kinds of messages.
const ASCII: i32 = 1;
const WIDE: i32 = 2;
const REGISTERED: i32 = 3;

/// Reads a field.
///
/// # Safety
///
/// So many bytes stand there.
unsafe fn field<T: Copy>(structure: *const u8, offset: usize) -> T {
    // SAFETY: they stand there, wherever they are aligned.
    unsafe { structure.add(offset).cast::<T>().read_unaligned() }
}

/// Whether a structure is there and large enough.
unsafe fn is_whole(structure: *const u8, len: u16) -> bool {
    // SAFETY: a structure that is there begins with its version and its size.
    !structure.is_null() && unsafe { field::<u16>(structure, 2) } >= len
}

/// The label of a message.
///
/// # Safety
///
/// The pointer is what the kind says.
unsafe fn label(domain: Domain, kind: i32, message: usize) -> Label {
    match kind {
        // SAFETY: it points to a text, as the kind says.
        ASCII => Label::new(domain, unsafe { bytes(message as *const c_char) }),
        // SAFETY: as above.
        WIDE => Label::new(domain, unsafe { wide(message as *const libc::wchar_t) }.as_bytes()),
        REGISTERED => Label::of(Name::of(u32::try_from(message).unwrap_or_default())),
        _ => Label::new(domain, b""),
    }
}

/// Label and contents of an event.
///
/// # Safety
///
/// It is null or points to attributes of an event.
pub(super) unsafe fn event(domain: Domain, attributes: *const u8) -> (Label, Said) {
    // SAFETY: it is null or they are there.
    if !unsafe { is_whole(attributes, EVENT_BYTES) } {
        return (Label::new(domain, b""), Said::default());
    }
    // SAFETY: all of these lie within the first 48 bytes; numbers of four bytes stand at a union's beginning.
    unsafe {
        let payload = match field::<i32>(attributes, 16) {
            1 => Some(Payload::Unsigned(field(attributes, 24))),
            2 => Some(Payload::Signed(field(attributes, 24))),
            3 => Some(Payload::Float(field(attributes, 24))),
            4 => Some(Payload::Unsigned(field::<u32>(attributes, 24).into())),
            5 => Some(Payload::Signed(field::<i32>(attributes, 24).into())),
            6 => Some(Payload::Float(field::<f32>(attributes, 24).into())),
            _ => None,
        };
        let label = label(domain, field(attributes, 32), field(attributes, 40));
        (label, Said { category: field(attributes, 4), payload })
    }
}

/// The thread of a resource and its name, if the resource is a thread.
///
/// # Safety
///
/// It is null or points to attributes of a resource.
pub(super) unsafe fn thread(domain: Domain, attributes: *const u8) -> Option<(u64, Name)> {
    // Generic (class 1), a thread by its system id (3); others are pointers to what is known by no number.
    const NATIVE_THREAD: i32 = 1 << 16 | 3;
    // SAFETY: it is null or they are there.
    if !unsafe { is_whole(attributes, RESOURCE_BYTES) } {
        return None;
    }
    // SAFETY: all of these lie within the first 32 bytes.
    unsafe {
        let name = label(domain, field(attributes, 16), field(attributes, 24)).name;
        (field::<i32>(attributes, 4) == NATIVE_THREAD).then(|| (field(attributes, 8), name))
    }
}
