//! The reader, phase by phase.
