"""Stepscope for Python: where a training step's time goes. It records, and analyzes its own and profilers' traces.

    import stepscope

    with stepscope.profiler(output="recordings") as profiler:
        for batch in stepscope.batches(loader):
            with stepscope.record("forward", "forward"):
                loss = model(batch)
            with stepscope.record("backward", "backward"):
                loss.backward()
            stepscope.counter("loss", float(loss))
            profiler.step(samples=len(batch))
    profiler.export("training.stepscope")

Open `training.stepscope`, or the folder, with `stepscope summary` or in the page. Without the library
(`libstepscope_inject.so`) and while nothing is recorded, all functions do nothing, at almost no cost.

It needs only Python 3.8 and the library. The library is searched at `STEPSCOPE_LIBRARY`, beside this package and beside
the program `stepscope`; `stepscope.library()` returns its path.

Traces are analyzed by the program, which is part of the wheel:

    stepscope.show("trace.json.gz")                              # in a notebook
    stepscope.summary("ranks/").frames()["kernels"]              # as pandas DataFrames
    stepscope.report("trace.json.gz", "trace.html", trace=True)  # one file for a colleague
"""

from ._events import async_span, counter, end_step, flow_end, flow_start, flow_step, mark, name_thread, step
from ._library import library
from ._profiler import export_to, profiler
from ._program import Error, program
from ._recording import export, is_recording, recording_path, start, stop
from ._report import report
from ._schedule import State, make_scheduler, schedule
from ._show import show
from ._spans import CATEGORIES, RecordEvent, annotate, batches, phase, record
from ._summary import Summary, summary
from ._timers import print_all_status, print_status, reset_timers, timer, timer_status

__all__ = [
    "CATEGORIES",
    "Error",
    "RecordEvent",
    "State",
    "Summary",
    "annotate",
    "async_span",
    "batches",
    "counter",
    "end_step",
    "export",
    "export_to",
    "flow_end",
    "flow_start",
    "flow_step",
    "is_recording",
    "library",
    "make_scheduler",
    "mark",
    "name_thread",
    "phase",
    "print_all_status",
    "print_status",
    "profiler",
    "program",
    "record",
    "recording_path",
    "report",
    "reset_timers",
    "schedule",
    "show",
    "start",
    "step",
    "stop",
    "summary",
    "timer",
    "timer_status",
]
__version__ = "0.2.0"
