//! Scans sixteen bytes at a time for the ends of strings and of white space.
//!
//! Three versions of the same two functions: WebAssembly's simd128, x86-64's SSE2 (which all such processors have),
//! and portable words of eight bytes. A test compares each with the plain definition.

/// Bytes per step.
pub(super) const WIDTH: usize = 16;

/// One bit per byte, the first byte in bit 0: the bytes that end the plain part of a string.
///
/// These are the quote, the backslash, control characters (not allowed in a JSON string) and bytes of non-ASCII
/// characters (which must be checked to be UTF-8).
#[inline]
pub(super) fn string_stops(bytes: &[u8; WIDTH]) -> u32 {
    imp::string_stops(bytes)
}

/// One bit per byte, the first byte in bit 0: the bytes that are not JSON white space.
#[inline]
pub(super) fn not_space(bytes: &[u8; WIDTH]) -> u32 {
    imp::not_space(bytes)
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128", not(feature = "scalar")))]
#[allow(unsafe_code, reason = "an unaligned load has no safe form in core::arch")]
mod imp {
    use core::arch::wasm32::{
        i8x16_lt, i8x16_splat, u8x16_bitmask, u8x16_eq, u8x16_splat, v128, v128_load, v128_not, v128_or,
    };

    fn load(bytes: &[u8; 16]) -> v128 {
        // SAFETY: the reference points at 16 readable bytes; v128_load needs no alignment.
        unsafe { v128_load(bytes.as_ptr().cast()) }
    }

    #[inline]
    pub(super) fn string_stops(bytes: &[u8; 16]) -> u32 {
        let bytes = load(bytes);
        let quote = u8x16_eq(bytes, u8x16_splat(b'"'));
        let backslash = u8x16_eq(bytes, u8x16_splat(b'\\'));
        // As signed bytes, non-ASCII ones are negative: one comparison finds them and the controls.
        let other = i8x16_lt(bytes, i8x16_splat(0x20));
        u32::from(u8x16_bitmask(v128_or(v128_or(quote, backslash), other)))
    }

    #[inline]
    pub(super) fn not_space(bytes: &[u8; 16]) -> u32 {
        let bytes = load(bytes);
        let blank = v128_or(u8x16_eq(bytes, u8x16_splat(b' ')), u8x16_eq(bytes, u8x16_splat(b'\n')));
        let rare = v128_or(u8x16_eq(bytes, u8x16_splat(b'\r')), u8x16_eq(bytes, u8x16_splat(b'\t')));
        u32::from(u8x16_bitmask(v128_not(v128_or(blank, rare))))
    }
}

#[cfg(all(target_arch = "x86_64", not(feature = "scalar")))]
#[allow(unsafe_code, reason = "an unaligned load has no safe form in core::arch")]
mod imp {
    use core::arch::x86_64::{
        __m128i, _mm_cmpeq_epi8, _mm_cmplt_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8,
    };

    fn load(bytes: &[u8; 16]) -> __m128i {
        // SAFETY: the reference points at 16 readable bytes; loadu needs no alignment, and every x86-64 processor has
        // SSE2.
        unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
    }

    #[inline]
    pub(super) fn string_stops(bytes: &[u8; 16]) -> u32 {
        let bytes = load(bytes);
        // SAFETY: every x86-64 processor has SSE2.
        unsafe {
            let quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'"'.cast_signed()));
            let backslash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'\\'.cast_signed()));
            // As signed bytes, non-ASCII ones are negative: one comparison finds them and the controls.
            let other = _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20));
            _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, backslash), other)).cast_unsigned()
        }
    }

    #[inline]
    pub(super) fn not_space(bytes: &[u8; 16]) -> u32 {
        let bytes = load(bytes);
        // SAFETY: every x86-64 processor has SSE2.
        unsafe {
            let is = |byte: u8| _mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte.cast_signed()));
            let space = _mm_or_si128(_mm_or_si128(is(b' '), is(b'\n')), _mm_or_si128(is(b'\r'), is(b'\t')));
            _mm_movemask_epi8(space).cast_unsigned() ^ 0xffff
        }
    }
}

#[cfg(not(any(
    all(target_arch = "wasm32", target_feature = "simd128", not(feature = "scalar")),
    all(target_arch = "x86_64", not(feature = "scalar"))
)))]
use scalar as imp;

/// The portable version: two words of eight bytes. Always compiled, so that tests compare with it.
#[cfg_attr(not(test), allow(dead_code, reason = "only used where there is no SIMD, and by tests"))]
pub(super) mod scalar {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;

    /// The high bit of each byte of `word` that equals `byte`; exact for every byte.
    fn equal(word: u64, byte: u8) -> u64 {
        let x = word ^ (ONES * u64::from(byte));
        // The usual "has a zero byte" trick carries a borrow into the next byte; this form does not.
        !(((x & !HIGH) + !HIGH) | x | !HIGH)
    }

    /// Gathers the eight high bits into the low eight bits.
    fn gather(high_bits: u64) -> u32 {
        u32::try_from((high_bits >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56).unwrap_or_default()
    }

    fn both(bytes: &[u8; 16], of_word: impl Fn(u64) -> u64) -> u32 {
        let word = |from: usize| {
            let mut eight = [0; 8];
            eight.copy_from_slice(&bytes[from..from + 8]);
            u64::from_le_bytes(eight)
        };
        gather(of_word(word(0))) | gather(of_word(word(8))) << 8
    }

    #[inline]
    pub(in super::super) fn string_stops(bytes: &[u8; 16]) -> u32 {
        both(bytes, |word| {
            let control = !((word & !HIGH) + ONES * 0x60) & !word & HIGH;
            equal(word, b'"') | equal(word, b'\\') | control | (word & HIGH)
        })
    }

    #[inline]
    pub(in super::super) fn not_space(bytes: &[u8; 16]) -> u32 {
        both(bytes, |word| !(equal(word, b' ') | equal(word, b'\n') | equal(word, b'\r') | equal(word, b'\t')) & HIGH)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_definition(bytes: &[u8; WIDTH], wanted: impl Fn(u8) -> bool) -> u32 {
        bytes.iter().enumerate().map(|(index, byte)| u32::from(wanted(*byte)) << index).sum()
    }

    fn check(bytes: &[u8; WIDTH]) {
        let stop = |byte: u8| byte == b'"' || byte == b'\\' || byte < 0x20 || !byte.is_ascii();
        let solid = |byte: u8| !matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
        assert_eq!(string_stops(bytes), by_definition(bytes, stop), "{bytes:x?}");
        assert_eq!(scalar::string_stops(bytes), by_definition(bytes, stop), "{bytes:x?}");
        assert_eq!(not_space(bytes), by_definition(bytes, solid), "{bytes:x?}");
        assert_eq!(scalar::not_space(bytes), by_definition(bytes, solid), "{bytes:x?}");
    }

    #[test]
    fn every_byte_at_every_place_among_every_neighbour() {
        for filler in [b'a', 0x00, 0x1f, 0x20, 0x21, b'"', b'\\', 0x7f, 0x80, 0xff, b'\n'] {
            for place in 0..WIDTH {
                for byte in 0..=255 {
                    let mut bytes = [filler; WIDTH];
                    bytes[place] = byte;
                    check(&bytes);
                }
            }
        }
    }
}
