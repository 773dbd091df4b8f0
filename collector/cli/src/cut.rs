//! Texts that are too long for their columns, cut so that they stay distinguishable.

use std::collections::HashMap;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Marks the left-out part.
const CUT: char = '…';

/// Characters that stay before the place where two names differ, to show that they are alike up to there.
const BEFORE: usize = 3;

/// Most places of a name that show its differences from others.
const MOST_PLACES: usize = 3;

/// Fewest columns of a part of a name, including the mark of the rest.
const NARROWEST_PART: usize = BEFORE + 2;

/// A text of at most so many columns that keeps its beginning and its end.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    if text.width() <= most {
        return text.to_owned();
    }
    let room = most.saturating_sub(1);
    let tail = room / 3;
    let end = fitting(text.chars().rev(), tail);
    fitting(text.chars(), room - tail).into_iter().chain([CUT]).chain(end.into_iter().rev()).collect()
}

/// Names of a table, each of at most so many columns. Those that would look alike keep the places where they differ instead
/// of their ends.
pub(crate) fn shortened_apart(names: &[String], most: usize) -> Vec<String> {
    let mut distinct: Vec<&str> = names.iter().map(String::as_str).collect();
    distinct.sort_unstable();
    distinct.dedup();
    let mut short: Vec<String> = distinct.iter().map(|name| shortened(name, most)).collect();
    let mut places: Vec<Vec<usize>> = vec![Vec::new(); distinct.len()];
    for parts in 1..=MOST_PLACES {
        if most < NARROWEST_PART * (parts + 1) {
            break;
        }
        let mut alike: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, short) in short.iter().enumerate() {
            alike.entry(short).or_default().push(index);
        }
        let alike: Vec<Vec<usize>> = alike.into_values().filter(|group| group.len() > 1).collect();
        if alike.is_empty() {
            break;
        }
        for group in alike {
            // They are sorted: the longest beginning that one has in common with another is one with a neighbor.
            let shared: Vec<usize> =
                group.windows(2).map(|pair| common(distinct[pair[0]], distinct[pair[1]])).collect();
            for (place, &index) in group.iter().enumerate() {
                let before = place.checked_sub(1).and_then(|before| shared.get(before));
                places[index].extend(before.max(shared.get(place)));
                places[index].sort_unstable();
                short[index] = with_places(distinct[index], &places[index], most);
            }
        }
    }
    let of =
        |name: &String| distinct.binary_search(&name.as_str()).map_or_else(|_| name.clone(), |at| short[at].clone());
    names.iter().map(of).collect()
}

/// Length of the common beginning of two names in characters.
fn common(one: &str, other: &str) -> usize {
    one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count()
}

/// A name's beginning and what begins at these places of it.
fn with_places(name: &str, places: &[usize], most: usize) -> String {
    let name: Vec<char> = name.chars().collect();
    let width = |part: &[char]| part.iter().filter_map(|character| character.width()).sum::<usize>();
    let mut room = most.saturating_sub(places.len() + 1);
    let head = fitting(name.iter().copied(), room / (places.len() + 2));
    room -= width(&head);
    let mut end = head.len();
    let mut text: String = head.into_iter().collect();
    for (number, place) in places.iter().enumerate() {
        let left = places.len() - number;
        // The last part keeps as much of the end as fits.
        let tail = if left == 1 { fitting(name.iter().rev().copied(), room).len() } else { 0 };
        let start = place.saturating_sub(BEFORE).min(name.len() - tail).max(end);
        let part = fitting(name[start..].iter().copied(), room / left);
        room -= width(&part);
        if start > end {
            text.push(CUT);
        } else {
            room += 1;
        }
        end = start + part.len();
        text.extend(part);
    }
    if end < name.len() {
        text.push(CUT);
    }
    text
}

/// The first characters that fit into so many columns.
fn fitting(characters: impl Iterator<Item = char>, room: usize) -> Vec<char> {
    let mut left = room;
    let mut taken = Vec::new();
    for character in characters {
        let Some(rest) = left.checked_sub(character.width().unwrap_or_default()) else { break };
        left = rest;
        taken.push(character);
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_are_cut_by_columns() {
        assert_eq!(shortened("abcdefghij", 10), "abcdefghij");
        assert_eq!(shortened("abcdefghijk", 10), "abcdef…ijk");
        assert_eq!(shortened("矩阵乘法内核", 8), "矩阵…核");
        assert_eq!(shortened("abc", 1), "…");
        assert_eq!(shortened("abc", 0), "…");
    }

    fn apart(names: &[&str], most: usize) -> Vec<String> {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let short = shortened_apart(&names, most);
        assert!(short.iter().all(|name| name.width() <= most), "{short:?}");
        short
    }

    #[test]
    fn names_that_would_look_alike_keep_where_they_differ() {
        let names = [
            "elementwise_kernel<4, AddFunctor<float>, Array<char*, 3>>",
            "elementwise_kernel<4, MulFunctor<float>, Array<char*, 3>>",
            "short",
        ];
        assert_eq!(apart(&names, 30), ["elementwi…4, AddFunctor<float…", "elementwi…4, MulFunctor<float…", "short"]);
        // Where only the last letters differ, the ends stay as they are.
        let ends = ["a_long_name_of_a_kernel_in_bf16", "a_long_name_of_a_kernel_in_fp16"];
        assert_eq!(apart(&ends, 20), ["a_long_name_o…n_bf16", "a_long_name_o…n_fp16"]);
        // The difference lies beyond the part that fits, close to the end.
        let close = ["aaaaaaaaaaaaaaaaaaaaaaaaaaaaXbbbbbbbb", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaYbbbbbbbb"];
        let [x, y] = &apart(&close, 16)[..] else { panic!("two names") };
        assert!(x.contains('X') && y.contains('Y'), "{x} {y}");
        let several = [
            "cutlass::Kernel<simt_sgemm_256x128_8x4_nn_align1>",
            "cutlass::Kernel<simt_sgemm_256x128_8x4_nn_align4>",
            "cutlass::Kernel<tensorop_s1688gemm_256x128_8x4_nn_align1>",
        ];
        let all = apart(&several, 26);
        assert!(all[0] != all[1] && all[0] != all[2], "{all:?}");
        assert_eq!(
            apart(&["矩阵乘法内核的一个很长的名字", "矩阵乘法内核的二个很长的名字"], 18)
                .iter()
                .filter(|name| name.contains('一'))
                .count(),
            1
        );
    }

    #[test]
    fn equal_names_stay_equal_and_no_room_is_no_panic() {
        let names = ["abcdefghijklmnop", "abcdefghijklmnop", "abcdefghiXklmnop"];
        for most in 0..17 {
            let short = apart(&names, most.max(1));
            assert_eq!(short[0], short[1]);
            assert!(most < 10 || short[0] != short[2], "{most}: {short:?}");
        }
    }
}
