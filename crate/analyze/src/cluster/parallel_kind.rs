//! What ranks of a group share between them, and how that is known.

/// What ranks of a group share between them.
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

    /// The kind of the short name by which launchers call its size: `dp`, `tp`, `pp`, `ep`, `cp`; and of others' words for it.
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

    /// What a group's description says that it is for: `mesh_tp`, `DATA_PARALLEL_GROUP`. The words are compared in this
    /// order: the data-parallel group of the experts is one of data.
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

/// How it is known what a group is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParallelSource {
    /// A person says it.
    Given,
    /// Its name or description says it.
    Described,
    /// `MindSpore` says it: its `parallel_strategy`, or the name of a table of its steps.
    Strategy,
    /// What its ranks do and which they are: point-to-point only is pipeline; mostly all-to-all is expert; neighbours, of
    /// whom there are several such groups, are tensor; else data.
    Shape,
    /// Nobody tells how many they are, and ranks are missing: those that are there are counted.
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
