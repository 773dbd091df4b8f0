//! Secrets in a command's arguments, each of which is a separate text.

use super::editor::{Editor, MASK};
use super::names::{Kind, kind};
use super::text::{self, Escapes};

/// The effect of an argument on the next one.
#[derive(Clone, Debug, Default)]
pub struct Sequence {
    /// The option whose value the next argument is, if it is a secret's.
    option: Option<(Vec<u8>, Kind)>,
}

/// Masks the secrets of a command's arguments, in place.
pub fn mask_arguments(arguments: &mut [Vec<u8>], editor: &mut dyn Editor) {
    let mut sequence = Sequence::default();
    for argument in arguments {
        mask_argument(argument, &mut sequence, editor);
    }
}

/// Masks the secrets of an argument, in place; `sequence` is the effect of the earlier ones.
pub fn mask_argument(argument: &mut [u8], sequence: &mut Sequence, editor: &mut dyn Editor) {
    mask_one(argument, Escapes::None, sequence, editor);
}

pub(super) fn mask_one(argument: &mut [u8], escapes: Escapes, sequence: &mut Sequence, editor: &mut dyn Editor) {
    let is_option = argument.len() > 1 && argument[0] == b'-' && !argument[1].is_ascii_digit();
    let option = sequence.option.take();
    if let Some((name, kind)) = option
        && !is_option
    {
        if !kind.allows(argument) {
            editor.found(&String::from_utf8_lossy(&name));
            argument.fill(MASK);
        }
        return;
    }
    let dashes = argument.iter().take(2).take_while(|byte| **byte == b'-').count();
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let len = argument[dashes..].iter().take_while(|byte| is_name(byte)).count();
    let (name, rest) = argument[dashes..].split_at(len);
    if let Some(kind) = kind(name) {
        if rest.is_empty() {
            sequence.option = (dashes > 0).then(|| (name.to_vec(), kind));
            return;
        }
        // The rest is the value, including spaces and marks.
        let start = dashes + len + 1;
        if rest[0] == b'=' && rest.get(1) != Some(&b'=') {
            if !kind.allows(&argument[start..]) {
                editor.found(&String::from_utf8_lossy(name));
                argument[start..].fill(MASK);
            }
            return;
        }
    }
    text::mask(argument, escapes, editor);
}
