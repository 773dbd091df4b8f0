"""Tables in Paddle's layout, printed by the program."""

import re
from typing import Any, Iterable, List, Optional

from ._program import run

#: Between two words of a name such as `GPUTotal` or `MemoryManipulation`.
_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def _option(value: Any) -> str:
    """The program's name of a member of Paddle's `SortedKeys` or `SummaryView`, or of its name."""
    name = str(getattr(value, "name", value))
    if name == "OverView":
        return "overview"
    return "-".join(_WORDS.split(name[: -len("View")] if name.endswith("View") else name)).lower()


def paddle_tables(
    path: str, sorted_by: Any, op_detail: bool, thread_sep: bool, time_unit: Optional[str], views: Any
) -> str:
    """The tables of a trace, as Paddle's `summary` prints them.

    Raises `stepscope.Error` with the program's message, as for an unknown view.
    """
    options: List[str] = []
    if sorted_by is not None:
        options += ["--sort", _option(sorted_by)]
    if time_unit is not None:
        options += ["--time-unit", time_unit]
    if not op_detail:
        options.append("--no-op-detail")
    if thread_sep:
        options.append("--thread-sep")
    several: Iterable[Any] = views if isinstance(views, (list, tuple, set)) else [] if views is None else [views]
    names = ",".join(map(_option, several))
    if names:
        options += ["--views", names]
    return run(["summary", "--style", "paddle", *options, "--", path]).decode("utf-8", "replace")
