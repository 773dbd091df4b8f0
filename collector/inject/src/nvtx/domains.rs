//! Domains, and names of categories. No locks: another thread may hold one at the moment of a fork.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use stepscope_collector::Name;

/// A domain's number: 0 is the default one. Clients get it as a handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Domain(pub(super) u16);

/// Most domains that are distinguished; beyond, they have the last one's name.
const MOST_DOMAINS: usize = 1024;

static NAMES: [OnceLock<Box<str>>; MOST_DOMAINS] = [const { OnceLock::new() }; MOST_DOMAINS];
static COUNT: AtomicU32 = AtomicU32::new(0);

impl Domain {
    pub(super) const DEFAULT: Self = Self(0);

    /// A new one.
    pub(super) fn create(name: &str) -> Self {
        let index = (COUNT.fetch_add(1, Ordering::Relaxed) as usize).min(MOST_DOMAINS - 1);
        let _ = NAMES[index].set(name.into());
        Self(u16::try_from(index + 1).unwrap_or(u16::MAX))
    }

    /// The domain of a client's handle.
    #[inline]
    pub(super) fn of(handle: usize) -> Self {
        Self(u16::try_from(handle).unwrap_or_default())
    }

    pub(super) fn name(self) -> &'static str {
        let index = usize::from(self.0).checked_sub(1);
        index.and_then(|index| NAMES.get(index)).and_then(OnceLock::get).map_or("", |name| name)
    }

    /// A name in it.
    pub(super) fn full(self, name: &str) -> Name {
        match self.name() {
            "" => Name::new(name),
            domain => Name::new(&format!("{domain}:{name}")),
        }
    }
}

/// Named categories; beyond, they have no names.
const MOST_CATEGORIES: usize = 4096;

/// Domain and number of a category plus one; zero for none.
static KEYS: [AtomicU64; MOST_CATEGORIES] = [const { AtomicU64::new(0) }; MOST_CATEGORIES];
static CATEGORIES: [AtomicU32; MOST_CATEGORIES] = [const { AtomicU32::new(0) }; MOST_CATEGORIES];

/// Where a category stands, or may be put.
fn slot(domain: Domain, category: u32, mut is_it: impl FnMut(&AtomicU64, u64) -> Option<bool>) -> Option<usize> {
    let key = u64::from(domain.0) << 32 | u64::from(category);
    let start = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 52) as usize;
    for step in 0..MOST_CATEGORIES {
        let index = (start + step) % MOST_CATEGORIES;
        if let Some(found) = is_it(&KEYS[index], key + 1) {
            return found.then_some(index);
        }
    }
    None
}

/// Names a category.
pub(super) fn name_category(domain: Domain, category: u32, name: &str) {
    let take = |place: &AtomicU64, key: u64| {
        let taken = place.compare_exchange(0, key, Ordering::AcqRel, Ordering::Acquire);
        (taken.is_ok() || taken == Err(key)).then_some(true)
    };
    if let Some(index) = slot(domain, category, take) {
        CATEGORIES[index].store(Name::new(name).get(), Ordering::Release);
    }
}

/// A category's name, if it has one.
pub(super) fn category_name(domain: Domain, category: u32) -> Option<Name> {
    let find = |place: &AtomicU64, key: u64| match place.load(Ordering::Acquire) {
        0 => Some(false),
        found if found == key => Some(true),
        _ => None,
    };
    let number = CATEGORIES[slot(domain, category, find)?].load(Ordering::Acquire);
    (number != 0).then(|| Name::of(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_and_categories_have_names() {
        let (one, other) = (Domain::create("one"), Domain::create("other"));
        assert_ne!(one, other);
        assert_eq!((one.name(), Domain::of(other.0.into()).name(), Domain::DEFAULT.name()), ("one", "other", ""));
        assert_eq!(one.full("x"), Name::new("one:x"));
        assert_eq!(Domain::DEFAULT.full("x"), Name::new("x"));
        for category in 0..100 {
            name_category(one, category, &format!("category {category}"));
        }
        name_category(one, 7, "seven");
        assert_eq!(category_name(one, 8), Some(Name::new("category 8")));
        assert_eq!(category_name(one, 7), Some(Name::new("seven")));
        assert_eq!(category_name(other, 7), None);
    }
}
