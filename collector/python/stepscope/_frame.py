"""A trace as a report in a frame, for notebooks."""

import html
import os
import pathlib
from typing import Any, Dict, Iterator, List, Optional

from ._program import Error
from ._report import report
from ._traces import passing_folder, silent_on

#: Magic numbers of compressed files (gzip, zip, Zstandard, xz, bzip2): the report stores these unchanged.
_PACKED = (b"\x1f\x8b", b"PK\3\4", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ", b"BZh")

#: Upper bound of a trace's compression ratio.
_SHRINKS = 32

#: The report runs in its own origin: it can access neither the notebook nor the server.
_SANDBOX = "allow-scripts allow-downloads allow-forms allow-popups allow-popups-to-escape-sandbox"

#: In an untrusted notebook, frames and styles are removed: then only this text is visible.
_HINT = (
    '<p class="stepscope-hint">Stepscope: the report is not shown, since this notebook is not trusted. Trust it, or run the '
    "cell.</p><style>iframe + .stepscope-hint { display: none }</style>"
)
_NO_TRACE = (
    "The trace is too large for a notebook's file, so this is the report without it: the tables and charts, but not the "
    "events. stepscope.report(…, trace=True) writes both into a file of its own; show(…, longest=…) allows more here."
)


class Frame:
    """The report in a frame that keeps it apart from the notebook; made on first use."""

    def __init__(self, files: List[Dict[str, Any]], height: int, longest: int) -> None:
        self.note = ""
        self._files, self._height, self._longest = files, height, longest
        self._made: Optional[str] = None

    def bundle(self) -> Dict[str, Any]:
        """MIME bundle for frontends without the widget."""
        if self._made is None:
            self._made = self._make()
        return {"text/html": self._made, "text/plain": self.text()}

    def text(self) -> str:
        """One line with the names of the files."""
        names = [str(file["path"]) for file in self._files]
        more = " and {} more".format(len(names) - 1) if len(names) > 1 else ""
        return "<Stepscope: {}{}>".format(names[0], more)

    def _make(self) -> str:
        notes = [self.note] if self.note else []
        try:
            document = self._document(notes)
        except (Error, OSError) as error:
            return "<p>Stepscope: {}</p>".format(html.escape(str(error)))
        said = "".join("<p>{}</p>".format(html.escape(note)) for note in notes)
        frame = '<iframe title="Stepscope" sandbox="{}" style="width:100%;height:{}px;border:0" srcdoc="{}"></iframe>'
        return said + frame.format(_SANDBOX, self._height, html.escape(document)) + _HINT

    def _document(self, notes: List[str]) -> str:
        """The report as HTML. If it has no trace, the reason is added to the notes."""
        with passing_folder() as folder:
            output = os.path.join(folder, "report.html")
            traces = list(_written(self._files, folder))
            places = [os.path.dirname(trace) for trace in traces]
            why = _NO_TRACE
            # A report takes a while: do not make one that would be too long.
            if _least(self._files) <= self._longest:
                try:
                    with silent_on(places):
                        document = report(traces, output, trace=True).read_text("utf-8")
                    if len(document) <= self._longest:
                        return document
                except Error as error:
                    why = "This is the report without the trace: {}".format(error)
            with silent_on(places):
                document = report(traces, output).read_text("utf-8")
        notes.append(why)
        return document


def _least(files: List[Dict[str, Any]]) -> int:
    """Lower bound of the length of the files' copies in a report, in base64."""
    packed = (len(file["bytes"]) // (1 if file["bytes"].startswith(_PACKED) else _SHRINKS) for file in files)
    return sum(packed) * 4 // 3


def _written(files: List[Dict[str, Any]], folder: str) -> Iterator[str]:
    """Writes the files anew, since the originals may have changed or been deleted; yields the files and folders made."""
    made = []
    for number, file in enumerate(files):
        first = str(file["path"]).split("/")[0]
        # Files of a folder stay together; files of the same name do not collide.
        place = os.path.join(folder, "0" if "/" in file["path"] else str(number + 1))
        path = os.path.join(place, *str(file["path"]).split("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        pathlib.Path(path).write_bytes(file["bytes"])
        if os.path.join(place, first) not in made:
            made.append(os.path.join(place, first))
            yield made[-1]
