//! Loads a stored repertoire as a book: what is prepared, with what its games played, which is
//! counted on several threads.

use std::num::NonZeroU32;

use hashbrown::HashMap;

use crate::chess::{Board, PositionKey};
use crate::repertoire::{
    Book, BookRule, GameLines, MoveCounters, NodeId, PositionCount, SeveralGames,
};
use crate::store::{Database, RepertoireInfo, StoreError};
use crate::{executor::Executor, pipeline::Workers};

/// The positions of games that a book has, beside those that are prepared or that games begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counted {
    /// All: each game is followed to the end of what is counted of it. The book may be many times
    /// as large.
    All,
    /// Those of several games: a move that only one game has played leads to a position of which
    /// nothing is known.
    OfSeveralGames,
}

impl Database {
    /// A repertoire as the book that a rule makes of it: with the positions of single games, if
    /// those are in the book.
    ///
    /// # Errors
    ///
    /// If there is no repertoire of this name, the file cannot be read, or it is damaged.
    pub fn book_by(&self, name: &str, rule: BookRule) -> Result<Book, StoreError> {
        let info = self.repertoire(name)?;
        let mut book = self.uncounted_book(&info)?;
        let needs_two = rule.mine.min_games > 1 && rule.theirs.min_games > 1;
        let counted = match book.has_prepared() || needs_two {
            true => Counted::OfSeveralGames,
            false => Counted::All,
        };
        self.count_played(&info, &mut book, counted, &Workers::default())?;
        book.set_rule(rule);
        Ok(book)
    }

    /// A repertoire as a book of all moves that are prepared, and of all that were played in
    /// positions that are prepared or that several games have.
    ///
    /// # Errors
    ///
    /// As for [`book_by`](Self::book_by).
    pub fn whole_book(&self, name: &str) -> Result<Book, StoreError> {
        let info = self.repertoire(name)?;
        let mut book = self.uncounted_book(&info)?;
        self.count_played(&info, &mut book, Counted::OfSeveralGames, &Workers::default())?;
        book.take_all_moves();
        Ok(book)
    }

    /// The book that a rule makes, in which what games played is counted in one position alone.
    /// Without the position if no prepared line and no game has it.
    ///
    /// # Errors
    ///
    /// As for [`book_by`](Self::book_by).
    pub fn book_at(
        &self,
        name: &str,
        key: &PositionKey,
        rule: BookRule,
        workers: &Workers,
    ) -> Result<Book, StoreError> {
        let info = self.repertoire(name)?;
        let mut book = self.uncounted_book(&info)?;
        book.set_rule(rule);
        let hash = key.hash64();
        let counting = Counting { database: self, info: &info, workers };
        let counts = counting.of(|other, k| other == hash && k == key)?;
        counts.iter().for_each(|count| book.add_count(count));
        Ok(book)
    }

    /// What is prepared, with the positions that games begin with.
    fn uncounted_book(&self, info: &RepertoireInfo) -> Result<Book, StoreError> {
        let mut book = self.read_book(info)?;
        book.set_rule(info.rule);
        // Where prepared lines begin, theirs are the numbers.
        let mut starts: Vec<(PositionKey, NonZeroU32)> = self.starts(info)?.into_iter().collect();
        starts.retain(|(key, _)| !book.is_root(key));
        starts.sort_by_cached_key(|(key, _)| key.to_string());
        for (key, fullmoves) in starts {
            book.add_root(&key);
            book.set_counters(&key, MoveCounters { halfmoves: 0, fullmoves });
        }
        book.begin_with(&Board::default().key());
        Ok(book)
    }

    /// Counts what the games played.
    fn count_played(
        &self,
        info: &RepertoireInfo,
        book: &mut Book,
        counted: Counted,
        workers: &Workers,
    ) -> Result<(), StoreError> {
        let counting = Counting { database: self, info, workers };
        // Those that are prepared, or that games begin with, are there already.
        let known = book.len();
        let is_kept =
            |book: &Book, key: &PositionKey| book.find(key).is_some_and(|id| id.index() < known);
        match counted {
            Counted::All => counting.all(|count| book.add_count(count))?,
            Counted::OfSeveralGames => {
                let several = counting.several_games()?;
                let counts =
                    counting.of(|hash, key| several.may_have(hash) || is_kept(book, key))?;
                for count in &counts {
                    if count.tally.games > 1 || is_kept(book, &count.key) {
                        book.add_count(count);
                    }
                }
            }
        }
        let roots: HashMap<NodeId, usize> = book.roots().iter().copied().zip(0..).collect();
        let mut order: Vec<NodeId> = book.ids().collect();
        order.sort_by_cached_key(|id| {
            let node = book.node(*id);
            match (roots.get(id), node.tally.games) {
                (Some(root), _) => (0, *root as u64, None, 0),
                // They were read in an order.
                _ if id.index() < known => (1, 0, None, id.index()),
                // Of a single game, the positions follow each other, the last one first.
                (None, 1) => {
                    let game = node.tally.examples().next().unwrap_or(0);
                    (3, u64::from(game), None, usize::MAX - id.index())
                }
                (None, 0) => (4, 0, None, id.index()),
                _ => (2, part(&node.key), Some(node.key), 0),
            }
        });
        book.reorder(order);
        Ok(())
    }
}

/// The positions that a game has, about.
const POSITIONS_A_GAME: usize = 32;

/// The games of a repertoire, to be counted.
struct Counting<'a> {
    database: &'a Database,
    info: &'a RepertoireInfo,
    workers: &'a Workers,
}

impl Counting<'_> {
    fn run<T: Send>(
        &self,
        work: impl Fn(GameLines) -> T + Sync,
        mut sink: impl FnMut(T),
    ) -> Result<(), StoreError> {
        self.workers.run(
            |push| self.database.feed_lines(self.info, push),
            work,
            |done| {
                sink(done);
                Ok(())
            },
        )
    }

    /// Calls `sink` with counts of all positions. All those of a position add up.
    fn all(&self, mut sink: impl FnMut(&PositionCount)) -> Result<(), StoreError> {
        let counts = |lines: GameLines| lines.counts(|_, _| true);
        self.run(counts, |counts| counts.iter().for_each(&mut sink))
    }

    /// The counts of the positions that are wanted, in an order that their keys alone decide.
    fn of(
        &self,
        is_wanted: impl Fn(u64, &PositionKey) -> bool + Sync,
    ) -> Result<Vec<PositionCount>, StoreError> {
        let mut counts: Vec<PositionCount> = Vec::new();
        let mut known: HashMap<PositionKey, usize> = HashMap::new();
        self.run(
            |lines| lines.counts(&is_wanted),
            |found| {
                for count in found {
                    let next = counts.len();
                    match *known.entry(count.key).or_insert(next) {
                        at if at == next => counts.push(count),
                        at => counts[at].merge(&count),
                    }
                }
            },
        )?;
        counts.iter_mut().for_each(PositionCount::sort_moves);
        counts.sort_by_cached_key(|count| (part(&count.key), count.key));
        Ok(counts)
    }

    /// Which positions several games may have.
    fn several_games(&self) -> Result<SeveralGames, StoreError> {
        let games = self.database.game_count(self.info)? as usize;
        let several = SeveralGames::with_room(games.saturating_mul(POSITIONS_A_GAME));
        let add = |lines: GameLines| lines.each_hash(|hash, games| several.add(hash, games));
        self.run(add, |()| ())?;
        Ok(several)
    }
}

/// One of 256 parts of all positions, which follow each other in a book.
fn part(key: &PositionKey) -> u64 {
    key.hash64() >> 56
}

#[cfg(test)]
impl Database {
    /// A repertoire as a book.
    pub(super) fn book(
        &self,
        name: &str,
        counted: Counted,
        workers: &Workers,
    ) -> Result<Book, StoreError> {
        let info = self.repertoire(name)?;
        let mut book = self.uncounted_book(&info)?;
        self.count_played(&info, &mut book, counted, workers)?;
        Ok(book)
    }
}
