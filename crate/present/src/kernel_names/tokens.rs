//! The identifiers, numbers and types in a C++ name, mangled or not, in their order.

use super::signature::type_of;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An identifier: a namespace, function, class or enumeration.
    Name,
    /// An integer argument of a template.
    Number,
    /// A `bool`, or an enumerator's value, which comes after the name of its enumeration.
    Value,
    /// The short name of a built-in type.
    Type,
    /// The beginning of template arguments, without a text.
    Open,
    /// Anything else, without a text.
    Other,
}

/// A part of a C++ name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
}

/// The tokens of a mangled name, or of an instance of a template library; none for other names.
#[inline(never)]
pub(super) fn tokens(name: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let signature = name.strip_prefix("void ").unwrap_or(name);
    if let Some(mangled) = name.strip_prefix("_Z") {
        let mut rest = mangled.trim_start_matches(['N', 'K', 'L']);
        let mut in_enumerator = false;
        // Ends where a name is cut off.
        while let Some(token) = next_of_itanium(&mut rest, &mut in_enumerator) {
            let is_anonymous = token.text.starts_with("_GLOBAL__N");
            if !is_anonymous {
                tokens.push(token);
            }
        }
    } else if let Some(mangled) = name.strip_prefix('?') {
        msvc(mangled, &mut tokens);
    } else if signature.starts_with("ck") || signature.starts_with("cutlass") {
        words(signature, &mut tokens);
    }
    tokens
}

/// Splits off the beginning of a text; none where that is no text.
fn cut<'a>(rest: &mut &'a str, length: usize) -> Option<&'a str> {
    let (text, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(text)
}

/// Splits off the bytes at the beginning for which a condition holds.
#[inline(never)]
fn cut_while<'a>(rest: &mut &'a str, is: fn(u8) -> bool) -> &'a str {
    let length = rest.bytes().take_while(|letter| is(*letter)).count();
    cut(rest, length).unwrap_or_default()
}

/// Splits off a text and the letter that ends it.
#[inline(never)]
fn cut_before<'a>(rest: &mut &'a str, end: u8) -> &'a str {
    let length = rest.bytes().take_while(|letter| *letter != end).count();
    let text = cut(rest, length).unwrap_or_default();
    cut(rest, 1);
    text
}

/// An identifier, or a class for numbers such as `__half`.
#[inline(never)]
fn named(text: &str) -> Token<'_> {
    type_of(text).map_or(Token { kind: Kind::Name, text }, |text| Token { kind: Kind::Type, text })
}

fn is_digit(letter: u8) -> bool {
    letter.is_ascii_digit()
}

/// Reads a token of a name in the Itanium ABI: identifiers have their length before them.
fn next_of_itanium<'a>(rest: &mut &'a str, in_enumerator: &mut bool) -> Option<Token<'a>> {
    let token = |kind, text| Some(Token { kind, text });
    let digits = cut_while(rest, is_digit);
    if !digits.is_empty() {
        return Some(named(cut(rest, digits.parse().ok()?)?));
    }
    let letter = cut(rest, 1)?.as_bytes()[0];
    let next = rest.bytes().next().unwrap_or_default();
    let built_in = match letter {
        b'E' if *in_enumerator => {
            *in_enumerator = false;
            return token(Kind::Value, cut_before(rest, b'E'));
        }
        b'L' => {
            *in_enumerator = next == b'N';
            if next == b'S' {
                cut_before(rest, b'_');
            } else if next.is_ascii_lowercase() {
                cut(rest, 1);
            } else {
                return token(Kind::Other, "");
            }
            let kind = if matches!(next, b'b' | b'S') { Kind::Value } else { Kind::Number };
            return token(kind, cut_before(rest, b'E'));
        }
        b'I' => return token(Kind::Open, ""),
        // Their numbers are no lengths: references to earlier names (`S5_`, `T1_`), types such as `DF16b` and `DB8_`.
        b'S' | b'T' | b'D' => {
            let code = cut_while(rest, |letter| letter.is_ascii_digit() || letter.is_ascii_uppercase());
            match (code, cut(rest, 1)?) {
                ("F16", "b") => "bf16",
                ("F16", _) => "fp16",
                _ => "",
            }
        }
        b'v' => "void",
        b'f' => "fp32",
        b'd' => "fp64",
        b'a' => "int8",
        b'h' => "uint8",
        b't' => "uint16",
        b'i' => "int32",
        b'l' => "int64",
        _ => "",
    };
    token(if built_in.is_empty() { Kind::Other } else { Kind::Type }, built_in)
}

/// Reads a name of Microsoft's compiler, `?$name@arguments@namespace@namespace@@YAX…`. Names in the arguments are not
/// resolved: their words are enough to tell kernels apart.
fn msvc<'a>(mangled: &'a str, tokens: &mut Vec<Token<'a>>) {
    let mut rest = mangled.trim_start_matches(['?', '$']);
    let function = cut_before(&mut rest, b'@');
    for (inner, (end, _)) in rest.match_indices("@@Y").enumerate() {
        let scope = &rest[..end];
        // A function that is the scope of an argument begins with `??`, and has an end before that of the kernel.
        if scope.matches("??").count() == inner {
            for name in scope.rsplit('@') {
                if name.contains(['?', '$']) || !name.bytes().any(|letter| letter.is_ascii_lowercase()) {
                    break;
                }
                tokens.push(Token { kind: Kind::Name, text: name });
            }
            tokens.extend([Token { kind: Kind::Name, text: function }, Token { kind: Kind::Open, text: "" }]);
            let from = tokens.len();
            words(rest, tokens);
            for token in &mut tokens[from..] {
                *token = match token.text {
                    "M" => Token { kind: Kind::Type, text: "fp32" },
                    "N" => Token { kind: Kind::Type, text: "fp64" },
                    // A structure or class.
                    text => {
                        named(text.strip_prefix(['U', 'V']).filter(|class| type_of(class).is_some()).unwrap_or(text))
                    }
                };
            }
            break;
        }
    }
}

/// Reads the words of a name.
#[inline(never)]
fn words<'a>(mut rest: &'a str, tokens: &mut Vec<Token<'a>>) {
    let mut before = ' ';
    while let Some(letter) = rest.chars().next() {
        let word = cut_while(&mut rest, |letter| letter.is_ascii_alphanumeric() || letter == b'_');
        if word.is_empty() {
            // The parameters of a template's instance repeat its arguments.
            if before == '>' && letter == '(' {
                break;
            }
            before = letter;
            rest = &rest[letter.len_utf8()..];
            continue;
        }
        tokens.push(match letter {
            // A cast makes a number an enumerator: `(ck::TailNumber)10`.
            '0'..='9' => Token { kind: if before == ')' { Kind::Value } else { Kind::Number }, text: word },
            _ => named(word),
        });
        before = ' ';
    }
}
