//! Secrets in addresses: without a token there is no access.

use std::fmt::Write as _;
use std::hint::black_box;

use crate::result::Result;

/// Random bytes of a token.
const BYTES: usize = 24;

/// Random text that cannot be guessed.
#[derive(Clone, Debug)]
pub(super) struct Token(String);

impl Token {
    /// A new token.
    ///
    /// # Errors
    ///
    /// If the system has no random numbers.
    pub(super) fn new() -> Result<Self> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes).map_err(|error| format!("random numbers for the token: {error}"))?;
        Ok(Self(bytes.iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })))
    }

    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// Whether a text is the token. The time it takes does not depend on where they differ.
    pub(super) fn is(&self, text: &str) -> bool {
        let (own, other) = (self.0.as_bytes(), text.as_bytes());
        let differ = own.iter().zip(other).fold(0, |differ, (own, other)| black_box(differ | (own ^ other)));
        own.len() == other.len() && differ == 0
    }
}

#[cfg(test)]
mod tests {
    use super::Token;

    #[test]
    fn only_the_token_is_it() {
        let token = Token::new().unwrap();
        assert_eq!(token.text().len(), 48);
        assert!(token.is(token.text()) && token.text().bytes().all(|byte| byte.is_ascii_hexdigit()));
        let text = token.text().to_owned();
        for other in
            ["", &text[1..], &format!("{text}0"), &text.to_ascii_uppercase().replace(|c: char| c.is_ascii_digit(), "x")]
        {
            assert!(!token.is(other), "{other}");
        }
        assert!(!token.is(Token::new().unwrap().text()));
    }
}
