//! Two reports side by side: of two players, or of two times.

use super::findings::{SHOWN, as_side, by_weight, claim, upper_first};
use super::html::{Html, Table, count, games, points};
use super::svg::ENOUGH;
use crate::stats::{Figures, Findings, Report, SideReport, Subject, Z_95};

/// Another report, beside that of a page.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Compared {
    /// Who or what it is about.
    pub name: String,
    /// Its numbers.
    pub report: Report,
}

/// What games have in common, and their numbers.
type Group<'r> = (String, &'r Figures);

impl Compared {
    /// A report with its name.
    pub fn new(name: &str, report: Report) -> Self {
        Self { name: name.to_owned(), report }
    }

    /// Writes what stands out for each, and what differs, as tables.
    pub(super) fn write(&self, html: &mut Html, report: &Report, subject: Subject) {
        self.write_findings(html, report, subject);
        let heads = ["", "games", "diff", "games", "diff", "difference", "low", "high"];
        let caption = format!("These games, {}, and the difference", self.name);
        let mut table = Table::new(&caption, &heads);
        let others = groups(&self.report);
        for (label, one) in groups(report) {
            let other = others.iter().find(|(other, _)| *other == label);
            let row = other.and_then(|(_, other)| row(&label, one, other));
            row.into_iter().for_each(|row| table.push(0, row));
        }
        let lead = "Each diff is the score minus what is expected, in percentage points. Differences \
                    have a 95 % interval: of those without 0 in it, one in twenty is luck. What has \
                    fewer than 20 rated games on either side is left out.";
        html.leaf("p", &[("class", "lead")], lead);
        table.write_open(html);
    }

    /// Writes what stands out for each, a question on one line.
    fn write_findings(&self, html: &mut Html, report: &Report, subject: Subject) {
        let mut rows = Vec::new();
        for (column, report) in [report, &self.report].into_iter().enumerate() {
            add_findings(&mut rows, column, &report.findings, subject);
        }
        if rows.is_empty() {
            return;
        }
        let mut table = Table::new("What stands out", &["question", "these games", &self.name]);
        for (question, found) in rows {
            let cell = |found: Vec<String>| match found.is_empty() {
                true => "nothing".to_owned(),
                false => found.join("; "),
            };
            let [one, other] = found.map(cell);
            table.push(0, vec![question, one, other]);
        }
        html.element("div", &[("class", "words")], |html| table.write_open(html));
    }
}

/// A question, and what was found in the games of either report, in words.
type Found = (String, [Vec<String>; 2]);

/// Adds what was found to the lines of its questions, in one of two columns.
fn add_findings(rows: &mut Vec<Found>, column: usize, findings: &Findings, subject: Subject) {
    for finding in by_weight(findings).into_iter().take(SHOWN) {
        let question = upper_first(&finding.question.replace('_', " "));
        let known = rows.iter().position(|(known, _)| *known == question);
        let at = known.unwrap_or(rows.len());
        if known.is_none() {
            rows.push((question, Default::default()));
        }
        let games = games(finding.difference.games);
        rows[at].1[column].push(format!("{} ({games})", claim(finding, subject)));
    }
}

/// A row for groups that have enough games.
fn row(label: &str, one: &Figures, other: &Figures) -> Option<Vec<String>> {
    let known = |figures: &Figures| figures.difference.filter(|found| found.games >= ENOUGH);
    let (a, b) = (known(one)?, known(other)?);
    let difference = a.value - b.value;
    let radius = Z_95 * libm::sqrt(a.variance + b.variance);
    let mut row = vec![label.to_owned()];
    row.extend([a, b].iter().flat_map(|found| [count(found.games), points(found.value)]));
    row.extend([difference, difference - radius, difference + radius].map(points));
    Some(row)
}

/// The groups of a report: all games, sides with their first moves and openings, and occasions.
fn groups(report: &Report) -> Vec<Group<'_>> {
    let mut groups = vec![("all games".to_owned(), &report.figures)];
    report.sides.iter().for_each(|side| groups.extend(of_side(side)));
    for (name, slices) in [
        ("", &report.speeds),
        ("rating difference ", &report.rating_gaps),
        ("", &report.weekdays),
        ("hour ", &report.hours),
        ("", &report.seasons),
    ] {
        groups
            .extend(slices.iter().map(|slice| (format!("{name}{}", slice.label), &slice.figures)));
    }
    groups
}

fn of_side(side: &SideReport) -> impl Iterator<Item = Group<'_>> {
    let named = |label: &str| format!("{label}{}", as_side(side.side.as_deref()));
    let all = side.side.as_ref().map(|_| (named("all"), &side.figures));
    let moves = side.first_moves.iter();
    let moves = moves.map(move |node| (named(&format!("1. {}", node.san)), &node.figures));
    let openings = side.openings.iter();
    let openings = openings.map(move |slice| (named(&slice.label), &slice.figures));
    all.into_iter().chain(moves).chain(openings)
}
