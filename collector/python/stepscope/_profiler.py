"""The profiler: a schedule of recordings, steps, and their times."""

import inspect
import os
import sys
from typing import Any, Callable, Iterable, List, Optional, Sequence, Union

from . import _recording, _spans
from ._library import LIB, argument
from ._schedule import Schedule, State, steps_of
from ._style import paddle_tables
from ._timer import Timer


#: Printed in place of a Perf Summary, which skips the first ten steps.
_TOO_FEW = "stepscope: no Perf Summary: the first 10 steps do not count (steps: {})"


class profiler:
    """Records the steps of a schedule, like `torch.profiler.profile`.

        >>> with stepscope.profiler(
        ...     output="recordings",
        ...     schedule=stepscope.schedule(wait=1, warmup=1, active=3, repeat=2),
        ...     on_trace_ready=stepscope.export_to("traces"),
        ... ) as profiler:
        ...     for batch in stepscope.batches(loader):
        ...         train(batch)
        ...         profiler.step(samples=len(batch))
        ...     print(profiler.step_info())

    Each recording is a folder in `output`, with a file for this process and for each child that it forks during it.
    `on_trace_ready` is called with the profiler when one is finished; `recording` is its folder, `export` makes one
    file of it. Without a schedule, one recording has all steps. `schedule=(3, 14)` records steps 3 to 13, as Paddle does.

    `timer_only`: nothing is recorded; `step_info` and `perf_summary` still return step times, and `stop` prints
    the latter, as Paddle does. `scheduler` is Paddle's name for `schedule`; its `targets` change nothing: all that can be
    recorded is. `options` are those of `start`.

    If the process is already being recorded, as by `stepscope record`, that recording continues and the profiler only adds
    steps. It does not finish that recording, so `on_trace_ready` is not called; a message on standard error reports this.
    """

    def __init__(
        self,
        output: _recording.Path = "recordings",
        schedule: Union[Schedule, Sequence[int], None] = None,
        on_trace_ready: Optional[Callable[["profiler"], Any]] = None,
        timer_only: bool = False,
        *,
        scheduler: Union[Schedule, Sequence[int], None] = None,
        targets: Optional[Iterable[Any]] = None,
        **options: Any
    ) -> None:
        # A wrong option is found here, not at the first recorded step.
        inspect.signature(_recording.start).bind(output, **options)
        if schedule is not None and scheduler is not None:
            raise TypeError("stepscope: expected schedule or scheduler, not both")
        self._output, self._options = os.fspath(output), options
        self._schedule = steps_of(scheduler if schedule is None else schedule)
        self._on_trace_ready = on_trace_ready
        self._timer_only = timer_only
        self._state = State.CLOSED
        self._mine = False
        self._told = False
        self._started = False
        self._open = 0
        self._recordings = 0
        #: Number of the current step.
        self.step_num = 0
        #: The folder of the latest recording; None before the first one.
        self.recording: Optional[str] = None
        self._timer = Timer()

    def __enter__(self) -> "profiler":
        self.start()
        return self

    def __exit__(self, *error: Any) -> None:
        self.stop()

    def start(self) -> None:
        """Begins step `step_num`, at first 0."""
        self._started = True
        self._timer.begin()
        _spans.on_wait(self._timer.waited)
        self._enter(self._schedule(self.step_num))
        self._begin_step()

    def stop(self) -> None:
        """Stops. The current step is incomplete, and is not recorded."""
        if LIB is not None and self._open:
            LIB.discard(self._open)
            self._open = 0
        _spans.on_wait(None)
        if self._state >= State.RECORD:
            self._finish()
        self._state = State.CLOSED
        if self._timer_only and self._started:
            self._started = False
            print(self.perf_summary().rstrip("\n") or _TOO_FEW.format(self._timer.count))

    def step(self, samples: Optional[int] = None) -> None:
        """Ends the current step, which had so many samples, and begins the next one."""
        self._timer.step(samples)
        if LIB is not None and self._open:
            if samples:
                argument(self._open, "samples", int(samples))
            LIB.end(self._open)
            self._open = 0
        before = self._state
        self.step_num += 1
        after = self._schedule(self.step_num)
        if before == State.RECORD_AND_RETURN or (before >= State.RECORD and after < State.RECORD):
            self._finish()
            before = State.CLOSED
        self._enter(after, before)
        self._begin_step()

    def step_info(self, unit: Optional[str] = None) -> str:
        """Mean step times since the last call, in Paddle's format.

            >>> profiler.step_info()
            'reader_cost: 0.00213 s batch_cost: 0.04551 s ips: 703.143 samples/s'
        """
        return self._timer.info(unit)

    def perf_summary(self, unit: Optional[str] = None) -> str:
        """Paddle's Perf Summary of the steps since `start`, without the first ten; empty if there were no more.

            >>> print(profiler.perf_summary())
        """
        return self._timer.summary(unit)

    def summary(
        self,
        sorted_by: Any = None,
        op_detail: bool = True,
        thread_sep: bool = False,
        time_unit: Optional[str] = "ms",
        views: Any = None,
    ) -> None:
        """Prints the tables of the latest recording in Paddle's layout; with `timer_only`, the Perf Summary.

        `sorted_by` and `views` are Paddle's `SortedKeys` and `SummaryView` or their names, `time_unit` is "s", "ms",
        "us" or "ns".

            >>> profiler.summary(sorted_by="GPUTotal", time_unit="us", views=["OverView", "OperatorView"])

        Raises `stepscope.Error` with the program's message.
        """
        if self._timer_only:
            print(self.perf_summary().rstrip("\n") or _TOO_FEW.format(self._timer.count))
        elif self.recording is None:
            print("stepscope: no summary: this profiler made no recording", file=sys.stderr)
        else:
            print(paddle_tables(self.recording, sorted_by, op_detail, thread_sep, time_unit, views).rstrip("\n"))

    def export(self, path: _recording.Path) -> None:
        """Makes one compact file (.stepscope) of the latest recording. `stepscope export` makes other formats of it.

        Does nothing if it recorded nothing: without the library, or where `stepscope record` or the environment has the
        program recorded, which makes a file of its own.
        """
        if self.recording is None:
            return
        _recording.export(self.recording, path)

    def _enter(self, state: State, before: State = State.CLOSED) -> None:
        self._state = state
        if state >= State.RECORD and before < State.RECORD and LIB is not None and not self._timer_only:
            if _recording.is_recording():
                if self._on_trace_ready is not None and not self._told:
                    self._told = True
                    print("stepscope: recorded by others: on_trace_ready is not called", file=sys.stderr)
                return
            folder = self._next()
            while os.path.exists(folder):
                # From another profiler of this process, or from an earlier process with the same id.
                folder = self._next()
            _recording.start(folder, **self._options)
            self.recording, self._mine = folder, True

    def _next(self) -> str:
        self._recordings += 1
        return os.path.join(self._output, "{}-{}".format(os.getpid(), self._recordings - 1))

    def _finish(self) -> None:
        if self._mine:
            self._mine = False
            _recording.stop()
            if self._on_trace_ready is not None:
                self._on_trace_ready(self)

    def _begin_step(self) -> None:
        if LIB is not None and not self._timer_only:
            number = int(_spans.record("step", "step"))
            self._open = LIB.begin(number & 0xFFFFFFFF, number >> 32, self.step_num)


def export_to(folder: _recording.Path) -> Callable[[profiler], None]:
    """Returns a function for `on_trace_ready` that makes a compact file of each recording, in a folder.

        >>> stepscope.profiler(on_trace_ready=stepscope.export_to("traces"))
    """
    made: List[str] = []

    def export(of: profiler) -> None:
        if of.recording is not None:
            os.makedirs(folder, exist_ok=True)
            made.append(os.path.join(os.fspath(folder), os.path.basename(of.recording) + ".stepscope"))
            of.export(made[-1])

    export.files = made  # type: ignore[attr-defined]
    return export
