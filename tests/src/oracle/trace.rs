//! A file from its bytes to the export and back: numbers that add up, or a clear error.

use stepscope::analyze::{AnalysisConfig, Definition, DeviceTime};
use stepscope::export::perfetto::{Level, write};
use stepscope::export::report_json::Summary;
use stepscope::{Error, Nanos, Rank};

use crate::files::rank;

/// Checks whatever can be checked of any bytes without knowing what they mean.
///
/// # Errors
///
/// What does not hold. A file that is no trace is no error, if its message is clear.
pub fn check(text: &[u8]) -> Result<(), String> {
    const NAME: &str = "a file.json";
    let config = AnalysisConfig::standard();
    let whole = crate::files::load(NAME, text, text.len().max(1)).map(|loaded| Rank::new(NAME, 0, loaded, &config));
    let pieces = crate::files::load(NAME, text, 7).map(|loaded| Rank::new(NAME, 0, loaded, &config));
    let mut rank = match (whole, pieces) {
        (Ok(whole), Ok(pieces)) if summary(&whole) == summary(&pieces) => whole,
        (Err(whole), Err(pieces)) if whole == pieces => return clear(&whole, NAME),
        (whole, pieces) => {
            return Err(format!(
                "chunks of 7 bytes differ: {:?} and {:?}",
                whole.map(|rank| rank.warnings),
                pieces.map(|rank| rank.warnings)
            ));
        }
    };
    identities(&rank)?;
    reread(&rank)?;
    for definition in Definition::ALL {
        rank.redefine(definition);
        if definition != Definition::Stepscope && rank.analysis.definition.definition != definition {
            return Err(format!("{definition:?} was not chosen"));
        }
    }
    let mut written = Vec::new();
    write(&[&rank], Level::Summary, &mut written).map_err(|error| error.to_string())?;
    serde_json::from_slice::<serde_json::Value>(&written).map_err(|error| format!("summary export: {error}"))?;
    Ok(())
}

fn summary(rank: &Rank) -> Vec<u8> {
    Summary::of(std::slice::from_ref(rank)).to_json()
}

fn clear(error: &Error, name: &str) -> Result<(), String> {
    let message = error.to_string();
    if message.starts_with(name) && message.len() > name.len() + 2 {
        return Ok(());
    }
    Err(format!("not a clear message: {message:?}"))
}

/// Checks the identities of METRICS sections 2 and 3.
///
/// # Errors
///
/// Which does not hold, with its numbers.
pub fn identities(rank: &Rank) -> Result<(), String> {
    let analysis = &rank.analysis;
    for device in &analysis.devices {
        device_adds_up(&device.time, "the whole trace")?;
    }
    for (index, step) in analysis.steps.steps.iter().enumerate() {
        for time in &analysis.step_devices[index] {
            device_adds_up(time, &step.name)?;
        }
        let roles: Nanos = analysis.roles[index].iter().copied().sum();
        if roles != step.span.len() {
            return Err(format!("step {}: the roles' sum {roles:?} is not {:?}", step.name, step.span.len()));
        }
        let phases: Nanos = analysis.phases.steps[index].iter().map(|phase| phase.host).sum();
        if phases != step.host.len() {
            return Err(format!("step {}: the phases' sum {phases:?} is not {:?}", step.name, step.host.len()));
        }
    }
    Ok(())
}

fn device_adds_up(time: &DeviceTime, of: &str) -> Result<(), String> {
    let parts = time.compute + time.exposed_communication + time.exposed_memcpy + time.exposed_memset + time.idle;
    let fine = parts == time.window
        && time.busy + time.idle == time.window
        && time.overlap + time.exposed_communication == time.communication
        && time.idle >= Nanos::ZERO;
    if fine { Ok(()) } else { Err(format!("{of}: parts {parts:?} of {time:?}")) }
}

/// Exports a rank in detail, reads that back, and compares the reports; the second export must be the first.
///
/// # Errors
///
/// Where they differ first.
pub fn reread(first: &Rank) -> Result<(), String> {
    let export = export_of(first)?;
    serde_json::from_str::<serde::de::IgnoredAny>(&export).map_err(|error| format!("the export: {error}"))?;
    let again = rank(&first.file, export.as_bytes(), &AnalysisConfig::standard());
    let again = again.map_err(|error| format!("the export cannot be read: {error}"))?;
    same_lines("the export read back", &ranks_of(first), &ranks_of(&again))?;
    same_lines("the export of the export", &export, &export_of(&again)?)
}

fn export_of(rank: &Rank) -> Result<String, String> {
    let mut export = Vec::new();
    write(&[rank], Level::Detail, &mut export).map_err(|error| error.to_string())?;
    String::from_utf8(export).map_err(|error| error.to_string())
}

fn same_lines(what: &str, before: &str, after: &str) -> Result<(), String> {
    match before.lines().zip(after.lines()).enumerate().find(|(_, (a, b))| a != b) {
        Some((line, (a, b))) => Err(format!("{what} differs in line {}: {a} became {b}", line + 1)),
        None if before != after => Err(format!("{what} has more or fewer lines")),
        None => Ok(()),
    }
}

fn ranks_of(rank: &Rank) -> String {
    let text = Summary::of(std::slice::from_ref(rank)).to_json_pretty();
    let text = String::from_utf8(text).unwrap_or_default();
    let from = text.find("\n  \"ranks\"").unwrap_or_default();
    text[from..].to_owned()
}
