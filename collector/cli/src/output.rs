//! The output of commands.

use std::io;

use crate::result::Result;

/// Writes to standard output. A closed reader (`| head`) is not a failure.
pub(crate) fn print(bytes: &[u8]) -> Result {
    let mut out = io::stdout().lock();
    match io::Write::write_all(&mut out, bytes).and_then(|()| io::Write::flush(&mut out)) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("standard output: {error}")),
        _ => Ok(()),
    }
}
