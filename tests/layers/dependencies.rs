//! Transitive dependencies of the analyzer, natively and in the browser.

use std::process::Command;

use stepscope_tests::files::root;

/// The packages that `stepscope` needs for a target; `None`, with a message, if cargo fails.
fn tree(target: &str) -> Option<Vec<String>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut said = String::new();
    // Without the network first: everything built here is here.
    for offline in [true, false] {
        let mut command = Command::new(&cargo);
        command.current_dir(root()).args(["tree", "--locked", "-p", "stepscope", "--target", target]);
        command.args(["--edges", "normal", "--prefix", "none", "--format", "{lib}"]);
        if offline {
            command.arg("--offline");
        }
        match command.output() {
            Ok(output) if output.status.success() => {
                let text = String::from_utf8_lossy(&output.stdout).into_owned();
                return Some(text.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect());
            }
            Ok(output) => said = String::from_utf8_lossy(&output.stderr).into_owned(),
            Err(error) => said = error.to_string(),
        }
    }
    eprintln!("SKIPPED: cargo tree for {target}: {said}");
    None
}

#[track_caller]
fn check(target: &str, needed: &str, banned: &[&str]) {
    let Some(found) = tree(target) else { return };
    assert!(found.iter().any(|name| name == needed), "{target} no longer needs {needed}: {found:?}");
    let wrong: Vec<&&str> = banned.iter().filter(|name| found.iter().any(|found| found == *name)).collect();
    assert!(wrong.is_empty(), "the analyzer must not need {wrong:?} for {target}");
}

#[test]
fn natively_there_is_no_javascript() {
    let native = if cfg!(target_os = "macos") { "x86_64-apple-darwin" } else { "x86_64-unknown-linux-gnu" };
    check(
        native,
        "hashbrown",
        &["wasm_bindgen", "web_sys", "js_sys", "serde_wasm_bindgen", "plotters_canvas", "tokio"],
    );
}

#[test]
fn in_the_browser_there_is_no_operating_system() {
    check("wasm32-unknown-unknown", "wasm_bindgen", &["libc", "tokio", "rayon", "getrandom", "mio", "rand"]);
}

/// Users of the native format need no other dependency.
#[test]
fn the_native_format_needs_nothing() {
    let path = root().join("collector/format/Cargo.toml");
    let package: toml::Table = std::fs::read_to_string(path).expect("a package").parse().expect("TOML");
    assert!(package.get("dependencies").is_none() && package.get("target").is_none(), "{package:?}");
}
