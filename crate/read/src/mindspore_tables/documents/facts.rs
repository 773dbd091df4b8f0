//! Facts about the run: `profiler_info_{rank}.json`, `profiler_metadata.json`.

use crate::clip;
use crate::mindspore_tables::quantity::written;
use stepscope_parse::{Decimal, Tree};
use stepscope_trace::TraceBuilder;

/// Version, rank, and all other members as facts.
pub(super) fn profiler(tree: &Tree, builder: &mut TraceBuilder) {
    for (name, value) in tree.members() {
        match value {
            Tree::Object(members) => members.iter().for_each(|(name, value)| fact(name, value, builder)),
            _ => fact(name, value, builder),
        }
    }
}

fn fact(name: &str, value: &Tree, builder: &mut TraceBuilder) {
    let number = || value.number().and_then(Decimal::to_u64);
    let distributed = &mut builder.meta.distributed;
    match name {
        "rank_id" => distributed.rank = number().or(distributed.rank),
        "rank_size" => distributed.world_size = number().or(distributed.world_size),
        "ms_version" => builder.meta.framework_version = clip(&written(value)),
        _ => keep(name, value, builder),
    }
}

/// Facts added to the profile by the user.
pub(super) fn metadata(tree: &Tree, builder: &mut TraceBuilder) {
    for (name, value) in tree.members() {
        keep(name, value, builder);
    }
}

fn keep(name: &str, value: &Tree, builder: &mut TraceBuilder) {
    let fact = (clip(name), clip(&written(value)));
    if !fact.1.is_empty() && !builder.meta.facts.contains(&fact) {
        builder.meta.facts.push(fact);
    }
}
