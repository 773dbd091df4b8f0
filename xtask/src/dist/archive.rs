//! An archive for each platform, and the checksums of all released files.

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

/// The same content gives the same bytes: sorted names, no times, no owners.
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::shell::capture;

    /// The same content gives the same bytes, whenever and in whatever order it was written.
    #[test]
    fn archives_have_what_is_released_and_no_times() {
        let folder = std::env::temp_dir().join(format!("stepscope-archive-{}", std::process::id()));
        let [mut first, mut second] = [Vec::new(), Vec::new()];
        for bytes in [&mut first, &mut second] {
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir_all(folder.join("page/js")).expect("a folder");
            fs::create_dir_all(folder.join("share/man/man1")).expect("a folder");
            let names = ["stepscope", "share/man/man1/stepscope.1", "page/js/a.js", "LICENSE", "LICENSES.txt"];
            for name in names.into_iter().chain(["README.md", "CHANGELOG.md", "sbom.cdx.json", "unrelated.log"]) {
                fs::write(folder.join(name), name).expect("a file");
            }
            let built = Built { folder: folder.clone(), platform: "any".into(), name: "x-linux".into() };
            write(&folder, &folder.join("page"), &built).expect("an archive");
            *bytes = fs::read(folder.join(format!("stepscope-{}-x-linux.tar.gz", env!("CARGO_PKG_VERSION"))))
                .expect("the archive");
        }
        assert!(first == second, "the bytes differ");
        sums(&folder).expect("checksums");
        let sums = fs::read_to_string(folder.join("SHA256SUMS")).expect("checksums");
        assert_eq!(sums.lines().count(), 2, "{sums}");
        let archive = folder.join(format!("stepscope-{}-x-linux.tar.gz", env!("CARGO_PKG_VERSION")));
        if let Some(listed) = capture(command("tar").arg("-tzf").arg(archive)) {
            assert!(listed.contains("/share/man/man1/stepscope.1") && listed.contains("/page/js/a.js"), "{listed}");
            assert!(!listed.contains("unrelated"), "{listed}");
        }
        fs::remove_dir_all(&folder).expect("it is there");
    }
}
