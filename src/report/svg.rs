//! Pictures as SVG: shapes, text, and the colours of differences.
//!
//! Nobody measures text for a page that any system draws with its own font. Widths are those of
//! wide system fonts, so a text is rather narrower than it is taken for.
//!
//! The colours of differences between score and expectation run from orange over grey to blue,
//! which people who do not see red and green apart can distinguish. They are named by classes of
//! the style sheet: `s-4` to `s4`.

use std::mem;

use unicode_width::UnicodeWidthChar;

use super::html::{Attributes, Html};
use crate::chess::{Color, Fen, PositionKey, UciMove};
use crate::diagram::{Diagram, Mark, Theme};
use crate::stats::{Estimate, Figures, Spread, shrink};

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
    /// The screens of a picture that is too wide for a telephone.
    pub(super) const BOTH: &[Self] = &[Self::Wide, Self::Narrow];

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

#[derive(Debug, Clone, Copy)]
pub(super) struct Rect {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

#[derive(Debug, Default)]
pub(super) struct Drawing {
    html: Html,
    /// Whether shapes say what they are where a pointer rests on them; a telephone has none.
    pub(super) has_tips: bool,
}

/// Writes a figure whose table has the numbers.
pub(super) fn figure(
    html: &mut Html,
    title: &str,
    screens: &[Screen],
    draw: impl Fn(&mut Drawing, Screen) -> f64,
) {
    let title = format!("{title}; the table has the numbers");
    html.element("figure", &[], |html| pictures(html, &title, screens, draw));
}

/// Writes a picture for each of these screens; `draw` returns its height. Readers of screens hear
/// its title.
pub(super) fn pictures(
    html: &mut Html,
    title: &str,
    screens: &[Screen],
    draw: impl Fn(&mut Drawing, Screen) -> f64,
) {
    for screen in screens.iter().copied() {
        let mut drawing = Drawing { has_tips: screen != Screen::Narrow, ..Drawing::default() };
        let height = draw(&mut drawing, screen);
        let view = format!("0 0 {} {}", unit(screen.width()), unit(height));
        let attributes = [("class", screen.class()), ("viewBox", &*view), ("role", "img")];
        html.element("svg", &attributes, |html| {
            html.leaf("title", &[], title);
            html.append(&drawing.html);
        });
        html.end_line();
    }
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

    pub(super) fn dot(&mut self, x: f64, y: f64, radius: f64, class: &str, tip: &str) {
        let (x, y, radius) = (unit(x), unit(y), unit(radius));
        self.shape("circle", &[("class", class), ("cx", &x), ("cy", &y), ("r", &radius)], tip);
    }

    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str) {
        let mut path = Path::default();
        path.move_to(from);
        path.line_to(to);
        self.path(&path, class, "");
    }

    /// Lines over a rectangle: one as thick as it is high, of which the style sheet leaves dashes.
    /// As paths of their own, those of a map would take a third of a page.
    pub(super) fn hatching(&mut self, rect: Rect) {
        let (mut path, middle) = (Path::default(), rect.y + rect.height / 2.0);
        path.move_to((rect.x, middle));
        path.line_to((rect.x + rect.width, middle));
        let height = unit(rect.height);
        self.shape("path", &[("class", "hatch"), ("d", &path.0), ("stroke-width", &height)], "");
    }

    pub(super) fn path(&mut self, path: &Path, class: &str, tip: &str) {
        self.shape("path", &[("class", class), ("d", &path.0)], tip);
    }

    /// Text of one line, with its baseline at `y`.
    pub(super) fn text(&mut self, x: f64, y: f64, anchor: Anchor, class: &str, text: &str) {
        let (x, y) = (unit(x), unit(y));
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => "m",
            Anchor::End => "e",
        };
        let classes = format!("{anchor} {class}");
        let all = [("x", &*x), ("y", &*y), ("class", classes.trim())];
        let attributes = if classes == " " { &all[..2] } else { &all };
        self.html.leaf("text", attributes, text);
    }

    /// As much of a text as there is room for; nothing if that would say too little.
    pub(super) fn text_within(&mut self, x: f64, y: f64, room: f64, class: &str, text: &str) {
        if let Some(text) = fit(text, room) {
            self.text(x, y, Anchor::Start, class, &text);
        }
    }

    /// Text with its middle at `x`, kept within the picture.
    pub(super) fn text_near(&mut self, x: f64, y: f64, limit: f64, class: &str, text: &str) {
        let half = width(text) / 2.0;
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
        self.within("g", ("class", class), draw);
    }

    /// Shapes that lead somewhere, or only shapes.
    pub(super) fn linked(&mut self, link: Option<&str>, draw: impl FnOnce(&mut Self)) {
        match link {
            Some(link) => self.within("a", ("href", link), draw),
            None => draw(self),
        }
    }

    fn within(&mut self, tag: &str, attribute: (&str, &str), draw: impl FnOnce(&mut Self)) {
        let has_tips = self.has_tips;
        self.html.element(tag, &[attribute], |html| {
            let mut inner = Self { html: mem::take(html), has_tips };
            draw(&mut inner);
            *html = inner.html;
        });
    }

    fn shape(&mut self, tag: &str, attributes: Attributes<'_>, tip: &str) {
        match tip {
            _ if !self.has_tips => self.html.void(tag, attributes),
            "" => self.html.void(tag, attributes),
            _ => self.html.element(tag, attributes, |html| html.leaf("title", &[], tip)),
        }
    }
}

/// Lines and curves, as they are written.
#[derive(Debug, Default)]
pub(super) struct Path(String);

impl Path {
    pub(super) fn move_to(&mut self, (x, y): (f64, f64)) {
        self.command('M', &[x, y]);
    }

    pub(super) fn line_to(&mut self, (x, y): (f64, f64)) {
        self.command('L', &[x, y]);
    }

    /// A curve that leaves and arrives level.
    pub(super) fn curve_to(&mut self, (from_x, from_y): (f64, f64), (x, y): (f64, f64)) {
        let middle = (from_x + x) / 2.0;
        self.command('C', &[middle, from_y, middle, y, x, y]);
    }

    /// A straight line to where it began.
    pub(super) fn close(&mut self) {
        self.0.push('Z');
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn command(&mut self, letter: char, numbers: &[f64]) {
        self.0.push(letter);
        for (place, number) in numbers.iter().enumerate() {
            if place > 0 {
                self.0.push(' ');
            }
            self.0.push_str(&unit(*number));
        }
    }
}

/// The limits of a scale on which these shares have room, and those from 45 to 55 %: whole tens of
/// percents.
pub(super) fn whole_tens(shares: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) =
        shares.fold((0.45, 0.55), |(low, high), x| (f64::min(low, x), f64::max(high, x)));
    ((low * 10.0).floor() / 10.0, (high * 10.0).ceil() / 10.0)
}

/// A number of units with one place at most.
pub(super) fn unit(value: f64) -> String {
    let tenths = (value * 10.0).round() as i64;
    let (sign, size) = (if tenths < 0 { "-" } else { "" }, tenths.unsigned_abs());
    match size % 10 {
        0 => format!("{sign}{}", size / 10),
        tenth => format!("{sign}{}.{tenth}", size / 10),
    }
}

/// The width of a character, as a part of the size of the font.
fn char_width(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '\'' | '|' | '.' | ',' | ':' | ';' | '!' | 'I' => 0.32,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '/' | '-' | ' ' | '\u{a0}' => 0.4,
        'm' | 'w' | 'M' | 'W' | '%' | '@' | '…' => 0.95,
        'A'..='Z' => 0.74,
        '0'..='9' | 'a'..='z' => 0.6,
        _ => match c.width() {
            Some(0) | None => 0.0,
            Some(1) => 0.75,
            Some(_) => 1.1,
        },
    }
}

/// The width of a text; it is rather less.
pub(super) fn width(text: &str) -> f64 {
    text.chars().map(char_width).sum::<f64>() * LETTERS
}

/// As much of a text as fits; `None` if that would say too little.
pub(super) fn fit(text: &str, room: f64) -> Option<String> {
    /// A text is not cut to fewer characters.
    const LEAST: usize = 4;
    if width(text) <= room {
        return Some(text.to_owned());
    }
    let mut rest = room - width("…");
    let mut kept = String::new();
    for c in text.chars() {
        rest -= char_width(c) * LETTERS;
        if rest < 0.0 {
            break;
        }
        kept.push(c);
    }
    let kept = kept.trim_end_matches([' ', ',', ':', '-']);
    (kept.chars().count() >= LEAST).then(|| format!("{kept}…"))
}

/// With fewer rated games, a difference has no colour.
pub(super) const ENOUGH: u64 = 20;

/// The steps of the scale, in percentage points.
const STEPS: [f64; 4] = [1.0, 3.0, 6.0, 10.0];

/// What the colours of some differences are measured by: how far they are from the level of all
/// games, less what is luck.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shades {
    /// The difference of all games.
    level: f64,
    /// The spread of the true differences, as a variance.
    spread: f64,
}

impl Shades {
    /// The shades of a picture that divides all games into these parts.
    pub(super) fn new<'f>(level: f64, parts: impl Iterator<Item = &'f Figures>) -> Self {
        let known = parts.filter_map(estimate).map(|(_, estimate)| estimate);
        let mut spread = Spread::default();
        spread.add(&known.collect::<Vec<_>>());
        Self { level, spread: spread.variance() }
    }

    /// The class of a difference; `None` with too few rated games.
    pub(super) fn of(self, figures: &Figures) -> Option<&'static str> {
        let (games, found) = estimate(figures)?;
        let found = Estimate { value: found.value - self.level, ..found };
        (games >= ENOUGH).then(|| class(100.0 * shrink(found, 0.0, self.spread)))
    }
}

/// A difference with its rated games, unless they say nothing.
fn estimate(figures: &Figures) -> Option<(u64, Estimate)> {
    let found = figures.difference.as_ref().filter(|found| found.variance > 0.0)?;
    Some((found.games, Estimate { value: found.value, variance: found.variance }))
}

fn class(points: f64) -> &'static str {
    let steps = STEPS.iter().filter(|step| points.abs() >= **step).count();
    let (below, above) = (["s0", "s-1", "s-2", "s-3", "s-4"], ["s0", "s1", "s2", "s3", "s4"]);
    if points < 0.0 { below[steps] } else { above[steps] }
}

/// What follows a name beside the colour of a class, which not everybody can tell from others.
pub(super) fn sign(class: Option<&str>) -> &'static str {
    match class {
        None | Some("s0") => "",
        Some(below) if below.starts_with("s-") => " \u{2212}",
        Some(_) => " +",
    }
}

/// The classes from the lowest to the highest, and what each is for.
pub(super) fn legend() -> Vec<(&'static str, String)> {
    let [a, b, c, d] = STEPS;
    let minus = '\u{2212}';
    vec![
        ("s-4", format!("below {minus}{d}")),
        ("s-3", format!("{minus}{d} to {minus}{c}")),
        ("s-2", format!("{minus}{c} to {minus}{b}")),
        ("s-1", format!("{minus}{b} to {minus}{a}")),
        ("s0", format!("{minus}{a} to +{a}")),
        ("s1", format!("+{a} to +{b}")),
        ("s2", format!("+{b} to +{c}")),
        ("s3", format!("+{c} to +{d}")),
        ("s4", format!("above +{d}")),
    ]
}

/// A position, seen from a side, with the squares of the last move marked.
pub(super) fn diagram_of(key: &PositionKey, bottom: Color, last: Option<&UciMove>) -> String {
    let mut diagram = Diagram::new(Fen::from(key));
    diagram.bottom = bottom;
    if let Some(last) = last {
        let marks = [last.from(), last.to()].map(|square| Mark { square, paint: None });
        diagram.marks = marks.into();
    }
    diagram.to_svg(&Theme::default())
}

/// A picture as the address of an image, so that the style of the page does not change it.
pub(super) fn image(svg: &str) -> String {
    let plain = svg.replace('%', "%25").replace('#', "%23").replace('"', "%22").replace('\n', "");
    format!("data:image/svg+xml,{plain}")
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
        for tenths in [-1_234_567_i64, -1001, -100, -99, -1, 9, 10, 99, 100, 9605, 10_000, 99_999] {
            let written: f64 = unit(tenths as f64 / 10.0).parse().unwrap();
            assert!((written - tenths as f64 / 10.0).abs() < 1e-9, "{tenths}");
        }
    }

    #[test]
    fn paths_are_letters_and_numbers() {
        let mut path = Path::default();
        assert!(path.is_empty());
        path.move_to((0.0, 1.5));
        path.curve_to((0.0, 1.5), (10.0, -2.0));
        path.line_to((3.0, 4.04));
        path.close();
        assert_eq!(path.0, "M0 1.5C5 1.5 5 -2 10 -2L3 4Z");
    }

    #[test]
    fn text_is_cut_where_it_does_not_fit() {
        assert_eq!(fit("Sicilian", 120.0).as_deref(), Some("Sicilian"));
        assert_eq!(fit("Sicilian Defense", 66.0).as_deref(), Some("Sicilian…"));
        assert_eq!(fit("Sicilian Defense", 24.0), None);
        assert_eq!(fit("e4", 18.0).as_deref(), Some("e4"));
        for room in 0..200 {
            let cut = fit("Queen's Gambit Declined: 東京", f64::from(room));
            assert!(cut.is_none_or(|text| width(&text) <= f64::from(room)), "{room}");
        }
    }

    #[test]
    fn steps_are_alike_in_both_directions() {
        for (points, expected) in [
            (0.0, "s0"),
            (-0.99, "s0"),
            (1.0, "s1"),
            (-5.9, "s-2"),
            (6.0, "s3"),
            (-50.0, "s-4"),
            (10.0, "s4"),
        ] {
            assert_eq!(class(points), expected, "{points}");
        }
    }
}
