//! Sizes of the records of each version (measured on the libraries and their headers, 11.7 to 13.5).

/// Bytes of a record of a kind; `None` for kinds that are not known.
pub(crate) fn size_of_kind(kind: u32, version: u32) -> Option<usize> {
    // By the first version of each size.
    let by_version =
        |sizes: &[(u32, usize)]| sizes.iter().rev().find(|(first, _)| version >= *first).map(|size| size.1);
    match kind {
        3 | 10 => by_version(&[
            (0, 176),
            (18, 200),
            (22, 208),
            (130_001, 216),
            (130_101, 224),
            (130_301, 232),
            (130_401, 248),
        ]),
        1 => by_version(&[(0, 88), (26, 96), (130_401, 112)]),
        2 => by_version(&[(0, 88), (130_401, 104)]),
        38 => by_version(&[(0, 40), (26, 56)]),
        17 => by_version(&[(0, 40), (22, 56)]),
        4 | 5 => Some(40),
        39 | 9 | 37 => Some(24),
        22 => Some(96),
        51 => by_version(&[(0, 48), (22, 56)]),
        8 => by_version(&[(0, 176), (22, 184), (130_001, 192)]),
        36 => by_version(&[(0, 24), (26, 56), (130_401, 80)]),
        49 => by_version(&[(0, 120), (130_101, 128)]),
        _ => None,
    }
}
