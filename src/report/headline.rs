//! What a page is about, and its first numbers.

use super::html::{Html, count, decimal, games, points, with_sign};
use crate::pgn::GameDate;
use crate::stats::{Figures, LeftOut, Report, Subject};

/// What a report is about. Texts may be from files.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Topic {
    /// The title of the page.
    pub title: String,
    /// The names of the files with the games; `-` is standard input.
    pub sources: Vec<String>,
    /// How the games were selected, a condition each; none for all games.
    pub selection: Vec<String>,
    /// The number of games of the files, selected or not.
    pub games_read: u64,
}

impl Topic {
    /// The file with the games, if there is one alone.
    pub(super) fn only_source(&self) -> Option<&str> {
        match &self.sources[..] {
            [source] => Some(source),
            _ => None,
        }
    }
}

/// Writes the title and what the games are.
pub(super) fn title(html: &mut Html, topic: &Topic) {
    html.element("header", &[], |html| {
        html.element("h1", &[], |html| {
            html.element("bdi", &[], |html| phrases(html, &topic.title));
        });
        html.element("p", &[("class", "quiet")], |html| {
            html.text("From ");
            sources(html, &topic.sources);
            if !topic.selection.is_empty() {
                html.text(", selected by ");
                html.leaf("bdi", &[], &topic.selection.join(" "));
            }
            html.text(".");
        });
    });
}

/// Writes a title whose lines end after a colon, as long as what follows fits on a line.
fn phrases(html: &mut Html, title: &str) {
    for phrase in title.split_inclusive(": ") {
        let text = phrase.trim_end_matches(' ');
        html.leaf("span", &[], text);
        html.text(&phrase[text.len()..]);
    }
}

/// This many sources are named.
const NAMED: usize = 4;

fn sources(html: &mut Html, sources: &[String]) {
    for (place, source) in sources.iter().take(NAMED).enumerate() {
        if place > 0 {
            html.text(", ");
        }
        html.leaf("bdi", &[], if source == "-" { "standard input" } else { source });
    }
    match sources.len() {
        0 => html.text("no input"),
        more if more > NAMED => html.text(&format!(" and {} more files", more - NAMED)),
        _ => {}
    }
}

/// Writes why there is nothing to show.
pub(super) fn nothing(html: &mut Html, topic: &Topic, left_out: &LeftOut) {
    let read = games(topic.games_read);
    let why = match (topic.games_read, left_out.variants) {
        (0, _) => "The input has no games.".to_owned(),
        (_, 0) => format!("None of {read} in the input fits the selection."),
        (_, variants) => {
            let selected = if variants == 1 { "one that was" } else { "all that were" };
            format!(
                "The input has {read}; of these, {selected} selected ({}) {} of other variants, which \
                 are not counted.",
                count(variants),
                if variants == 1 { "is" } else { "are" },
            )
        }
    };
    html.element("section", &[], |html| {
        html.leaf("h2", &[], "No games");
        html.leaf("p", &[], &why);
    });
}

/// Writes the first numbers.
pub(super) fn figures(html: &mut Html, report: &Report, subject: Subject) {
    let figures = &report.figures;
    html.element("dl", &[("class", "facts")], |html| {
        let decided = figures.won + figures.drawn + figures.lost;
        let open = if decided == figures.games {
            "all with a result".to_owned()
        } else {
            format!("{} with a result", count(decided))
        };
        fact(html, "games", &count(figures.games), &open);
        score(html, figures, subject);
        let parts = [figures.won, figures.drawn, figures.lost].map(count).join(" · ");
        let names = match subject {
            Subject::Archive => "White won · drawn · Black won",
            Subject::Players => "won · drawn · lost",
        };
        if decided > 0 {
            let shares = [figures.won, figures.drawn, figures.lost]
                .map(|part| decimal(100.0 * part as f64 / decided as f64, 0))
                .join(" · ");
            fact(html, "percent", &shares, &format!("{names} ({parts})"));
        }
        expectation(html, figures);
        if let Some(performance) = figures.performance.filter(|_| subject == Subject::Players) {
            let rated = format!("in {} rated games", count(figures.rated()));
            fact(html, "performance", &performance.to_string(), &rated);
        }
        if let Some(plies) = figures.plies {
            fact(html, "length", &plies.to_string(), "plies, median");
        }
        if let Some(exit) = figures.exit {
            fact(html, "last named position", &exit.to_string(), "plies, median");
        }
        if let (Some(first), Some(last)) = (&figures.first, &figures.last) {
            let year = |date: &GameDate| date.number() / 10_000;
            let years = match (year(first), year(last)) {
                (first, last) if first == last => format!("{first:04}"),
                (first, last) => format!("{first:04}\u{2013}{last:04}"),
            };
            fact(html, "years", &years, &format!("{first} to {last}"));
        }
    });
    left_out(html, &report.left_out);
}

fn score(html: &mut Html, figures: &Figures, subject: Subject) {
    let name = match subject {
        Subject::Archive => "White's score",
        Subject::Players => "score",
    };
    if let (Some(score), Some(interval)) = (figures.score, figures.interval) {
        let range = format!("95 %: {} to {}", with_sign(interval.low), with_sign(interval.high));
        fact(html, name, &with_sign(score), &range);
    }
}

fn expectation(html: &mut Html, figures: &Figures) {
    let Some(found) = &figures.difference else { return };
    let rated = format!("in {} rated games", count(found.games));
    fact(html, "expected by ratings", &with_sign(found.expected), &rated);
    let range =
        format!("points, 95 %: {} to {}", points(found.interval.low), points(found.interval.high));
    fact(html, "against the ratings", &points(found.value), &range);
}

fn fact(html: &mut Html, name: &str, value: &str, more: &str) {
    html.element("div", &[], |html| {
        html.leaf("dt", &[], name);
        html.element("dd", &[], |html| {
            html.text(value);
            html.text(" ");
            html.leaf("small", &[], more);
        });
    });
}

fn left_out(html: &mut Html, left_out: &LeftOut) {
    let notes: Vec<String> =
        left_out.notes().map(|(number, why)| format!("{} {why}", games(number))).collect();
    if !notes.is_empty() {
        html.leaf("p", &[("class", "note")], &format!("Left out: {}.", notes.join("; ")));
    }
}
