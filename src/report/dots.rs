//! Scores as dots with intervals, and won, drawn and lost games as bars.

use super::{
    letters::width,
    number::{count, games, points, round_percent, with_sign},
    svg::{Anchor, Drawing, LETTERS, Rect, Screen},
    table::outcomes,
};
use crate::stats::{Figures, Slice, Subject};

/// The room above the rows, for the scale.
const HEAD: f64 = 34.0;

/// Where the parts of a row are.
struct Columns {
    /// The height of a row.
    height: f64,
    /// The width of the label.
    label: f64,
    /// The right end of the number of games.
    games: f64,
    /// The left and right end of the scale.
    scale: (f64, f64),
    /// The left and right end of the bar.
    bar: (f64, f64),
    /// Whether the label has a line of its own.
    is_stacked: bool,
}

impl Columns {
    fn new(screen: Screen) -> Self {
        match screen {
            Screen::Wide => Self {
                height: 26.0,
                label: 330.0,
                games: 400.0,
                scale: (424.0, 700.0),
                bar: (728.0, 960.0),
                is_stacked: false,
            },
            Screen::Narrow => Self {
                height: 44.0,
                label: 290.0,
                games: 360.0,
                scale: (6.0, 204.0),
                bar: (224.0, 360.0),
                is_stacked: true,
            },
            Screen::Half => Self {
                height: 24.0,
                label: 106.0,
                games: 150.0,
                scale: (166.0, 288.0),
                bar: (304.0, 400.0),
                is_stacked: false,
            },
        }
    }
}

/// Draws rows, and returns the height.
pub(super) fn dots(drawing: &mut Drawing, rows: &[Slice], subject: Subject, screen: Screen) -> f64 {
    let columns = Columns::new(screen);
    let height = HEAD + columns.height * rows.len() as f64;
    let scale = Scale::new(rows, columns.scale);
    scale.draw(drawing, height);
    head(drawing, &columns, subject);
    for (place, row) in rows.iter().enumerate() {
        let y = HEAD + columns.height * place as f64;
        draw_row(drawing, &columns, &scale, row, y, subject);
    }
    height + 4.0
}

fn head(drawing: &mut Drawing, columns: &Columns, subject: Subject) {
    let (_, right) = columns.bar;
    let title = outcomes(subject).join(" · ");
    // It may be wider than the bars: beside it stands only the head of the scores.
    drawing.text(right, 12.0, Anchor::End, "q", &title);
    drawing.text(columns.scale.0, 12.0, Anchor::Start, "q", "score");
    if !columns.is_stacked {
        drawing.text(columns.games, 12.0, Anchor::End, "q", "games");
    }
}

/// The scale of scores.
struct Scale {
    low: f64,
    high: f64,
    left: f64,
    right: f64,
}

impl Scale {
    /// A scale on which all intervals of the rows have room.
    fn new(rows: &[Slice], (left, right): (f64, f64)) -> Self {
        let shown = |figures: &Figures| {
            let interval = figures.interval?;
            let expected = figures.difference.map_or(0.5, |found| found.expected);
            Some((interval.low.min(expected), interval.high.max(expected)))
        };
        let (mut low, mut high) = (0.45, 0.55);
        for (row_low, row_high) in rows.iter().filter_map(|row| shown(&row.figures)) {
            (low, high) = (f64::min(low, row_low), f64::max(high, row_high));
        }
        // Whole tens of percents.
        let (low, high) = ((low * 10.0).floor() / 10.0, (high * 10.0).ceil() / 10.0);
        Self { low, high, left, right }
    }

    fn x(&self, score: f64) -> f64 {
        let share = (score - self.low) / (self.high - self.low);
        self.left + share.clamp(0.0, 1.0) * (self.right - self.left)
    }

    fn draw(&self, drawing: &mut Drawing, height: f64) {
        let tens = ((self.high - self.low) * 10.0).round() as usize;
        let room = (self.right - self.left) / 34.0;
        let step = (1..=10).find(|step| tens as f64 / *step as f64 <= room).unwrap_or(10);
        let first = (self.low * 10.0).round() as usize;
        // One of them is 50.
        for ten in (first..=first + tens).filter(|ten| ten % step == 5 % step) {
            let score = ten as f64 / 10.0;
            let x = self.x(score);
            let class = if ten == 5 { "half-line" } else { "grid" };
            drawing.line((x, HEAD - 4.0), (x, height), class);
            let text = (ten * 10).to_string();
            drawing.text_near(x, HEAD - 8.0, f64::INFINITY, "q", &text);
        }
    }
}

fn draw_row(
    drawing: &mut Drawing,
    columns: &Columns,
    scale: &Scale,
    row: &Slice,
    y: f64,
    subject: Subject,
) {
    let figures = &row.figures;
    let (text_y, middle) = match columns.is_stacked {
        true => (y + 15.0, y + 30.0),
        false => (y + columns.height / 2.0 + 4.0, y + columns.height / 2.0),
    };
    let label = if row.label.trim().is_empty() { "?" } else { &row.label };
    drawing.text_within(0.0, text_y, columns.label, "", label);
    drawing.text(columns.games, text_y, Anchor::End, "q", &count(figures.games));
    if let (Some(score), Some(interval)) = (figures.score, figures.interval) {
        let (from, to) = (scale.x(interval.low), scale.x(interval.high));
        drawing.line((from, middle), (to, middle), "range");
        if let Some(found) = figures.difference {
            let x = scale.x(found.expected);
            drawing.line((x, middle - 7.0), (x, middle + 7.0), "expected");
        }
        drawing.dot(scale.x(score), middle, 4.5, "score", &tip(label, figures));
    }
    bar(drawing, figures, columns.bar, middle, subject);
}

/// What a pointer shows.
pub(super) fn tip(label: &str, figures: &Figures) -> String {
    let mut text = format!("{label}: {}", games(figures.games));
    if let (Some(score), Some(interval)) = (figures.score, figures.interval) {
        let (low, high) = (with_sign(interval.low), with_sign(interval.high));
        text += &format!(", score {} ({low} to {high})", with_sign(score));
    }
    if let Some(found) = &figures.difference {
        let (expected, difference) = (with_sign(found.expected), points(found.value));
        text += &format!(", expected {expected} in {} rated, diff {difference}", found.games);
    }
    text
}

/// A bar of won, drawn and lost games.
fn bar(
    drawing: &mut Drawing,
    figures: &Figures,
    (left, right): (f64, f64),
    middle: f64,
    subject: Subject,
) {
    let parts = [figures.won, figures.drawn, figures.lost];
    let all: u64 = parts.iter().sum();
    if all == 0 {
        return;
    }
    let mut x = left;
    for ((part, name), class) in parts.into_iter().zip(outcomes(subject)).zip(["w", "d", "l"]) {
        let share = part as f64 / all as f64;
        let wide = share * (right - left);
        let rect = Rect { x, y: middle - 7.0, width: wide, height: 14.0 };
        let text = round_percent(share);
        if part > 0 {
            drawing.group(class, |drawing| {
                drawing.rect(rect, "", &format!("{name}: {} ({text})", count(part)));
                if width(&text, LETTERS) + 4.0 <= wide {
                    drawing.text(x + wide / 2.0, middle + 4.0, Anchor::Middle, "", &text);
                }
            });
        }
        x += wide;
    }
}
