//! Short names of the kernels in real traces: decoded, and different for different kernels.

use std::collections::BTreeSet;

use stepscope::present::kernel_names::short_names;
use stepscope::trace::Class;
use stepscope_tests::files::{load_file, real_traces};

use super::{files, trace_name};

#[test]
fn kernels_of_real_traces_have_decoded_and_different_names() {
    let Some(folder) = real_traces() else { return };
    let mut kernels = 0;
    for path in files(&folder.join("pytorch")) {
        let trace = trace_name(&path);
        let loaded = load_file(&trace, &std::fs::read(&path).expect("a trace"), 1 << 20).expect("a trace");
        let ids = loaded.trace.slices.ids().filter(|id| loaded.trace.slices.class(*id) == Class::Kernel);
        let names: BTreeSet<&str> = ids.map(|id| loaded.trace.name_of(id)).collect();
        let names: Vec<&str> = names.into_iter().collect();
        let short = short_names(&names);
        for (name, short) in names.iter().zip(&short) {
            let is_undecoded = ["_Z", "?", "void "].iter().any(|begin| short.starts_with(begin));
            assert!(!is_undecoded && !short.contains("ck::"), "{trace}: {short} of {name}");
            assert!(short.len() <= name.len(), "{trace}: {short} of {name}");
        }
        assert_eq!(short.iter().collect::<BTreeSet<_>>().len(), names.len(), "{trace}");
        kernels += names.len();
    }
    assert!(kernels > 1000, "{kernels}");
}
