//! Names of matrix products that libraries build from their settings: cuBLAS, CUTLASS, nvjet, Tensile.

/// Decodes a name as `gemm TN bf16 128x128x64 (library)`; none for other names, and those with fewer facts.
pub(super) fn decoded(name: &str) -> Option<String> {
    if let Some(rest) = name.strip_prefix("Cijk_") {
        tensile(rest)
    } else if let Some(rest) = name.strip_prefix("nvjet_") {
        nvjet(rest)
    } else {
        nvidia(name)
    }
}

/// `Alik_Bljk_BBS_BH_…_MT256x128x64_…`: the index of the sum comes first where a matrix is transposed.
fn tensile(rest: &str) -> Option<String> {
    let mut parts = rest.split('_');
    let transposed = |part: Option<&str>, plain: &str| part.map(|part| if part == plain { 'N' } else { 'T' });
    let (a, b) = (transposed(parts.next(), "Ailk")?, transposed(parts.next(), "Bljk")?);
    let types = parts.next()?;
    let kind = match types.as_bytes().first()? {
        b'B' => "bf16",
        b'H' => "fp16",
        b'S' => "fp32",
        b'D' => "fp64",
        b'F' if types.starts_with("F8") => "fp8",
        b'I' if types.starts_with("I8") => "int8",
        _ => return None,
    };
    let tile = parts.filter_map(|part| part.strip_prefix("MT")).find(|tile| extents(tile).is_some())?;
    Some(format!("gemm {a}{b} {kind} {tile} (Tensile)"))
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
    let bias = if rest.contains(&"bias") { "_bias" } else { "" };
    Some(format!("gemm{bias} {layout} {kind} {rows}x{columns}x{depth} (nvjet)"))
}

/// Names of cuBLAS, cuDNN and CUTLASS: an architecture or library, types, the product, the tile, the layout.
fn nvidia(name: &str) -> Option<String> {
    // CUTLASS' own kernels are a template around such a name.
    let inner = name.strip_prefix("void cutlass::Kernel").and_then(|rest| rest.split_once('<')).map(|(_, rest)| rest);
    let name = inner.and_then(|rest| rest.split_once('>')).map_or(name, |(inner, _)| inner);
    let parts: Vec<&str> = name.split('_').collect();
    let (first, rest) = parts.split_first()?;
    let library = match *first {
        "cutlass" => format!("CUTLASS sm{}", rest.first().filter(|part| is_number(part))?),
        "maxwell" | "volta" | "turing" | "ampere" | "hopper" => (*first).to_owned(),
        _ if first.strip_prefix("sm").is_some_and(is_number) => {
            let maker = rest.first().filter(|maker| matches!(**maker, "xmma" | "cutlass"))?;
            format!("{maker} {first}")
        }
        _ => return None,
    };
    let place = rest.iter().position(|part| part.ends_with("gemm"))?;
    let product = rest.get(place)?;
    let after = rest[place..].iter().find(|after| matches!(**after, "relu" | "gelu" | "bias"));
    let types = rest.iter().find_map(|part| type_of(part));
    let kind = types.or_else(|| {
        Some(match *product {
            // CUTLASS names the operands' type, except for 32 bits, which tensor cores of this shape use as TF32.
            "s1688gemm" if library.starts_with("CUTLASS sm8") || library.starts_with("CUTLASS sm9") => "tf32",
            "sgemm" => "fp32",
            "hgemm" => "fp16",
            "dgemm" => "fp64",
            _ => return None,
        })
    })?;
    let layout =
        rest.iter().find(|part| part.len() == 2 && part.bytes().all(|letter| matches!(letter, b't' | b'n')))?;
    let tile = rest.iter().find_map(|part| part.strip_prefix("tilesize").filter(|tile| extents(tile).is_some()));
    let tile = match tile {
        Some(tile) => tile.to_owned(),
        None => {
            let mut extents = rest.iter().filter_map(|part| two_extents(part));
            let [rows, columns] = extents.next()?;
            // The depth has the number of stages after it.
            extents.next().map_or_else(|| format!("{rows}x{columns}"), |[depth, _]| format!("{rows}x{columns}x{depth}"))
        }
    };
    let after = after.map_or(String::new(), |after| format!("_{after}"));
    Some(format!("gemm{after} {} {kind} {tile} ({library})", layout.to_uppercase()))
}

/// The type of a matrix product's operands by a part of its name.
fn type_of(part: &str) -> Option<&'static str> {
    const TYPES: [(&str, &str); 9] = [
        ("bf16", "bf16"),
        ("fp16", "fp16"),
        ("f16", "fp16"),
        ("tf32", "tf32"),
        ("f32", "fp32"),
        ("f64", "fp64"),
        ("e4m3", "fp8"),
        ("e5m2", "fp8"),
        ("i8", "int8"),
    ];
    TYPES.iter().find(|(prefix, _)| part.starts_with(prefix)).map(|(_, kind)| *kind)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit())
}

/// Numbers with an x between two of them.
fn extents(text: &str) -> Option<Vec<&str>> {
    let numbers: Vec<&str> = text.split('x').collect();
    (numbers.len() > 1 && numbers.iter().all(|number| is_number(number))).then_some(numbers)
}

fn two_extents(text: &str) -> Option<[&str; 2]> {
    extents(text)?.try_into().ok()
}
