//! Context managers of the Python package without a frame of Python: functions as `CPython` itself calls them.
//!
//! The package makes methods of them (`PyDescr_NewMethod`) for its class of spans, whose objects are whole numbers: the
//! category above 32 bits of name. Where that is not possible it calls `stepscope_begin` and `stepscope_end` by ctypes.

use std::ffi::c_void;
use std::sync::OnceLock;

use stepscope_collector::{NameNumber, SpanHandle};

use super::span::category;
use crate::guard::guard;

/// A Python object.
type Object = *mut c_void;

/// Python's objects and functions that are needed.
#[derive(Clone, Copy)]
struct Python {
    none: usize,
    increase: unsafe extern "C" fn(Object),
    number: unsafe extern "C" fn(Object) -> u64,
}

static PYTHON: OnceLock<Python> = OnceLock::new();

/// Hands over `None`, `Py_IncRef` and `PyLong_AsUnsignedLongLong`, once, before the functions below are called.
///
/// # Safety
///
/// They are these objects and functions, for as long as the process lives.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stepscope_python_init(
    none: Object,
    increase: unsafe extern "C" fn(Object),
    number: unsafe extern "C" fn(Object) -> u64,
) {
    PYTHON.get_or_init(|| Python { none: none as usize, increase, number });
}

impl Python {
    /// The category and name that an object stands for.
    fn span(self, object: Object) -> (u32, NameNumber) {
        // SAFETY: Python calls methods of the package's class with an object of it, which is a number.
        let number = unsafe { (self.number)(object) };
        ((number >> 32) as u32, NameNumber(number as u32))
    }

    /// A new reference to `None`.
    fn none(self) -> Object {
        let none = self.none as Object;
        // SAFETY: it is Python's `None`, which lives as long as the process.
        unsafe { (self.increase)(none) };
        none
    }
}

/// `__enter__`, of `METH_NOARGS`: returns the object.
///
/// # Safety
///
/// Called by Python, after [`stepscope_python_init`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stepscope_python_enter(object: Object, _nothing: Object) -> Object {
    let Some(python) = PYTHON.get() else { return std::ptr::null_mut() };
    guard((), || {
        let (number, name) = python.span(object);
        let _ = SpanHandle::open(category(number), name, 0);
    });
    // SAFETY: the caller holds the object, and gets a reference of its own.
    unsafe { (python.increase)(object) };
    object
}

/// `__exit__`, of `METH_VARARGS`: closes the innermost span of its name, whatever was opened since.
///
/// # Safety
///
/// Called by Python, after [`stepscope_python_init`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stepscope_python_exit(object: Object, _error: Object) -> Object {
    let Some(python) = PYTHON.get() else { return std::ptr::null_mut() };
    guard(false, || SpanHandle::close_named(python.span(object).1));
    python.none()
}
