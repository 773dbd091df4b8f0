//! Files of `/proc`, kept open and read again and again.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// Reads all of a file into a buffer, from its beginning.
pub(super) fn read<'a>(file: &File, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
    let mut len = 0;
    loop {
        if buffer.len() < len + 1024 {
            buffer.resize((len + 1024).next_power_of_two(), 0);
        }
        match file.read_at(&mut buffer[len..], len as u64) {
            Ok(0) => return Ok(&buffer[..len]),
            Ok(read) => len += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// The numbers of a line, whatever stands between them.
pub(super) fn numbers(bytes: &[u8]) -> impl Iterator<Item = u64> + '_ {
    bytes.split(|byte| !byte.is_ascii_digit()).filter(|digits| !digits.is_empty()).map(|digits| {
        digits.iter().fold(0_u64, |number, digit| number.wrapping_mul(10).wrapping_add(u64::from(digit - b'0')))
    })
}

/// The bytes after a word at the beginning of a line.
pub(super) fn behind<'a>(bytes: &'a [u8], word: &str) -> Option<&'a [u8]> {
    bytes.split(|byte| *byte == b'\n').find_map(|line| line.strip_prefix(word.as_bytes()))
}

/// The first number after a word at the beginning of a line.
pub(super) fn number(bytes: &[u8], word: &str) -> Option<u64> {
    numbers(behind(bytes, word)?).next()
}

/// Growth of a counter per second.
#[expect(clippy::cast_precision_loss, reason = "rates of a chart")]
pub(super) fn rate(now: u64, before: u64, nanos: u64) -> f64 {
    now.saturating_sub(before) as f64 * 1e9 / nanos.max(1) as f64
}

/// Percentage of a time, both in ns.
#[expect(clippy::cast_precision_loss, reason = "shares of a chart")]
pub(super) fn percent(part: u64, nanos: u64) -> f64 {
    part as f64 * 100.0 / nanos.max(1) as f64
}

/// Bytes in MiB.
#[expect(clippy::cast_precision_loss, reason = "sizes of a chart")]
pub(super) fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_whatever_stands_between_them() {
        let text = b"MemTotal:       16 kB\nMemFree: 5 kB\nsome avg10=0.00 total=77\n";
        assert_eq!(numbers(text).collect::<Vec<_>>(), [16, 5, 10, 0, 0, 77]);
        assert_eq!((number(text, "MemFree:"), number(text, "Mem:")), (Some(5), None));
        assert_eq!(behind(text, "some ").map(|rest| rest.ends_with(b"total=77")), Some(true));
        assert_eq!((rate(30, 10, 500_000_000), rate(10, 30, 1), percent(25, 100)), (40.0, 0.0, 25.0));
    }
}
