//! Protocol buffers' wire format: fields with a number and a value.
//!
//! This is not a crate: generated code of `prost` would bring types for every message and need the whole file at
//! once. It also rejects files of Paddle 3.3.1, whose types of events exceed their own schema.

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Wire<'a> {
    /// An integer; negative ones are two's complement.
    Number(u64),
    /// Text, bytes, or a message.
    Bytes(&'a [u8]),
    /// A number in 32 bits: a float.
    Float(f32),
    /// A number in 64 bits, which Paddle does not use.
    Wide,
}

/// The header of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Start {
    /// The field's number.
    pub(super) field: u32,
    /// The wire type of its value.
    pub(super) kind: u8,
    /// The number of bytes of the header, including the length of the value.
    pub(super) header: usize,
    /// The number of bytes of the value, which follow.
    pub(super) length: u64,
}

/// The reason why a field cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    /// The bytes end before it does.
    Cut,
    /// It is not a valid field.
    Damaged,
}

/// A number of up to ten bytes with seven bits each, and the number of its bytes.
fn varint(bytes: &[u8]) -> Result<(u64, usize), Problem> {
    let mut value = 0;
    for (index, byte) in bytes.iter().take(10).enumerate() {
        let bits = u64::from(byte & 0x7f);
        if index == 9 && bits > 1 {
            return Err(Problem::Damaged);
        }
        value |= bits << (7 * index);
        if byte & 0x80 == 0 {
            return Ok((value, index + 1));
        }
    }
    Err(if bytes.len() < 10 { Problem::Cut } else { Problem::Damaged })
}

impl Start {
    /// The field that begins with these bytes.
    pub(super) fn of(bytes: &[u8]) -> Result<Self, Problem> {
        let (tag, mut header) = varint(bytes)?;
        let kind = (tag & 7) as u8;
        let field = u32::try_from(tag >> 3).ok().filter(|field| *field > 0).ok_or(Problem::Damaged)?;
        let length = match kind {
            0 => varint(&bytes[header..])?.1 as u64,
            1 => 8,
            2 => {
                let (length, taken) = varint(&bytes[header..])?;
                header += taken;
                length
            }
            5 => 4,
            _ => return Err(Problem::Damaged),
        };
        Ok(Self { field, kind, header, length })
    }

    /// The value from its bytes.
    pub(super) fn value<'a>(&self, bytes: &'a [u8]) -> Result<Wire<'a>, Problem> {
        Ok(match (self.kind, bytes) {
            (0, bytes) => Wire::Number(varint(bytes)?.0),
            (2, bytes) => Wire::Bytes(bytes),
            (5, &[a, b, c, d]) => Wire::Float(f32::from_le_bytes([a, b, c, d])),
            _ => Wire::Wide,
        })
    }
}

/// The fields of a message, up to the first that cannot be read.
pub(super) struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    pub(super) fn of(message: &'a [u8]) -> Self {
        Self(message)
    }

    /// Whether all of a message can be read.
    pub(super) fn are_sound(message: &'a [u8]) -> bool {
        let mut fields = Self(message);
        while fields.next().is_some() {}
        fields.0.is_empty()
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = (u32, Wire<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let start = Start::of(self.0).ok()?;
        let end = start.header.checked_add(usize::try_from(start.length).ok()?)?;
        let value = start.value(self.0.get(start.header..end)?).ok()?;
        self.0 = &self.0[end..];
        Some((start.field, value))
    }
}

/// The last value of a field that is a number.
pub(super) fn number(message: &[u8], field: u32) -> Option<u64> {
    last(message, field, |wire| match wire {
        Wire::Number(number) => Some(number),
        _ => None,
    })
}

/// The last value of a field that is text, bytes or a message.
pub(super) fn bytes(message: &[u8], field: u32) -> Option<&[u8]> {
    last(message, field, |wire| match wire {
        Wire::Bytes(bytes) => Some(bytes),
        _ => None,
    })
}

/// The last value of a field that is a float.
pub(super) fn float(message: &[u8], field: u32) -> Option<f64> {
    last(message, field, |wire| match wire {
        Wire::Float(float) => Some(f64::from(float)),
        _ => None,
    })
}

/// All values of a field that are text, bytes or messages.
pub(super) fn all(message: &[u8], field: u32) -> impl Iterator<Item = &[u8]> {
    Fields::of(message).filter_map(move |(number, wire)| match wire {
        Wire::Bytes(bytes) if number == field => Some(bytes),
        _ => None,
    })
}

/// Numbers without gaps.
pub(super) fn packed(mut bytes: &[u8]) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let (number, taken) = varint(bytes).ok()?;
        bytes = &bytes[taken..];
        Some(number)
    })
}

fn last<'a, T>(message: &'a [u8], field: u32, wanted: impl Fn(Wire<'a>) -> Option<T>) -> Option<T> {
    Fields::of(message).filter(|(number, _)| *number == field).filter_map(|(_, wire)| wanted(wire)).last()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_every_kind_by_hand() {
        // 1: 300; 2: "ab"; 3: 0.5; 4: eight bytes; 16: −1.
        let message =
            b"\x08\xac\x02\x12\x02ab\x1d\0\0\0\x3f\x2112345678\x80\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01";
        assert_eq!((number(message, 1), number(message, 16)), (Some(300), Some(u64::MAX)));
        assert_eq!((bytes(message, 2), float(message, 3)), (Some(&b"ab"[..]), Some(0.5)));
        assert_eq!((number(message, 2), number(message, 5)), (None, None));
        assert!(Fields::are_sound(message));
        assert_eq!(Fields::of(message).count(), 5);
        for end in 1..message.len() {
            let sound = Fields::are_sound(&message[..end]);
            assert_eq!(sound, [3, 7, 12, 21].contains(&end), "{end} bytes");
        }
    }

    #[test]
    fn no_field_has_such_a_start() {
        for start in [&b"\x00"[..], b"\x0b", b"\x0f", b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f"] {
            assert_eq!(Start::of(start), Err(Problem::Damaged), "{start:?}");
        }
        for start in [&b""[..], b"\x08", b"\x12", b"\x80\x80"] {
            assert_eq!(Start::of(start), Err(Problem::Cut), "{start:?}");
        }
    }
}
