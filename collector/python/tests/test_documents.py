"""The Python code in README and the book: it compiles, uses only existing names, and runs."""

import ast
import importlib.util
import inspect
import os
import pathlib
import re
import shutil
import tempfile
import unittest

import recording as rec
import stepscope
import stepscope.callbacks
import test_sharing

ROOT = pathlib.Path(__file__).resolve().parents[3]
BOOK = ROOT / "docs" / "src"
DOCUMENTS = sorted(BOOK.rglob("*.md")) + [ROOT / "README.md", ROOT / "collector" / "python" / "README.md"]

# Batches of the loaders in the code: more than the schedules there record.
BATCHES = 20


def blocks(path):
    """The Python code of a document, each with its line."""
    text = path.read_text(encoding="utf-8")
    for found in re.finditer(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        yield text.count("\n", 0, found.start()) + 1, found.group(1)


def all_blocks():
    return [(path, line, code) for path in DOCUMENTS for line, code in blocks(path)]


def block(path, needle):
    """The only block of a document that has a text."""
    found = [code for _, code in blocks(path) if needle in code]
    assert len(found) == 1, "{} has {} blocks with {}".format(path, len(found), needle)
    return found[0]


def dotted(node):
    """A name with dots as text; nothing for other expressions."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return before and before + "." + node.attr
    return None


def resolve(name):
    """The object that a name of the package denotes."""
    found = stepscope
    for part in name.split(".")[1:]:
        found = getattr(found, part)
    return found


class Names(unittest.TestCase):
    def test_blocks_compile(self):
        found = all_blocks()
        self.assertGreater(len(found), 10)
        for path, line, code in found:
            with self.subTest(path=path.name, line=line):
                compile(code, "{}:{}".format(path, line), "exec")

    def test_what_they_take_of_the_package_is_there(self):
        count = 0
        for path, line, code in all_blocks():
            for node in ast.walk(ast.parse(code)):
                name = isinstance(node, ast.Call) and dotted(node.func) or ""
                if not name.startswith("stepscope."):
                    continue
                with self.subTest(path=path.name, line=line, name=name):
                    given = {keyword.arg: None for keyword in node.keywords}
                    inspect.signature(resolve(name)).bind(*[None] * len(node.args), **given)
                    count += 1
        self.assertGreater(count, 15)

    def test_what_their_sentences_call_is_there(self):
        count = 0
        for path in DOCUMENTS:
            for name in re.findall(r"`(stepscope\.[\w.]+)\(", path.read_text(encoding="utf-8")):
                with self.subTest(path=path.name, name=name):
                    self.assertTrue(callable(resolve(name)))
                    count += 1
        self.assertGreater(count, 5)

    def test_a_name_that_is_not_there_is_found(self):
        with self.assertRaises(AttributeError):
            resolve("stepscope.span_of")
        self.assertIs(resolve("stepscope.callbacks.StopAtStep"), stepscope.callbacks.StopAtStep)
        self.assertEqual([dotted(ast.parse(code, mode="eval").body) for code in ("a.b.c", "a().b", "1")], ["a.b.c", None, None])

    def test_chinese_pages_have_the_same_code(self):
        pages = [path for path in DOCUMENTS if BOOK / "zh" in path.parents]
        self.assertGreater(len(pages), 10)
        for path in pages:
            english = BOOK / path.relative_to(BOOK / "zh")
            with self.subTest(page=str(path.relative_to(BOOK))):
                code = [[ast.dump(ast.parse(code)) for _, code in blocks(one)] for one in (path, english)]
                self.assertEqual(code[0], code[1])


class InFolder(unittest.TestCase):
    """Runs code in its own folder."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="stepscope-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)

    def run_code(self, code, **names):
        exec(compile(code, "document", "exec"), names)
        return names


class Loss:
    def item(self):
        return 0.5


class Recording(InFolder):
    """With the recorder's library."""

    def setUp(self):
        super().setUp()
        if not os.environ.get("STEPSCOPE_LIBRARY"):
            self.skipTest("no recorder's library: STEPSCOPE_LIBRARY names none")
        self.addCleanup(stepscope.stop)

    def records(self, folder):
        found = [record for records in rec.read_folder(str(self.folder / folder)).values() for record in records]
        return [(record.kind, record.name, record.category) for record in found]

    def test_a_profiled_loop(self):
        loader = [([1.0, 2.0], [0, 1])] * BATCHES
        code = block(BOOK / "recording" / "c-and-python.md", "stepscope.profiler")
        self.run_code(code, loader=loader, model=lambda images, labels: Loss())
        folders = [path.parent for path in self.folder.glob("recordings/**/*.steprec")]
        records = [record for folder in set(folders) for record in self.records(folder)]
        self.assertIn((rec.SPAN, "forward", rec.FORWARD), records)
        self.assertIn((rec.COUNTER, "loss", 0), records)
        self.assertTrue(any(kind == rec.SPAN and category == rec.STEP for kind, _, category in records), records[:20])

    def test_a_recorded_loop(self):
        trained = []
        code = block(ROOT / "collector" / "python" / "README.md", "stepscope.start")
        self.run_code(code, loader=range(3), train=trained.append)
        self.assertEqual(trained, [0, 1, 2])
        steps = [record for record in self.records("train.recording") if record[:1] == (rec.SPAN,)]
        self.assertEqual(steps, [(rec.SPAN, "step", rec.STEP)] * 3)


class Sharing(test_sharing.Shared):
    """With the program; a stand-in writes its reports."""

    def run_lines(self, path):
        """Runs the statements of a block one after the other, as the cells of a notebook."""
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        shutil.copy(self.trace, "trace.json.gz")
        os.mkdir("ranks")
        test_sharing.traces("ranks", ranks=2)
        names, code = {}, block(path, "stepscope.show")
        for statement in ast.parse(code).body:
            line = ast.get_source_segment(code, statement)
            if "frames()" in line and importlib.util.find_spec("pandas") is None:
                self.skipped = "no pandas in this Python: " + line
                continue
            exec(line, names)
        self.assertTrue(pathlib.Path("trace.html").is_file())
        if hasattr(self, "skipped"):
            self.skipTest(self.skipped)

    def test_notebooks(self):
        self.run_lines(BOOK / "notebooks.md")

    def test_the_packages_readme(self):
        self.run_lines(ROOT / "collector" / "python" / "README.md")


class Frameworks(InFolder):
    """With frameworks that are installed."""

    def setUp(self):
        super().setUp()
        if importlib.util.find_spec("torch") is None:
            self.skipTest("no torch in this Python")

    def profiled(self, page):
        import torch

        weights = torch.ones(8, 8)
        self.run_code(block(BOOK / page, "schedule("), loader=[weights] * BATCHES, train=lambda batch: batch @ weights)
        self.assertEqual(len(list(self.folder.glob("traces/*.pt.trace.json"))), 1)

    def test_getting_started(self):
        self.profiled("getting-started.md")

    def test_rocm(self):
        self.profiled("rocm.md")

    def test_steps_for_nsight_systems(self):
        import torch

        if not torch.cuda.is_available():
            self.skipTest("NVTX of torch needs a build with CUDA")
        trained = []
        self.run_code(block(BOOK / "nsight.md", "nvtx"), loader=range(3), train=trained.append)
        self.assertEqual(trained, [0, 1, 2])


if __name__ == "__main__":
    unittest.main()
