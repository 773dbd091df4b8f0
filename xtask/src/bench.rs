//! `cargo xtask bench`: the benchmarks, natively and in Chromium.

use std::path::{Path, PathBuf};

use crate::page::Optimization;
use crate::shell::{Result, cargo, command, find, heading, python, run};
use crate::{page, paths, programs, setup, test};

/// The options of the benchmark.
struct Options {
    browser: bool,
    /// The timeline's frames, in Chromium, only.
    timeline: bool,
    /// Jobs of many ranks, only.
    ranks: bool,
    /// Traces of many sizes, only.
    scale: bool,
    /// The ten tasks of the book, only; the file is a folder with Perfetto's UI.
    tasks: bool,
    gigabytes: f64,
    files: Vec<PathBuf>,
}

/// Runs the benchmarks on a generated trace and on the given files, or else on a real trace beside the project, if
/// there is one.
pub(crate) fn task(args: &[String]) -> Result {
    if let Some(("--recorder", folders)) = args.split_first().map(|(first, rest)| (first.as_str(), rest)) {
        return recorder(folders);
    }
    let options = options(args)?;
    if options.browser {
        setup::page()?;
        setup::browser_tests()?;
        setup::perfetto::ensure()?;
    }
    programs::build_release()?;
    if options.timeline {
        let page = page::build(&programs::release(page::GENERATOR), Optimization::Shipped)?;
        let inputs = timeline_inputs(&options)?;
        heading("the timeline's frames in Chromium");
        return inputs.iter().try_for_each(|file| run(test::node_with(&page)?.arg("bench/timeline.mjs").arg(file)));
    }
    if options.ranks {
        return ranks(&options);
    }
    if options.scale {
        let page = page::build(&programs::release(page::GENERATOR), Optimization::Shipped)?;
        let inputs = if options.files.is_empty() { scale_inputs()? } else { options.files };
        heading("sizes in Chromium");
        return run(test::node_with(&page)?.arg("bench/scale.mjs").args(&inputs));
    }
    if options.tasks {
        let page = page::build(&programs::release(page::GENERATOR), Optimization::Shipped)?;
        heading("the tasks of the book");
        return run(test::node_with(&page)?.arg("bench/tasks.mjs").args(&options.files));
    }
    let inputs = inputs(&options)?;
    heading("natively");
    run(command(programs::release("bench-native")).args(&inputs))?;
    heading("natively, reader by reader, against the first");
    run(command(programs::release("bench-native")).arg("--readers").args(producers()?))?;
    if options.browser {
        let page = page::build(&programs::release(page::GENERATOR), Optimization::Shipped)?;
        heading("in Chromium");
        run(test::node_with(&page)?.arg("bench/run.mjs").args(&inputs))?;
    }
    Ok(())
}

/// Jobs of 4, 16 and 64 ranks: small ones natively, in Chromium with 100 MB a rank.
fn ranks(options: &Options) -> Result {
    heading("what a rank costs natively");
    run(command(programs::release("bench-native")).arg("--ranks"))?;
    if !options.browser {
        return Ok(());
    }
    let page = page::build(&programs::release(page::GENERATOR), Optimization::Shipped)?;
    let folder = paths::target().join("bench/ranks");
    if !folder.is_dir() {
        heading("generating 64 ranks of 100 MB");
        let begun = folder.with_extension("part");
        let _ = std::fs::remove_dir_all(&begun);
        let job = ["--job", "4x4x4", "--seed", "5", "--steps", STEPS, "--slow", "21"];
        run(command(programs::release("generate")).args(job).arg("-o").arg(&begun))?;
        std::fs::rename(&begun, &folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    heading("many ranks in Chromium");
    run(test::node_with(&page)?.arg("bench/ranks.mjs").arg(&folder))
}

/// The number of steps that makes a rank of 100 MB.
const STEPS: &str = "1000";

/// The cost of a span compared to other recorders: on tmpfs and on a disk, unless other folders are given.
///
/// The other recorders are a separate workspace, which only this compiles.
fn recorder(folders: &[String]) -> Result {
    if find("c++").is_none() {
        return Err("one of the other recorders needs a C++ compiler; as root, run: apt-get install g++".into());
    }
    let target = paths::target().join("peers");
    heading("building the recorders for release");
    let manifest = paths::root().join("collector/peers/Cargo.toml");
    let mut build = cargo();
    build.args(["build", "--release", "--locked", "--manifest-path"]).arg(manifest);
    run(build.env("CARGO_TARGET_DIR", &target))?;
    let absolute = |folder: &String| std::path::absolute(folder).map_err(|error| format!("{folder}: {error}"));
    let mut folders: Vec<PathBuf> = folders.iter().map(absolute).collect::<Result<_>>()?;
    if folders.is_empty() {
        let memory = Path::new("/dev/shm");
        folders.extend(memory.is_dir().then(|| memory.join("stepscope-bench")));
        folders.push(target.join("recordings"));
    }
    for folder in &folders {
        std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    heading("what a span costs");
    run(command(target.join("release/stepscope-peers")).args(&folders))
}

fn options(args: &[String]) -> Result<Options> {
    let mut options = Options {
        browser: true,
        timeline: false,
        ranks: false,
        scale: false,
        tasks: false,
        gigabytes: 1.0,
        files: Vec::new(),
    };
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        match arg.as_str() {
            "--native" => options.browser = false,
            "--timeline" => options.timeline = true,
            "--ranks" => options.ranks = true,
            "--scale" => options.scale = true,
            "--tasks" => options.tasks = true,
            "--gb" => {
                let text = rest.next().ok_or("--gb wants a number")?;
                options.gigabytes = text.parse().map_err(|_| format!("`{text}` is no number"))?;
            }
            other if other.starts_with('-') => {
                return Err(format!(
                    "`{other}` is no option of bench; there are --recorder, --native, --timeline, --ranks, --scale, --tasks, --gb N and FILE…"
                ));
            }
            file => options.files.push(std::path::absolute(file).map_err(|error| format!("{file}: {error}"))?),
        }
    }
    Ok(options)
}

/// The traces to measure; missing ones are generated.
fn inputs(options: &Options) -> Result<Vec<PathBuf>> {
    let folder = paths::target().join("bench");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files = options.files.clone();
    if files.is_empty() {
        files.extend(real_traces(&folder)?);
    }
    if options.gigabytes > 0.0 {
        files.push(generated(&folder, options.gigabytes, "json")?);
    }
    Ok(files)
}

/// A trace of a given size, generated if missing.
fn generated(folder: &Path, gigabytes: f64, extension: &str) -> Result<PathBuf> {
    let file = folder.join(format!("generated-{gigabytes}GB.{extension}"));
    if !file.is_file() {
        heading(&format!("generating a trace of {gigabytes} GB"));
        // An interrupted run leaves no file with the final name; the generator packs by the name's extension.
        let begun = folder.join(format!("part.{extension}"));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a size a person gave")]
        let bytes = (gigabytes * 1e9) as u64;
        run(command(programs::release("generate")).args(["--bytes", &bytes.to_string(), "-o"]).arg(&begun))?;
        std::fs::rename(&begun, &file).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(file)
}

/// Traces of 0.1 to 10 GB, plain and packed: 16 GB on the disk.
fn scale_inputs() -> Result<Vec<PathBuf>> {
    const GIGABYTES: [f64; 4] = [0.1, 1.0, 4.0, 10.0];
    let folder = paths::target().join("bench");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let all = ["json", "json.gz"].iter().flat_map(|extension| GIGABYTES.map(|size| (size, *extension)));
    all.map(|(size, extension)| generated(&folder, size, extension)).collect()
}

/// The traces for measuring the timeline: the given ones, or else one of ten million slices, generated if missing.
fn timeline_inputs(options: &Options) -> Result<Vec<PathBuf>> {
    // The size of that trace in the Chrome format.
    const BYTES: &str = "1790000000";
    if !options.files.is_empty() {
        return Ok(options.files.clone());
    }
    let folder = paths::target().join("bench");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let generated = folder.join("timeline.json");
    if !generated.is_file() {
        heading("generating ten million slices");
        run(command(programs::release("generate")).args(["--as", "chrome", "--bytes", BYTES, "-o"]).arg(&generated))?;
    }
    Ok(vec![generated])
}

/// One simulated run in each producer's format, generated if missing; PyTorch's first. The generator writes text
/// formats, the fixtures' own scripts the others.
fn producers() -> Result<Vec<PathBuf>> {
    let folder = paths::target().join("bench");
    let mut files = Vec::new();
    for producer in ["kineto", "paddle", "chrome", "mindspore", "nvprof"] {
        let generated = folder.join(format!("generated.{producer}"));
        if !generated.is_file() {
            let size = (64 << 20).to_string();
            run(command(programs::release("generate"))
                .args(["--as", producer, "--bytes", &size, "-o"])
                .arg(&generated))?;
        }
        files.push(generated);
    }
    for (maker, steps, name) in [("paddle", "30000", "paddle.pb"), ("nsys", "60000", "nsys"), ("nvvp", "60000", "nvvp")]
    {
        let generated = folder.join(format!("generated.{name}"));
        if !generated.is_file() {
            let maker = paths::root().join(format!("tests/fixtures/make/{maker}.py"));
            run(command(python()?).arg(maker).args(["--large", steps]).arg(&generated))?;
        }
        files.push(generated);
    }
    Ok(files)
}

/// The largest real trace beside the project, packed and inflated.
fn real_traces(folder: &Path) -> Result<Vec<PathBuf>> {
    let packed = paths::root().join("../shared/traces/pytorch/mi300_sd35.json.gz");
    if !packed.is_file() {
        eprintln!("no real trace beside the project; give one: cargo xtask bench FILE");
        return Ok(Vec::new());
    }
    let plain = folder.join("mi300_sd35.json");
    if !plain.is_file() {
        run(command(python()?).args(["-c", INFLATE]).arg(&packed).arg(&plain))?;
    }
    Ok(vec![plain, packed])
}

/// Inflates a file; an interrupted run leaves no file with the final name.
const INFLATE: &str = "\
import gzip, os, shutil, sys
packed, plain = sys.argv[1:]
with gzip.open(packed) as source, open(plain + '.part', 'wb') as out:
    shutil.copyfileobj(source, out, 1 << 20)
os.replace(plain + '.part', plain)
";
