//! Copies of archives: each text in them is copied without its secrets, and packed again.

mod pack;

use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use stepscope::input::{Layer, Sources};
use stepscope_collector::create_private;
use stepscope_format::compact;
use stepscope_format::secrets::{CopyMask, Editor, FoundSecrets};

use self::pack::{Pack, Packing};
use super::format::{HEAD, is_binary};
use super::pseudonyms::Pseudonyms;
use super::temporary::Temporary;
use crate::copy::Text;
use crate::open;
use crate::result::Result;
use crate::written::{is_standard, name_of};

/// The archive's name among its files' paths.
const ROOT: &str = "archive";

/// Whether a file that begins so is an archive.
pub(super) fn is_archive(head: &[u8]) -> bool {
    is_zip(head) || head.get(257..262) == Some(b"ustar")
}

fn is_zip(head: &[u8]) -> bool {
    head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06")
}

/// An archive that is to be copied.
pub(super) struct Archive {
    members: Vec<Member>,
    packing: Packing,
    /// Its unpacked temporary copy.
    _unpacked: Option<Temporary>,
}

/// A file in it.
struct Member {
    name: String,
    text: Text,
    mask: CopyMask,
    is_compressed: bool,
}

impl Archive {
    /// Lists an archive, which begins so once it is unpacked from its layers.
    pub(super) fn open(input: &Path, output: &Path, text: &Text, head: &[u8], layers: &[Layer]) -> Result<Self> {
        let packing = match Packing::of(output) {
            Some(packing) => packing,
            None if is_standard(output) && is_zip(head) => Packing::Zip,
            None if is_standard(output) => Packing::Tar { compressed: false },
            None => {
                return Err(format!(
                    "{}: the copy of an archive is one: let its name end in .zip, .tar or .tar.gz",
                    output.display()
                ));
            }
        };
        let failed = |error: io::Error| format!("{}: {error}", input.display());
        // Each file is read twice: in an archive that is compressed as a whole, they are only readable in order.
        let unpacked = match layers {
            [] => None,
            _ => {
                let temporary = Temporary::named("tar");
                let mut file = create_private(&temporary.0).map_err(failed)?;
                if let Some(damage) = text.copy(&mut file).map_err(failed)? {
                    eprintln!("{}: {damage}: the copy contains what could be read", input.display());
                }
                Some(temporary)
            }
        };
        let path = unpacked.as_ref().map_or(input, |temporary| temporary.0.as_path());
        let mut sources = Sources::default();
        sources.add(ROOT, &mut *open::opened(path).map_err(failed)?);
        let (mut members, mut others) = (Vec::new(), Vec::new());
        for source in sources.list() {
            let name = source.path.strip_prefix(ROOT).unwrap_or(&source.path).trim_start_matches('/').to_owned();
            // An archive that cannot be listed is copied as a file.
            if name.is_empty() {
                continue;
            }
            let text = Text::of(path, source);
            let head = text.head(HEAD).map_err(failed)?;
            if is_binary(&head) && !head.starts_with(&compact::TAG) {
                others.push(name);
                continue;
            }
            let is_compressed = matches!(source.layers.last(), Some(Layer::Gzip)) && name.ends_with(".gz");
            members.push(Member { name, text, mask: CopyMask::default(), is_compressed });
        }
        if let [first, rest @ ..] = &others[..] {
            let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
            eprintln!("{}: left out of the copy, since only text can be redacted: {first}{more}", input.display());
        }
        if members.is_empty() {
            return Err(format!("{}: there is no text in it that can be redacted", input.display()));
        }
        Ok(Self { members, packing, _unpacked: unpacked })
    }

    /// Looks for secrets and names of hosts in all files.
    pub(super) fn look(&mut self, names: &mut Pseudonyms) -> io::Result<()> {
        for member in &mut self.members {
            let mut mask = CopyMask::default();
            if let Some(damage) = member.text.pass(&mut mask, names, &mut io::sink())? {
                eprintln!("{}: {damage}: the copy contains what could be read", member.name);
            }
            member.mask = mask.again();
        }
        Ok(())
    }

    /// Writes the copy, and returns the secrets that were masked in it.
    pub(super) fn write(&mut self, names: &mut Pseudonyms, out: &mut dyn Write) -> io::Result<FoundSecrets> {
        let mut found = FoundSecrets::default();
        let mut pack = Pack::new(self.packing, out);
        for Member { name, text, mask, is_compressed } in &mut self.members {
            // The length of a copy is written before it.
            let copy = Temporary::named("copy");
            let mut file = create_private(&copy.0)?;
            if *is_compressed {
                let mut gz = GzEncoder::new(&mut file, Compression::default());
                text.pass(mask, names, &mut gz)?;
                gz.finish()?;
            } else {
                text.pass(mask, names, &mut file)?;
            }
            found.merge(mask.found());
            let mut shown = std::mem::take(name).into_bytes();
            names.edit(&[], &mut shown);
            let mut file = File::open(&copy.0)?;
            let len = file.seek(io::SeekFrom::End(0))?;
            file.rewind()?;
            pack.add(&String::from_utf8_lossy(&shown), len, &mut file)?;
        }
        pack.finish()?;
        Ok(found)
    }
}

/// The report on a copy.
pub(super) fn told(output: &Path, found: &FoundSecrets, names: &Pseudonyms) -> String {
    let secrets = match found.count {
        0 => "no secrets found".to_owned(),
        count => format!("secrets masked: {count} ({})", found.list()),
    };
    format!("{}: {secrets}{}", name_of(output), names.told())
}
