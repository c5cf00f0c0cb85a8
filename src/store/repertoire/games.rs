//! The games of a repertoire.

use std::{num::NonZeroU16, ops::ControlFlow};

use super::{
    game_rows::{GameNumbers, add_collection},
    info::RepertoireInfo,
};
use crate::{
    chess::{Color, EnPassantMode, Fen},
    collection::KeptGame,
    pipeline::Feed,
    repertoire::{GameFacts, GameLines, PlayedGame, known_text},
    select::Selection,
    store::{
        CollectionInfo,
        collection::StoredLine,
        database::Database,
        error::{InFile, StoreError},
    },
};

/// The number of games that a worker counts at a time.
const GAMES_AT_A_TIME: usize = 512;

impl Database {
    /// The selected games of a repertoire, in the order in which they were added within each part,
    /// up to a ply. It may be beyond the one that the repertoire counts to: games are kept whole,
    /// but for those of files that an older version began.
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
        let Some(collection) = self.collection_of_repertoire(info.id)? else { return Ok(()) };
        let numbers = self.game_numbers(&info)?;
        for segment in self.segments(&collection)? {
            let mut games = Vec::with_capacity(segment.games as usize);
            let _ = self.each_kept_game(segment, |game| {
                if game.is_selected(selection) {
                    games.push((numbers.of(game.id()), played_game(&game, max_ply)));
                }
                Ok(ControlFlow::Continue(()))
            })?;
            games.sort_by_key(|(number, _)| *number);
            if games.into_iter().any(|(_, game)| visit(game).is_break()) {
                break;
            }
        }
        Ok(())
    }

    /// The selected games of a collection with moves that can be played, in the order in which
    /// they are stored, up to a ply.
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
        self.kept_games(name, &mut |game| {
            if game.codes().is_empty() || !game.is_selected(selection) {
                return ControlFlow::Continue(());
            }
            visit(played_game(&game, max_ply))
        })
    }

    /// The number of games of a repertoire.
    pub(super) fn game_count(&self, info: &RepertoireInfo) -> Result<u64, StoreError> {
        let collection = self.collection_of_repertoire(info.id)?;
        Ok(collection.map_or(0, |collection| collection.games))
    }

    /// The collection of the games of a repertoire, which is made if there is none.
    pub(super) fn set_up_games(&self, info: &RepertoireInfo) -> Result<CollectionInfo, StoreError> {
        if self.collection_of_repertoire(info.id)?.is_none() {
            add_collection(&self.connection, info.id).in_file(&self.name)?;
        }
        let made = self.collection_of_repertoire(info.id)?;
        made.ok_or_else(|| StoreError::damaged(&self.name, &"a collection is not kept"))
    }

    /// The numbers of the games of a repertoire.
    pub(super) fn game_numbers(&self, info: &RepertoireInfo) -> Result<GameNumbers, StoreError> {
        GameNumbers::read(&self.connection, info.id).in_file(&self.name)
    }

    /// Feeds the first moves of all games of a repertoire, which have these numbers.
    pub(super) fn feed_lines(
        &self,
        info: &RepertoireInfo,
        numbers: &GameNumbers,
        push: &mut Feed<'_, GameLines, StoreError>,
    ) -> Result<(), StoreError> {
        let Some(collection) = self.collection_of_repertoire(info.id)? else { return Ok(()) };
        let max_ply = info.max_ply as usize;
        for segment in self.segments(&collection)? {
            let mut lines = GameLines::new(max_ply);
            self.each_line(segment, |line| {
                let StoredLine { codes, start, .. } = line;
                lines.push(codes, start, facts(&line, numbers, info.color));
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
fn facts(line: &StoredLine<'_>, numbers: &GameNumbers, side: Color) -> GameFacts {
    let (facts, at) = line.facts;
    let number = numbers.of(facts.fingerprint(at).into());
    GameFacts {
        number: number.and_then(std::num::NonZeroU32::new),
        date: facts.date(at),
        played_at: facts.played_at(at),
        half_points: facts.result(at).half_points(side),
        opponent: facts.rating(at, !side).and_then(NonZeroU16::new),
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
