//! A report as one page with pictures.
//!
//! A [`Page`] holds the numbers of a [`stats::Report`](crate::stats::Report) and what they are
//! about, and writes them as HTML. The page needs nothing else: no network, no fonts, and no
//! script, except to sort tables. The same numbers make the same bytes. Each picture has its
//! numbers in a table below it, for screen readers and for exact values.
//!
//! Names are text of files. They are escaped where they are written, in `html`, and nowhere else;
//! characters that control a terminal or the direction of text become spaces, and only addresses of
//! `http` and `https` become links.
//!
//! The pictures are SVG, drawn here and not by a plotting crate. Those draw axes and series, which
//! are the easy part; a map of openings with names that fit, intervals beside bars, and flows of
//! moves are in none of them. Each picture comes in two widths, for screens and for telephones,
//! because letters that shrink with the picture cannot be read.

mod compared;
mod departures;
mod dots;
mod findings;
mod flows;
mod headline;
mod html;
mod icicle;
mod links;
mod openings;
mod prospects;
mod svg;
mod timeline;
mod week;

use dots::{bars, histogram};
use findings::{Listing, findings, summary};
use html::{Html, Table, count, points};
use links::Links;
use openings::{Scores, dots_legend, openings};
use svg::{Screen, figure};

use crate::stats::{Bin, Period, RatingHistory, Report, Slice, Subject};
use crate::{chess::Language, executor::Executor};
pub use compared::Compared;
pub use departures::{Departed, Departures};
pub use findings::title;
pub use headline::Topic;
pub use links::Explorer;
pub use prospects::ProspectsPage;
use timeline::Series;
pub use week::WeekPage;

/// A report as a page.
///
/// ```
/// use eco::{catalogue::Catalogue, classify::Classifier, executor::OneThread, pgn::games};
/// use eco::report::{Page, Topic};
/// use eco::stats::{Perspective, ReportCounter, ScoredGame, Subject};
///
/// let catalogue = Catalogue::builtin();
/// let classifier = Classifier::new(catalogue);
/// let mut counter = ReportCounter::new(catalogue, Subject::Archive);
/// for game in games(b"[White \"<b>\"]\n[Result \"1-0\"]\n\n1. e4 c5 1-0\n") {
///     let scored = ScoredGame::read(&classifier, &game);
///     counter.add(&scored, "games.pgn", Perspective::Everybody);
/// }
/// let report = counter.finish_on(catalogue, &OneThread);
/// let html = Page::new(Topic::default(), report).to_html(&OneThread);
/// assert!(html.contains("Sicilian Defense") && html.contains("&lt;b&gt;"));
/// ```
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Page {
    /// What it is about.
    pub topic: Topic,
    /// Its numbers.
    pub report: Report,
    /// Where the games left a repertoire.
    pub departures: Option<Departures>,
    /// What the games are compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compared: Option<Compared>,
    #[serde(skip)]
    language: Language,
}

/// Where a page has its style and its script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Assets {
    /// In itself.
    Within,
    /// In files beside it, which a server has.
    Beside,
}

impl Page {
    /// A page of these numbers.
    pub fn new(topic: Topic, report: Report) -> Self {
        Self { topic, report, departures: None, compared: None, language: Language::default() }
    }

    /// The page with the piece letters of a language.
    #[must_use]
    pub fn in_language(mut self, language: Language) -> Self {
        if language != Language::English {
            self.report.findings.translate_moves(language);
            self.report.sides.iter_mut().for_each(|side| side.translate_moves(language));
            self.departures.iter_mut().for_each(|departures| departures.translate_moves(language));
            self.language = language;
        }
        self
    }

    /// The page as HTML, which is XML as well, with sections that are written on these threads.
    pub fn to_html(&self, executor: &impl Executor) -> String {
        self.html(executor, None)
    }

    /// The page as a part of an explorer, to which it leads. Its style is at `/report.css`, its
    /// script at `/report.js`.
    pub fn to_html_within(&self, explorer: &Explorer<'_>, executor: &impl Executor) -> String {
        self.html(executor, Some(explorer))
    }

    fn html(&self, executor: &impl Executor, explorer: Option<&Explorer<'_>>) -> String {
        let (subject, findings) = (self.subject(), &self.report.findings);
        let class = match subject {
            Subject::Archive => "archive",
            Subject::Players => "players",
        };
        let head = Head {
            title: &self.topic.title,
            description: summary(findings, subject).unwrap_or_default(),
            class,
            assets: if explorer.is_some() { Assets::Beside } else { Assets::Within },
        };
        let links = Links { explorer, language: self.language, color: None };
        document(&head, |html| self.body(html, links, executor))
    }

    /// Whether the report has sides, those of players.
    fn subject(&self) -> Subject {
        match self.report.sides.iter().any(|side| side.side.is_some()) {
            true => Subject::Players,
            false => Subject::Archive,
        }
    }

    /// The sections, in their order.
    fn sections<'p>(&'p self, links: Links<'p>) -> Vec<Section<'p>> {
        let (report, subject) = (&self.report, self.subject());
        let listing = Listing { subject, only_source: self.topic.only_source(), links };
        let mut sections: Vec<Section<'_>> = Vec::new();
        sections.push(Box::new(move |html| {
            section(html, "What stands out", |html| findings(html, &report.findings, listing));
        }));
        sections.push(Box::new(move |html| headline::figures(html, report, subject)));
        if let Some(compared) = &self.compared {
            sections.push(Box::new(move |html| {
                section(html, &format!("Beside {}", compared.name), |html| {
                    compared.write(html, report, subject);
                });
            }));
        }
        for side in &report.sides {
            sections.push(Box::new(move |html| openings(html, side, subject, links)));
        }
        if let Some(departures) = &self.departures {
            sections.push(Box::new(|html| {
                section(html, "Out of the repertoire", |html| departures.write(html));
            }));
        }
        sections.push(Box::new(move |html| over_time(html, report, subject, links)));
        sections.push(Box::new(move |html| occasions(html, report, subject, links)));
        sections.push(Box::new(|html| lengths(html, report)));
        sections.push(Box::new(move |html| people(html, report, subject, links)));
        sections
    }

    fn body(&self, html: &mut Html, links: Links<'_>, executor: &impl Executor) {
        if let Some(explorer) = links.to(&[]) {
            html.element("nav", &[], |html| html.leaf("a", &[("href", &explorer)], "Explorer"));
        }
        headline::title(html, &self.topic);
        let report = &self.report;
        html.element("main", &[], |html| {
            if report.games == 0 {
                headline::nothing(html, &self.topic, &report.left_out);
                return;
            }
            let written = executor.map(self.sections(links), |write| {
                let mut section = Html::default();
                write(&mut section);
                section
            });
            written.iter().for_each(|section| html.append(section));
        });
        footer(html, self.subject());
    }
}

/// What a page says before its body.
struct Head<'p> {
    title: &'p str,
    /// What is shown of a page that is shared.
    description: String,
    class: &'p str,
    assets: Assets,
}

/// A page about players that holds all it needs, of these sections, which a command makes.
fn page_of(topic: &Topic, command: &str, sections: impl FnOnce(&mut Html)) -> String {
    let (title, description) = (&*topic.title, String::new());
    let head = Head { title, description, class: "players", assets: Assets::Within };
    document(&head, |html| {
        headline::title(html, topic);
        html.element("main", &[], sections);
        let text = format!("Made by eco; `eco {command} --help` says what the numbers are.");
        html.element("footer", &[], |html| html.leaf("p", &[], &text));
    })
}

/// A page with this body, and the script after it.
fn document(head: &Head<'_>, body: impl FnOnce(&mut Html)) -> String {
    let Head { title, description, class, assets } = head;
    let mut html = Html::default();
    html.verbatim("<!DOCTYPE html>\n");
    html.element("html", &[("lang", "en")], |html| {
        html.element("head", &[], |html| {
            html.void("meta", &[("charset", "utf-8")]);
            let viewport = "width=device-width, initial-scale=1";
            html.void("meta", &[("name", "viewport"), ("content", viewport)]);
            html.void("meta", &[("name", "generator"), ("content", "eco")]);
            html.void("meta", &[("name", "referrer"), ("content", "no-referrer")]);
            html.leaf("title", &[], title);
            for (name, content) in [("og:title", *title), ("og:description", description)] {
                html.void("meta", &[("property", name), ("content", content)]);
            }
            match assets {
                Assets::Within => html.element("style", &[], |html| html.verbatim(STYLE)),
                Assets::Beside => {
                    for (what, file) in [("stylesheet", "/report.css"), ("icon", "/icon.svg")] {
                        html.void("link", &[("rel", what), ("href", file)]);
                    }
                }
            }
        });
        html.element("body", &[("class", class)], |html| {
            body(html);
            match assets {
                Assets::Within => html.element("script", &[], |html| html.verbatim(SCRIPT)),
                Assets::Beside => html.leaf("script", &[("src", "/report.js")], ""),
            }
        });
    });
    html.end_line();
    html.into_string()
}

type Section<'p> = Box<dyn FnOnce(&mut Html) + Send + 'p>;

fn section(html: &mut Html, title: &str, content: impl FnOnce(&mut Html)) {
    html.element("section", &[], |html| {
        html.leaf("h2", &[], title);
        content(html);
    });
    html.end_line();
}

fn over_time(html: &mut Html, report: &Report, subject: Subject, links: Links<'_>) {
    let periods = &report.periods;
    if periods.is_empty() {
        return;
    }
    let noun = match report.period {
        Period::Year => "year",
        Period::Month => "month",
    };
    let families = report.popularity.iter().map(|family| (&*family.family, &*family.per_1000));
    let families: Vec<Series<'_>> = families.collect();
    let speed = |history: &RatingHistory| match &history.speed {
        Some(speed) => speed.clone(),
        None => "no time control".to_owned(),
    };
    let speeds: Vec<String> = report.ratings.iter().map(speed).collect();
    let means = report.ratings.iter().map(|history| &*history.means);
    let ratings: Vec<Series<'_>> = speeds.iter().map(|speed| &**speed).zip(means).collect();
    section(html, "Over time", |html| {
        let gaps = timeline::gaps(periods, noun);
        let lead = format!("Games per 1,000 of each {noun}.{gaps}");
        let title = ["Popularity of the commonest families", "Games per 1,000", &lead];
        many_over_time(html, title, &families, (noun, periods), 1);
        let lead = format!("The mean of the own ratings in each {noun}.{gaps}");
        many_over_time(html, ["Rating", "Mean rating", &lead], &ratings, (noun, periods), 0);
        html.leaf("h3", &[], "Score against expectation");
        let base = base_of_all(report, subject);
        if base != 0.0 {
            let lead = format!("Expected is what the ratings predict and {} points.", points(base));
            html.leaf("p", &[("class", "lead")], &lead);
        }
        figure(html, "Score and expectation over time", Screen::BOTH, |drawing, screen| {
            timeline::score(drawing, periods, links, screen)
        });
        let mut table = Table::of_figures("Score and expectation over time", noun, subject);
        let played = periods.iter().filter(|period| period.figures.games > 0);
        played.for_each(|period| table.push_figures(&period.label, 0, &period.figures));
        table.write(html);
    });
}

/// Writes values over time, each in a panel, under a title, with a caption for the table and a
/// lead.
fn many_over_time(
    html: &mut Html,
    [title, caption, lead]: [&str; 3],
    series: &[Series<'_>],
    (noun, periods): (&str, &[Slice]),
    places: usize,
) {
    if series.is_empty() {
        return;
    }
    html.leaf("h3", &[], title);
    html.leaf("p", &[("class", "lead")], lead);
    figure(html, &format!("{title} over time"), Screen::BOTH, |drawing, screen| {
        timeline::panels(drawing, series, periods, screen)
    });
    let names = series.iter().map(|(name, _)| *name);
    let heads: Vec<&str> = [noun, "games"].into_iter().chain(names).collect();
    let mut table = Table::new(caption, &heads);
    timeline::rows(series, periods, places).into_iter().for_each(|row| table.push(0, row));
    table.write(html);
}

/// What is expected besides what the ratings predict where games are not divided by side: those of
/// an archive are all seen from White, those of players have both colours.
fn base_of_all(report: &Report, subject: Subject) -> f64 {
    match (subject, &report.sides[..]) {
        (Subject::Archive, [all]) => all.advantage,
        _ => 0.0,
    }
}

/// Speeds, rating gaps, weekdays, hours and seasons, as far as tags tell.
fn occasions(html: &mut Html, report: &Report, subject: Subject, links: Links<'_>) {
    let gap = match subject {
        Subject::Archive => "By rating of White minus that of Black",
        Subject::Players => "By own rating minus the opponent's",
    };
    let parts: [(&str, &str, &[Slice]); 5] = [
        ("By speed", "speed", &report.speeds),
        (gap, "difference", &report.rating_gaps),
        ("By day of the week", "day", &report.weekdays),
        ("By hour (UTC if the tags have it)", "hour", &report.hours),
        ("By season", "season", &report.seasons),
    ];
    if parts.iter().all(|(_, _, part)| part.is_empty()) {
        return;
    }
    let base = base_of_all(report, subject);
    section(html, "When and against whom", |html| {
        dots_legend(html, base);
        html.element("div", &[("class", "pair")], |html| {
            for (title, head, slices) in parts.into_iter().filter(|(_, _, part)| !part.is_empty()) {
                let to_speed = |label: &str| links.to(&[("speed", label)]);
                let link = |label: &str| if head == "speed" { to_speed(label) } else { None };
                html.element("div", &[("id", head)], |html| {
                    html.leaf("h3", &[], title);
                    let scores = Scores { title, head, slices, base, subject, link: &link };
                    scores.write(html, &[Screen::Half]);
                });
            }
        });
    });
}

fn lengths(html: &mut Html, report: &Report) {
    let parts: [(&str, &[Bin], u64, Option<f64>); 2] = [
        ("Length of games in plies", &report.lengths, 10, report.figures.plies),
        ("Ply of the last named position", &report.exits, 1, report.figures.exit),
    ];
    section(html, "How long", |html| {
        html.element("div", &[("class", "pair")], |html| {
            for (title, bins, wide, median) in parts {
                let bars = bars(bins, wide);
                html.element("div", &[], |html| {
                    html.leaf("h3", &[], title);
                    figure(html, title, &[Screen::Half], |drawing, screen| {
                        histogram(drawing, &bars, median, screen)
                    });
                    let mut table = Table::new(title, &["plies", "games"]);
                    bars.iter().for_each(|bar| table.push(0, vec![bar.plies(), count(bar.games)]));
                    table.write(html);
                });
            }
        });
    });
}

fn people(html: &mut Html, report: &Report, subject: Subject, links: Links<'_>) {
    if report.people.is_empty() {
        return;
    }
    let (title, head) = match subject {
        Subject::Archive => ("Players", "player"),
        Subject::Players => ("Opponents", "opponent"),
    };
    section(html, title, |html| {
        let (shown, all) = (report.people.len(), report.people_count as u64);
        let of = if shown as u64 == all { String::new() } else { format!(" of {}", count(all)) };
        let lead = match subject {
            Subject::Archive => {
                format!("The {shown}{of} with the most games, each from their own side.")
            }
            Subject::Players => {
                format!("The {shown}{of} met most often; scores are those against them.")
            }
        };
        html.leaf("p", &[("class", "lead")], &lead);
        let condition = if subject == Subject::Archive { "player" } else { "against" };
        let link = |name: &str| links.to(&[(condition, name)]);
        let (slices, subject) = (&report.people, Subject::Players);
        let scores = Scores { title, head, slices, base: 0.0, subject, link: &link };
        scores.write(html, Screen::BOTH);
    });
}

fn footer(html: &mut Html, subject: Subject) {
    let besides = match subject {
        Subject::Archive => "White's advantage, where the text says so",
        Subject::Players => "the share of the colour, where the text says so",
    };
    html.element("footer", &[], |html| {
        let text = format!(
            "Scores are shares of the points in games with a result. Their intervals are Wilson's, at \
             95 %. The ratings predict the mean of 1 / (1 + 10^(-d/400)) over the games with both \
             ratings, where d is the difference of ratings within 400. Expected is that and {besides}; \
             diff is the score of these games minus what is expected, in percentage points. Openings \
             are named by the last named position of each game."
        );
        html.leaf("p", &[], &text);
        html.leaf("p", &[], "Made by eco; `eco stats --help` has the formulas.");
    });
}

/// The style sheet. Nothing in it is fetched from anywhere.
pub(crate) const STYLE: &str = include_str!("page.css");

/// Makes tables sortable; without it they are in order of the pictures.
pub(crate) const SCRIPT: &str = include_str!("page.js");
