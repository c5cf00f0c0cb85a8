//! Pictures as SVG.

use super::{
    html::{Attributes, Html},
    letters::{fit, width},
};

/// The size of letters, in the units of a picture.
pub(super) const LETTERS: f64 = 12.0;

/// For which screens a picture is drawn. Its letters have the same size on all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Screen {
    /// A desk, and paper.
    Wide,
    /// A telephone.
    Narrow,
    /// Half of a desk, or a telephone.
    Half,
}

impl Screen {
    /// The width of pictures.
    pub(super) fn width(self) -> f64 {
        match self {
            Self::Wide => 960.0,
            Self::Narrow => 360.0,
            Self::Half => 400.0,
        }
    }

    fn class(self) -> &'static str {
        match self {
            Self::Wide => "wide",
            Self::Narrow => "narrow",
            Self::Half => "half",
        }
    }
}

/// On which side of its place a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A rectangle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rect {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// What is drawn so far.
#[derive(Debug, Default)]
pub(super) struct Drawing {
    html: Html,
    /// Whether shapes say what they are where a pointer rests on them; a telephone has none.
    has_tips: bool,
}

/// Writes a picture of a height. Readers of screens hear its title.
pub(super) fn picture(
    html: &mut Html,
    title: &str,
    screen: Screen,
    draw: impl FnOnce(&mut Drawing) -> f64,
) {
    let mut drawing = Drawing { has_tips: screen != Screen::Narrow, ..Drawing::default() };
    let height = draw(&mut drawing);
    let view = format!("0 0 {} {}", unit(screen.width()), unit(height));
    let attributes = [("class", screen.class()), ("viewBox", &*view), ("role", "img")];
    html.element("svg", &attributes, |html| {
        html.leaf("title", &[], title);
        html.append(&drawing.html);
    });
    html.end_line();
}

impl Drawing {
    /// A rectangle; `tip` appears where a pointer rests on it.
    pub(super) fn rect(&mut self, rect: Rect, class: &str, tip: &str) {
        let (x, y) = (unit(rect.x), unit(rect.y));
        let (width, height) = (unit(rect.width.max(0.0)), unit(rect.height.max(0.0)));
        let all =
            [("class", class), ("x", &*x), ("y", &*y), ("width", &*width), ("height", &*height)];
        let attributes = if class.is_empty() { &all[1..] } else { &all };
        self.shape("rect", attributes, tip);
    }

    /// A round dot.
    pub(super) fn dot(&mut self, x: f64, y: f64, radius: f64, class: &str, tip: &str) {
        let (x, y, radius) = (unit(x), unit(y), unit(radius));
        self.shape("circle", &[("class", class), ("cx", &x), ("cy", &y), ("r", &radius)], tip);
    }

    /// A straight line.
    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str) {
        self.path(&format!("{}{}", move_to(from), line_to(to)), class, "");
    }

    /// A path of [`move_to`], [`line_to`] and [`curve_to`].
    pub(super) fn path(&mut self, path: &str, class: &str, tip: &str) {
        self.shape("path", &[("class", class), ("d", path)], tip);
    }

    /// Text of one line, with its baseline at `y`.
    pub(super) fn text(&mut self, x: f64, y: f64, anchor: Anchor, class: &str, text: &str) {
        let (x, y) = (unit(x), unit(y));
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => "m",
            Anchor::End => "e",
        };
        let class = [anchor, class].into_iter().filter(|class| !class.is_empty());
        let class = class.collect::<Vec<_>>().join(" ");
        let mut attributes = vec![("x", &*x), ("y", &*y)];
        if !class.is_empty() {
            attributes.push(("class", &class));
        }
        self.html.leaf("text", &attributes, text);
    }

    /// As much of a text as there is room for; nothing if that would say too little.
    pub(super) fn text_within(&mut self, x: f64, y: f64, room: f64, class: &str, text: &str) {
        if let Some(text) = fit(text, LETTERS, room) {
            self.text(x, y, Anchor::Start, class, &text);
        }
    }

    /// Text with its middle at `x`, kept within the picture.
    pub(super) fn text_near(&mut self, x: f64, y: f64, limit: f64, class: &str, text: &str) {
        let half = width(text, LETTERS) / 2.0;
        let x = x.min(limit - half).max(half);
        self.text(x, y, Anchor::Middle, class, text);
    }

    /// Another drawing for the same screen.
    pub(super) fn beside(&self) -> Self {
        Self { has_tips: self.has_tips, ..Self::default() }
    }

    /// What another drawing has, above all that is drawn so far.
    pub(super) fn append(&mut self, other: &Self) {
        self.html.append(&other.html);
    }

    /// Several shapes that have a class together.
    pub(super) fn group(&mut self, class: &str, draw: impl FnOnce(&mut Self)) {
        let mut inner = self.beside();
        draw(&mut inner);
        self.html.element("g", &[("class", class)], |html| html.append(&inner.html));
    }

    fn shape(&mut self, tag: &str, attributes: Attributes<'_>, tip: &str) {
        match tip {
            _ if !self.has_tips => self.html.void(tag, attributes),
            "" => self.html.void(tag, attributes),
            _ => self.html.element(tag, attributes, |html| html.leaf("title", &[], tip)),
        }
    }
}

/// A number of units with one place at most.
pub(super) fn unit(value: f64) -> String {
    let tenths = (value * 10.0).round() as i64;
    let sign = if tenths < 0 { "-" } else { "" };
    match (tenths.abs() / 10, tenths.abs() % 10) {
        (units, 0) => format!("{sign}{units}"),
        (units, tenth) => format!("{sign}{units}.{tenth}"),
    }
}

/// The beginning of a path.
pub(super) fn move_to((x, y): (f64, f64)) -> String {
    format!("M{} {}", unit(x), unit(y))
}

/// A straight line of a path.
pub(super) fn line_to((x, y): (f64, f64)) -> String {
    format!("L{} {}", unit(x), unit(y))
}

/// A curve of a path that leaves and arrives level.
pub(super) fn curve_to((from_x, from_y): (f64, f64), (x, y): (f64, f64)) -> String {
    let middle = unit((from_x + x) / 2.0);
    format!("C{middle} {} {middle} {} {} {}", unit(from_y), unit(y), unit(x), unit(y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (value, text) in
            [(0.0, "0"), (-0.01, "0"), (1.25, "1.3"), (12.0, "12"), (-3.04, "-3"), (0.05, "0.1")]
        {
            assert_eq!(unit(value), text, "{value}");
        }
    }
}
