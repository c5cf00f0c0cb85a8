//! A diagram as PNG: the door to `resvg`, and to the font that it draws letters with.
//!
//! The font is part of the program, and the fonts of the machine are not used, so a diagram is the
//! same everywhere.

use std::{fmt, sync::Arc};

use resvg::{
    tiny_skia::{Pixmap, Transform},
    usvg::{
        Options, Tree,
        fontdb::{Database, Source},
    },
};

use super::{Diagram, Theme};

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

/// Draws diagrams as PNG. It holds the font, so use one renderer for many diagrams.
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
        Self { options: Options { fontdb: Arc::new(fonts), ..Options::default() } }
    }

    /// The diagram as the bytes of a PNG file.
    ///
    /// # Errors
    ///
    /// [`PngFault::TooLarge`], if the squares of the theme are so large that the image would have
    /// more than [`MAX_PIXELS`].
    pub fn to_png(&self, diagram: &Diagram, theme: &Theme) -> Result<Vec<u8>, PngFault> {
        let tree = Tree::from_str(&diagram.to_svg(theme), &self.options)
            .map_err(|error| PngFault::Drawing(error.into()))?;
        let size = tree.size().to_int_size();
        let (width, height) = (size.width(), size.height());
        let is_small = u64::from(width) * u64::from(height) <= MAX_PIXELS;
        let pixels = is_small.then(|| Pixmap::new(width, height)).flatten();
        let mut pixels = pixels.ok_or(PngFault::TooLarge(width, height))?;
        resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
        pixels.encode_png().map_err(|error| PngFault::Packing(error.into()))
    }
}
