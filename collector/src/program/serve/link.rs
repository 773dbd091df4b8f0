//! The page's address with the traces to open in it.

use super::Served;
use crate::Result;

/// What HTTP libraries take as an address, with room to spare.
const LONGEST: usize = 60_000;

/// The folder under which traces are served.
pub(super) const TRACES: &str = "trace/";

/// The page's address, with a parameter `trace` for each file.
pub(super) fn to_page(port: u16, traces: &[Served]) -> Result<String> {
    let parameters = traces.iter().enumerate().map(|(index, trace)| {
        let mark = if index == 0 { '?' } else { '&' };
        // Encoded twice: the parameter holds an address, in which each name is encoded already.
        let names: Vec<String> = trace.path.split('/').map(|name| encoded(&encoded(name))).collect();
        format!("{mark}trace={TRACES}{index}/{}", names.join("/"))
    });
    let url = format!("http://127.0.0.1:{port}/{}", parameters.collect::<String>());
    if url.len() > LONGEST {
        return Err(format!("{} files are more than an address can name: drop their folder on the page", traces.len()));
    }
    Ok(url)
}

/// A part of an address: all but letters, digits and `-._~` as `%` and two hexadecimal digits.
fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn served(path: &str) -> Served {
        Served { file: path.into(), path: path.to_owned() }
    }

    #[test]
    fn names_survive_a_parameter_and_a_path() {
        let traces = [served("a/rank 0&1.json"), served("轨迹.json.gz")];
        assert_eq!(
            to_page(80, &traces).as_deref(),
            Ok("http://127.0.0.1:80/?trace=trace/0/a/rank%25200%25261.json\
                &trace=trace/1/%25E8%25BD%25A8%25E8%25BF%25B9.json.gz")
        );
        assert_eq!(to_page(1, &[]).as_deref(), Ok("http://127.0.0.1:1/"));
    }

    #[test]
    fn too_many_files_are_refused_in_words() {
        let traces: Vec<Served> = (0..2_000).map(|_| served("worker0.1795229092641321325.pt.trace.json")).collect();
        let refused = to_page(1, &traces).expect_err("the address would be too long");
        assert!(refused.contains("2000 files"), "{refused}");
    }
}
