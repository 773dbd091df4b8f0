//! The keys that events of every dialect may have.

/// Numbers the keys of a dialect behind the common ones, and lists them all as `WANTED`.
macro_rules! keys {
    ($($constant:ident = $text:literal;)*) => {
        crate::read::chrome::keys::keys!(@number crate::read::chrome::keys::COMMON; $($constant)*);
        /// The texts of all keys, by [`Key`](crate::parse::Key).
        pub(super) const WANTED: &[&str] = &[
            "ph", "cat", "name", "pid", "tid", "ts", "dur", "id", "args", "labels", "sort_index", "bp",
            "scope", $($text,)*
        ];
    };
    (@number $number:expr; $constant:ident $($rest:ident)*) => {
        pub(super) const $constant: crate::parse::Key = $number;
        crate::read::chrome::keys::keys!(@number $number + 1; $($rest)*);
    };
    (@number $number:expr;) => {};
}
pub(in crate::read) use keys;

use crate::parse::Key;

pub(in crate::read) const PHASE: Key = 0;
pub(in crate::read) const CATEGORY: Key = 1;
pub(in crate::read) const NAME: Key = 2;
pub(in crate::read) const PROCESS: Key = 3;
pub(in crate::read) const THREAD: Key = 4;
pub(in crate::read) const START: Key = 5;
pub(in crate::read) const DURATION: Key = 6;
pub(in crate::read) const ID: Key = 7;
pub(in crate::read) const ARGS: Key = 8;
pub(in crate::read) const LABELS: Key = 9;
pub(in crate::read) const SORT_INDEX: Key = 10;

pub(in crate::read) const BIND: Key = 11;
pub(in crate::read) const SCOPE: Key = 12;

/// How many these are: a dialect's own come behind them.
pub(in crate::read) const COMMON: Key = 13;
