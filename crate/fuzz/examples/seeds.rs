//! Writes the corpora that fuzzing starts from: generated documents and traces.

use std::fs;
use std::io;
use std::path::Path;

use stepscope_tests::oracle::{Documents, small_trace};

fn main() -> io::Result<()> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let (tokenizer, trace) = (corpus.join("tokenizer"), corpus.join("trace"));
    fs::create_dir_all(&tokenizer)?;
    fs::create_dir_all(&trace)?;
    for seed in 0..200 {
        let mut seeded = vec![u8::try_from(seed % 256).unwrap_or(1)];
        seeded.extend(Documents::new(seed).document());
        fs::write(tokenizer.join(format!("document-{seed}")), seeded)?;
    }
    for seed in 0..4 {
        let text = small_trace(seed);
        fs::write(trace.join(format!("trace-{seed}")), &text)?;
        fs::write(tokenizer.join(format!("trace-{seed}")), text)?;
    }
    Ok(())
}
