//! The openings of a side: findings in words, map, commonest openings, first moves.

use super::html::{Html, Table, count, decimal, games, points, round_percent};
use super::svg::{ENOUGH, Screen, figure, legend, pictures};
use super::{dots::dots, flows, icicle};
use crate::stats::{Example, Figures, Finding, FindingLine, Findings, SideReport, Slice, Subject};

/// Writes the openings of a side.
pub(super) fn openings(html: &mut Html, side: &SideReport, subject: Subject) {
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
        if let Some(text) = advantage(side) {
            html.leaf("p", &[("class", "lead")], &text);
        }
        map(html, side, subject);
        commonest(html, side, subject);
        phases(html, side, subject);
        first_moves(html, side);
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

fn map(html: &mut Html, side: &SideReport, subject: Subject) {
    html.leaf("h3", &[], "Volumes, families, variations");
    let lead = "The height of volumes and families is their number of games, and so is the area of \
                variations. What is small is drawn together.";
    html.leaf("p", &[("class", "lead")], lead);
    html.element("figure", &[], |html| {
        let title = "Map of openings by volume, family and variation; the table has its numbers";
        pictures(html, title, Screen::BOTH, |drawing, screen| {
            icicle::icicle(drawing, &side.tree, screen)
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
                html.leaf("li", &[], "score minus expectation, in points:");
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

fn commonest(html: &mut Html, side: &SideReport, subject: Subject) {
    let title = match side.openings.len() {
        1 => "The commonest opening".to_owned(),
        more => format!("The {more} commonest openings"),
    };
    if side.openings.is_empty() {
        return;
    }
    html.leaf("h3", &[], &title);
    slices(html, &title, "opening", &side.openings, side.advantage, subject, Screen::BOTH);
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
        let title = format!("{title}: scores with intervals; the table has the numbers");
        pictures(html, &title, screens, |drawing, screen| dots(drawing, slices, subject, screen));
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
    figure(html, "First moves as flows", Screen::BOTH, |drawing, screen| {
        flows::flows(drawing, moves, all, screen)
    });
    let mut table = Table::new("First moves", &flows::HEADS);
    flows::rows(moves, all, &mut table);
    table.write(html);
}

/// This many strengths, and as many weaknesses, are shown.
const SHOWN: usize = 10;

/// Writes what was found, or that nothing was. Games of the only source are named by number alone.
pub(super) fn findings(
    html: &mut Html,
    findings: &Findings,
    subject: Subject,
    only_source: Option<&str>,
) {
    let [strengths, weaknesses] = match subject {
        Subject::Players => ["Strengths", "Weaknesses"],
        Subject::Archive => ["White does better", "Black does better"],
    };
    html.element("div", &[("class", "pair lists")], |html| {
        for (title, found) in [(strengths, &findings.strengths), (weaknesses, &findings.weaknesses)]
        {
            list(html, title, found, |html, found| item(html, found, subject, only_source));
        }
    });
    let asked = match subject {
        Subject::Archive => "Openings, first moves and speeds",
        Subject::Players => {
            "Colours, openings, first moves, speeds, time controls, hours, weekdays, seasons and the \
             strength of opponents"
        }
    };
    let looked_at = match findings.looked_at {
        0 => "none has".to_owned(),
        1 => "one has".to_owned(),
        more => format!("{more} have"),
    };
    let mut note = format!(
        "{asked} were looked at: {looked_at} the 20 rated games that a finding needs. What is \
         listed is away from the level of all games; of all that is listed, at most one in ten is \
         false on average. The options --strengths and --weaknesses of eco stats list the same."
    );
    if findings.looked_at > 0 {
        let [hundred, four] = [100, 400].map(|games| (100.0 * findings.detectable(games)).ceil());
        note += &format!(
            " With 100 games {hundred} points would have been found, with 400 games {four}."
        );
    }
    if !findings.strengths.is_empty() || !findings.weaknesses.is_empty() {
        note += " Lines lead to the last named positions of the games, however these reached them; \
                 behind each is the number of its games.";
    }
    html.leaf("p", &[("class", "note")], &note);
}

fn list(html: &mut Html, title: &str, findings: &[Finding], item: impl Fn(&mut Html, &Finding)) {
    html.element("div", &[], |html| {
        html.leaf("h4", &[], title);
        if findings.is_empty() {
            html.leaf("p", &[("class", "quiet")], "None that stands out from chance.");
            return;
        }
        html.element("ol", &[("class", "findings")], |html| {
            findings.iter().take(SHOWN).for_each(|found| item(html, found));
        });
        if findings.len() > SHOWN {
            let more = format!("and {} more, in --format json", findings.len() - SHOWN);
            html.leaf("p", &[("class", "note")], &more);
        }
    });
}

fn item(html: &mut Html, finding: &Finding, subject: Subject, only_source: Option<&str>) {
    html.end_line();
    html.element("li", &[], |html| {
        html.element("strong", &[], |html| html.leaf("bdi", &[], &title(finding)));
        html.text(" ");
        html.leaf("span", &[], &sentence(finding, subject));
        lines(html, &finding.lines);
        let (won, lost) = (&finding.examples.won, &finding.examples.lost);
        for (what, games) in [("won: ", won), ("lost: ", lost)] {
            if !games.is_empty() {
                html.element("span", &[("class", "games")], |html| {
                    html.text(what);
                    examples(html, games, only_source);
                });
            }
        }
    });
}

/// What was found: the name of an opening, or what was asked and the answer.
fn title(finding: &Finding) -> String {
    let side = match finding.side.as_deref() {
        None => "",
        Some("white") => " as White",
        Some(_) => " as Black",
    };
    match (&finding.name, &*finding.question) {
        (Some(_), _) | (_, "first_moves") => format!("{}{side}", finding.value),
        (_, question) => format!("{}: {}", question.replace('_', " "), finding.value),
    }
}

/// The lines of a finding, each with its games.
fn lines(html: &mut Html, lines: &[FindingLine]) {
    if lines.is_empty() {
        return;
    }
    html.element("ul", &[("class", "lines")], |html| {
        for line in lines {
            html.element("li", &[], |html| {
                html.text(&line.moves);
                html.text(" ");
                html.leaf("small", &[], &games(line.games));
            });
        }
    });
}

/// `scored 41 % of 63 games where 52 % was expected`
fn sentence(finding: &Finding, subject: Subject) -> String {
    let found = &finding.difference;
    let who = match subject {
        Subject::Archive => "White scored",
        Subject::Players => "scored",
    };
    format!(
        "{who} {} of {} games where {} was expected: {} points, 95 % between {} and {}, and {} \
         against the ratings alone; {} without other findings and luck.",
        round_percent(found.score),
        count(found.games),
        round_percent(found.expected),
        points(found.value),
        points(found.interval.low),
        points(found.interval.high),
        points(finding.against_ratings),
        points(finding.estimate),
    )
}

/// The games behind a finding, as links if they have an address.
fn examples(html: &mut Html, examples: &[Example], only_source: Option<&str>) {
    for (place, example) in examples.iter().enumerate() {
        if place > 0 {
            html.text("; ");
        }
        game(html, example, only_source);
    }
}

fn game(html: &mut Html, example: &Example, only_source: Option<&str>) {
    let year = match example.date / 10_000 {
        0 => String::new(),
        year => format!(", {year}"),
    };
    let names = format!("{}\u{2013}{}{year}", example.white, example.black);
    match example.link.as_deref().filter(|link| is_address(link)) {
        Some(link) => {
            html.element("a", &[("href", link), ("rel", "noopener noreferrer")], |html| {
                html.leaf("bdi", &[], &names);
            });
        }
        None => {
            html.leaf("bdi", &[], &names);
            html.text(" (");
            if only_source != Some(&example.source) {
                html.leaf("bdi", &[], &example.source);
                html.text(", ");
            }
            // Without separators, so that it can be given to `eco filter --game`.
            html.text(&format!("game {})", example.number));
        }
    }
}

/// Whether a text may be the target of a link.
pub(super) fn is_address(text: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| {
        text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::PlayedAt;

    #[test]
    fn only_addresses_of_the_web_are_links() {
        for (text, is_link) in [
            ("https://lichess.org/abcdefgh", true),
            ("HTTP://x.org/1", true),
            ("javascript:alert(1)", false),
            (" https://x.org", false),
            ("data:text/html,x", false),
            ("//x.org/a", false),
            ("", false),
        ] {
            assert_eq!(is_address(text), is_link, "{text:?}");
        }
    }

    #[test]
    fn numbers_of_games_can_be_given_to_filter() {
        let example = Example {
            played_at: PlayedAt::default(),
            date: 0,
            source: "otb.pgn".into(),
            number: 75_370,
            white: "Ann".into(),
            black: "Bob".into(),
            result: "1-0".into(),
            link: None,
        };
        let mut html = Html::default();
        game(&mut html, &example, None);
        assert!(html.into_string().contains("game 75370)"));
    }
}
