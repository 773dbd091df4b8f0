//! Kernels by the tokens of their names: instances of Composable Kernel's and CUTLASS' templates, and mangled names.

use super::gemm::operation;
use super::tokens::{Kind, Token, tokens};

/// Decodes an instance as `conv_fwd bf16 128x64x32 (CK)`, another mangled name as `ns::kernel<Functor, bf16>`; none
/// for other names.
#[inline(never)]
pub(super) fn decoded(name: &str) -> Option<String> {
    let tokens = tokens(name);
    let first = tokens.iter().position(|token| token.kind == Kind::Name)?;
    let tokens = &tokens[first..];
    let library = tokens[0].text;
    if library == "ck" || library == "ck_tile" {
        return composable_kernel(tokens);
    }
    if library.starts_with("cutlass")
        && let Some(shape) = tokens.iter().position(|token| token.text == "GemmShape")
    {
        return cutlass(&tokens[shape + 1..]);
    }
    if name.starts_with(['_', '?']) { Some(function(tokens)) } else { None }
}

/// More would be longer than most names.
const MOST_DIFFERENCES: usize = 6;

/// The parts that not all of the names have at the same place; nothing for a name without such a part.
#[inline(never)]
pub(super) fn differences(names: &[&str]) -> Vec<String> {
    let all: Vec<Vec<Token<'_>>> = names.iter().map(|name| tokens(name)).collect();
    let is_shared = |place: usize| all.iter().all(|tokens| tokens.get(place) == all[0].get(place));
    let difference = |tokens: &Vec<Token<'_>>| {
        let mut parts = Vec::new();
        for (place, token) in tokens.iter().enumerate() {
            if parts.len() < MOST_DIFFERENCES && !token.text.is_empty() && !is_shared(place) {
                // An enumerator's value comes after its enumeration.
                let is_enumerator = token.kind == Kind::Value && place > 0 && tokens[place - 1].kind == Kind::Name;
                parts.push(texts(&tokens[place - usize::from(is_enumerator)..=place], " "));
            }
        }
        parts.join(", ")
    };
    all.iter().map(difference).collect()
}

/// The texts of tokens with a separator between.
#[inline(never)]
fn texts(tokens: &[Token<'_>], separator: &str) -> String {
    let mut text = String::new();
    for token in tokens {
        if !text.is_empty() && !token.text.is_empty() {
            text.push_str(separator);
        }
        text.push_str(token.text);
    }
    text
}

/// A name, the type of the first operand, and a tile: `conv_fwd bf16 128x64x32 (CK)`, without those that are unknown.
#[inline(never)]
fn composed(operation: &str, tokens: &[Token<'_>], tile: &[Token<'_>], library: &str) -> String {
    // Composable Kernel's 16-bit brain floats are `unsigned short`.
    let element = match element(tokens) {
        "uint16" => "bf16",
        name => name,
    };
    let tile = texts(tile, "x");
    let part = |text| Token { kind: Kind::Name, text };
    texts(&[part(operation), part(element), part(&tile), part(library)], " ")
}

/// The first type, unless it is `void`, which comes after all arguments of a template.
fn element<'a>(tokens: &[Token<'a>]) -> &'a str {
    let first = tokens.iter().find(|token| token.kind == Kind::Type).filter(|token| token.text != "void");
    first.map_or("", |token| token.text)
}

/// The first numbers that follow each other without other tokens between, if they are as many.
#[inline(never)]
fn numbers<'a, 'b>(tokens: &'a [Token<'b>], least: usize) -> &'a [Token<'b>] {
    tokens.split(|token| token.kind != Kind::Number).find(|run| run.len() >= least).unwrap_or_default()
}

/// Names around that of a kernel's own function.
const SCOPES: [&str; 7] = ["ck", "ck_tile", "tensor_operation", "device", "anonymous", "namespace", "kentry"];

/// Kernels of Composable Kernel, `kernel_grouped_conv_fwd…<Gridwise…<types, numbers>>`, and those of its tile library,
/// `kentry<2, FmhaFwdKernel<…>>`.
fn composable_kernel(tokens: &[Token<'_>]) -> Option<String> {
    let is_function = |token: &Token<'_>| token.kind == Kind::Name && !SCOPES.contains(&token.text);
    let place = tokens.iter().position(is_function)?;
    let (function, arguments) = (tokens[place].text, &tokens[place + 1..]);
    if tokens[0].text == "ck_tile" {
        return Some(composed(function, arguments, numbers(arguments, 2), "(CK)"));
    }
    let is_device = function.starts_with("Device");
    // After the block's size and the like: rows, columns and depth, two vector lengths, the instruction's rows and
    // columns, and how often a wave repeats it. Older kernels have another depth, and one vector length after the
    // instruction.
    let run = numbers(arguments, if is_device { 4 } else { 8 });
    // Kernels without such instructions have their numbers in another order.
    let is_known = is_device || run.len() > 3 && matches!(run[run.len() - 4].text, "16" | "32");
    let tile = match run.len() {
        _ if !is_known => &[],
        4..=7 => &run[1..4],
        length @ 8..=9 => &run[length - 8..length - 6],
        length => &run[length - 9..length - 6],
    };
    let plain = function.to_ascii_lowercase().replace('_', "");
    let operation = if plain.contains("softmax") { None } else { operation(&plain) };
    Some(composed(operation.unwrap_or(function), arguments, tile, "(CK)"))
}

/// Kernels of CUTLASS that have no name of their own, only the types that they consist of, from the tile on.
fn cutlass(tokens: &[Token<'_>]) -> Option<String> {
    let iterator = tokens.iter().find(|token| token.text.starts_with("Conv2d") || token.text.starts_with("Conv3d"));
    let operation = iterator.map_or(Some("gemm"), |token| operation(&token.text.to_ascii_lowercase()))?;
    Some(composed(operation, tokens, numbers(tokens, 3).get(..3)?, "(CUTLASS)"))
}

/// A shorter argument of a template is no name of a functor or kernel.
const SHORTEST: usize = 3;

/// The path of a function, with the first class and the first type of its template arguments.
fn function(tokens: &[Token<'_>]) -> String {
    let end = tokens.iter().position(|token| token.kind != Kind::Name).unwrap_or(tokens.len());
    let (path, arguments) = tokens.split_at(end);
    let (text, is_template) = (texts(path, "::"), arguments.first().is_some_and(|token| token.kind == Kind::Open));
    if !is_template {
        return text;
    }
    let is_class = |token: &&Token<'_>| {
        token.kind == Kind::Name
            && token.text.len() >= SHORTEST
            && token.text.bytes().any(|letter| letter.is_ascii_lowercase())
            && !path.contains(token)
    };
    let class = arguments.iter().find(is_class).map_or("", |token| token.text);
    let part = |text| Token { kind: Kind::Name, text };
    let arguments = texts(&[part(class), part(element(arguments))], ", ");
    if arguments.is_empty() { text } else { [&text, "<", &arguments, ">"].concat() }
}
