"""A trace in a notebook."""

import sys
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple, Union

from ._frame import Frame
from ._traces import Trace, contents

if TYPE_CHECKING:
    from ._widget import Widget

#: Upper bound of bytes sent from Python to the browser: less than a browser's longest buffer.
_MOST = 1 << 30

#: Upper bound of a report's length with the trace, since a notebook's file includes it; longer reports omit the trace.
_LONGEST = 8_000_000

_NO_WIDGET = (
    "anywidget is missing, so this is a report by itself, which tells Python nothing: pip install 'stepscope[notebook]'"
)
_NO_SCRIPT = "the widget's script is not beside this package, as in its wheel, so this is a report by itself"

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
    is `"en"` or `"zh"`. The selection is in `.selected`, an error in `.error`.

    With anywidget (`pip install 'stepscope[notebook]'`) it is a widget. Beside that, and alone where there is no anywidget
    or no user (`nbconvert --execute`), it is a report in its own frame, which stays when the notebook is exported
    as HTML. The report includes the analyzer, and a copy of the trace unless it were longer than `longest` bytes. Only
    `height` applies to it.

    A widget ends with its kernel: a notebook that is opened again says that its model is not found until the cell is run.
    With `widget=False` the frame is shown alone, and again whenever the notebook is opened, once that is trusted.

    Raises `OSError` if the trace cannot be found or fetched, `stepscope.Error` if it is too large to be shown, `TypeError` if
    it is none of these. Its content is read when it is shown; read errors appear there.

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
    """A trace shown as a report only. It has the widget's properties, which never change."""

    def __init__(self, frame: Frame, files: List[Dict[str, Any]], **chosen: Any) -> None:
        self.files = files
        self.tab: str = chosen["tab"]
        self.theme: str = chosen["theme"]
        self.lang: str = chosen["lang"]
        self.height: int = chosen["height"]
        self.selected: Dict[str, Any] = {}
        self.error = ""
        self._frame = frame

    def observe(self, *_arguments: Any, **_named: Any) -> None:
        """Does nothing: for notebooks that observe a widget."""

    def _repr_mimebundle_(self, **_named: Any) -> Rendered:
        return self._frame.bundle(), {}


def _is_watched() -> bool:
    """Whether a user watches the output: a notebook that runs without one (`nbconvert --execute`) allows no input requests. A
    widget would leave its state in that notebook, which would later load the widget's package from a network."""
    interactive = sys.modules.get("IPython")
    shell = interactive.get_ipython() if interactive else None
    kernel = getattr(shell, "kernel", None)
    if kernel is None:
        return True
    parent = kernel.get_parent() if hasattr(kernel, "get_parent") else {}
    return bool((parent or {}).get("content", {}).get("allow_stdin", True))
