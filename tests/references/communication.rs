//! Communication of a rank, from what a trace has twice: METRICS section 4.

use stepscope::analyze::{AnalysisConfig, StepChoice, analyze, view_tables};
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
            let analysis = analyze(&trace, &AnalysisConfig::standard());
            let tables = view_tables(&trace, &analysis, StepChoice::Whole, None);
            let table = tables.into_iter().find(|table| table.id == "communication").expect("the table");
            let table = table.only(&["operation", "bytes_per_call", "calls"]);
            let row = |row| table.row(row).map(|(_, value)| format!("{value:?}")).collect::<Vec<_>>();
            let known = (0..table.len()).filter(|row| table.has(*row, "bytes_per_call")).count();
            let mut sizes: Vec<Vec<String>> = (0..table.len()).map(row).collect();
            sizes.sort_unstable();
            (sizes, known)
        };
        let (told, of_inputs) = (sizes(&with), sizes(without.as_bytes()));
        assert_eq!(told, of_inputs, "{name}");
        compared += told.1;
    }
    assert!(compared >= 5, "{compared} kinds");
}
