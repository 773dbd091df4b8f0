//! Memory of the model for real traces.

use stepscope_tests::files::{load, real_traces, text_of};

/// Below this, a trace's few configurations and tracks take more memory than its slices.
const ENOUGH_SLICES: usize = 1000;

#[test]
fn real_traces_take_at_most_64_bytes_per_slice() {
    let Some(folder) = real_traces() else { return };
    let mut traces: Vec<_> =
        std::fs::read_dir(folder.join("pytorch")).expect("real traces").flatten().map(|entry| entry.path()).collect();
    traces.sort();
    let mut measured = 0;
    for path in traces {
        let name = path.display().to_string();
        let trace = load(&name, &text_of(&path), 1 << 18).expect("a real trace can be read").trace;
        if trace.slices.len() < ENOUGH_SLICES {
            continue;
        }
        measured += 1;
        let (held, allowed) = (trace.bytes_held(), trace.slices.len() * 64);
        assert!(held <= allowed, "{name}: {held} bytes for {} slices", trace.slices.len());
    }
    assert!(measured > 10, "only {measured} traces were measured");
}
