//! Details of events of real traces, which are also read again one by one.

use std::path::{Path, PathBuf};

use stepscope::Rank;
use stepscope::analyze::AnalysisConfig;
use stepscope_tests::files::{load_file, real_traces, text_of};
use stepscope_tests::oracle::{ReadAgain, event_identities, read_again};

/// Larger files show nothing more and take long.
const MOST_BYTES: u64 = 5 << 20;

fn traces(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        let name = path.to_string_lossy().into_owned();
        if path.is_dir() {
            traces(&path, found);
        } else if (name.ends_with(".json") || name.ends_with(".json.gz"))
            && path.metadata().is_ok_and(|metadata| metadata.len() < MOST_BYTES)
        {
            found.push(path);
        }
    }
}

#[test]
fn slices_of_real_traces_are_found_again_in_their_files() {
    let Some(folder) = real_traces() else { return };
    let mut paths = Vec::new();
    traces(&folder, &mut paths);
    let (mut files, mut all) = (0, ReadAgain::default());
    for path in paths {
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        let bytes = std::fs::read(&path).expect("a trace");
        let Ok(loaded) = load_file(&name, &bytes, 1 << 20) else { continue };
        let place = path.display();
        let text = if loaded.trace.meta.bytes == bytes.len() as u64 { bytes } else { text_of(&path) };
        let found = read_again(&loaded.trace, &[&text]).unwrap_or_else(|what| panic!("{place}: {what}"));
        let rank = Rank::new(&name, 0, loaded, &AnalysisConfig::standard());
        let step = (rank.trace.slices.len() / 60).max(1);
        let events = rank.trace.slices.ids().step_by(step);
        event_identities(&rank.trace, &rank.analysis, events).unwrap_or_else(|what| panic!("{place}: {what}"));
        files += 1;
        all.alike += found.alike;
        all.without += found.without;
        if found.without > 0 {
            eprintln!("{place}: {found:?}");
        }
    }
    assert!(files > 40 && all.alike > 500_000, "{files} files, {all:?}");
}
