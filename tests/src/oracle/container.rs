//! A file as a container: its archives and compressions, with any content.

use std::collections::{BTreeMap, HashSet};

use stepscope::analyze::AnalysisConfig;
use stepscope::export::report_json::Summary;
use stepscope::input::{Layer, Sources};

use super::trace::identities;
use crate::files::folder_ranks;

const NAME: &str = "drop/a file";

/// Checks that paths stay inside, that all contents are reported, that chunks make no difference, and that numbers add
/// up.
///
/// # Errors
///
/// The check that fails.
pub fn check(file: &[u8]) -> Result<(), String> {
    let mut sources = Sources::default();
    sources.add(NAME, &mut &*file);
    let mut paths = HashSet::new();
    for source in sources.list() {
        let inside = source.path.strip_prefix(NAME).ok_or_else(|| format!("{:?} leads elsewhere", source.path))?;
        let parts = inside.split('/').skip(1);
        let bad = |part: &str| part.is_empty() || part == ".." || part == "." || part.contains(char::is_control);
        if source.path.contains('\\') || parts.into_iter().any(bad) {
            return Err(format!("{:?} is no clean path", source.path));
        }
        // An entry for the whole archive may be there beside its files.
        if !inside.is_empty() && !paths.insert(&source.path) {
            return Err(format!("{:?} is there twice", source.path));
        }
        for layer in &source.layers {
            if layer.to_string().parse::<Layer>() != Ok(*layer) {
                return Err(format!("{layer:?} does not survive as text"));
            }
        }
    }
    let plan = sources.plan(&BTreeMap::new());
    let read: usize = plan.ranks.iter().map(|rank| rank.files.len()).sum();
    if read + plan.left_out.len() != sources.list().len() {
        return Err("a file is neither read nor left out".to_owned());
    }
    let files = [(NAME.to_owned(), file.to_vec())];
    let config = AnalysisConfig::standard();
    let [whole, pieces] = [1 << 16, 13].map(|chunk| folder_ranks(&files, chunk, &config));
    match (whole, pieces) {
        (Ok(whole), Ok(pieces)) => {
            let summaries = [&whole, &pieces].map(|found| Summary::of(&found.ranks).to_json());
            let same = summaries[0] == summaries[1] && whole.left_out == pieces.left_out;
            if !same {
                return Err("chunks make a difference".to_owned());
            }
            whole.ranks.iter().try_for_each(identities)
        }
        (Err(whole), Err(pieces)) if whole == pieces => Ok(()),
        (whole, pieces) => Err(format!("chunks differ: {:?} and {:?}", whole.err(), pieces.err())),
    }
}
