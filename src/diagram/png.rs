//! A diagram as PNG: the door to `resvg`, and to the font that it draws letters with.
//!
//! The font is part of the program, and the fonts of the machine are not used, so a diagram is the
//! same everywhere. Its character map lists the characters that it has: "cmap" in the OpenType
//! specification, with the subtable of format 4, which all fonts for Windows have.
//!
//! A board with pieces has some 250 to 450 colours, for the edges of pieces are mixed with two
//! colours of squares. With a palette, a byte for a pixel instead of three makes the file half as
//! large, and takes half the time. Only diagrams with many arrows have too many colours.

use std::iter;
use std::sync::{Arc, Mutex};

use hashbrown::HashMap;
use resvg::tiny_skia::{Pixmap, PixmapPaint, PremultipliedColorU8, Transform};
use resvg::usvg::fontdb::{Database, Source};
use resvg::usvg::{Options, Tree};
use skrifa::{FontRef, GlyphId, MetadataProvider as _};

use super::svg::{CLOSE, Layers, Layout, piece_svg};
use super::{Diagram, Theme};
use crate::executor::lock;
use crate::packed::{Packed, packed};

/// DejaVu Sans, reduced to the characters that captions need: `data/fonts/README.md`.
static FONT: Packed = packed!("DejaVuSans.ttf");

/// The largest number of pixels of an image.
///
/// A pixel takes eight bytes while the image is compressed, so this keeps a drawing below 256 MiB.
pub const MAX_PIXELS: u64 = 24_000_000;

/// Why a diagram cannot be drawn as PNG or PDF.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DrawFault {
    /// The renderer does not accept the SVG of the diagram.
    #[error("the drawing cannot be rendered: {0}")]
    Drawing(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// An image of this width and height in pixels would have more than [`MAX_PIXELS`].
    #[error("{0} by {1} pixels are too many; an image has at most {MAX_PIXELS}")]
    TooLarge(u32, u32),
    /// The pixels cannot be compressed.
    #[error("the image cannot be written: {0}")]
    Packing(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// The level of compression, from 1 to 9. A higher one takes longer than the drawing does, for
/// files that are hardly smaller.
const LEVEL: u8 = 2;

/// The most drawings that are kept for the next diagrams: twelve pieces and some boards.
const MAX_KEPT: usize = 24;

/// The most pixels of a drawing that is kept.
const MAX_KEPT_PIXELS: u64 = 2_000_000;

/// Draws diagrams as PNG. It holds the font, and the boards and pieces that it has drawn, so use
/// one renderer for many diagrams.
///
/// ```
/// use eco::{chess::Fen, diagram::{Diagram, Renderer, Theme}};
///
/// let fen: Fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse()?;
/// let png = Renderer::new().to_png(&Diagram::new(fen), &Theme::default()).unwrap();
/// assert!(png.starts_with(b"\x89PNG"));
/// # Ok::<(), eco::chess::FenFault>(())
/// ```
pub struct Renderer {
    options: Options<'static>,
    /// Drawings by their SVG, the last used one last.
    kept: Mutex<Vec<(String, Arc<Pixmap>)>>,
}

impl Default for Renderer {
    fn default() -> Self {
        Self::new()
    }
}

impl Renderer {
    /// A renderer with its font.
    pub fn new() -> Self {
        let mut fonts = Database::new();
        fonts.load_font_source(Source::Binary(Arc::new(FONT.bytes())));
        fonts.set_sans_serif_family("DejaVu Sans");
        let options = Options { fontdb: Arc::new(fonts), ..Options::default() };
        Self { options, kept: Mutex::default() }
    }

    /// The diagram as the bytes of a PNG file.
    ///
    /// # Errors
    ///
    /// [`DrawFault::TooLarge`], if the squares of the theme are so large that the image would have
    /// more than [`MAX_PIXELS`].
    pub fn to_png(&self, diagram: &Diagram, theme: &Theme) -> Result<Vec<u8>, DrawFault> {
        let caption = with_known_glyphs(&diagram.caption);
        let diagram = Diagram { caption, ..diagram.clone() };
        let Layers { open, ground, top, .. } = diagram.layers(theme);
        let board = self.drawing(format!("{open}{ground}{CLOSE}"))?;
        let mut pixels = Pixmap::clone(&board);
        for (piece, x, y) in diagram.placed_pieces(&Layout::of(&diagram, theme)) {
            let drawn = self.drawing(piece_svg(piece, theme.square))?;
            let (x, y) = (x as i32, y as i32);
            let paint = PixmapPaint::default();
            pixels.draw_pixmap(x, y, drawn.as_ref().as_ref(), &paint, Transform::identity(), None);
        }
        if !top.is_empty() {
            let tree = self.tree(&format!("{open}{top}{CLOSE}"))?;
            resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
        }
        encoded(&pixels, theme.background.is_some())
            .map_err(|error| DrawFault::Packing(error.into()))
    }

    /// The characters of a text that the font does not have, each once. They are drawn as boxes.
    pub fn missing_glyphs(text: &str) -> Vec<char> {
        let font = FONT.bytes();
        let mut missing: Vec<char> = Vec::new();
        for c in with_known_glyphs(text).chars() {
            if !c.is_whitespace() && !c.is_control() && !has_glyph(font, c) && !missing.contains(&c)
            {
                missing.push(c);
            }
        }
        missing
    }

    pub(super) fn tree(&self, svg: &str) -> Result<Tree, DrawFault> {
        Tree::from_str(svg, &self.options).map_err(|error| DrawFault::Drawing(error.into()))
    }

    /// A drawing, which is kept.
    fn drawing(&self, svg: String) -> Result<Arc<Pixmap>, DrawFault> {
        {
            let mut kept = lock(&self.kept);
            if let Some(at) = kept.iter().position(|(known, _)| *known == svg) {
                kept[at..].rotate_left(1);
                let (_, drawn) = kept.last().expect("it has just been found");
                return Ok(Arc::clone(drawn));
            }
        }
        let tree = self.tree(&svg)?;
        let size = tree.size().to_int_size();
        let (width, height) = (size.width(), size.height());
        let count = u64::from(width) * u64::from(height);
        let pixels = (count <= MAX_PIXELS).then(|| Pixmap::new(width, height)).flatten();
        let mut pixels = pixels.ok_or(DrawFault::TooLarge(width, height))?;
        resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
        let drawn = Arc::new(pixels);
        if count <= MAX_KEPT_PIXELS {
            let mut kept = lock(&self.kept);
            kept.push((svg, Arc::clone(&drawn)));
            if kept.len() > MAX_KEPT {
                kept.remove(0);
            }
        }
        Ok(drawn)
    }
}

/// The text with other signs for those that the font lacks and people know by these.
pub(super) fn with_known_glyphs(text: &str) -> String {
    text.replace('\u{2a72}', "+=").replace('\u{2a71}', "=+")
}

/// The pixels as a PNG file; without a background, with transparency.
fn encoded(pixels: &Pixmap, is_opaque: bool) -> Result<Vec<u8>, png::EncodingError> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, pixels.width(), pixels.height());
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_deflate_compression(png::DeflateCompression::Level(LEVEL));
    // Most rows of a board are like the row above.
    encoder.set_filter(png::Filter::Up);
    let straight = pixels.pixels().iter().map(PremultipliedColorU8::demultiply);
    let colours = straight.map(|c| [c.red(), c.green(), c.blue(), c.alpha()]);
    let data: Vec<u8> = match indexed(colours.clone()) {
        Some((palette, pixels)) => {
            encoder.set_color(png::ColorType::Indexed);
            encoder.set_palette(
                palette.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]).collect::<Vec<_>>(),
            );
            if !is_opaque {
                encoder.set_trns(palette.iter().map(|[.., alpha]| *alpha).collect::<Vec<_>>());
            }
            pixels
        }
        None if is_opaque => {
            encoder.set_color(png::ColorType::Rgb);
            colours.flat_map(|[r, g, b, _]| [r, g, b]).collect()
        }
        None => {
            encoder.set_color(png::ColorType::Rgba);
            colours.flatten().collect()
        }
    };
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&data)?;
    writer.finish()?;
    Ok(file)
}

/// Red, green, blue and opacity.
type Colour = [u8; 4];

/// The most colours of a palette.
const MAX: usize = 256;

/// The most colours that are counted; an image with more is no board with pieces.
const MAX_COUNTED: usize = 2048;

/// How far a rare colour may lie from the one that stands for it, of 255. Nobody sees it.
const MAX_DISTANCE: u8 = 2;

/// A palette, in which the most frequent colours are exact and no other is further off than
/// [`MAX_DISTANCE`], and the colour of each pixel there; `None` if there are too many.
fn indexed(pixels: impl Iterator<Item = Colour>) -> Option<(Vec<Colour>, Vec<u8>)> {
    let count = pixels.size_hint().0;
    let mut census = Census::default();
    // Most pixels have the colour of the one before.
    let mut runs: Vec<(u16, u32)> = Vec::new();
    let mut last = None;
    for colour in pixels {
        match runs.last_mut() {
            Some((_, length)) if last == Some(colour) => *length += 1,
            _ => runs.push((census.number(colour)?, 1)),
        }
        last = Some(colour);
    }
    for (number, length) in &runs {
        census.counts[usize::from(*number)].1 += length;
    }
    let (palette, index) = (0..=MAX_DISTANCE).find_map(|distance| census.palette(distance))?;
    let mut pixels = Vec::with_capacity(count);
    for (number, length) in runs {
        pixels.extend(iter::repeat_n(index[usize::from(number)], length as usize));
    }
    Some((palette, pixels))
}

/// Colours, numbered as they are met, with how often that was.
#[derive(Default)]
struct Census {
    numbers: HashMap<Colour, u16>,
    counts: Vec<(Colour, u32)>,
}

impl Census {
    /// The number of a colour; `None` if there are too many colours.
    fn number(&mut self, colour: Colour) -> Option<u16> {
        let next = self.counts.len();
        let number = *self.numbers.entry(colour).or_insert(next as u16);
        if usize::from(number) == next {
            self.counts.push((colour, 0));
        }
        (next < MAX_COUNTED || usize::from(number) < next).then_some(number)
    }

    /// Colours such that one of them is near to each that was counted, and which one that is;
    /// `None` if they are too many.
    fn palette(&self, distance: u8) -> Option<(Vec<Colour>, Vec<u8>)> {
        let mut order: Vec<usize> = (0..self.counts.len()).collect();
        order.sort_by_key(|number| std::cmp::Reverse(self.counts[*number].1));
        let mut palette: Vec<Colour> = Vec::new();
        let mut index = vec![0; self.counts.len()];
        for number in order {
            let colour = self.counts[number].0;
            let near = palette.iter().position(|known| is_near(*known, colour, distance));
            let at = near.unwrap_or(palette.len());
            if at == MAX {
                return None;
            }
            if near.is_none() {
                palette.push(colour);
            }
            index[number] = at as u8;
        }
        Some((palette, index))
    }
}

fn is_near(a: Colour, b: Colour, distance: u8) -> bool {
    a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= distance)
}

/// Whether a font has a glyph for a character of the basic plane; others count as missing.
fn has_glyph(font: &[u8], c: char) -> bool {
    let glyph = FontRef::new(font).ok().and_then(|font| font.charmap().map(c));
    c <= '\u{ffff}' && glyph.is_some_and(|glyph| glyph != GlyphId::NOTDEF)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grey(level: usize) -> Colour {
        let level = level as u8;
        [level, level, level, 255]
    }

    #[test]
    fn few_colours_are_exact() {
        let pixels: Vec<Colour> = (0..MAX).chain(0..10).map(grey).collect();
        let (palette, indices) = indexed(pixels.iter().copied()).unwrap();
        let shown: Vec<Colour> = indices.iter().map(|index| palette[usize::from(*index)]).collect();
        assert_eq!((palette.len(), shown), (MAX, pixels));
    }

    #[test]
    fn more_colours_are_near_and_the_frequent_ones_exact() {
        let colours = (0..400).map(|n| [(n % 20 * 12) as u8, (n / 20) as u8, 0, 255]);
        let frequent = [99, 99, 99, 255];
        let pixels: Vec<Colour> = colours.flat_map(|colour| [colour, frequent, frequent]).collect();
        let (palette, indices) = indexed(pixels.iter().copied()).unwrap();
        assert!(palette.len() <= MAX);
        for (colour, index) in pixels.iter().zip(&indices) {
            let shown = palette[usize::from(*index)];
            assert!(is_near(shown, *colour, MAX_DISTANCE), "{shown:?} for {colour:?}");
            assert!(*colour != frequent || shown == frequent);
        }
    }

    #[test]
    fn too_many_colours_have_no_palette() {
        let far = |n: usize| [(n % 32 * 8) as u8, (n / 32 * 8) as u8, 0, 255];
        assert!(indexed((0..1000).map(far)).is_none());
        let many = (0..=MAX_COUNTED).map(|n| [(n % 256) as u8, (n / 256) as u8, 0, 255]);
        assert!(indexed(many).is_none());
        assert_eq!(indexed(std::iter::empty()).unwrap().0, [[0; 4]; 0]);
    }

    #[test]
    fn the_font_has_what_its_readme_says() {
        let font = include_bytes!("../../data/fonts/DejaVuSans.ttf");
        for c in "aZ09\u{e9}\u{42f}\u{3a9}\u{2654}\u{265f}\u{b1}\u{2213}\u{221e}\u{2026}".chars() {
            assert!(has_glyph(font, c), "{c}");
        }
        for c in "\u{2a72}\u{2a71}\u{65e5}\u{1f600}\u{ac00}".chars() {
            assert!(!has_glyph(font, c), "{c}");
        }
        assert!(!has_glyph(b"", 'a') && !has_glyph(&font[..100], 'a'));
    }
}
