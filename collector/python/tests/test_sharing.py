"""Summaries, reports and notebook output, with the program that STEPSCOPE_PROGRAM names."""

import contextlib
import enum
import functools
import gzip
import html
import http.server
import importlib.util
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
from unittest import mock

import stepscope
from stepscope import _columns, _described

PROGRAM = os.environ.get("STEPSCOPE_PROGRAM") or shutil.which("stepscope")

# A report as short as can be, of a program that says how it was called; all else is the real one's.
STAND_IN = """#!{python}
import os, sys
arguments = sys.argv[1:]
if arguments[0] != "report":
    os.execv({program!r}, ["stepscope", *arguments])
output, files = arguments[arguments.index("-o") + 1], arguments[arguments.index("--") + 1 :]
if "--trace" in arguments and os.environ.get("NO_PAGE"):
    sys.exit("error: the page is not built")
if "--trace" in arguments and os.environ.get("TOO_LONG"):
    files += ["x" * int(os.environ["TOO_LONG"])]
if not all(map(os.path.exists, files)) and not os.environ.get("TOO_LONG"):
    sys.exit("error: " + files[0] + ": there is no such file")
with open(output, "w") as file:
    file.write("<!doctype html><title>\\"&amp;</title>" + " ".join(arguments[:-len(files)] + files))
"""


def traces(folder, ranks=1, steps=3):
    """Traces as PyTorch's profiler writes them, each with steps of 1 ms."""
    paths = []
    for rank in range(ranks):
        events = []
        for step in range(steps):
            at = 1000 * step
            events += [
                {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#{}".format(step), "pid": 1, "tid": 1, "ts": at, "dur": 1000},
                {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": at + 10, "dur": 300},
                {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": at + 20, "dur": 5, "args": {"correlation": step + 1}},
                {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": at + 100, "dur": 400, "args": {"correlation": step + 1, "device": 0, "stream": 7}},
            ]
        document = {"schemaVersion": 1, "traceEvents": events, "distributedInfo": {"rank": rank, "world_size": ranks}}
        path = pathlib.Path(folder) / "rank{}.pt.trace.json".format(rank)
        path.write_text(json.dumps(document))
        paths.append(path)
    return paths


@unittest.skipUnless(PROGRAM, "no program: STEPSCOPE_PROGRAM names none")
class Shared(unittest.TestCase):
    """Has a folder with a trace, and a program that can write reports."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="stepscope-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.trace = traces(self.folder)[0]
        stand_in = self.folder / "stand-in"
        stand_in.write_text(STAND_IN.format(python=sys.executable, program=PROGRAM))
        stand_in.chmod(0o755)
        self.set(STEPSCOPE_PROGRAM=str(stand_in))

    def set(self, **variables):
        patch = mock.patch.dict(os.environ, variables)
        patch.start()
        self.addCleanup(patch.stop)


class Summaries(Shared):
    def test_a_summary_is_what_the_program_prints(self):
        found = stepscope.summary(self.trace)
        printed = subprocess.run([PROGRAM, "summary", "--json", self.trace], stdout=subprocess.PIPE, check=True).stdout
        self.assertEqual(found, json.loads(printed))
        self.assertIsInstance(found, dict)
        self.assertEqual(found["ranks"][0]["average"]["step_ns"], 1_000_000)

    def test_paths_folders_lists_and_bytes(self):
        ranks = self.folder / "ranks"
        ranks.mkdir()
        both = traces(ranks, ranks=2)
        for trace in (ranks, str(ranks), both, tuple(map(str, both))):
            self.assertEqual([rank["rank"] for rank in stepscope.summary(trace)["ranks"]], [0, 1])
        packed = gzip.compress(self.trace.read_bytes())
        for trace in (packed, bytearray(packed), memoryview(packed)):
            self.assertEqual(stepscope.summary(trace)["ranks"][0]["average"]["step_ns"], 1_000_000)
        each = [path.read_bytes() for path in both]
        self.assertEqual([rank["rank"] for rank in stepscope.summary(each)["ranks"]], [0, 1])

    def test_addresses(self):
        for trace in (self.trace.as_uri(), [self.trace.as_uri()]):
            self.assertEqual(stepscope.summary(trace)["inputs"][0]["name"], self.trace.name)
        with self.assertRaisesRegex(stepscope.Error, "neither a path nor an address"):
            stepscope.summary("s3://bucket/trace.json")

    def test_what_is_no_trace_is_told(self):
        for odd in (io.BytesIO(b"{}"), io.BytesIO(), 7, None, [7]):
            for function in (stepscope.summary, stepscope.report, stepscope.show):
                with self.assertRaisesRegex(TypeError, "^a trace is a path, an address, bytes, or a list of these, not (BytesIO|int|None)"):
                    function(odd)

    def test_errors_tell_of_no_folder_that_nobody_knows(self):
        for trace, name in ((b"garbage", "trace"), ([b"garbage", b"garbage"], "trace-1")):
            with self.assertRaisesRegex(stepscope.Error, "^" + name + ": "):
                stepscope.summary(trace)

    def test_options(self):
        found = stepscope.summary(self.trace, definition="hta", ranks={self.trace.name: 5}, options=["--slow-call", "3us"])
        rank = found["ranks"][0]
        self.assertEqual((rank["rank"], rank["definition"]), (5, "hta"))
        self.assertEqual(rank["launches"]["slow_threshold_ns"], 3000)

    def test_a_profiler_prints_its_recording_in_paddles_layout(self):
        keys = enum.Enum("SortedKeys", "CPUTotal GPUTotal")
        views = enum.Enum("SummaryView", "OverView ModelView UDFView MemoryManipulationView")
        self.set(STEPSCOPE_PROGRAM=PROGRAM)
        profiler = stepscope.profiler(self.folder)
        profiler.recording = str(self.trace)

        def printed(*options, **given):
            text = io.StringIO()
            with contextlib.redirect_stdout(text):
                profiler.summary(**given)
            command = [PROGRAM, "summary", "--style", "paddle", *options, profiler.recording]
            expected = subprocess.run(command, stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
            self.assertEqual(text.getvalue().rstrip(), expected.rstrip())
            return text.getvalue()

        self.assertIn("Time unit: ms", printed("--time-unit", "ms"))
        few = printed("--sort", "gpu-total", "--time-unit", "us", "--views", "overview,udf",
                      sorted_by=keys.GPUTotal, time_unit="us", views=[views.OverView, views.UDFView])
        self.assertRegex(few, "(?s)Overview Summary.*Time unit: us")
        self.assertNotIn("Kernel Summary", few)
        self.assertIn("Operator Summary", printed("--thread-sep", "--no-op-detail", "--time-unit", "ms", "--views", "operator",
                                                  thread_sep=True, op_detail=False, views="OperatorView"))
        with self.assertRaisesRegex(stepscope.Error, "no.* table"):
            profiler.summary(views=views.MemoryManipulationView)
        with self.assertRaisesRegex(stepscope.Error, "no-such"):
            profiler.summary(views="NoSuchView")
        profiler.recording = None
        told = io.StringIO()
        with contextlib.redirect_stderr(told):
            profiler.summary()
        self.assertEqual(told.getvalue(), "stepscope: no summary: this profiler made no recording\n")

    def test_failures_are_told_in_the_programs_words(self):
        missing = self.folder / "-missing.json"
        with self.assertRaisesRegex(stepscope.Error, "^[^\n]*-missing.json"):
            stepscope.summary(missing)
        with self.assertRaisesRegex(stepscope.Error, "no-such-tool"):
            stepscope.summary(self.trace, definition="no-such-tool")
        with self.assertRaisesRegex(stepscope.Error, "empty"):
            stepscope.summary([])
        self.set(STEPSCOPE_PROGRAM=str(missing))
        with self.assertRaisesRegex(stepscope.Error, "STEPSCOPE_PROGRAM names .*-missing"):
            stepscope.summary(self.trace)

    def test_nothing_of_a_name_is_read_as_an_option_or_by_a_shell(self):
        odd = self.folder / "--json; touch $(pwned) 'a\".json"
        shutil.copy(self.trace, odd)
        with contextlib.ExitStack() as stack:
            stack.callback(os.chdir, os.getcwd())
            os.chdir(self.folder)
            self.assertEqual(stepscope.summary(odd.name)["inputs"][0]["name"], odd.name)

    def test_tables(self):
        tables = stepscope.summary(self.trace).tables()
        self.assertEqual([step["length_ns"] for step in tables["steps"]], [1_000_000] * 3)
        self.assertEqual({(step["rank"], step["input"]) for step in tables["steps"]}, {(0, self.trace.name)})
        self.assertEqual([step["categories.kernel_ns"] for step in tables["steps"]], [400_000] * 3)
        self.assertEqual([(row["steps_row"], row["busy_ns"]) for row in tables["steps.device_time"]], [(at, 400_000) for at in range(3)])
        self.assertEqual([(row["name"], row["calls"]) for row in tables["kernels"]], [("gemm", 3)])
        self.assertEqual(tables["ranks"][0]["average.step_ns"], 1_000_000)
        for name in ("inputs", "operators", "advice", "launches.names"):
            self.assertTrue(tables[name], name)

    def test_frames(self):
        if importlib.util.find_spec("pandas") is None:
            self.skipTest("no pandas in this Python")
        found = stepscope.summary(self.trace)
        frames = found.frames()
        self.assertEqual(list(frames), list(found.tables()))
        self.assertEqual(int(frames["steps"]["length_ns"].mean()), 1_000_000)
        self.assertEqual(frames["kernels"].set_index("name").loc["gemm", "total_ns"], 1_200_000)

    def test_tables_of_which_there_is_nothing_are_empty(self):
        found = stepscope.summary(self.trace)
        self.assertEqual(found["ranks"][0]["copies"], [])
        tables = found.tables()
        self.assertEqual((tables["copies"], tables["memory.places.operators"], tables["stragglers"]), ([], [], []))
        self.assertNotIn("copies", tables["ranks"][0])
        if importlib.util.find_spec("pandas") is None:
            self.skipTest("no pandas in this Python")
        copies = found.frames()["copies"]
        self.assertEqual(copies[copies["bytes"] > 0]["total_ns"].sum(), 0)

    def test_frames_without_pandas(self):
        with mock.patch.dict(sys.modules, {"pandas": None}):
            with self.assertRaisesRegex(ImportError, r"stepscope\[notebook\]"):
                stepscope.summary(self.trace).frames()


class Columns(unittest.TestCase):
    """The columns of empty tables are those that full ones have in the tests' summaries."""

    def test_they_are_those_of_the_programs_summaries(self):
        fixtures = pathlib.Path(__file__).parents[3] / "tests" / "fixtures"
        summaries = [json.loads(path.read_bytes()) for path in sorted(fixtures.glob("**/expected/summary.json"))]
        self.assertGreater(len(summaries), 100)
        known = _columns.COLUMNS
        # Only lists that are not empty show which lists are tables.
        with mock.patch("stepscope._summary.COLUMNS", {}):
            names = {name for summary in summaries for name in stepscope.Summary(summary).tables()}
        columns = {name: [] for name in sorted(names)}
        with mock.patch("stepscope._summary.COLUMNS", columns):
            for summary in summaries:
                for name, rows in stepscope.Summary(summary).tables().items():
                    for row in rows:
                        columns[name] += [column for column in row if column not in columns[name]]
        for name, found in columns.items():
            # An object that one trace lacks is None; in others it is several columns, or a table.
            whole = {column[:end] for column in (*found, *names) for end, letter in enumerate(column) if letter == "."}
            columns[name] = " ".join(column for column in found if column not in whole)
        for name, described in _described.DESCRIBED.items():
            beside = [column for column in columns.pop(name, "").split() if column not in described.split()]
            if beside:
                columns[name] = " ".join(beside)
        if os.environ.get("STEPSCOPE_BLESS"):
            text = "".join("    \"{}\": \"{}\",\n".format(name, found) for name, found in columns.items())
            path = pathlib.Path(_columns.__file__)
            path.write_text(path.read_text().partition("COLUMNS = {")[0] + "COLUMNS = {\n" + text + "}\n")
        else:
            self.assertEqual(known, columns, "run this test with STEPSCOPE_BLESS=1 and look at what it wrote")


class Reports(Shared):
    def test_a_report_is_written_where_it_should_be(self):
        output = self.folder / "a report.html"
        self.assertEqual(stepscope.report(self.trace, output), output)
        self.assertTrue(output.read_text().endswith("report -o {} -- {}".format(output, self.trace)))
        stepscope.report(str(self.trace), str(output), trace=True)
        self.assertIn("--trace -- ", output.read_text())

    def test_its_name_is_the_traces(self):
        self.set(STEPSCOPE_PROGRAM=PROGRAM)
        with contextlib.ExitStack() as stack:
            stack.callback(os.chdir, os.getcwd())
            os.chdir(self.folder)
            self.assertEqual(stepscope.report(self.trace), pathlib.Path("rank0.html"))
            self.assertTrue((self.folder / "rank0.html").is_file())
            self.assertEqual(stepscope.report(self.trace.read_bytes()), pathlib.Path("trace.html"))
            (self.folder / "rank0.html").unlink()
            self.assertEqual(stepscope.report(self.trace.as_uri()), pathlib.Path("rank0.html"))

    def test_failures(self):
        with self.assertRaisesRegex(stepscope.Error, "^/.*missing.json: there is no such file$"):
            stepscope.report(self.folder / "missing.json", self.folder / "out.html")

    def test_the_real_program(self):
        self.set(STEPSCOPE_PROGRAM=PROGRAM)
        text = stepscope.report(self.trace, self.folder / "out.html").read_text("utf-8")
        self.assertIn("gemm", text)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Shown(Shared):
    """Without a notebook around: as where there is no anywidget."""

    def setUp(self):
        super().setUp()
        patch = mock.patch.dict(sys.modules, {"anywidget": None, "stepscope._widget": None})
        patch.start()
        self.addCleanup(patch.stop)

    def framed(self, shown):
        """The text before the frame, and the document in it."""
        data, _ = shown._repr_mimebundle_()
        self.assertNotIn("application/vnd.jupyter.widget-view+json", data)
        found = re.fullmatch(r'(.*)<iframe title="Stepscope" sandbox="([^"]*)" style="[^"]*" srcdoc="([^"]*)"></iframe>(.*)', data["text/html"], re.S)
        self.assertIsNotNone(found, data["text/html"])
        self.assertEqual(found[2], "allow-scripts allow-downloads allow-forms allow-popups allow-popups-to-escape-sandbox")
        # The text for a missing frame is hidden by its position after the frame alone.
        self.assertRegex(found[4], r'^<p class="([^"]*)">[^<]*not trusted[^<]*</p><style>iframe \+ \.\1 {[^<]*</style>$')
        return found[1], html.unescape(found[3])

    def test_the_report_with_the_trace_in_a_frame(self):
        shown = stepscope.show(self.trace, tab="kernels", height=432)
        said, document = self.framed(shown)
        self.assertIn("pip install 'stepscope[notebook]'", html.unescape(said))
        self.assertTrue(document.startswith('<!doctype html><title>"&amp;</title>report -o '), document)
        self.assertRegex(document, r"--trace -- .*rank0\.pt\.trace\.json$")
        data, _ = shown._repr_mimebundle_()
        self.assertEqual(data["text/plain"], "<Stepscope: rank0.pt.trace.json>")
        self.assertIn("height:432px", data["text/html"])
        self.assertEqual((shown.tab, shown.theme, shown.selected, shown.error), ("kernels", "", {}, ""))

    def test_a_trace_that_is_too_long_is_left_out_and_that_is_said(self):
        self.set(TOO_LONG="5000")
        said, document = self.framed(stepscope.show(self.trace, longest=5000))
        self.assertIn("too large", said)
        self.assertNotIn("--trace", document)
        said, document = self.framed(stepscope.show(self.trace, longest=6000))
        self.assertNotIn("too large", said)
        self.assertIn("--trace", document)

    def test_a_report_that_is_surely_too_long_is_not_tried(self):
        packed = gzip.compress(os.urandom(6000))
        # With the trace it would fail, with an error that would be reported.
        self.set(TOO_LONG="1", NO_PAGE="1")
        said, _ = self.framed(stepscope.show(packed, longest=7000))
        self.assertIn("too large", said)
        said, _ = self.framed(stepscope.show(packed, longest=9000))
        self.assertIn("the page is not built", said)
        said, _ = self.framed(stepscope.show(b" " * 6000, longest=7000))
        self.assertIn("the page is not built", said)

    def test_what_keeps_the_trace_out_is_said(self):
        self.set(NO_PAGE="1")
        said, document = self.framed(stepscope.show(self.trace))
        self.assertIn("without the trace: the page is not built", said)
        self.assertNotIn("--trace", document)

    def test_folders_keep_their_files_together(self):
        ranks = self.folder / "ranks"
        (ranks / "deep").mkdir(parents=True)
        traces(ranks)
        traces(ranks / "deep")
        shown = stepscope.show([ranks, self.trace])
        names = ["ranks/deep/rank0.pt.trace.json", "ranks/rank0.pt.trace.json", "rank0.pt.trace.json"]
        self.assertEqual([file["path"] for file in shown.files], names)
        self.assertEqual(shown.files[2]["bytes"], self.trace.read_bytes())
        _, document = self.framed(shown)
        self.assertRegex(document, r"-- /\S+/0/ranks /\S+/3/rank0\.pt\.trace\.json$")
        self.assertEqual(shown._repr_mimebundle_()[0]["text/plain"], "<Stepscope: ranks/deep/rank0.pt.trace.json and 2 more>")

    def test_bytes_and_addresses(self):
        packed = gzip.compress(self.trace.read_bytes())
        self.assertEqual(stepscope.show(packed).files, [{"path": "trace", "bytes": packed}])
        self.assertEqual(stepscope.show(self.trace.as_uri()).files[0]["path"], self.trace.name)
        handler = functools.partial(Quiet, directory=str(self.folder))
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            address = "http://127.0.0.1:{}/{}".format(server.server_address[1], self.trace.name)
            shown = stepscope.show(address + "?version=1")
            with self.assertRaises(OSError):
                stepscope.show(address + ".missing")
            server.shutdown()
        self.assertEqual(shown.files, [{"path": self.trace.name, "bytes": self.trace.read_bytes()}])
        for address in ("ftp://127.0.0.1/a.json", "file://elsewhere/a.json"):
            with self.assertRaisesRegex(stepscope.Error, "address|other machines"):
                stepscope.show(address)

    def test_failures(self):
        with self.assertRaises(OSError):
            stepscope.show(self.folder / "missing.json")
        (self.folder / "empty").mkdir()
        with self.assertRaisesRegex(stepscope.Error, "no files"):
            stepscope.show(self.folder / "empty")
        with mock.patch("stepscope._show._MOST", 1000), self.assertRaisesRegex(stepscope.Error, "stepscope serve"):
            stepscope.show(self.trace)
        shown = stepscope.show(self.trace)
        self.set(STEPSCOPE_PROGRAM="/no/such<program>")
        self.assertIn("/no/such&lt;program&gt;", shown._repr_mimebundle_()[0]["text/html"])

    def test_what_cannot_be_read_is_told_where_it_is_shown(self):
        self.set(STEPSCOPE_PROGRAM=PROGRAM)
        self.assertRegex(stepscope.show(b"garbage")._repr_mimebundle_()[0]["text/html"], "^<p>Stepscope: trace: ")


@unittest.skipIf(importlib.util.find_spec("anywidget") is None, "no anywidget in this Python")
class Widgets(Shared):
    def setUp(self):
        super().setUp()
        script = self.folder / "widget.js"
        script.write_text("export default {render() {}}\n")
        self.set(STEPSCOPE_WIDGET=str(script))
        sys.modules.pop("stepscope._widget", None)

    def test_a_widget_and_the_frame(self):
        shown = stepscope.show(self.trace, tab="kernels", theme="dark", lang="zh", height=500)
        self.assertIn("export default", str(shown._esm))
        self.assertEqual(shown.files, [{"path": self.trace.name, "bytes": self.trace.read_bytes()}])
        self.assertEqual((shown.tab, shown.theme, shown.lang, shown.height), ("kernels", "dark", "zh", 500))
        data, _ = shown._repr_mimebundle_()
        self.assertIn("application/vnd.jupyter.widget-view+json", data)
        self.assertIn("<iframe", data["text/html"])
        self.assertNotIn("pip install", data["text/html"])

    def test_the_state_that_a_notebook_saves_holds_no_trace(self):
        from ipywidgets.widgets.widget import _remove_buffers

        shown = stepscope.show(self.trace)
        state, paths, buffers = _remove_buffers(shown.get_state())
        self.assertEqual((paths, buffers), ([], []))
        self.assertNotIn(self.trace.read_text()[:40], repr(state))
        self.assertNotIn("files", state)

    def test_the_bytes_go_to_the_view_that_asks(self):
        shown = stepscope.show(self.trace)
        with mock.patch.object(shown, "send") as sent:
            shown._handle_custom_msg({"files_for": "view/1"}, [])
            shown._handle_custom_msg({"other": 1}, [])
        sent.assert_called_once_with({"files_for": "view/1", "paths": [self.trace.name]}, [self.trace.read_bytes()])
        before = shown.version
        shown.files = []
        self.assertEqual(shown.version, before + 1)

    def test_where_nobody_watches_there_is_no_widget(self):
        with mock.patch("stepscope._show._is_watched", return_value=False):
            shown = stepscope.show(self.trace)
        shown.observe(print, names="selected")
        data, _ = shown._repr_mimebundle_()
        self.assertEqual(list(data), ["text/html", "text/plain"])
        self.assertNotIn("pip install", data["text/html"])

    def test_the_frame_alone(self):
        data, _ = stepscope.show(self.trace, widget=False)._repr_mimebundle_()
        self.assertEqual(list(data), ["text/html", "text/plain"])
        self.assertNotIn("pip install", data["text/html"])

    def test_a_script_that_is_not_there(self):
        self.set(STEPSCOPE_WIDGET=str(self.folder / "missing.js"))
        shown = stepscope.show(self.trace)
        self.assertIn("script is not beside", shown._repr_mimebundle_()[0]["text/html"])


class TheProgram(Shared):
    def test_python_m(self):
        command = [sys.executable, "-m", "stepscope", "--version"]
        ran = subprocess.run(command, stdout=subprocess.PIPE, check=True)
        self.assertEqual(ran.stdout.decode().strip(), "stepscope " + stepscope.__version__)

    def test_without_a_program(self):
        self.set(STEPSCOPE_PROGRAM="")
        with mock.patch("stepscope._program._places", return_value=iter(())), mock.patch("shutil.which", return_value=None):
            with self.assertRaisesRegex(stepscope.Error, "install Stepscope's wheel"):
                stepscope.program()


if __name__ == "__main__":
    unittest.main()
