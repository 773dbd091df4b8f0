"""A trace in a notebook."""

import html
import os
import pathlib
import sys
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Tuple, Union

from ._program import Error
from ._report import report
from ._traces import Trace, contents, passing_folder, silent_on

if TYPE_CHECKING:
    from ._widget import Widget

#: What goes from Python to the browser at most: less than a browser's longest buffer.
_MOST = 1 << 30

#: A notebook's file holds what is shown in it: reports that are longer leave the trace out.
_LONGEST = 8_000_000

#: How files that are compressed begin (gzip, zip, Zstandard, xz, bzip2): the report has them as they are.
_PACKED = (b"\x1f\x8b", b"PK\3\4", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ", b"BZh")

#: No trace gets smaller than by so much.
_SHRINKS = 32

#: The report runs in an origin of its own: it reaches neither the notebook nor the server.
_SANDBOX = "allow-scripts allow-downloads allow-forms allow-popups allow-popups-to-escape-sandbox"

_NO_WIDGET = (
    "anywidget is missing, so this is a report by itself, which tells Python nothing: pip install 'stepscope[notebook]'"
)
_NO_SCRIPT = "the widget's script is not beside this package, as in its wheel, so this is a report by itself"
#: Of a notebook that is not trusted frames and styles are left out, so that this is what there is to see of it.
_HINT = (
    '<p class="stepscope-hint">Stepscope: the report is not shown, since this notebook is not trusted. Trust it, or run the '
    "cell.</p><style>iframe + .stepscope-hint { display: none }</style>"
)
_NO_TRACE = (
    "The trace is too large for a notebook's file, so this is the report without it: the tables and charts, but not the "
    "events. stepscope.report(…, trace=True) writes both into a file of its own; show(…, longest=…) allows more here."
)

Rendered = Tuple[Dict[str, Any], Dict[str, Any]]


def show(
    path: Trace,
    *,
    tab: Optional[str] = None,
    theme: Optional[str] = None,
    lang: Optional[str] = None,
    height: int = 700,
    longest: int = _LONGEST,
    widget: bool = True
) -> "Union[Widget, Page]":
    """Shows a trace in a notebook: the whole analyzer, as on the page.

    The trace is a file, a folder of ranks, an archive, a file's bytes, an address (`file:`, `http:`, `https:`),
    which Python fetches, or a list of these. `tab` is opened first (`"timeline"`), `theme` is `"light"` or `"dark"`, `lang`
    is `"en"` or `"zh"`. What is chosen in it is in `.selected`, what went wrong in `.error`.

    With anywidget (`pip install 'stepscope[notebook]'`) it is a widget. Beside that, and alone where there is no anywidget
    or no person (`nbconvert --execute`), it is a report in a frame of its own, which stays when the notebook is exported
    as HTML. That holds the analyzer and a copy of the trace unless it were longer than `longest` bytes; of what is chosen
    here it takes the height alone.

    A widget ends with its kernel: a notebook that is opened again says that its model is not found until the cell is run.
    With `widget=False` the frame is shown alone, and again whenever the notebook is opened, once that is trusted.

    Raises `OSError` if the trace cannot be found or fetched, `stepscope.Error` if it is too large to be shown, `TypeError` if
    it is none of these. What is in it is read when it is shown: what cannot be read is told there.

        >>> stepscope.show("trace.json.gz", tab="kernels")
        >>> stepscope.show("trace.json.gz", widget=False)  # stays in the notebook
    """
    chosen = {"tab": tab or "", "theme": theme or "", "lang": lang or "", "height": int(height)}
    files = contents(path, _MOST)
    frame = Frame(files, int(height), longest)
    if not widget or not _is_watched():
        return Page(frame, files, **chosen)
    try:
        from ._widget import Widget
    except ImportError:
        frame.note = _NO_WIDGET
    except FileNotFoundError:
        frame.note = _NO_SCRIPT
    else:
        return Widget(frame, files=files, **chosen)
    return Page(frame, files, **chosen)


class Page:
    """A trace that is shown as a report only. It has the widget's properties, which nothing changes."""

    def __init__(self, frame: "Frame", files: List[Dict[str, Any]], **chosen: Any) -> None:
        self.files = files
        self.tab: str = chosen["tab"]
        self.theme: str = chosen["theme"]
        self.lang: str = chosen["lang"]
        self.height: int = chosen["height"]
        self.selected: Dict[str, Any] = {}
        self.error = ""
        self._frame = frame

    def observe(self, *_arguments: Any, **_named: Any) -> None:
        """For notebooks that listen to a widget: there is nothing to hear here."""

    def _repr_mimebundle_(self, **_named: Any) -> Rendered:
        return self._frame.bundle(), {}


class Frame:
    """The report in a frame that keeps it apart from the notebook; made when it is first wanted."""

    def __init__(self, files: List[Dict[str, Any]], height: int, longest: int) -> None:
        self.note = ""
        self._files, self._height, self._longest = files, height, longest
        self._made: Optional[str] = None

    def bundle(self) -> Dict[str, Any]:
        """What frontends without the widget show."""
        if self._made is None:
            self._made = self._make()
        return {"text/html": self._made, "text/plain": self.text()}

    def text(self) -> str:
        """What it is, in one line."""
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
        """The report, and in the notes why the trace is not in it."""
        with passing_folder() as folder:
            output = os.path.join(folder, "report.html")
            traces = list(_written(self._files, folder))
            places = [os.path.dirname(trace) for trace in traces]
            why = _NO_TRACE
            # A report takes a while, and one that would be too long would be made in vain.
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
    """What copies of files take in a report at the least, as text."""
    packed = (len(file["bytes"]) // (1 if file["bytes"].startswith(_PACKED) else _SHRINKS) for file in files)
    return sum(packed) * 4 // 3


def _written(files: List[Dict[str, Any]], folder: str) -> Iterator[str]:
    """Writes files again, since what they were read from may have changed or gone; the files and folders made."""
    made = []
    for number, file in enumerate(files):
        first = str(file["path"]).split("/")[0]
        # Files of a folder stay together; two files of one name do not meet.
        place = os.path.join(folder, "0" if "/" in file["path"] else str(number + 1))
        path = os.path.join(place, *str(file["path"]).split("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        pathlib.Path(path).write_bytes(file["bytes"])
        if os.path.join(place, first) not in made:
            made.append(os.path.join(place, first))
            yield made[-1]


def _is_watched() -> bool:
    """Whether a person sees what is shown as it is shown: whoever runs a notebook without one (`nbconvert --execute`) allows
    no questions. A widget would leave its state in that notebook, and be asked from there for a package of some network's."""
    interactive = sys.modules.get("IPython")
    shell = interactive.get_ipython() if interactive else None
    kernel = getattr(shell, "kernel", None)
    if kernel is None:
        return True
    parent = kernel.get_parent() if hasattr(kernel, "get_parent") else {}
    return bool((parent or {}).get("content", {}).get("allow_stdin", True))
