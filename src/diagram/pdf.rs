//! A diagram as PDF: the door to `pdf-writer`.
//!
//! One page of the size of the drawing, at 96 pixels an inch. Everything is a path, letters too, so
//! it looks the same everywhere and needs no font. It is written here, from the paths that `usvg`
//! makes of the SVG, because `svg2pdf` and `krilla-svg` stand on older versions of `usvg`; a
//! diagram has only paths in plain colours.

use std::{collections::BTreeMap, io::Write};

use flate2::{Compression, write::ZlibEncoder};
use pdf_writer::types::{LineCapStyle, LineJoinStyle};
use pdf_writer::{
    Content, Filter, Finish, Name, Pdf, Rect, Ref, TextStr, writers::ExtGraphicsState,
};
use resvg::usvg::tiny_skia_path::{PathSegment, Point};
use resvg::usvg::{Color, Group, LineCap, LineJoin, Node, Opacity, Paint, Path, Stroke};

use super::png::{DrawFault, Renderer, with_known_glyphs};
use super::{Diagram, Theme};

/// The points in a pixel: 72 points are an inch, like 96 pixels.
const POINTS: f32 = 0.75;

impl Renderer {
    /// The diagram as the bytes of a PDF file with one page, whose title is the caption.
    ///
    /// ```
    /// use eco::{chess::Fen, diagram::{Diagram, Renderer, Theme}};
    ///
    /// let fen: Fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse()?;
    /// let pdf = Renderer::new().to_pdf(&Diagram::new(fen), &Theme::default()).unwrap();
    /// assert!(pdf.starts_with(b"%PDF-1."));
    /// # Ok::<(), eco::chess::FenFault>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`DrawFault::Drawing`]; the SVG of a diagram is always accepted.
    pub fn to_pdf(&self, diagram: &Diagram, theme: &Theme) -> Result<Vec<u8>, DrawFault> {
        let drawn = Diagram { caption: with_known_glyphs(&diagram.caption), ..diagram.clone() };
        let tree = self.tree(&drawn.to_svg(theme))?;
        let (width, height) = (tree.size().width() * POINTS, tree.size().height() * POINTS);
        let mut page = Page { content: Content::new(), alphas: BTreeMap::new() };
        // SVG counts from the top, PDF from the bottom.
        page.content.transform([POINTS, 0.0, 0.0, -POINTS, 0.0, height]);
        page.group(tree.root());
        Ok(page.into_file(width, height, &diagram.caption))
    }
}

/// The page while it is drawn.
struct Page {
    content: Content,
    /// The opacities of fill and stroke in thousandths, by the numbers of their names.
    alphas: BTreeMap<(u16, u16), usize>,
}

impl Page {
    fn group(&mut self, group: &Group) {
        for node in group.children() {
            match node {
                Node::Group(group) => self.group(group),
                Node::Path(path) => self.path(path),
                Node::Text(text) => self.group(text.flattened()),
                // No diagram has one.
                Node::Image(_) => {}
            }
        }
    }

    fn path(&mut self, path: &Path) {
        let fill = path.fill().and_then(|fill| Some((color(fill.paint())?, fill)));
        let stroke = path.stroke().and_then(|stroke| Some((color(stroke.paint())?, stroke)));
        if !path.is_visible() || fill.is_none() && stroke.is_none() {
            return;
        }
        let opaque = Opacity::ONE;
        let alpha = (
            fill.as_ref().map_or(opaque, |(_, fill)| fill.opacity()),
            stroke.as_ref().map_or(opaque, |(_, stroke)| stroke.opacity()),
        );
        self.content.save_state();
        self.set_alpha(alpha);
        let t = path.abs_transform();
        self.content.transform([t.sx, t.ky, t.kx, t.sy, t.tx, t.ty]);
        if let Some((color, stroke)) = &stroke {
            self.set_stroke(*color, stroke);
        }
        if let Some((color, _)) = &fill {
            let [r, g, b] = components(*color);
            self.content.set_fill_rgb(r, g, b);
        }
        self.outline(path);
        match (fill.is_some(), stroke.is_some()) {
            (true, false) => self.content.fill_nonzero(),
            (true, true) => self.content.fill_nonzero_and_stroke(),
            (false, _) => self.content.stroke(),
        };
        self.content.restore_state();
    }

    fn set_alpha(&mut self, (fill, stroke): (Opacity, Opacity)) {
        if (fill, stroke) == (Opacity::ONE, Opacity::ONE) {
            return;
        }
        let thousandths = |opacity: Opacity| (opacity.get() * 1000.0).round() as u16;
        let count = self.alphas.len();
        let number = *self.alphas.entry((thousandths(fill), thousandths(stroke))).or_insert(count);
        self.content.set_parameters(Name(alpha_name(number).as_bytes()));
    }

    fn set_stroke(&mut self, color: Color, stroke: &Stroke) {
        let [r, g, b] = components(color);
        // Those that a diagram has.
        let cap = match stroke.linecap() {
            LineCap::Round => LineCapStyle::RoundCap,
            _ => LineCapStyle::ButtCap,
        };
        let join = match stroke.linejoin() {
            LineJoin::Round => LineJoinStyle::RoundJoin,
            _ => LineJoinStyle::MiterJoin,
        };
        let content = &mut self.content;
        content.set_stroke_rgb(r, g, b).set_line_width(stroke.width().get());
        content.set_line_cap(cap).set_line_join(join);
    }

    fn outline(&mut self, path: &Path) {
        let mut at = Point::default();
        for segment in path.data().segments() {
            match segment {
                PathSegment::MoveTo(to) => _ = self.content.move_to(to.x, to.y),
                PathSegment::LineTo(to) => _ = self.content.line_to(to.x, to.y),
                // A quadratic curve as a cubic one.
                PathSegment::QuadTo(c, to) => {
                    let toward = |end: Point| {
                        (end.x + (c.x - end.x) * 2.0 / 3.0, end.y + (c.y - end.y) * 2.0 / 3.0)
                    };
                    let ((x1, y1), (x2, y2)) = (toward(at), toward(to));
                    self.content.cubic_to(x1, y1, x2, y2, to.x, to.y);
                }
                PathSegment::CubicTo(a, b, to) => {
                    self.content.cubic_to(a.x, a.y, b.x, b.y, to.x, to.y);
                }
                PathSegment::Close => _ = self.content.close_path(),
            }
            if let PathSegment::MoveTo(to)
            | PathSegment::LineTo(to)
            | PathSegment::QuadTo(_, to)
            | PathSegment::CubicTo(_, _, to) = segment
            {
                at = to;
            }
        }
    }

    fn into_file(self, width: f32, height: f32, title: &str) -> Vec<u8> {
        let [catalog, pages, page, content, info] = [1, 2, 3, 4, 5].map(Ref::new);
        let mut pdf = Pdf::new();
        pdf.catalog(catalog).pages(pages);
        pdf.pages(pages).kids([page]).count(1);
        let mut sheet = pdf.page(page);
        sheet.media_box(Rect::new(0.0, 0.0, width, height)).parent(pages).contents(content);
        let mut resources = sheet.resources();
        let mut states = resources.ext_g_states();
        for ((fill, stroke), number) in &self.alphas {
            let name = alpha_name(*number);
            let mut state = states.insert(Name(name.as_bytes())).start::<ExtGraphicsState<'_>>();
            state.non_stroking_alpha(f32::from(*fill) / 1000.0);
            state.stroking_alpha(f32::from(*stroke) / 1000.0);
        }
        states.finish();
        resources.finish();
        sheet.finish();
        pdf.stream(content, &packed(&self.content.finish())).filter(Filter::FlateDecode);
        let title = if title.trim().is_empty() { "Chess diagram" } else { title };
        pdf.document_info(info).title(TextStr(title));
        pdf.finish()
    }
}

fn alpha_name(number: usize) -> String {
    format!("a{number}")
}

/// The colour of a paint; a diagram has no others.
fn color(paint: &Paint) -> Option<Color> {
    match paint {
        Paint::Color(color) => Some(*color),
        Paint::LinearGradient(_) | Paint::RadialGradient(_) | Paint::Pattern(_) => None,
    }
}

fn components(color: Color) -> [f32; 3] {
    [color.red, color.green, color.blue].map(|part| f32::from(part) / 255.0)
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::default());
    let written = packer.write_all(bytes).and_then(|()| packer.finish());
    written.expect("memory takes every byte")
}
