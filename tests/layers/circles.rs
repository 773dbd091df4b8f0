//! Files that import each other in a loop. Without circles, a crate can be read in one direction: from dependencies to
//! their users.

use std::collections::{BTreeMap, BTreeSet};

use super::{files, none, page, rust, short, text};

/// A word, `::` or another character of Rust code.
type Token<'a> = &'a str;

/// The module of a file, or one within it: the names from the crate's root.
type Module<'a> = Vec<&'a str>;

/// A path to an item, and the module in which it stands.
type Import<'a> = (Module<'a>, Vec<&'a str>);

/// The length of the text or character that begins here, or of the comment.
fn skipped(code: &str) -> usize {
    let to = |end: &str, from: usize| code[from..].find(end).map_or(code.len(), |at| from + at + end.len());
    if code.starts_with("//") {
        return to("\n", 0);
    }
    if code.starts_with("/*") {
        return to("*/", 2);
    }
    let raw = code.strip_prefix('b').unwrap_or(code);
    if let Some(rest) = raw.strip_prefix('r') {
        let hashes = rest.len() - rest.trim_start_matches('#').len();
        if rest[hashes..].starts_with('"') {
            return to(&format!("\"{}", &rest[..hashes]), code.len() - rest.len() + hashes + 1);
        }
    }
    let quote = code.chars().next().unwrap_or_default();
    let mut rest = code.char_indices().skip(1);
    // A lifetime is a quote without another one two characters on.
    if quote == '\'' && !code[1..].starts_with('\\') && code.chars().nth(2) != Some('\'') {
        return 1;
    }
    if quote != '"' && quote != '\'' {
        return 0;
    }
    while let Some((at, character)) = rest.next() {
        match character {
            '\\' => drop(rest.next()),
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    code.len()
}

/// The parts of a file without its unit tests: a module of its own somewhere, or the end of the file.
fn without_tests(text: &str) -> impl Iterator<Item = &str> {
    let mut parts = text.split("\n#[cfg(test)]\nmod ");
    let first = parts.next();
    let others = parts.map_while(|part| part.split_once('\n').filter(|(name, _)| name.ends_with(';')));
    first.into_iter().chain(others.map(|(_, rest)| rest))
}

/// The tokens of a part of a file: no comments and texts.
fn tokens(mut rest: &str) -> Vec<Token<'_>> {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    let mut found = Vec::new();
    while let Some(first) = rest.chars().next() {
        let skip = skipped(rest);
        if skip > 0 {
            rest = &rest[skip..];
            continue;
        }
        let length = match first {
            _ if is_part(first) => rest.find(|character| !is_part(character)).unwrap_or(rest.len()),
            ':' if rest.starts_with("::") => 2,
            _ => first.len_utf8(),
        };
        if !first.is_whitespace() {
            found.push(&rest[..length]);
        }
        rest = &rest[length..];
    }
    found
}

fn is_name(token: Token) -> bool {
    token.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// A crate's modules, by the names from its root.
#[derive(Default)]
struct Modules<'a> {
    /// The file in which each module stands.
    files: BTreeMap<Module<'a>, &'a str>,
    /// The items that a module defines.
    items: BTreeSet<(Module<'a>, &'a str)>,
    /// The paths of the names that a module imports.
    names: BTreeMap<(Module<'a>, &'a str), Vec<&'a str>>,
}

/// The statements of a file, in order: its imports and its uses of names.
#[derive(Default)]
struct Scan<'a> {
    imports: Vec<Import<'a>>,
    /// Names that are re-exported (`pub use`): imports only if the file itself names them.
    handed_on: Vec<(Import<'a>, &'a str)>,
    words: BTreeMap<&'a str, usize>,
}

/// The paths of a `use` from its first token to its semicolon, each with the name that it has here.
fn use_paths<'a>(tokens: &[Token<'a>], before: &[&'a str], found: &mut Vec<(Vec<&'a str>, &'a str)>) -> usize {
    let mut path = before.to_vec();
    let mut at = 0;
    let mut alias = None;
    let mut is_group = false;
    while let Some(token) = tokens.get(at) {
        match *token {
            "{" => {
                is_group = true;
                at += 1;
                while !matches!(tokens.get(at), None | Some(&"}")) {
                    at += use_paths(&tokens[at..], &path, found);
                    at += usize::from(tokens.get(at) == Some(&","));
                }
            }
            "," | "}" | ";" => break,
            "as" => {
                alias = tokens.get(at + 1).copied();
                at += 1;
            }
            "self" if path.len() > before.len() || !before.is_empty() => {}
            token if is_name(token) => path.push(token),
            _ => {}
        }
        at += 1;
    }
    if !is_group && let Some(last) = path.last().copied() {
        found.push((path, alias.unwrap_or(last)));
    }
    at
}

/// Adds a file's items and names to those of its crate.
fn scan<'a>(file: &'a str, root: &Module<'a>, tokens: &[Token<'a>], modules: &mut Modules<'a>) -> Scan<'a> {
    const DEFINE: [&str; 10] =
        ["fn", "struct", "enum", "union", "trait", "type", "const", "static", "mod", "macro_rules"];
    let mut scan = Scan::default();
    let mut module = root.clone();
    modules.files.insert(module.clone(), file);
    // The depths at which modules within the file began.
    let mut within = Vec::new();
    let (mut depth, mut at) = (0, 0);
    while let Some(token) = tokens.get(at).copied() {
        let next = |by: usize| tokens.get(at + by).copied().unwrap_or_default();
        match token {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => {
                depth -= 1;
                if within.last() == Some(&depth) {
                    within.pop();
                    module.pop();
                }
            }
            "mod" if next(2) == "{" => {
                module.push(next(1));
                modules.files.insert(module.clone(), file);
                within.push(depth);
                depth += 1;
                at += 2;
            }
            "use" if is_name(next(1)) || next(1) == "::" => {
                let mut paths = Vec::new();
                let is_public = at > 0 && matches!(tokens[at - 1], "pub" | ")");
                at += use_paths(&tokens[at + 1..], &[], &mut paths);
                for (path, name) in paths {
                    modules.names.insert((module.clone(), name), path.clone());
                    if is_public {
                        scan.handed_on.push(((module.clone(), path), name));
                    } else {
                        scan.imports.push((module.clone(), path));
                    }
                }
            }
            token if DEFINE.contains(&token) && depth == within.len() => {
                let name = (1..4).map(next).find(|name| is_name(name) && !matches!(*name, "mut" | "fn" | "unsafe"));
                if token == "mod" {
                    at += 1;
                } else {
                    modules.items.insert((module.clone(), name.unwrap_or_default()));
                }
            }
            token if is_name(token) => {
                let mut path = vec![token];
                while next(2 * path.len() - 1) == "::" && is_name(next(2 * path.len())) {
                    path.push(next(2 * path.len()));
                }
                *scan.words.entry(token).or_default() += 1;
                // A macro's paths belong to its callers.
                let is_of_macro = at > 0 && tokens[at - 1] == "$";
                if path.len() > 1 && !is_of_macro {
                    at += 2 * (path.len() - 1);
                    scan.imports.push((module.clone(), path));
                }
            }
            _ => {}
        }
        at += 1;
    }
    scan
}

impl<'a> Modules<'a> {
    /// The file that defines the item of a path; `None` for modules and for items of other crates.
    fn file_of(&self, module: &Module<'a>, path: &[&'a str], most: usize) -> Option<&'a str> {
        let mut current = module.clone();
        for (place, name) in path.iter().enumerate() {
            let rest = &path[place + 1..];
            let child = || current.iter().copied().chain([*name]).collect::<Module<'a>>();
            match *name {
                "crate" => current.clear(),
                "self" => {}
                "super" => drop(current.pop()),
                _ if self.files.contains_key(&child()) => current.push(name),
                _ if self.items.contains(&(current.clone(), *name)) => return self.files.get(&current).copied(),
                _ => {
                    if let Some(path) = self.names.get(&(current.clone(), *name)).filter(|_| most > 0) {
                        let path: Vec<&str> = path.iter().chain(rest).copied().collect();
                        return self.file_of(&current, &path, most - 1);
                    }
                    // A macro's item, or a name that is not of this crate.
                    return (place > 0).then(|| self.files.get(&current).copied()).flatten();
                }
            }
        }
        None
    }
}

/// The files that each one imports from, with the names.
type Imports<'a> = BTreeMap<&'a str, BTreeMap<&'a str, BTreeSet<String>>>;

fn imports(sources: &[(String, String)]) -> Imports<'_> {
    let mut modules = Modules::default();
    let mut scans = Vec::new();
    for (name, text) in sources {
        let mut module: Module = name.trim_end_matches(".rs").split('/').collect();
        if matches!(module.last(), Some(&("mod" | "lib" | "main"))) {
            module.pop();
        }
        scans.push((
            name.as_str(),
            scan(name, &module, &without_tests(text).flat_map(tokens).collect::<Vec<_>>(), &mut modules),
        ));
    }
    let mut found = Imports::new();
    for (file, scan) in scans {
        let own = found.entry(file).or_default();
        let named = scan.handed_on.into_iter().filter(|(_, name)| scan.words.contains_key(name));
        for (module, path) in scan.imports.into_iter().chain(named.map(|(import, _)| import)) {
            let from = modules.file_of(&module, &path, 8).filter(|from| *from != file);
            if let Some(from) = from {
                own.entry(from).or_default().insert(path.join("::"));
            }
        }
    }
    found
}

/// All files that a file imports from, directly or through others.
fn reached<'a>(imports: &Imports<'a>, file: &'a str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![file];
    while let Some(file) = open.pop() {
        let next = imports.get(file).into_iter().flat_map(|own| own.keys());
        open.extend(next.filter(|next| reached.insert(**next)));
    }
    reached
}

/// The imports that are part of a circle, each as a line.
fn circles(imports: &Imports<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for (file, own) in imports {
        for (from, names) in own.iter().filter(|(from, _)| reached(imports, from).contains(file)) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            found.push(format!("{file} imports {from}: {}", names.join(", ")));
        }
    }
    found
}

/// The sources of a folder without tests, by their paths in it.
fn sources(folder: &str) -> Vec<(String, String)> {
    let is_test = |name: &str| name.ends_with("tests.rs") || name.contains("tests/");
    let named = files(folder, &[".rs"]).into_iter().map(|path| (short(&path)[folder.len() + 1..].to_owned(), path));
    named.filter(|(name, _)| !is_test(name)).map(|(name, path)| (name, text(&path))).collect()
}

#[test]
fn no_files_of_a_crate_import_each_other_in_a_loop() {
    let mut problems = Vec::new();
    let members = rust::manifest("")["workspace"]["members"].as_array().expect("members").clone();
    let folders = members.iter().map(|member| format!("{}/src", member.as_str().expect("a path")));
    // Generators of traces are not part of the product.
    for folder in folders.filter(|folder| folder != "tests/src") {
        let sources = sources(&folder);
        assert!(!sources.is_empty(), "{folder} has no sources");
        problems.extend(circles(&imports(&sources)).into_iter().map(|line| format!("{folder}: {line}")));
    }
    none(&problems);
}

#[test]
fn no_scripts_import_each_other_in_a_loop() {
    let scripts: Vec<(String, String)> =
        files("www/js", &[".js"]).iter().map(|path| (short(path), text(path))).collect();
    let mut imports = Imports::new();
    for (name, script) in &scripts {
        for import in page::imports(script).into_iter().filter(|import| import.starts_with('.')) {
            let from = page::resolved(name, import);
            let (from, _) = scripts.iter().find(|(other, _)| *other == from).expect("a script that is imported");
            imports.entry(name).or_default().entry(from).or_default();
        }
    }
    assert!(imports.len() > 100, "{} scripts import others", imports.len());
    none(&circles(&imports));
}

#[test]
fn the_scan_sees_circles() {
    let circles_of = |sources: &[(&str, &str)]| {
        let sources: Vec<(String, String)> =
            sources.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        circles(&imports(&sources))
    };
    // A parent that uses its child's functions on the parent's own type.
    let parent = "mod child;\npub struct Whole;\nfn run(whole: &Whole) { child::run(whole) }\n";
    let child = "use super::Whole;\npub(super) fn run(_: &Whole) {}\n";
    let found = ["a/child.rs imports a/mod.rs: super::Whole", "a/mod.rs imports a/child.rs: child::run"];
    assert_eq!(circles_of(&[("lib.rs", "mod a;\n"), ("a/mod.rs", parent), ("a/child.rs", child)]), found);
    // A facade that re-exports items of its children, which import each other through it.
    let face = "mod one;\nmod two;\npub use one::{One, with_two};\npub(crate) use self::two::Two;\n";
    let one = "use crate::a::Two;\npub struct One;\npub fn with_two(_: Two) {}\n";
    let two = "pub struct Two;\n/// For [`One`](super::One).\nconst NAME: &str = \"super::One\";\n";
    assert_eq!(circles_of(&[("a/mod.rs", face), ("a/one.rs", one), ("a/two.rs", two)]), [""; 0]);
    let back = two.replace("struct Two;", "struct Two(super::One);");
    assert_eq!(circles_of(&[("a/mod.rs", face), ("a/one.rs", one), ("a/two.rs", &back)]).len(), 2);
    let used = [face, "fn make() -> Two { Two }\n"].concat();
    assert_eq!(circles_of(&[("a/mod.rs", &used), ("a/one.rs", one), ("a/two.rs", two)]), [""; 0]);
    // Groups, other names, modules within a file; tests do not count.
    let own = "use crate::b::{self, inner::{Deep as Other, deep}};\npub fn own(_: Other) { b::top(); deep() }\n";
    let inner = "pub mod inner {\n    use super::super::a::own;\n    pub struct Deep;\n    pub fn deep() { own(Deep) }\n}\npub fn top() {}\n";
    assert_eq!(circles_of(&[("a.rs", own), ("b.rs", inner)]).len(), 2);
    let tested = "mod inner {\n    pub struct Deep;\n    pub fn deep() {}\n}\npub fn top() {}\n#[cfg(test)]\nmod tests {\n    use crate::a::own;\n}\n";
    assert_eq!(circles_of(&[("a.rs", own), ("b.rs", tested)]), [""; 0]);
}
