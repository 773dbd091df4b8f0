"""Named timers, like Paddle's `REGISTER_TIMER` and `REGISTER_TIMER_INFO`, and their statistics in the layout of its `StatSet`."""

import functools
import sys
import threading
from time import perf_counter_ns
from typing import Any, Callable, Dict, List, Optional, TextIO, TypeVar

from ._spans import annotate, record

T = TypeVar("T")

_LOCK = threading.Lock()
#: Count, total, maximum and minimum by name, in ns.
_COUNTED: Dict[str, List[int]] = {}


class timer:
    """Counts how often something is done and how long it takes; also a span while the process is recorded.

        >>> with stepscope.timer("augment"):
        ...     images = augment(images)

        >>> @stepscope.timer("validate")
        ... def validate(model): ...

        >>> stepscope.print_all_status()

    `info` is a text about it, such as sizes: an argument of its span. It counts whether or not anything is recorded, and without the library, too. One object is for one use at a time;
    a decorated function may run on any number of threads.
    """

    __slots__ = ("_name", "_info", "_span", "_since")

    def __init__(self, name: str, info: Optional[str] = None) -> None:
        self._name, self._info, self._since = str(name), info, 0
        self._span: Any = record(self._name) if info is None else annotate(self._name, info=info)

    def __enter__(self) -> "timer":
        self._span.__enter__()
        self._since = perf_counter_ns()
        return self

    def __exit__(self, *error: Any) -> None:
        length = perf_counter_ns() - self._since
        self._span.__exit__(*error)
        with _LOCK:
            counted = _COUNTED.get(self._name)
            if counted is None:
                _COUNTED[self._name] = [1, length, length, length]
            else:
                counted[0] += 1
                counted[1] += length
                counted[2], counted[3] = max(counted[2], length), min(counted[3], length)

    def __call__(self, function: Callable[..., T]) -> Callable[..., T]:
        name, info = self._name, self._info

        @functools.wraps(function)
        def timed(*args: Any, **kwargs: Any) -> T:
            with timer(name, info):
                return function(*args, **kwargs)

        return timed


def _line(name: str, counted: List[int]) -> str:
    """A line as Paddle prints its `Stat`: whole microseconds, as milliseconds."""
    count = counted[0]
    total, most, least = (time // 1000 for time in counted[1:])
    cells = [_number(micros) for micros in (total, total // count, most, least)]
    return "Stat={:30} total={:10} avg={:10} max={:10} min={:10} count={}\n".format(name, *cells, count)


def _number(micros: int) -> str:
    """Milliseconds with six digits, without zeros at the end."""
    value = micros * 0.001
    text = "{:.{}f}".format(value, max(6 - len(str(int(value))), 0) if value >= 1 else 6)
    return text.rstrip("0").rstrip(".") if "." in text else text


def timer_status(name: Optional[str] = None) -> str:
    """The line of a timer, or the table of all of them, the longest together first; in ms, as Paddle's StatSet has it.

    Raises `KeyError` if no timer of that name ended.
    """
    with _LOCK:
        counted = {key: list(value) for key, value in _COUNTED.items()}
    if name is not None:
        if name not in counted:
            raise KeyError("stepscope: no timer {!r} ended".format(name))
        return _line(name, counted[name])
    lines = [_line(*item) for item in sorted(counted.items(), key=lambda item: -item[1][1])]
    heads = ("======= StatSet: [GlobalStatInfo] status ======\n", "======= BarrierStatSet status ======\n")
    return heads[0] + "".join(lines) + heads[1] + "-" * 50 + "\n"


def print_status(name: str, file: Optional[TextIO] = None) -> None:
    """Prints a timer's statistics to standard error, like Paddle's `printStatus`."""
    (file or sys.stderr).write(timer_status(name))


def print_all_status(file: Optional[TextIO] = None) -> None:
    """Prints the statistics of all timers to standard error, like Paddle's `printAllStatus`."""
    (file or sys.stderr).write(timer_status())


def reset_timers() -> None:
    """Resets all timers."""
    with _LOCK:
        _COUNTED.clear()
