//! The book: `docs/`. Some pages include the text of a file elsewhere, and links that leave `docs/src` lead to the
//! repository.

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Component, Path, PathBuf};

use crate::files::files_below;
use crate::files::write;
use crate::paths;
use crate::shell::Result;

/// The address of files that are not in the book.
const REPOSITORY: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/");

/// The beginning of a line that is replaced by the text of a file, without its title.
const INCLUDE: &str = "<!-- include ";

/// The beginning of mdBook's pages.
const CHARSET: &str = "<meta charset=\"UTF-8\">";

/// The style attributes of mdBook's pages, with the classes of `docs/book.css` that stand in for them.
const STYLES: [(&str, &str); 2] = [("text-align: right", "right"), ("clear: both", "clear")];

/// Writes the sources of the book for mdBook into a folder: all of `docs/`.
pub(crate) fn write_sources(out: &Path) -> Result {
    let _ = fs::remove_dir_all(out);
    copy(&paths::root().join("docs"), out)
}

fn copy(from: &Path, to: &Path) -> Result {
    let failed = |error: std::io::Error| format!("{}: {error}", from.display());
    fs::create_dir_all(to).map_err(failed)?;
    for path in fs::read_dir(from).map_err(failed)?.flatten().map(|entry| entry.path()) {
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy(&path, &target)?;
        } else if path.extension().is_some_and(|end| end == "md") {
            let text = page(&path)?;
            fs::write(&target, text).map_err(|error| format!("{}: {error}", target.display()))?;
        } else {
            fs::copy(&path, &target).map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    Ok(())
}

/// The text of a page of the book.
fn page(path: &Path) -> Result<String> {
    let text = read(path)?;
    let mut whole = String::new();
    for line in text.lines() {
        let included = line.strip_prefix(INCLUDE).and_then(|rest| rest.split_once(" -->"));
        if let Some((name, _)) = included {
            let file = normal(&path.with_file_name(name));
            let body = read(&file)?;
            whole.push_str(&linked(without_title(&body), &file, path));
        } else {
            whole.push_str(&linked(line, path, path));
        }
        whole.push('\n');
    }
    Ok(whole)
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn without_title(text: &str) -> &str {
    if text.starts_with("# ") { text.split_once('\n').map_or("", |(_, rest)| rest) } else { text }
}

/// The text of a file, with relative links adapted to a page of the book.
fn linked(text: &str, file: &Path, page: &Path) -> String {
    let mut is_code = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        is_code ^= line.trim_start().starts_with("```");
        if is_code {
            lines.push(line.to_owned());
            continue;
        }
        // Every second part is between backquotes; the text of a link may have some.
        let mut parts = line.split("](");
        let mut made = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (target, rest) = part.split_once(')').unwrap_or((part, ""));
            made.push_str(&format!("]({})", target_on_page(target, file, page)));
            made.push_str(rest);
        }
        lines.push(made);
    }
    lines.join("\n")
}

/// The target of a file's link, as a link of a page of the book.
fn target_on_page(target: &str, file: &Path, page: &Path) -> String {
    if target.contains("://") || target.starts_with(['#', '/']) || target.starts_with("mailto:") {
        return target.to_owned();
    }
    let (path, heading) = target.split_once('#').map_or((target, None), |(path, heading)| (path, Some(heading)));
    let absolute = normal(&file.with_file_name(path));
    let heading = heading.map(|heading| format!("#{heading}")).unwrap_or_default();
    let (root, sources) = (paths::root(), paths::root().join("docs/src"));
    if absolute.starts_with(&sources) {
        if file == page {
            return target.to_owned();
        }
        let up = page.strip_prefix(&sources).map_or(0, |page| page.components().count() - 1);
        let inside = absolute.strip_prefix(&sources).unwrap_or(&absolute);
        return format!("{}{}{heading}", "../".repeat(up), slashes(inside));
    }
    format!("{REPOSITORY}{}{heading}", slashes(absolute.strip_prefix(&root).unwrap_or(&absolute)))
}

fn slashes(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// A path without `..` and `.`.
fn normal(path: &Path) -> PathBuf {
    let mut found = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(found.pop()),
            Component::CurDir => (),
            part => found.push(part),
        }
    }
    found
}

/// Gives the pages of a built book a content security policy that forbids inline scripts and styles: scripts become files, styles
/// become classes.
pub(crate) fn apply_policy(book: &Path, policy: &str) -> Result {
    for path in files_below(book, "html") {
        let depth = path.strip_prefix(book).map_or(0, |name| name.components().count() - 1);
        let (text, scripts) = with_policy(&read(&path)?, policy, &"../".repeat(depth))
            .map_err(|problem| format!("{}: {problem}", path.display()))?;
        for (name, script) in scripts {
            write(&book.join(name), script.as_bytes())?;
        }
        write(&path, text.as_bytes())?;
    }
    Ok(())
}

/// A built page under a policy, with the names and texts of the scripts moved out of it. `up` leads to the book's
/// folder.
fn with_policy(page: &str, policy: &str, up: &str) -> Result<(String, Vec<(String, String)>)> {
    let mut page = page.to_owned();
    for (style, class) in STYLES {
        page = page.replace(&format!(" style=\"{style}\""), &format!(" class=\"{class}\""));
    }
    if page.contains(" style=\"") {
        return Err("a style attribute, which the policy forbids".to_owned());
    }
    let (head, rest) = page.split_once(CHARSET).ok_or("no character set")?;
    let mut parts = rest.split("<script>");
    let first = parts.next().unwrap_or_default();
    let mut text =
        format!("{head}{CHARSET}\n<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">{first}");
    let mut scripts = Vec::new();
    for part in parts {
        let (script, rest) = part.split_once("</script>").ok_or("a script without an end")?;
        let mut hasher = DefaultHasher::new();
        hasher.write(script.as_bytes());
        let name = format!("inline-{:016x}.js", hasher.finish());
        text.push_str(&format!("<script src=\"{up}{name}\"></script>{rest}"));
        scripts.push((name, script.to_owned()));
    }
    Ok((text, scripts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_pages_of_the_book_or_to_the_repository() {
        let root = paths::root();
        let page = root.join("docs/src/contributing.md");
        let file = root.join("CONTRIBUTING.md");
        let text = "[a](ARCHITECTURE.md) and [`b`](docs/src/page.md#tables), [c](https://example.org/), [d](#here)\n```\n[e](x.md)\n```";
        let repository = REPOSITORY;
        assert_eq!(
            linked(text, &file, &page),
            format!(
                "[a]({repository}ARCHITECTURE.md) and [`b`](page.md#tables), [c](https://example.org/), [d](#here)\n```\n[e](x.md)\n```"
            )
        );
        assert_eq!(linked("[a](ranks.md)", &page, &page), "[a](ranks.md)");
        let deep = root.join("docs/src/zh/recording/rust.md");
        assert_eq!(linked("[a](../../page.md)", &deep, &deep), "[a](../../page.md)");
    }

    #[test]
    fn pages_have_the_text_of_files() {
        let text = page(&paths::root().join("docs/src/numbers.md")).expect("a page");
        assert!(text.starts_with("# ") && text.contains("| heading | meaning |"), "{text}");
        assert!(!text.contains(INCLUDE));
    }

    #[test]
    fn pages_have_no_inline_scripts_and_styles() {
        let page = "<head><meta charset=\"UTF-8\"></head><td style=\"text-align: right\">1</td><script>let a = 1;</script>\
                    <p>b</p><script src=\"c.js\"></script>";
        let (text, scripts) = with_policy(page, "default-src 'none'", "../").expect("a page");
        let [(name, script)] = scripts.as_slice() else { panic!("{scripts:?}") };
        assert_eq!(script, "let a = 1;");
        assert_eq!(
            text,
            format!(
                "<head><meta charset=\"UTF-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\">\
                 </head><td class=\"right\">1</td><script src=\"../{name}\"></script><p>b</p><script src=\"c.js\"></script>"
            )
        );
        let colored = "<meta charset=\"UTF-8\"><p style=\"color: red\">";
        assert!(with_policy(colored, "default-src 'none'", "").is_err());
    }
}
