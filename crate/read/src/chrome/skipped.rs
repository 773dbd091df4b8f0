//! Secrets in what no reader keeps of events: nothing shows it until a person asks for the event, but the file holds it.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use stepscope_format::secrets::{FoundSecrets, has_member, mask_json, mask_member};

use stepscope_parse::{Object, Skipped};

/// Bytes of members that are remembered, and the longest one: most events repeat what those before them have.
const MOST_BYTES: usize = 1 << 18;
const LONGEST: usize = 1 << 9;

/// Looks for secrets in the members that are skipped.
#[derive(Default)]
pub(super) struct SkippedSecrets {
    /// Members, each with what stands before it, and what is found in them.
    known: HashMap<Box<[u8]>, Option<Box<FoundSecrets>>, FxBuildHasher>,
    bytes: usize,
}

impl SkippedSecrets {
    /// Adds the secrets of an object's skipped members.
    #[inline]
    pub(super) fn look(&mut self, object: &Object<'_>, found: &mut FoundSecrets) {
        if object.skips_more() {
            let _ = mask_json(object.text(), found);
            return;
        }
        for member in object.skipped() {
            self.member(&member, found);
        }
    }

    fn member(&mut self, member: &Skipped<'_>, found: &mut FoundSecrets) {
        let text = member.text();
        match self.known.get(text) {
            Some(None) => return,
            Some(Some(known)) => return found.merge(known),
            None => {}
        }
        let (key, value) = (member.key(), member.value());
        let own = has_member(&key, value).then(|| {
            let mut own = Box::<FoundSecrets>::default();
            let _ = mask_member(&String::from_utf8_lossy(&key), value, &mut *own);
            own
        });
        if let Some(own) = &own {
            found.merge(own);
        }
        if text.len() <= LONGEST {
            if self.bytes > MOST_BYTES {
                self.known.clear();
                self.bytes = 0;
            }
            self.bytes += text.len();
            self.known.insert(text.into(), own);
        }
    }
}
