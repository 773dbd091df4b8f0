//! Names of matrix products and convolutions that libraries build from their settings: cuBLAS, cuDNN, CUTLASS, nvjet,
//! Tensile, `MIOpen`.

/// Decodes a name as `gemm TN bf16 128x128x64 (library)`; none for other names, and those with fewer facts.
pub(super) fn decoded(name: &str) -> Option<String> {
    if let Some(rest) = name.strip_prefix("Cijk_") {
        tensile(rest)
    } else if let Some(rest) = name.strip_prefix("nvjet_") {
        nvjet(rest)
    } else if let Some(rest) = name.strip_prefix("igemm_") {
        miopen(rest)
    } else {
        nvidia(name)
    }
}

/// The first result of a function for the parts of a name.
#[inline(never)]
fn find_part<'a>(parts: &[&'a str], found: fn(&'a str) -> Option<&'a str>) -> Option<&'a str> {
    parts.iter().find_map(|part| found(part))
}

/// `Alik_Bljk_BBS_BH_…_MT256x128x64_…`: the index of the sum comes first where a matrix is transposed.
fn tensile(rest: &str) -> Option<String> {
    let parts: Vec<&str> = rest.split('_').collect();
    let [a, b, types, settings @ ..] = parts.as_slice() else { return None };
    let transposed = |is_plain: bool| if is_plain { "N" } else { "T" };
    let kind = match types.as_bytes().first()? {
        b'B' => "bf16",
        b'H' => "fp16",
        b'S' => "fp32",
        b'D' => "fp64",
        b'F' if types.starts_with("F8") => "fp8",
        b'I' if types.starts_with("I8") => "int8",
        _ => return None,
    };
    let tile = find_part(settings, |part| tile_after(part, "MT"))?;
    let layout = [transposed(*a == "Ailk"), transposed(*b == "Bljk")].concat();
    Some(composed("gemm", "", &layout, kind, tile, "Tensile"))
}

/// The tile that is in a part of a name after a prefix.
#[inline(never)]
fn tile_after<'a>(part: &'a str, prefix: &str) -> Option<&'a str> {
    part.strip_prefix(prefix).filter(|tile| is_tile(tile))
}

/// `gemm_bias TN bf16 128x128x64 (library)`.
#[inline(never)]
fn composed(operation: &str, after: &str, layout: &str, kind: &str, tile: &str, library: &str) -> String {
    let separator = if after.is_empty() { "" } else { "_" };
    [operation, separator, after, " ", layout, " ", kind, " ", tile, " (", library, ")"].concat()
}

/// `tst_64x16_64x16_2x4_2cta_h_bz_bias_TNT`: types of operand, accumulator and result; the tile; the depth with the stages.
fn nvjet(rest: &str) -> Option<String> {
    let mut parts = rest.split('_').skip_while(|part| part.strip_prefix("sm").is_some_and(is_number));
    let kind = match parts.next()?.as_bytes().first()? {
        b'h' => "fp16",
        b't' => "bf16",
        b's' => "fp32",
        b'q' => "fp8",
        _ => return None,
    };
    let [rows, columns] = two_extents(parts.next()?)?;
    let [depth, _] = two_extents(parts.next()?)?;
    let rest: Vec<&str> = parts.collect();
    let layout =
        rest.last().filter(|last| last.len() == 3 && last.bytes().all(|letter| matches!(letter, b'T' | b'N')))?;
    let bias = if rest.contains(&"bias") { "bias" } else { "" };
    Some(composed("gemm", bias, layout, kind, &[rows, columns, depth].join("x"), "nvjet"))
}

/// `fwd_gtcx3_nhwc_bf16_bx0_ex0_bt128x256x32_wt…`: the direction, the layout, the type, the tile of a block.
fn miopen(rest: &str) -> Option<String> {
    let parts: Vec<&str> = rest.split('_').collect();
    let (operation, layout) = (operation(parts.first()?)?, convolution_layout(&parts)?);
    let tile = find_part(&parts, |part| tile_after(part, "bt"))?;
    Some(composed(operation, "", &layout, find_part(&parts, type_of)?, tile, "MIOpen"))
}

/// The operation in a part of a name; more special ones come first.
pub(super) fn operation(name: &str) -> Option<&'static str> {
    const OPERATIONS: [(&str, &str); 10] = [
        ("bwdweight", "conv_bwd_weight"),
        ("wgrad", "conv_bwd_weight"),
        ("wrw", "conv_bwd_weight"),
        ("bwd", "conv_bwd_data"),
        ("dgrad", "conv_bwd_data"),
        ("fprop", "conv_fwd"),
        ("fwd", "conv_fwd"),
        ("conv", "conv_fwd"),
        ("moe", "moe_gemm"),
        ("gemm", "gemm"),
    ];
    OPERATIONS.iter().find(|(part, _)| name.contains(part)).map(|(_, operation)| *operation)
}

/// The order of a tensor's dimensions, in capitals; cuDNN has that of the filters in the same part: `nhwckrsc`.
fn convolution_layout(parts: &[&str]) -> Option<String> {
    let layout = find_part(parts, |part| part.get(..4).filter(|layout| matches!(*layout, "nhwc" | "nchw")))?;
    Some(layout.to_ascii_uppercase())
}

/// A name without template arguments; for CUTLASS' own kernels, the name in these.
pub(super) fn inner_name(name: &str) -> &str {
    let is_template = name.starts_with("void cutlass");
    name.split(['<', '>']).nth(usize::from(is_template)).unwrap_or(name)
}

/// Names of cuBLAS, cuDNN and CUTLASS: an architecture or library, types, the product, the tile, the layout.
fn nvidia(name: &str) -> Option<String> {
    let name = inner_name(name);
    let parts: Vec<&str> = name.split('_').collect();
    let (first, rest) = parts.split_first()?;
    let library = match *first {
        "cutlass" => match rest.first().filter(|part| is_number(part)) {
            Some(architecture) => format!("CUTLASS sm{architecture}"),
            None => "CUTLASS".to_owned(),
        },
        "maxwell" | "volta" | "turing" | "ampere" | "hopper" => (*first).to_owned(),
        _ if first.strip_prefix("sm").is_some_and(is_number) => {
            let maker = rest.first().filter(|maker| matches!(**maker, "xmma" | "cutlass"))?;
            format!("{maker} {first}")
        }
        _ => return None,
    };
    let place = rest.iter().position(|part| operation(part).is_some())?;
    let product = rest.get(place)?;
    let operation = operation(product)?;
    let after = find_part(&rest[place..], |part| matches!(part, "relu" | "gelu" | "bias").then_some(part));
    let kind = find_part(rest, type_of).or(match *product {
        // CUTLASS names the operands' type, except for 32 bits, which tensor cores of this shape use as TF32.
        "s1688gemm" if library.starts_with("CUTLASS sm8") || library.starts_with("CUTLASS sm9") => Some("tf32"),
        "sgemm" => Some("fp32"),
        "hgemm" => Some("fp16"),
        "dgemm" => Some("fp64"),
        _ => None,
    })?;
    let is_layout = |part: &str| part.len() == 2 && part.bytes().all(|letter| matches!(letter, b't' | b'n'));
    let layout = convolution_layout(rest)
        .or_else(|| rest.iter().find(|part| is_layout(part)).map(|part| part.to_ascii_uppercase()))?;
    let tile = match find_part(rest, |part| tile_after(part, "tilesize")) {
        Some(tile) => tile.to_owned(),
        None => {
            let mut extents = rest.iter().filter_map(|part| two_extents(part));
            let [rows, columns] = extents.next()?;
            // The depth has the number of stages after it.
            match extents.next() {
                Some([depth, _]) => [rows, columns, depth].join("x"),
                None => [rows, columns].join("x"),
            }
        }
    };
    Some(composed(operation, after.unwrap_or_default(), &layout, kind, &tile, &library))
}

/// The type of a matrix product's operands by a part of its name.
fn type_of(part: &str) -> Option<&'static str> {
    const TYPES: [(&str, &str); 11] = [
        ("bf16", "bf16"),
        ("fp16", "fp16"),
        ("f16", "fp16"),
        ("fp32", "fp32"),
        ("tf32", "tf32"),
        ("f32", "fp32"),
        ("f64", "fp64"),
        ("e4m3", "fp8"),
        ("e5m2", "fp8"),
        ("i8", "int8"),
        ("int8", "int8"),
    ];
    TYPES.iter().find(|(prefix, _)| part.starts_with(prefix)).map(|(_, kind)| *kind)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit())
}

/// Whether a text is numbers with an x between two of them.
fn is_tile(text: &str) -> bool {
    text.contains('x') && text.split('x').all(is_number)
}

#[inline(never)]
fn two_extents(text: &str) -> Option<[&str; 2]> {
    let (a, b) = text.split_once('x')?;
    (is_number(a) && is_number(b)).then_some([a, b])
}
