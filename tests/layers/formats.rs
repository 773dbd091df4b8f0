//! The documentation's table of formats matches the readers' own descriptions.

use std::fs;

use stepscope::read::READERS;

use super::{none, root, text};

const BEGIN: &str = "<!-- formats: written by STEPSCOPE_BLESS=1 cargo test -p stepscope-tests --test layers -->\n";
const END: &str = "<!-- end of formats -->";

fn table() -> String {
    let mut table = String::from("| format | from | read | not read |\n| --- | --- | --- | --- |\n");
    for reader in READERS {
        let about = reader.about();
        for cell in [about.title, about.versions, about.read, about.not_read] {
            assert!(!cell.contains(['|', '\n']), "{cell:?} breaks the table");
            table.push_str(&format!("| {cell} "));
        }
        table.push_str("|\n");
    }
    table
}

#[test]
fn the_documentation_lists_what_the_readers_read() {
    let path = root().join("docs/src/formats.md");
    let page = text(&path);
    let Some((before, (listed, after))) =
        page.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?)))
    else {
        panic!("docs/src/formats.md has no place for the table: {BEGIN}{END}");
    };
    if std::env::var_os("STEPSCOPE_BLESS").is_some() {
        fs::write(&path, format!("{before}{BEGIN}{}{END}{after}", table())).expect("the page can be written");
    } else if listed != table() {
        none(&["the table in docs/src/formats.md is not what the readers say; STEPSCOPE_BLESS=1 writes it".to_owned()]);
    }
}

/// The Chinese page's table is written by hand: a new reader must not be missing.
#[test]
fn the_chinese_page_has_a_row_for_each_reader() {
    let page = text(&root().join("docs/src/zh/formats.md"));
    let mut rows = page.lines().skip_while(|line| !line.starts_with("| ---")).skip(1);
    let listed = rows.by_ref().take_while(|line| line.starts_with("| ")).count();
    assert_eq!(listed, READERS.len(), "rows of the table in docs/src/zh/formats.md");
}

#[test]
fn readers_have_names_of_their_own() {
    let mut ids: Vec<&str> = READERS.iter().map(|reader| reader.id()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), READERS.len());
}
