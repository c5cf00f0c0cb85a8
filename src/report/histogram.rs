//! Lengths of games and of the way through named positions, as histograms.

use super::{
    letters::width,
    number::{count, games, round_percent},
    svg::{Anchor, Drawing, LETTERS, Rect, Screen},
};
use crate::stats::Bin;

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
    let widest = bars.iter().map(|bar| width(&bar.from.to_string(), LETTERS)).fold(0.0, f64::max);
    let every =
        [1, 2, 5, 10, 20, 50].into_iter().find(|every| *every as f64 * step > widest + 14.0);
    for (place, bar) in bars.iter().enumerate().step_by(every.unwrap_or(100)) {
        let x = place as f64 * step;
        let text = bar.from.to_string();
        let right = bars.len() as f64 * step;
        if x + width(&text, LETTERS) <= right {
            drawing.text(x, y, Anchor::Start, "q", &text);
        }
    }
}

/// The rows of the table.
pub(super) fn rows(bars: &[Bar]) -> Vec<Vec<String>> {
    bars.iter().map(|bar| vec![bar.plies(), count(bar.games)]).collect()
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
