//! Settings of the table of operators.

/// Key of an operator row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperatorGrouping {
    /// The name.
    Name,
    /// The name and the inputs' shapes and types.
    NameShapes,
    /// The name's namespace, such as `aten`; annotations are a type of their own.
    Type,
    /// The name and the Python stack around it.
    NameStack,
    /// The producer's category.
    Category,
    /// The name and the thread; asynchronous operations have their category's row for a thread.
    Thread,
    /// The name and the modules around it on its thread, such as `nn.Module: Linear_0`.
    Module,
}

impl OperatorGrouping {
    /// All of them, with their names.
    const NAMES: [(&'static str, Self); 7] = [
        ("name", Self::Name),
        ("shapes", Self::NameShapes),
        ("type", Self::Type),
        ("stack", Self::NameStack),
        ("category", Self::Category),
        ("thread", Self::Thread),
        ("module", Self::Module),
    ];

    /// The grouping with that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, grouping)| *grouping)
    }
}

/// Settings of the table of operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperatorsConfig {
    /// Key of the rows.
    pub grouping: OperatorGrouping,
    /// Whether an only child of the same name is merged into its parent, as `key_averages()` and the
    /// TensorBoard plugin do.
    pub merge_only_children: bool,
}

impl OperatorsConfig {
    /// By name, nothing merged.
    #[must_use]
    pub fn standard() -> Self {
        Self { grouping: OperatorGrouping::Name, merge_only_children: false }
    }
}
