//! The rows of games: what there is to say of them, for people, and their numbers.

use std::borrow::Cow;

use hashbrown::HashMap;
use rusqlite::{Connection, params};

use crate::{
    collection::{GameId, KeptGame},
    repertoire::known_text,
    select::GameResult,
    store::btree::Record,
};

/// The row of a game.
pub(super) struct GameRow<'g> {
    identity: i64,
    names: [Cow<'g, str>; 2],
    ratings: [Option<u16>; 2],
    date: Option<String>,
    result: GameResult,
    event: Cow<'g, str>,
    site: Cow<'g, str>,
    time_control: Cow<'g, str>,
    link: Option<Cow<'g, str>>,
}

impl<'g> GameRow<'g> {
    pub(super) fn of(game: &'g KeptGame) -> Self {
        let details = game.details();
        let text = |name: &str| known_text(game.tag(name));
        Self {
            identity: game.id().number().cast_signed(),
            names: ["White", "Black"].map(text),
            ratings: details.ratings,
            date: details.date.map(|date| date.to_string()),
            result: game.result(),
            event: text("Event"),
            site: text("Site"),
            time_control: text("TimeControl"),
            link: game.info().link().map(|link| Cow::Owned(link.into_owned())),
        }
    }

    /// The identity of the game.
    pub(super) fn identity(&self) -> i64 {
        self.identity
    }

    /// The names of White and Black.
    pub(super) fn names(&self) -> [&str; 2] {
        self.names.each_ref().map(|name| &**name)
    }

    /// The ratings of White and Black, as far as they are known.
    fn ratings(&self) -> [Option<u16>; 2] {
        self.ratings.map(|rating| rating.filter(|rating| *rating > 0))
    }

    /// Writes the columns of the row to a record.
    pub(super) fn write(&self, repertoire: i64, record: &mut Record) {
        // The id, which a record does not repeat.
        record.null();
        record.integer(repertoire);
        record.integer(self.identity);
        self.names.iter().for_each(|name| record.text(name));
        self.ratings().into_iter().for_each(|rating| record.optional_integer(rating));
        record.optional_text(self.date.as_deref());
        record.text(self.result.as_str());
        for text in [&self.event, &self.site, &self.time_control] {
            record.text(text);
        }
        record.optional_text(self.link.as_deref());
    }

    /// Adds the row of a game of a repertoire, with the next number unless it has one. Returns the
    /// number.
    pub(super) fn add(
        &self,
        connection: &Connection,
        repertoire: i64,
        number: Option<i64>,
    ) -> rusqlite::Result<i64> {
        let mut add = connection.prepare_cached(
            "INSERT INTO game (id, repertoire_id, identity, white, black, white_rating,
                 black_rating, date, result, event, site, time_control, link)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
        )?;
        let [white, black] = &self.names;
        let [white_rating, black_rating] = self.ratings();
        add.insert(params![
            number,
            repertoire,
            self.identity,
            white,
            black,
            white_rating,
            black_rating,
            self.date,
            self.result.as_str(),
            self.event,
            self.site,
            self.time_control,
            self.link,
        ])
    }
}

/// The indexes of the table of games, which are made when its first games are in: to sort all of
/// them once takes less than to find the place of each.
#[derive(Debug, Default)]
pub(super) struct LaterIndexes(Vec<String>);

impl LaterIndexes {
    /// Drops the indexes, if there are no games yet.
    pub(super) fn drop_from(connection: &Connection) -> rusqlite::Result<Self> {
        let has_games = "SELECT EXISTS (SELECT * FROM game)";
        if connection.query_row(has_games, [], |row| row.get(0))? {
            return Ok(Self::default());
        }
        let mut indexes = connection.prepare(
            "SELECT name, sql FROM sqlite_schema
             WHERE type = 'index' AND tbl_name = 'game' AND sql IS NOT NULL",
        )?;
        let indexes = indexes.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let indexes: Vec<(String, String)> = indexes.collect::<Result<_, _>>()?;
        for (name, _) in &indexes {
            connection.execute(&format!("DROP INDEX {name}"), [])?;
        }
        Ok(Self(indexes.into_iter().map(|(_, sql)| sql).collect()))
    }

    /// Makes the indexes again.
    pub(super) fn make(self, connection: &Connection) -> rusqlite::Result<()> {
        self.0.iter().try_for_each(|sql| connection.execute(sql, []).map(drop))
    }
}

/// The numbers of the games of a repertoire.
pub(super) struct GameNumbers(HashMap<GameId, u32>);

impl GameNumbers {
    pub(super) fn read(connection: &Connection, repertoire: i64) -> rusqlite::Result<Self> {
        let mut rows =
            connection.prepare("SELECT identity, id FROM game WHERE repertoire_id = ?1")?;
        let number = |row: &rusqlite::Row<'_>| {
            let id: i64 = row.get(0)?;
            Ok((GameId::from_number(id.cast_unsigned()), row.get(1)?))
        };
        rows.query_map([repertoire], number)?.collect::<Result<_, _>>().map(Self)
    }

    pub(super) fn of(&self, id: GameId) -> Option<u32> {
        self.0.get(&id).copied()
    }
}

/// Adds the collection that has the games of a repertoire, and returns its id. Positions are not
/// found in it: they are counted.
pub(super) fn add_collection(connection: &Connection, repertoire: i64) -> rusqlite::Result<i64> {
    // A name that nobody can type.
    let mut add = connection.prepare(
        "INSERT INTO collection (name, max_ply, repertoire_id) VALUES (' repertoire ' || ?1, 0, ?1)",
    )?;
    add.insert([repertoire])
}
