//! Names of events.

use std::sync::atomic::{AtomicU32, Ordering};

use super::state::is_recording;
use super::thread;

/// A name that was looked up once: the cheapest to use again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Name(u32);

impl Name {
    /// The name of a text. It stays the same in all recordings of the process, and in forked children.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(thread::lasting_name(text).unwrap_or_default())
    }

    /// Its number, for callers that can keep nothing else, such as code in C.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }

    /// The name whose number [`get`](Self::get) gave, in this process or before it was forked.
    #[must_use]
    pub const fn of(number: u32) -> Self {
        Self(number)
    }
}

/// A name in the program's text, looked up when it is first recorded. Made by [`span!`](crate::span) and the like.
#[derive(Debug)]
pub struct StaticName {
    text: &'static str,
    /// Its number; zero until it is known.
    number: AtomicU32,
}

impl StaticName {
    /// A name that was not looked up yet.
    #[must_use]
    pub const fn new(text: &'static str) -> Self {
        Self { text, number: AtomicU32::new(0) }
    }

    #[cold]
    fn look_up(&self) -> u32 {
        let number = thread::lasting_name(self.text).unwrap_or_default();
        self.number.store(number, Ordering::Relaxed);
        number
    }
}

/// Name of an event: a [`Name`], a [`StaticName`], or a text, which is looked up at each use.
pub trait AsName {
    /// Its number; only asked for while the process is being recorded.
    #[doc(hidden)]
    fn number(self) -> u32;
}

impl AsName for Name {
    #[inline]
    fn number(self) -> u32 {
        self.0
    }
}

impl AsName for &StaticName {
    #[inline]
    fn number(self) -> u32 {
        match self.number.load(Ordering::Relaxed) {
            0 => self.look_up(),
            number => number,
        }
    }
}

impl AsName for &str {
    fn number(self) -> u32 {
        if is_recording() { thread::dynamic_name(self) } else { 0 }
    }
}

impl AsName for &String {
    fn number(self) -> u32 {
        self.as_str().number()
    }
}
