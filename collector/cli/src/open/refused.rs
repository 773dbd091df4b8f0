//! Short messages for files that no reader reads: each reader has a reason of its own, and all of them are a page.

use stepscope::{Error, ErrorKind, RejectionReason};

/// Reasons that say most about a file, the most specific first: its reader got further than others.
const TELLING: [RejectionReason; 9] = [
    RejectionReason::PerfettoPackets,
    RejectionReason::SqliteDamaged,
    RejectionReason::NoNsysTables,
    RejectionReason::NoCallFrames,
    RejectionReason::NoTraceEvents,
    RejectionReason::ObjectNoTimeline,
    RejectionReason::NoKnownDocument,
    RejectionReason::NotJson,
    RejectionReason::NotJsonObject,
];

/// Files that are named if none was read.
const MOST_TOLD: usize = 5;

/// The error of a file, on one line.
pub(super) fn line(error: &Error, verbose: bool) -> String {
    let ErrorKind::UnknownFormat(tried) = &error.kind else { return error.to_string() };
    if verbose {
        return error.to_string();
    }
    let reason = TELLING.iter().find(|reason| tried.iter().any(|(_, why)| why == *reason));
    let reason = reason.or(tried.last().map(|(_, why)| why)).map_or("", |reason| reason.describe());
    format!("{}: not a trace of a known format: {reason}", error.file)
}

/// The error of a file that was named, on at most three lines.
pub(super) fn named(error: &Error, verbose: bool) -> String {
    let line = line(error, verbose);
    match &error.kind {
        ErrorKind::UnknownFormat(_) if !verbose => format!(
            "{line}\n\
             Stepscope reads traces of PyTorch, PaddlePaddle, MindSpore, JAX, nsys, nvprof, V8, and any Chrome trace (JSON).\n\
             --verbose says why each format was ruled out."
        ),
        _ => line,
    }
}

/// The errors of the files if none was read.
pub(super) fn all(errors: &[Error], verbose: bool) -> Vec<String> {
    let most = if verbose { errors.len() } else { MOST_TOLD };
    let mut lines: Vec<String> = errors.iter().take(most).map(|error| line(error, verbose)).collect();
    if errors.len() > most {
        lines.push(format!("{} more files (--verbose names them and says why)", errors.len() - most));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(reasons: &[RejectionReason]) -> Error {
        let tried = reasons.iter().map(|reason| ("a format", *reason)).collect();
        Error::at(ErrorKind::UnknownFormat(tried), 0).in_file("a.txt")
    }

    #[test]
    fn the_most_telling_reason_is_told() {
        let database = refused(&[
            RejectionReason::NotJson,
            RejectionReason::NoNsysTables,
            RejectionReason::NoNvprofTables,
            RejectionReason::NotJson,
        ]);
        let expected = "a.txt: not a trace of a known format: an SQLite database whose tables are not Nsight Systems'";
        assert_eq!(line(&database, false), expected);
        let other = refused(&[RejectionReason::NotSqlite, RejectionReason::NoStepscopeTag]);
        assert!(line(&other, false).ends_with(RejectionReason::NoStepscopeTag.describe()));
        assert_eq!(line(&other, true), other.to_string());
        let told = named(&database, false);
        assert_eq!(told.lines().count(), 3);
        assert!(told.lines().all(|line| line.len() < 120), "{told}");
        assert_eq!(named(&Error::new(ErrorKind::Empty), false), "the file is empty");
    }

    #[test]
    fn many_files_are_counted() {
        let errors = vec![refused(&[RejectionReason::NotJson]); 8];
        assert_eq!(all(&errors, false).len(), 6);
        assert!(all(&errors, false)[5].starts_with("3 more files"));
        assert_eq!(all(&errors, true).len(), 8);
    }
}
