//! Records of CUPTI, read by offsets.
//!
//! No field has ever moved from 11.7 to 13.5, while records grew. Fields of all versions are read by their offset,
//! later ones only if the library's version has them. The library gives the position of the next record.

/// A record, up to the end of its buffer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields<'a> {
    bytes: &'a [u8],
    /// The library's version.
    version: u32,
}

impl<'a> Fields<'a> {
    pub(super) fn new(bytes: &'a [u8], version: u32) -> Self {
        Self { bytes, version }
    }

    /// Kind of the record.
    pub(super) fn kind(self) -> u32 {
        self.u32(0)
    }

    fn chunk<const LEN: usize>(self, offset: usize) -> [u8; LEN] {
        self.bytes.get(offset..).and_then(|rest| rest.first_chunk()).copied().unwrap_or([0; LEN])
    }

    pub(super) fn u8(self, offset: usize) -> u8 {
        let [byte] = self.chunk(offset);
        byte
    }

    pub(super) fn u16(self, offset: usize) -> u16 {
        u16::from_ne_bytes(self.chunk(offset))
    }

    pub(super) fn u32(self, offset: usize) -> u32 {
        u32::from_ne_bytes(self.chunk(offset))
    }

    pub(super) fn u64(self, offset: usize) -> u64 {
        u64::from_ne_bytes(self.chunk(offset))
    }

    /// Three consecutive numbers.
    pub(super) fn triple(self, offset: usize) -> [u32; 3] {
        [0, 4, 8].map(|more| self.u32(offset + more))
    }

    /// Three numbers that the library has since a version; zeros before.
    pub(super) fn triple_since(self, version: u32, offset: usize) -> [u32; 3] {
        if self.version >= version { self.triple(offset) } else { [0; 3] }
    }

    /// A field that the library has since a version; zero before.
    pub(super) fn since(self, version: u32, offset: usize) -> u32 {
        if self.version >= version { self.u32(offset) } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_unaligned_and_nothing_beyond_the_end() {
        let mut bytes = [0; 21];
        bytes[3..7].copy_from_slice(&0xABCD_EF01_u32.to_ne_bytes());
        let fields = Fields::new(&bytes, 22);
        assert_eq!((fields.u32(3), fields.u32(18), fields.u64(20), fields.u8(99)), (0xABCD_EF01, 0, 0, 0));
        assert_eq!((fields.since(22, 3), fields.since(24, 3)), (0xABCD_EF01, 0));
    }
}
