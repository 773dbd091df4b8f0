//! Files, folders and archives from the command line, read into ranks.

mod files;
mod refused;
mod walk;

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{MAIN_SEPARATOR, PathBuf};

use stepscope::analyze::{AnalysisConfig, StepsConfig};
use stepscope::base::ReadAt;
use stepscope::input::{Opened, Sources};
use stepscope::{Error, ErrorKind, Rank};

use self::files::STANDARD_INPUT;
pub(crate) use self::files::open as opened;
pub(crate) use self::walk::files_in;
use crate::args::{FileRank, InputOptions};
use crate::result::Result;

/// Bytes read at a time: fits the processor's second-level cache, so that scanning finds them there.
const CHUNK: usize = 256 << 10;

/// A file to read.
struct Input {
    path: PathBuf,
    /// Whether it was named itself, not only its folder.
    named: bool,
}

/// Reads and analyzes every rank, in the order of their numbers.
pub(crate) fn ranks(input: &InputOptions, config: &AnalysisConfig) -> Result<Vec<Rank>> {
    let mut ranks = Vec::new();
    each_rank(input, config, |rank| ranks.push(rank))?;
    ranks.sort_by_key(|rank| rank.rank);
    Ok(ranks)
}

/// Reads and analyzes one rank after the other, in the order of the files, and passes each on: all at once would need
/// the memory of all.
///
/// Files of a folder or archive that are not traces are left out and reported on standard error; a named file that
/// cannot be read is a failure.
pub(crate) fn each_rank(input: &InputOptions, config: &AnalysisConfig, mut take: impl FnMut(Rank)) -> Result {
    let config = AnalysisConfig {
        steps: StepsConfig { pattern: input.steps.clone(), ..config.steps.clone() },
        ..config.clone()
    };
    let inputs = inputs(&input.files)?;
    let (sources, mut pipes) = sources(&inputs)?;
    let plan = sources.plan(&changes(&sources, &input.rank)?);
    // Not only its folder or archive.
    let is_named = |number: usize| {
        let file = sources.list()[number].file;
        inputs[file].named && sources.list().iter().filter(|other| other.file == file).count() == 1
    };
    let mut left_out = Vec::new();
    for (number, error) in plan.left_out {
        if is_named(number) && !error.is_harmless() {
            return Err(refused::named(&error, input.verbose));
        }
        left_out.push(error);
    }
    let mut count = 0;
    let mut opened = Opened::new(|file: usize| match pipes.remove(&file) {
        Some(pipe) => Ok(pipe),
        None => files::open(&inputs[file].path),
    });
    for rank in plan.ranks {
        match sources.load(&rank, CHUNK, &mut opened, &mut left_out) {
            Ok(read) => {
                count += 1;
                take(Rank::new(&rank.name, read.bytes, read.loaded, &config));
            }
            Err(error) if rank.files.iter().any(|number| is_named(*number)) => {
                return Err(refused::named(&error, input.verbose));
            }
            Err(error) => left_out.push(error),
        }
    }
    if count == 0 {
        let folder = input.files.iter().find(|path| path.is_dir()).or(input.files.first());
        let place = folder.map_or_else(String::new, |path| path.display().to_string());
        // With the reasons: there is nothing else to print.
        refused::all(&left_out, input.verbose).iter().for_each(|line| eprintln!("left out: {line}"));
        return Err(format!("{place}: there is no trace in it"));
    }
    tell(&left_out, input.verbose);
    Ok(())
}

/// The files of all arguments, those of folders in their place. Parts of folders that are not read are reported on
/// standard error.
fn inputs(arguments: &[PathBuf]) -> Result<Vec<Input>> {
    let mut inputs = Vec::new();
    for path in arguments {
        if path.is_dir() {
            let walked = files_in(path)?;
            walked.notes().iter().for_each(|note| eprintln!("{note}"));
            inputs.extend(walked.files.into_iter().map(|path| Input { path, named: false }));
        } else {
            inputs.push(Input { path: path.clone(), named: true });
        }
    }
    Ok(inputs)
}

type Pipes = HashMap<usize, Box<dyn ReadAt>>;

/// The sources in the inputs; and pipes, which cannot be opened twice.
fn sources(inputs: &[Input]) -> Result<(Sources, Pipes)> {
    let mut sources = Sources::default();
    let mut pipes = Pipes::new();
    for (number, input) in inputs.iter().enumerate() {
        let is_standard = input.path.as_os_str() == STANDARD_INPUT;
        let name = if is_standard { "standard input".into() } else { input.path.to_string_lossy() };
        let name = name.replace(MAIN_SEPARATOR, "/");
        match files::open(&input.path) {
            Ok(mut file) => {
                sources.add(&name, &mut *file);
                if file.is_pipe() {
                    pipes.insert(number, file);
                }
            }
            Err(error) if input.named => return Err(format!("{name}: {error}")),
            Err(error) => sources.add_unreadable(&name, unreadable(&error)),
        }
    }
    Ok((sources, pipes))
}

fn unreadable(error: &io::Error) -> Error {
    Error::new(ErrorKind::Io(error.to_string()))
}

/// Changes that `--rank` makes to the grouping, by the sources' numbers.
fn changes(sources: &Sources, wanted: &[FileRank]) -> Result<BTreeMap<usize, Option<u64>>> {
    let mut changes = BTreeMap::new();
    for FileRank { file, rank } in wanted {
        let named =
            |path: &str| path.strip_suffix(file.as_str()).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
        let found: Vec<usize> = sources
            .list()
            .iter()
            .enumerate()
            .filter(|(_, source)| named(&source.path))
            .map(|(number, _)| number)
            .collect();
        if found.is_empty() {
            return Err(format!("--rank {file}: none of the files that are read has this name"));
        }
        changes.extend(found.into_iter().map(|number| (number, *rank)));
    }
    Ok(changes)
}

/// Prints what was left out: by name if that is one line or `verbose` is set, otherwise as a count, with what to do if
/// all files are of one tool. Errors that add nothing are printed only with `verbose`.
fn tell(left_out: &[Error], verbose: bool) {
    let adds = |error: &&Error| verbose || !matches!(error.kind, ErrorKind::Nothing(_));
    match left_out.iter().filter(adds).collect::<Vec<_>>().as_slice() {
        [] => {}
        [one] => eprintln!("left out: {}", refused::line(one, verbose)),
        several if verbose => several.iter().for_each(|error| eprintln!("left out: {error}")),
        several => {
            let tool = |error: &Error| if let ErrorKind::Unread(why) = error.kind { Some(why) } else { None };
            let (what, why) = match tool(several[0]).filter(|first| several.iter().all(|one| tool(one) == Some(*first)))
            {
                Some(tool) => (format!(", known, but not read: {}", tool.describe()), ""),
                None => (String::new(), " and says why"),
            };
            eprintln!("left out: {} files{what} (--verbose names them{why})", several.len());
        }
    }
}
