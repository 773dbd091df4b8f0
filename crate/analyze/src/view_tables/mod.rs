//! The tables that every front end shows at the end of a view: to add one, write its file here and list it.

mod communication;
mod kind;
mod synchronizations;

use self::communication::CommunicationTable;
pub use self::kind::{InView, TablePart, ViewTable};
use self::synchronizations::SynchronizationTable;
use stepscope_table::{Table, View};

/// The tables of a rank, or of a step, that views show.
pub const VIEW_TABLES: [ViewTable; 2] =
    [ViewTable::of::<CommunicationTable>(), ViewTable::of::<SynchronizationTable>()];

/// All of these tables of a part of a trace, or those of a view.
pub(crate) fn tables_of_part(part: &TablePart<'_>, view: Option<View>) -> Vec<Table> {
    let wanted = VIEW_TABLES.iter().filter(|table| view.is_none_or(|view| table.view() == view));
    wanted.map(|table| table.table(part)).collect()
}
