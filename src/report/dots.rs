//! Scores as dots with intervals, won, drawn and lost games as bars, and lengths of games as
//! histograms.

use super::html::{count, games, points, round_percent, with_sign};
use super::svg::{Anchor, Drawing, Rect, Screen, whole_tens, width};
use crate::stats::{Bin, Figures, Slice, Subject};

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

/// Draws scores, each with where it leads, and returns the height.
pub(super) fn dots(
    drawing: &mut Drawing,
    rows: &[Slice],
    link: &dyn Fn(&str) -> Option<String>,
    subject: Subject,
    screen: Screen,
) -> f64 {
    let columns = Columns::new(screen);
    let height = HEAD + columns.height * rows.len() as f64;
    let scale = Scale::new(rows, columns.scale);
    scale.draw(drawing, height);
    head(drawing, &columns, subject);
    for (place, row) in rows.iter().enumerate() {
        let y = HEAD + columns.height * place as f64;
        let link = link(&row.label);
        drawing.linked(link.as_deref(), |drawing| {
            draw_row(drawing, &columns, &scale, row, y, subject);
        });
    }
    height + 4.0
}

fn head(drawing: &mut Drawing, columns: &Columns, subject: Subject) {
    let (_, right) = columns.bar;
    let title = subject.results().join(" · ");
    // It may be wider than the bars: beside it stands only the head of the scores.
    drawing.text(right, 12.0, Anchor::End, "q", &title);
    drawing.text(columns.scale.0, 12.0, Anchor::Start, "q", "score");
    if !columns.is_stacked {
        drawing.text(columns.games, 12.0, Anchor::End, "q", "games");
    }
}

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
            Some([interval.low, interval.high, expected])
        };
        let values = rows.iter().filter_map(|row| shown(&row.figures)).flatten();
        let (low, high) = whole_tens(values);
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
        let text = tip(drawing, label, figures);
        drawing.dot(scale.x(score), middle, 4.5, "score", &text);
    }
    bar(drawing, figures, columns.bar, middle, subject);
}

/// What a pointer shows, if a drawing has that.
pub(super) fn tip(drawing: &Drawing, label: &str, figures: &Figures) -> String {
    if !drawing.has_tips {
        return String::new();
    }
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
    for ((part, name), class) in parts.into_iter().zip(subject.results()).zip(["w", "d", "l"]) {
        let share = part as f64 / all as f64;
        let wide = share * (right - left);
        let rect = Rect { x, y: middle - 7.0, width: wide, height: 14.0 };
        let text = round_percent(share);
        if part > 0 {
            drawing.group(class, |drawing| {
                drawing.rect(rect, "", &format!("{name}: {} ({text})", count(part)));
                if width(&text) + 4.0 <= wide {
                    drawing.text(x + wide / 2.0, middle + 4.0, Anchor::Middle, "", &text);
                }
            });
        }
        x += wide;
    }
}

/// Games of which the lengths are near to each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bar {
    /// The first ply.
    pub(super) from: u64,
    /// The last ply; `None` for all above.
    pub(super) to: Option<u64>,
    pub(super) games: u64,
}

impl Bar {
    /// The plies of the bar, in words.
    pub(super) fn plies(&self) -> String {
        match self.to {
            Some(to) if to == self.from => to.to_string(),
            Some(to) => format!("{} to {to}", self.from),
            None => format!("{} and more", self.from),
        }
    }
}

/// Bins in bars of a width; the longest two percent of the games share the last one.
pub(super) fn bars(bins: &[Bin], width: u64) -> Vec<Bar> {
    let all: u64 = bins.iter().map(|bin| bin.games).sum();
    let mut sum = 0;
    let end = bins.iter().find(|bin| {
        sum += bin.games;
        sum * 50 >= all * 49
    });
    let Some(end) = end.map(|bin| bin.plies / width) else { return Vec::new() };
    let mut bars: Vec<Bar> = (0..=end)
        .map(|place| Bar { from: place * width, to: Some((place + 1) * width - 1), games: 0 })
        .collect();
    let mut above = Bar { from: (end + 1) * width, to: None, games: 0 };
    for bin in bins {
        let bar = bars.get_mut((bin.plies / width) as usize).unwrap_or(&mut above);
        bar.games += bin.games;
    }
    if above.games > 0 {
        bars.push(above);
    }
    bars
}

/// Draws bars with the median marked, and returns the height.
pub(super) fn histogram(
    drawing: &mut Drawing,
    bars: &[Bar],
    median: Option<f64>,
    screen: Screen,
) -> f64 {
    const HEIGHT: f64 = 200.0;
    let area = Rect { x: 0.0, y: 22.0, width: screen.width(), height: HEIGHT - 46.0 };
    let bottom = area.y + area.height;
    let most = bars.iter().map(|bar| bar.games).max().unwrap_or(0).max(1);
    let all: u64 = bars.iter().map(|bar| bar.games).sum();
    let step = area.width / bars.len().max(1) as f64;
    for (place, bar) in bars.iter().enumerate() {
        let height = area.height * bar.games as f64 / most as f64;
        let x = place as f64 * step;
        let rect = Rect { x: x + 0.5, y: bottom - height, width: step - 1.0, height };
        let class = if bar.to.is_some() { "bar" } else { "more" };
        let share = round_percent(bar.games as f64 / all.max(1) as f64);
        let tip = format!("{} plies: {} ({share})", bar.plies(), games(bar.games));
        drawing.rect(rect, class, &tip);
    }
    drawing.line((0.0, bottom), (area.width, bottom), "axis");
    labels(drawing, bars, step, bottom + 16.0);
    if let (Some(median), Some(first)) = (median, bars.first()) {
        let plies = first.to.map_or(1, |to| to - first.from + 1) as f64;
        let x = ((median + 0.5) / plies * step).min(area.width);
        drawing.line((x, area.y - 4.0), (x, bottom), "expected");
        drawing.text_near(x, 11.0, area.width, "q", &format!("median {median}"));
    }
    HEIGHT
}

/// Where bars begin, as often as there is room.
fn labels(drawing: &mut Drawing, bars: &[Bar], step: f64, y: f64) {
    let widest = bars.iter().map(|bar| width(&bar.from.to_string())).fold(0.0, f64::max);
    let every =
        [1, 2, 5, 10, 20, 50].into_iter().find(|every| *every as f64 * step > widest + 14.0);
    for (place, bar) in bars.iter().enumerate().step_by(every.unwrap_or(100)) {
        let x = place as f64 * step;
        let text = bar.from.to_string();
        let right = bars.len() as f64 * step;
        if x + width(&text) <= right {
            drawing.text(x, y, Anchor::Start, "q", &text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_hold_all_games() {
        let bins: Vec<Bin> = (0..300).map(|plies| Bin { plies, games: plies % 7 + 1 }).collect();
        let all: u64 = bins.iter().map(|bin| bin.games).sum();
        for width in [1, 10] {
            let bars = bars(&bins, width);
            assert_eq!(bars.iter().map(|bar| bar.games).sum::<u64>(), all);
            let ends = bars.windows(2).all(|pair| pair[0].to == Some(pair[1].from - 1));
            assert!(ends);
            // Two percent are some six plies: several bars of one ply, and none of ten.
            assert_eq!(bars.last().is_some_and(|bar| bar.to.is_none()), width == 1);
        }
    }

    #[test]
    fn bars_are_in_words() {
        let bar = |from, to| Bar { from, to, games: 1 };
        assert_eq!(bar(7, Some(7)).plies(), "7");
        assert_eq!(bar(0, Some(9)).plies(), "0 to 9");
        assert_eq!(bar(90, None).plies(), "90 and more");
        assert!(bars(&[], 10).is_empty());
    }
}
