"""A trace in a notebook."""

import sys
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple, Union

from ._frame import Frame
from ._traces import Trace, contents

if TYPE_CHECKING:
    from ._widget import Widget

#: What goes from Python to the browser at most: less than a browser's longest buffer.
_MOST = 1 << 30

#: A notebook's file holds what is shown in it: reports that are longer leave the trace out.
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
        """For notebooks that listen to a widget: there is nothing to hear here."""

    def _repr_mimebundle_(self, **_named: Any) -> Rendered:
        return self._frame.bundle(), {}


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
