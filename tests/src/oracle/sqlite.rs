//! A file as a database, with any content: all its tables, page by page.

use stepscope::parse::sqlite::Database;

/// Reads everything: the number of rows, and of damages.
///
/// # Errors
///
/// Impossible contents: more rows than bytes in a table, a cell or a place beyond the file.
pub fn check(file: &[u8]) -> Result<(usize, usize), String> {
    let mut bytes = file;
    let Ok(mut database) = Database::open(&mut bytes) else { return Ok((0, 1)) };
    let mut totals = (0, database.schema_damages().len());
    for table in database.tables().to_vec() {
        let names: Vec<&str> = table.columns.iter().map(|column| &*column.name).collect();
        let (mut rows, mut beyond) = (0, None);
        let damages = database.scan(&table, &names, &mut |row| {
            rows += 1;
            let cells = (0..names.len()).map(|index| row.get(index).bytes().map_or(0, <[u8]>::len) as u64);
            beyond = beyond.or(cells.chain([row.position]).find(|place| *place > file.len() as u64));
        });
        if let Some(beyond) = beyond {
            return Err(format!("table {:?}: {beyond} in a file of {} bytes", table.name, file.len()));
        }
        // A file may say that several tables are in the same pages.
        if rows > file.len() {
            return Err(format!("table {:?}: {rows} rows in {} bytes", table.name, file.len()));
        }
        if !damages.is_empty() && damages.iter().any(|damage| damage.to_string().is_empty()) {
            return Err("a damage without words".to_owned());
        }
        totals = (totals.0 + rows, totals.1 + damages.len());
    }
    Ok(totals)
}
