//! The phases of a step.

/// A phase of a training step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Waiting for the data loader's next batch.
    Dataloader,
    /// The optimizer's step.
    Optimizer,
    /// Gradients.
    Backward,
    /// The model.
    Forward,
    /// None of these.
    Other,
}

impl Phase {
    /// All phases; where two run at once, the earlier one here gets the moment.
    pub const ALL: [Self; 5] = [Self::Dataloader, Self::Optimizer, Self::Backward, Self::Forward, Self::Other];

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Dataloader => "dataloader",
            Self::Optimizer => "optimizer",
            Self::Backward => "backward",
            Self::Forward => "forward",
            Self::Other => "other",
        }
    }
}
