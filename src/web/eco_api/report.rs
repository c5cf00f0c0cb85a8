//! `/eco/report`: the report of the games that are asked for, as a page that leads to the explorer.

use super::position::check_players;
use crate::chess::{Chess, Color, PositionKey};
use crate::collection::{KeptGame, PositionQuery};
use crate::report::{Page, Topic, title};
use crate::stats::{Perspective, ReportCounter, ScoredGame, Subject};
use crate::store::{Explorer, StoreError};
use crate::web::answer::{Answer, Fault};
use crate::web::request::{LANG, Parameters, Request, SELECTION, read_query};
use crate::{classify::Classifier, executor::OneThread, pgn::games, select::Selector};

/// A report of more games would take too long.
const MOST: u64 = 100_000;

/// What was played and how it scored in the games that are selected.
pub(in crate::web) fn report(request: &Request<'_>) -> Result<Answer, Fault> {
    let parameters = &request.parameters;
    parameters.check_names(&[&["collection"], &SELECTION])?;
    let mut query = read_query(parameters)?;
    request.database.understand_openings(&mut query.selection)?;
    let explorer = request.named_explorer()?;
    let score = explorer.query(&start(), &query)?;
    let games = score.score.games() + score.ended.games();
    check_players(parameters, &explorer, games)?;
    if games > MOST {
        return Err(Fault::bad_request(format_args!(
            "{games} games fit, and a report has at most {MOST}: choose a player, years or a speed \
             among the filters; `eco report` has no such limit"
        )));
    }
    let report = counted(request, &explorer, query)?.finish_on(request.catalogue, &OneThread);
    let topic = topic(parameters, &explorer, |who| title(who, &report))?;
    let page = Page::new(topic, report).in_language(request.catalogue.language());
    Ok(Answer::page(&page.to_html_within(&|more| address(parameters, more), &OneThread)))
}

fn start() -> PositionKey {
    (&Chess::default()).into()
}

/// Counts the games; of one colour, beside those of the other, as `eco report` does.
fn counted(
    request: &Request<'_>,
    explorer: &Explorer,
    mut query: PositionQuery,
) -> Result<ReportCounter, StoreError> {
    let classifier = Classifier::new(request.catalogue);
    let mut counter = ReportCounter::new(request.catalogue, Subject::of(&query.selection));
    if let Some(color) = query.selection.color.take() {
        counter = counter.with_color(color);
    }
    let selector = Selector::new(query.selection.clone(), classifier);
    explorer.games(&start(), &query, |game: KeptGame| {
        let pgn = game.to_pgn();
        let (Some(read), Some(found)) = (games(&pgn).next(), selector.select(&game.info())) else {
            return Ok(());
        };
        let sides: Vec<Color> = found.sides().collect();
        let scored = ScoredGame::read(&classifier, &read);
        // Where files have a name, games here have theirs.
        counter.add(&scored, &game.id().to_string(), Perspective::of(&sides));
        Ok::<(), StoreError>(())
    })?;
    Ok(counter)
}

fn topic(
    parameters: &Parameters,
    explorer: &Explorer,
    title: impl FnOnce(&str) -> String,
) -> Result<Topic, StoreError> {
    let collections = explorer.collections()?;
    let conditions = parameters.pairs().filter(|(name, _)| !["collection", LANG].contains(name));
    Ok(Topic {
        title: title(&parameters.all("player").collect::<Vec<_>>().join(" and ")),
        games_read: collections.iter().map(|info| info.games).sum(),
        sources: collections.into_iter().map(|info| info.name).collect(),
        selection: conditions.map(|(name, value)| format!("{name} {value}")).collect(),
        ..Topic::default()
    })
}

/// The address of the explorer with the conditions of a report, and more in the place of those of
/// the same name.
fn address(parameters: &Parameters, more: &[(&str, &str)]) -> String {
    let kept = parameters.pairs().filter(|(name, _)| !more.iter().any(|(other, _)| other == name));
    format!("/?{}", Parameters::written(kept.chain(more.iter().copied())))
}
