//! `Explorer`: what was played in a position.

use eco::{
    chess::{Chess, EnPassantMode, PositionKey},
    classify::{Question, QuestionFault},
    collection::PositionQuery,
    output::{ExploredGame, ExploredMove, GameList, columns::BatchLayout},
    select::Player,
    store::Explorer as Collections,
};
use pyo3::prelude::*;

use crate::{
    arguments::{self, limit as read_limit, whole},
    catalogue::{Catalogue, Opening},
    errors::{DatabaseError, question_error, store_error, unknown_people},
    paths,
    position::{game_text, read_key, warn_of_slips},
    selection::Conditions,
    shutdown::Process,
    table::Table,
    tag::choose,
};

/// The games that `eco index` has put into the collections of a position database, asked by
/// position.
///
/// `collection` is the name of one, or a list of several; by default they are all. `catalogue` names
/// openings, as for `classify`.
///
/// Raises DatabaseError if the file is no position database, or has no such collection;
/// FileNotFoundError if it is not there.
#[pyclass(frozen, module = "eco_openings")]
pub(crate) struct Explorer {
    name: String,
    collections: Collections,
    catalogue: Catalogue,
    /// SQLite forbids that a connection is used in a process that was forked.
    process: Process,
}

#[pymethods]
impl Explorer {
    #[new]
    #[pyo3(signature = (db, collection = None, *, catalogue = None))]
    fn new(
        py: Python<'_>,
        db: &Bound<'_, PyAny>,
        collection: Option<&Bound<'_, PyAny>>,
        catalogue: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let db = paths::local(db)?;
        let catalogue = Catalogue::of_argument(catalogue)?;
        let collections = collection.map(arguments::texts).transpose()?.unwrap_or_default();
        py.detach(|| {
            let name = db.display().to_string();
            let failed = |error| store_error(&error, &name);
            let collections = Collections::open(&db, &collections).map_err(failed)?;
            if collections.collections().map_err(failed)?.is_empty() {
                let hint = format!("`eco index GAMES.pgn --db {name}` makes one");
                let text = format!("{name}: has no collection of games; {hint}");
                return Err(DatabaseError::new_err((text, name)));
            }
            Ok(Self { name, collections, catalogue, process: Process::current() })
        })
    }

    /// What was played in a position, whatever the order of moves that led to it.
    ///
    /// The position is a FEN, moves from the initial position, an address, a code or a name of an
    /// opening, a chess.Board, or a chess.pgn.Game, of which it is the end; by default it is the
    /// initial position. `select` is as for `classify`, without `game`: the games of a collection
    /// have no numbers. With `from_position` in it, games that begin in another position count too.
    ///
    /// `limit` keeps that many moves. Without `games` and `sort`, 4 games with the highest mean
    /// rating and the 4 latest are listed; `games` is another number, 0 for all, and `sort` is
    /// "rating" or "date".
    #[pyo3(signature = (position = None, *, select = None, limit = None, games = None, sort = None))]
    fn query(
        &self,
        py: Python<'_>,
        position: Option<&Bound<'_, PyAny>>,
        select: Option<&Bound<'_, PyAny>>,
        limit: Option<isize>,
        games: Option<isize>,
        sort: Option<&str>,
    ) -> PyResult<Explored> {
        self.process.check("Explorer")?;
        let key = position.map_or_else(|| Ok(initial_key()), |asked| self.asked_key(asked))?;
        let mut query = PositionQuery::default();
        let Conditions { selection, people, from_position } = self.conditions(select)?;
        query.selection = selection;
        query.from_position = from_position;
        query.reached = true;
        (query.top_games, query.recent_games) = read_lists(games, sort)?;
        let limit = read_limit(limit)?;
        py.detach(|| self.answer(&key, &query, &people, limit))
    }

    /// The names of players that have all words of a text as parts, with the number of their
    /// games: those with the most games first.
    #[pyo3(signature = (part, *, limit = 20))]
    fn players(&self, py: Python<'_>, part: &str, limit: isize) -> PyResult<Vec<(String, u64)>> {
        self.process.check("Explorer")?;
        let limit = read_limit(Some(limit))?;
        py.detach(|| self.collections.players(part, limit))
            .map_err(|error| store_error(&error, &self.name))
    }

    fn __repr__(&self) -> String {
        format!("Explorer({:?})", self.name)
    }
}

impl Explorer {
    /// The position of what a person types, of moves, of a board or of a game.
    fn asked_key(&self, position: &Bound<'_, PyAny>) -> PyResult<PositionKey> {
        if position.hasattr("fen")? || position.hasattr("mainline_moves")? {
            return read_key(position);
        }
        let openings = || Ok::<_, QuestionFault>(self.catalogue.openings());
        let question = Question::read(&game_text(position)?, &[], openings);
        let question = question.map_err(|fault| question_error(&fault))?;
        warn_of_slips(&question)?;
        Ok(question.key())
    }

    /// Games were named by the built-in catalogue before the database had one.
    fn conditions(&self, select: Option<&Bound<'_, PyAny>>) -> PyResult<Conditions> {
        let mut conditions = Conditions::read_of_kept(select)?;
        let catalogues = [self.catalogue.openings(), Catalogue::BUILTIN.openings()];
        conditions.understand_openings(&catalogues)?;
        Ok(conditions)
    }

    fn answer(
        &self,
        key: &PositionKey,
        query: &PositionQuery,
        people: &[String],
        limit: usize,
    ) -> PyResult<Explored> {
        let openings = self.catalogue.openings();
        let stats = self.collections.query(key, query);
        let stats = stats.map_err(|error| store_error(&error, &self.name))?;
        // Where games are found, a single player is one of theirs, unless several have the name.
        let is_surname = people.iter().any(|name| Player::asked(name).is_surname());
        if people.len() > 1 || is_surname || stats.score.games() + stats.ended.games() == 0 {
            self.check_people(people)?;
        }
        let moves = BatchLayout::new(ExploredMove::columns());
        let mut rows = moves.builder(0);
        let played = ExploredMove::all(&stats, key, openings);
        played.iter().take(limit).for_each(|row| moves.write(row, &mut rows));
        let games = BatchLayout::new(ExploredGame::columns());
        let mut found = games.builder(0);
        let listed = ExploredGame::all(&stats, key);
        listed.iter().for_each(|row| games.write(row, &mut found));
        Ok(Explored {
            key: key.to_string(),
            opening: openings.get(key).map(|line| Opening::new(openings, line)),
            white: stats.score.white,
            draws: stats.score.draws,
            black: stats.score.black,
            ended: stats.ended.games(),
            moves: Table::new(moves.schema(), vec![rows.finish()]),
            games: Table::new(games.schema(), vec![found.finish()]),
        })
    }

    fn check_people(&self, people: &[String]) -> PyResult<()> {
        let unknown = people.iter().map(|name| self.collections.unknown_player(name));
        let missing: Result<Vec<_>, _> = unknown.filter_map(Result::transpose).collect();
        let missing = missing.map_err(|error| store_error(&error, &self.name))?;
        if missing.is_empty() { Ok(()) } else { Err(unknown_people(&missing)) }
    }
}

fn initial_key() -> PositionKey {
    PositionKey::from_position(&Chess::default(), EnPassantMode::Legal)
}

/// The number of games of each list beside the moves: those with the highest mean rating, and the
/// latest.
fn read_lists(games: Option<isize>, sort: Option<&str>) -> PyResult<(usize, usize)> {
    let orders = [("rating", GameList::Top), ("date", GameList::Recent)];
    let sort = sort.map(|sort| choose("sort", sort, &orders)).transpose()?;
    let count = match whole("games", games)? {
        None => GAMES,
        Some(0) => usize::MAX,
        Some(count) => count,
    };
    Ok(match (sort, games) {
        (None, None) => (GAMES, GAMES),
        (Some(GameList::Recent), _) => (0, count),
        _ => (count, 0),
    })
}

/// The number of games of each list where none is asked for.
const GAMES: usize = 4;

/// What was played in a position.
#[pyclass(frozen, get_all, module = "eco_openings")]
pub(crate) struct Explored {
    /// The position.
    key: String,
    /// Its name.
    opening: Option<Opening>,
    /// The games that went on from here and that White won.
    white: u64,
    /// Those that were drawn.
    draws: u64,
    /// Those that Black won.
    black: u64,
    /// The games that ended here. They are in nothing else.
    ended: u64,
    /// The moves, with the columns of `eco explore`.
    moves: Table,
    /// The top and the latest games, with the columns of `eco explore --games`.
    games: Table,
}

#[pymethods]
impl Explored {
    fn __repr__(&self) -> String {
        let games = self.white + self.draws + self.black;
        format!("Explored({games} games, {} moves)", self.moves.len())
    }
}
