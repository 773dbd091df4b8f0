"""Instant events, counters, steps, flows and asynchronous spans."""

import functools
import itertools
from typing import Any, Optional

from ._library import LIB, encoded

_MASK = 0xFFFFFFFFFFFFFFFF


@functools.lru_cache(maxsize=8192)
def _number(name: str) -> int:
    return LIB.name(encoded(name)) if LIB is not None else 0


def mark(name: str, value: int = 0) -> None:
    """Records an instant event on this thread, with a number, which may be negative.

        >>> stepscope.mark("checkpoint written", epoch)
    """
    if LIB is not None:
        value = int(value)
        if value < 0:
            LIB.mark_signed(_number(name), value)
        else:
            LIB.mark(_number(name), value & _MASK)


def counter(name: str, value: float) -> None:
    """Records a counter's value from now on.

        >>> stepscope.counter("loss", loss.item())
    """
    if LIB is not None:
        LIB.counter(_number(name), float(value))


def step(samples: Optional[int] = None) -> int:
    """Ends this thread's step, if one is open, and begins the next one; returns the number of the one that begins.

    `samples`: number of samples of the step that ends. With a `profiler`, call its `step` instead.

        >>> for batch in loader:
        ...     stepscope.step()
        ...     train(batch)
        >>> stepscope.end_step()
    """
    return LIB.step(int(samples or 0)) if LIB is not None else 0


def end_step(whole: bool = True) -> None:
    """Ends this thread's step without beginning another one: code after the loop is not part of it.

    If it is not `whole`, it is not recorded: for loops that call `step` at the end of each iteration.
    """
    if LIB is not None:
        LIB.end_step(int(whole))


def name_thread(name: str) -> None:
    """Names this thread from now on."""
    if LIB is not None:
        LIB.name_thread(encoded(name))


def flow_start(name: str, id: int) -> None:
    """Starts a flow in the span that is open on this thread; name and id together identify it.

        >>> with stepscope.record("submit"):
        ...     stepscope.flow_start("request", 7)
    """
    if LIB is not None:
        LIB.flow_start(_number(name), int(id) & _MASK)


def flow_step(name: str, id: int) -> None:
    """Leads a flow through the span that is open on this thread."""
    if LIB is not None:
        LIB.flow_step(_number(name), int(id) & _MASK)


def flow_end(name: str, id: int) -> None:
    """Ends a flow in the span that is open on this thread."""
    if LIB is not None:
        LIB.flow_end(_number(name), int(id) & _MASK)


_OPERATIONS = itertools.count(1 << 32)


class async_span:
    """An operation that belongs to no thread: it may end on another thread than it began on.

        >>> copy = stepscope.async_span("copy in the background").begin()
        >>> copy.end()
    """

    __slots__ = ("_name", "_id")

    def __init__(self, name: str) -> None:
        self._name, self._id = _number(name), next(_OPERATIONS)

    def begin(self) -> "async_span":
        """Begins the operation."""
        if LIB is not None:
            LIB.async_begin(self._name, self._id)
        return self

    def end(self) -> None:
        """Ends the operation."""
        if LIB is not None:
            LIB.async_end(self._name, self._id)

    def __enter__(self) -> "async_span":
        return self.begin()

    def __exit__(self, *error: Any) -> None:
        self.end()
