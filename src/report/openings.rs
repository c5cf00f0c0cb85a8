//! The openings of a side: map, commonest openings, first moves.

use super::html::{Html, Table, count, decimal, games, points};
use super::svg::{ENOUGH, Screen, figure, legend, pictures};
use super::{dots::dots, flows, icicle, links::Links};
use crate::stats::{Figures, SideReport, Slice, Subject};

/// Writes the openings of a side.
pub(super) fn openings(html: &mut Html, side: &SideReport, subject: Subject, links: Links<'_>) {
    let links = links.with_color(side.side.as_deref().or(links.color));
    let title = match side.side.as_deref() {
        None => "Openings".to_owned(),
        Some("white") => format!("As White: {}", games(side.figures.games)),
        Some(_) => format!("As Black: {}", games(side.figures.games)),
    };
    let id = side.side.as_deref().unwrap_or("openings");
    html.element("section", &[("id", id)], |html| {
        html.leaf("h2", &[], &title);
        if side.figures.games == 0 {
            html.leaf("p", &[("class", "quiet")], "No games with this colour.");
            return;
        }
        if let Some(found) =
            side.figures.difference.as_ref().filter(|_| subject == Subject::Players)
        {
            let text = format!(
                "{} points against the ratings in {} rated games, 95 % between {} and {}.",
                points(found.value),
                count(found.games),
                points(found.interval.low),
                points(found.interval.high)
            );
            html.leaf("p", &[("class", "lead")], &text);
        }
        if let Some(text) = advantage(side) {
            html.leaf("p", &[("class", "lead")], &text);
        }
        map(html, side, subject, links);
        commonest(html, side, subject, links);
        phases(html, side, subject);
        first_moves(html, side, links);
    });
    html.end_line();
}

/// Says what is expected besides what the ratings predict.
fn advantage(side: &SideReport) -> Option<String> {
    let base = side.advantage;
    if base == 0.0 {
        return None;
    }
    let text = match side.side.as_deref() {
        None => format!(
            "White moves first: in all rated games White scored {} points against what the \
             ratings predict. What is expected of White below is the prediction and these \
             points.",
            points(base)
        ),
        Some(side) => format!(
            "Against the ratings, {} points lie between the games as White and those as Black. \
             Half of them are put down to the colour: what is expected of {} below is the \
             prediction and {} points.",
            points(2.0 * base.abs()).trim_start_matches('+'),
            if side == "white" { "White" } else { "Black" },
            points(base)
        ),
    };
    Some(text)
}

/// The difference of all games of a side, which its colours are measured by.
fn level(side: &SideReport) -> f64 {
    side.figures.difference.map_or(0.0, |found| found.value - side.advantage)
}

fn map(html: &mut Html, side: &SideReport, subject: Subject, links: Links<'_>) {
    html.leaf("h3", &[], "Volumes, families, variations");
    let lead = "The height of volumes and families is their number of games, and so is the area of \
                variations. What is small is drawn together.";
    html.leaf("p", &[("class", "lead")], lead);
    html.element("figure", &[], |html| {
        let title = "Map of openings by volume, family and variation; the table has its numbers";
        pictures(html, title, Screen::BOTH, |drawing, screen| {
            icicle::icicle(drawing, &side.tree, (level(side), links), screen)
        });
        colors(html, side.figures.rated() >= ENOUGH);
    });
    let caption = "Openings by volume, family and variation";
    let mut table = Table::of_figures(caption, "opening", subject);
    icicle::rows(&side.tree, &mut table);
    table.write(html);
}

fn colors(html: &mut Html, has_colors: bool) {
    html.element("figcaption", &[], |html| {
        html.element("ul", &[("class", "legend")], |html| {
            if has_colors {
                html.leaf("li", &[], "score against all games, less luck, in points:");
                legend().iter().for_each(|(class, text)| entry(html, class, text));
            }
            entry(html, "few", &format!("fewer than {ENOUGH} rated games"));
        });
    });
}

fn entry(html: &mut Html, class: &str, text: &str) {
    html.element("li", &[], |html| {
        html.leaf("i", &[("class", class)], "");
        html.text(text);
    });
}

fn commonest(html: &mut Html, side: &SideReport, subject: Subject, links: Links<'_>) {
    let title = match side.openings.len() {
        1 => "The commonest opening".to_owned(),
        more => format!("The {more} commonest openings"),
    };
    if side.openings.is_empty() {
        return;
    }
    html.leaf("h3", &[], &title);
    let link = |name: &str| links.to(&[("opening", name)]);
    let scores = Scores {
        title: &title,
        head: "opening",
        slices: &side.openings,
        base: side.advantage,
        subject,
        link: &link,
    };
    scores.write(html, Screen::BOTH);
}

/// Writes what comments say of how the commonest openings ended, those that ended worst first.
fn phases(html: &mut Html, side: &SideReport, subject: Subject) {
    let is_told = |figures: &Figures| figures.evaluated + figures.timed > 0;
    let mut told: Vec<&Slice> =
        side.openings.iter().filter(|slice| is_told(&slice.figures)).collect();
    if told.is_empty() {
        return;
    }
    let eval = |slice: &Slice| slice.figures.eval.unwrap_or(f64::INFINITY);
    let time = |slice: &Slice| slice.figures.time.unwrap_or(0.0);
    told.sort_by(|a, b| eval(a).total_cmp(&eval(b)).then_with(|| time(b).total_cmp(&time(a))));
    let title = "When the opening ends";
    let who = match subject {
        Subject::Archive => "White",
        Subject::Players => "the player",
    };
    html.leaf("h3", &[], title);
    let lead = format!(
        "Of the games with evaluations and clocks: the mean evaluation of the last named position in \
         centipawns, from the side of {who}, and the mean of the seconds that {who} spent up to there."
    );
    html.leaf("p", &[("class", "lead")], &lead);
    let mut table = Table::new(title, &["opening", "evaluated", "eval", "timed", "time"]);
    let mut push = |label: &str, figures: &Figures| {
        let mean = |value: Option<f64>| value.map_or_else(String::new, |value| decimal(value, 1));
        let Figures { evaluated, eval, timed, time, .. } = figures;
        let cells = [label.to_owned(), count(*evaluated), mean(*eval), count(*timed), mean(*time)];
        table.push(0, cells.to_vec());
    };
    push("all", &side.figures);
    told.iter().for_each(|slice| push(&slice.label, &slice.figures));
    table.write_open(html);
}

/// Scores of games that have something in common.
pub(super) struct Scores<'p> {
    pub(super) title: &'p str,
    /// What they have in common.
    pub(super) head: &'p str,
    pub(super) slices: &'p [Slice],
    /// What is expected besides what the ratings predict.
    pub(super) base: f64,
    pub(super) subject: Subject,
    /// Where a label leads.
    pub(super) link: &'p dyn Fn(&str) -> Option<String>,
}

impl Scores<'_> {
    /// Writes them as dots, what these mean, and their table.
    pub(super) fn write(&self, html: &mut Html, screens: &[Screen]) {
        html.element("figure", &[], |html| {
            let title = format!("{}: scores with intervals; the table has the numbers", self.title);
            pictures(html, &title, screens, |drawing, screen| {
                dots(drawing, self.slices, self.link, self.subject, screen)
            });
            if *screens != [Screen::Half] {
                dots_legend(html, self.base);
            }
        });
        let mut table = Table::of_figures(self.title, self.head, self.subject);
        self.slices.iter().for_each(|slice| table.push_figures(&slice.label, 0, &slice.figures));
        table.write(html);
    }
}

/// What dots and lines mean.
pub(super) fn dots_legend(html: &mut Html, base: f64) {
    html.element("figcaption", &[], |html| {
        html.element("ul", &[("class", "legend")], |html| {
            entry(html, "score", "score with its 95 % interval, in percent");
            let expected = match base == 0.0 {
                true => "expected by the ratings, in the rated games".to_owned(),
                false => {
                    format!("expected: the ratings and {} points, in the rated games", points(base))
                }
            };
            entry(html, "mark", &expected);
        });
    });
}

fn first_moves(html: &mut Html, side: &SideReport, links: Links<'_>) {
    if side.first_moves.is_empty() {
        return;
    }
    let (moves, all) = (&side.first_moves, side.figures.games);
    html.leaf("h3", &[], "First moves");
    let lead = "Each move is as high as it has games, and has the colours of the map. Moves of fewer \
                than 1.2 % of the games are left out.";
    html.leaf("p", &[("class", "lead")], lead);
    figure(html, "First moves as flows", Screen::BOTH, |drawing, screen| {
        flows::flows(drawing, moves, all, (level(side), links), screen)
    });
    let mut table = Table::new("First moves", &flows::HEADS);
    flows::rows(moves, ("", 0), all, &mut table);
    table.write(html);
}
