//! Containers of all kinds, whole and damaged: every archive and packed file of the golden cases.

use std::fs;
use std::path::PathBuf;

use stepscope::input::{ReadAt, Sources};
use stepscope_tests::files::root;
use stepscope_tests::oracle::{Mutations, check_container};

fn inputs() -> Vec<(PathBuf, Vec<u8>)> {
    let cases = fs::read_dir(root().join("tests/fixtures/containers")).expect("the cases");
    let folders = cases.map(|case| case.expect("an entry").path()).filter(|path| path.is_dir());
    let files =
        folders.flat_map(|folder| fs::read_dir(folder).expect("a case").map(|entry| entry.expect("an entry").path()));
    let inputs = files.filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("input.")));
    inputs.map(|path| (path.clone(), fs::read(path).expect("an input"))).collect()
}

#[test]
fn whole_and_damaged_ones_are_read_or_refused() {
    let inputs = inputs();
    assert!(inputs.len() > 20, "{} inputs", inputs.len());
    for (path, bytes) in inputs {
        check_container(&bytes).unwrap_or_else(|what| panic!("{}: {what}", path.display()));
        for seed in 0..60 {
            let damaged = Mutations::new(seed).damage(&bytes);
            check_container(&damaged).unwrap_or_else(|what| panic!("{}, damage {seed}: {what}", path.display()));
        }
    }
}

/// A file that is nothing but zeros, of which it has very many; counts what is read.
struct Zeros(u64, u64);

impl ReadAt for Zeros {
    fn len(&self) -> u64 {
        self.0
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
        let len = buffer.len().min(usize::try_from(self.0.saturating_sub(offset)).unwrap_or(usize::MAX));
        buffer[..len].fill(0);
        self.1 += len as u64;
        Ok(len)
    }
}

#[test]
fn a_large_file_is_known_by_its_beginning() {
    let mut file = Zeros(1 << 40, 0);
    let mut sources = Sources::default();
    sources.add("zeros", &mut file);
    assert!(file.1 < 1 << 20, "{} bytes were read", file.1);
    assert_eq!(sources.plan(&Default::default()).left_out.len(), 1);
}

/// An archive whose directory claims more entries than there are bytes, and one that has very many.
#[test]
fn claims_cost_nothing() {
    let mut end = b"PK\x05\x06".to_vec();
    end.extend([0; 18]);
    let mut claiming = b"PK\x03\x04".to_vec();
    claiming.extend([0; 40]);
    claiming.extend(&end);
    let at = claiming.len() - 22;
    claiming[at + 8..at + 12].fill(0xff);
    check_container(&claiming).unwrap_or_else(|what| panic!("{what}"));
    // Thirty thousand entries that all point to the same data.
    let mut many = b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\x02\0\0\0\x02\0\0\0\x01\0\0\0a{}".to_vec();
    let directory = many.len();
    let count = 30_000_u16;
    for _ in 0..count {
        many.extend(b"PK\x01\x02\x14\0\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\x02\0\0\0\x02\0\0\0\x01\0");
        many.extend([0; 16]);
        many.push(b'a');
    }
    let size = u32::try_from(many.len() - directory).expect("a small directory");
    end[8..10].copy_from_slice(&count.to_le_bytes());
    end[10..12].copy_from_slice(&count.to_le_bytes());
    end[12..16].copy_from_slice(&size.to_le_bytes());
    end[16..20].copy_from_slice(&u32::try_from(directory).expect("a small archive").to_le_bytes());
    many.extend(&end);
    let mut sources = Sources::default();
    let mut file = Counted { bytes: &many, read: 0 };
    sources.add("many.zip", &mut file);
    let left_out = sources.plan(&Default::default()).left_out;
    assert_eq!(left_out.len(), 20_001, "and one line for those beyond");
    assert!(left_out[0].1.to_string().contains("lies over another"), "{}", left_out[0].1);
    assert!(file.read < 10 * many.len(), "{} bytes read of {}", file.read, many.len());
}

/// A file that counts the bytes that are read of it.
struct Counted<'a> {
    bytes: &'a [u8],
    read: usize,
}

impl ReadAt for Counted<'_> {
    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = (&mut self.bytes).read_at(offset, buffer)?;
        self.read += read;
        Ok(read)
    }
}
