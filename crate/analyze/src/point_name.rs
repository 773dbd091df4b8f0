//! Names of operators and kernels that a user gives, as the trace has them.

use stepscope_base::CompactSort as _;
use stepscope_trace::{Layer, NameId, Trace, Track};

/// The name of slices of the host or a device that a user means: the same name, else the only one that differs by the
/// scopes before it. MindSpore's variables take `Default/network/Conv2D-op7` where a timeline may have `Conv2D-op7`.
pub(super) fn point_name(trace: &Trace, wanted: &str) -> Option<NameId> {
    let layers = |layer| matches!(layer, Layer::Host | Layer::Device | Layer::Python);
    let slices = || trace.tracks.iter().filter(|track| layers(track.layer)).flat_map(Track::events);
    let names = || slices().map(|id| trace.slices.name(id));
    let same = trace.strings.find(wanted).filter(|same| names().any(|name| name == *same));
    if same.is_some() {
        return same;
    }
    let is_scoped = |long: &str, short: &str| long.strip_suffix(short).is_some_and(|scopes| scopes.ends_with('/'));
    let differs_by_scopes = |name: &NameId| {
        let name = trace.strings.get(*name);
        !name.is_empty() && (is_scoped(wanted, name) || is_scoped(name, wanted))
    };
    let mut found: Vec<NameId> = names().filter(differs_by_scopes).collect();
    found.compact_sort();
    found.dedup();
    found.first().copied().filter(|_| found.len() == 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stepscope_input::Loader;

    #[test]
    fn scopes_may_be_given_or_not() {
        let names = ["Conv2D-op7", "Default/a/Mul-op1", "Default/b/Add-op2", "Default/c/Add-op2"];
        let events =
            names.map(|name| format!(r#"{{"ph":"X","cat":"cpu_op","name":"{name}","pid":1,"tid":1,"ts":1,"dur":3}}"#));
        let text = format!(r#"{{"deviceProperties": [], "traceEvents": [{}]}}"#, events.join(","));
        let mut loader = Loader::new("points.json");
        loader.space(text.len()).copy_from_slice(text.as_bytes());
        loader.advance(text.len()).expect("a trace");
        let trace = loader.finish().expect("a trace").trace;
        let found = |wanted| point_name(&trace, wanted).map(|name| trace.strings.get(name));
        assert_eq!(found("Conv2D-op7"), Some("Conv2D-op7"));
        assert_eq!(found("Default/network-WithLossCell/Conv2D-op7"), Some("Conv2D-op7"));
        assert_eq!(found("Mul-op1"), Some("Default/a/Mul-op1"));
        assert_eq!(found("a/Mul-op1"), Some("Default/a/Mul-op1"));
        assert_eq!(found("Default/b/Add-op2"), Some("Default/b/Add-op2"));
        for none in ["Add-op2", "ul-op1", "Conv2D-op", "", "x/Mul-op1"] {
            assert_eq!(found(none), None, "{none}");
        }
    }
}
