//! `stepscope report`.

use std::fs;

use crate::support::{Printed, folder, page, program, trace};

#[test]
fn its_size_is_said_without_writing_and_is_that_of_what_is_written() {
    let folder = folder("report");
    let file = trace(&folder, "a.json", 0);
    let page = page(&folder);
    let run = |options: &[&str]| {
        let mut command = program();
        command.current_dir(&folder).arg("report").args(options).arg("--page").arg(&page).arg(&file);
        Printed::of(&mut command)
    };
    for options in [&[][..], &["--trace"]] {
        let dry = run(&[options, &["--dry-run"]].concat());
        assert_eq!((dry.code, dry.out.as_str()), (Some(0), ""), "{}", dry.err);
        let names: Vec<_> =
            fs::read_dir(&folder).expect("the folder").map(|one| one.expect("a file").file_name()).collect();
        assert!(names.iter().all(|name| name == "a.json" || name == "page"), "{names:?}");
        let written = run(&[options, &["--print-path"]].concat());
        assert_eq!((written.code, written.out.as_str(), &written.err), (Some(0), "a.html\n", &dry.err));
        let path = folder.join("a.html");
        let html = fs::read_to_string(&path).expect("the report");
        let said = written.err.strip_prefix("a.html: ").expect("its name");
        let size = stepscope::present::text::bytes(html.len() as u64);
        assert!(said.starts_with(&size), "{said} of {size}");
        assert_eq!(
            html.matches("data-stepscope-path=\"a.json\" data-stepscope-packed=\"gzip\">").count(),
            options.len()
        );
        assert!(html.ends_with("</html>\n"));
        fs::remove_file(path).expect("it is there");
    }
}

#[test]
fn what_fails_leaves_nothing() {
    let folder = folder("report-fails");
    let file = trace(&folder, "a.json", 0);
    let output = folder.join("nowhere/a.html");
    let message = Printed::of(program().arg("report").arg("-o").arg(&output).arg(&file)).failure(1);
    assert!(message.contains("nowhere"), "{message}");
    let missing =
        Printed::of(program().current_dir(&folder).args(["report", "--trace", "--page"]).arg(&folder).arg(&file));
    assert_eq!(missing.code, Some(1), "{}", missing.err);
    assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 1);
}

#[test]
fn its_language_is_chosen() {
    let folder = folder("report-language");
    let file = trace(&folder, "a.json", 0);
    let written = |language: &str| {
        let output = folder.join(format!("{language}.html"));
        let arguments = ["report", "--language", language, "-o"];
        let printed = Printed::of(program().args(arguments).arg(&output).arg(&file));
        assert_eq!(printed.code, Some(0), "{}", printed.err);
        fs::read_to_string(output).expect("the report")
    };
    let (english, chinese) = (written("en"), written("zh"));
    assert!(english.contains("<html lang=\"en\">") && english.contains(">Contents</h2>"), "{english}");
    assert!(chinese.contains("<html lang=\"zh-Hans\">") && chinese.contains(">目录</h2>"), "{chinese}");
    let message = Printed::of(program().args(["report", "--language", "fr"]).arg(&file)).failure(2);
    assert!(message.contains("[possible values: en, zh]"), "{message}");
}

#[test]
fn its_summary_is_written_as_markdown() {
    let folder = folder("report-markdown");
    let file = trace(&folder, "a.json", 0);
    let run = |options: &[&str]| Printed::of(program().current_dir(&folder).arg("report").args(options).arg(&file));
    let printed = run(&["--markdown", "-o", "-"]);
    assert_eq!(printed.code, Some(0), "{}", printed.err);
    let printed = printed.out;
    assert!(printed.starts_with("### ") && printed.contains("- File: `a.json"), "{printed}");
    let named = run(&["--markdown", "--print-path"]);
    assert_eq!((named.code, named.out.as_str()), (Some(0), "a.md\n"), "{}", named.err);
    assert_eq!(fs::read_to_string(folder.join("a.md")).expect("the summary"), printed);
    assert_eq!(run(&["-o", "b.md"]).code, Some(0));
    assert_eq!(fs::read_to_string(folder.join("b.md")).expect("the summary"), printed);
    for (options, expected) in [
        (&["-o", "c.md", "--trace"][..], "Markdown carries no trace"),
        (&["-o", "c.html", "--markdown"], "--markdown writes .md"),
    ] {
        let message = run(options).failure(1);
        assert!(message.contains(expected), "{message}");
    }
}
