//! A wasm module as its sections, as far as splitting needs them.

use crate::shell::Result;

/// The ids of sections.
pub(super) mod id {
    pub(crate) const CUSTOM: u8 = 0;
    pub(crate) const TYPE: u8 = 1;
    pub(crate) const IMPORT: u8 = 2;
    pub(crate) const FUNCTION: u8 = 3;
    pub(crate) const TABLE: u8 = 4;
    pub(crate) const GLOBAL: u8 = 6;
    pub(crate) const EXPORT: u8 = 7;
    pub(crate) const START: u8 = 8;
    pub(crate) const ELEMENT: u8 = 9;
    pub(crate) const CODE: u8 = 10;
}

/// The beginning of every module: its magic number and version.
pub(super) const HEADER: &[u8] = b"\0asm\x01\0\0\0";

/// Reads numbers and names in sequence.
#[derive(Clone)]
pub(super) struct Bytes<'a> {
    bytes: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Bytes<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.at >= self.bytes.len()
    }

    pub(super) fn byte(&mut self) -> Result<u8> {
        let byte = *self.bytes.get(self.at).ok_or("wasm: it ends too early")?;
        self.at += 1;
        Ok(byte)
    }

    pub(super) fn take(&mut self, len: usize) -> Result<&'a [u8]> {
        let end = self.at.checked_add(len).filter(|end| *end <= self.bytes.len()).ok_or("wasm: it ends too early")?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    /// An unsigned 32-bit number in LEB128.
    pub(super) fn number(&mut self) -> Result<u32> {
        let mut number = 0_u64;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return u32::try_from(number).map_err(|_| "wasm: a number is too large".to_owned());
            }
        }
        Err("wasm: a number is too long".to_owned())
    }

    /// Skips a number of any length, signed or unsigned.
    pub(super) fn skip_number(&mut self) -> Result {
        while self.byte()? >= 0x80 {}
        Ok(())
    }

    /// A vector's bytes: a name, a function, a section.
    pub(super) fn vector(&mut self) -> Result<&'a [u8]> {
        let len = self.number()?;
        self.take(len as usize)
    }

    fn since(&self, begin: usize) -> &'a [u8] {
        &self.bytes[begin..self.at]
    }
}

/// Writes a number in LEB128.
pub(super) fn put(out: &mut Vec<u8>, number: usize) {
    let mut rest = number;
    while rest >= 0x80 {
        out.push((rest & 0x7f) as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}

/// Writes a signed number in LEB128, as in `i32.const`.
pub(super) fn put_signed(out: &mut Vec<u8>, number: usize) {
    let mut rest = number;
    while rest >= 0x40 {
        out.push((rest & 0x7f) as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}

pub(super) fn put_vector(out: &mut Vec<u8>, bytes: &[u8]) {
    put(out, bytes.len());
    out.extend_from_slice(bytes);
}

/// Writes a section with `count` items.
pub(super) fn put_section(out: &mut Vec<u8>, id: u8, count: usize, items: &[u8]) {
    let mut section = Vec::with_capacity(items.len() + 5);
    put(&mut section, count);
    section.extend_from_slice(items);
    out.push(id);
    put_vector(out, &section);
}

/// A function's type: the number of its parameters, and its bytes.
pub(super) struct Signature<'a> {
    pub(super) parameters: u32,
    pub(super) text: &'a [u8],
}

/// The limits of a table.
pub(super) struct Limits {
    pub(super) least: u32,
    pub(super) most: Option<u32>,
}

/// A table: the kind of its elements, and its limits.
pub(super) struct Table {
    pub(super) kind: u8,
    pub(super) limits: Limits,
}

/// The content of a module.
pub(super) struct Module<'a> {
    /// Sections in order, without custom ones.
    pub(super) sections: Vec<(u8, &'a [u8])>,
    pub(super) types: Vec<Signature<'a>>,
    /// The type of each function, imported ones first.
    pub(super) functions: Vec<u32>,
    pub(super) imported: usize,
    pub(super) tables: Vec<Table>,
    /// Type and mutability of each global.
    pub(super) globals: Vec<[u8; 2]>,
    /// Name, kind and index of each export.
    pub(super) exports: Vec<(&'a str, u8, u32)>,
    pub(super) start: Option<u32>,
    /// Functions in a table.
    pub(super) elements: Vec<u32>,
    /// The bodies of functions that are not imported.
    pub(super) bodies: Vec<&'a [u8]>,
    /// The names of functions in the sources, if the module has them.
    pub(super) names: Vec<(u32, &'a str)>,
}

impl<'a> Module<'a> {
    pub(super) fn read(wasm: &'a [u8]) -> Result<Self> {
        let mut bytes = Bytes::new(wasm);
        if bytes.take(HEADER.len())? != HEADER {
            return Err("wasm: no module of version 1".to_owned());
        }
        let mut module = Self {
            sections: Vec::new(),
            types: Vec::new(),
            functions: Vec::new(),
            imported: 0,
            tables: Vec::new(),
            globals: Vec::new(),
            exports: Vec::new(),
            start: None,
            elements: Vec::new(),
            bodies: Vec::new(),
            names: Vec::new(),
        };
        while !bytes.is_empty() {
            let id = bytes.byte()?;
            let section = bytes.vector()?;
            let mut items = Bytes::new(section);
            if id == id::CUSTOM {
                if items.vector()? == b"name" {
                    module.read_names(&mut items)?;
                }
                continue;
            }
            module.sections.push((id, section));
            module.read_section(id, &mut items)?;
        }
        Ok(module)
    }

    fn read_section(&mut self, id: u8, items: &mut Bytes<'a>) -> Result {
        if id == id::START {
            self.start = Some(items.number()?);
            return Ok(());
        }
        if !matches!(
            id,
            id::TYPE | id::IMPORT | id::FUNCTION | id::TABLE | id::GLOBAL | id::EXPORT | id::ELEMENT | id::CODE
        ) {
            return Ok(());
        }
        for _ in 0..items.number()? {
            match id {
                id::TYPE => self.types.push(signature(items)?),
                id::IMPORT => {
                    items.vector()?;
                    items.vector()?;
                    if items.byte()? != 0 {
                        return Err("wasm: something else than functions is imported".to_owned());
                    }
                    self.functions.push(items.number()?);
                    self.imported += 1;
                }
                id::FUNCTION => self.functions.push(items.number()?),
                id::TABLE => self.tables.push(Table { kind: items.byte()?, limits: limits(items)? }),
                id::GLOBAL => {
                    self.globals.push([items.byte()?, items.byte()?]);
                    constant(items)?;
                }
                id::EXPORT => {
                    let name = std::str::from_utf8(items.vector()?).map_err(|error| error.to_string())?;
                    self.exports.push((name, items.byte()?, items.number()?));
                }
                id::ELEMENT => self.read_element(items)?,
                _ => self.bodies.push(items.vector()?),
            }
        }
        Ok(())
    }

    /// Functions that are put into a table together, in the forms that compilers write.
    fn read_element(&mut self, items: &mut Bytes<'a>) -> Result {
        match items.number()? {
            0 => constant(items)?,
            // The same for a table by its number.
            2 => {
                items.skip_number()?;
                constant(items)?;
                items.byte()?;
            }
            // Declared, so that code may refer to them.
            3 => {
                items.byte()?;
            }
            other => return Err(format!("wasm: elements of kind {other}")),
        }
        for _ in 0..items.number()? {
            self.elements.push(items.number()?);
        }
        Ok(())
    }

    fn read_names(&mut self, items: &mut Bytes<'a>) -> Result {
        const OF_FUNCTIONS: u8 = 1;
        while !items.is_empty() {
            let kind = items.byte()?;
            let mut names = Bytes::new(items.vector()?);
            if kind != OF_FUNCTIONS {
                continue;
            }
            for _ in 0..names.number()? {
                let function = names.number()?;
                let name = std::str::from_utf8(names.vector()?).map_err(|error| error.to_string())?;
                self.names.push((function, name));
            }
        }
        Ok(())
    }

    /// The body of a function that is not imported.
    pub(super) fn body(&self, function: u32) -> Option<&'a [u8]> {
        self.bodies.get((function as usize).checked_sub(self.imported)?).copied()
    }

    /// The index of an export, by its name.
    pub(super) fn exported(&self, name: &str) -> Result<u32> {
        let found = self.exports.iter().find(|(exported, ..)| *exported == name);
        found.map(|(_, _, index)| *index).ok_or_else(|| format!("wasm: nothing is exported as {name}"))
    }
}

fn signature<'a>(items: &mut Bytes<'a>) -> Result<Signature<'a>> {
    let begin = items.at;
    if items.byte()? != 0x60 {
        return Err("wasm: a type of something else than a function".to_owned());
    }
    let parameters = items.number()?;
    items.take(parameters as usize)?;
    let results = items.number()?;
    items.take(results as usize)?;
    Ok(Signature { parameters, text: items.since(begin) })
}

fn limits(items: &mut Bytes<'_>) -> Result<Limits> {
    let has_most = items.byte()? & 1 == 1;
    let least = items.number()?;
    Ok(Limits { least, most: if has_most { Some(items.number()?) } else { None } })
}

/// Skips a constant expression: a number, or a null or function reference.
fn constant(items: &mut Bytes<'_>) -> Result {
    match items.byte()? {
        0x41 | 0x42 | 0x23 | 0xd2 => items.skip_number()?,
        0x43 => drop(items.take(4)?),
        0x44 => drop(items.take(8)?),
        0xd0 => drop(items.byte()?),
        other => return Err(format!("wasm: a constant by instruction {other:#x}")),
    }
    if items.byte()? == 0x0b { Ok(()) } else { Err("wasm: a constant of several instructions".to_owned()) }
}
