//! Kinds of parallelism of a group, and their sources.

/// Kind of parallelism of a group of ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ParallelKind {
    /// Each has the model and a part of the data.
    Data,
    /// Each has a part of each layer.
    Tensor,
    /// Each has some of the layers.
    Pipeline,
    /// Each has some of the experts.
    Expert,
    /// Each has a part of each sample.
    Sequence,
}

impl ParallelKind {
    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Data => "data",
            Self::Tensor => "tensor",
            Self::Pipeline => "pipeline",
            Self::Expert => "expert",
            Self::Sequence => "sequence",
        }
    }

    /// The kind of a short name by which launchers call its size: `dp`, `tp`, `pp`, `ep`, `cp`; or of another word for
    /// it.
    #[must_use]
    pub fn of_short_name(name: &str) -> Option<Self> {
        match name {
            "dp" | "data" | "fsdp" => Some(Self::Data),
            "tp" | "mp" | "tensor" => Some(Self::Tensor),
            "pp" | "pipeline" => Some(Self::Pipeline),
            "ep" | "expert" => Some(Self::Expert),
            "cp" | "sp" | "sequence" => Some(Self::Sequence),
            _ => None,
        }
    }

    /// The kind of a group by its description: `mesh_tp`, `DATA_PARALLEL_GROUP`. The words are compared in this order:
    /// the data-parallel group of the experts is one of data.
    pub(super) fn of_description(text: &str) -> Option<Self> {
        const WORDS: [(&[&str], ParallelKind); 5] = [
            (&["data", "dp", "fsdp", "hsdp", "ddp", "replicate", "shard", "edp"], ParallelKind::Data),
            (&["pipeline", "pipe", "pp"], ParallelKind::Pipeline),
            (&["expert", "moe", "ep"], ParallelKind::Expert),
            (&["context", "sequence", "cp", "sp"], ParallelKind::Sequence),
            (&["tensor", "model", "tp", "mp"], ParallelKind::Tensor),
        ];
        let text = text.to_ascii_lowercase();
        let words: Vec<&str> = text.split(|character: char| !character.is_ascii_alphabetic()).collect();
        WORDS.iter().find(|(known, _)| words.iter().any(|word| known.contains(word))).map(|(_, kind)| *kind)
    }
}

/// Source of a group's kind of parallelism.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParallelSource {
    /// The user.
    Given,
    /// Its name or description.
    Described,
    /// `MindSpore`: its `parallel_strategy`, or the name of a table of its steps.
    Strategy,
    /// The operations and the numbers of its ranks: point-to-point only is pipeline; mostly all-to-all is expert;
    /// neighbors, in several such groups, are tensor; else data.
    Shape,
    /// A count of the present ranks, since the size is unknown and ranks are missing.
    Seen,
}

impl ParallelSource {
    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::Described => "described",
            Self::Strategy => "strategy",
            Self::Shape => "shape",
            Self::Seen => "seen",
        }
    }
}
