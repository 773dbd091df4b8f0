//! The look of a chart.

use plotters::style::{FontFamily, IntoFont, TextStyle};

use crate::colors::Rgb;

/// The look of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    /// The drawing's width in device pixels.
    pub width: u32,
    /// The drawing's height in device pixels.
    pub height: u32,
    /// Device pixels per CSS pixel: fonts and lines are larger by this factor.
    pub scale: f64,
    /// Whether the background is dark.
    pub dark: bool,
    /// The font's CSS family.
    pub font: String,
}

impl Style {
    /// A length in CSS pixels as device pixels.
    #[expect(clippy::cast_possible_truncation, reason = "a length on a screen")]
    pub(super) fn px(&self, length: f64) -> i32 {
        (length * self.scale).round() as i32
    }

    /// The text of axes and marks.
    pub(super) fn text(&self) -> TextStyle<'_> {
        // As a name: from text it would be compared without case, which would include all of Unicode's tables.
        (FontFamily::Name(&self.font), 12.0 * self.scale).into_font().color(&self.text_color())
    }

    pub(super) fn text_color(&self) -> plotters::style::RGBColor {
        let (red, green, blue) = if self.dark { TEXT.1 } else { TEXT.0 };
        plotters::style::RGBColor(red, green, blue)
    }

    pub(super) fn line_color(&self) -> plotters::style::RGBColor {
        let (red, green, blue) = if self.dark { LINE.1 } else { LINE.0 };
        plotters::style::RGBColor(red, green, blue)
    }
}

/// The color of texts, on a light and on a dark background.
pub(super) const TEXT: (Rgb, Rgb) = ((60, 66, 75), (205, 210, 218));

/// The same for axes and lines.
pub(super) const LINE: (Rgb, Rgb) = ((226, 229, 234), (58, 63, 72));
