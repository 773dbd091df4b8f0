//! C++ signatures of kernels that are not mangled.

/// The level of detail of a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Detail {
    /// The computation and its types, without the distribution of elements to threads.
    Work,
    /// The same, followed by the function.
    Function,
    /// Functions and types, each type once.
    Types,
    /// Also numbers.
    Numbers,
    /// Also the parts that nearly all kernels have.
    All,
}

/// A signature is no deeper than this.
const DEEPEST: usize = 24;

/// Templates around a kernel's work, without a meaning of their own.
const AROUND: [&str; 2] = ["gpu_kernel_impl_nocast", "gpu_kernel_impl"];

/// PyTorch's functors around another one: the first type is that of the elements.
const FUNCTORS: [&str; 3] = ["BinaryFunctor", "AUnaryFunctor", "BUnaryFunctor"];

/// A kernel's ways of reading and writing, not its work.
const ACCESS: [&str; 8] = [
    "array",
    "Array",
    "TrivialOffsetCalculator",
    "OffsetCalculator",
    "LoadWithoutCast",
    "StoreWithoutCast",
    "LoadWithCast",
    "StoreWithCast",
];

/// Short names of types, as the field has them.
const TYPES: [(&str, &str); 29] = [
    ("c10::BFloat16", "bf16"),
    ("__nv_bfloat16", "bf16"),
    ("__hip_bfloat16", "bf16"),
    ("cutlass::bfloat16_t", "bf16"),
    ("bfloat16", "bf16"),
    ("c10::Half", "fp16"),
    ("__half", "fp16"),
    ("cutlass::half_t", "fp16"),
    ("half", "fp16"),
    ("_Float16", "fp16"),
    ("ck_tile::fp16_t", "fp16"),
    ("__bf16", "bf16"),
    ("ck_tile::bf16_t", "bf16"),
    ("cutlass::tfloat32_t", "tf32"),
    ("ck::f8_fnuz_t", "fp8"),
    ("ck::f8_ocp_t", "fp8"),
    ("ck_tile::fp8_t", "fp8"),
    ("ck::f4x2_pk_t", "fp4"),
    ("ck::pk_i4_t", "int4"),
    ("unsigned short", "uint16"),
    ("float", "fp32"),
    ("double", "fp64"),
    ("c10::Float8_e4m3fn", "fp8_e4m3"),
    ("c10::Float8_e5m2", "fp8_e5m2"),
    ("__nv_fp8_e4m3", "fp8_e4m3"),
    ("__nv_fp8_e5m2", "fp8_e5m2"),
    ("signed char", "int8"),
    ("int", "int32"),
    ("long", "int64"),
];

/// The short name of a type by the last word of its name.
pub(super) fn type_of(word: &str) -> Option<&'static str> {
    TYPES.iter().find(|(name, _)| name.rsplit([':', ' ']).next() == Some(word)).map(|(_, short)| *short)
}

/// A signature without parts for the compiler; none for a text that is no signature.
#[inline(never)]
pub(super) fn shortened(name: &str, detail: Detail) -> Option<String> {
    let name = name.split(" [clone").next().unwrap_or(name);
    let name = name.strip_suffix(".kd").unwrap_or(name).trim_end();
    let words = split(name, " ")?;
    // The return type is before a template's name.
    let (signature, before) = words.split_last()?;
    let returns = before.iter().all(|word| *word == "void" || word.ends_with("::type"));
    if !returns || !signature.contains(['<', '(']) {
        return None;
    }
    if detail == Detail::Function {
        let (work, all) = (function(signature, Detail::Work, 0)?, function(signature, Detail::Types, 0)?);
        let name = all.split('<').next().unwrap_or(&all);
        return Some(if work.starts_with(name) { all } else { format!("{work} · {name}") });
    }
    function(signature, detail, 0)
}

/// Splits at a separator outside of all brackets; none where brackets do not match.
#[inline(never)]
fn split<'a>(text: &'a str, separator: &str) -> Option<Vec<&'a str>> {
    let bytes = text.as_bytes();
    let mut open: Vec<u8> = Vec::new();
    let mut parts = Vec::new();
    let (mut from, mut at) = (0, 0);
    while at < bytes.len() {
        if open.is_empty() && bytes[at..].starts_with(separator.as_bytes()) {
            parts.push(&text[from..at]);
            at += separator.len();
            from = at;
            continue;
        }
        match bytes[at] {
            opening @ (b'(' | b'<' | b'{' | b'[') => open.push(opening),
            // Inside parentheses, these are comparisons.
            b'>' if open.last() == Some(&b'<') => drop(open.pop()),
            b'>' => {}
            closing @ (b')' | b'}' | b']') => {
                let opening = match closing {
                    b')' => b'(',
                    b'}' => b'{',
                    _ => b'[',
                };
                if open.pop() != Some(opening) {
                    return None;
                }
            }
            _ => {}
        }
        at += 1;
    }
    parts.push(&text[from..]);
    open.is_empty().then_some(parts)
}

/// A function or type by its path: the last part that has a name, with its template arguments.
#[inline(never)]
fn function(path: &str, detail: Detail, depth: usize) -> Option<String> {
    if depth > DEEPEST {
        return None;
    }
    let parts = split(path, "::")?;
    let named = |part: &str| {
        part.starts_with(|letter: char| letter.is_alphabetic() || letter == '_') && !part.starts_with("operator")
    };
    let place = parts.iter().rposition(|part| named(part))?;
    let part = parts[place];
    let end = part.find(['<', '(']).unwrap_or(part.len());
    let name = part[..end].trim_end_matches(" const").trim();
    let mut arguments = Vec::new();
    if part[end..].starts_with('<') {
        let inner = between(&part[end..])?;
        for argument in split(inner, ",")? {
            add(&mut arguments, argument.trim(), detail, depth + 1)?;
        }
    }
    // The types of a lambda are those of its arguments.
    if let Some(types) =
        parts.last().and_then(|last| last.strip_prefix("{lambda(")).and_then(|rest| rest.split_once(')'))
    {
        for argument in types.0.split(',').filter(|argument| !argument.trim().is_empty()) {
            add(&mut arguments, argument.trim(), detail, depth + 1)?;
        }
    }
    if detail <= Detail::Types {
        let mut seen: Vec<String> = Vec::new();
        arguments.retain(|argument| {
            !seen.contains(argument) && {
                seen.push(argument.clone());
                true
            }
        });
    }
    if detail < Detail::All && AROUND.contains(&name) && !arguments.is_empty() {
        return arguments.into_iter().next();
    }
    if detail == Detail::Work
        && name.contains("elementwise_kernel")
        && arguments.first().is_some_and(|first| first.contains('<'))
    {
        return arguments.into_iter().next();
    }
    if detail == Detail::Work
        && FUNCTORS.contains(&name)
        && let [element, .., functor] = arguments.as_slice()
    {
        let functor = functor.split('<').next().unwrap_or(functor);
        return Some(format!("{functor}<{element}>"));
    }
    let mut text = if arguments.is_empty() { name.to_owned() } else { format!("{name}<{}>", arguments.join(", ")) };
    if detail == Detail::All {
        // A type in a class, and the numbers of lambdas in a function.
        if let Some(class) = parts[..place].last().filter(|class| class.ends_with('>')) {
            text = format!("{}::{text}", function(class, detail, depth + 1)?);
        }
        for lambda in parts[place..].iter().filter(|part| part.starts_with('{')) {
            text.push_str(lambda[lambda.rfind('#').unwrap_or_default()..].trim_end_matches('}'));
        }
    }
    Some(text)
}

/// The text between the first bracket and the one that closes it.
fn between(text: &str) -> Option<&str> {
    let mut open: Vec<u8> = Vec::new();
    for (at, letter) in text.bytes().enumerate() {
        match letter {
            b'(' | b'<' | b'{' | b'[' => open.push(letter),
            b'>' if open.last() != Some(&b'<') => {}
            b')' | b'>' | b'}' | b']' => {
                open.pop()?;
                if open.is_empty() {
                    return text.get(1..at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Adds an argument of a template, unless it is without meaning.
#[inline(never)]
fn add(arguments: &mut Vec<String>, argument: &str, detail: Detail, depth: usize) -> Option<()> {
    let bare = argument.trim_end_matches(['&', '*', ' ']).trim_end_matches(" const").trim_end_matches(['&', '*', ' ']);
    let is_number = bare.starts_with(|letter: char| letter.is_ascii_digit() || matches!(letter, '-' | '('))
        && !bare.starts_with("(anonymous")
        || matches!(bare, "true" | "false" | "decltype(nullptr)");
    if is_number {
        if detail > Detail::Types {
            arguments.push(bare.to_owned());
        }
        return Some(());
    }
    let known = TYPES.iter().find(|(name, _)| *name == bare).map(|(_, short)| (*short).to_owned());
    let text = match known {
        Some(known) => known,
        // For example `unsigned int`.
        None if !bare.contains(['<', '(', ':']) => bare.to_owned(),
        None => function(bare, detail, depth)?,
    };
    let name = text.split('<').next().unwrap_or(&text);
    if detail == Detail::All || !ACCESS.contains(&name) {
        arguments.push(text);
    }
    Some(())
}
