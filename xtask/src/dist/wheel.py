"""Writes Stepscope's wheel: the Python package, the program as a script, and what the program finds in `share`.

    wheel.py PAGE NATIVE WIDGET LICENSES README OUTPUT VERSION TAG HOMEPAGE REPOSITORY

PAGE is the built page, NATIVE the folder of what was built for one processor, as `cargo xtask dist` leaves it; WIDGET is the
notebook widget's script, LICENSES the folder of our licence and the others', README what an index shows, OUTPUT the folder to write into. The same
content gives the same bytes. Prints the wheel's path.
"""

import base64
import hashlib
import os
import re
import sys
import zipfile

#: As in collector/python/pyproject.toml; a test compares them.
METADATA = """\
Metadata-Version: 2.4
Name: stepscope
Version: {version}
Summary: Where a training step's time goes: recorder, analyzer, reports, notebooks
Author: The Stepscope authors
Project-URL: Homepage, {homepage}
Project-URL: Repository, {repository}
Keywords: profiler,trace,pytorch,paddlepaddle,mindspore,cuda,gpu,training
Classifier: Development Status :: 4 - Beta
Classifier: Environment :: Console
Classifier: Framework :: Jupyter
Classifier: Intended Audience :: Developers
Classifier: Intended Audience :: Science/Research
Classifier: Programming Language :: Python :: 3
Classifier: Programming Language :: Rust
Classifier: Topic :: Scientific/Engineering :: Artificial Intelligence
Classifier: Topic :: Software Development :: Debuggers
Classifier: Topic :: System :: Monitoring
Description-Content-Type: text/markdown
License-Expression: MIT OR Apache-2.0
License-File: LICENSE
License-File: LICENSES.txt
Requires-Python: >=3.8
Provides-Extra: notebook
Requires-Dist: anywidget>=0.9; extra == "notebook"
Requires-Dist: pandas; extra == "notebook"

{description}"""

#: A link to a file of the checkout, which leads nowhere from an index.
_INNER = re.compile(r"\[([^\]]+)\]\((?!https?:|#)[^)]+\)")

WHEEL = """\
Wheel-Version: 1.0
Generator: stepscope
Root-Is-Purelib: false
Tag: {tag}
"""

# Long ago, and what zip files can say at the least.
_TIME = (1980, 1, 1, 0, 0, 0)


def files(folder):
    """Paths under a folder, with slashes."""
    for at, folders, names in os.walk(folder):
        folders[:] = sorted(set(folders) - {"__pycache__"})
        for name in sorted(names):
            yield os.path.relpath(os.path.join(at, name), folder).replace(os.sep, "/")


def parts(page, native, widget, licenses, readme, version, tag, homepage, repository):
    """What the wheel holds: names, contents, and whether they are run."""
    info, data = "stepscope-{}.dist-info".format(version), "stepscope-{}.data".format(version)

    def read(*path):
        with open(os.path.join(*path), "rb") as file:
            return file.read()

    package = os.path.join(native, "python", "stepscope")
    for name in files(package):
        yield "stepscope/" + name, read(package, name), False
    yield "stepscope/static/widget.js", read(widget), False
    share = data + "/data/share/stepscope/"
    # The hooks find the package of this wheel, also where the script's Python is another one.
    for folder, place in [("page", page)] + [(name, os.path.join(native, name)) for name in ("include", "python/hooks")]:
        for name in files(place):
            yield share + folder + "/" + name, read(place, name), False
    # Manual pages and completion scripts, where shells look for them.
    manual = os.path.join(native, "share")
    for name in files(manual):
        yield data + "/data/share/" + name, read(manual, name), False
    library = "libstepscope_inject.so"
    if os.path.isfile(os.path.join(native, library)):
        yield share + library, read(native, library), True
    for program in ("stepscope", "stepscope.exe"):
        if os.path.isfile(os.path.join(native, program)):
            yield "{}/scripts/{}".format(data, program), read(native, program), True
    for name in ("LICENSE", "LICENSES.txt"):
        yield info + "/licenses/" + name, read(licenses, name), False
    description = _INNER.sub(r"\1", read(readme).decode())
    said = METADATA.format(version=version, description=description, homepage=homepage, repository=repository)
    yield info + "/METADATA", said.encode(), False
    yield info + "/WHEEL", WHEEL.format(tag=tag).encode(), False


def write(page, native, widget, licenses, readme, output, version, tag, homepage, repository):
    """Writes the wheel and returns its path. No content is in it twice."""
    path = os.path.join(output, "stepscope-{}-{}.whl".format(version, tag))
    record = "stepscope-{}.dist-info/RECORD".format(version)
    lines, places = [], {}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:

        def add(name, content, is_run):
            entry = zipfile.ZipInfo(name, _TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = (0o100755 if is_run else 0o100644) << 16
            wheel.writestr(entry, content)

        for name, content, is_run in parts(page, native, widget, licenses, readme, version, tag, homepage, repository):
            first = places.setdefault(content, name)
            if content and first != name:
                raise ValueError("{} has the content of {}".format(name, first))
            add(name, content, is_run)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            lines.append("{},sha256={},{}\n".format(name, digest, len(content)))
        add(record, "".join([*lines, record + ",,\n"]).encode(), False)
    return path


if __name__ == "__main__":
    print(write(*sys.argv[1:]))
