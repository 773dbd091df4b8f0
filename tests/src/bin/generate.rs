//! Writes a synthetic trace: `generate [--as PRODUCER] [--bytes N | --demo | --steps N --groups N] [--rank R --world N] [-o FILE[.gz]]`.
//!
//! Or a job's traces, a file for each rank: `generate --job DATAxTENSORxSTAGES [--seed N] [--steps N] [--slow RANK]
//! [--sharded] [--experts N] [--1f1b] [--host N] [--gloo] [--details] -o FOLDER`. The slow rank computes 30 % longer; N
//! data-parallel ranks share the experts; with --1f1b stages run backward passes as early as possible; a host has N
//! ranks, and messages between hosts have a quarter of the rate.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use flate2::Compression;
use flate2::write::GzEncoder;
use stepscope_tests::generator::{Fault, JobSpec, Library, Producer, Schedule, Spec};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let mut spec = Spec::small(1);
    let mut output = None;
    let (mut job, mut slow) = (None, None);
    let mut shape = JobSpec::three_dimensional(spec.seed);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut number = || -> Result<u64, String> {
            let value = args.next().ok_or_else(|| format!("{arg} wants a number"))?;
            value.parse().map_err(|_| format!("{arg}: `{value}` is no number"))
        };
        match arg.as_str() {
            "--demo" => spec = Spec { rank: spec.rank, ..Spec::demo() },
            "--bytes" => spec = Spec::of_size(spec.producer, number()?),
            "--as" => {
                let name = args.next().ok_or("--as wants a producer")?;
                let known = Producer::ALL.iter().find(|(known, _)| *known == name);
                let names = || Producer::ALL.map(|(known, _)| known).join(", ");
                spec.producer = known.ok_or_else(|| format!("`{name}` is none of {}", names()))?.1;
            }
            "--job" => {
                let text = args.next().ok_or("--job wants DATAxTENSORxSTAGES")?;
                let sizes = text.split('x').map(str::parse).collect::<Result<Vec<u64>, _>>();
                let sizes = sizes.ok().and_then(|sizes| <[u64; 3]>::try_from(sizes).ok());
                job = Some(sizes.ok_or_else(|| format!("`{text}` is not DATAxTENSORxSTAGES"))?);
            }
            "--sharded" => shape.sharded = true,
            "--experts" => shape.experts = number()?,
            "--1f1b" => shape.schedule = Schedule::OneForwardOneBackward,
            "--host" => (shape.host, shape.rate_across) = (Some(number()?), 25_000),
            "--gloo" => shape.library = Library::Gloo,
            "--details" => shape.details = true,
            "--slow" => slow = Some(number()?),
            "--seed" => spec.seed = number()?,
            "--steps" => spec.steps = usize::try_from(number()?).unwrap_or(usize::MAX),
            "--groups" => spec.groups = usize::try_from(number()?).unwrap_or(usize::MAX),
            "--rank" => spec.rank = number()?,
            "--world" => spec.world_size = number()?,
            "-o" => output = Some(args.next().ok_or("-o wants a file")?),
            other => return Err(format!("`{other}` is no option of this program")),
        }
    }
    if let Some(parallel) = job {
        let faults = slow.map(|rank| Fault::Compute(rank, 30)).into_iter().collect();
        let spec = JobSpec { seed: spec.seed, parallel, faults, steps: spec.steps, ..shape };
        return write_job(&spec, &output.ok_or("--job wants -o FOLDER")?);
    }
    let io = |error: io::Error| error.to_string();
    match output {
        Some(path) if path.ends_with(".gz") => {
            let file = File::create(&path).map_err(|error| format!("{path}: {error}"))?;
            let mut gz = GzEncoder::new(BufWriter::new(file), Compression::default());
            spec.write(&mut gz).map_err(io)?;
            gz.finish().and_then(|mut file| file.flush()).map_err(io)
        }
        Some(path) => {
            let file = File::create(&path).map_err(|error| format!("{path}: {error}"))?;
            let mut file = BufWriter::with_capacity(1 << 20, file);
            spec.write(&mut file).map_err(io)?;
            file.flush().map_err(io)
        }
        None => {
            let mut out = BufWriter::new(io::stdout().lock());
            spec.write(&mut out).map_err(io)?;
            out.flush().map_err(io)
        }
    }
}

fn write_job(spec: &JobSpec, folder: &str) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("{folder}: {error}"))?;
    spec.each_trace(|rank, trace| {
        let path = format!("{folder}/rank{rank}.json");
        std::fs::write(&path, trace).map_err(|error| format!("{path}: {error}"))
    })
}
