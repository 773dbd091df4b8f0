"""Writes the licences of all that is built into something: `licences.py OUT TREE`, `cargo metadata` on standard input.

TREE is what `cargo tree --prefix none --format {p}` prints of it: a package a line, `name vVERSION …`.
"""

import json
import os
import sys

out, tree = sys.argv[1:]
wanted = {tuple(line.split()[:2]) for line in tree.splitlines() if line.strip()}
packages = json.load(sys.stdin)["packages"]
# What lies in the workspace is ours, and has its licence beside it.
theirs = [package for package in packages if package["source"] and (package["name"], "v" + package["version"]) in wanted]
theirs.sort(key=lambda package: (package["name"], package["version"]))


def texts(folder):
    """The licence files of a package, by name."""
    for name in sorted(os.listdir(folder)):
        if name.upper().startswith(("LICENSE", "LICENCE", "COPYING", "UNLICENSE", "NOTICE")):
            path = os.path.join(folder, name)
            if os.path.isfile(path):
                with open(path, encoding="utf-8", errors="replace") as file:
                    yield name, file.read().strip()


known = {}
lines = [
    "Stepscope is built of these packages, too, under their licences.",
    "",
    "The Rust standard library: MIT OR Apache-2.0",
    "  https://github.com/rust-lang/rust",
]
for package in theirs:
    lines.append("{name} {version}: {license}".format(**{**package, "license": package["license"] or "see its text"}))
    if package.get("repository"):
        lines.append("  " + package["repository"])
lines.append("")
for package in theirs:
    for name, text in texts(os.path.dirname(package["manifest_path"])):
        # Most say the same.
        known.setdefault(text, []).append("{} {} ({})".format(package["name"], package["version"], name))
for text, of in known.items():
    lines += ["-" * 80, *of, "", text, ""]
if not theirs or not known:
    sys.exit("no licences found: the tree names none of the packages")
with open(out, "w", encoding="utf-8", newline="\n") as file:
    file.write("\n".join(lines))
