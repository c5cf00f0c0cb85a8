//! A diagram as PNG: the door to `resvg`, and to the font that it draws letters with.
//!
//! The font comes with the program and those of the machine are not looked at, so that a diagram
//! is the same everywhere.

use std::sync::Arc;

use resvg::{
    tiny_skia::{Pixmap, Transform},
    usvg::{Options, Tree, fontdb::Database},
};

use super::{Diagram, Theme};

/// The most pixels an image may have. A pixel takes eight bytes while it is packed, and the whole
/// program is to stay under 256 MiB.
pub const MAX_PIXELS: u64 = 24_000_000;

/// A diagram that could not be drawn.
#[derive(Debug, thiserror::Error)]
pub enum PngFault {
    /// The drawing is not understood by the renderer.
    #[error("the drawing cannot be rendered: {0}")]
    Drawing(#[from] resvg::usvg::Error),
    /// An image of so many pixels would take more memory than a program should.
    #[error("{0} by {1} pixels are too many; an image has at most {MAX_PIXELS}")]
    TooLarge(u32, u32),
    /// The pixels cannot be packed.
    #[error("the image cannot be written: {0}")]
    Packing(String),
}

/// Draws diagrams as PNG. It holds the font, so keep it for many.
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

impl Renderer {
    /// A renderer with its font.
    #[must_use]
    pub fn new() -> Self {
        let mut fonts = Database::new();
        fonts.load_font_data(dejavu::sans::regular().to_vec());
        fonts.set_sans_serif_family("DejaVu Sans");
        Self { options: Options { fontdb: Arc::new(fonts), ..Options::default() } }
    }

    /// The diagram as the bytes of a PNG file.
    ///
    /// # Errors
    ///
    /// [`PngFault::TooLarge`], if the squares of the theme are so large that the image would have more
    /// than [`MAX_PIXELS`].
    pub fn to_png(&self, diagram: &Diagram, theme: &Theme) -> Result<Vec<u8>, PngFault> {
        let tree = Tree::from_str(&diagram.to_svg(theme), &self.options)?;
        let size = tree.size().to_int_size();
        let (width, height) = (size.width(), size.height());
        let is_small = u64::from(width) * u64::from(height) <= MAX_PIXELS;
        let pixels = is_small.then(|| Pixmap::new(width, height)).flatten();
        let mut pixels = pixels.ok_or(PngFault::TooLarge(width, height))?;
        resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
        pixels.encode_png().map_err(|error| PngFault::Packing(error.to_string()))
    }
}
