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
fn a_folder_gets_a_file_of_each_table_that_has_rows() {
    let folder = folder("table-csv-all");
    let file = trace(&folder, "a.json", 1);
    let to = folder.join("tables");
    let all = Printed::of(program().args(["summary", "-o"]).arg(&to).arg(&file)).success();
    let json = Printed::of(program().args(["summary", "--json"]).arg(&file)).success();
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let rank = &json["ranks"][0];
    let read = |name: &str| fs::read_to_string(to.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let records = |text: &str| text.split("\r\n").filter(|line| !line.is_empty()).count() - 1;

    for (name, rows) in [
        ("steps.csv", &rank["steps"]),
        ("operators.csv", &rank["operators"]),
        ("causes.csv", &rank["causes"]),
        ("launches.names.csv", &rank["launches"]["names"]),
    ] {
        assert_eq!(records(&read(name)), rows.as_array().expect("rows").len(), "{name}");
        assert!(all.contains(&format!("{name}: ")), "{all}");
    }
    // A table in a list has the place in the list; of columns that rows and ranks have, there is one.
    let longest = read("causes.longest.csv");
    let causes = rank["causes"].as_array().expect("causes");
    let inner: Vec<&Value> =
        causes.iter().flat_map(|cause| cause["longest"].as_array().into_iter().flatten()).collect();
    assert!(longest.starts_with("input,rank,causes_row,leaf,start_ns,length_ns,"), "{longest}");
    assert_eq!(records(&longest), inner.len());
    let first = ["leaf", "start_ns", "length_ns"].map(|key| inner[0][key].to_string().replace('"', ""));
    assert!(longest.lines().nth(1).is_some_and(|line| line.contains(&format!(",0,{},", first.join(",")))), "{longest}");
    // The use of the device, the critical path and the whole budget are asked for.
    for name in ["kernel_use.kernels.csv", "critical_path.rows.csv", "budget.branches.leaves.csv"] {
        assert!(records(&read(name)) > 0, "{name}");
    }
    // A table without rows has no file.
    assert!(!to.join("cluster.rows.csv").exists());

    let some = folder.join("some");
    Printed::of(program().args(["summary", "--by", "kernels", "-o"]).arg(&some).arg(&file)).success();
    let mut names: Vec<String> = fs::read_dir(&some)
        .expect("a folder")
        .map(|file| file.expect("a file").file_name().to_string_lossy().into())
        .collect();
    names.sort();
    assert_eq!(names, ["kernel_families.csv", "kernels.csv"]);
    let standard = Printed::of(program().args(["summary", "--by", "kernels", "-o", "-"]).arg(&file)).success();
    assert_eq!(standard, fs::read_to_string(some.join("kernels.csv")).expect("a file"));
    // Those of `--by all` are all.
    let both = folder.join("both");
    let of_all = Printed::of(program().args(["summary", "--by", "all", "-o"]).arg(&both).arg(&file)).success();
    assert_eq!(of_all.lines().count(), all.lines().count());
}

#[test]
fn what_is_no_table_or_no_csv_is_refused() {
    let folder = folder("table-csv-refused");
    let file = trace(&folder, "a.json", 1);
    let refused = |options: &[&str], name: &str| {
        Printed::of(program().arg("summary").args(options).arg("-o").arg(folder.join(name)).arg(&file)).failure(1)
    };
    assert!(refused(&["--by", "advice"], "a.csv").contains("no table for a CSV file"));
    assert!(refused(&["--by", "launches"], "a.csv").contains("launches.names, launches.slowest, launches.latest"));
    assert!(refused(&[], "a.csv").contains("the table that --by names"));
    assert!(refused(&["--by", "kernels"], "a.txt").contains("ends in .csv"));
    assert!(refused(&["--by", "job"], "tables").contains("no table with rows"));
    // Known before anything is read; tables of another trace in the folder would be taken for this one's.
    let nothing =
        program().args(["summary", "-o", "a.csv"]).arg(folder.join("nothing.json")).output().expect("it runs");
    assert!(String::from_utf8_lossy(&nothing.stderr).contains("the table that --by names"));
    assert!(refused(&["--by", "kernels"], "").contains("the folder is not empty"));
    assert!(["a.csv", "a.txt", "tables"].iter().all(|name| !folder.join(name).exists()));
}
