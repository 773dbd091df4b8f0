//! Communication of a rank, from what a trace has twice: METRICS section 4.

use stepscope::analyze::communication;
use stepscope_tests::files::{load, real_traces, text_of};

/// The sizes of collectives are the same by the collectives' arguments and by the input tensors of the library's calls.
#[test]
fn sizes_are_those_of_the_inputs() {
    let Some(folder) = real_traces() else { return };
    let mut compared = 0;
    for name in ["mi300_resnet_rank0of8.json.gz", "b200_rank0of8_eager.json.gz"] {
        let with = text_of(&folder.join("pytorch").join(name));
        let without = String::from_utf8(with.clone()).expect("text").replace("msg nelems", "msg nothing");
        let sizes = |text: &[u8]| {
            let trace = load(name, text, 256 << 10).unwrap_or_else(|error| panic!("{error}")).trace;
            let rows = communication(&trace, None).into_iter();
            let mut sizes: Vec<_> = rows.map(|row| (row.kind, row.bytes, row.time.calls)).collect();
            sizes.sort_unstable();
            sizes
        };
        let (told, of_inputs) = (sizes(&with), sizes(without.as_bytes()));
        assert_eq!(told, of_inputs, "{name}");
        compared += told.iter().filter(|(_, bytes, _)| bytes.is_some()).count();
    }
    assert!(compared >= 5, "{compared} kinds");
}
