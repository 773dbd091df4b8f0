//! Python's wheel: the package with the notebook's widget, the program, and the files that the program finds beside
//! itself.

use std::path::Path;

use super::native::Built;
use crate::paths;
use crate::shell::{Result, command, python, run};

/// Writes the wheel of one processor.
pub(super) fn write(dist: &Path, page: &Path, built: &Built) -> Result {
    pack(dist, page, &paths::embedded().join("widget.js"), built)
}

fn pack(dist: &Path, page: &Path, widget: &Path, built: &Built) -> Result {
    let mut script = command(python()?);
    script.arg(paths::root().join("xtask/src/dist/wheel.py")).arg(page).arg(&built.folder).arg(widget).arg(dist);
    script.arg(paths::root().join("collector/python/README.md"));
    script.arg(dist).arg(env!("CARGO_PKG_VERSION")).arg(format!("py3-none-{}", built.platform));
    script.arg(env!("CARGO_PKG_HOMEPAGE")).arg(env!("CARGO_PKG_REPOSITORY"));
    run(&mut script)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::shell::capture;

    /// The wheel has one copy of the package, which its hooks find, and of everything else.
    #[test]
    fn a_wheel_has_nothing_twice() {
        let folder = std::env::temp_dir().join(format!("stepscope-wheel-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let names = [
            "page/index.html",
            "include/stepscope.h",
            "python/hooks/sitecustomize.py",
            "python/stepscope/__init__.py",
            "python/stepscope/hooks/_steps.py",
            "stepscope",
            "widget.js",
            "LICENSE",
            "LICENSES.txt",
        ];
        for name in names {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, name).expect("a file");
        }
        let built = Built { folder: folder.clone(), platform: "any".into(), name: "x-linux".into() };
        let packed = || pack(&folder, &folder.join("page"), &folder.join("widget.js"), &built);
        packed().expect("a wheel");
        let wheel = folder.join(format!("stepscope-{}-py3-none-any.whl", env!("CARGO_PKG_VERSION")));
        let mut list = command(python().expect("Python"));
        let listed = capture(list.args(["-m", "zipfile", "-l"]).arg(wheel)).expect("a list");
        for name in ["__init__.py", "_steps.py", "sitecustomize.py", "index.html", "widget.js"] {
            assert_eq!(listed.matches(name).count(), 1, "{name} in {listed}");
        }
        fs::write(folder.join("page/copy.js"), "widget.js").expect("a file");
        assert!(packed().is_err(), "the widget is in it twice");
        fs::remove_dir_all(&folder).expect("it is there");
    }
}
