//! One color per class of activity, the same in every chart.
//!
//! After Okabe and Ito's palette, which people with color blindness can distinguish. The additional classes differ from
//! it, and from each other, in lightness; a test compares them as people without one kind of cones see them. The page's
//! style sheet has the same colors under the same names (a test compares them).

use stepscope_analyze::KernelFamily;

/// A color as red, green, blue.
pub type Rgb = (u8, u8, u8);

/// A class of time, with its color on a light and on a dark background.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassColor {
    /// The class's stable name.
    pub name: &'static str,
    /// On a light background.
    pub light: Rgb,
    /// On a dark background.
    pub dark: Rgb,
}

/// All classes.
pub const COLORS: [ClassColor; 13] = [
    ClassColor { name: "kernel", light: (0, 114, 178), dark: (64, 156, 218) },
    ClassColor { name: "communication", light: (213, 94, 0), dark: (240, 130, 50) },
    ClassColor { name: "overlap", light: (72, 32, 118), dark: (130, 66, 184) },
    ClassColor { name: "memcpy", light: (0, 158, 115), dark: (38, 186, 142) },
    ClassColor { name: "memset", light: (162, 228, 180), dark: (174, 240, 194) },
    ClassColor { name: "runtime", light: (186, 128, 174), dark: (224, 194, 211) },
    ClassColor { name: "dataloader", light: (230, 159, 0), dark: (242, 184, 48) },
    ClassColor { name: "cpu", light: (86, 180, 233), dark: (120, 200, 245) },
    ClassColor { name: "delay", light: (118, 78, 14), dark: (230, 246, 60) },
    ClassColor { name: "annotation", light: (72, 86, 118), dark: (123, 149, 175) },
    ClassColor { name: "python", light: (216, 198, 120), dark: (141, 116, 74) },
    ClassColor { name: "other", light: (108, 98, 98), dark: (112, 114, 116) },
    ClassColor { name: "idle", light: (214, 218, 224), dark: (62, 67, 76) },
];

/// The colors of families of kernels on the timeline, found by a search for colors as far as possible from each other,
/// and from communication and copies, for all kinds of vision. A kernel of no known family has the color of compute
/// kernels.
pub const FAMILY_COLORS: [ClassColor; 13] = [
    ClassColor { name: "matrix", light: (70, 38, 134), dark: (104, 114, 221) },
    ClassColor { name: "attention", light: (72, 213, 253), dark: (116, 236, 255) },
    ClassColor { name: "convolution", light: (144, 140, 250), dark: (131, 109, 142) },
    ClassColor { name: "norm", light: (148, 185, 117), dark: (103, 140, 78) },
    ClassColor { name: "softmax", light: (211, 129, 182), dark: (249, 161, 207) },
    ClassColor { name: "elementwise", light: (226, 196, 76), dark: (217, 242, 153) },
    ClassColor { name: "reduction", light: (173, 165, 71), dark: (255, 225, 104) },
    ClassColor { name: "copy", light: (82, 94, 60), dark: (163, 189, 111) },
    ClassColor { name: "optimizer", light: (153, 62, 1), dark: (167, 86, 0) },
    ClassColor { name: "index", light: (86, 40, 98), dark: (156, 45, 255) },
    ClassColor { name: "sort", light: (7, 65, 56), dark: (0, 104, 67) },
    ClassColor { name: "experts", light: (140, 80, 120), dark: (135, 55, 152) },
    ClassColor { name: "quantization", light: (122, 0, 0), dark: (150, 105, 114) },
];

/// The class whose color a family of kernels has: its own, or another one's.
#[must_use]
pub fn class_of_family(family: KernelFamily) -> &'static str {
    match family {
        KernelFamily::Communication => "communication",
        KernelFamily::Other => "kernel",
        known => known.name(),
    }
}

/// The color of a class; gray for an unknown one.
#[must_use]
pub fn color(name: &str, dark: bool) -> Rgb {
    let found = COLORS.iter().find(|class| class.name == name);
    found.map_or((150, 150, 150), |class| if dark { class.dark } else { class.light })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Transformations of red, green and blue light without one kind of cones: Machado, Oliveira and Fernandes 2009,
    /// severity 1.
    const VISIONS: [(&str, [[f64; 3]; 3]); 4] = [
        ("all cones", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        (
            "protanopia",
            [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
        ),
        (
            "deuteranopia",
            [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
        ),
        (
            "tritanopia",
            [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
        ),
    ];

    /// CIE L*a*b* of a color as it is seen.
    fn seen(color: Rgb, vision: &[[f64; 3]; 3]) -> [f64; 3] {
        let linear = [color.0, color.1, color.2].map(|part| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        });
        let mixed = |row: &[f64; 3]| row.iter().zip(linear).map(|(by, part)| by * part).sum::<f64>();
        let [red, green, blue] = [0, 1, 2].map(|row| mixed(&vision[row]).clamp(0.0, 1.0));
        let curve = |part: f64| if part > 0.008856 { part.cbrt() } else { 7.787 * part + 16.0 / 116.0 };
        let x = curve((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047);
        let y = curve(0.2126 * red + 0.7152 * green + 0.0722 * blue);
        let z = curve((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    #[test]
    fn everybody_can_tell_classes_apart() {
        all_differ(&COLORS);
    }

    #[test]
    fn everybody_can_tell_families_apart() {
        // They are shown beside these.
        let beside = ["kernel", "communication", "memcpy", "memset", "idle"];
        let classes = COLORS.into_iter().filter(|class| beside.contains(&class.name));
        all_differ(&FAMILY_COLORS.into_iter().chain(classes).collect::<Vec<_>>());
        for family in KernelFamily::ALL {
            let name = class_of_family(family);
            assert!(COLORS.iter().chain(&FAMILY_COLORS).any(|class| class.name == name), "{name}");
        }
    }

    fn all_differ(colors: &[ClassColor]) {
        for (name, vision) in VISIONS {
            for dark in [false, true] {
                for (place, one) in colors.iter().enumerate() {
                    for other in &colors[place + 1..] {
                        let [one_seen, other_seen] =
                            [one, other].map(|class| seen(if dark { class.dark } else { class.light }, &vision));
                        let distance =
                            one_seen.iter().zip(other_seen).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
                        // About five times the just noticeable difference.
                        assert!(distance > 12.0, "{name}, dark {dark}: {} and {}: {distance}", one.name, other.name);
                    }
                }
            }
        }
    }
}
