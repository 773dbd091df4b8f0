"""The program `stepscope`: its path, and running it."""

import os
import shutil
import sys
from typing import Iterator, Sequence

_NAME = "stepscope.exe" if os.name == "nt" else "stepscope"


class Error(RuntimeError):
    """An error of the program, with its message, or a missing program."""


def program() -> str:
    """The path of the program `stepscope`: the value of `STEPSCOPE_PROGRAM`, else the one installed with this package,
    else the first on PATH.

    Raises `stepscope.Error` if there is none.
    """
    told = os.environ.get("STEPSCOPE_PROGRAM")
    if told:
        if os.path.isfile(told):
            return told
        raise Error("STEPSCOPE_PROGRAM names {}, where there is no program".format(told))
    for path in _places():
        if os.path.isfile(path):
            return os.path.normpath(path)
    found = shutil.which("stepscope")
    if found is None:
        raise Error(
            "the program stepscope is neither beside this package nor on PATH: install Stepscope's wheel, "
            "or set STEPSCOPE_PROGRAM to the program"
        )
    return found


def _places() -> Iterator[str]:
    """Candidate paths of the wheel's program, relative to this package, so that its version is the same."""
    here = os.path.dirname(os.path.abspath(__file__))
    up = os.pardir
    # PREFIX/lib/python3.N/site-packages/stepscope; on Windows PREFIX/Lib/site-packages/stepscope, or a user's
    # PythonN/site-packages/stepscope; `pip install --target` makes a `bin` beside the package.
    for levels, folder in ((4, "bin"), (3, "Scripts"), (2, "Scripts"), (1, "bin")):
        yield os.path.join(here, *[up] * levels, folder, _NAME)
    import sysconfig

    yield os.path.join(sysconfig.get_path("scripts"), _NAME)


def run(arguments: Sequence[str], *, tells: bool = True) -> bytes:
    """Runs the program and returns its standard output. With `tells`, its messages go to standard error.

    Raises `stepscope.Error` with its message if it fails.
    """
    import subprocess

    command = [program(), *arguments]
    try:
        ended = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except OSError as error:
        raise Error("{}: {}".format(command[0], error)) from error
    said = ended.stderr.decode("utf-8", "replace").strip()
    if ended.returncode:
        message = said[len("error: ") :] if said.startswith("error: ") else said
        raise Error(message or "stepscope {} ended with {}".format(arguments[0], ended.returncode))
    if said and tells:
        print(said, file=sys.stderr)
    return ended.stdout
