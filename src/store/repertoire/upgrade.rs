//! The games of repertoires of schema version 4, which were rows, become segments.
//!
//! Version 4 kept the first moves of a game, and few of its tags. More is not known of these games.

use std::num::NonZeroUsize;

use rusqlite::{Connection, params};

use super::game_rows::{GameRow, add_collection};
use crate::{
    chess::{Board, Fen},
    collection::{GameParts, KeptGame, KeptTags},
    pgn::GameDate,
    pipeline::Workers,
    select::{Fingerprint, GameResult},
    store::collection::{CollectedGames, write_segment},
};

/// Moves the games of the table `game_4` to segments and to the table `game`, and drops it.
pub(in crate::store) fn keep_games_in_segments(connection: &Connection) -> rusqlite::Result<()> {
    let mut repertoires = connection.prepare("SELECT DISTINCT repertoire_id FROM game_4")?;
    let repertoires: Vec<i64> =
        repertoires.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    repertoires.into_iter().try_for_each(|id| keep_games_of(connection, id))?;
    connection.execute_batch("DROP TABLE game_4")
}

fn keep_games_of(connection: &Connection, repertoire: i64) -> rusqlite::Result<()> {
    let collection = add_collection(connection, repertoire)?;
    let workers = Workers::new(NonZeroUsize::MIN);
    let mut collected = CollectedGames::new(0);
    let mut games = connection.prepare(
        "SELECT id, fingerprint, white, black, white_rating, black_rating, date, result, site,
             start, moves
         FROM game_4 WHERE repertoire_id = ?1 ORDER BY id",
    )?;
    let mut rows = games.query(params![repertoire])?;
    while let Some(row) = rows.next()? {
        let game = read_game(row)?;
        // Two fingerprints with one identity are as good as impossible.
        GameRow::of(&game).add(connection, repertoire, Some(row.get(0)?))?;
        collected.add(&game);
        if collected.is_full() {
            let full = std::mem::replace(&mut collected, CollectedGames::new(0));
            write_segment(connection, collection, full, &workers)?;
        }
    }
    if collected.len() > 0 {
        write_segment(connection, collection, collected, &workers)?;
    }
    Ok(())
}

/// A game of version 4.
fn read_game(row: &rusqlite::Row<'_>) -> rusqlite::Result<KeptGame> {
    let text = |column| row.get::<_, String>(column);
    let rating = |column| row.get::<_, Option<u16>>(column);
    let date: Option<GameDate> = row.get::<_, Option<String>>(6)?.and_then(|d| d.parse().ok());
    let start: Option<Fen> = row.get::<_, Option<String>>(9)?.and_then(|fen| fen.parse().ok());
    let result = GameResult::read(text(7)?.as_bytes());
    let mut tags = KeptTags::default();
    let mut push = |name: &str, value: Option<String>| {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            tags.push(name.as_bytes(), value.as_bytes());
        }
    };
    push("Site", Some(text(8)?));
    push("Date", date.map(pgn_date));
    push("White", Some(text(2)?));
    push("Black", Some(text(3)?));
    push("Result", Some(result.as_str().to_owned()));
    push("WhiteElo", rating(4)?.map(|rating| rating.to_string()));
    push("BlackElo", rating(5)?.map(|rating| rating.to_string()));
    push("FEN", start.as_ref().map(ToString::to_string));
    let position = start.as_ref().and_then(|start| start.to_position().ok());
    let mut board = position.map_or_else(Board::default, |p| Board::from_position(&p));
    let moves = text(10)?;
    let words = moves.split_ascii_whitespace();
    let codes = words.map_while(|word| board.play_to_code(word.as_bytes()).ok().flatten());
    let (codes, fingerprint) = (codes.collect(), Fingerprint(row.get(1)?));
    let (rest, opening) = (Vec::new(), None);
    Ok(KeptGame::from(GameParts { fingerprint, tags, codes, rest, result, opening }))
}

/// A date as PGN writes it.
fn pgn_date(date: GameDate) -> String {
    let text = date.to_string();
    let mut parts = text.split('-');
    let [year, month, day] = [(); 3].map(|()| parts.next().unwrap_or("??"));
    format!("{year}.{month}.{day}")
}
