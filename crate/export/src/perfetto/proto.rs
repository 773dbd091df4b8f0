//! Protobuf's wire format, as far as it is needed to write.

/// Appends a number, seven bits a byte.
pub(super) fn varint(mut value: u64, into: &mut Vec<u8>) {
    while value >= 0x80 {
        into.push(value as u8 | 0x80);
        value >>= 7;
    }
    into.push(value as u8);
}

/// Appends a field that is a number.
pub(super) fn number(field: u32, value: u64, into: &mut Vec<u8>) {
    varint(u64::from(field) << 3, into);
    varint(value, into);
}

/// Appends a field that is a number of eight bytes.
pub(super) fn fixed(field: u32, value: u64, into: &mut Vec<u8>) {
    varint(u64::from(field) << 3 | 1, into);
    into.extend_from_slice(&value.to_le_bytes());
}

/// Appends a field that is a text or bytes.
pub(super) fn bytes(field: u32, value: &[u8], into: &mut Vec<u8>) {
    varint(u64::from(field) << 3 | 2, into);
    varint(value.len() as u64, into);
    into.extend_from_slice(value);
}

/// Appends a field that is a message.
pub(super) fn message(field: u32, into: &mut Vec<u8>, fill: impl FnOnce(&mut Vec<u8>)) {
    varint(u64::from(field) << 3 | 2, into);
    let start = into.len();
    fill(into);
    let len = into.len() - start;
    // The length precedes the message, which is moved by the number of bytes of the length.
    let mut prefix = Vec::new();
    varint(len as u64, &mut prefix);
    into.splice(start..start, prefix);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_as_the_specification_has_them() {
        let mut out = Vec::new();
        number(1, 150, &mut out);
        bytes(2, b"testing", &mut out);
        message(3, &mut out, |out| number(1, 150, out));
        fixed(4, 1, &mut out);
        let testing = *b"testing";
        let expected = [
            &[0x08, 0x96, 0x01, 0x12, 0x07][..],
            &testing,
            &[0x1a, 0x03, 0x08, 0x96, 0x01, 0x21, 1, 0, 0, 0, 0, 0, 0, 0],
        ];
        assert_eq!(out, expected.concat());
    }
}
