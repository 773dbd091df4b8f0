//! Masks a streamed text of lines.

use super::editor::Editor;
use super::text::{self, Escapes};

/// Longer lines are masked in parts.
const LONGEST: usize = 1 << 20;

/// Bytes of a part that are examined together with the next one.
const KEPT: usize = 64 << 10;

/// Masks the secrets of a text that comes in pieces of any size: CSV, logs, printed tables.
#[derive(Debug, Default)]
pub struct LineMask {
    rest: Vec<u8>,
}

impl LineMask {
    /// Takes the next piece, and puts out what is finished: as many bytes as come, a little later.
    pub fn push(&mut self, piece: &[u8], out: &mut Vec<u8>, editor: &mut dyn Editor) {
        self.rest.extend_from_slice(piece);
        let from = self.rest.len() - piece.len();
        let line = piece.iter().rposition(|byte| *byte == b'\n').map(|at| from + at + 1);
        let ready = match line {
            Some(end) => end,
            None if self.rest.len() > LONGEST => self.rest.len() - KEPT,
            None => return,
        };
        let rest = self.rest.split_off(ready);
        self.put(out, editor);
        self.rest = rest;
    }

    /// Puts out what is left.
    pub fn finish(&mut self, out: &mut Vec<u8>, editor: &mut dyn Editor) {
        self.put(out, editor);
    }

    fn put(&mut self, out: &mut Vec<u8>, editor: &mut dyn Editor) {
        text::mask(&mut self.rest, Escapes::Cells, editor);
        editor.edit(&[], &mut self.rest);
        out.append(&mut self.rest);
    }
}
