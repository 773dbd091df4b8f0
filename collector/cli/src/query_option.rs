//! The query of `stepscope find`.

use stepscope::analyze::Query;
use stepscope::present::query::query_error;

use crate::result::Result;

/// A query as the user wrote it, and parsed.
#[derive(Clone, Debug)]
pub(crate) struct AskedQuery {
    pub(crate) text: String,
    pub(crate) query: Query,
}

/// Reads a query from the command line.
pub(crate) fn wanted(text: &str) -> Result<AskedQuery> {
    let query = Query::parse(text).map_err(|error| query_error(text, &error))?;
    if query.is_empty() {
        return Err("it asks for nothing".to_owned());
    }
    Ok(AskedQuery { text: text.to_owned(), query })
}
