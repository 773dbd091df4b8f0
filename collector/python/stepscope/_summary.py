"""The program's summary as Python values and as pandas tables."""

import json
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, Optional, Union

from ._columns import COLUMNS as _FOUND
from ._described import DESCRIBED
from ._program import run
from ._traces import Trace, on_disk

if TYPE_CHECKING:
    import pandas

_Row = Dict[str, Any]

# Rows of a described table may have additional columns.
COLUMNS = {**_FOUND, **{name: " ".join([columns, _FOUND.get(name, "")]).strip() for name, columns in DESCRIBED.items()}}


class Summary(Dict[str, Any]):
    """The output of `stepscope summary --json` as a dict: times are integer nanoseconds from the trace's own start.

        >>> summary["ranks"][0]["average"]["step_ns"]
        >>> summary.frames()["kernels"].nlargest(5, "total_ns")
    """

    def tables(self) -> Dict[str, List[Dict[str, Any]]]:
        """Its tables by name, as rows: `ranks`, `steps`, `operators`, `kernels`, `copies`, `advice` and all others.

        A nested value has both names (`categories.kernel_ns`), as has a table within a row (`steps.device_time`).
        A rank's rows have its `rank` and `input`; rows of a table within a row have that row's index, from 0 in its
        rank (`steps_row`). A table without data in this trace is empty.
        """
        tables: Dict[str, List[_Row]] = {}
        for name, value in self.items():
            if isinstance(value, list) and name != "ranks":
                _add(tables, name, value, {})
            elif isinstance(value, dict):
                _add(tables, name, [value], {})
        for rank in self.get("ranks", []):
            whose = {key: rank.get(key) for key in ("input", "rank")}
            row: _Row = {}
            for name, value in rank.items():
                # Lists become tables; single values become columns of the rank.
                _put(tables, name, row, name, value, whose)
            tables.setdefault("ranks", []).append(row)
        for name in COLUMNS:
            tables.setdefault(name, [])
        return tables

    def frames(self) -> "Dict[str, pandas.DataFrame]":
        """The tables of `tables` as pandas data frames. Empty ones have their columns, too.

        Raises `ImportError` without pandas.
        """
        try:
            import pandas
        except ImportError as error:
            raise ImportError(
                "stepscope: tables as DataFrames need pandas: pip install 'stepscope[notebook]'; "
                "tables() gives the same rows without"
            ) from error

        def frame(name: str, rows: List[_Row]) -> "pandas.DataFrame":
            # A described table has all of its columns, including those without a value in any row.
            if not rows:
                return pandas.DataFrame(None, columns=COLUMNS.get(name, "").split())
            columns = dict.fromkeys([*DESCRIBED.get(name, "").split(), *(key for row in rows for key in row)])
            return pandas.DataFrame(rows, columns=list(columns))

        return {name: frame(name, rows) for name, rows in self.tables().items()}


def _is_table(path: str, value: object) -> bool:
    # An empty list does not show the type of its elements.
    return isinstance(value, list) and (all(isinstance(one, dict) for one in value) if value else path in COLUMNS)


def _add(tables: Dict[str, List[_Row]], name: str, values: Iterable[Any], whose: _Row) -> None:
    """Adds rows to a table."""
    table = tables.setdefault(name, [])
    objects = {column.rpartition(".")[0] for column in DESCRIBED.get(name, "").split() if "." in column}
    for index, value in enumerate(values):
        if not isinstance(value, dict):
            table.append({**whose, "value": value})
            continue
        row = dict(whose)
        inside = {**whose, name + "_row": index}
        for key, part in value.items():
            _put(tables, name + "." + key, row, key, part, inside)
        # In a described table, the columns of an object replace the object itself if it is None.
        table.append({key: part for key, part in row.items() if part is not None or key not in objects})


#: Earlier names of keys, under which the JSON repeats values: tables have each value once.
_EARLIER = ("roles", "roles_before_first_activity", "role", "walk", "excuse")


def _put(tables: Dict[str, List[_Row]], path: str, row: _Row, key: str, value: Any, whose: _Row) -> None:
    """Puts a value into a row, or adds it to the tables if it is one."""
    if key.rpartition(".")[2] in _EARLIER:
        return
    if isinstance(value, dict):
        for inner, part in value.items():
            _put(tables, path + "." + inner, row, key + "." + inner, part, whose)
    elif _is_table(path, value):
        _add(tables, path, value, whose)
    else:
        row[key] = value


def summary(
    path: Trace,
    *,
    definition: Optional[str] = None,
    steps: Optional[str] = None,
    ranks: Optional[Mapping[str, Union[int, None]]] = None,
    parallel: Optional[str] = None,
    options: Iterable[str] = ()
) -> Summary:
    """Where a trace's time goes: the numbers that the page, the report and `stepscope summary` show.

    The trace is a file, a folder of ranks, an archive, an address (`file:`, `http:`, `https:`), a file's bytes,
    or a list of these. `definition` adds the numbers as another tool defines them (`"hta"`), `steps` is a pattern for
    the names of ranges that are steps, `ranks` gives a file's rank (`{"a.json": 0}`; None leaves it out), `parallel`
    is the parallel layout (`"pp=2,dp=4"`). `options` are further options of the program (`["--slow-call", "20us"]`);
    `stepscope help summary` lists them.

    Raises `stepscope.Error` with the program's message, `OSError` if an address cannot be fetched.

        >>> summary = stepscope.summary("trace.json.gz")
        >>> summary["ranks"][0]["average"]["step_ns"]
        >>> summary.frames()["operators"]
    """
    arguments = ["summary", "--json"]
    for option, value in (("--definition", definition), ("--steps", steps), ("--parallel", parallel)):
        if value is not None:
            arguments += [option, value]
    for file, rank in (ranks or {}).items():
        arguments += ["--rank", "{}={}".format(file, "none" if rank is None else rank)]
    with on_disk(path) as paths:
        return Summary(json.loads(run([*arguments, *options, "--", *paths])))
