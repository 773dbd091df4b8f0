//! The instructions of a function, as far as they refer to other functions.

use super::module::Bytes;
use crate::shell::Result;

/// A call in a body: the bytes of the instruction, and the function.
pub(super) struct Call {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) function: u32,
}

/// References of a body.
#[derive(Default)]
pub(super) struct Uses {
    pub(super) calls: Vec<Call>,
    /// Functions of which it takes a reference; these are not moved.
    pub(super) references: Vec<u32>,
}

/// Reads all instructions of a body. An unknown one is an error: the bytes after it could be misread.
pub(super) fn uses_of(body: &[u8]) -> Result<Uses> {
    let mut uses = Uses::default();
    let mut code = Bytes::new(body);
    for _ in 0..code.number()? {
        code.number()?;
        code.byte()?;
    }
    while !code.is_empty() {
        let from = code.at;
        match code.byte()? {
            // call
            0x10 => {
                let function = code.number()?;
                uses.calls.push(Call { from, to: code.at, function });
            }
            // ref.func
            0xd2 => uses.references.push(code.number()?),
            instruction => pass(instruction, &mut code)?,
        }
    }
    Ok(uses)
}

/// Skips the operands of an instruction.
fn pass(instruction: u8, code: &mut Bytes<'_>) -> Result {
    match instruction {
        // unreachable, nop, else, end, return, drop, select; comparisons, arithmetic, conversions; ref.is_null
        0x00 | 0x01 | 0x05 | 0x0b | 0x0f | 0x1a | 0x1b | 0x45..=0xc4 | 0xd1 => Ok(()),
        // block, loop, if: a type; br, br_if; locals and globals; table.get, table.set; memory.size, memory.grow; constants; ref.null
        0x02..=0x04 | 0x0c | 0x0d | 0x20..=0x26 | 0x3f..=0x42 | 0xd0 => code.skip_number(),
        // f32.const, f64.const
        0x43 => code.take(4).map(drop),
        0x44 => code.take(8).map(drop),
        // br_table: labels, and the one for all else
        0x0e => {
            for _ in 0..=code.number()? {
                code.skip_number()?;
            }
            Ok(())
        }
        // call_indirect: type and table; loads and stores: alignment and place
        0x11 | 0x28..=0x3e => numbers(2, code),
        // select of types
        0x1c => {
            let types = code.number()?;
            code.take(types as usize).map(drop)
        }
        0xfc => match code.number()? {
            // conversions that saturate
            0..=7 => Ok(()),
            // memory.copy; table.copy
            10 | 14 => numbers(2, code),
            // memory.fill; table.grow, table.size, table.fill
            11 | 15..=17 => numbers(1, code),
            // Segments have other numbers in another module.
            other => Err(format!("wasm: instruction 0xfc {other}")),
        },
        0xfd => match code.number()? {
            // loads and stores of vectors
            0..=11 | 92 | 93 => numbers(2, code),
            // v128.const, i8x16.shuffle
            12 | 13 => code.take(16).map(drop),
            // a lane
            21..=34 => code.take(1).map(drop),
            // loads and stores of a lane
            84..=91 => {
                numbers(2, code)?;
                code.take(1).map(drop)
            }
            14..=275 => Ok(()),
            other => Err(format!("wasm: instruction 0xfd {other}")),
        },
        other => Err(format!("wasm: instruction {other:#x}")),
    }
}

fn numbers(count: usize, code: &mut Bytes<'_>) -> Result {
    for _ in 0..count {
        code.skip_number()?;
    }
    Ok(())
}
