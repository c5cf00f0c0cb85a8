//! What changed over time: the popularity of families, and score against expectation.

use super::html::{count, decimal, round_percent};
use super::links::Links;
use super::svg::{Anchor, Drawing, Path, Rect, Screen, fit, whole_tens, width};
use crate::stats::Slice;

/// Periods with fewer games are not drawn, unless all have few.
const ENOUGH: u64 = 20;

/// Periods with fewer games are not drawn.
fn enough(periods: &[Slice]) -> u64 {
    let most = periods.iter().map(|period| period.figures.games).max().unwrap_or(0);
    ENOUGH.min(most).max(1)
}

/// Which periods have enough games to be drawn.
fn are_drawn(periods: &[Slice]) -> Vec<bool> {
    let enough = enough(periods);
    periods.iter().map(|period| period.figures.games >= enough).collect()
}

/// Says how many periods are not drawn, and how many have no games.
pub(super) fn gaps(periods: &[Slice], noun: &str) -> String {
    let enough = enough(periods);
    let count = |games: std::ops::Range<u64>| {
        periods.iter().filter(|period| games.contains(&period.figures.games)).count()
    };
    let few = match count(1..enough) {
        0 => String::new(),
        1 => format!(" One {noun} with fewer than {enough} games is not drawn."),
        more => format!(" {more} {noun}s with fewer than {enough} games are not drawn."),
    };
    match count(0..1) {
        0 => few,
        1 => format!("{few} One {noun} has no games."),
        more => format!("{few} {more} {noun}s have no games."),
    }
}

/// A rectangle in which values are drawn over time.
struct Panel {
    area: Rect,
    periods: usize,
    low: f64,
    high: f64,
}

impl Panel {
    fn x(&self, period: usize) -> f64 {
        let share = match self.periods {
            0 | 1 => 0.5,
            periods => period as f64 / (periods - 1) as f64,
        };
        self.area.x + share * self.area.width
    }

    fn y(&self, value: f64) -> f64 {
        let share = (value - self.low) / (self.high - self.low);
        self.area.y + self.area.height * (1.0 - share.clamp(0.0, 1.0))
    }

    fn bottom(&self) -> f64 {
        self.area.y + self.area.height
    }

    /// A line through values; a value without neighbours is a dot.
    fn line(&self, drawing: &mut Drawing, values: &[Option<f64>], class: &str) {
        let mut path = Path::default();
        for run in runs(values) {
            if let [(period, value)] = run[..] {
                drawing.dot(self.x(period), self.y(value), 2.0, class, "");
            } else {
                path.move_to(self.point(run[0]));
                run[1..].iter().for_each(|value| path.line_to(self.point(*value)));
            }
        }
        if !path.is_empty() {
            drawing.path(&path, class, "");
        }
    }

    /// A band between two lines.
    fn band(&self, drawing: &mut Drawing, low: &[Option<f64>], high: &[Option<f64>], class: &str) {
        let mut path = Path::default();
        for (low, high) in runs(low).into_iter().zip(runs(high)) {
            path.move_to(self.point(low[0]));
            low[1..].iter().for_each(|value| path.line_to(self.point(*value)));
            high.iter().rev().for_each(|value| path.line_to(self.point(*value)));
            path.close();
        }
        if !path.is_empty() {
            drawing.path(&path, class, "");
        }
    }

    fn point(&self, (period, value): (usize, f64)) -> (f64, f64) {
        (self.x(period), self.y(value))
    }

    /// The first and the last period, below, and round ones between them as far as there is room.
    fn scale(&self, drawing: &mut Drawing, periods: &[Slice]) {
        let y = self.bottom() + 16.0;
        let right = self.area.x + self.area.width;
        let (first, last) = match periods {
            [] => return,
            [only] => return drawing.text(self.x(0), y, Anchor::Middle, "q", &only.label),
            [first, .., last] => (first, last),
        };
        drawing.text(self.area.x, y, Anchor::Start, "q", &first.label);
        drawing.text(right, y, Anchor::End, "q", &last.label);
        let label_width = width(&first.label);
        let room = label_width + LABEL_GAP;
        let per_period = self.area.width / (periods.len() - 1) as f64;
        let beside = 1.5 * label_width + LABEL_GAP;
        let free = self.area.x + beside..=right - beside;
        for place in round_periods(periods, room / per_period) {
            let x = self.x(place);
            if free.contains(&x) {
                drawing.line((x, self.bottom()), (x, self.bottom() + 4.0), "axis");
                drawing.text(x, y, Anchor::Middle, "q", &periods[place].label);
            }
        }
    }
}

/// The space between two labels of a scale.
const LABEL_GAP: f64 = 10.0;

/// The places of round years, or of the months of a year that are as far from each other, where
/// one is at least `apart` periods after the other.
fn round_periods(periods: &[Slice], apart: f64) -> Vec<usize> {
    let numbers: Vec<u32> = periods.iter().map(|period| number(&period.label)).collect();
    let are_months = periods.first().is_some_and(|period| period.label.contains('-'));
    let steps: &[u32] = match are_months {
        true => &[1, 2, 3, 6, 12, 24],
        false => &[1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000],
    };
    let Some(step) = steps.iter().find(|step| f64::from(**step) >= apart) else {
        return Vec::new();
    };
    (0..periods.len()).filter(|place| numbers[*place].is_multiple_of(*step)).collect()
}

/// The number of a year, or of a month counted from the year 0.
fn number(label: &str) -> u32 {
    let (year, month) = label.split_once('-').unwrap_or((label, ""));
    let year: u32 = year.parse().unwrap_or(0);
    match month.parse::<u32>() {
        Ok(month) => 12 * year + month - 1,
        Err(_) => year,
    }
}

/// Values that follow each other without gaps, with their places. No run is empty.
fn runs(values: &[Option<f64>]) -> Vec<Vec<(usize, f64)>> {
    let mut runs: Vec<Vec<(usize, f64)>> = Vec::new();
    let mut is_open = false;
    for (place, value) in values.iter().enumerate() {
        match value {
            None => is_open = false,
            Some(value) => {
                if !is_open {
                    runs.push(Vec::new());
                    is_open = true;
                }
                runs.last_mut().expect("one was opened").push((place, *value));
            }
        }
    }
    runs
}

/// Values over time with their name.
pub(super) type Series<'p> = (&'p str, &'p [Option<f64>]);

/// Draws values over time on one scale, from 0 or from a hundred on, each in a panel, and returns
/// the height.
pub(super) fn panels(
    drawing: &mut Drawing,
    series: &[Series<'_>],
    periods: &[Slice],
    screen: Screen,
) -> f64 {
    let (across, gap, height) = match screen {
        Screen::Narrow => (2, 20.0, 142.0),
        _ => (4, 32.0, 160.0),
    };
    let drawn = are_drawn(periods);
    let values = |(_, values): &Series<'_>| -> Vec<Option<f64>> {
        let values = values.iter().zip(&drawn);
        values.map(|(value, is_drawn)| value.filter(|_| *is_drawn)).collect()
    };
    let all: Vec<Vec<Option<f64>>> = series.iter().map(values).collect();
    let shown = || all.iter().flatten().flatten().copied();
    let (least, most) = (shown().fold(f64::INFINITY, f64::min), shown().fold(0.0, f64::max));
    let (low, high) = match least >= MANY && most > least {
        true => ((least / 100.0).floor() * 100.0, (most / 100.0).ceil() * 100.0),
        false => (0.0, round_up(most)),
    };
    let wide = (screen.width() - gap * (across - 1) as f64) / across as f64;
    for (place, ((name, _), values)) in series.iter().zip(&all).enumerate() {
        let (column, row) = (place % across, place / across);
        let (x, y) = (column as f64 * (wide + gap), row as f64 * height);
        let area = Rect { x, y: y + 24.0, width: wide, height: height - 68.0 };
        let panel = Panel { area, periods: periods.len(), low, high };
        let name = fit(name, wide / 1.08).unwrap_or_default();
        drawing.text(x, y + 12.0, Anchor::Start, "strong", &name);
        drawing.line((x, area.y), (x + wide, area.y), "grid");
        drawing.line((x, panel.bottom()), (x + wide, panel.bottom()), "axis");
        let floor: Vec<Option<f64>> = values.iter().map(|value| value.map(|_| low)).collect();
        panel.band(drawing, &floor, values, "area");
        panel.line(drawing, values, "line");
        drawing.text(x + wide, area.y + 13.0, Anchor::End, "q", &decimal(high, 0));
        if low > 0.0 {
            let y = panel.bottom() - 4.0;
            drawing.text(x + wide, y, Anchor::End, "q", &decimal(low, 0));
        }
        panel.scale(drawing, periods);
    }
    height * series.len().div_ceil(across) as f64
}

/// Values that are all as great are drawn from a hundred on.
const MANY: f64 = 1000.0;

/// The next of 1, 2 and 5 with zeros after it.
fn round_up(value: f64) -> f64 {
    let mut unit = 1.0;
    while unit * 10.0 < value {
        unit *= 10.0;
    }
    [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0]
        .into_iter()
        .map(|step| step * unit)
        .find(|rounded| *rounded >= value)
        .unwrap_or(value)
}

/// Draws score and expectation, and returns the height.
pub(super) fn score(
    drawing: &mut Drawing,
    periods: &[Slice],
    links: Links<'_>,
    screen: Screen,
) -> f64 {
    let drawn = are_drawn(periods);
    let values = |value: fn(&Slice) -> Option<f64>| -> Vec<Option<f64>> {
        let values = periods.iter().zip(&drawn);
        values.map(|(period, is_drawn)| value(period).filter(|_| *is_drawn)).collect()
    };
    let score = values(|period| period.figures.score);
    let low = values(|period| period.figures.interval.map(|interval| interval.low));
    let high = values(|period| period.figures.interval.map(|interval| interval.high));
    let expected = values(|period| period.figures.difference.map(|found| found.expected));
    let values = [&low, &high, &expected].into_iter().flatten().flatten();
    let (floor, ceiling) = whole_tens(values.copied());
    let height = if screen == Screen::Narrow { 220.0 } else { 300.0 };
    let area = Rect { x: 46.0, y: 26.0, width: screen.width() - 50.0, height: height - 60.0 };
    let panel = Panel { area, periods: periods.len(), low: floor, high: ceiling };
    grid(drawing, &panel);
    panel.band(drawing, &low, &high, "band");
    panel.line(drawing, &expected, "dashed");
    panel.line(drawing, &score, "line");
    tips(drawing, &panel, periods, &drawn, links);
    panel.scale(drawing, periods);
    key(drawing, area.x);
    height
}

fn key(drawing: &mut Drawing, x: f64) {
    let y = 8.0;
    drawing.rect(Rect { x, y: y - 5.0, width: 22.0, height: 10.0 }, "band", "");
    drawing.line((x, y), (x + 22.0, y), "line");
    drawing.text(x + 28.0, y + 4.0, Anchor::Start, "q", "score, 95 % interval");
    drawing.line((x + 176.0, y), (x + 198.0, y), "dashed");
    drawing.text(x + 204.0, y + 4.0, Anchor::Start, "q", "expected");
}

fn grid(drawing: &mut Drawing, panel: &Panel) {
    let tens = ((panel.high - panel.low) * 10.0).round() as usize;
    let step = if tens > 6 { 2 } else { 1 };
    let first = (panel.low * 10.0).round() as usize;
    for ten in (first..=first + tens).filter(|ten| ten.is_multiple_of(step)) {
        let score = ten as f64 / 10.0;
        let (y, right) = (panel.y(score), panel.area.x + panel.area.width);
        let class = if ten == 5 { "half-line" } else { "grid" };
        drawing.line((panel.area.x, y), (right, y), class);
        drawing.text(panel.area.x - 6.0, y + 4.0, Anchor::End, "q", &round_percent(score));
    }
}

/// What a pointer shows: a period a column, which leads to its games.
fn tips(drawing: &mut Drawing, panel: &Panel, periods: &[Slice], drawn: &[bool], links: Links<'_>) {
    let width = panel.area.width / periods.len().max(2) as f64;
    for (place, period) in periods.iter().enumerate().filter(|(place, _)| drawn[*place]) {
        let rect = Rect { x: panel.x(place) - width / 2.0, width, ..panel.area };
        let link = links.to(&[("since", &period.label), ("until", &period.label)]);
        drawing.linked(link.as_deref(), |drawing| {
            let text = super::dots::tip(drawing, &period.label, &period.figures);
            drawing.rect(rect, "none", &text);
        });
    }
}

/// The rows of the table of values over time: a period with games each.
pub(super) fn rows(series: &[Series<'_>], periods: &[Slice], places: usize) -> Vec<Vec<String>> {
    let row = |(place, period): (usize, &Slice)| {
        let shares = series.iter().map(|(_, values)| {
            let value = values.get(place).copied().flatten();
            value.map_or(String::new(), |value| decimal(value, places))
        });
        [period.label.clone(), count(period.figures.games)].into_iter().chain(shares).collect()
    };
    let periods = periods.iter().enumerate().filter(|(_, period)| period.figures.games > 0);
    periods.map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Figures, Tally};

    #[test]
    fn scales_end_with_round_numbers() {
        for (value, rounded) in
            [(0.0, 1.0), (0.7, 1.0), (12.0, 20.0), (431.0, 500.0), (1000.0, 1000.0)]
        {
            assert_eq!(round_up(value), rounded, "{value}");
        }
    }

    #[test]
    fn scales_have_round_periods() {
        let slices = |labels: &[String]| -> Vec<Slice> {
            let figures = Figures::new(&Tally::default(), &Tally::default());
            labels.iter().map(|l| Slice { label: l.clone(), figures: figures.clone() }).collect()
        };
        let years: Vec<String> = (1957..=2026).map(|year| year.to_string()).collect();
        let months: Vec<String> =
            (2..38).map(|m| format!("{}-{:02}", 2020 + m / 12, m % 12 + 1)).collect();
        for (labels, apart, round) in [
            (&years, 20.0, &["1960", "1980", "2000", "2020"][..]),
            (&years, 26.0, &["2000"]),
            (&years, 4000.0, &[]),
            (&months, 6.5, &["2021-01", "2022-01", "2023-01"]),
        ] {
            let found = round_periods(&slices(labels), apart);
            let found: Vec<&str> = found.into_iter().map(|place| &*labels[place]).collect();
            assert_eq!(found, round, "{apart}");
        }
    }

    #[test]
    fn lines_are_broken_where_a_value_is_missing() {
        let found = runs(&[None, Some(1.0), Some(2.0), None, None, Some(3.0)]);
        assert_eq!(found, [vec![(1, 1.0), (2, 2.0)], vec![(5, 3.0)]]);
        assert!(runs(&[]).is_empty());
    }
}
