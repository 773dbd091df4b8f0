//! An archive for each platform, and the checksums of all that is released.

use std::path::Path;

use super::native::Built;
use crate::shell::{Result, command, python, run};

/// Writes the archive of one platform: program, library, page, Python package, manual, licenses.
pub(super) fn write(dist: &Path, page: &Path, built: &Built) -> Result {
    let name = format!("stepscope-{}-{}", env!("CARGO_PKG_VERSION"), built.name);
    let mut script = command(python()?);
    script
        .args(["-c", ARCHIVE])
        .arg(dist.join(format!("{name}.tar.gz")))
        .arg(name)
        .arg(dist)
        .arg(page)
        .arg(&built.folder);
    run(&mut script)
}

/// Writes `SHA256SUMS` of the files in a folder, as `sha256sum --check` reads it.
pub(super) fn sums(dist: &Path) -> Result {
    run(command(python()?).args(["-c", SUMS]).arg(dist))
}

/// The same content gives the same bytes: names in order, no times, no owners.
const ARCHIVE: &str = "\
import gzip, io, os, sys, tarfile
archive, top, dist, page, native = sys.argv[1:]
found = {}
def add(path, name):
    if os.path.isdir(path):
        for inner in os.listdir(path):
            add(os.path.join(path, inner), name + '/' + inner)
    else:
        found[name] = path
for name in os.listdir(native):
    if name in ('stepscope', 'stepscope.exe', 'libstepscope_inject.so', 'include', 'python', 'share'):
        add(os.path.join(native, name), name)
add(page, 'page')
for name in ('LICENSE', 'LICENSES.txt', 'README.md', 'CHANGELOG.md', 'sbom.cdx.json'):
    add(os.path.join(dist, name), name)
with open(archive, 'wb') as raw, gzip.GzipFile('', 'wb', 9, raw, 0) as packed, tarfile.open(fileobj=packed, mode='w') as out:
    for name, path in sorted(found.items()):
        entry = tarfile.TarInfo(top + '/' + name)
        with open(path, 'rb') as file:
            content = file.read()
        entry.size = len(content)
        entry.mode = 0o755 if name.startswith(('stepscope', 'libstepscope')) else 0o644
        out.addfile(entry, io.BytesIO(content))
";

const SUMS: &str = "\
import hashlib, os, sys
dist = sys.argv[1]
names = sorted(name for name in os.listdir(dist) if name.endswith(('.zip', '.tar.gz', '.whl', '.cdx.json')))
with open(os.path.join(dist, 'SHA256SUMS'), 'w', newline='\\n') as out:
    for name in names:
        with open(os.path.join(dist, name), 'rb') as file:
            out.write(hashlib.sha256(file.read()).hexdigest() + '  ' + name + '\\n')
";
