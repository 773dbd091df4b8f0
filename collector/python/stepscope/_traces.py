"""What a person names as a trace: paths, folders, bytes, addresses."""

import contextlib
import os
import shutil
from typing import Dict, Iterable, Iterator, List, Tuple, Union

from ._program import Error

Path = Union[str, "os.PathLike[str]"]
Bytes = Union[bytes, bytearray, memoryview]

#: A file, a folder of ranks, an archive, several of these, or a file's bytes.
Trace = Union[Path, Bytes, Iterable[Path]]

_MADE_NAME = "trace"


def paths_of(trace: Union[Path, Iterable[Path]]) -> List[str]:
    """The paths; at least one."""
    paths = [trace] if isinstance(trace, (str, os.PathLike)) else list(trace)
    if not paths:
        raise Error("there is no trace: the list of paths is empty")
    return [os.path.expanduser(os.fspath(path)) for path in paths]


@contextlib.contextmanager
def on_disk(trace: Trace) -> Iterator[List[str]]:
    """The paths of a trace; bytes lie in a file of their own meanwhile."""
    if not isinstance(trace, (bytes, bytearray, memoryview)):
        yield paths_of(trace)
        return
    import tempfile

    with tempfile.TemporaryDirectory(prefix="stepscope-") as folder:
        path = os.path.join(folder, _MADE_NAME)
        with open(path, "wb") as file:
            file.write(trace)
        yield [path]


def contents(trace: Trace, most: int) -> List[Dict[str, Union[str, bytes]]]:
    """Each file as `{"path", "bytes"}`, a folder's with their paths from its own name on; what an address names is fetched.

    Raises `stepscope.Error` where they are more than `most` bytes, `OSError` where one cannot be read.
    """
    if isinstance(trace, (bytes, bytearray, memoryview)):
        made = bytes(trace)
        _limit(len(made), most)
        return [{"path": _MADE_NAME, "bytes": made}]
    found: List[Dict[str, Union[str, bytes]]] = []
    size = 0
    for path in paths_of(trace):
        for name, file in _files(path):
            size += os.path.getsize(file)
            _limit(size, most)
            with open(file, "rb") as opened:
                found.append({"path": name, "bytes": opened.read()})
    if not found:
        raise Error("there are no files in {}".format(", ".join(paths_of(trace))))
    return found


def _files(path: str) -> List[Tuple[str, str]]:
    """Names and paths, sorted."""
    name = os.path.basename(os.path.abspath(path))
    if not os.path.isdir(path):
        return [(name, path)]
    found: List[Tuple[str, str]] = []
    for folder, folders, names in os.walk(path):
        # Hidden files are not meant when their folder is, as in the program and on the page.
        folders[:] = [one for one in folders if not one.startswith(".")]
        names = [one for one in names if not one.startswith(".")]
        below = os.path.relpath(folder, path)
        parts = [name] if below == os.curdir else [name, *below.split(os.sep)]
        found.extend(("/".join([*parts, one]), os.path.join(folder, one)) for one in names)
    return sorted(found)


def _limit(size: int, most: int) -> None:
    if size > most:
        raise Error(
            "more than {} MB is too much for a notebook's connection: use stepscope.report, stepscope.summary, "
            "or `stepscope serve` in a terminal".format(most >> 20)
        )


@contextlib.contextmanager
def fetched(trace: Trace) -> Iterator[Trace]:
    """The trace with what an address names (file:, http:, https:) on disk meanwhile, under the name that it has there."""
    if not isinstance(trace, str) or "://" not in trace:
        yield trace
        return
    import tempfile
    from urllib.parse import unquote, urlsplit
    from urllib.request import url2pathname, urlopen

    address = urlsplit(trace)
    if address.scheme == "file":
        if address.netloc not in ("", "localhost"):
            raise Error("{}: files of other machines are not fetched".format(trace))
        yield url2pathname(address.path)
        return
    if address.scheme not in ("http", "https"):
        raise Error("{}: neither a path nor an address by file:, http: or https:".format(trace))
    name = os.path.basename(unquote(address.path)) or _MADE_NAME
    with tempfile.TemporaryDirectory(prefix="stepscope-") as folder:
        path = os.path.join(folder, name)
        with urlopen(trace) as answer, open(path, "wb") as file:
            shutil.copyfileobj(answer, file, 1 << 20)
        yield path
