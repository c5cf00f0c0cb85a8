//! Strengths and weaknesses in words.

use super::{
    html::Html,
    number::{count, games, points, round_percent},
};
use crate::stats::{Example, Finding, FindingLine, Findings, Subject};

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
    let openings = match findings.looked_at {
        0 => "No opening has".to_owned(),
        1 => "One opening has".to_owned(),
        more => format!("{more} openings have"),
    };
    let sides = match subject {
        Subject::Archive => "",
        Subject::Players => ", both colours together",
    };
    let mut note = format!(
        "{openings} the 20 rated games that a finding needs{sides}. What is listed differs from \
         expectation at a false discovery rate of 10 %, the surest and greatest differences first. \
         Openings are variations; `eco stats --strengths` and --weaknesses list the \
         same."
    );
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
        html.element("strong", &[], |html| html.leaf("bdi", &[], &finding.name));
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

/// The lines of a finding, each with its games.
fn lines(html: &mut Html, lines: &[FindingLine]) {
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
pub(super) fn sentence(finding: &Finding, subject: Subject) -> String {
    let found = &finding.difference;
    let who = match subject {
        Subject::Archive => "White scored",
        Subject::Players => "scored",
    };
    format!(
        "{who} {} of {} games where {} was expected: {} points, 95 % between {} and {}; {} when \
         shrunk towards its family.",
        round_percent(found.score),
        count(found.games),
        round_percent(found.expected),
        points(found.value),
        points(found.interval.low),
        points(found.interval.high),
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
fn is_address(text: &str) -> bool {
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
