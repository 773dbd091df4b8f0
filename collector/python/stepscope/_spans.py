"""Spans: `record`, phases, data loading."""

import ctypes
import functools
import sys
from typing import Any, Callable, Dict, Iterable, Iterator, Optional, TypeVar, Union

from . import _wrap
from ._library import LIB, argument, encoded

#: Categories of spans and their numbers; the analyses of phases, steps and data loading use them.
CATEGORIES: Dict[str, int] = {
    "general": 0,
    "step": 1,
    "dataloader": 2,
    "forward": 3,
    "backward": 4,
    "optimizer": 5,
    "operator": 6,
    "communication": 7,
}

T = TypeVar("T")

#: Maximum number of cached spans of `record`.
_MOST_REMEMBERED = 8192


class _Span(int):
    """A kind of span: its category above 32 bits of its name. Has no state, so that all uses and threads can share it."""

    __slots__ = ()

    def __enter__(self) -> "_Span":
        _begin(int(self) & 0xFFFFFFFF, int(self) >> 32, 0)
        return self

    def __exit__(self, *error: Any) -> None:
        _end_named(int(self) & 0xFFFFFFFF)

    async def __aenter__(self) -> "_Span":
        _async_begin(int(self) & 0xFFFFFFFF, _wrap.task())
        return self

    async def __aexit__(self, *error: Any) -> None:
        _async_end(int(self) & 0xFFFFFFFF, _wrap.task())

    def __call__(self, function: Callable[..., T]) -> Callable[..., T]:
        return _wrap.wrap(self, function, _async_begin, _async_end)

    def __repr__(self) -> str:
        return "<span {}>".format(hex(self))


class _NoSpan:
    """In place of spans where there is no library."""

    __slots__ = ()

    def __enter__(self) -> "_NoSpan":
        return self

    def __exit__(self, *error: Any) -> None:
        pass

    async def __aenter__(self) -> "_NoSpan":
        return self

    async def __aexit__(self, *error: Any) -> None:
        pass

    def __call__(self, function: Callable[..., T]) -> Callable[..., T]:
        return function


Span = Union[_Span, _NoSpan]


class _MethodDefinition(ctypes.Structure):
    """CPython's PyMethodDef."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    ]


#: Python keeps pointers to them.
_DEFINITIONS = []


def _make_fast() -> None:
    """Makes CPython call the library directly for `with`: half the cost of a ctypes call from a Python method."""
    api, pointer = ctypes.pythonapi, ctypes.c_void_p

    def address(function: Any) -> int:
        return ctypes.cast(function, pointer).value or 0

    init = LIB.shared.stepscope_python_init
    init.restype, init.argtypes = None, [pointer, pointer, pointer]
    init(id(None), address(api.Py_IncRef), address(api.PyLong_AsUnsignedLongLong))
    new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object, pointer)(("PyDescr_NewMethod", api))
    varargs, noargs = 1, 4
    for name, function, flags in (
        (b"__enter__", LIB.shared.stepscope_python_enter, noargs),
        (b"__exit__", LIB.shared.stepscope_python_exit, varargs),
    ):
        definition = _MethodDefinition(name, address(function), flags, None)
        _DEFINITIONS.append(definition)
        setattr(_Span, name.decode(), new(_Span, ctypes.addressof(definition)))


if LIB is not None:
    _begin, _end, _end_named = LIB.begin, LIB.end, LIB.end_named
    _name, _async_begin, _async_end = LIB.name, LIB.async_begin, LIB.async_end
    if sys.implementation.name == "cpython":
        try:
            _make_fast()
        except (AttributeError, TypeError, ValueError, OSError):
            pass  # The methods above work, too.


def _category(category: Union[str, int, None]) -> int:
    if category is None:
        return 0
    if isinstance(category, int):
        if category in CATEGORIES.values():
            return category
        raise ValueError("stepscope: no category has the number {}".format(category))
    try:
        return CATEGORIES[category]
    except KeyError:
        known = ", ".join(CATEGORIES)
        raise ValueError("stepscope: no category {!r}; there are {}".format(category, known)) from None


def record(name: str, category: Union[str, int, None] = None) -> Span:
    """A span of that name: a reusable context manager and decorator.

        >>> with stepscope.record("augment"):
        ...     images = augment(images)

        >>> @stepscope.record("validate")
        ... def validate(model): ...

        >>> async with stepscope.record("fetch"):
        ...     await fetch()

    The category is one of `CATEGORIES`: "forward", say.

    A span belongs to the thread that opens it. Asynchronous code does not: `async with` and decorated coroutine
    functions are recorded as operations that belong to no thread, one per call. The same holds for decorated asynchronous
    generators, from the first requested value to the end.

    A decorated generator function has a span for each time that it runs, as in Python profilers: one for each value, and
    one for the code after the last value, or for its `finally` if it is closed early. The consumer's time between values
    is in none of them.

    A span costs some 130 to 200 ns while recording, and 60 to 130 ns while not.
    """
    number = _category(category)
    if LIB is None:
        return _NO_SPAN
    return _Span(number << 32 | _name(encoded(name)))


_NO_SPAN = _NoSpan()
# Names are looked up once: a cache hit needs no Python frame.
record = functools.lru_cache(maxsize=_MOST_REMEMBERED)(record)  # type: ignore[assignment]


class annotate:
    """Like `record`, with the program's own number and arguments. For a single use.

        >>> with stepscope.annotate("epoch", value=epoch, rate=0.1, model="large") as span:
        ...     span.argument("loss", train())
    """

    __slots__ = ("_span", "_value", "_arguments", "_open")

    def __init__(self, name: str, category: Union[str, int, None] = None, value: int = 0, **arguments: Any) -> None:
        self._span, self._value, self._arguments, self._open = record(name, category), value, arguments, 0

    def __enter__(self) -> "annotate":
        if LIB is not None:
            number, value = int(self._span), int(self._value)
            self._open = _begin(number & 0xFFFFFFFF, number >> 32, value & 0xFFFFFFFFFFFFFFFF if value > 0 else 0)
            if self._open:
                if value < 0:
                    # The number of a span has no sign; an argument says that it has one.
                    argument(self._open, "value", value)
                for key, value in self._arguments.items():
                    argument(self._open, key, value)
        return self

    def argument(self, key: str, value: object) -> None:
        """Adds an argument while the span is open."""
        argument(self._open, key, value)

    def __exit__(self, *error: Any) -> None:
        if self._open:
            _end(self._open)
            self._open = 0


class RecordEvent:
    """Like `paddle.profiler.RecordEvent`: a span by `with`, by `begin` and `end`, or around a function.

        >>> with stepscope.RecordEvent("augment"):
        ...     images = augment(images)

        >>> @stepscope.RecordEvent("validate")
        ... def validate(model): ...

        >>> event = stepscope.RecordEvent("copy")
        >>> event.begin()
        >>> event.end()

    `event_type` is Paddle's `TracerEventType`, its name or one of `CATEGORIES`: Dataloader, Forward, Backward and
    Optimization are phases of a step; Operator, Communication and ProfileStep map to those categories; all others are the
    program's own ranges. `end` without `begin` does nothing.
    """

    __slots__ = ("_span", "_open")

    def __init__(self, name: str, event_type: Any = None) -> None:
        self._span, self._open = record(str(name), _category_of_paddle(event_type)), 0

    def begin(self) -> None:
        """Opens the span on this thread."""
        self._open += 1
        self._span.__enter__()

    def end(self) -> None:
        """Closes the span."""
        if self._open:
            self._open -= 1
            self._span.__exit__(None, None, None)

    def __enter__(self) -> "RecordEvent":
        self.begin()
        return self

    def __exit__(self, *error: Any) -> None:
        self.end()

    def __call__(self, function: Callable[..., T]) -> Callable[..., T]:
        return self._span(function)


#: Paddle's names of the phases, in lowercase.
_PADDLE = {"optimization": "optimizer", "profilestep": "step"}


def _category_of_paddle(event_type: Any) -> Optional[str]:
    """The category of a `TracerEventType`, given as Paddle's value or as text."""
    if event_type is None:
        return None
    name = str(getattr(event_type, "name", event_type)).rsplit(".", 1)[-1].lower()
    name = _PADDLE.get(name, name)
    return name if name in CATEGORIES else None


def phase(name: str) -> Span:
    """A phase of a training step: "dataloader", "forward", "backward" or "optimizer".

        >>> with stepscope.phase("backward"):
        ...     loss.backward()
    """
    if name not in ("dataloader", "forward", "backward", "optimizer"):
        raise ValueError("stepscope: no phase {!r}; there are dataloader, forward, backward, optimizer".format(name))
    return record(name, name)


#: The running profiler's callback: it gets each wait for a batch, in seconds, on any thread.
_waits: Optional[Callable[[float], None]] = None


def on_wait(told: Optional[Callable[[float], None]]) -> None:
    """Sets the callback for the waiting times of `batches`."""
    global _waits
    _waits = told


def batches(loader: Iterable[T], name: str = "load batch", queue: Any = None) -> Iterator[T]:
    """Yields a loader's batches, with a data loading span around each wait.

        >>> for images, labels in stepscope.batches(loader):
        ...     train(images, labels)

    The number of ready batches at each request is a counter, "load batch queue": 0 means that the training waits. `queue`
    is an object with a method `qsize`; by default, the queue of PyTorch's and Paddle's loaders with worker processes.
    """
    from time import perf_counter

    span = record(name, "dataloader")
    with span:
        iterator = iter(loader)
    # Loaders of PyTorch and Paddle with worker processes have one.
    size = getattr(queue if queue is not None else getattr(iterator, "_data_queue", None), "qsize", None)
    ready = LIB.name(encoded(name + " queue")) if LIB is not None and size is not None else 0
    while True:
        count = None
        if ready:
            try:
                count = float(size())
            except (NotImplementedError, OSError, ValueError, TypeError):
                # Some systems cannot count, and a queue may be closed.
                ready = 0
        begin = perf_counter()
        with span:
            try:
                batch = next(iterator)
            except StopIteration:
                return
        # Not at the end of the data, where no batch was waited for.
        if count is not None:
            LIB.counter(ready, count)
        waits = _waits
        if waits is not None:
            waits(perf_counter() - begin)
        yield batch
