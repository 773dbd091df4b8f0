//! The reader of SQLite files, compared with SQLite itself: `sqlite/*.json` is its output for `sqlite/*.sqlite.gz` (see
//! `fixtures/make/sqlite.py`); and damage anywhere.

use std::path::PathBuf;

use serde_json::{Value as Json, json};
use stepscope::base::ReadAt;
use stepscope::parse::sqlite::{Damage, Database, Fault, SqlRow, Table, Value, is_sqlite};
use stepscope_tests::files::{root, text_of};
use stepscope_tests::oracle::check_sqlite;

/// The databases by name.
fn databases() -> Vec<(String, Vec<u8>)> {
    let folder = root().join("tests/sqlite");
    let entries = std::fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|end| end == "gz")).collect();
    paths.sort();
    let name = |path: &PathBuf| path.file_name().expect("a name").to_string_lossy().replace(".sqlite.gz", "");
    paths.iter().map(|path| (name(path), text_of(path))).collect()
}

fn database(name: &str) -> Vec<u8> {
    text_of(&root().join(format!("tests/sqlite/{name}.sqlite.gz")))
}

fn drawn(row: &SqlRow<'_>, columns: usize) -> Json {
    let values = (0..columns).map(|index| match row.get(index) {
        Value::Null => Json::Null,
        Value::Integer(number) => json!(number),
        Value::Real(number) => json!(number),
        Value::Text(text) => json!(String::from_utf8(text.into_owned()).expect("UTF-8")),
        Value::Blob(bytes) => json!({"blob": bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>()}),
    });
    values.collect()
}

/// Numbers of columns of real numbers may be stored as whole ones.
fn equal(found: &Json, expected: &Json) -> bool {
    match (found, expected) {
        (Json::Array(found), Json::Array(expected)) => {
            found.len() == expected.len() && found.iter().zip(expected).all(|(found, expected)| equal(found, expected))
        }
        (Json::Number(found), Json::Number(expected)) => found == expected || found.as_f64() == expected.as_f64(),
        _ => found == expected,
    }
}

fn rows(database: &mut Database<'_>, table: &Table, columns: &[&str]) -> (Vec<Json>, Vec<Damage>) {
    let mut rows = Vec::new();
    let damages = database.scan(table, columns, &mut |row| rows.push(drawn(row, columns.len())));
    (rows, damages)
}

#[test]
fn every_table_holds_what_sqlite_reads() {
    let databases = databases();
    assert!(databases.len() > 5);
    for (name, file) in databases {
        let expected = std::fs::read(root().join(format!("tests/sqlite/{name}.json"))).expect("what SQLite reads");
        let expected: serde_json::Map<String, Json> = serde_json::from_slice(&expected).expect("JSON");
        let mut bytes = &file[..];
        let mut database = Database::open(&mut bytes).unwrap_or_else(|damage| panic!("{name}: {damage}"));
        let mut names: Vec<&String> = database.tables().iter().map(|table| &table.name).collect();
        names.sort();
        let mut expected_names: Vec<&String> = expected.keys().collect();
        expected_names.sort();
        assert_eq!(names, expected_names, "{name}");
        assert_eq!(database.write_ahead(), name == "write_ahead");
        for (table_name, expected) in &expected {
            let columns: Vec<&str> = expected["columns"]
                .as_array()
                .expect("a list")
                .iter()
                .map(|name| name.as_str().expect("text"))
                .collect();
            let table = database.table(&table_name.to_uppercase()).expect("a table");
            let (found, damages) = rows(&mut database, &table, &columns);
            if table_name == "no_rowid" {
                assert!(matches!(&damages[..], [damage] if damage.fault == Fault::WithoutRowid));
                continue;
            }
            assert_eq!(damages, [], "{name}.{table_name}");
            let expected = expected["rows"].as_array().expect("a list");
            assert_eq!(found.len(), expected.len(), "{name}.{table_name}");
            for (found, expected) in found.iter().zip(expected) {
                assert!(equal(found, expected), "{name}.{table_name}: {found} is not {expected}");
            }
            // A page can be full of rows while a root has none, but not the other way round.
            assert_eq!(database.has_rows(&table), !expected.is_empty(), "{name}.{table_name}");
            // Any one column alone, and columns that do not exist.
            for (index, column) in columns.iter().enumerate() {
                let (alone, _) = rows(&mut database, &table, &["no such column", column]);
                let same = |(found, expected): (&Json, &Json)| equal(&found[1], &expected[index]) && found[0].is_null();
                assert!(alone.iter().zip(expected).all(same), "{name}.{table_name}.{column}");
            }
        }
    }
}

#[test]
fn a_row_says_where_it_stands() {
    let file = database("reserved");
    let mut bytes = &file[..];
    let mut database = Database::open(&mut bytes).expect("a database");
    let table = database.table("t").expect("a table");
    database.scan(&table, &["a"], &mut |row| {
        let at = usize::try_from(row.position).expect("a small file");
        // Its length, its rowid, its header: three bytes, a number of one byte, a text of twenty.
        assert_eq!(file[at + 1..at + 5], [u8::try_from(row.rowid).expect("few"), 3, 1, 53]);
    });
}

#[test]
fn what_is_no_database_is_refused_where_it_is_wrong() {
    let refused = |file: &[u8]| {
        let mut bytes = file;
        Database::open(&mut bytes).err().unwrap_or_else(|| panic!("it was opened"))
    };
    assert_eq!(refused(b"").fault, Fault::Header);
    assert_eq!(refused(b"SQLite format 3\0 and nothing else").fault, Fault::Header);
    let mut file = database("small_pages");
    let with = |file: &mut Vec<u8>, at: usize, byte: u8| std::mem::replace(&mut file[at], byte);
    for (at, byte, fault) in
        [(5, b'?', Fault::Header), (16, 3, Fault::Header), (19, 3, Fault::Version), (20, 99, Fault::Header)]
    {
        let before = with(&mut file, at, byte);
        let damage = refused(&file);
        assert_eq!((damage.position, damage.fault), (if at == 5 { 0 } else { at as u64 }, fault));
        file[at] = before;
    }
    with(&mut file, 100, 7);
    assert_eq!(refused(&file), Damage { page: 1, position: 100, fault: Fault::Tree });
    assert_eq!(refused(&file).to_string(), "page 1: it is no page of a table");
    assert_eq!(
        [is_sqlite(b""), is_sqlite(b"SQL"), is_sqlite(b"sql"), is_sqlite(&file)],
        [None, None, Some(false), Some(true)]
    );
}

/// A file with a read error at some position.
struct Failing(Vec<u8>, u64);

impl ReadAt for Failing {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
        if offset >= self.1 {
            return Err(std::io::Error::other("the disk is gone"));
        }
        self.0.as_slice().read_at(offset, buffer)
    }
}

#[test]
fn what_is_damaged_costs_only_what_hangs_on_it() {
    let file = database("largest_pages");
    let mut failing = Failing(file.clone(), 1 << 17);
    let mut database_ = Database::open(&mut failing).expect("its first pages can be read");
    let table = database_.table("many").expect("a table");
    let (_, damages) = rows(&mut database_, &table, &["start"]);
    assert!(
        matches!(&damages[..], [Damage { fault: Fault::Io(what), .. }] if what == "the disk is gone"),
        "{damages:?}"
    );

    let whole = database("small_pages");
    let count = |file: &[u8], name: &str| {
        let mut bytes = file;
        let mut database = Database::open(&mut bytes).expect("a part of the list of tables");
        let Some(table) = database.table(name) else {
            // Damage of the list itself is reported.
            return (0, database.schema_damages().to_vec());
        };
        let (rows, damages) = rows(&mut database, &table, &["start", "last"]);
        (rows.len(), damages)
    };
    let (all, none) = count(&whole, "many");
    assert_eq!((all, none.len()), (600, 0));
    // The root of the table is an interior page: each of its pages in turn is replaced.
    let mut lost_rows = 0;
    let mut damaged_pages = 0;
    for page in 10..whole.len() / 512 {
        let mut file = whole.clone();
        file[page * 512] = 99;
        let (left, damages) = count(&file, "many");
        assert_eq!(left == all, damages.is_empty(), "page {}", page + 1);
        if let [damage] = &damages[..] {
            assert_eq!((damage.page as usize, damage.position), (page + 1, page as u64 * 512));
            damaged_pages += 1;
            lost_rows += all - left;
        }
    }
    assert!(damaged_pages > 10 && lost_rows >= 500, "{damaged_pages} pages, {lost_rows} rows");
    // A cut file keeps the content before the cut.
    let whole = database("usual_pages");
    let (all, _) = count(&whole, "long");
    let (left, damages) = count(&whole[..whole.len() - 3 * 4096], "long");
    assert!(left > 0 && left < all && !damages.is_empty(), "{left} of {all}: {damages:?}");
    assert!(damages.iter().all(|damage| damage.fault == Fault::Missing), "{damages:?}");
}

#[test]
fn a_tree_that_loops_ends() {
    let whole = database("small_pages");
    let pages = whole.len() / 512;
    for page in 1..pages {
        let at = page * 512;
        if whole[at] != 5 {
            continue;
        }
        // Every child and every next page of an interior page is that page itself, or the root of everything.
        for target in [u32::try_from(page).expect("few") + 1, 1, 0, u32::MAX] {
            let mut file = whole.clone();
            file[at + 8..at + 12].copy_from_slice(&target.to_be_bytes());
            for cell in 0..usize::from(file[at + 4]) {
                let pointer = at + 12 + 2 * cell;
                let start = at + usize::from(u16::from_be_bytes([file[pointer], file[pointer + 1]]));
                file[start..start + 4].copy_from_slice(&target.to_be_bytes());
            }
            scan_everything(&file);
        }
    }
}

/// Reads everything; returns rows and damages.
fn scan_everything(file: &[u8]) -> (usize, usize) {
    check_sqlite(file).expect("no more than a file can hold")
}

#[test]
fn flipped_bytes_neither_panic_nor_hang() {
    let mut seed = 7_u64;
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).expect("31 bits") % below
    };
    for name in ["reserved", "write_ahead", "utf16_big", "small_pages"] {
        let whole = database(name);
        let (rows, _) = scan_everything(&whole);
        assert!(rows > 5);
        for _ in 0..400 {
            let mut file = whole.clone();
            for _ in 0..=random(6) {
                // Headers of pages more often than their contents.
                let at =
                    if random(2) == 0 { random(whole.len()) } else { random(whole.len() / 512) * 512 + random(40) };
                file[at] = [0, 1, 5, 13, 0x7f, 0x80, 0xff, u8::try_from(random(256)).expect("a byte")][random(8)];
            }
            file.truncate(if random(10) == 0 { random(whole.len()) } else { whole.len() });
            scan_everything(&file);
        }
    }
}
