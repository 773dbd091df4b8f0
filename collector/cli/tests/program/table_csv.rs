//! `stepscope summary --by TABLE -o FILE.csv`.

use std::fs;

use serde_json::Value;

use crate::support::{Printed, folder, program, trace};

#[test]
fn a_table_is_written_with_all_its_columns() {
    let folder = folder("table-csv");
    let file = trace(&folder, "a.json", 1);
    let written = folder.join("kernels.csv");
    Printed::of(program().args(["summary", "--by", "kernels", "-o"]).arg(&written).arg(&file)).success();
    let csv = fs::read_to_string(&written).expect("a file");
    let json = Printed::of(program().args(["summary", "--json", "--by", "kernels"]).arg(&file)).success();
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let rows = json["ranks"][0]["kernels"].as_array().expect("kernels");
    assert_eq!(csv.lines().count(), rows.len() + 1, "{csv}");
    let heads: Vec<&str> = csv.lines().next().unwrap_or_default().split(',').collect();
    let keys: Vec<&str> = rows[0].as_object().expect("a row").keys().map(String::as_str).collect();
    assert_eq!(heads[..2], ["input", "rank"]);
    for key in keys {
        assert!(heads.contains(&key), "{key} is not in {heads:?}");
    }
}

#[test]
fn what_is_no_table_or_no_csv_is_refused() {
    let folder = folder("table-csv-refused");
    let file = trace(&folder, "a.json", 1);
    let refused = |table: &str, name: &str| {
        Printed::of(program().args(["summary", "--by", table, "-o"]).arg(folder.join(name)).arg(&file)).failure(1)
    };
    assert!(refused("drill-down", "a.csv").contains("--output writes the tables"));
    assert!(refused("kernels", "a.txt").contains("ends in .csv"));
    assert!(!folder.join("a.csv").exists() && !folder.join("a.txt").exists());
}
