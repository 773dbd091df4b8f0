//! `cargo xtask docs`: checks the links of all Markdown files, and builds the book.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::files::files_below;
use crate::shell::{Result, capture, command, heading, run};
use crate::skips::skip;
use crate::{page, paths, setup};

/// The book's sources.
pub(crate) fn sources() -> PathBuf {
    paths::root().join("docs/src")
}

/// Checks, then builds into `target/book`.
pub(crate) fn task(args: &[String]) -> Result {
    if !args.is_empty() {
        return Err("docs takes no options".into());
    }
    links()?;
    if let Some(book) = book()? {
        eprintln!("open {}", book.join("index.html").display());
    }
    Ok(())
}

/// Builds the book into `target/book`, and checks its links. Returns its folder; none if mdBook is not available.
pub(crate) fn book() -> Result<Option<PathBuf>> {
    heading("the book");
    let programs = match setup::mdbook() {
        Ok(programs) => programs,
        Err(error) => {
            skip(&format!("the book: {error}"));
            return Ok(None);
        }
    };
    let book = paths::target().join("book");
    let sources = paths::target().join("book-sources");
    crate::book::write_sources(&sources)?;
    // Removes an earlier build.
    let _ = fs::remove_dir_all(&book);
    run(command(programs.join("mdbook")).arg("build").arg(&sources).arg("--dest-dir").arg(&book))?;
    crate::book::apply_policy(&book, &page::policy()?)?;
    dead_links(&book)?;
    Ok(Some(book))
}

/// Fails if a link or a picture of the built book has no target.
fn dead_links(book: &Path) -> Result {
    let mut found = Vec::new();
    for page in files_below(book, "html") {
        let text = fs::read_to_string(&page).map_err(|error| format!("{}: {error}", page.display()))?;
        // The list of chapters is shown within pages of all folders, so its links are relative to those.
        let name = page.strip_prefix(book).unwrap_or(&page).to_string_lossy().into_owned();
        if name == "toc.html" {
            continue;
        }
        let folder = page.parent().unwrap_or(book);
        // Code may have links of other pages.
        let parts = text.split("<pre").enumerate();
        let prose: String = parts.map(|(index, part)| if index == 0 { part } else { after(part, "</pre>") }).collect();
        let links = ["href=\"", "src=\"", "srcset=\""].into_iter().flat_map(|before| prose.split(before).skip(1));
        for target in links.filter_map(|rest| rest.split('"').next()) {
            let path = target.split('#').next().unwrap_or_default();
            if !path.is_empty() && !target.contains(':') && !folder.join(path).exists() {
                found.push(format!("{name}: {target}"));
            }
        }
    }
    if found.is_empty() { Ok(()) } else { Err(format!("dead links in the book:\n  {}", found.join("\n  "))) }
}

/// The part of a text after a mark.
fn after<'a>(text: &'a str, mark: &str) -> &'a str {
    text.split_once(mark).map_or("", |(_, rest)| rest)
}

/// Fails if a link of a Markdown file has no target, or the book's summary lacks a page. Fails, too, if a page in one
/// language does not link to the other.
pub(crate) fn links() -> Result {
    heading("links of the documents");
    let listed = capture(command("git").args(["ls-files", "--cached", "--others", "--exclude-standard", "*.md"]));
    let Some(listed) = listed else {
        skip("links of the documents: git lists no files here");
        return Ok(());
    };
    let root = paths::root();
    let mut broken = Vec::new();
    // The npm package's files are elsewhere once it is built.
    let files = listed.lines().filter(|name| !name.starts_with("tests/fixtures") && !name.starts_with("www/embed/npm"));
    for name in files {
        let Ok(text) = fs::read_to_string(root.join(name)) else { continue };
        let folder = root.join(name).parent().map(Path::to_path_buf).unwrap_or_default();
        for target in targets(&text) {
            if !leads_somewhere(&folder, &root.join(name), target) {
                broken.push(format!("{name}: {target}"));
            }
        }
    }
    broken.extend(unpaired());
    broken.extend(unlisted()?.into_iter().map(|page| format!("docs/src/SUMMARY.md lacks {page}")));
    broken.extend(unused_pictures().into_iter().map(|picture| format!("no page shows {}", picture.display())));
    if broken.is_empty() { Ok(()) } else { Err(format!("broken links:\n  {}", broken.join("\n  "))) }
}

/// The targets of a document's links and pictures, without code.
fn targets(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut is_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        if is_code {
            continue;
        }
        // Every second part is between backquotes.
        for prose in line.split('`').step_by(2) {
            for (before, end) in [("](", ')'), ("srcset=\"", '"'), ("src=\"", '"')] {
                found.extend(prose.split(before).skip(1).filter_map(|rest| rest.split(end).next()));
            }
        }
    }
    found
}

/// Whether a link from a document has a target: a file, and one of its headings if it names one.
fn leads_somewhere(folder: &Path, document: &Path, target: &str) -> bool {
    if target.contains("://") || target.starts_with("mailto:") {
        return true;
    }
    let (path, heading) = target.split_once('#').map_or((target, None), |(path, heading)| (path, Some(heading)));
    let file = if path.is_empty() { document.to_path_buf() } else { folder.join(path) };
    match heading {
        Some(heading) if file.extension().is_some_and(|end| end == "md") => {
            fs::read_to_string(&file).is_ok_and(|text| anchors(&text).contains(heading))
        }
        _ => file.exists(),
    }
}

/// The anchors of headings.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let name = |heading: &str| {
        let kept = heading
            .to_lowercase()
            .chars()
            .filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c))
            .collect::<String>();
        kept.replace(' ', "-")
    };
    headings.map(name).collect()
}

/// Chinese pages that are not linked with the English page of the same name, both ways.
fn unpaired() -> Vec<String> {
    let chinese = sources().join("zh");
    let mut found = Vec::new();
    for page in pages_below(&chinese) {
        let Ok(name) = page.strip_prefix(&chinese) else { continue };
        let english = sources().join(name);
        // One step up for each folder of the name.
        let up = "../".repeat(name.components().count());
        let name = name.to_string_lossy().replace('\\', "/");
        let back = &up[3..];
        for (from, to) in [(&english, format!("{back}zh/{name}")), (&page, format!("{up}{name}"))] {
            let text = fs::read_to_string(from).unwrap_or_default();
            if !targets(&text).contains(&to.as_str()) {
                found.push(format!("{} has no link to {to}", from.display()));
            }
        }
    }
    found
}

/// The pages in a folder and its subfolders.
fn pages_below(folder: &Path) -> Vec<PathBuf> {
    files_below(folder, "md")
}

/// Pictures of the book that are on no page and in no README.
fn unused_pictures() -> Vec<PathBuf> {
    let pages = pages_below(&sources()).into_iter().chain([paths::root().join("README.md")]);
    let mut shown = BTreeSet::new();
    for page in pages {
        let text = fs::read_to_string(&page).unwrap_or_default();
        let folder = page.parent().map(Path::to_path_buf).unwrap_or_default();
        shown.extend(targets(&text).into_iter().filter_map(|target| folder.join(target).canonicalize().ok()));
    }
    let pictures = ["png", "svg"].into_iter().flat_map(|kind| files_below(&sources().join("img"), kind));
    pictures.filter(|picture| picture.canonicalize().is_ok_and(|path| !shown.contains(&path))).collect()
}

/// Pages of the book that its summary does not list.
fn unlisted() -> Result<Vec<String>> {
    let summary = sources().join("SUMMARY.md");
    let text = fs::read_to_string(&summary).map_err(|error| format!("{}: {error}", summary.display()))?;
    let listed: BTreeSet<&str> = targets(&text).into_iter().collect();
    let mut found = Vec::new();
    for path in pages_below(&sources()) {
        let name = path.strip_prefix(sources()).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        if name != "SUMMARY.md" && !listed.contains(name.as_str()) {
            found.push(name);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_in_code_are_no_links() {
        let text = "[a](a.md#one) `[b](b.md)`\n```\n[c](c.md)\n```\n<img src=\"d.png\">";
        assert_eq!(targets(text), ["a.md#one", "d.png"]);
        assert!(anchors("# One `two`, three!\n").contains("one-two-three"));
    }

    #[test]
    fn chinese_pages_and_english_ones_lead_to_each_other() {
        let pages = pages_below(&sources().join("zh"));
        assert!(pages.iter().any(|page| page.ends_with("recording/commands.md")), "{pages:?}");
        assert_eq!(unpaired(), Vec::<String>::new());
    }

    #[test]
    fn pictures_are_shown() {
        assert!(!files_below(&sources().join("img"), "png").is_empty());
        assert_eq!(unused_pictures(), Vec::<PathBuf>::new());
    }

    #[test]
    fn a_link_to_nothing_is_found() {
        let root = paths::root();
        let readme = root.join("README.md");
        let leads = |target| leads_somewhere(&root, &readme, target);
        assert!(leads("docs/src/index.md") && leads("https://example.org/") && leads("#formats"));
        assert!(!leads("docs/src/none.md") && !leads("#none") && !leads("docs/src/page.md#none"));
    }
}
