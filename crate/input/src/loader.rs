//! Loads one rank, file by file and chunk by chunk: finds each file's reader, feeds it, returns the trace.

use super::sniff::{refused, sniff};
use stepscope_base::{Code, Error, ErrorKind, ReadAt, Warnings};
use stepscope_read::{Counts, Finished, Method, RandomRead, Reader, Reading};
use stepscope_read::{ENOUGH, Head};
use stepscope_trace::{InputFile, Loaded, TraceBuilder};

/// Bytes per read of a random-access file that is read from front to back.
const CHUNK: usize = 1 << 18;

/// The progress of reading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Bytes of uncompressed text, of all files so far.
    pub bytes: u64,
    /// The counts of events found in them.
    pub counts: Counts,
}

/// Reads one rank: one file or several, each arriving in chunks of uncompressed bytes.
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
    /// Bytes of the current file.
    bytes: u64,
    /// The result of the files before it; a working reader has it.
    builder: TraceBuilder,
    warnings: Warnings,
    /// Warnings of the current file.
    file_warnings: Warnings,
    rank: Option<u64>,
    /// The only device whose rows are read from the current file.
    device: Option<i64>,
    /// Whether any file gave a result.
    any: bool,
    /// The byte at which reading the current file stops.
    stop: u64,
}

enum State {
    /// Collecting enough bytes to know the format.
    Sniffing {
        head: Vec<u8>,
        filled: usize,
        /// The number of bytes from which the head is sniffed again, so that a caller with single bytes does not
        /// cause a sniff for each.
        next: usize,
    },
    /// The reader is at work.
    Reading(Box<dyn Reading>),
    /// Collecting a whole file that needs random access.
    Collecting { reader: &'static dyn Reader, bytes: Vec<u8>, filled: usize },
    /// The file was read, or cannot be: further bytes are discarded.
    Done(Vec<u8>),
}

impl State {
    fn new() -> Self {
        Self::Sniffing { head: Vec::new(), filled: 0, next: 1 }
    }

    fn done() -> Self {
        Self::Done(Vec::new())
    }
}

impl Loader {
    /// A loader whose first file has this name: its path in a folder or archive, with `/`.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            state: State::new(),
            bytes: 0,
            builder: TraceBuilder::default(),
            warnings: Warnings::default(),
            file_warnings: Warnings::default(),
            rank: None,
            device: None,
            any: false,
            stop: u64::MAX,
        }
    }

    /// Sets the rank, whatever the trace says.
    pub fn set_rank(&mut self, rank: u64) {
        self.rank = Some(rank);
    }

    /// Sets the only device whose rows are read from the current file, before its first bytes; none for all of them.
    pub(crate) fn read_only(&mut self, device: Option<i64>) {
        self.device = device;
    }

    /// Ends the current file and begins another one of the same rank.
    ///
    /// # Errors
    ///
    /// If the file that ends gave no result. The loader can be used further.
    pub fn next_file(&mut self, name: &str) -> Result<(), Error> {
        let ended = self.end_file();
        let (file, found) = (std::mem::take(&mut self.name), std::mem::take(&mut self.file_warnings));
        self.warnings.merge_of_file(&file, found);
        name.clone_into(&mut self.name);
        self.state = State::new();
        (self.bytes, self.stop, self.device) = (0, u64::MAX, None);
        ended
    }

    /// Room for the next `len` bytes, to be filled before [`advance`](Self::advance).
    pub fn space(&mut self, len: usize) -> &mut [u8] {
        match &mut self.state {
            State::Reading(reading) => reading.space(len),
            State::Sniffing { head: bytes, filled, .. } | State::Collecting { bytes, filled, .. } => {
                bytes.resize(*filled + len, 0);
                &mut bytes[*filled..]
            }
            State::Done(rest) => {
                rest.resize(len.max(rest.len()), 0);
                &mut rest[..len]
            }
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
            State::Sniffing { head, filled, next } => {
                *filled += len;
                if *filled < *next {
                    return Ok(());
                }
                *next = (2 * *filled).min(ENOUGH).max(*filled + 1);
                let head = Head { bytes: &head[..*filled], whole: *filled >= ENOUGH };
                match sniff(&self.name, head) {
                    Ok(Some(reader)) => self.start(reader),
                    Ok(None) => Ok(()),
                    Err(error) => {
                        self.state = State::done();
                        Err(error.in_file(&self.name))
                    }
                }
            }
            State::Reading(reading) => reading.advance(len).map_err(|error| error.in_file(&self.name)),
            State::Collecting { filled, .. } => {
                *filled += len;
                Ok(())
            }
            State::Done(_) => Ok(()),
        }
    }

    /// Passes the sniffed bytes to their reader.
    fn start(&mut self, reader: &'static dyn Reader) -> Result<(), Error> {
        let State::Sniffing { head, filled, .. } = std::mem::replace(&mut self.state, State::done()) else {
            return Ok(());
        };
        match reader.method() {
            Method::Random(_) => {
                self.state = State::Collecting { reader, bytes: head, filled };
                Ok(())
            }
            Method::Stream(start) => {
                let mut builder = std::mem::take(&mut self.builder);
                builder.read_only(self.device);
                builder.begin_input(InputFile::new(&self.name, reader.id()));
                let mut reading = start(builder);
                if self.stop < u64::MAX {
                    reading.stop_at(self.stop);
                }
                reading.space(filled).copy_from_slice(&head[..filled]);
                let result = reading.advance(filled).map_err(|error| error.in_file(&self.name));
                self.state = State::Reading(reading);
                result
            }
        }
    }

    /// Reads a whole random-access file, uncompressed; `progress` gets the number of bytes read.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, no reader knows the format, or it gives no result.
    pub fn read(&mut self, file: &mut dyn ReadAt, progress: &mut dyn FnMut(u64)) -> Result<(), Error> {
        let io = |error: std::io::Error, name: &str| Error::new(ErrorKind::Io(error.to_string())).in_file(name);
        let mut at = 0;
        loop {
            if let State::Sniffing { filled, .. } = &self.state {
                // In one read: the content of a database need not be copied.
                if *filled == 0 {
                    let mut head = vec![0; ENOUGH];
                    let len = file.read_at(0, &mut head).map_err(|error| io(error, &self.name))?;
                    let head = Head { bytes: &head[..len], whole: true };
                    let found = sniff(&self.name, head).map_err(|error| {
                        self.state = State::done();
                        error.in_file(&self.name)
                    })?;
                    if let Some((reader, Method::Random(read))) = found.map(|reader| (reader, reader.method())) {
                        self.state = State::done();
                        self.bytes = file.len();
                        return self.random(reader, read, file, progress);
                    }
                }
            }
            let read = file.read_at(at, self.space(CHUNK)).map_err(|error| io(error, &self.name))?;
            if read == 0 {
                return Ok(());
            }
            self.advance(read)?;
            at += read as u64;
            progress(at);
        }
    }

    fn random(
        &mut self,
        reader: &'static dyn Reader,
        read: RandomRead,
        file: &mut dyn ReadAt,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), Error> {
        self.builder.begin_input(InputFile::new(&self.name, reader.id()));
        let result = read(file, &mut self.builder, &mut self.file_warnings, progress);
        self.builder.end_input(self.bytes);
        self.any |= result.is_ok();
        result.map_err(|error| error.in_file(&self.name))
    }

    /// Stops reading the current file at the first event that begins at this byte or later, until the next call.
    /// Readers that cannot stop read on. A [shard](super::Sources::piece) may have been read from there.
    pub fn stop_at(&mut self, byte: u64) {
        self.stop = byte;
        if let State::Reading(reading) = &mut self.state {
            reading.stop_at(byte);
        }
    }

    /// The byte of the current file at which the first event after the stop begins.
    #[must_use]
    pub fn stopped(&self) -> Option<u64> {
        match &self.state {
            State::Reading(reading) => reading.stopped(),
            _ => None,
        }
    }

    /// The byte of the current file that is needed next.
    #[must_use]
    pub fn next_byte(&self) -> u64 {
        self.bytes
    }

    /// Merges the shard that begins at the stop, as
    /// [`ShardReading::serialize`](stepscope_read::ShardReading::serialize) wrote it. Returns whether it did; else
    /// reading continues from the stop. In both cases the next [stop](Self::stop_at) is `stop`.
    pub fn join(&mut self, next: &mut dyn FnMut(&mut Vec<u8>) -> bool, stop: u64) -> bool {
        if let State::Reading(reading) = &mut self.state
            && reading.join(next, stop)
        {
            (self.bytes, self.stop) = (reading.next_byte(), stop);
            return true;
        }
        self.stop_at(stop);
        false
    }

    /// Notes that the container around the text is damaged from this point, such as a truncated gzip file.
    pub fn container_damaged(&mut self, what: &str) {
        let what = what.to_owned();
        self.file_warnings.add(Code::CompressionDamaged, Some(self.bytes), || what);
    }

    /// Notes an oddity of the container of the current file.
    pub fn note(&mut self, code: Code, what: &str) {
        let what = what.to_owned();
        self.file_warnings.add(code, None, || what);
    }

    /// The progress of reading.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let counts = match &self.state {
            State::Reading(reading) => reading.counts(),
            _ => Counts::of(&self.builder),
        };
        Progress { bytes: self.builder.input_bytes() + self.bytes, counts }
    }

    /// Reads the rest and returns the trace.
    ///
    /// # Errors
    ///
    /// If the only file is empty, of unknown format, or without events; with several files, if all of them are.
    pub fn finish(mut self) -> Result<Loaded, Error> {
        let several = !self.builder.meta.inputs.is_empty() || self.any;
        let ended = self.end_file();
        let found = std::mem::take(&mut self.file_warnings);
        if several {
            self.warnings.merge_of_file(&self.name, found);
        } else {
            self.warnings.merge(found);
        }
        if let (Err(error), false) = (ended, self.any) {
            return Err(error);
        }
        let mut trace = self.builder.finish(&mut self.warnings).map_err(|error| error.in_file(&self.name))?;
        let told = &mut trace.meta.distributed;
        for (what, number) in [("rank", &mut told.rank), ("world size", &mut told.world_size)] {
            // No cluster is that large, and JavaScript cannot represent all such numbers.
            if let Some(absurd) = number.take_if(|number| *number > u64::from(u32::MAX)) {
                self.warnings.add(Code::MalformedMetadata, None, || format!("{what} {absurd}"));
            }
        }
        told.rank = self.rank.or(told.rank);
        Ok(Loaded { trace, warnings: self.warnings.into_sorted() })
    }

    fn end_file(&mut self) -> Result<(), Error> {
        self.end_file_unnamed().map_err(|error| error.in_file(&self.name))
    }

    fn end_file_unnamed(&mut self) -> Result<(), Error> {
        if matches!(self.state, State::Done(_)) {
            return Ok(());
        }
        if self.bytes == 0 {
            if self.file_warnings.count(Code::CompressionDamaged) > 0 {
                return Err(Error::new(ErrorKind::Compression("it holds not one readable byte".into())));
            }
            return Err(refused(&self.name, Head { bytes: &[], whole: true }));
        }
        if let State::Sniffing { head, filled, .. } = &self.state {
            let head = Head { bytes: &head[..*filled], whole: true };
            match sniff(&self.name, head)? {
                Some(reader) => self.start(reader)?,
                None => return Err(refused(&self.name, head)),
            }
        }
        match std::mem::replace(&mut self.state, State::done()) {
            State::Reading(reading) => {
                let Finished { builder, warnings, error } = reading.finish();
                self.builder = builder;
                self.builder.end_input(self.bytes);
                self.file_warnings.merge(warnings);
                self.any |= error.is_none();
                error.map_or(Ok(()), Err)
            }
            State::Collecting { reader, mut bytes, filled } => {
                bytes.truncate(filled);
                let Method::Random(read) = reader.method() else { return Ok(()) };
                self.random(reader, read, &mut &bytes[..], &mut |_| {})
            }
            State::Sniffing { .. } | State::Done(_) => Ok(()),
        }
    }
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
        assert!(blank.finish().unwrap_err().to_string().contains("first bytes are not JSON"));
    }

    fn event(name: &str) -> Vec<u8> {
        format!("[{{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"{name}\",\"pid\":1,\"tid\":1,\"ts\":2,\"dur\":5}}]")
            .into_bytes()
    }

    #[test]
    fn several_files_make_one_rank_and_one_that_is_none_spoils_nothing() {
        let mut loader = Loader::new("a.json");
        let mut noted = 0;
        loader.read(&mut &event("a")[..], &mut |bytes| noted = bytes).unwrap();
        assert_eq!(noted, event("a").len() as u64);
        loader.next_file("broken.txt").unwrap();
        assert!(loader.read(&mut &b"what is this"[..], &mut |_| {}).is_err());
        loader.next_file("b.json").unwrap();
        let text = event("b");
        loader.space(text.len()).copy_from_slice(&text);
        loader.advance(text.len()).unwrap();
        loader.set_rank(7);
        let trace = loader.finish().unwrap().trace;
        assert_eq!((trace.slices.len(), trace.meta.events, trace.meta.distributed.rank), (2, 2, Some(7)));
        let inputs: Vec<(&str, u64, u64, u64)> =
            trace.meta.inputs.iter().map(|file| (file.name.as_str(), file.start, file.bytes, file.events)).collect();
        let length = text.len() as u64;
        assert_eq!(inputs, [("a.json", 0, length, 1), ("b.json", length, length, 1)]);
        let places: Vec<u64> = trace.slices.ids().map(|id| trace.slices.position(id)).collect();
        assert_eq!(places, [1, length + 1], "positions go on in the second file");
    }
}
