//! The parallel mode of a model, by the name of a table.

use super::cells::table;
use stepscope_trace::Trace;

/// The distribution of a model over ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParallelMode {
    /// Each rank has the model and a part of the data.
    Data,
    /// Each rank has a part of each layer.
    Model,
    /// Each stage has some of the layers.
    Pipeline,
}

impl ParallelMode {
    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Data => "data-parallel",
            Self::Model => "model-parallel",
            Self::Pipeline => "pipeline-parallel",
        }
    }
}

/// The mode, stages and ranks in a file's name: `ascend_cluster_analyse_{mode}_{stages}_{ranks}_{rank}.csv`.
pub(crate) fn layout(trace: &Trace) -> Option<(Option<ParallelMode>, u64, u64)> {
    let file = &table(trace, "cluster_step_trace")?.file;
    let name = file.rsplit('/').next()?.strip_prefix("ascend_cluster_analyse_")?;
    let mut parts = name.split('_');
    let mode = match parts.next()? {
        "data-parallel" => Some(ParallelMode::Data),
        "model-parallel" => Some(ParallelMode::Model),
        "pipeline-parallel" => Some(ParallelMode::Pipeline),
        _ => None,
    };
    Some((mode, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}
