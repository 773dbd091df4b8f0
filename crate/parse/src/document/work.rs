//! Counts the text that is scanned more than once, which must not grow faster than the file.

/// Counts bytes that are scanned again, for tests; otherwise empty.
#[derive(Debug, Default)]
pub(super) struct Again(#[cfg(test)] std::cell::Cell<u64>);

impl Again {
    /// Adds bytes that are or will be scanned again.
    pub(super) fn add(&self, bytes: usize) {
        #[cfg(test)]
        self.0.set(self.0.get() + bytes as u64);
        let _ = bytes;
    }
}

#[cfg(test)]
mod tests {
    use crate::document::{Document, REPAIR_ALWAYS, Sink};
    use crate::fault::Fault;
    use crate::keys::Keys;
    use crate::scanner::{DEEPEST, Object};

    /// Counts the faults.
    #[derive(Default)]
    struct Faults(usize);

    impl Sink for Faults {
        fn object(&mut self, _: &Object<'_>) {}
        fn member(&mut self, _: &str, _: &[u8], _: u64) {}
        fn fault(&mut self, _: Fault) {
            self.0 += 1;
        }
    }

    /// Files full of damage, with this length.
    fn damage(bytes: usize) -> Vec<(&'static str, Vec<u8>)> {
        let pieces: [(&str, &str, &str); 12] = [
            ("a text full of quotes", "[{\"ph\":\"X\",\"name\":\"", "x\" y"),
            ("a text full of ends", "[{\"ph\":\"X\",\"name\":\"", "x\", \"y\": 1"),
            ("a text full of backslashes", "[{\"ph\":\"X\",\"name\":\"\u{1}", "\\\", "),
            ("events with quotes", "[", "{\"ph\":\"X\",\"name\":\"a \"b\" c\",\"ts\":1},\n"),
            ("events without an end", "[", "{\"ph\":\"X\",\"name\":\"a"),
            ("events without a brace", "[", "{\"ph\":\"X\",\"args\":{\"x\":[1,\n"),
            ("events of a wrong kind", "[", "{\"ph\":'X'},"),
            ("lines cut", "{\"ph\":\"X\"}\n", "{\"ph\":\"X\",\"na\n"),
            ("brackets", "[", "{["),
            ("closed brackets", "[{\"ph\":\"X\"}", "]}"),
            ("documents", "", "{\"traceEvents\":[{\"ph\":NaN}]}"),
            ("members", "{\"traceEvents\":[{\"ph\":\"X\"}]", ",\"a\":\"x\" y"),
        ];
        let fill = |begin: &str, piece: &str| begin.bytes().chain(piece.bytes().cycle()).take(bytes).collect();
        pieces.into_iter().map(|(what, begin, piece)| (what, fill(begin, piece))).collect()
    }

    /// Bytes that are scanned again in a text that arrives in chunks, and the number of faults.
    fn again(text: &[u8], chunk: usize) -> (u64, usize) {
        let mut document = Document::new("traceEvents", Keys::new(&["ph", "name", "ts", "args"]));
        let mut faults = Faults::default();
        for piece in text.chunks(chunk) {
            document.space(piece.len()).copy_from_slice(piece);
            document.advance(piece.len(), &mut faults);
        }
        document.finish(&mut faults);
        (document.again.0.get(), faults.0)
    }

    /// Eight times the length must not take much more than eight times the work, and each byte has a limit.
    #[test]
    fn damage_takes_work_in_proportion_to_its_length() {
        const CHUNK: usize = 1 << 12;
        for ((what, short), (_, long)) in damage(1 << 19).into_iter().zip(damage(1 << 22)) {
            let ((few, _), (many, faults)) = (again(&short, CHUNK), again(&long, CHUNK));
            assert!(faults > 0, "{what}: nothing was told");
            assert!(many <= 9 * few + (1 << 20), "{what}: {few} bytes again, and {many} of eight times as much");
            // A scan follows that many nested brackets before it gives up, possibly from each of them.
            let most = REPAIR_ALWAYS + u64::from(DEEPEST) * long.len() as u64;
            assert!(many <= most, "{what}: {many} bytes again of {}", long.len());
        }
    }
}
