//! The layers in which a file's bytes are packed.

use std::fmt;
use std::str::FromStr;

/// A layer of packing; see [`Unpacker`](super::Unpacker).
///
/// As text, which the page passes between workers: `gzip`, `deflate:1a2b3c4d`, `cut:512:1000`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// Stored bytes, with a checksum if known.
    Stored(Option<u32>),
    /// Raw deflate data, with a checksum if known.
    Deflate(Option<u32>),
    /// Gzip, any number of members.
    Gzip,
    /// Zstandard, any number of frames.
    Zstd,
    /// Text in UTF-16.
    Utf16 {
        /// Whether each unit begins with its higher byte.
        big_endian: bool,
    },
    /// A range of the output of the layers before.
    Cut {
        /// Bytes before the range.
        skip: u64,
        /// Bytes of the range.
        take: u64,
    },
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stored(None) => f.write_str("stored"),
            Self::Stored(Some(crc)) => write!(f, "stored:{crc:x}"),
            Self::Deflate(None) => f.write_str("deflate"),
            Self::Deflate(Some(crc)) => write!(f, "deflate:{crc:x}"),
            Self::Gzip => f.write_str("gzip"),
            Self::Zstd => f.write_str("zstd"),
            Self::Utf16 { big_endian: false } => f.write_str("utf16le"),
            Self::Utf16 { big_endian: true } => f.write_str("utf16be"),
            Self::Cut { skip, take } => write!(f, "cut:{skip}:{take}"),
        }
    }
}

impl FromStr for Layer {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut parts = text.split(':');
        let name = parts.next().ok_or(())?;
        let numbers: Vec<&str> = parts.collect();
        let crc = || numbers.first().map(|crc| u32::from_str_radix(crc, 16)).transpose().map_err(|_| ());
        match (name, &numbers[..]) {
            ("stored", _) => Ok(Self::Stored(crc()?)),
            ("deflate", _) => Ok(Self::Deflate(crc()?)),
            ("gzip", []) => Ok(Self::Gzip),
            ("zstd", []) => Ok(Self::Zstd),
            ("utf16le", []) => Ok(Self::Utf16 { big_endian: false }),
            ("utf16be", []) => Ok(Self::Utf16 { big_endian: true }),
            ("cut", [skip, take]) => {
                Ok(Self::Cut { skip: skip.parse().map_err(|_| ())?, take: take.parse().map_err(|_| ())? })
            }
            _ => Err(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Layer;

    #[test]
    fn a_layer_survives_as_text() {
        let cut = Layer::Cut { skip: 1, take: u64::MAX };
        let stored = [Layer::Stored(None), Layer::Stored(Some(0xdead_beef))];
        let texts = [false, true].map(|big_endian| Layer::Utf16 { big_endian });
        for layer in [Layer::Gzip, Layer::Zstd, Layer::Deflate(None), Layer::Deflate(Some(7)), cut]
            .iter()
            .chain(&stored)
            .chain(&texts)
        {
            assert_eq!(layer.to_string().parse(), Ok(*layer));
        }
        for wrong in ["", "lzma", "cut:1", "gzip:1", "stored:xyz"] {
            assert_eq!(wrong.parse::<Layer>(), Err(()), "{wrong}");
        }
    }
}
