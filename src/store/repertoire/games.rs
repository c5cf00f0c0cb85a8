//! The games of a repertoire.

use std::{
    collections::BTreeMap,
    num::{NonZeroU16, NonZeroU32},
    ops::ControlFlow,
};

use super::info::RepertoireInfo;
use crate::{
    chess::{Board, Color, EnPassantMode, Fen, Position as _, PositionKey},
    collection::KeptGame,
    pipeline::Feed,
    repertoire::{GameFacts, GameLines, PlayedGame, known_text},
    select::Selection,
    store::{CollectionInfo, collection::StoredLine, database::Database, error::StoreError},
};

/// The number of games that a worker counts at a time.
const GAMES_AT_A_TIME: usize = 512;

impl Database {
    /// The selected games of a repertoire with moves that can be played, in the order in which they
    /// are stored, up to a ply. It may be beyond the one that the repertoire counts to: games are
    /// kept whole.
    ///
    /// # Errors
    ///
    /// If there is no repertoire of this name, or the file cannot be read.
    pub fn games(
        &self,
        name: &str,
        max_ply: usize,
        selection: &Selection,
        visit: &mut dyn FnMut(PlayedGame) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let info = self.repertoire(name)?;
        self.kept_games_of_repertoire(&info, &mut played_games(max_ply, selection, visit))
    }

    /// Calls `visit` with the games of a repertoire, whole, in the order of
    /// [`games`](Self::games), until it breaks.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn kept_games_of_repertoire(
        &self,
        info: &RepertoireInfo,
        visit: &mut dyn FnMut(KeptGame) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        match self.collection_of_repertoire(info.id)? {
            Some(collection) => self.kept_games(&collection, visit),
            None => Ok(()),
        }
    }

    /// As [`games`](Self::games), of a collection.
    ///
    /// # Errors
    ///
    /// If there is no collection of this name, or the file cannot be read.
    pub fn games_of_collection(
        &self,
        name: &str,
        max_ply: usize,
        selection: &Selection,
        visit: &mut dyn FnMut(PlayedGame) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        self.kept_games(&self.collection(name)?, &mut played_games(max_ply, selection, visit))
    }

    /// The number of games of a repertoire.
    pub(super) fn game_count(&self, info: &RepertoireInfo) -> Result<u64, StoreError> {
        let collection = self.collection_of_repertoire(info.id)?;
        Ok(collection.map_or(0, |collection| collection.games))
    }

    /// The collection of the games of a repertoire, which is made if there is none. Positions are
    /// not found in it: they are counted.
    pub(super) fn set_up_games(&self, info: &RepertoireInfo) -> Result<CollectionInfo, StoreError> {
        // A name that nobody can type.
        let sql = "INSERT INTO collection (name, max_ply, repertoire_id)
             VALUES (' repertoire ' || ?1, 0, ?1) ON CONFLICT DO NOTHING";
        self.execute(sql, [info.id])?;
        let made = self.collection_of_repertoire(info.id)?;
        made.ok_or_else(|| StoreError::damaged(&self.name, &"a collection is not kept"))
    }

    /// The positions that games of a repertoire begin with, and the least numbers of their first
    /// moves.
    pub(super) fn starts(
        &self,
        info: &RepertoireInfo,
    ) -> Result<BTreeMap<PositionKey, NonZeroU32>, StoreError> {
        let mut starts = BTreeMap::new();
        let Some(collection) = self.collection_of_repertoire(info.id)? else { return Ok(starts) };
        for segment in self.segments(&collection)? {
            self.each_start(segment, |start| {
                let number = starts
                    .entry(Board::from_position(&start).key())
                    .or_insert_with(|| start.fullmoves());
                *number = start.fullmoves().min(*number);
            })?;
        }
        Ok(starts)
    }

    /// Feeds the first moves of all games of a repertoire. A game has its number among them.
    pub(super) fn feed_lines(
        &self,
        info: &RepertoireInfo,
        push: &mut Feed<'_, GameLines, StoreError>,
    ) -> Result<(), StoreError> {
        let Some(collection) = self.collection_of_repertoire(info.id)? else { return Ok(()) };
        let max_ply = info.max_ply as usize;
        let mut number = 0;
        for segment in self.segments(&collection)? {
            let mut lines = GameLines::new(max_ply);
            self.each_line(segment, |line| {
                number += 1;
                let StoredLine { codes, start, .. } = line;
                lines.push(codes, start, facts(&line, NonZeroU32::new(number), info.color));
                if lines.len() < GAMES_AT_A_TIME {
                    return Ok(());
                }
                push(std::mem::replace(&mut lines, GameLines::new(max_ply)))
            })?;
            push(lines)?;
        }
        Ok(())
    }
}

/// What a count needs to know of a game.
fn facts(line: &StoredLine<'_>, number: Option<NonZeroU32>, side: Color) -> GameFacts {
    let (facts, at) = line.facts;
    GameFacts {
        number,
        date: facts.date(at),
        played_at: facts.played_at(at),
        half_points: facts.result(at).half_points(side),
        opponent: facts.rating(at, !side).and_then(NonZeroU16::new),
    }
}

/// Hands on the selected games that are kept whole and have moves, up to a ply.
fn played_games(
    max_ply: usize,
    selection: &Selection,
    visit: &mut dyn FnMut(PlayedGame) -> ControlFlow<()>,
) -> impl FnMut(KeptGame) -> ControlFlow<()> {
    move |game| {
        if game.codes().is_empty() || !game.is_selected(selection) {
            return ControlFlow::Continue(());
        }
        visit(played_game(&game, max_ply))
    }
}

/// The first moves of a game that is kept whole.
fn played_game(game: &KeptGame, max_ply: usize) -> PlayedGame {
    let details = game.details();
    let [white_rating, black_rating] =
        details.ratings.map(|rating| rating.and_then(NonZeroU16::new));
    let start = game.set_up().map(|start| Fen::from_position(&start, EnPassantMode::Legal));
    PlayedGame {
        fingerprint: game.fingerprint(),
        white: known_text(game.tag("White")).into_owned(),
        black: known_text(game.tag("Black")).into_owned(),
        white_rating,
        black_rating,
        date: details.date,
        played_at: details.played_at,
        result: game.result(),
        site: known_text(game.tag("Site")).into_owned(),
        start,
        codes: game.codes()[..game.codes().len().min(max_ply)].to_vec(),
    }
}
