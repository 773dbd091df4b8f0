//! Reads files from front to back, unpacked, to copy them without secrets and without keeping their text.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use stepscope::input::{Layer, Source, Sources, Unpacker};
use stepscope_format::secrets::{CopyMask, Editor, FoundSecrets};

use crate::open;

/// Bytes read at a time.
const CHUNK: usize = 256 << 10;

/// A file's text, or that of a file in an archive.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    path: PathBuf,
    /// Where its bytes lie in the file.
    start: u64,
    len: u64,
    layers: Vec<Layer>,
}

impl Text {
    /// A whole file, which is packed in these layers.
    pub(crate) fn whole(path: &Path, layers: Vec<Layer>) -> Self {
        Self { path: path.to_owned(), start: 0, len: u64::MAX, layers }
    }

    /// A file that was found in one.
    pub(crate) fn of(path: &Path, source: &Source) -> Self {
        Self { path: path.to_owned(), start: source.start, len: source.len, layers: source.layers.clone() }
    }

    fn bytes(&self) -> io::Result<impl Read> {
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(self.start))?;
        Ok(file.take(self.len))
    }

    /// Its first bytes.
    pub(crate) fn head(&self, len: usize) -> io::Result<Vec<u8>> {
        let mut packed = Vec::new();
        self.bytes()?.take(CHUNK as u64).read_to_end(&mut packed)?;
        if self.layers.is_empty() {
            packed.truncate(len);
            return Ok(packed);
        }
        let mut head = vec![0; len];
        let (_, len) = Unpacker::new(&self.layers).push(&packed, &mut head);
        head.truncate(len);
        Ok(head)
    }

    /// Passes it through a mask, and writes the result; returns what is wrong with its compression.
    pub(crate) fn pass(
        &self,
        mask: &mut CopyMask,
        editor: &mut dyn Editor,
        out: &mut dyn Write,
    ) -> io::Result<Option<String>> {
        let mut copy = Vec::new();
        let mut take = |bytes: &[u8]| -> io::Result<()> {
            mask.push(bytes, &mut copy, editor);
            out.write_all(&copy)?;
            copy.clear();
            Ok(())
        };
        let damage = self.each(&mut take)?;
        mask.finish(&mut copy, editor);
        out.write_all(&copy)?;
        Ok(damage)
    }

    /// Copies it unchanged, unpacked; returns what is wrong with its compression.
    pub(crate) fn copy(&self, out: &mut dyn Write) -> io::Result<Option<String>> {
        self.each(&mut |bytes| out.write_all(bytes))
    }

    /// Hands over its bytes as they are unpacked.
    fn each(&self, take: &mut dyn FnMut(&[u8]) -> io::Result<()>) -> io::Result<Option<String>> {
        let mut file = self.bytes()?;
        let mut input = vec![0; CHUNK];
        if self.layers.is_empty() {
            loop {
                match file.read(&mut input)? {
                    0 => return Ok(None),
                    read => take(&input[..read])?,
                }
            }
        }
        let (mut unpacker, mut unpacked) = (Unpacker::new(&self.layers), vec![0; CHUNK]);
        loop {
            let read = file.read(&mut input)?;
            let mut rest = &input[..read];
            loop {
                let (used, written) =
                    if read == 0 { (0, unpacker.end(&mut unpacked)) } else { unpacker.push(rest, &mut unpacked) };
                rest = &rest[used..];
                take(&unpacked[..written])?;
                if written == 0 && (rest.is_empty() || used == 0) {
                    break;
                }
            }
            if read == 0 || unpacker.is_done() {
                return Ok(unpacker.damage());
            }
        }
    }
}

/// Compression of a file that is not an archive, from its first bytes.
pub(crate) fn layers(head: &[u8]) -> Vec<Layer> {
    match head {
        [0x1f, 0x8b, ..] => vec![Layer::Gzip],
        [0x28, 0xb5, 0x2f, 0xfd, ..] => vec![Layer::Zstd],
        _ => Vec::new(),
    }
}

/// Secrets of a file.
pub(crate) enum Secrets {
    /// There are none.
    None,
    /// There are some, and a copy without them can be made of this text.
    Masked(Text, CopyMask),
    /// There are some, and no copy can be made without them: it is an archive, or of a format with lengths between its texts.
    Kept(FoundSecrets),
}

/// Looks for secrets in a file, and in the files of an archive.
pub(crate) fn secrets(path: &Path) -> io::Result<Secrets> {
    let mut sources = Sources::default();
    let mut file = open::opened(path)?;
    sources.add(&path.to_string_lossy(), &mut *file);
    drop(file);
    let is_cut = |source: &&Source| source.layers.iter().any(|layer| matches!(layer, Layer::Cut { .. }));
    let texts: Vec<Text> = match sources.list() {
        [one] if !is_cut(&one) => vec![Text::of(path, one)],
        // A compressed archive is unpacked once, from front to back.
        all if all.iter().any(|source| is_cut(&source)) => {
            let mut head = Vec::new();
            File::open(path)?.take(4).read_to_end(&mut head)?;
            vec![Text::whole(path, layers(&head))]
        }
        all => all.iter().map(|source| Text::of(path, source)).collect(),
    };
    let mut kept = None;
    for text in &texts {
        let mut mask = CopyMask::default();
        text.pass(&mut mask, &mut (), &mut io::sink())?;
        if mask.found().count == 0 {
            continue;
        }
        let is_whole = text.start == 0
            && sources.list().len() == 1
            && matches!(&text.layers[..], [] | [Layer::Gzip | Layer::Zstd]);
        if is_whole && mask.is_clean() {
            return Ok(Secrets::Masked(text.clone(), mask.again()));
        }
        kept.get_or_insert_with(|| mask.found().clone());
    }
    Ok(kept.map_or(Secrets::None, Secrets::Kept))
}
