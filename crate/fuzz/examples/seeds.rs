//! Writes the corpora from which fuzzing starts: generated documents (valid and sloppy ones), traces, exports, and
//! the golden cases' inputs. These include one of each kind of damage.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use stepscope_tests::files::{exports, files_of, text_of};
use stepscope_tests::oracle::{Documents, Json, careless, small_trace, tokenize};

fn main() -> io::Result<()> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let [tokenizer, trace, container, sqlite] =
        ["tokenizer", "trace", "container", "sqlite"].map(|target| corpus.join(target));
    for folder in [&tokenizer, &trace, &container, &sqlite] {
        fs::create_dir_all(folder)?;
    }
    for seed in 0..200 {
        let mut seeded = vec![u8::try_from(seed % 256).unwrap_or(1)];
        seeded.extend(Documents::new(seed).document());
        fs::write(tokenizer.join(format!("document-{seed}")), seeded)?;
        let document = Documents::new(seed).document();
        let events = tokenize(&document, document.len()).events;
        let events: Vec<Json> = events.iter().filter_map(|event| Json::parse(&event.text)).collect();
        let text = careless(&events, seed);
        fs::write(tokenizer.join(format!("careless-{seed}")), [&[7], text.as_bytes()].concat())?;
    }
    for seed in 0..4 {
        let text = small_trace(seed);
        fs::write(trace.join(format!("trace-{seed}")), [&b"a file.json\n"[..], text.as_slice()].concat())?;
        fs::write(tokenizer.join(format!("trace-{seed}")), text)?;
    }
    for (index, (name, text)) in exports().iter().enumerate() {
        fs::write(trace.join(format!("export-{index}")), [name.as_bytes(), b"\n", text.as_slice()].concat())?;
    }
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/sqlite"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == "gz") {
            fs::write(sqlite.join(path.file_stem().unwrap_or_default()), text_of(&path))?;
        }
    }
    for (index, (path, input)) in fixtures()?.iter().enumerate() {
        let bytes = fs::read(input)?;
        let name = format!("fixture-{index}");
        let is_database = bytes.starts_with(b"SQLite format 3");
        if is_database {
            fs::write(sqlite.join(&name), &bytes)?;
        }
        // Packed files would only teach the other targets gzip, which they do not read; databases need random access.
        let is_container = input.components().any(|part| part.as_os_str() == "containers");
        if is_container || is_database || bytes.starts_with(&[0x1f, 0x8b]) {
            fs::write(container.join(&name), &bytes)?;
            continue;
        }
        let named = [path.as_bytes(), b"\n", &bytes[..]].concat();
        fs::write(trace.join(&name), named)?;
        fs::write(tokenizer.join(&name), [&[7], &bytes[..]].concat())?;
    }
    Ok(())
}

/// The inputs of all golden cases, with folders as the files in them; each with its path in its case.
fn fixtures() -> io::Result<Vec<(String, PathBuf)>> {
    let mut inputs = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_dir() && name == "input" {
                for (inside, _) in files_of(&path) {
                    inputs.push((inside.clone(), path.join(inside)));
                }
            } else if path.is_dir() {
                folders.push(path);
            } else if name.starts_with("input.") {
                inputs.push(("a file.json".to_owned(), path));
            }
        }
    }
    inputs.sort_by(|(_, a), (_, b)| a.cmp(b));
    Ok(inputs)
}
