//! Fields of messages in other orders, with corrected lengths around them.

use stepscope_tests::oracle::Mutations;

/// Deepest level of messages that is examined.
const DEPTH: usize = 6;

/// A field: its tag, and what follows it.
#[derive(Clone)]
struct Field {
    tag: Vec<u8>,
    body: Body,
}

#[derive(Clone)]
enum Body {
    Number(u64),
    Fixed(Vec<u8>),
    Bytes(Vec<u8>),
}

pub(super) fn damaged(damage: &mut Mutations, file: &[u8], other: &[u8]) -> Vec<u8> {
    let mut file = file.to_vec();
    for _ in 0..=damage.place(3) {
        file = inside(damage, &file, other, DEPTH);
    }
    file
}

/// Damages one message inside of this one, or this one.
fn inside(damage: &mut Mutations, message: &[u8], other: &[u8], depth: usize) -> Vec<u8> {
    let Some(mut fields) = fields(message).filter(|fields| !fields.is_empty()) else { return damage.damage(message) };
    let at = damage.place(fields.len());
    let deeper = depth > 0 && damage.percent(75);
    match &mut fields[at].body {
        Body::Bytes(bytes) if deeper => *bytes = inside(damage, bytes, other, depth - 1),
        Body::Number(number) if deeper => *number = damage.telling_number(),
        _ => {
            let others = message_of(damage, other, DEPTH - depth);
            damage.rearrange(&mut fields, &others);
        }
    }
    write(&fields)
}

/// The fields of any message of a file at about this depth.
fn message_of(damage: &mut Mutations, file: &[u8], depth: usize) -> Vec<Field> {
    let mut message = fields(file).unwrap_or_default();
    for _ in 0..depth {
        let deeper = |field: &Field| if let Body::Bytes(bytes) = &field.body { fields(bytes) } else { None };
        let inner: Vec<Vec<Field>> = message.iter().filter_map(deeper).filter(|fields| !fields.is_empty()).collect();
        if inner.is_empty() {
            break;
        }
        message = inner[damage.place(inner.len())].clone();
    }
    message
}

/// A message's fields; `None` if these bytes are not a message.
fn fields(mut message: &[u8]) -> Option<Vec<Field>> {
    let mut fields = Vec::new();
    while !message.is_empty() {
        let before = message;
        let tag = varint(&mut message)?;
        let mut field = Field { tag: before[..before.len() - message.len()].to_vec(), body: Body::Number(0) };
        let length = match tag & 7 {
            0 => {
                field.body = Body::Number(varint(&mut message)?);
                0
            }
            1 => 8,
            2 => usize::try_from(varint(&mut message)?).ok()?,
            5 => 4,
            _ => return None,
        };
        let (body, rest) = message.split_at_checked(length)?;
        message = rest;
        match tag & 7 {
            0 => {}
            2 => field.body = Body::Bytes(body.to_vec()),
            _ => field.body = Body::Fixed(body.to_vec()),
        }
        fields.push(field);
    }
    Some(fields)
}

fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

fn write(fields: &[Field]) -> Vec<u8> {
    let mut message = Vec::new();
    for field in fields {
        message.extend_from_slice(&field.tag);
        match &field.body {
            Body::Number(number) => put(*number, &mut message),
            Body::Fixed(bytes) => message.extend_from_slice(bytes),
            Body::Bytes(bytes) => {
                put(bytes.len() as u64, &mut message);
                message.extend_from_slice(bytes);
            }
        }
    }
    message
}

fn put(mut number: u64, into: &mut Vec<u8>) {
    while number >= 0x80 {
        into.push(number as u8 | 0x80);
        number >>= 7;
    }
    into.push(number as u8);
}
