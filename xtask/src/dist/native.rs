//! The program, and the library that programs load, for each processor for which they can be built.

use std::fs;
use std::path::{Path, PathBuf};

use crate::files::copy;
use crate::shell::{Result, capture, cargo, command, heading, run, search_path};
use crate::{paths, remap, setup};

/// The oldest glibc that they support: that of 2012.
const GLIBC: &str = "2.17";

const LIBRARY: &str = "libstepscope_inject.so";

/// The results for one system and processor.
pub(super) struct Built {
    pub(super) folder: PathBuf,
    /// The system and processor, as Python's wheels name them.
    pub(super) platform: String,
    /// The system and processor, as users name them.
    pub(super) name: String,
}

/// Builds them into a folder: for this machine beside the page, for another processor in a folder with its name.
pub(super) fn build(dist: &Path) -> Result<Vec<Built>> {
    let own = std::env::consts::ARCH;
    if !cfg!(target_os = "linux") {
        let target = capture(command("rustc").args(["-vV"])).unwrap_or_default();
        let target =
            target.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("rustc names no host")?.to_owned();
        let program = ["build", "--locked", "--release", "-p", "stepscope-cli", "--bin", "stepscope"];
        run(remap::native(cargo().args(program), &target))?;
        finish(dist, &paths::target().join("release"), None)?;
        let platform = elsewhere(own)?.to_owned();
        return Ok(vec![Built {
            folder: dist.to_path_buf(),
            name: format!("{own}-{}", std::env::consts::OS),
            platform,
        }]);
    }
    let mut built = Vec::new();
    for processor in ["x86_64", "aarch64"] {
        let triple = format!("{processor}-unknown-linux-gnu");
        let target = &triple;
        if processor != own && !setup::has_std(target) {
            eprintln!("SKIPPED: {processor}: rustup could not download {target}");
            continue;
        }
        heading(&format!("the program and {LIBRARY} for {processor}, glibc {GLIBC} and newer"));
        let programs = setup::zig::ensure()?;
        let path = std::env::join_paths(std::iter::once(programs).chain(search_path())).map_err(|e| e.to_string())?;
        let zigbuild = |args: &[&str]| {
            let target = format!("{target}.{GLIBC}");
            let mut build = cargo();
            build.env("PATH", &path).args(["zigbuild", "--locked"]).args(args);
            run(remap::native(&mut build, &triple).args(["--target", &target]))
        };
        zigbuild(&["--release", "-p", "stepscope-cli", "--bin", "stepscope"])?;
        // With a separate profile: a panic must not end the program that loaded the library.
        zigbuild(&["--profile", "inject", "-p", "stepscope-inject", "--lib"])?;
        let outputs = paths::target().join(target);
        let folder = if processor == own { dist.to_path_buf() } else { dist.join(processor) };
        finish(&folder, &outputs.join("release"), Some(&outputs.join("inject")))?;
        let platform = format!("manylinux_{}_{processor}", GLIBC.replace('.', "_"));
        built.push(Built { folder, name: format!("{processor}-linux"), platform });
    }
    Ok(built)
}

/// The name of this machine, if it is not Linux: with the oldest system that rustc's own targets support.
fn elsewhere(processor: &str) -> Result<&'static str> {
    match (std::env::consts::OS, processor) {
        ("macos", "aarch64") => Ok("macosx_11_0_arm64"),
        ("macos", "x86_64") => Ok("macosx_10_12_x86_64"),
        ("windows", "aarch64") => Ok("win_arm64"),
        ("windows", "x86_64") => Ok("win_amd64"),
        (system, _) => Err(format!("Python's wheels have no name for {system} on {processor}")),
    }
}

/// Puts them together with the files that `stepscope record` finds beside the program.
fn finish(folder: &Path, release: &Path, inject: Option<&Path>) -> Result {
    let program = format!("stepscope{}", std::env::consts::EXE_SUFFIX);
    copy(&release.join(&program), &folder.join(&program))?;
    if let Some(inject) = inject {
        copy(&inject.join(LIBRARY), &folder.join(LIBRARY))?;
    }
    let collector = paths::root().join("collector");
    copy(&collector.join("inject/include/stepscope.h"), &folder.join("include/stepscope.h"))?;
    for part in ["stepscope", "hooks"] {
        sources(&collector.join("python").join(part), &folder.join("python").join(part))?;
    }
    Ok(())
}

/// Writes manual pages and completion scripts into the folder of a platform, with the program for this machine.
pub(super) fn manual(dist: &Path, folder: &Path) -> Result {
    let program = dist.join(format!("stepscope{}", std::env::consts::EXE_SUFFIX));
    run(command(program).arg("manual").arg(folder.join("share")))
}

/// Copies a folder of Python without caches.
pub(super) fn sources(from: &Path, to: &Path) -> Result {
    let entries = fs::read_dir(from).map_err(|error| format!("{}: {error}", from.display()))?;
    for path in entries.flatten().map(|entry| entry.path()) {
        let Some(name) = path.file_name().filter(|name| *name != "__pycache__") else { continue };
        if path.is_dir() {
            sources(&path, &to.join(name))?;
        } else {
            copy(&path, &to.join(name))?;
        }
    }
    Ok(())
}
