"""The wheel of `cargo xtask dist` and its installation, with the program of STEPSCOPE_PROGRAM."""

import base64
import email
import hashlib
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

PACKAGE = pathlib.Path(__file__).resolve().parent.parent
ROOT = PACKAGE.parent.parent
PROGRAM = os.environ.get("STEPSCOPE_PROGRAM")
LIBRARY = "libstepscope_inject.so"


def script():
    specification = importlib.util.spec_from_file_location("wheel", ROOT / "xtask/src/dist/wheel.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def version():
    return re.search(r'^version = "(.*)"$', (PACKAGE / "pyproject.toml").read_text(), re.M)[1]


def clean():
    """The environment without variables that point to the program, the library or the package."""
    told = ("STEPSCOPE_", "PYTHONPATH", "PYTHONHOME")
    return {name: value for name, value in os.environ.items() if not name.startswith(told)}


@unittest.skipUnless(PROGRAM, "no program: STEPSCOPE_PROGRAM names none")
class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="stepscope-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        # The tests' program is large: wheels that do not need it pack another file.
        cls.dist = cls.folder / "dist"
        for part in ("stepscope", "hooks"):
            shutil.copytree(PACKAGE / part, cls.dist / "python" / part)
        for name, text in {
            "page/index.html": "<!doctype html>",
            "page/assets-1/js/app.js": "export {}\n",
            "include/stepscope.h": "/* */\n",
            "share/man/man1/stepscope.1": ".TH stepscope 1\n",
            "widget.js": "export default {}\n",
            LIBRARY: "no library",
            "LICENSE": "MIT OR Apache-2.0\n",
            "LICENSES.txt": "theirs\n",
            "README.md": "# Stepscope {}\n\nSee [below](#a), [this](https://example.org/) and [what it needs](www/README.md).\n",
        }.items():
            (cls.dist / name).parent.mkdir(parents=True, exist_ok=True)
            (cls.dist / name).write_text(text)
        (cls.dist / "stepscope").write_text("no program")
        cls.wheel = cls.made("first")

    @classmethod
    def made(cls, name):
        """The wheel, written into a folder of that name."""
        output = cls.folder / name
        output.mkdir()
        # For any platform, as the tests'.
        dist = str(cls.dist)
        parts = (dist + "/page", dist, dist + "/widget.js", dist, dist + "/README.md", str(output), version(), "py3-none-any")
        path = script().write(*parts, "https://home.example/", "https://repository.example/")
        return pathlib.Path(path)

    def test_what_is_in_it(self):
        data = "stepscope-{}.data/".format(version())
        info = "stepscope-{}.dist-info/".format(version())
        with zipfile.ZipFile(self.wheel) as wheel:
            names = wheel.namelist()
            for name in (
                "stepscope/__init__.py",
                "stepscope/__main__.py",
                "stepscope/py.typed",
                "stepscope/hooks/__init__.py",
                "stepscope/static/widget.js",
                data + "scripts/stepscope",
                data + "data/share/stepscope/page/index.html",
                data + "data/share/stepscope/page/assets-1/js/app.js",
                data + "data/share/stepscope/python/hooks/sitecustomize.py",
                "stepscope/hooks/_steps.py",
                data + "data/share/stepscope/include/stepscope.h",
                data + "data/share/stepscope/" + LIBRARY,
                data + "data/share/man/man1/stepscope.1",
                info + "licenses/LICENSE",
                info + "licenses/LICENSES.txt",
            ):
                self.assertIn(name, names)
            self.assertEqual(len(names), len(set(names)))
            self.assertFalse([name for name in names if "__pycache__" in name or "\\" in name])
            lines = wheel.read(info + "RECORD").decode().splitlines()
            self.assertEqual([line.rsplit(",", 2)[0] for line in lines], names)
            for line in lines[:-1]:
                name, digest, length = line.rsplit(",", 2)
                content = wheel.read(name)
                wanted = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
                self.assertEqual((digest, int(length)), ("sha256=" + wanted, len(content)), name)
            self.assertTrue(wheel.getinfo(data + "scripts/stepscope").external_attr >> 16 & 0o111)

    def test_nothing_is_in_it_twice(self):
        with zipfile.ZipFile(self.wheel) as wheel:
            places = {}
            for name in wheel.namelist():
                places.setdefault(wheel.read(name), []).append(name)
        self.assertEqual([names for content, names in places.items() if content and len(names) > 1], [])
        # A wheel with the same content twice is an error.
        (self.dist / "page/again.h").write_text((self.dist / "include/stepscope.h").read_text())
        self.addCleanup((self.dist / "page/again.h").unlink)
        with self.assertRaisesRegex(ValueError, "include/stepscope.h has the content of .*page/again.h"):
            self.made("twice")

    def test_it_says_what_the_package_says(self):
        text = (PACKAGE / "pyproject.toml").read_text()
        with zipfile.ZipFile(self.wheel) as wheel:
            said = email.message_from_bytes(wheel.read("stepscope-{}.dist-info/METADATA".format(version())))
        self.assertEqual(said["Version"], version())
        self.assertIn('\n__version__ = "{}"\n'.format(version()), (PACKAGE / "stepscope/__init__.py").read_text())
        self.assertIn('version = "{}"'.format(version()), (ROOT / "Cargo.toml").read_text())
        self.assertIn('description = "{}"'.format(said["Summary"]), text)
        self.assertIn('requires-python = "{}"'.format(said["Requires-Python"]), text)
        self.assertIn('license = {{ text = "{}" }}'.format(said["License-Expression"]), text)
        listed = "\n".join("    \"{}\",".format(one) for one in said.get_all("Classifier"))
        self.assertIn("\nclassifiers = [\n{}\n]\n".format(listed), text)
        keywords = ", ".join("\"{}\"".format(one) for one in said["Keywords"].split(","))
        self.assertIn("\nkeywords = [{}]\n".format(keywords), text)
        self.assertIn("authors = [{{ name = \"{}\" }}]".format(said["Author"]), text)
        # The package index shows README, where links to a checkout's files would be dead.
        self.assertEqual(said["Description-Content-Type"], "text/markdown")
        wanted = "# Stepscope {}\n\nSee [below](#a), [this](https://example.org/) and what it needs.\n"
        self.assertEqual(said.get_payload(), wanted)
        self.assertEqual(
            said.get_all("Project-URL"), ["Homepage, https://home.example/", "Repository, https://repository.example/"]
        )
        needed = [line.split(";")[0] for line in said.get_all("Requires-Dist")]
        self.assertIn("notebook = [{}]".format(", ".join('"{}"'.format(one) for one in needed)), text)

    def test_its_page_on_an_index_is_for_users(self):
        text = (PACKAGE / "README.md").read_text()
        self.assertIn("pip install stepscope", text)
        for word in ("cargo", "xtask", "](docs", "](crate"):
            self.assertNotIn(word, text)

    def test_the_same_content_gives_the_same_bytes(self):
        for path in self.dist.rglob("*"):
            os.utime(path, (1, 1))
        self.assertEqual(self.made("second").read_bytes(), self.wheel.read_bytes())

    def install(self, *options):
        if importlib.util.find_spec("pip") is None:
            self.skipTest("no pip in this Python")
        if not hasattr(Wheel, "real"):
            shutil.copy(PROGRAM, self.dist / "stepscope")
            Wheel.real = self.made("real")
            (self.dist / "stepscope").write_text("no program")
        command = [sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--disable-pip-version-check"]
        subprocess.run([*command, *options, str(self.real)], check=True, env=clean())

    def hooked(self, hooks):
        """Path where another Python, isolated, finds the package that came with the hooks."""
        code = "import os, stepscope; from stepscope import hooks; print(os.path.dirname(stepscope.__file__))"
        environment = {**clean(), "PYTHONPATH": str(hooks), "STEPSCOPE_OPTIONS": "{}"}
        ran = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment, cwd=str(self.folder), check=True)
        return pathlib.Path(ran.stdout.decode().strip())

    def test_installed_in_an_environment(self):
        place = self.folder / "environment"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True, env=clean())
        python = place / "bin" / "python"
        self.install("--prefix", str(place), "--ignore-installed")
        said = "stepscope {}\n".format(version())

        def out(*command, **more):
            environment = {**clean(), **more}
            pipe = subprocess.PIPE
            ran = subprocess.run(command, check=True, stdout=pipe, stderr=pipe, env=environment, cwd=str(place))
            return ran.stdout.decode()

        self.assertEqual(out(str(place / "bin" / "stepscope"), "--version"), said)
        # Nothing of it has to be on PATH.
        self.assertEqual(out(str(python), "-m", "stepscope", "--version", PATH="/none"), said)
        found = out(str(python), "-c", "import stepscope; print(stepscope.program())", PATH="/none")
        self.assertTrue(os.path.samefile(found.strip(), place / "bin" / "stepscope"))
        # The library is found: it is not a valid one, which is reported.
        tried = subprocess.run([str(python), "-c", "import stepscope"], stderr=subprocess.PIPE, env=clean(), cwd=str(place))
        self.assertIn("share/stepscope/" + LIBRARY, tried.stderr.decode())
        # The program finds the files installed with it.
        record = [str(place / "bin" / "stepscope"), "record", "-q", "--python-hooks", "-o", "told.stepscope", "--"]
        found = out(*record, "/bin/sh", "-c", 'echo "$PYTHONPATH $STEPSCOPE_LIBRARY"').splitlines()[0]
        share = place / "share" / "stepscope"
        self.assertEqual(found, "{} {}".format(share / "python" / "hooks", share / LIBRARY))
        # A Python without the wheel finds the package by the hooks.
        self.assertEqual(self.hooked(share / "python" / "hooks"), sorted(place.glob("lib*/python3*/*-packages"))[0] / "stepscope")
        serve = [str(place / "bin" / "stepscope"), "serve", "--port", "0"]
        with subprocess.Popen(serve, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=clean()) as serving:
            line = serving.stderr.readline().decode()
            serving.kill()
        self.assertIn(str(place / "share/stepscope/page"), line)

    def test_installed_into_a_folder(self):
        place = self.folder / "target"
        self.install("--target", str(place))
        code = "import stepscope; print(stepscope.program())"
        environment = {**clean(), "PYTHONPATH": str(place), "PATH": "/none"}
        ran = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
        self.assertEqual(ran.stdout.decode().strip(), str(place / "bin" / "stepscope"))
        self.assertIn("share/stepscope/" + LIBRARY, ran.stderr.decode())
        self.assertEqual(self.hooked(place / "share/stepscope/python/hooks"), place / "stepscope")


class Licences(unittest.TestCase):
    """The licences of what is built in, the standard library's among them."""

    def written(self, sysroot):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="stepscope-"))
        self.addCleanup(shutil.rmtree, folder)
        (folder / "one").mkdir()
        (folder / "one/LICENSE").write_text("Text of one\n")
        package = {"name": "one", "version": "1.2.3", "source": "registry", "license": "MIT", "manifest_path": str(folder / "one/Cargo.toml")}
        command = [sys.executable, str(ROOT / "xtask/src/dist/licences.py"), str(folder / "out"), "one v1.2.3\nours v0.1.0 (path)", str(sysroot)]
        subprocess.run(command, input=json.dumps({"packages": [package]}).encode(), stderr=subprocess.PIPE, check=True)
        return (folder / "out").read_text()

    def test_the_standard_librarys(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="stepscope-"))
        self.addCleanup(shutil.rmtree, folder)
        (folder / "share/doc/rust/licenses").mkdir(parents=True)
        (folder / "share/doc/rust/licenses/MIT.txt").write_text("Text of MIT\n")
        (folder / "share/doc/rust/licenses/GPL-2.0-only.txt").write_text("not of the library\n")
        (folder / "share/doc/rust/COPYRIGHT-library.html").write_text(
            "<html><head><title>a</title></head><body><h1>Notices</h1><h2>Table of Contents</h2><ul><li>Contents</li></ul><p>License: Apache-2.0 OR MIT</p>"
            "<p>Copyright: The &#34;Project&#34;</p><h2>Others</h2>"
            "<h3>\U0001f4e6 two-1.0.0</h3><pre>\nText of &lt;two&gt;\n</pre><h3>\U0001f4e6 three-1.0.0</h3><pre>Text of one</pre></body></html>",
            encoding="utf-8",
        )
        text = self.written(folder)
        for wanted in (
            '\nNotices\nLicense: Apache-2.0 OR MIT\nCopyright: The "Project"\nOthers\n',
            "\none 1.2.3 (LICENSE)\nthree-1.0.0 (of the Rust standard library)\n\nText of one\n",
            "\nthe Rust standard library (MIT)\n\nText of MIT\n",
            "\ntwo-1.0.0 (of the Rust standard library)\n\nText of <two>\n",
        ):
            self.assertIn(wanted, text)
        self.assertNotIn("not of the library", text)
        self.assertNotIn("Contents", text)
        self.assertNotIn("share/doc", text)

    def test_a_toolchain_without_them(self):
        self.assertIn("\nText of one\n", self.written("/no/such"))

    def test_this_toolchains(self):
        try:
            told = subprocess.run(["rustc", "--print", "sysroot"], stdout=subprocess.PIPE, check=True)
        except (OSError, subprocess.CalledProcessError):
            self.skipTest("no rustc here")
        sysroot = pathlib.Path(told.stdout.decode().strip())
        if not (sysroot / "share/doc/rust/COPYRIGHT-library.html").is_file():
            self.skipTest("this toolchain has no notices")
        text = self.written(sysroot)
        for wanted in ("The Rust Project Developers", "Permission is hereby granted", "Apache License", "hashbrown-"):
            self.assertIn(wanted, text)


if __name__ == "__main__":
    unittest.main()
