//! The openings of a side: findings, map, commonest openings, first moves.

use super::{
    dots::dots,
    flows,
    html::Html,
    icicle,
    number::{count, games, points},
    shade::{ENOUGH, legend},
    svg::{Screen, picture},
    table::Table,
    words,
};
use crate::{
    chess::Color,
    stats::{SideReport, Slice, Subject},
};

/// Writes the openings of a side.
pub(super) fn openings(
    html: &mut Html,
    side: &SideReport,
    subject: Subject,
    only_source: Option<&str>,
) {
    let title = match side.side.as_deref() {
        None => "Openings".to_owned(),
        Some("white") => format!("As White: {}", games(side.figures.games)),
        Some(_) => format!("As Black: {}", games(side.figures.games)),
    };
    html.element("section", &[], |html| {
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
        html.leaf("h3", &[], "What stands out");
        if let Some(text) = advantage(side) {
            html.leaf("p", &[("class", "lead")], &text);
        }
        words::findings(html, &side.findings, subject, only_source);
        map(html, side, subject);
        commonest(html, side, subject);
        first_moves(html, side);
    });
    html.end_line();
}

/// What is expected of the side besides what the ratings predict.
pub(super) fn base(side: &SideReport) -> f64 {
    let is_black = side.side.as_deref() == Some("black");
    side.findings.advantage(is_black.then_some(Color::Black))
}

/// Says what is expected besides what the ratings predict.
fn advantage(side: &SideReport) -> Option<String> {
    let base = base(side);
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

fn map(html: &mut Html, side: &SideReport, subject: Subject) {
    html.leaf("h3", &[], "Volumes, families, variations");
    let lead = "The height of volumes and families is their number of games, and so is the area of \
                variations. What is small is drawn together.";
    html.leaf("p", &[("class", "lead")], lead);
    html.element("figure", &[], |html| {
        for screen in [Screen::Wide, Screen::Narrow] {
            let title =
                "Map of openings by volume, family and variation; the table has its numbers";
            picture(html, title, screen, |drawing| icicle::icicle(drawing, &side.tree, screen));
        }
        colors(html, side.figures.rated() >= ENOUGH);
    });
    let caption = "Openings by volume, family and variation";
    let mut table = Table::of_figures(caption, "opening", subject);
    icicle::rows(&side.tree, &mut table);
    table.write(html);
}

/// What the colours mean.
fn colors(html: &mut Html, has_colors: bool) {
    html.element("figcaption", &[], |html| {
        html.element("ul", &[("class", "legend")], |html| {
            if has_colors {
                html.leaf("li", &[], "score minus expectation, in points:");
                legend().iter().for_each(|(class, text)| entry(html, class, text));
            }
            entry(html, "few", &format!("fewer than {ENOUGH} rated games"));
        });
    });
}

/// An entry of a legend.
fn entry(html: &mut Html, class: &str, text: &str) {
    html.element("li", &[], |html| {
        html.leaf("i", &[("class", class)], "");
        html.text(text);
    });
}

fn commonest(html: &mut Html, side: &SideReport, subject: Subject) {
    let title = match side.openings.len() {
        1 => "The commonest opening".to_owned(),
        more => format!("The {more} commonest openings"),
    };
    if side.openings.is_empty() {
        return;
    }
    html.leaf("h3", &[], &title);
    let screens = [Screen::Wide, Screen::Narrow];
    slices(html, &title, "opening", &side.openings, base(side), subject, &screens);
}

/// Writes scores as dots, what they mean, and their table. `base` is expected besides what the
/// ratings predict.
pub(super) fn slices(
    html: &mut Html,
    title: &str,
    head: &str,
    slices: &[Slice],
    base: f64,
    subject: Subject,
    screens: &[Screen],
) {
    html.element("figure", &[], |html| {
        for screen in screens {
            let title = format!("{title}: scores with intervals; the table has the numbers");
            picture(html, &title, *screen, |drawing| dots(drawing, slices, subject, *screen));
        }
        if *screens != [Screen::Half] {
            dots_legend(html, base);
        }
    });
    let mut table = Table::of_figures(title, head, subject);
    slices.iter().for_each(|slice| table.push_figures(&slice.label, 0, &slice.figures));
    table.write(html);
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

fn first_moves(html: &mut Html, side: &SideReport) {
    if side.first_moves.is_empty() {
        return;
    }
    let (moves, all) = (&side.first_moves, side.figures.games);
    html.leaf("h3", &[], "First moves");
    let lead = "Each move is as high as it has games, and has the colours of the map. Moves of fewer \
                than 1.2 % of the games are left out.";
    html.leaf("p", &[("class", "lead")], lead);
    html.element("figure", &[], |html| {
        for screen in [Screen::Wide, Screen::Narrow] {
            let title = "First moves as flows; the table has the numbers";
            picture(html, title, screen, |drawing| flows::flows(drawing, moves, all, screen));
        }
    });
    let mut table = Table::new("First moves", &flows::HEADS);
    flows::rows(moves, all, &mut table);
    table.write(html);
}
