//! Pages and rows of SQLite's databases.

use stepscope_tests::oracle::Mutations;

/// Bytes of a database before its first page's own head.
const FILE_HEADER: usize = 100;

pub(super) fn damaged(damage: &mut Mutations, file: &[u8], other: &[u8]) -> Vec<u8> {
    let Some(size) = page_size(file) else { return damage.in_place(file, other) };
    let mut pages: Vec<Vec<u8>> = file.chunks(size).map(<[u8]>::to_vec).collect();
    if damage.percent(40) && pages.len() > 1 {
        let first = pages.remove(0);
        let others: Vec<Vec<u8>> = other.chunks(page_size(other).unwrap_or(size)).skip(1).map(<[u8]>::to_vec).collect();
        // Pages are found by their numbers: copying or omitting one moves all after it.
        damage.rearrange(&mut pages, &others);
        pages.insert(0, first);
    }
    for _ in 0..damage.place(4) {
        let at = damage.place(pages.len());
        let head = if at == 0 { FILE_HEADER } else { 0 };
        cells(damage, &mut pages[at], head);
    }
    pages.concat()
}

fn page_size(file: &[u8]) -> Option<usize> {
    let size = u16::from_be_bytes(*file.get(16..)?.first_chunk()?);
    (size.is_power_of_two() && size >= 512).then_some(size.into())
}

/// Reorders a page's cells by their pointers, or changes a byte of one: a length, a type, a value.
fn cells(damage: &mut Mutations, page: &mut [u8], head: usize) {
    const LEAF: u8 = 8;
    let Some(kind) = page.get(head).copied() else { return };
    let start = head + if kind & LEAF == 0 { 12 } else { 8 };
    let number =
        |page: &[u8], at: usize| page.get(at..).and_then(<[u8]>::first_chunk).map(|two| u16::from_be_bytes(*two));
    let count = number(page, head + 3).unwrap_or_default();
    let mut cells: Vec<u16> = (0..usize::from(count)).map_while(|cell| number(page, start + cell * 2)).collect();
    if damage.percent(50) {
        let at = cells.get(damage.place(cells.len())).map_or(0, |cell| usize::from(*cell) + damage.place(12));
        let byte = damage.telling_number() as u8;
        page.iter_mut().skip(at).take(1).for_each(|place| *place = byte);
        return;
    }
    let others = cells.clone();
    damage.rearrange(&mut cells, &others);
    // As many as fit before the first one.
    let room = cells.iter().min().map_or(0, |first| usize::from(*first).saturating_sub(start) / 2);
    cells.truncate(room);
    for (at, cell) in cells.iter().enumerate() {
        if let Some(place) = page.get_mut(start + at * 2..).and_then(<[u8]>::first_chunk_mut) {
            *place = cell.to_be_bytes();
        }
    }
    if let Some(place) = page.get_mut(head + 3..).and_then(<[u8]>::first_chunk_mut) {
        *place = (cells.len() as u16).to_be_bytes();
    }
}
