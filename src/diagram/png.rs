//! A diagram as PNG: the door to `resvg`, and to the font that it draws letters with.
//!
//! A file has a palette if its colours are few, as they are unless a diagram has many arrows.
//!
//! The font is part of the program, and the fonts of the machine are not used, so a diagram is the
//! same everywhere.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use resvg::{
    tiny_skia::{Pixmap, PixmapPaint, PremultipliedColorU8, Transform},
    usvg::{
        Options, Tree,
        fontdb::{Database, Source},
    },
};

use super::{
    Diagram, Theme,
    font::has_glyph,
    palette::Indexed,
    svg::{CLOSE, Layers, piece_svg},
};

/// DejaVu Sans, reduced to the characters that captions need: `data/fonts/README.md`.
const FONT: &[u8] = include_bytes!("../../data/fonts/DejaVuSans.ttf");

/// The largest number of pixels of an image.
///
/// A pixel takes eight bytes while the image is compressed, so this keeps a drawing below 256 MiB.
pub const MAX_PIXELS: u64 = 24_000_000;

/// Why a diagram cannot be drawn as PNG.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PngFault {
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

impl fmt::Debug for Renderer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Renderer").finish_non_exhaustive()
    }
}

impl Renderer {
    /// A renderer with its font.
    #[must_use]
    pub fn new() -> Self {
        let mut fonts = Database::new();
        fonts.load_font_source(Source::Binary(Arc::new(FONT)));
        fonts.set_sans_serif_family("DejaVu Sans");
        let options = Options { fontdb: Arc::new(fonts), ..Options::default() };
        Self { options, kept: Mutex::default() }
    }

    /// The diagram as the bytes of a PNG file.
    ///
    /// # Errors
    ///
    /// [`PngFault::TooLarge`], if the squares of the theme are so large that the image would have
    /// more than [`MAX_PIXELS`].
    pub fn to_png(&self, diagram: &Diagram, theme: &Theme) -> Result<Vec<u8>, PngFault> {
        let caption = with_known_glyphs(&diagram.caption);
        let diagram = Diagram { caption, ..diagram.clone() };
        let Layers { open, ground, top, .. } = diagram.layers(theme);
        let board = self.drawing(format!("{open}{ground}{CLOSE}"))?;
        let mut pixels = Pixmap::clone(&board);
        for (piece, x, y) in diagram.placed_pieces(theme) {
            let drawn = self.drawing(piece_svg(piece, theme.square))?;
            let (x, y) = (x.cast_signed(), y.cast_signed());
            let paint = PixmapPaint::default();
            pixels.draw_pixmap(x, y, drawn.as_ref().as_ref(), &paint, Transform::identity(), None);
        }
        if !top.is_empty() {
            let tree = self.tree(&format!("{open}{top}{CLOSE}"))?;
            resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
        }
        encoded(&pixels, theme.background.is_some())
            .map_err(|error| PngFault::Packing(error.into()))
    }

    /// The characters of a text that the font does not have, each once. They are drawn as boxes.
    #[must_use]
    pub fn missing_glyphs(text: &str) -> Vec<char> {
        let mut missing: Vec<char> = Vec::new();
        for c in with_known_glyphs(text).chars() {
            if !c.is_whitespace() && !c.is_control() && !has_glyph(FONT, c) && !missing.contains(&c)
            {
                missing.push(c);
            }
        }
        missing
    }

    pub(super) fn tree(&self, svg: &str) -> Result<Tree, PngFault> {
        Tree::from_str(svg, &self.options).map_err(|error| PngFault::Drawing(error.into()))
    }

    /// A drawing, which is kept.
    fn drawing(&self, svg: String) -> Result<Arc<Pixmap>, PngFault> {
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        {
            let mut kept = kept();
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
        let mut pixels = pixels.ok_or(PngFault::TooLarge(width, height))?;
        resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
        let drawn = Arc::new(pixels);
        if count <= MAX_KEPT_PIXELS {
            let mut kept = kept();
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
    let data: Vec<u8> = match Indexed::new(colours.clone()) {
        Some(Indexed { palette, pixels }) => {
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
