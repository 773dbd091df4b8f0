"""The shared library and its functions in Python."""

import ctypes
import os
import shutil
import sys
from typing import Iterator, Optional

_FILE = "libstepscope_inject.so"

#: The version of the C interface that this package was written for.
_ABI = 5

_u32, _u64, _i32, _text = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_int32, ctypes.c_char_p

#: Result and argument types, as in stepscope.h.
_FUNCTIONS = {
    "version": (_text, []),
    "last_error": (_text, []),
    "start": (_i32, [_text]),
    "stop": (None, []),
    "cuda_rearm": (_i32, []),
    "cuda_release": (_i32, []),
    "is_recording": (_i32, []),
    "path": (ctypes.c_size_t, [_text, ctypes.c_size_t]),
    "recover": (_i32, [_text, _text]),
    "name": (_u32, [_text]),
    "begin": (_u64, [_u32, _u32, _u64]),
    "end": (None, [_u64]),
    "argument_int": (None, [_u64, _u32, ctypes.c_int64]),
    "argument_uint": (None, [_u64, _u32, _u64]),
    "argument_double": (None, [_u64, _u32, ctypes.c_double]),
    "argument_bool": (None, [_u64, _u32, _i32]),
    "argument_text": (None, [_u64, _u32, _text]),
    "end_named": (_i32, [_u32]),
    "discard": (None, [_u64]),
    "step": (_u64, [_u64]),
    "end_step": (None, [_i32]),
    "mark": (None, [_u32, _u64]),
    "mark_signed": (None, [_u32, ctypes.c_int64]),
    "counter": (None, [_u32, ctypes.c_double]),
    "async_begin": (None, [_u32, _u64]),
    "async_end": (None, [_u32, _u64]),
    "flow_start": (None, [_u32, _u64]),
    "flow_step": (None, [_u32, _u64]),
    "flow_end": (None, [_u32, _u64]),
    "name_thread": (None, [_text]),
}

#: Functions that release the GIL, as they may take long or wait for CUDA's threads, which may wait for Python.
_PATIENT = frozenset(("start", "stop", "recover", "cuda_rearm", "cuda_release"))


class Library:
    """The loaded library: `lib.begin` is `stepscope_begin`, and so on."""

    def __init__(self, path: str) -> None:
        # Keeps the GIL: most functions never wait, and releasing it costs more than they do.
        self.shared = ctypes.PyDLL(path)
        patient = ctypes.CDLL(path)
        self.file = path
        version = self.shared.stepscope_abi_version
        version.restype = _u32
        if version() < _ABI:
            raise OSError("{}: too old for this package".format(path))
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(patient if name in _PATIENT else self.shared, "stepscope_" + name)
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)

    def error(self) -> str:
        """Message of the latest error on this thread."""
        return (self.last_error() or b"").decode("utf-8", "replace")


def argument(span: int, key: str, value: object) -> None:
    """Gives an open span an argument: a bool, a whole number, a number, or anything else as text."""
    if LIB is None or not span:
        return
    name = LIB.name(encoded(key))
    if isinstance(value, bool):
        LIB.argument_bool(span, name, value)
    elif isinstance(value, int) and -(1 << 63) <= value < 1 << 64:
        (LIB.argument_int if value < 1 << 63 else LIB.argument_uint)(span, name, value)
    elif isinstance(value, float):
        LIB.argument_double(span, name, value)
    else:
        LIB.argument_text(span, name, encoded(value))


def encoded(text: object) -> bytes:
    """A text encoded for the library."""
    return str(text).encode("utf-8", "replace").replace(b"\0", b" ")


def _places() -> Iterator[str]:
    told = os.environ.get("STEPSCOPE_LIBRARY")
    if told:
        yield told
        return
    # NVTX and CUDA may load the same library, which must not be loaded twice.
    for variable in ("NVTX_INJECTION64_PATH", "CUDA_INJECTION64_PATH"):
        path = os.environ.get(variable, "")
        if os.path.basename(path) == _FILE:
            yield path
    here = os.path.dirname(os.path.abspath(__file__))
    yield os.path.join(here, _FILE)
    # As the wheel installs it: the package in PREFIX/lib/python3.N/site-packages, or in the folder of `pip install --target`.
    for up in (os.path.join(*[os.pardir] * 4), os.pardir):
        yield os.path.normpath(os.path.join(here, up, "share", "stepscope", _FILE))
    program = shutil.which("stepscope")
    if program:
        folder = os.path.dirname(os.path.realpath(program))
        yield os.path.join(folder, _FILE)
        for at in ("lib", os.path.join("lib", "stepscope"), os.path.join("share", "stepscope")):
            yield os.path.join(os.path.dirname(folder), at, _FILE)


def _load() -> Optional[Library]:
    told = bool(os.environ.get("STEPSCOPE_LIBRARY"))
    for path in _places():
        if told or os.path.isfile(path):
            try:
                return Library(path)
            except (OSError, AttributeError) as error:
                # Printed once: a user who named or installed the library expects recordings.
                print("stepscope: nothing is recorded: {}".format(error), file=sys.stderr)
                return None
    return None


#: The library; None if there is none: then the package does nothing.
LIB = _load()


def library() -> Optional[str]:
    """The path of the library; None if there is none, so that nothing can be recorded."""
    return LIB.file if LIB else None
