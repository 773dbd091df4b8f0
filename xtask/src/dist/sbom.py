"""Writes a CycloneDX list of dependencies: `sbom.py OUT TREE VERSION`, `cargo metadata` on standard input. TREE as for licences.py."""

import json
import sys

out, tree, version = sys.argv[1:]
wanted = {tuple(line.split()[:2]) for line in tree.splitlines() if line.strip()}
packages = json.load(sys.stdin)["packages"]
theirs = [package for package in packages if package["source"] and (package["name"], "v" + package["version"]) in wanted]
theirs.sort(key=lambda package: (package["name"], package["version"]))


def component(package):
    found = {
        "type": "library",
        "name": package["name"],
        "version": package["version"],
        "purl": "pkg:cargo/{name}@{version}".format(**package),
    }
    if package.get("license"):
        found["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    if package.get("repository"):
        found["externalReferences"] = [{"type": "vcs", "url": package["repository"]}]
    return found


document = {
    "bomFormat": "CycloneDX",
    "specVersion": "1.5",
    "version": 1,
    "metadata": {"component": {"type": "application", "name": "stepscope", "version": version}},
    "components": [component(package) for package in theirs],
}
if not theirs:
    sys.exit("no dependencies found: the tree names none of the packages")
with open(out, "w", encoding="utf-8", newline="\n") as file:
    json.dump(document, file, indent=1)
    file.write("\n")
