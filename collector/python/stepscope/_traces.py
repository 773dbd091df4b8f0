"""Traces as arguments: paths, folders, bytes, addresses."""

import contextlib
import os
import shutil
from typing import Any, Dict, Iterable, Iterator, List, Tuple, Union

from ._program import Error

Path = Union[str, "os.PathLike[str]"]
Bytes = Union[bytes, bytearray, memoryview]

_BYTES = (bytes, bytearray, memoryview)

#: A file, a folder of ranks, an archive, an address, a file's bytes, or several of these.
Trace = Union[Path, Bytes, Iterable[Union[Path, Bytes]]]

_MADE_NAME = "trace"


def _parts(trace: Trace) -> List[Tuple[str, Union[str, Bytes]]]:
    """Paths, addresses and bytes, each after the name that bytes go by; at least one."""
    given: List[Any] = [trace]
    # A file that is open would be taken for a list of its lines.
    if not isinstance(trace, (str, os.PathLike, *_BYTES)) and isinstance(trace, Iterable) and not hasattr(trace, "read"):
        given = list(trace)
    if not given:
        raise Error("there is no trace: the list of paths is empty")
    found: List[Tuple[str, Union[str, Bytes]]] = []
    for number, one in enumerate(given, 1):
        if isinstance(one, _BYTES):
            found.append((_MADE_NAME if len(given) == 1 else "{}-{}".format(_MADE_NAME, number), one))
        elif isinstance(one, (str, os.PathLike)):
            found.append((_MADE_NAME, os.path.expanduser(os.fsdecode(one))))
        else:
            raise TypeError("a trace is a path, an address, bytes, or a list of these, not {}".format(type(one).__name__))
    return found


@contextlib.contextmanager
def on_disk(trace: Trace) -> Iterator[List[str]]:
    """The paths of a trace. Bytes and the content of addresses are in temporary files while the context is open."""
    with contextlib.ExitStack() as stack:
        yield [
            stack.enter_context(_fetched(part) if isinstance(part, str) else _written(part, name))
            for name, part in _parts(trace)
        ]


@contextlib.contextmanager
def silent_on(folders: Iterable[str]) -> Iterator[None]:
    """Removes temporary folders from the messages of errors in the context."""
    try:
        yield
    except Error as error:
        message = str(error)
        for folder in folders:
            message = message.replace(folder + os.sep, "")
        raise Error(message) from None


@contextlib.contextmanager
def passing_folder() -> Iterator[str]:
    """A temporary folder, which error messages do not mention."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="stepscope-") as folder, silent_on([folder]):
        yield folder


@contextlib.contextmanager
def _written(content: Bytes, name: str) -> Iterator[str]:
    with passing_folder() as folder:
        path = os.path.join(folder, name)
        with open(path, "wb") as file:
            file.write(content)
        yield path


def contents(trace: Trace, most: int) -> List[Dict[str, Union[str, bytes]]]:
    """Each file as `{"path", "bytes"}`; a folder's paths begin with its own name; addresses are fetched.

    Raises `stepscope.Error` where they are more than `most` bytes, `OSError` where one cannot be read.
    """
    found: List[Dict[str, Union[str, bytes]]] = []
    size = 0
    for made, part in _parts(trace):
        if not isinstance(part, str):
            content = bytes(part)
            size += len(content)
            _limit(size, most)
            found.append({"path": made, "bytes": content})
            continue
        with _fetched(part) as path:
            for name, file in _files(path):
                size += os.path.getsize(file)
                _limit(size, most)
                with open(file, "rb") as opened:
                    found.append({"path": name, "bytes": opened.read()})
    if not found:
        raise Error("there are no files in {}".format(", ".join(str(part) for _, part in _parts(trace))))
    return found


def _files(path: str) -> List[Tuple[str, str]]:
    """Names and paths, sorted."""
    name = os.path.basename(os.path.abspath(path))
    if not os.path.isdir(path):
        return [(name, path)]
    found: List[Tuple[str, str]] = []
    for folder, folders, names in os.walk(path):
        # Hidden files of a folder are skipped, as in the program and on the page.
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
def _fetched(place: str) -> Iterator[str]:
    """The path of a place. The content of an address (http:, https:) is in a temporary file of the address's file name."""
    if "://" not in place:
        yield place
        return
    from urllib.parse import unquote, urlsplit
    from urllib.request import url2pathname, urlopen

    address = urlsplit(place)
    if "@" in address.netloc:
        # A password must not appear in messages.
        shown = place.replace(address.netloc, "***@" + address.netloc.rpartition("@")[2], 1)
        raise Error("{}: addresses with a user or password in them are not fetched".format(shown))
    if address.scheme == "file":
        if address.netloc not in ("", "localhost"):
            raise Error("{}: files of other machines are not fetched".format(place))
        yield url2pathname(address.path)
        return
    if address.scheme not in ("http", "https"):
        raise Error("{}: neither a path nor an address by file:, http: or https:".format(place))
    name = os.path.basename(unquote(address.path)) or _MADE_NAME
    with passing_folder() as folder:
        path = os.path.join(folder, name)
        with urlopen(place) as answer, open(path, "wb") as file:
            shutil.copyfileobj(answer, file, 1 << 20)
        yield path
