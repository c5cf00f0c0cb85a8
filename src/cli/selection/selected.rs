//! The games that a run is about.

use std::sync::{Arc, atomic::AtomicU64};

use eco::{
    catalogue::Catalogue,
    chess::Color,
    classify::{Classified, Classifier, NamedAt},
    pgn::{Block, Buffers, Chunk, Game, source::Source},
    pipeline::{self, Options},
    select::{
        BlockPeople, Fingerprint, GameInfo, Match, People, Selection, Selector, UnknownPlayer,
    },
    stats::ScoredGame,
};

use crate::cli::{games::feed, outcome::Failure, repeats::Turn};

/// Everybody was found.
struct Found;

/// The games that a run is about, and the people in them. Workers share it.
pub(in crate::cli) struct SelectedGames<'c> {
    /// `None` for all games.
    selector: Option<Selector<'c>>,
    people: People,
}

impl<'c> SelectedGames<'c> {
    /// Games of a selection, for which people of these names were asked for.
    ///
    /// # Errors
    ///
    /// If the catalogue has none of the openings that are asked for.
    pub(in crate::cli) fn new(
        selection: Selection,
        people: Vec<String>,
        classifier: Classifier<'c>,
    ) -> Result<Self, Failure> {
        check_openings(&selection, &[classifier.catalogue()])?;
        let selector = (!selection.is_everything()).then(|| Selector::new(selection, classifier));
        Ok(Self { selector, people: People::new(people) })
    }

    /// What selects the games of a block; `None` if all games are selected.
    pub(in crate::cli) fn in_block<'s, 'b>(
        &'s self,
        _: &'b Block,
    ) -> Option<BlockSelection<'s, 'c, 'b>> {
        let selector = self.selector.as_ref()?;
        Some(BlockSelection { selector, people: self.people.in_block(), info: GameInfo::default() })
    }

    /// Hands on the selected games of a block, with what is counted of them and the sides that they
    /// count for. If the block has a turn, games that came before are left out.
    pub(in crate::cli) fn each_scored<'b>(
        &self,
        block: &'b Block,
        classifier: &Classifier<'c>,
        turn: Option<Turn<'_>>,
        mut count: impl FnMut(&Game<'b>, &ScoredGame<'b, 'c>, &[Color]),
    ) {
        let mut selected = self.in_block(block);
        if selected.is_none() && turn.is_none() {
            for game in block.games() {
                count(&game, &ScoredGame::read(classifier, &game), &[]);
            }
            return;
        }
        let mut score = |game: &Game<'b>| match &mut selected {
            None => Some((ScoredGame::read(classifier, game), Vec::new())),
            Some(selected) => selected.score(game, classifier),
        };
        let Some(turn) = turn else {
            for game in block.games() {
                if let Some((scored, sides)) = score(&game) {
                    count(&game, &scored, &sides);
                }
            }
            return;
        };
        let scored = block.games().filter_map(|game| score(&game).map(|scored| (game, scored)));
        let scored: Vec<_> = scored.collect();
        let games: Vec<Fingerprint> =
            scored.iter().map(|(game, _)| Fingerprint::of_game(game)).collect();
        for ((game, (scored, sides)), is_first) in scored.iter().zip(turn.are_first(&games)) {
            if is_first {
                count(game, scored, sides);
            }
        }
    }

    /// Looks for the people in a block.
    pub(in crate::cli) fn meet_people(&self, block: &Block) {
        if self.people.are_found() {
            return;
        }
        let Some(mut selection) = self.in_block(block) else { return };
        block.games().for_each(|game| selection.read(&game));
    }

    /// Looks for the people who were asked for before anything is written, where something is
    /// written although one of them is missing.
    ///
    /// Standard input can be read only once, so people are not looked for if it is a source.
    ///
    /// # Errors
    ///
    /// If one of them is in no game.
    pub(in crate::cli) fn find_people(
        &self,
        sources: &[Source],
        options: &Options,
    ) -> Result<(), Failure> {
        if self.people.are_nobody() || sources.contains(&Source::Stdin) {
            return Ok(());
        }
        let unread: Arc<AtomicU64> = Arc::default();
        for source in sources {
            // What cannot be read is reported when it is read again.
            let Ok(mut streams) = source.open(&unread) else { continue };
            while let Some(stream) = streams.next_stream() {
                let found = pipeline::run(
                    &options.workers,
                    |push| {
                        let buffers = Buffers::default();
                        feed(stream, options.blocks, &buffers, &|_| {}, push).map(drop)
                    },
                    |chunk: Chunk| self.meet_people(&chunk.into_block()),
                    |()| if self.people.are_found() { Err(Found) } else { Ok(()) },
                );
                if found.is_err() {
                    return Ok(());
                }
            }
        }
        self.check_people()
    }

    /// The same where a game is written only if one of the people is in it: one who is missing
    /// alone is found out at the end, before anything is written.
    pub(in crate::cli) fn find_several(
        &self,
        sources: &[Source],
        options: &Options,
    ) -> Result<(), Failure> {
        if self.people.are_several() { self.find_people(sources, options) } else { Ok(()) }
    }

    /// Says which other spellings the input has of the names of people, where games were
    /// [scored](Self::each_scored).
    pub(in crate::cli) fn other_spellings(&self) -> impl Iterator<Item = String> {
        self.people.other_spellings()
    }

    /// Checks that the people who were asked for are found, once all games are read.
    ///
    /// # Errors
    ///
    /// If one of them is in no game.
    pub(in crate::cli) fn check_people(&self) -> Result<(), Failure> {
        let missing = self.people.missing();
        if missing.is_empty() {
            return Ok(());
        }
        let hint = ": `eco classify --fields white,black` lists the players";
        let Failure(text) = unknown(missing, hint);
        Err(Failure(format!("{text}; nothing was written")))
    }
}

/// Checks that one of the catalogues has an opening that is asked for.
///
/// # Errors
///
/// If none has one.
pub(super) fn check_openings(
    selection: &Selection,
    catalogues: &[&Catalogue],
) -> Result<(), Failure> {
    selection
        .check_openings(catalogues)
        .map_err(|error| Failure(format!("{error}; `eco search` finds openings by code or name")))
}

/// The failure of a run that asked for these players. Where no name is near, a hint says where the
/// names are.
pub(super) fn unknown(players: Vec<UnknownPlayer>, hint: &str) -> Failure {
    let advice = players.into_iter().map(|player| match player.nearest.is_empty() {
        true => format!("{player}{hint}"),
        false => player.to_string(),
    });
    let advice: Vec<String> = advice.collect();
    Failure(advice.join("; "))
}

/// When more is read of a game than its tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum Read {
    /// If the game is selected, or to select it.
    Always,
    /// To select it.
    ToSelect,
}

/// Selects games of a block.
pub(in crate::cli) struct BlockSelection<'s, 'c, 'b> {
    selector: &'s Selector<'c>,
    people: BlockPeople<'s>,
    info: GameInfo<'b>,
}

impl<'c, 'b> BlockSelection<'_, 'c, 'b> {
    fn read(&mut self, game: &Game<'b>) {
        self.info.read_next(game);
        self.people.meet(&self.info);
    }

    /// Whether a game is selected.
    pub(in crate::cli) fn select(&mut self, game: &Game<'b>) -> Option<Match> {
        self.read(game);
        self.selector.select(&self.info)
    }

    /// The verdict of a game, if it is selected.
    pub(in crate::cli) fn classify<'g>(
        &mut self,
        game: &Game<'b>,
        classify: impl Fn() -> Classified<'g, 'c>,
    ) -> Option<Classified<'g, 'c>> {
        let named = |game: &Classified<'g, 'c>| game.verdict.named;
        self.select_read(game, Read::Always, classify, named)?.1
    }

    /// A game as it is counted, and the sides that it counts for, if it is selected.
    pub(in crate::cli) fn score(
        &mut self,
        game: &Game<'b>,
        classifier: &Classifier<'c>,
    ) -> Option<(ScoredGame<'b, 'c>, Vec<Color>)> {
        let read = || ScoredGame::read(classifier, game);
        let selected = self.select_read(game, Read::Always, read, ScoredGame::named);
        self.people.count_spellings(&self.info);
        let (found, scored) = selected?;
        Some((scored?, found.sides().collect()))
    }

    /// How a game is selected, if it is, and what was read of it. It is read once at most: where
    /// the name decides, before it is selected, and else only if it is.
    pub(in crate::cli) fn select_read<T>(
        &mut self,
        game: &Game<'b>,
        when: Read,
        read: impl Fn() -> T,
        named: impl Fn(&T) -> Option<NamedAt<'c>>,
    ) -> Option<(Match, Option<T>)> {
        self.read(game);
        let mut found = None;
        let matched = self.selector.select_named(&self.info, || named(found.insert(read())))?;
        match when {
            Read::Always => Some((matched, Some(found.unwrap_or_else(read)))),
            Read::ToSelect => Some((matched, found)),
        }
    }
}
