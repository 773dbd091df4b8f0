//! What many ranks cost: each is read, digested and dropped, then all digests are put together.

use std::io::{self, Write};

use serde_json::json;
use stepscope::Rank;
use stepscope::analyze::{AnalysisConfig, RankDigest, job};
use stepscope::export::report_json::digest_to_bytes;
use stepscope_tests::files::rank;
use stepscope_tests::generator::JobSpec;

use crate::clock::{cpu_seconds, peak_memory};

/// Prints a line per number of ranks: the time per rank, and its ratio to the smallest number's. Linear cost has ratios near 1.
pub(crate) fn ranks() -> Result<(), String> {
    let mut first: Option<[f64; 2]> = None;
    for data in [1, 2, 4, 8] {
        let spec = JobSpec { parallel: [data, 2, 4], layers: 8, ..JobSpec::three_dimensional(1) };
        let texts = spec.traces();
        let begun = cpu_seconds();
        let mut parts = 0;
        let mut bytes = 0;
        let mut digests = Vec::new();
        for (number, text) in (0..).zip(&texts) {
            let config = AnalysisConfig::standard();
            let Rank { trace, analysis, file, .. } =
                rank(&format!("rank{number}.json"), text, &config).map_err(|error| error.to_string())?;
            let digest = RankDigest::of(&trace, &analysis, number, &file);
            parts += digest.parts.len();
            bytes += digest_to_bytes(&digest).len();
            digests.push(digest);
        }
        let digested = cpu_seconds();
        let found = job(&digests);
        let done = cpu_seconds();
        let count = f64::from(u32::try_from(digests.len()).unwrap_or(u32::MAX));
        let seconds = |from: Option<f64>, to: Option<f64>| to.zip(from).map_or(f64::NAN, |(to, from)| to - from);
        let per_rank = [seconds(begun, digested) / count, seconds(digested, done) / count];
        let first = *first.get_or_insert(per_rank);
        let line = json!({
            "ranks": digests.len(), "text_bytes": texts.iter().map(Vec::len).sum::<usize>(), "parts": parts,
            "digest_bytes": bytes, "collectives": found.matching.collectives.len(),
            "read_s_per_rank": per_rank[0], "read_of_the_first": per_rank[0] / first[0],
            "job_s_per_rank": per_rank[1], "job_of_the_first": per_rank[1] / first[1],
            "peak_rss_bytes": peak_memory(),
        });
        writeln!(io::stdout(), "{line}").map_err(|error| error.to_string())?;
    }
    Ok(())
}
