//! Secrets in skipped members of events: they are shown only when the user opens an event, but the file has them.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use stepscope_format::secrets::{FoundSecrets, has_member, mask_json, mask_member};

use stepscope_parse::{Object, Skipped};

/// The most bytes of members in the cache, and the longest member: most events repeat earlier ones.
const MOST_BYTES: usize = 1 << 18;
const LONGEST: usize = 1 << 9;

/// Searches skipped members for secrets.
#[derive(Default)]
pub(super) struct SkippedSecrets {
    /// The cache: members with the text before them, and the secrets found.
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
