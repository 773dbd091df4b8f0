//! The raw recordings from which a compact file was made, so that readers skip those beside it.

use std::fmt;

/// The fact of a file's first process that lists them, separated by spaces.
pub const RECORDINGS: &str = "recordings";

/// Identity of a raw recording on one machine since its start, in that fact's form: `PROCESS@BEGAN`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    /// Its process.
    pub process: u32,
    /// When it began, in ns of `CLOCK_MONOTONIC`.
    pub began: u64,
}

impl Origin {
    /// The recordings in the fact's text; invalid names are left out.
    pub fn all(text: &str) -> impl Iterator<Item = Self> {
        text.split(' ').filter_map(|name| {
            let (process, began) = name.split_once('@')?;
            Some(Self { process: process.parse().ok()?, began: began.parse().ok()? })
        })
    }

    /// The fact's text.
    #[must_use]
    pub fn text(all: &[Self]) -> String {
        let names: Vec<String> = all.iter().map(Self::to_string).collect();
        names.join(" ")
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.process, self.began)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_names_recordings() {
        let all = [Origin { process: 7, began: u64::MAX }, Origin { process: u32::MAX, began: 1 }];
        assert_eq!(Origin::text(&all), "7@18446744073709551615 4294967295@1");
        assert_eq!(Origin::all(&Origin::text(&all)).collect::<Vec<_>>(), all);
        assert_eq!(Origin::all("7 7@ @7 x@1  4@5").collect::<Vec<_>>(), [Origin { process: 4, began: 5 }]);
    }
}
