//! Output for the user: text, colors, charts.

pub mod advice;
pub mod budget;
pub mod cells;
pub mod chart;
pub mod colors;
pub mod csv;
pub mod kernel_names;
pub mod messages;
pub mod query;
pub mod text;
pub mod timeline;
mod unit_names;

pub use unit_names::UnitNames;
