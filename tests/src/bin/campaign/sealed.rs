//! Checksums over damage: what is behind them would else never be tried.

use flate2::Crc;

/// Bytes of a compact file before its first block, and of a block before its content.
const FILE_HEADER: usize = 16;
const BLOCK_HEADER: usize = 20;
const SYNC: &[u8] = b"\xf7SB1";

/// Makes the checksums of a compact file's blocks right again, as far as these can be found.
pub(crate) fn seal(file: &mut [u8]) {
    let mut at = FILE_HEADER;
    while let Some(block) = file.get_mut(at..) {
        let Some(found) = block.windows(SYNC.len()).position(|window| window == SYNC) else { return };
        let block = &mut block[found..];
        let Some((head, rest)) = block.split_at_mut_checked(BLOCK_HEADER) else { return };
        let length = u32::from_le_bytes([head[8], head[9], head[10], head[11]]) as usize;
        let Some(content) = rest.get(..length) else {
            at += found + SYNC.len();
            continue;
        };
        let sums = [&head[4..12], content].map(|bytes| {
            let mut crc = Crc::new();
            crc.update(bytes);
            crc.sum().to_le_bytes()
        });
        head[12..].copy_from_slice(sums.as_flattened());
        at += found + BLOCK_HEADER + length;
    }
}
