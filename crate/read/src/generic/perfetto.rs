//! Perfetto's own format, which is recognized, but not read.

/// The lowest field number of a trace's first packet; lower numbers are used in messages of other producers.
const FIRST_FIELD: u64 = 3;

/// Whether a file is a list of packets: field 1 repeated, and the first packet is complete and has only fields of
/// packets.
pub(super) fn is_packets(bytes: &[u8]) -> bool {
    let Some(Field { number: 1, inner: Some(mut packet), rest }) = field(bytes) else { return false };
    if packet.is_empty() || rest.first().is_some_and(|tag| *tag != bytes[0]) {
        return false;
    }
    while !packet.is_empty() {
        match field(packet) {
            Some(Field { number, rest, .. }) if number >= FIRST_FIELD => packet = rest,
            _ => return false,
        }
    }
    true
}

/// A field of a message.
struct Field<'a> {
    number: u64,
    /// Its bytes, if it is length-delimited.
    inner: Option<&'a [u8]>,
    /// The bytes after it.
    rest: &'a [u8],
}

fn field(bytes: &[u8]) -> Option<Field<'_>> {
    let (tag, rest) = varint(bytes)?;
    let (inner, rest) = match tag & 7 {
        0 => (None, varint(rest)?.1),
        1 => (None, rest.get(8..)?),
        2 => {
            let (len, rest) = varint(rest)?;
            let (inner, rest) = rest.split_at_checked(usize::try_from(len).ok()?)?;
            (Some(inner), rest)
        }
        5 => (None, rest.get(4..)?),
        _ => return None,
    };
    Some(Field { number: tag >> 3, inner, rest })
}

fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let len = bytes.iter().take(10).position(|byte| *byte < 0x80)? + 1;
    let value = bytes[..len].iter().rev().fold(0_u64, |value, byte| value << 7 | u64::from(byte & 0x7f));
    Some((value, &bytes[len..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_are_known_by_their_fields() {
        // A clock's snapshot, then a packet with a time (field 8) and a sequence (field 10).
        assert!(is_packets(b"\x0a\x04\x32\x02\x08\x06\x0a\x04\x40\x05\x50\x01"));
        assert!(is_packets(b"\x0a\x02\x40\x05"));
        let others: [&[u8]; 7] = [
            b"",
            b"\x0a",
            b"\x0a\x00\x0a\x00",
            // A plane of XLA's, by id and name.
            b"\x0a\x05\x08\x01\x12\x01a\x0a\x05\x08\x01\x12\x01a",
            // Paddle's version, then an index.
            b"\x0a\x051.0.2\x10\x01",
            b"\x0a\x04\x40\x05\x50",
            b"\nname,time\nadd,5\n",
        ];
        assert!(others.iter().all(|other| !is_packets(other)));
    }
}
