//! One colour per class of activity, the same in every chart.
//!
//! After Okabe and Ito's palette, which people with colour-blindness can tell apart; the dark variants are
//! lighter. The page's style sheet has the same colours under the same names (a test compares them).

/// A colour as red, green, blue.
pub type Rgb = (u8, u8, u8);

/// A class of time, with its colour on a light and on a dark ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassColor {
    /// The class's stable name.
    pub name: &'static str,
    /// On a light ground.
    pub light: Rgb,
    /// On a dark ground.
    pub dark: Rgb,
}

/// All classes.
pub const COLORS: [ClassColor; 11] = [
    ClassColor { name: "kernel", light: (0, 114, 178), dark: (64, 156, 218) },
    ClassColor { name: "communication", light: (213, 94, 0), dark: (240, 130, 50) },
    ClassColor { name: "overlap", light: (128, 70, 160), dark: (178, 128, 208) },
    ClassColor { name: "memcpy", light: (0, 158, 115), dark: (38, 186, 142) },
    ClassColor { name: "memset", light: (120, 190, 160), dark: (130, 205, 178) },
    ClassColor { name: "runtime", light: (204, 121, 167), dark: (222, 148, 188) },
    ClassColor { name: "dataloader", light: (230, 159, 0), dark: (242, 184, 48) },
    ClassColor { name: "cpu", light: (86, 180, 233), dark: (120, 200, 245) },
    ClassColor { name: "delay", light: (176, 158, 20), dark: (232, 216, 84) },
    ClassColor { name: "other", light: (150, 150, 150), dark: (120, 124, 132) },
    ClassColor { name: "idle", light: (214, 218, 224), dark: (62, 67, 76) },
];

/// The colour of a class; grey for an unknown one.
#[must_use]
pub fn color(name: &str, dark: bool) -> Rgb {
    let found = COLORS.iter().find(|class| class.name == name);
    found.map_or((150, 150, 150), |class| if dark { class.dark } else { class.light })
}
