"""Reports as self-contained HTML files."""

import os
import pathlib
from typing import Optional

from ._program import run
from ._traces import Path, Trace, on_disk


def report(path: Trace, output: Optional[Path] = None, *, trace: bool = False) -> pathlib.Path:
    """Writes a report as one HTML file, which opens anywhere without a network, and returns its path.

    The trace is a file, a folder of ranks, an archive, an address (`file:`, `http:`, `https:`), a file's bytes,
    or a list of these. Without `output` the file has the trace's name and lies in the current folder. With `trace` it includes
    the whole analyzer and a compressed copy of the trace, for further exploration.

    Raises `stepscope.Error` with the program's message, `OSError` if an address cannot be fetched.

        >>> stepscope.report("trace.json.gz")
        PosixPath('trace.html')
    """
    arguments = ["report"]
    if output is None:
        # The program chooses the name and prints it.
        arguments.append("--print-path")
    else:
        arguments += ["-o", str(pathlib.Path(output).expanduser())]
    if trace:
        arguments.append("--trace")
    with on_disk(path) as paths:
        printed = run([*arguments, "--", *paths], tells=False)
    return pathlib.Path(os.fsdecode(printed[:-1]) if output is None else arguments[2])
