//! The page's address with the traces to open in it.

use super::served::Served;
use super::token::Token;
use crate::result::Result;

/// Longest address that HTTP libraries accept, with a margin.
const LONGEST: usize = 60_000;

/// The folder under which traces are served.
pub(super) const TRACES: &str = "trace/";

/// The folder of the address that opens the page once.
pub(super) const ONCE: &str = "once/";

/// An address on this machine.
pub(super) fn on_this_machine(port: u16, path: &str) -> String {
    format!("http://127.0.0.1:{port}/{path}")
}

/// The page's path, with a parameter `trace` for each file: all served files are below the token.
pub(super) fn to_page(token: &Token, traces: &[Served]) -> Result<String> {
    let parameters = traces.iter().enumerate().map(|(index, trace)| {
        let mark = if index == 0 { '?' } else { '&' };
        // Encoded twice: the parameter contains an address, in which each name is encoded already.
        let names: Vec<String> = trace.path.split('/').map(|name| encoded(&encoded(name))).collect();
        format!("{mark}trace={TRACES}{index}/{}", names.join("/"))
    });
    let path = format!("{}/{}", token.text(), parameters.collect::<String>());
    if path.len() > LONGEST {
        return Err(format!("{} files are more than an address can name: drop their folder on the page", traces.len()));
    }
    Ok(path)
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
        let token = Token::new().unwrap();
        let path = to_page(&token, &traces).unwrap();
        assert_eq!(
            path.strip_prefix(token.text()),
            Some("/?trace=trace/0/a/rank%25200%25261.json&trace=trace/1/%25E8%25BD%25A8%25E8%25BF%25B9.json.gz")
        );
        assert_eq!(to_page(&token, &[]), Ok(format!("{}/", token.text())));
        assert_eq!(on_this_machine(80, "a/"), "http://127.0.0.1:80/a/");
    }

    #[test]
    fn too_many_files_are_refused_in_words() {
        let traces: Vec<Served> = (0..2_000).map(|_| served("worker0.1795229092641321325.pt.trace.json")).collect();
        let refused = to_page(&Token::new().unwrap(), &traces).expect_err("the address would be too long");
        assert!(refused.contains("2000 files"), "{refused}");
    }
}
