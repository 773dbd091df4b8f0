//! Parses queries: from text to terms.

use std::borrow::Cow;
use std::ops::Range;

use super::pattern::Pattern;
use super::quantity::{Limit, Relation, size, time};
use stepscope_trace::Class;

/// A query: it matches events that match all of its terms.
///
/// | | |
/// |---|---|
/// | `gemm tn` | both words are in the name, in any case of letters |
/// | `gemm*64x?` | `*` stands for any text, `?` for any character |
/// | `"aten::add"` | that is the whole name |
/// | `class:kernel` `cat:cuda_runtime` | the class (its name, or a part of it; `instant`), the producer's category |
/// | `device:0` `stream:7` `thread:123` `process:python` | where it runs |
/// | `step:12` | the step's name; activities belong to the step that launched them |
/// | `shape:[64,` `type:float` | an operator's inputs; `type` also for a collective |
/// | `grid:[128,1,1]` `block:[256` | a kernel's launch; omitted numbers, or `*`, match any |
/// | `group:dp` `seq:9` | a collective; `seq` also for forward and backward operators |
/// | `correlation:123` `external:45` | the profiler's own numbers |
/// | `dur>1ms` `self>1ms` `at<2s` `bytes>=1MB` | length, length without inner slices, start, size of a copy |
/// | `-word` `-class:kernel` | does not match |
///
/// Quotes also keep blanks in a field's value together: `shape:"[64, 3]"`. A word with a colon that is no known field
/// (`aten::add`) is a word of the name.
///
/// ```
/// use stepscope::analyze::{Query, QueryError, QueryFault};
///
/// let query = Query::parse("gemm -class:kernel dur>1ms")?;
/// assert!(!query.is_empty());
/// let error = Query::parse("gemm dur>1parsec").unwrap_err();
/// assert_eq!((error.fault, error.from, error.to), (QueryFault::NoTime, 9, 16)); // `1parsec`
/// # Ok::<(), QueryError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    pub(super) terms: Vec<Term>,
}

/// An error in a query, with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueryError {
    /// The kind of error.
    pub fault: QueryFault,
    /// The first byte of the faulty part.
    pub from: usize,
    /// The first byte after it.
    pub to: usize,
}

/// Kinds of errors in a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryFault {
    /// A quotation mark is never closed.
    OpenQuote,
    /// A field has no value.
    NoValue,
    /// No class has that in its name.
    NoClass,
    /// A whole number was expected.
    NoNumber,
    /// Numbers in brackets were expected.
    NoNumbers,
    /// A time was expected: a number with a unit.
    NoTime,
    /// A number of bytes was expected.
    NoSize,
}

impl QueryFault {
    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenQuote => "open_quote",
            Self::NoValue => "no_value",
            Self::NoClass => "no_class",
            Self::NoNumber => "no_number",
            Self::NoNumbers => "no_numbers",
            Self::NoTime => "no_time",
            Self::NoSize => "no_size",
        }
    }
}

/// A condition of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Term {
    pub(super) negated: bool,
    pub(super) test: Test,
    /// Its place in the query's text.
    pub(super) at: Range<usize>,
}

/// A condition on a slice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Test {
    Name(Pattern),
    Classes {
        slices: Vec<Class>,
        /// Whether instant events match, too.
        instants: bool,
    },
    Category(Pattern),
    Device(i64),
    Stream(i64),
    Thread(TrackFilter),
    Process(TrackFilter),
    Step(String),
    Shapes(Pattern),
    Types(Pattern),
    Group(Pattern),
    Correlation(u64),
    External(u64),
    Sequence(u64),
    Grid(Numbers),
    Block(Numbers),
    Length(Limit),
    OwnLength(Limit),
    Start(Limit),
    Bytes(Limit),
}

/// A thread or process: its number, or a part of its name or id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TrackFilter {
    Number(i64),
    Named(Pattern),
}

/// Numbers in x, y, z; none matches any.
pub(super) type Numbers = [Option<u32>; 3];

/// Fields with a text or a number as value.
const VALUED: [&str; 15] = [
    "class",
    "cat",
    "device",
    "stream",
    "thread",
    "process",
    "step",
    "shape",
    "type",
    "group",
    "correlation",
    "external",
    "seq",
    "grid",
    "block",
];

/// Fields that are compared with a limit.
const COMPARED: [&str; 4] = ["dur", "self", "at", "bytes"];

/// Relations; one that begins with another's text comes first.
const RELATIONS: [(&str, Relation); 5] = [
    ("<=", Relation::AtMost),
    (">=", Relation::AtLeast),
    ("<", Relation::Below),
    (">", Relation::Above),
    ("=", Relation::Equal),
];

impl Query {
    /// Parses a user's text.
    ///
    /// # Errors
    ///
    /// Fails if a field's value is invalid, or a quotation mark is not closed; the error has the place in the text.
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        let mut terms = Vec::new();
        let mut rest = Rest { text, at: 0 };
        while rest.skip_blanks() {
            terms.push(rest.term()?);
        }
        Ok(Self { terms })
    }

    /// Whether it has no terms.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
}

/// The rest of the text.
struct Rest<'a> {
    text: &'a str,
    at: usize,
}

/// A value: its text, whether it was quoted (two quotation marks inside are one of the text), and its place.
struct Value<'a> {
    text: Cow<'a, str>,
    quoted: bool,
    from: usize,
    to: usize,
}

impl Value<'_> {
    fn error(&self, fault: QueryFault) -> QueryError {
        QueryError { fault, from: self.from, to: self.to }
    }
}

impl<'a> Rest<'a> {
    fn left(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_blanks(&mut self) -> bool {
        self.at = self.text.len() - self.left().trim_start().len();
        self.at < self.text.len()
    }

    fn term(&mut self) -> Result<Term, QueryError> {
        let from = self.at;
        let negated = self.left().strip_prefix('-').is_some_and(|rest| !rest.is_empty() && !begins_blank(rest));
        self.at += usize::from(negated);
        let left = self.left();
        let letters = left.find(|character: char| !character.is_ascii_alphabetic()).unwrap_or(left.len());
        let (field, behind) = left.split_at(letters);
        let field = field.to_ascii_lowercase();
        let relation = RELATIONS.iter().find(|(sign, _)| behind.starts_with(sign));
        let test = if VALUED.contains(&&*field) && behind.starts_with(':') && !behind.starts_with("::") {
            self.at += letters + 1;
            valued(&field, &self.value()?)?
        } else if let Some((sign, relation)) = relation.filter(|_| COMPARED.contains(&&*field)) {
            self.at += letters + sign.len();
            compared(&field, *relation, &self.value()?)?
        } else {
            let word = self.value()?;
            Test::Name(if word.quoted { Pattern::Whole(word.text.into_owned()) } else { Pattern::part(&word.text) })
        };
        Ok(Term { negated, test, at: from..self.at })
    }

    fn value(&mut self) -> Result<Value<'a>, QueryError> {
        let (from, left) = (self.at, self.left());
        if let Some(inside) = left.strip_prefix('"') {
            // Two quotation marks are one of the text.
            let mut ends = inside.match_indices('"').map(|(at, _)| at);
            let mut end = ends.next();
            while let Some(at) = end.filter(|at| inside[at + 1..].starts_with('"')) {
                end = ends.find(|next| *next > at + 1);
            }
            let Some(len) = end else {
                return Err(QueryError { fault: QueryFault::OpenQuote, from, to: self.text.len() });
            };
            self.at += len + 2;
            let text = &inside[..len];
            let text = if text.contains('"') { text.replace("\"\"", "\"").into() } else { text.into() };
            return Ok(Value { text, quoted: true, from, to: self.at });
        }
        let text = &left[..left.find(char::is_whitespace).unwrap_or(left.len())];
        self.at += text.len();
        let value = Value { text: text.into(), quoted: false, from, to: self.at };
        if text.is_empty() { Err(value.error(QueryFault::NoValue)) } else { Ok(value) }
    }
}

fn begins_blank(text: &str) -> bool {
    text.starts_with(char::is_whitespace)
}

fn valued(field: &str, value: &Value<'_>) -> Result<Test, QueryError> {
    let number = || value.text.parse::<i64>().map_err(|_| value.error(QueryFault::NoNumber));
    let serial = || value.text.parse::<u64>().map_err(|_| value.error(QueryFault::NoNumber));
    let numbers = || numbers(&value.text).ok_or_else(|| value.error(QueryFault::NoNumbers));
    let place =
        || value.text.parse().map_or_else(|_| TrackFilter::Named(Pattern::part(&value.text)), TrackFilter::Number);
    Ok(match field {
        "class" => classes(value)?,
        "cat" => Test::Category(Pattern::part(&value.text)),
        "device" => Test::Device(number()?),
        "stream" => Test::Stream(number()?),
        "thread" => Test::Thread(place()),
        "process" => Test::Process(place()),
        "step" => Test::Step(value.text.to_string()),
        "shape" => Test::Shapes(Pattern::without_blanks(&value.text)),
        "type" => Test::Types(Pattern::without_blanks(&value.text)),
        "group" => Test::Group(Pattern::part(&value.text)),
        "correlation" => Test::Correlation(serial()?),
        "external" => Test::External(serial()?),
        "seq" => Test::Sequence(serial()?),
        "grid" => Test::Grid(numbers()?),
        _ => Test::Block(numbers()?),
    })
}

/// The word for instant events in place of a class: they are no slices, and have none.
const INSTANT: &str = "instant";

/// The class with that name, else those whose names contain it.
fn classes(value: &Value<'_>) -> Result<Test, QueryError> {
    let text = value.text.to_ascii_lowercase();
    if let Some(class) = Class::named(text.as_bytes()) {
        return Ok(Test::Classes { slices: vec![class], instants: false });
    }
    let slices: Vec<Class> = Class::ALL.into_iter().filter(|class| class.name().contains(&text)).collect();
    let instants = INSTANT.contains(&text);
    let is_any = instants || !slices.is_empty();
    if is_any { Ok(Test::Classes { slices, instants }) } else { Err(value.error(QueryFault::NoClass)) }
}

/// Up to three numbers, as in `[128,1,1]` or `128`.
fn numbers(text: &str) -> Option<Numbers> {
    let inside = text.trim().trim_start_matches('[').trim_end_matches(']').trim_end_matches(',');
    let mut found = [None; 3];
    for (place, part) in inside.split(',').enumerate() {
        let part = part.trim();
        let number = if part == "*" { None } else { Some(part.parse().ok()?) };
        *found.get_mut(place)? = number;
    }
    Some(found)
}

fn compared(field: &str, relation: Relation, value: &Value<'_>) -> Result<Test, QueryError> {
    let is_size = field == "bytes";
    let read = if is_size { size(&value.text) } else { time(&value.text) };
    let fault = if is_size { QueryFault::NoSize } else { QueryFault::NoTime };
    let limit = Limit { relation, value: read.ok_or_else(|| value.error(fault))? };
    Ok(match field {
        "dur" => Test::Length(limit),
        "self" => Test::OwnLength(limit),
        "at" => Test::Start(limit),
        _ => Test::Bytes(limit),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tests(text: &str) -> Vec<Test> {
        Query::parse(text).unwrap().terms.into_iter().map(|term| term.test).collect()
    }

    fn word(text: &str) -> Test {
        Test::Name(Pattern::part(text))
    }

    #[test]
    fn words_quotes_and_fields() {
        assert_eq!(tests("  Gemm\ttn "), [word("gemm"), word("tn")]);
        assert_eq!(tests("\"a b\""), [Test::Name(Pattern::Whole("a b".to_owned()))]);
        let whole = |name: &str| Test::Name(Pattern::Whole(name.to_owned()));
        assert_eq!(tests(r#""aten::""quoted"" op" b"#), [whole(r#"aten::"quoted" op"#), word("b")]);
        assert_eq!(tests(r#""" """" """""""#), [whole(""), whole("\""), whole("\"\"")]);
        let of = |slices: &[Class], instants| Test::Classes { slices: slices.to_vec(), instants };
        assert_eq!(tests("STREAM:7 device:-1"), [Test::Stream(7), Test::Device(-1)]);
        assert_eq!(tests("class:mem"), [of(&[Class::Memcpy, Class::Memset], false)]);
        assert_eq!(tests("class:annotation"), [of(&[Class::Annotation], false)], "that is one's name");
        assert_eq!(tests("class:instant"), [of(&[], true)]);
        assert_eq!(
            tests("grid:[128,*,1] block:256"),
            [Test::Grid([Some(128), None, Some(1)]), Test::Block([Some(256), None, None])]
        );
        assert_eq!(tests("grid:[128,"), [Test::Grid([Some(128), None, None])]);
        let limit = |relation, value| Limit { relation, value };
        assert_eq!(
            tests("dur>=1us at<2s"),
            [Test::Length(limit(Relation::AtLeast, 1_000)), Test::Start(limit(Relation::Below, 2_000_000_000))]
        );
        assert_eq!(
            tests("thread:main shape:\"[64, 3]\""),
            [Test::Thread(TrackFilter::Named(Pattern::part("main"))), Test::Shapes(Pattern::without_blanks("[64,3]"))]
        );
        let negated: Vec<bool> =
            Query::parse("-a -class:kernel b - c").unwrap().terms.iter().map(|t| t.negated).collect();
        assert_eq!(negated, [true, true, false, false, false]);
    }

    #[test]
    fn what_is_no_field_is_a_word() {
        for text in ["aten::add", "at::native", "type::x", "rank:3", "N=4096", "foo<float>", "stream", "dur", "a\"b\""]
        {
            assert_eq!(tests(text), [word(text)], "{text}");
        }
    }

    #[test]
    fn errors_say_where() {
        let cases = [
            ("a \"b c", QueryFault::OpenQuote, "\"b c"),
            ("\"b\"\" c", QueryFault::OpenQuote, "\"b\"\" c"),
            ("class: b", QueryFault::NoValue, ""),
            ("-class:gemm", QueryFault::NoClass, "gemm"),
            ("a stream:x b", QueryFault::NoNumber, "x"),
            ("seq:-1", QueryFault::NoNumber, "-1"),
            ("grid:[1,2,3,4]", QueryFault::NoNumbers, "[1,2,3,4]"),
            ("dur>5", QueryFault::NoTime, "5"),
            ("bytes<\"many of\"", QueryFault::NoSize, "\"many of\""),
        ];
        for (text, fault, at) in cases {
            let error = Query::parse(text).unwrap_err();
            assert_eq!((error.fault, &text[error.from..error.to]), (fault, at), "{text}");
        }
        assert!(Query::parse(" \t").unwrap().is_empty());
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_told_where_it_is_wrong(text in "(-|[a-zµ]{0,2}|dur|class|grid|:|<|>|=|\"|\\[|[0-9]|ms| ){0,12}") {
            if let Err(error) = Query::parse(&text) {
                prop_assert!(text.get(error.from..error.to).is_some(), "{error:?}");
            }
        }
    }
}
