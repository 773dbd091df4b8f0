"""One HTML file that tells all and needs nobody."""

import os
import pathlib
from typing import Optional

from ._program import run
from ._traces import Path, Trace, on_disk, paths_of

# Endings that say how a trace is written, not what it is; as the program leaves them out.
_ENDINGS = (".gz", ".zst", ".json", ".pt.trace", ".stepscope", ".sqlite", ".zip")


def report(path: Trace, output: Optional[Path] = None, *, trace: bool = False) -> pathlib.Path:
    """Writes a report as one HTML file, which opens anywhere without a network, and returns its path.

    The trace is a file, a folder of ranks, an archive, a list of these, or a file's bytes. Without `output` the file has
    the trace's name and lies in the current folder. With `trace` the whole analyzer and a compressed copy of the trace
    are in it, so that whoever opens it can go on exploring.

    Raises `stepscope.Error` with the program's message.

        >>> stepscope.report("trace.json.gz")
        PosixPath('trace.html')
    """
    written = pathlib.Path(_name(path) if output is None else output).expanduser()
    arguments = ["report", "-o", str(written)]
    if trace:
        arguments.append("--trace")
    with on_disk(path) as paths:
        run([*arguments, "--", *paths], tells=False)
    return written


def _name(trace: Trace) -> str:
    """The report's name by the trace's."""
    if isinstance(trace, (bytes, bytearray, memoryview)):
        return "trace.html"
    name = os.path.basename(os.path.abspath(paths_of(trace)[0]))
    for ending in _ENDINGS:
        if name.endswith(ending):
            name = name[: -len(ending)]
    return name + ".html"
