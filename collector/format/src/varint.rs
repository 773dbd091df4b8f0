//! Integers in as few bytes as they need: seven bits a byte, the lowest first, the top bit set on all but the last.

/// Appends a number: 1 to 10 bytes.
#[inline]
pub(crate) fn write(mut number: u64, into: &mut Vec<u8>) {
    while number >= 0x80 {
        into.push(number as u8 | 0x80);
        number >>= 7;
    }
    into.push(number as u8);
}

/// Takes a number off the front; `None` if it is cut, or larger than 64 bits.
#[inline]
pub(crate) fn read(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for (index, byte) in bytes.iter().enumerate().take(10) {
        let part = u64::from(byte & 0x7F);
        if index == 9 && part > 1 {
            return None;
        }
        number |= part << (7 * index);
        if byte & 0x80 == 0 {
            *bytes = &bytes[index + 1..];
            return Some(number);
        }
    }
    None
}

/// A signed number encoded so that small ones of either sign are small.
#[inline]
pub(crate) fn zigzag(number: i64) -> u64 {
    (number << 1 ^ number >> 63) as u64
}

/// The inverse of [`zigzag`].
#[inline]
pub(crate) fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_come_back(number: u64, signed: i64, shift in 0..64_u32) {
            let number = number >> shift;
            let mut bytes = Vec::new();
            write(number, &mut bytes);
            let len = bytes.len();
            prop_assert_eq!(len, (64 - number.leading_zeros()).div_ceil(7).max(1) as usize);
            prop_assert_eq!(read(&mut &bytes[..len - 1]), None);
            bytes.push(0x55);
            let mut rest = &bytes[..];
            prop_assert_eq!(read(&mut rest), Some(number));
            prop_assert_eq!(rest, &[0x55]);
            prop_assert_eq!(unzigzag(zigzag(signed)), signed);
        }
    }

    #[test]
    fn too_large_is_no_number() {
        assert_eq!(read(&mut &[0xFF; 12][..]), None);
        assert_eq!(read(&mut &[0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2][..]), None);
        assert_eq!(read(&mut &[0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1][..]), Some(u64::MAX));
    }
}
