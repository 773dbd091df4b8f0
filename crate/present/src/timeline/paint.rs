//! Pixels of lanes: one line of pixels per lane, which the page draws with any height.

use super::levels::Levels;
use super::spans::{Spans, SpansVisitor};
use super::tints::Tint;
use crate::colors::Rgb;
use stepscope_base::{Interval, Nanos};

/// The part of time that is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The time at the left edge, in ns; that of the lane's own rank.
    pub start: f64,
    /// Width of a pixel in ns.
    pub pixel: f64,
    /// Number of pixels.
    pub width: usize,
}

impl View {
    #[expect(clippy::cast_precision_loss, reason = "pixels, and times to be drawn")]
    fn place(&self, at: Nanos) -> f64 {
        (at.0 as f64 - self.start) / self.pixel
    }

    /// The time at the left edge of a pixel.
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "pixels")]
    pub(super) fn time_at(&self, x: usize) -> Nanos {
        Nanos((self.start + x as f64 * self.pixel).ceil() as i64)
    }

    fn window(&self) -> Interval {
        Interval::new(self.time_at(0) - Nanos(1), self.time_at(self.width) + Nanos(1))
    }
}

/// RGBA pixels without premultiplied alpha, row by row.
pub(super) struct Canvas<'a> {
    pub(super) pixels: &'a mut [u8],
    pub(super) width: usize,
}

impl Canvas<'_> {
    pub(super) fn put(&mut self, x: usize, row: usize, (red, green, blue): Rgb, alpha: u8) {
        let at = (row * self.width + x) * 4;
        if let Some(pixel) = self.pixels.get_mut(at..at + 4) {
            pixel.copy_from_slice(&[red, green, blue, alpha]);
        }
    }
}

/// A span that is wide enough for text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Label {
    /// Index of the drawn lane.
    pub line: u32,
    /// Its left edge in pixels; that of the view if it begins before.
    pub left: f64,
    /// Its right edge likewise.
    pub right: f64,
    /// Its row.
    pub row: u32,
    /// The slice's number; for computed spans, the number among these.
    pub number: u32,
    /// Whether dark text is better readable on it.
    pub light: bool,
}

/// State of a pixel of a lane.
#[derive(Clone, Copy, Debug, Default)]
struct Dot {
    /// Its covered part, at most 1.
    covered: f32,
    /// The largest part that one span covers.
    most: f32,
    tint: Tint,
}

/// Draws lanes, one after the other.
#[derive(Debug)]
pub(super) struct Brush {
    dots: Vec<Dot>,
    /// The tints' colors on a light and on a dark page, looked up for each pixel.
    colors: [[Rgb; Tint::COUNT]; 2],
}

impl Default for Brush {
    fn default() -> Self {
        Self { dots: Vec::new(), colors: [false, true].map(Tint::colors) }
    }
}

/// Least opacity of a pixel with any span in it, of 255.
const FAINTEST: f32 = 105.0;

/// The part of its pixel that a span without length covers.
const MOMENT: f32 = 1e-3;

/// The length in ns above which lengths are rounded.
const EXACT: f32 = 16_777_216.0;

/// Width in pixels from which a span is separated from the next one by a line.
const PARTED: f64 = 4.0;

/// Settings for drawing a lane.
#[derive(Clone, Copy)]
pub(super) struct Stroke<'a> {
    pub(super) view: &'a View,
    /// Its line of the canvas.
    pub(super) line: usize,
    /// Whether the page is dark.
    pub(super) dark: bool,
    /// Its opacity, up to 1.
    pub(super) strength: f32,
    /// The width in pixels from which spans have a label.
    pub(super) labelled: f64,
}

/// Draws a lane of any spans.
pub(super) struct Paint<'a, 'b> {
    pub(super) brush: &'a mut Brush,
    pub(super) levels: &'a Levels,
    pub(super) stroke: Stroke<'a>,
    pub(super) canvas: &'a mut Canvas<'b>,
    pub(super) labels: &'a mut Vec<Label>,
}

impl SpansVisitor<()> for Paint<'_, '_> {
    fn visit<S: Spans>(self, spans: &S) {
        let Stroke { view, line, dark, strength, labelled } = self.stroke;
        let Brush { dots, colors } = self.brush;
        let colors = &colors[usize::from(dark)];
        dots.clear();
        dots.resize(view.width, Dot::default());
        #[expect(clippy::cast_precision_loss, reason = "pixels")]
        let edge = view.width as f64;
        self.levels.each(spans, view.window(), view.pixel, |entry, count| {
            let from = view.place(entry.start);
            // The length is exact up to 2^24 ns.
            let to = if count == 1 && entry.length > EXACT {
                view.place(spans.span(entry.first as usize).end)
            } else {
                from + f64::from(entry.length) / view.pixel
            };
            if to < 0.0 || from >= edge {
                return;
            }
            let density = if entry.length > 0.0 { entry.busy / entry.length } else { 1.0 };
            cover(dots, from.max(0.0), to.min(edge), density, entry.tint);
            if count > 1 {
                return;
            }
            if to - from >= PARTED && to < edge {
                part(dots, to);
            }
            let (left, right) = (from.max(0.0), to.min(edge));
            if right - left >= labelled {
                let line = u32::try_from(line).unwrap_or(u32::MAX);
                let light = entry.tint.is_light(dark);
                // The caller adds its row and number.
                self.labels.push(Label { line, left, right, row: 0, number: entry.first, light });
            }
        });
        for (x, dot) in dots.iter().enumerate().filter(|(_, dot)| dot.most > 0.0) {
            let alpha = (FAINTEST + (255.0 - FAINTEST) * dot.covered.min(1.0)) * strength;
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 255")]
            self.canvas.put(x, line, colors[usize::from(dot.tint.0)], alpha as u8);
        }
    }
}

/// Covers pixels from one place to another.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "pixels")]
fn cover(dots: &mut [Dot], from: f64, to: f64, density: f32, tint: Tint) {
    let first = from as usize;
    let last = (to.ceil() as usize).max(first + 1).min(dots.len());
    for (x, dot) in dots.iter_mut().enumerate().take(last).skip(first) {
        let share = (to.min((x + 1) as f64) - from.max(x as f64)) as f32 * density;
        dot.covered += share;
        // Thousands of spans without length cover nothing, but are visible.
        let share = share.max(MOMENT);
        if share > dot.most {
            (dot.most, dot.tint) = (share, tint);
        }
    }
}

/// Draws a line at the right end of a wide span, which separates it from one that starts there.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "pixels")]
fn part(dots: &mut [Dot], to: f64) {
    if let Some(dot) = (to.round() as usize).checked_sub(1).and_then(|last| dots.get_mut(last)) {
        dot.covered = dot.covered.min(0.15);
        dot.most = dot.most.min(0.15);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    use super::*;
    use crate::timeline::spans::Plain;

    fn tint(place: usize) -> Tint {
        Tint(u8::try_from(place * 31 % 40).unwrap())
    }

    /// A lane of gaps and lengths, each of which is nothing, short, or long.
    fn lane(count: usize, seed: &[(u8, u16, u8, u16)]) -> Plain {
        let mut at = 0;
        let scaled = |scale: u8, value: u16| i64::from(value) * [0, 1, 1, 40, 2000][usize::from(scale)];
        let span = |place: usize| {
            let (gap_scale, gap, scale, length) = seed[(place * 7 + place / 13) % seed.len()];
            let start = at + scaled(gap_scale, gap);
            at = start + scaled(scale, length);
            Interval::new(Nanos(start), Nanos(at))
        };
        Plain((0..count).map(span).collect(), tint)
    }

    fn painted(spans: &Plain, view: View) -> (Vec<[u8; 4]>, Vec<Label>) {
        let (mut brush, mut pixels, mut labels) = (Brush::default(), vec![0; view.width * 4], Vec::new());
        let stroke = Stroke { view: &view, line: 0, dark: false, strength: 1.0, labelled: 20.0 };
        let mut canvas = Canvas { pixels: &mut pixels, width: view.width };
        let levels = Levels::of(spans);
        Paint { brush: &mut brush, levels: &levels, stroke, canvas: &mut canvas, labels: &mut labels }.visit(spans);
        (pixels.chunks_exact(4).map(|pixel| pixel.try_into().unwrap()).collect(), labels)
    }

    /// The expected look of a pixel.
    #[derive(Clone, Copy, Debug, Default)]
    struct PixelSum {
        covered: f64,
        most: f64,
        tint: Tint,
        touched: bool,
        /// A line separates its span from the next one.
        parted: bool,
    }

    fn wanted(spans: &Plain, view: View) -> Vec<PixelSum> {
        let mut found = vec![PixelSum::default(); view.width];
        for place in 0..spans.len() {
            let [from, to] = [spans.span(place).start, spans.span(place).end].map(|at| view.place(at));
            for (x, pixel) in found.iter_mut().enumerate() {
                let (left, right) = (x as f64, (x + 1) as f64);
                if from >= right || to < left || (to == left && from < left) {
                    continue;
                }
                let share = to.min(right) - from.max(left);
                pixel.touched = true;
                pixel.covered += share;
                if share > pixel.most {
                    (pixel.most, pixel.tint) = (share, spans.tint(place));
                }
            }
            // One more pixel on either side: the exact place of a line depends on rounding.
            if to - from >= PARTED - 0.1 && to > -1.0 && to < view.width as f64 + 1.0 {
                let last = to.round() as usize;
                for pixel in &mut found[last.saturating_sub(2).min(view.width)..(last + 1).min(view.width)] {
                    pixel.parted = true;
                }
            }
        }
        found
    }

    proptest! {
        /// A merged entry is no longer than a pixel, so it extends at most into the next one.
        #[test]
        fn what_is_painted_is_what_each_slice_by_itself_covers(
            seed in proptest::collection::vec((0_u8..5, 0_u16..300, 0_u8..5, 0_u16..300), 2..40),
            count in 1_usize..6000,
            zoom in 0_i32..18,
            begin in 0.0_f64..1.0,
        ) {
            let spans = lane(count, &seed);
            let end = spans.0.last().unwrap().end.0.max(1) as f64;
            let width = 200;
            let pixel = end / width as f64 / 2_f64.powi(zoom);
            let view = View { start: begin * (end - pixel * width as f64), pixel, width };
            let (pixels, _) = painted(&spans, view);
            let wanted = wanted(&spans, view);
            let (mut away, mut painted_of, mut wanted_of) = (0.0, 0.0, 0.0);
            for (x, (pixel, wanted)) in pixels.iter().zip(&wanted).enumerate() {
                let [red, green, blue, alpha] = *pixel;
                prop_assert!(!wanted.touched || alpha > 0, "nothing is seen at {x}: {wanted:?}");
                if wanted.parted || alpha == 0 {
                    continue;
                }
                let covered = f64::from((f32::from(alpha) - FAINTEST) / (255.0 - FAINTEST)).clamp(0.0, 1.0);
                prop_assert!((covered - wanted.covered.min(1.0)).abs() <= 0.51, "{covered} at {x} is not {wanted:?}");
                away += (covered - wanted.covered.min(1.0)).abs();
                painted_of += covered;
                wanted_of += wanted.covered.min(1.0);
                if wanted.most > 0.75 {
                    prop_assert_eq!((red, green, blue), wanted.tint.color(false), "at {}", x);
                }
            }
            prop_assert!(away <= 0.2 * width as f64, "{away} pixels are wrong");
            // Parts that extend into a pixel with a line are not counted there.
            let lost = 2.0 + 0.02 * wanted_of + 0.25 * wanted.iter().filter(|pixel| pixel.parted).count() as f64;
            prop_assert!((painted_of - wanted_of).abs() <= lost, "{painted_of} of {wanted_of} is painted");
        }
    }

    #[test]
    fn moments_are_seen_and_cover_nothing() {
        let view = View { start: -500.0, pixel: 100.0, width: 10 };
        for count in [1, 2000, 5000] {
            let spans = Plain(vec![Interval::new(Nanos(20), Nanos(20)); count], tint);
            let alphas: Vec<u8> = painted(&spans, view).0.iter().map(|pixel| pixel[3]).collect();
            assert_eq!(alphas, [0, 0, 0, 0, 0, 105, 0, 0, 0, 0], "{count}");
        }
    }
}
