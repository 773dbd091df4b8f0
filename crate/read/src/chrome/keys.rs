//! The keys that events of every dialect may have.

/// Numbers the keys of a dialect after the common ones, and lists them all as `WANTED`.
macro_rules! keys {
    ($($constant:ident = $text:literal;)*) => {
        crate::chrome::keys::keys!(@number crate::chrome::keys::COMMON; $($constant)*);
        /// The texts of all keys, by [`Key`](stepscope_parse::Key).
        pub(super) const WANTED: &[&str] = &[
            "ph", "cat", "name", "pid", "tid", "ts", "dur", "id", "args", "labels", "sort_index", "bp",
            "scope", $($text,)*
        ];
    };
    (@number $number:expr; $constant:ident $($rest:ident)*) => {
        pub(super) const $constant: stepscope_parse::Key = $number;
        crate::chrome::keys::keys!(@number $number + 1; $($rest)*);
    };
    (@number $number:expr;) => {};
}
pub(crate) use keys;

use stepscope_parse::Key;

pub(crate) const PHASE: Key = 0;
pub(crate) const CATEGORY: Key = 1;
pub(crate) const NAME: Key = 2;
pub(crate) const PROCESS: Key = 3;
pub(crate) const THREAD: Key = 4;
pub(crate) const START: Key = 5;
pub(crate) const DURATION: Key = 6;
pub(crate) const ID: Key = 7;
pub(crate) const ARGS: Key = 8;
pub(crate) const LABELS: Key = 9;
pub(crate) const SORT_INDEX: Key = 10;

pub(crate) const BIND: Key = 11;
pub(crate) const SCOPE: Key = 12;

/// The number of common keys; a dialect's own keys follow.
pub(crate) const COMMON: Key = 13;
