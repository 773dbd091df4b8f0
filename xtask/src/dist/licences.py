"""Writes the licences of all that is built into something: `licences.py OUT TREE SYSROOT`, `cargo metadata` on standard input.

TREE is what `cargo tree --prefix none --format {p}` prints of it: a package a line, `name vVERSION …`. SYSROOT is the
toolchain's: it brings the notices of the standard library, and of what that is built of.
"""

import html
import json
import os
import re
import sys

out, tree, sysroot = sys.argv[1:]
wanted = {tuple(line.split()[:2]) for line in tree.splitlines() if line.strip()}
packages = json.load(sys.stdin)["packages"]
# Packages of the workspace are ours, and have their license beside them.
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


def plain(markup):
    """What a piece of HTML says, without its empty lines."""
    ended = re.sub(r"</(?:h\d|li|p)>", "\n", markup)
    lines = html.unescape(re.sub(r"<[^>]*>", "", ended)).splitlines()
    return "\n".join(line.strip() for line in lines if line.strip())


def of_std():
    """What the standard library's own notices say, and the texts that they name: whose, and the text."""
    folder = os.path.join(sysroot, "share", "doc", "rust")
    try:
        with open(os.path.join(folder, "COPYRIGHT-library.html"), encoding="utf-8") as file:
            document = file.read()
    except OSError as error:
        # A distribution's toolchain keeps them elsewhere.
        print("SKIPPED: the standard library's licences: {}".format(error), file=sys.stderr)
        return "", []
    document = document[document.index("<body") :]
    ours, *packages = document.split("<h3>")
    notice = re.sub(r"<h2>Table of Contents</h2>\s*<ul>.*?</ul>", "", ours, count=1, flags=re.S)
    found = []
    named = set(re.findall(r"[\w.+-]+", " ".join(re.findall(r"License:(.*)", plain(ours)))))
    for name in sorted(named):
        path = os.path.join(folder, "licenses", name + ".txt")
        if os.path.isfile(path):
            with open(path, encoding="utf-8") as file:
                found.append(("the Rust standard library ({})".format(name), file.read().strip()))
    for package in packages:
        name = plain(package.split("</h3>")[0]).split()[-1]
        for text in re.findall(r"<pre[^>]*>(.*?)</pre>", package, re.S):
            found.append(("{} (of the Rust standard library)".format(name), html.unescape(text).strip()))
    return plain(notice), found


std, std_texts = of_std()
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
for name, text in std_texts:
    of = known.setdefault(text, [])
    if name not in of:
        of.append(name)
if std:
    lines += ["-" * 80, std, ""]
for text, of in known.items():
    lines += ["-" * 80, *of, "", text, ""]
if not theirs or not known:
    sys.exit("no licences found: the tree names none of the packages")
with open(out, "w", encoding="utf-8", newline="\n") as file:
    file.write("\n".join(lines))
