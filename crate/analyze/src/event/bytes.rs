//! Bytes of elements, and of collectives.

use stepscope_trace::{Collective, NO_COUNT, Trace};

/// The bytes that a rank puts into a collective, by the elements and their type; `None` if either is unknown.
#[must_use]
pub fn collective_bytes(trace: &Trace, collective: &Collective) -> Option<u64> {
    let elements = Some(collective.input_elements).filter(|elements| *elements != NO_COUNT)?;
    collective_elements_bytes(trace, collective, elements)
}

/// The bytes of elements of a collective's type; `None` if that is unknown.
pub(crate) fn collective_elements_bytes(trace: &Trace, collective: &Collective, elements: u64) -> Option<u64> {
    elements.checked_mul(element_bytes(trace.strings.get(collective.dtype))?)
}

/// The bytes of an element of a type by its name in PyTorch; `None` if that is unknown.
pub(crate) fn element_bytes(dtype: &str) -> Option<u64> {
    /// By the names in lower case.
    const SIZES: [(&str, u64); 18] = [
        ("float", 4),
        ("double", 8),
        ("half", 2),
        ("bfloat16", 2),
        ("int", 4),
        ("long", 8),
        ("long int", 8),
        ("short", 2),
        ("char", 1),
        ("byte", 1),
        ("unsigned char", 1),
        ("bool", 1),
        ("float8_e5m2", 1),
        ("float8_e4m3fn", 1),
        ("float8_e5m2fnuz", 1),
        ("float8_e4m3fnuz", 1),
        ("complexfloat", 8),
        ("complexdouble", 16),
    ];
    let dtype = dtype.trim_start_matches("c10::");
    SIZES.iter().find(|(name, _)| name.eq_ignore_ascii_case(dtype)).map(|(_, size)| *size)
}
