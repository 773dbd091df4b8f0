//! The look of slices: the color of their class, or of a kernel's family, in one of a few shades by the name.

use std::cell::{Cell, RefCell};

use crate::colors::{COLORS, ClassColor, FAMILY_COLORS, Rgb, class_of_family};
use stepscope_analyze::{HostCategories, KernelFamilies, TimeCategory};
use stepscope_trace::{Class, EventId, NameId, Trace};

/// A class's color in one of its shades.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tint(pub(super) u8);

/// Shades of a class: they distinguish neighbors with different names.
const SHADES: u8 = 4;

/// The part of white, or of black if negative, in a shade.
const MIXED: [f32; SHADES as usize] = [0.0, 0.14, -0.12, 0.26];

impl Tint {
    /// Number of tints.
    pub(super) const COUNT: usize = (COLORS.len() + FAMILY_COLORS.len()) * SHADES as usize;

    /// The colors of all, by their numbers.
    pub(super) fn colors(dark: bool) -> [Rgb; Self::COUNT] {
        std::array::from_fn(|number| Self(u8::try_from(number).unwrap_or(0)).color(dark))
    }

    /// A class in its own color.
    pub(super) fn of_class(name: &str) -> Self {
        let class = COLORS.iter().chain(&FAMILY_COLORS).position(|class| class.name == name).unwrap_or(0);
        Self(u8::try_from(class).unwrap_or(0) * SHADES)
    }

    fn shaded(self, shade: u8) -> Self {
        Self(self.0 + shade % SHADES)
    }

    /// Its color.
    pub(super) fn color(self, dark: bool) -> Rgb {
        let ClassColor { light, dark: on_dark, .. } = self.class_color();
        let (red, green, blue) = if dark { on_dark } else { light };
        let mixed = MIXED[usize::from(self.0 % SHADES)];
        let mix = |part: u8| {
            let to = if mixed > 0.0 { 255.0 } else { 0.0 };
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between two colours")]
            let part = (f32::from(part) + (to - f32::from(part)) * mixed.abs()).round() as u8;
            part
        };
        (mix(red), mix(green), mix(blue))
    }

    /// The class whose color it has.
    pub(super) fn class_color(self) -> ClassColor {
        let place = usize::from(self.0 / SHADES);
        COLORS.get(place).or_else(|| FAMILY_COLORS.get(place - COLORS.len())).copied().unwrap_or(COLORS[0])
    }

    /// Whether dark text is better readable on it.
    pub(super) fn is_light(self, dark: bool) -> bool {
        let (red, green, blue) = self.color(dark);
        // Relative luminance as the WCAG defines it.
        let linear = |part: u8| {
            let part = f32::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        let luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
        // Where black and white text have the same contrast.
        luminance > 0.179
    }
}

/// The looks of a trace's slices.
#[derive(Debug)]
pub(super) struct Tints {
    categories: HostCategories,
    /// By name; [`UNKNOWN`] until the first use, as a trace has many texts that are no slice's name.
    shades: Vec<Cell<u8>>,
    families: RefCell<KernelFamilies>,
    by_class: [Tint; Class::ALL.len()],
    communication: Tint,
    dataloader: Tint,
}

impl Tints {
    pub(super) fn of_trace(trace: &Trace) -> Self {
        let name = |class: Class| match class {
            Class::Operator => "cpu",
            Class::Annotation | Class::DeviceAnnotation => "annotation",
            Class::PythonFrame => "python",
            Class::RuntimeCall => "runtime",
            Class::Kernel => "kernel",
            Class::Memcpy => "memcpy",
            Class::Memset => "memset",
            Class::Synchronization => "delay",
            Class::Async => "overlap",
            Class::DeviceMarker | Class::Overhead | Class::ProfilerSpan | Class::Other => "other",
        };
        Self {
            categories: HostCategories::of(trace),
            shades: vec![Cell::new(UNKNOWN); trace.strings.len()],
            families: RefCell::default(),
            by_class: Class::ALL.map(|class| Tint::of_class(name(class))),
            communication: Tint::of_class("communication"),
            dataloader: Tint::of_class("dataloader"),
        }
    }

    /// The look of a slice.
    pub(super) fn of(&self, trace: &Trace, id: EventId) -> Tint {
        let class = trace.slices.class(id);
        let tint = match class {
            Class::Kernel => match trace.activity(id) {
                Some(activity) => Tint::of_class(class_of_family(self.families.borrow_mut().get(trace, activity))),
                None => self.by_class[class as usize],
            },
            Class::Operator | Class::Annotation | Class::PythonFrame | Class::Other => {
                // The name is more specific than the class.
                match self.categories.categories(trace, id) {
                    [_, Some(TimeCategory::Dataloader)] | [Some(TimeCategory::Dataloader), _] => self.dataloader,
                    [_, Some(TimeCategory::Communication)] => self.communication,
                    _ => self.by_class[class as usize],
                }
            }
            _ => self.by_class[class as usize],
        };
        tint.shaded(self.shade(trace, trace.slices.name(id)))
    }

    #[inline]
    fn shade(&self, trace: &Trace, name: NameId) -> u8 {
        let known = &self.shades[name.index()];
        if known.get() == UNKNOWN {
            known.set(shade(trace.strings.get(name)));
        }
        known.get()
    }
}

/// A shade that is not computed yet.
const UNKNOWN: u8 = u8::MAX;

/// The shade of a name: the same in every trace. Digits in it do not count, as in names of steps.
fn shade(name: &str) -> u8 {
    let letters = name.bytes().filter(|byte| !byte.is_ascii_digit());
    // FNV-1a.
    let hash = letters.fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    u8::try_from((hash >> 13) % u32::from(SHADES)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shades_keep_their_class_and_differ() {
        for class in COLORS.iter().chain(&FAMILY_COLORS) {
            let tint = Tint::of_class(class.name);
            let shades: Vec<Rgb> = (0..SHADES).map(|shade| tint.shaded(shade).color(false)).collect();
            assert_eq!(shades[0], class.light);
            assert!((0..SHADES).all(|shade| tint.shaded(shade).class_color().name == class.name));
            for (index, one) in shades.iter().enumerate() {
                assert!(!shades[..index].contains(one), "{}: {shades:?}", class.name);
            }
        }
    }

    #[test]
    fn text_is_readable_on_every_tint() {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        for tint in (0..u8::try_from(Tint::COUNT).unwrap()).map(Tint) {
            for dark in [false, true] {
                let (red, green, blue) = tint.color(dark);
                let luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
                let contrast = if tint.is_light(dark) { (luminance + 0.05) / 0.05 } else { 1.05 / (luminance + 0.05) };
                assert!(contrast >= 4.5, "{} {contrast}", tint.class_color().name);
            }
        }
    }
}
