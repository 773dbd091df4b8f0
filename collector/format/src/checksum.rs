//! CRC-32 (the polynomial of zlib and Ethernet), eight bytes at a time.

const TABLES: [[u32; 256]; 8] = tables();

const fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut rest = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            rest = if rest & 1 == 1 { rest >> 1 ^ 0xEDB8_8320 } else { rest >> 1 };
            bit += 1;
        }
        tables[0][byte] = rest;
        byte += 1;
    }
    let mut table = 1;
    while table < 8 {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[table - 1][byte];
            tables[table][byte] = before >> 8 ^ tables[0][(before & 0xFF) as usize];
            byte += 1;
        }
        table += 1;
    }
    tables
}

/// The checksum of some bytes.
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    let (words, rest) = bytes.as_chunks::<8>();
    let step = |table: usize, byte: u32| TABLES[table][(byte & 0xFF) as usize];
    let crc = words.iter().fold(u32::MAX, |crc, word| {
        let [a, b, c, d, e, f, g, h] = *word;
        let low = crc ^ u32::from_le_bytes([a, b, c, d]);
        let high = u32::from_le_bytes([e, f, g, h]);
        step(7, low)
            ^ step(6, low >> 8)
            ^ step(5, low >> 16)
            ^ step(4, low >> 24)
            ^ step(3, high)
            ^ step(2, high >> 8)
            ^ step(1, high >> 16)
            ^ step(0, high >> 24)
    });
    !rest.iter().fold(crc, |crc, byte| step(0, crc ^ u32::from(*byte)) ^ crc >> 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_checksums() {
        assert_eq!(crc32(b""), 0);
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(crc32(b"The quick brown fox jumps over the lazy dog"), 0x414F_A339);
    }
}
