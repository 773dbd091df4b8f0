//! Errors of queries, in words.

use stepscope_analyze::{QueryError, QueryFault};

/// An error of a query, with its place: `1parsec` is no time such as 1.5ms (character 10).
#[must_use]
pub fn query_error(query: &str, error: &QueryError) -> String {
    let part = query.get(error.from..error.to).unwrap_or_default();
    let what = match error.fault {
        QueryFault::OpenQuote => format!("the quotation mark of {part} is never closed"),
        QueryFault::NoValue => "there is no value behind the field".to_owned(),
        QueryFault::NoClass => format!("`{part}` is in no class's name"),
        QueryFault::NoNumber => format!("`{part}` is no whole number"),
        QueryFault::NoNumbers => format!("`{part}` is no list of up to three numbers such as [128,*,1]"),
        QueryFault::NoTime => format!("`{part}` is no time such as 1.5ms"),
        QueryFault::NoSize => format!("`{part}` is no number of bytes such as 1MB"),
    };
    let character = query.get(..error.from).unwrap_or_default().chars().count() + 1;
    format!("{what} (character {character})")
}

#[cfg(test)]
mod tests {
    use super::*;
    use stepscope_analyze::Query;

    #[test]
    fn errors_name_the_part_and_its_place() {
        let cases = [
            ("模 dur>1parsec", "`1parsec` is no time such as 1.5ms (character 7)"),
            ("a \"b", "the quotation mark of \"b is never closed (character 3)"),
            ("cat:", "there is no value behind the field (character 5)"),
            ("class:x", "`x` is in no class's name (character 7)"),
        ];
        for (query, text) in cases {
            let error = Query::parse(query).expect_err("it is wrong");
            assert_eq!(query_error(query, &error), text);
        }
    }
}
