//! One file, chunk by chunk: finds its reader, feeds it, hands out the trace.

use super::head::{ENOUGH, Head, Verdict};
use crate::error::{Error, ErrorKind};
use crate::read::{Counts, READERS, Reader, Reading};
use crate::trace::Trace;
use crate::warn::{Code, Warning, Warnings};

/// How far a file has been read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Bytes of uncompressed text.
    pub bytes: u64,
    /// What was found in them.
    pub counts: Counts,
}

/// A file that was read.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The trace.
    pub trace: Trace,
    /// What was odd, the worst first.
    pub warnings: Vec<Warning>,
}

/// Reads one file that arrives in chunks of uncompressed bytes.
///
/// ```
/// use stepscope::Loader;
///
/// let text = br#"{"schemaVersion": 1, "traceEvents": [
///   {"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 1, "ts": 10.5, "dur": 2}
/// ]}"#;
/// let mut loader = Loader::new("example.json");
/// for chunk in text.chunks(16) {
///     loader.space(chunk.len()).copy_from_slice(chunk);
///     loader.advance(chunk.len())?;
/// }
/// let loaded = loader.finish()?;
/// assert_eq!(loaded.trace.slices.len(), 1);
/// # Ok::<(), stepscope::Error>(())
/// ```
pub struct Loader {
    name: String,
    state: State,
    bytes: u64,
    warnings: Warnings,
}

enum State {
    /// Collecting enough bytes to know the format.
    Sniffing { head: Vec<u8>, filled: usize },
    /// The reader is at work.
    Reading(Box<dyn Reading>),
}

impl Loader {
    /// A loader for the file of that name, which only serves messages.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            state: State::Sniffing { head: Vec::new(), filled: 0 },
            bytes: 0,
            warnings: Warnings::default(),
        }
    }

    /// Room for the next `len` bytes, to be filled before [`advance`](Self::advance).
    pub fn space(&mut self, len: usize) -> &mut [u8] {
        match &mut self.state {
            State::Sniffing { head, filled } => {
                head.resize(*filled + len, 0);
                &mut head[*filled..]
            }
            State::Reading(reading) => reading.space(len),
        }
    }

    /// Reads the first `len` bytes of [`space`](Self::space).
    ///
    /// # Errors
    ///
    /// If no reader knows the format.
    pub fn advance(&mut self, len: usize) -> Result<(), Error> {
        self.bytes += len as u64;
        match &mut self.state {
            State::Sniffing { head, filled } => {
                *filled += len;
                let whole = *filled >= ENOUGH;
                let bytes = &head[..*filled];
                match find_reader(Head { bytes, whole }).map_err(|error| error.in_file(&self.name))? {
                    Some(reader) => self.start(reader),
                    None => Ok(()),
                }
            }
            State::Reading(reading) => reading.advance(len).map_err(|error| error.in_file(&self.name)),
        }
    }

    fn start(&mut self, reader: &dyn Reader) -> Result<(), Error> {
        let mut reading = reader.start();
        if let State::Sniffing { head, filled } = &self.state {
            reading.space(*filled).copy_from_slice(&head[..*filled]);
            reading.advance(*filled).map_err(|error| error.in_file(&self.name))?;
        }
        self.state = State::Reading(reading);
        Ok(())
    }

    /// Notes that the container around the text is damaged from here on, such as a cut gzip file.
    pub fn container_damaged(&mut self, what: &str) {
        let what = what.to_owned();
        self.warnings.add(Code::CompressionDamaged, Some(self.bytes), || what);
    }

    /// How far the file has been read.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let counts = match &self.state {
            State::Sniffing { .. } => Counts::default(),
            State::Reading(reading) => reading.counts(),
        };
        Progress { bytes: self.bytes, counts }
    }

    /// Reads what is left and makes the trace.
    ///
    /// # Errors
    ///
    /// If the file is empty, of no known format, or has no event in it.
    pub fn finish(mut self) -> Result<Loaded, Error> {
        let name = self.name.clone();
        self.finish_unnamed().map_err(|error| error.in_file(&name))
    }

    fn finish_unnamed(&mut self) -> Result<Loaded, Error> {
        if self.bytes == 0 {
            let kind = if self.warnings.count(Code::CompressionDamaged) > 0 {
                ErrorKind::Compression("it holds not one readable byte".into())
            } else {
                ErrorKind::Empty
            };
            return Err(Error::new(kind));
        }
        if let State::Sniffing { head, filled } = &self.state {
            let head = Head { bytes: &head[..*filled], whole: true };
            match find_reader(head)? {
                Some(reader) => self.start(reader)?,
                None => return Err(unknown(head)),
            }
        }
        let nothing = State::Sniffing { head: Vec::new(), filled: 0 };
        let State::Reading(reading) = std::mem::replace(&mut self.state, nothing) else {
            return Err(Error::new(ErrorKind::Empty));
        };
        let mut warnings = std::mem::take(&mut self.warnings);
        let mut trace = reading.finish(&mut warnings)?;
        trace.meta.bytes = self.bytes;
        Ok(Loaded { trace, warnings: warnings.into_sorted() })
    }
}

/// The first reader in the table that says yes; `None` while one of them wants to see more.
fn find_reader(head: Head<'_>) -> Result<Option<&'static dyn Reader>, Error> {
    let mut undecided = false;
    for reader in READERS {
        match reader.sniff(head) {
            Verdict::Yes => return Ok(Some(*reader)),
            Verdict::NeedMore if !head.whole => undecided = true,
            Verdict::NeedMore | Verdict::No(_) => {}
        }
    }
    if undecided { Ok(None) } else { Err(unknown(head)) }
}

fn unknown(head: Head<'_>) -> Error {
    let tried = READERS.iter().map(|reader| {
        let why = match reader.sniff(head) {
            Verdict::No(why) => why,
            Verdict::Yes | Verdict::NeedMore => "its beginning does not tell",
        };
        (reader.title(), why)
    });
    Error::at(ErrorKind::UnknownFormat(tried.collect()), 0)
}

#[cfg(test)]
mod tests {
    use super::Loader;

    /// A compressed file's first bytes inflate to nothing, and a file may begin with a blank line.
    #[test]
    fn a_blank_beginning_decides_nothing() {
        let text = b"\xef\xbb\xbf\n {\"deviceProperties\": [], \"traceEvents\": [
            {\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":1,\"tid\":1,\"ts\":2,\"dur\":5}]}";
        for first in 0..8 {
            let mut loader = Loader::new("blank.json");
            for piece in [&text[..first], &text[first..]] {
                loader.space(piece.len()).copy_from_slice(piece);
                loader.advance(piece.len()).unwrap_or_else(|error| panic!("{first} bytes first: {error}"));
            }
            assert_eq!(loader.finish().unwrap().trace.slices.len(), 1);
        }
        let mut blank = Loader::new("blank.json");
        blank.space(3).copy_from_slice(b" \n ");
        blank.advance(3).unwrap();
        assert!(blank.finish().unwrap_err().to_string().contains("does not start like JSON"));
    }
}
