"""Start and stop of recordings, and their files."""

import ctypes
import json
import os
from typing import Any, Dict, Optional, Union

from ._library import LIB, encoded

Path = Union[str, "os.PathLike[str]"]


#: Names of the formats that `stepscope export` writes.
_OTHER_FORMATS = (".json", ".json.gz", ".pftrace", ".pftrace.gz", ".perfetto-trace", ".perfetto-trace.gz")


def start(
    output: Path = "recordings",
    *,
    clock: Optional[str] = None,
    segment_bytes: Optional[int] = None,
    keep: Optional[Dict[str, float]] = None,
    facts: Optional[Dict[str, str]] = None,
    command: Optional[str] = None
) -> Optional[str]:
    """Starts to record this process, and the children that it forks, into files in a folder.

    Returns the process's file, or None without the library. `keep={"seconds": 30, "bytes": 100_000_000}` is a flight
    recorder: only the latest is kept. `clock="counter"` reads the processor's counter, which is cheaper. Facts are
    shown with the recording. The command line is recorded with secrets masked; not at all with `command="none"`.

    Raises `OSError` if the file cannot be made, `RuntimeError` if the process is being recorded already,
    `ValueError` if the options are wrong.

        >>> path = stepscope.start("recordings", facts={"experiment": "17"})
        >>> stepscope.stop()
    """
    if LIB is None:
        return None
    options: Dict[str, Any] = {"output": os.fspath(output)}
    if clock is not None:
        options["clock"] = clock
    if segment_bytes is not None:
        options["segment_bytes"] = segment_bytes
    if keep is not None:
        options["keep"] = {"seconds": keep.get("seconds", 0), "bytes": int(keep.get("bytes", 0))}
    if facts:
        options["facts"] = {str(key): str(value) for key, value in facts.items()}
    if command is not None:
        options["command"] = command
    raise_if(LIB.start(encoded(json.dumps(options))))
    return recording_path()


def raise_if(code: int) -> None:
    """Raises the exception of an error code of the library; 0 raises none."""
    if code and LIB is not None:
        kind = {-1: ValueError, -2: RuntimeError, -3: OSError}.get(code, RuntimeError)
        raise kind("stepscope: " + LIB.error())


def stop() -> None:
    """Stops recording."""
    if LIB is not None:
        LIB.stop()


def is_recording() -> bool:
    """Whether this process is being recorded, whoever started it."""
    return LIB is not None and LIB.is_recording() == 1


def recording_path() -> Optional[str]:
    """The file that this process is recorded into; None if there is none."""
    if LIB is None:
        return None
    buffer = ctypes.create_string_buffer(4096)
    length = LIB.path(buffer, len(buffer))
    return os.fsdecode(buffer.value) if 0 < length < len(buffer) else None


def export(recordings: Path, output: Path) -> None:
    """Makes one compact file (.stepscope) of a raw recording (.steprec), or of a folder of them.

        >>> stepscope.export("recordings", "training.stepscope")

    Raises `ValueError` for the name of another format: `stepscope export` makes these of the file.
    """
    if os.fsdecode(output).endswith(_OTHER_FORMATS):
        raise ValueError(
            "stepscope: a recording is a .stepscope file; `stepscope export FILE.stepscope -o FILE.json` makes JSON of it"
        )
    if LIB is None:
        raise RuntimeError("stepscope: there is no library, and so no recording")
    raise_if(LIB.recover(os.fsencode(recordings), os.fsencode(output)))
