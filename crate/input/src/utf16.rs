//! Conversion of UTF-16 text to UTF-8 in chunks: PowerShell's `>` and some editors on Windows write UTF-16.

/// The byte order marks of UTF-16.
const MARKS: [([u8; 2], bool); 2] = [([0xff, 0xfe], false), ([0xfe, 0xff], true)];

/// The replacement of an unpaired surrogate: invalid UTF-8, so that the text's reader replaces it with a warning.
const ODD: u8 = 0xff;

/// Whether the text is big-endian, by its first four bytes; none if it is not UTF-16.
pub(super) fn byte_order(head: &[u8]) -> Option<bool> {
    let (mark, first) = (head.get(..2)?, head.get(2..4)?);
    // Two more zeros mean UTF-32, or binary data.
    let known = MARKS.iter().find(|(own, _)| own == mark).filter(|_| first != [0, 0]);
    known.map(|(_, big_endian)| *big_endian)
}

/// Whether more bytes may turn these into the beginning of UTF-16 text.
pub(super) fn may_be(head: &[u8]) -> bool {
    MARKS.iter().any(|(mark, _)| mark.starts_with(head) || head.starts_with(mark))
}

/// Converts UTF-16 text that arrives in chunks to UTF-8, without its byte order mark.
pub(super) struct Utf16 {
    big_endian: bool,
    /// Whether the mark was skipped.
    begun: bool,
    /// The first byte of an incomplete unit.
    half: Option<u8>,
    /// The first unit of a surrogate pair.
    high: Option<u16>,
    /// Output that did not fit: the bytes, and the range of those that are left.
    waiting: ([u8; 8], usize, usize),
}

impl Utf16 {
    pub(super) fn new(big_endian: bool) -> Self {
        Self { big_endian, begun: false, half: None, high: None, waiting: ([0; 8], 0, 0) }
    }

    /// Converts some of `input` into `output`; returns how much of each was used.
    pub(super) fn push(&mut self, input: &[u8], output: &mut [u8]) -> (usize, usize) {
        let (mut used, mut written) = (0, 0);
        loop {
            written += self.give(&mut output[written..]);
            if written == output.len() || used == input.len() {
                return (used, written);
            }
            let byte = input[used];
            used += 1;
            let Some(first) = self.half.take() else {
                self.half = Some(byte);
                continue;
            };
            let pair = [first, byte];
            let unit = if self.big_endian { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) };
            self.unit(unit);
        }
    }

    /// Signals the end of the input.
    pub(super) fn end(&mut self) {
        if self.high.take().is_some() {
            self.add(&[ODD]);
        }
        if self.half.take().is_some() {
            self.add(&[ODD]);
        }
    }

    fn unit(&mut self, unit: u16) {
        const MARK: u16 = 0xfeff;
        if !std::mem::replace(&mut self.begun, true) && unit == MARK {
            return;
        }
        let pair = self.high.take().map(|high| char::decode_utf16([high, unit]).next());
        match pair {
            Some(Some(Ok(character))) => {
                self.character(character);
                return;
            }
            Some(_) => self.add(&[ODD]),
            None => {}
        }
        match char::from_u32(unit.into()) {
            Some(character) => self.character(character),
            // The second surrogate may follow.
            None if (0xd800..0xdc00).contains(&unit) => self.high = Some(unit),
            None => self.add(&[ODD]),
        }
    }

    fn character(&mut self, character: char) {
        self.add(character.encode_utf8(&mut [0; 4]).as_bytes());
    }

    /// Buffers bytes; there is room for those of two units.
    fn add(&mut self, bytes: &[u8]) {
        let (waiting, from, to) = &mut self.waiting;
        if from == to {
            (*from, *to) = (0, 0);
        }
        let len = bytes.len().min(waiting.len() - *to);
        waiting[*to..*to + len].copy_from_slice(&bytes[..len]);
        *to += len;
    }

    fn give(&mut self, output: &mut [u8]) -> usize {
        let (waiting, from, to) = &mut self.waiting;
        let len = (*to - *from).min(output.len());
        output[..len].copy_from_slice(&waiting[*from..*from + len]);
        *from += len;
        len
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn turned(units: &[u16], big_endian: bool, chunk: usize, room: usize) -> Vec<u8> {
        let bytes = |unit: &u16| if big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() };
        let file: Vec<u8> = units.iter().flat_map(bytes).collect();
        let (mut utf16, mut text, mut output) = (Utf16::new(big_endian), Vec::new(), vec![0; room]);
        for mut input in file.chunks(chunk) {
            loop {
                let (used, written) = utf16.push(input, &mut output);
                text.extend_from_slice(&output[..written]);
                input = &input[used..];
                if input.is_empty() && written < room {
                    break;
                }
            }
        }
        utf16.end();
        loop {
            let (_, written) = utf16.push(&[], &mut output);
            text.extend_from_slice(&output[..written]);
            if written == 0 {
                return text;
            }
        }
    }

    #[test]
    fn the_mark_tells_the_order_of_bytes() {
        assert_eq!(byte_order(b"\xff\xfe{\0"), Some(false));
        assert_eq!(byte_order(b"\xfe\xff\0{"), Some(true));
        for other in [&b"\xff\xfe\0\0"[..], b"\xff\xfe{", b"\xfe\xfe{\0", b"{\0\"\0", b""] {
            assert_eq!(byte_order(other), None, "{other:?}");
        }
        assert!(may_be(b"") && may_be(b"\xff") && may_be(b"\xfe\xff\0") && !may_be(b"\xff\xff") && !may_be(b"{"));
    }

    #[test]
    fn half_a_pair_is_no_utf8() {
        let text = |units: &[u16]| turned(units, false, 1, 1);
        assert_eq!(text(&[0xfeff, 0x61, 0xd83d, 0xdd25]), "a🔥".as_bytes());
        assert_eq!(text(&[0x61, 0xd83d, 0x62]), b"a\xffb");
        assert_eq!(text(&[0xd83d, 0xd83d, 0xdd25]), [b"\xff", "🔥".as_bytes()].concat());
        assert_eq!(text(&[0xdd25, 0x61]), b"\xffa");
        assert_eq!(text(&[0x61, 0xd83d]), b"a\xff");
        assert_eq!(text(&[0x61, 0xfeff]), "a\u{feff}".as_bytes(), "only the first one is a mark");
    }

    proptest! {
        /// All units give the same text as the standard library, in any chunks.
        #[test]
        fn chunks_make_no_difference(
            units in proptest::collection::vec(prop_oneof![0x20_u16..0x7f, 0xd7ff_u16..0xe001, any::<u16>()], 0..200),
            big_endian: bool,
            chunk in 1_usize..9,
            room in 1_usize..9,
        ) {
            let rest = units.strip_prefix(&[0xfeff]).unwrap_or(&units);
            let mut expected = Vec::new();
            for character in char::decode_utf16(rest.iter().copied()) {
                match character {
                    Ok(character) => expected.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
                    Err(_) => expected.push(ODD),
                }
            }
            prop_assert_eq!(turned(&units, big_endian, chunk, room), expected);
        }
    }
}
