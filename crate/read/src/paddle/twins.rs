//! Finds exports of the same recording, by their first slice.

use crate::Export;

/// The process of the first slice and its start, in whole µs since 1970, as the Chrome export cuts it.
pub(super) type FirstSlice = (u64, u64);

/// A file as one of the exports of its recording.
pub(super) fn export(path: &str, first: Option<FirstSlice>, format: u8) -> Export {
    match first {
        Some((process, micros)) => Export::one(format!("paddle {process} {micros}"), format, path),
        None => Export::only("paddle", path),
    }
}

/// The first slice of a Chrome export, found without a tokenizer: names are not escaped.
pub(super) fn first_slice(bytes: &[u8]) -> Option<FirstSlice> {
    // Other events have no duration.
    let event = &bytes[..memchr::memmem::find(bytes, b"\"dur\":")?];
    let number = |key: &[u8]| {
        let text = event[memchr::memmem::rfind(event, key)? + key.len()..].trim_ascii_start();
        let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        std::str::from_utf8(&text[..digits]).ok()?.parse().ok()
    };
    Some((number(b"\"pid\":")?, number(b"\"ts\":")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_slice_of_the_chrome_export() {
        let text = br#"{ "span_index": "0", "traceEvents": [
            { "name": "[memory]", "pid": 8, "tid": "8(C++)", "ts": 1795230106417000, "ph": "i" },
            { "name": "a "pid": 3 [1 ms]", "pid": 21839, "tid": "21839(Python)", "ts": 1795230106417228, "dur": 30.5 }"#;
        assert_eq!(first_slice(text), Some((21839, 1_795_230_106_417_228)));
        assert_eq!(first_slice(&text[..100]), None);
        assert_eq!(first_slice(br#"{"pid": 1, "dur": 2}"#), None);
    }
}
