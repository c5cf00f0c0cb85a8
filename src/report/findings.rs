//! What stands out, as a coach would say it.

use super::html::{Html, NO_BREAK, count, decimal, games, is_address, points, round_percent};
use super::links::Links;
use super::svg::{diagram_of, image};
use crate::chess::{Color, EnPassantMode, PositionKey};
use crate::stats::{Example, Finding, FindingLine, Findings, Report, Subject};

/// This many findings are in the summary.
const SUMMED_UP: usize = 4;

/// What matters most, in a sentence: `Blitz costs 3 points in 100 games; the hour from 02:00 costs
/// 12.` `None` if nothing stands out.
pub(super) fn summary(findings: &Findings, subject: Subject) -> Option<String> {
    let found = by_weight(findings);
    let parts = found.iter().take(SUMMED_UP).enumerate().map(|(place, found)| match place {
        0 => format!("{} in 100 games", claim(found, subject)),
        _ => lower_first(&claim(found, subject)),
    });
    let parts: Vec<String> = parts.collect();
    (!parts.is_empty()).then(|| format!("{}.", parts.join("; ")))
}

/// Findings by what they cost or bring in all; without those that are one only beside another, such
/// as a bad variation of a worse family.
pub(super) fn by_weight(findings: &Findings) -> Vec<&Finding> {
    let all = findings.strengths.iter().chain(&findings.weaknesses);
    let mut found: Vec<&Finding> =
        all.filter(|found| found.estimate * found.difference.value > 0.0).collect();
    let weight = |found: &Finding| (found.estimate * found.difference.games as f64).abs();
    found.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    found
}

/// A title that says who played, and what matters most: `Vera Lind: blitz costs 3 points in 100
/// games`. `who` is empty for an archive.
pub fn title(who: &str, report: &Report) -> String {
    let games = games(report.games).replace(NO_BREAK, " ");
    let subject = if who.is_empty() { Subject::Archive } else { Subject::Players };
    let whose = if who.is_empty() { &games } else { who };
    let score = report.figures.score.map(round_percent);
    match (by_weight(&report.findings).first(), score) {
        (Some(found), _) => {
            format!("{whose}: {} in 100 games", lower_first(&claim(found, subject)))
        }
        (None, None) => format!("{whose}: the openings"),
        (None, Some(score)) if who.is_empty() => format!("{games}: White scores {score}"),
        (None, Some(score)) => format!("{who}: {score} in {games}"),
    }
}

/// `1. e4 as White costs 2 points`.
pub(super) fn claim(finding: &Finding, subject: Subject) -> String {
    let verb = if finding.estimate < 0.0 { "costs" } else { "brings" };
    let whom = if subject == Subject::Archive { " White" } else { "" };
    let size = 100.0 * finding.estimate.abs();
    let size = decimal(size, usize::from(size < 0.95));
    let noun = if size == "1" { "point" } else { "points" };
    format!("{} {verb}{whom} {size} {noun}", cause(finding, &finding.value))
}

/// What games have in common that have this value of the question of a finding, as the subject of a
/// sentence.
fn cause(finding: &Finding, value: &str) -> String {
    let side = as_side(finding.side.as_deref());
    match &*finding.question {
        "color" => format!("Playing {}", upper_first(value)),
        "speed" => upper_first(value),
        "time_control" => format!("The time control {value}"),
        "hour" => format!("The hour from {value:0>2}:00"),
        "weekday" => format!("A {value}"),
        "season" => format!("The season {}", value.replace('-', " to ")),
        "opponent" => opponent(value),
        "first_moves" => format!("{value}{side}"),
        _ if finding.name.is_some() => format!("{value}{side}"),
        question => format!("{}: {value}", upper_first(&question.replace('_', " "))),
    }
}

/// What follows the name of games that are seen from a side, if they are.
pub(super) fn as_side(side: Option<&str>) -> &'static str {
    match side {
        None => "",
        Some("white") => " as White",
        Some(_) => " as Black",
    }
}

/// The opponents of a band of rating differences, `+50 to +149`.
fn opponent(band: &str) -> String {
    let (first, last) = band.split_once(" to ").unwrap_or((band, band));
    match (first.trim_start_matches('+'), last.trim_start_matches('+')) {
        (low, high) if band.starts_with('+') => {
            format!("An opponent {low} to {high} points weaker")
        }
        (low, high) if high.starts_with('-') => {
            let (low, high) = (low.trim_start_matches('-'), high.trim_start_matches('-'));
            format!("An opponent {high} to {low} points stronger")
        }
        (_, high) => format!("An opponent within {high} points"),
    }
}

pub(super) fn upper_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |c| c.to_uppercase().chain(chars).collect())
}

/// The start of a sentence within another. Names stay as they are.
fn lower_first(text: &str) -> String {
    for (start, within) in
        [("The ", "the "), ("A ", "a "), ("An ", "an "), ("Playing ", "playing ")]
    {
        if let Some(rest) = text.strip_prefix(start) {
            return format!("{within}{rest}");
        }
    }
    text.to_owned()
}

/// How sure a finding is, by its share of false ones; the note below the lists explains the words.
fn certainty(finding: &Finding) -> &'static str {
    match finding.q {
        ..=0.001 => "almost certain",
        ..=0.01 => "very likely",
        _ => "likely",
    }
}

/// Where the games of a finding are, or else the numbers beside theirs.
fn target(finding: &Finding, links: Links<'_>) -> String {
    let value = &*finding.value;
    let links = links.with_color(finding.side.as_deref().or(links.color));
    let side = finding.side.as_deref().unwrap_or("openings");
    let (link, part) = match &*finding.question {
        "color" => (links.with_color(Some(value)).to(&[]), value),
        "speed" => (links.to(&[("speed", value)]), "speed"),
        "time_control" => (links.to(&[("tag", &format!("TimeControl={value}"))]), "speed"),
        "hour" => (None, "hour"),
        "weekday" => (None, "day"),
        "season" => (None, "season"),
        "opponent" => (None, "difference"),
        "first_moves" => (links.after(value), side),
        _ => (links.to(&[("opening", value)]), side),
    };
    link.unwrap_or_else(|| format!("#{part}"))
}

/// This many strengths, and as many weaknesses, are shown.
pub(super) const SHOWN: usize = 10;

/// How findings are written.
#[derive(Clone, Copy)]
pub(super) struct Listing<'p> {
    pub(super) subject: Subject,
    /// The only source, whose games are named by number alone.
    pub(super) only_source: Option<&'p str>,
    pub(super) links: Links<'p>,
}

/// Writes what was found, or that nothing was.
pub(super) fn findings(html: &mut Html, findings: &Findings, listing: Listing<'_>) {
    let subject = listing.subject;
    if let Some(summary) = summary(findings, subject) {
        html.element("p", &[("class", "summary")], |html| html.leaf("bdi", &[], &summary));
    }
    let [strengths, weaknesses] = match subject {
        Subject::Players => ["Strengths", "Weaknesses"],
        Subject::Archive => ["White does better", "Black does better"],
    };
    html.element("div", &[("class", "pair lists")], |html| {
        for (title, found) in [(strengths, &findings.strengths), (weaknesses, &findings.weaknesses)]
        {
            list(html, title, found, listing);
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
         false on average; of what is very likely, one in 100, of what is almost certain, one in \
         1,000. The options --strengths and --weaknesses of eco stats list the same."
    );
    if findings.looked_at > 0 {
        let [hundred, four] = [100, 400].map(|games| (100.0 * findings.detectable(games)).ceil());
        note += &format!(
            " With 100 games {hundred} points would have been found, with 400 games {four}."
        );
    }
    if findings.one_in > 1 {
        note += &format!(
            " For their number, only one game in {} was looked at, chosen by its hash.",
            findings.one_in
        );
    }
    if !findings.strengths.is_empty() || !findings.weaknesses.is_empty() {
        note += " Lines lead to the last named positions of the games, however these reached them; \
                 behind each is the number of its games.";
    }
    html.leaf("p", &[("class", "note")], &note);
}

fn list(html: &mut Html, title: &str, findings: &[Finding], listing: Listing<'_>) {
    html.element("div", &[], |html| {
        html.leaf("h4", &[], title);
        if findings.is_empty() {
            html.leaf("p", &[("class", "quiet")], "None that stands out from chance.");
            return;
        }
        html.element("ol", &[("class", "findings")], |html| {
            findings.iter().take(SHOWN).for_each(|found| item(html, found, listing));
        });
        if findings.len() > SHOWN {
            let more = format!("and {} more, in --format json", findings.len() - SHOWN);
            html.leaf("p", &[("class", "note")], &more);
        }
    });
}

fn item(html: &mut Html, finding: &Finding, listing: Listing<'_>) {
    let Listing { subject, links, .. } = listing;
    html.end_line();
    html.element("li", &[], |html| {
        if links.explorer.is_none() {
            board(html, finding, links);
        }
        html.element("strong", &[], |html| {
            html.element("a", &[("href", &target(finding, links))], |html| {
                html.leaf("bdi", &[], &claim(finding, subject));
            });
        });
        html.text(" ");
        html.leaf("span", &[], &sentence(finding, subject));
        lines(html, &finding.lines);
        let (won, lost) = (&finding.examples.won, &finding.examples.lost);
        for (what, games) in [("won: ", won), ("lost: ", lost)] {
            if !games.is_empty() {
                html.element("span", &[("class", "games")], |html| {
                    html.text(what);
                    for (place, example) in games.iter().enumerate() {
                        html.text(if place > 0 { "; " } else { "" });
                        game(html, example, listing);
                    }
                });
            }
        }
    });
}

/// The position after the commonest line of a finding, or after its moves.
fn board(html: &mut Html, finding: &Finding, links: Links<'_>) {
    let is_of_moves = finding.question == "first_moves";
    let line = finding.lines.first().map(|line| &*line.moves);
    let Some(line) = line.or(is_of_moves.then_some(&*finding.value)) else { return };
    let Some((position, moves)) = links.replay(line) else { return };
    let key = PositionKey::from_position(&position, EnPassantMode::Legal);
    let source = image(&diagram_of(&key, finding.color().unwrap_or(Color::White), moves.last()));
    html.void("img", &[("class", "board"), ("src", &source), ("alt", line)]);
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
    let instead = finding.instead.as_ref().map(|other| {
        let (difference, games) = (points(other.difference), games(other.games));
        format!(" {}: {difference} in {games}.", cause(finding, &other.value))
    });
    format!(
        "in 100 games, {}: {who} {} of {} games where {} was expected, {} points, 95 % between {} \
         and {}; {} against the ratings alone.{}",
        certainty(finding),
        round_percent(found.score),
        count(found.games),
        round_percent(found.expected),
        points(found.value),
        points(found.interval.low),
        points(found.interval.high),
        points(finding.against_ratings),
        instead.unwrap_or_default(),
    )
}

/// A game behind a finding, as a link if it has an address.
fn game(html: &mut Html, example: &Example, listing: Listing<'_>) {
    let year = match example.date / 10_000 {
        0 => String::new(),
        year => format!(", {year}"),
    };
    let names = format!("{}\u{2013}{}{year}", example.white, example.black);
    // The games of an explorer have their identity for a source.
    let link = listing.links.explorer.map(|explorer| explorer(&[("game", &example.source)]));
    match link.as_deref().or(example.link.as_deref().filter(|link| is_address(link))) {
        Some(link) => {
            html.element("a", &[("href", link), ("rel", "noopener noreferrer")], |html| {
                html.leaf("bdi", &[], &names);
            });
        }
        None => {
            html.leaf("bdi", &[], &names);
            html.text(" (");
            if listing.only_source != Some(&example.source) {
                html.leaf("bdi", &[], &example.source);
                html.text(", ");
            }
            // Without separators, so that it can be given to `eco filter --game`.
            html.text(&format!("game {})", example.number));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::PlayedAt;

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
        let (subject, links) = (Subject::Players, Links::default());
        game(&mut html, &example, Listing { subject, only_source: None, links });
        assert!(html.into_string().contains("game 75370)"));
    }
}
