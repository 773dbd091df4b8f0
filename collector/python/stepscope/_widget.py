"""The widget; needs anywidget, so that nothing but `show` imports this."""

import os
import pathlib
from typing import Any, Dict, Tuple

import anywidget
import traitlets

from ._frame import Frame


def _script() -> pathlib.Path:
    told = os.environ.get("STEPSCOPE_WIDGET")
    return pathlib.Path(told) if told else pathlib.Path(__file__).parent / "static" / "widget.js"


class Widget(anywidget.AnyWidget):
    """The analyzer in a notebook. `selected` and `error` come from it and can be observed.

    The traces are not part of its state, which Jupyter may save in the notebook: the browser asks for them by a message.
    """

    _esm = _script()

    files = traitlets.List(traitlets.Dict())
    #: Number of changes of `files`.
    version = traitlets.Int(0).tag(sync=True)
    tab = traitlets.Unicode("").tag(sync=True)
    theme = traitlets.Unicode("").tag(sync=True)
    lang = traitlets.Unicode("").tag(sync=True)
    height = traitlets.Int(700).tag(sync=True)
    selected = traitlets.Dict().tag(sync=True)
    error = traitlets.Unicode("").tag(sync=True)

    def __init__(self, frame: Frame, **traits: Any) -> None:
        self._frame = frame
        super().__init__(**traits)
        self.observe(self._changed, names="files")
        self.on_msg(self._asked)

    def _changed(self, _change: Any) -> None:
        self.version += 1

    def _asked(self, _widget: Any, content: Any, _buffers: Any) -> None:
        """Answers a view that requests the files, with the view's number, since all views get the message."""
        if isinstance(content, dict) and "files_for" in content:
            paths = [file["path"] for file in self.files]
            self.send({"files_for": content["files_for"], "paths": paths}, [file["bytes"] for file in self.files])

    def _repr_mimebundle_(self, **kwargs: Any) -> Tuple[Dict[str, Any], Dict[str, Any]]:
        made = super()._repr_mimebundle_(**kwargs)
        data, metadata = made if isinstance(made, tuple) else (made or {}, {})
        return {**data, **self._frame.bundle()}, metadata
