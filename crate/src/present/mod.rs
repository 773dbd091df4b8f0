//! What a person sees: text, tables, charts.

pub mod text;
