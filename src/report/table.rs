//! Tables, of which each picture has one.

use super::html::{Html, count, percent, points};
use crate::stats::{Figures, Subject};

/// A table: the first cell of each row says what the row is about.
#[derive(Debug, Default)]
pub(super) struct Table {
    caption: String,
    heads: Vec<String>,
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    /// How far what the row is about is within something else.
    depth: usize,
    cells: Vec<String>,
}

impl Table {
    pub(super) fn new(caption: &str, heads: &[&str]) -> Self {
        let heads = heads.iter().map(|head| (*head).to_owned()).collect();
        Self { caption: caption.to_owned(), heads, rows: Vec::new() }
    }

    pub(super) fn of_figures(caption: &str, head: &str, subject: Subject) -> Self {
        let [won, drawn, lost] = outcomes(subject);
        let heads = [
            head,
            "games",
            won,
            drawn,
            lost,
            "score",
            "low",
            "high",
            "rated",
            "expected",
            "diff",
            "low",
            "high",
            "performance",
        ];
        Self::new(caption, &heads)
    }

    pub(super) fn push(&mut self, cells: Vec<String>) {
        self.rows.push(Row { depth: 0, cells });
    }

    pub(super) fn push_figures(&mut self, label: &str, depth: usize, figures: &Figures) {
        let optional = |text: Option<String>| text.unwrap_or_default();
        let (interval, found) = (figures.interval.as_ref(), figures.difference.as_ref());
        let cells = vec![
            label.to_owned(),
            count(figures.games),
            count(figures.won),
            count(figures.drawn),
            count(figures.lost),
            optional(figures.score.map(percent)),
            optional(interval.map(|interval| percent(interval.low))),
            optional(interval.map(|interval| percent(interval.high))),
            count(figures.rated()),
            optional(found.map(|found| percent(found.expected))),
            optional(found.map(|found| points(found.value))),
            optional(found.map(|found| points(found.interval.low))),
            optional(found.map(|found| points(found.interval.high))),
            optional(figures.performance.map(|rating| rating.to_string())),
        ];
        self.rows.push(Row { depth, cells });
    }

    /// Adds a row that has only the first cells.
    pub(super) fn push_partial(&mut self, mut cells: Vec<String>, depth: usize) {
        cells.resize(self.heads.len(), String::new());
        self.rows.push(Row { depth, cells });
    }

    /// Writes the table, folded away.
    pub(super) fn write(&self, html: &mut Html) {
        html.element("details", &[], |html| {
            html.leaf("summary", &[], "The numbers");
            self.write_open(html);
        });
    }

    /// Writes the table, in a box of its own that can be moved sideways.
    pub(super) fn write_open(&self, html: &mut Html) {
        let region = [
            ("class", "scroll"),
            ("tabindex", "0"),
            ("role", "region"),
            ("aria-label", &*self.caption),
        ];
        html.element("div", &region, |html| {
            html.element("table", &[], |html| {
                html.leaf("caption", &[], &self.caption);
                html.element("thead", &[], |html| {
                    html.element("tr", &[], |html| {
                        let head = |head: &String| html.leaf("th", &[("scope", "col")], head);
                        self.heads.iter().for_each(head);
                    });
                });
                html.element("tbody", &[], |html| self.rows.iter().for_each(|row| row.write(html)));
            });
        });
        html.end_line();
    }
}

impl Row {
    fn write(&self, html: &mut Html) {
        html.end_line();
        html.element("tr", &[], |html| {
            for (place, cell) in self.cells.iter().enumerate() {
                match (place, self.depth) {
                    (0, 0) => html.leaf("th", &[("scope", "row")], cell),
                    (0, 1) => html.leaf("th", &[("scope", "row"), ("class", "in1")], cell),
                    (0, _) => html.leaf("th", &[("scope", "row"), ("class", "in2")], cell),
                    _ => html.leaf("td", &[], cell),
                }
            }
        });
    }
}

/// What the three ways in which a game ends are called.
pub(super) fn outcomes(subject: Subject) -> [&'static str; 3] {
    match subject {
        Subject::Archive => ["white", "draws", "black"],
        Subject::Players => ["won", "drawn", "lost"],
    }
}
