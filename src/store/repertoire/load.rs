//! Loads a stored repertoire as a book.
//!
//! What was played is counted from the games. Only for a single position it is read from rows, if
//! those have it.

use std::num::NonZeroU32;

use hashbrown::{HashMap, HashSet};

use super::{
    count::{Counting, row_rank},
    info::RepertoireInfo,
    rows::{NOTE_COLUMNS, PLAYED_COLUMNS, read_counters, read_note, read_played},
};
use crate::{
    chess::{Board, PositionKey, UciMove},
    pipeline::Workers,
    repertoire::{Book, BookRule, MoveCounters, NodeId, Tally},
    store::{
        database::Database,
        error::{InFile, StoreError},
    },
};

/// A position: its row, its key, the number of the first move of games that begin there, if any do,
/// and what is counted.
type PositionRow = (i64, String, Option<u32>, Tally);

/// Whether a book has the positions of single games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SingleGames {
    /// Yes: each game is followed to the end of what is stored of it. The book may be many times as
    /// large.
    Included,
    /// No: a move that only one game has played leads to a position of which nothing is known.
    Omitted,
}

impl Database {
    /// A repertoire as a book.
    ///
    /// # Errors
    ///
    /// If there is no repertoire of this name, the file cannot be read, or it is damaged.
    pub(crate) fn book(
        &self,
        name: &str,
        single_games: SingleGames,
        workers: &Workers,
    ) -> Result<Book, StoreError> {
        let mut loading = Loading::new(self, self.repertoire(name)?, None)?;
        loading.read_positions()?;
        loading.count_played(single_games, workers)?;
        loading.read_prepared()?;
        loading.read_notes()?;
        Ok(loading.book)
    }

    /// A repertoire as the book that a rule makes of it: with the positions of single games, if
    /// those are in the book.
    ///
    /// # Errors
    ///
    /// If there is no repertoire of this name, the file cannot be read, or it is damaged.
    pub fn book_by(&self, name: &str, rule: BookRule) -> Result<Book, StoreError> {
        let is_prepared = self.has_prepared(&self.repertoire(name)?)?;
        let needs_two = rule.mine.min_games > 1 && rule.theirs.min_games > 1;
        let single_games =
            if is_prepared || needs_two { SingleGames::Omitted } else { SingleGames::Included };
        let mut book = self.book(name, single_games, &Workers::default())?;
        book.set_rule(rule);
        Ok(book)
    }

    /// A book of one position with its moves, whether it is stored or only known by the games that
    /// have it. Without the position if neither is so.
    ///
    /// # Errors
    ///
    /// As for [`book_by`](Self::book_by).
    pub fn book_at(
        &self,
        name: &str,
        key: &PositionKey,
        workers: &Workers,
    ) -> Result<Book, StoreError> {
        let mut loading = Loading::new(self, self.repertoire(name)?, Some(key.to_string()))?;
        loading.read_positions()?;
        loading.read_played()?;
        loading.read_prepared()?;
        loading.read_notes()?;
        if loading.nodes.is_empty() {
            let hash = key.hash64();
            let counting = Counting::new(self, &loading.info, workers);
            let counts = counting.of(|other, k| other == hash && k == key)?;
            counts.iter().for_each(|count| loading.book.add_count(count));
        }
        Ok(loading.book)
    }

    fn has_prepared(&self, info: &RepertoireInfo) -> Result<bool, StoreError> {
        let sql = "SELECT EXISTS (SELECT * FROM prepared_source AS source
             JOIN chapter ON chapter.source_id = source.id
             JOIN prepared_move AS prepared ON prepared.chapter_id = chapter.id
             JOIN repertoire_position AS position ON position.id = prepared.position_id
             WHERE source.repertoire_id = ?1)";
        let found = self.connection.query_row(sql, [info.id], |row| row.get(0));
        found.in_file(&self.name)
    }
}

/// A book that is being read.
struct Loading<'d> {
    database: &'d Database,
    info: RepertoireInfo,
    book: Book,
    /// Indexed by the ids of the file.
    nodes: HashMap<i64, NodeId>,
    /// The key of the only position that is read, unless all are.
    only: Option<String>,
}

impl<'d> Loading<'d> {
    fn new(
        database: &'d Database,
        info: RepertoireInfo,
        only: Option<String>,
    ) -> Result<Self, StoreError> {
        let mut book = Book::new(info.color, info.rule);
        if database.has_prepared(&info)? {
            book.keep_to_prepared();
        }
        Ok(Self { database, book, nodes: HashMap::new(), info, only })
    }

    /// The positions that are read, in SQL: of all, those that are kept whatever their games are.
    /// One query for both cases would keep SQLite from using its index.
    fn positions(&self) -> &'static str {
        match self.only {
            Some(_) => "repertoire_id = ?1 AND key = ?2",
            None => "repertoire_id = ?1 AND ?2 IS NULL AND (is_prepared OR is_start)",
        }
    }

    /// The rows of a table whose rows belong to positions, as far as those are read.
    fn rows<T>(
        &self,
        table: &str,
        columns: &str,
        order: &str,
        read: impl Fn(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<(i64, T)>, StoreError> {
        let select = || -> rusqlite::Result<Vec<(i64, T)>> {
            let sql = format!(
                "SELECT position_id, {columns} FROM {table} WHERE position_id IN (
                     SELECT id FROM repertoire_position WHERE {})
                 ORDER BY {order}",
                self.positions()
            );
            let mut rows = self.database.connection.prepare(&sql)?;
            rows.query_map((self.info.id, &self.only), |row| Ok((row.get(0)?, read(row)?)))?
                .collect()
        };
        select().in_file(&self.database.name)
    }

    fn damaged(&self, what: &str) -> StoreError {
        StoreError::damaged(&self.database.name, &what)
    }

    fn check(&self, tally: &Tally) -> Result<(), StoreError> {
        let impossible = || self.damaged(&format!("{} games cannot have gone so", tally.games));
        tally.is_possible().then_some(()).ok_or_else(impossible)
    }

    fn read_positions(&mut self) -> Result<(), StoreError> {
        let read = || -> rusqlite::Result<Vec<PositionRow>> {
            let sql = format!(
                "SELECT id, key, iif(is_start, coalesce(first_move, 1), NULL), games, wins, draws,
                     losses FROM repertoire_position
                 WHERE {} ORDER BY id",
                self.positions()
            );
            let mut positions = self.database.connection.prepare(&sql)?;
            let rows = positions.query_map((self.info.id, &self.only), |row| {
                let results = [row.get(4)?, row.get(5)?, row.get(6)?];
                let tally = Tally::of_results(row.get(3)?, results);
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, tally))
            })?;
            rows.collect()
        };
        let rows = read().in_file(&self.database.name)?;
        // The initial position is the first root.
        let initial = Board::default().key().to_string();
        let prepared = self.chapter_starts()?;
        let of_row: HashMap<i64, &str> = rows.iter().map(|row| (row.0, row.1.as_str())).collect();
        let prepared: Vec<(&str, MoveCounters)> = prepared
            .iter()
            .filter_map(|(row, counters)| Some((*of_row.get(row)?, *counters)))
            .collect();
        let mut games: Vec<&str> =
            rows.iter().filter(|r| r.2.is_some()).map(|r| r.1.as_str()).collect();
        games.sort_unstable();
        let starts = prepared.iter().map(|(key, _)| *key).chain(games);
        let (first, others): (Vec<_>, Vec<_>) = starts.partition(|key| *key == initial);
        for key in first.into_iter().chain(others) {
            let key = self.database.stored_key(key)?;
            self.book.add_root(&key);
        }
        // The first chapter says how lines are numbered, also where its numbers are those that
        // need not be kept.
        let mut numbered = HashSet::new();
        for (key, counters) in prepared {
            let key = self.database.stored_key(key)?;
            if numbered.insert(key) {
                self.book.set_counters(&key, counters);
            }
        }
        for (id, key, number, tally) in &rows {
            let key = self.database.stored_key(key)?;
            let node = self.book.add_position(&key);
            // Where prepared lines begin, theirs are the numbers.
            if let Some(fullmoves) = number.and_then(NonZeroU32::new)
                && !numbered.contains(&key)
            {
                self.book.set_counters(&key, MoveCounters { halfmoves: 0, fullmoves });
            }
            if self.only.is_some() {
                self.check(tally)?;
                self.book.set_tally(node, *tally);
            }
            self.nodes.insert(*id, node);
        }
        Ok(())
    }

    /// The rows of the positions that prepared lines begin with, in the order of chapters, and the
    /// counters there.
    fn chapter_starts(&self) -> Result<Vec<(i64, MoveCounters)>, StoreError> {
        let read = || -> rusqlite::Result<Vec<(i64, MoveCounters)>> {
            let mut starts = self.database.connection.prepare(
                "SELECT position_id, halfmoves, move_number FROM prepared_source AS source
                 JOIN chapter ON chapter.source_id = source.id
                 JOIN chapter_start AS start ON start.chapter_id = chapter.id
                 WHERE repertoire_id = ?1
                 ORDER BY source.ordinal, source.id, chapter.ordinal, start.ordinal",
            )?;
            starts
                .query_map([self.info.id], |row| Ok((row.get(0)?, read_counters(row, 1)?)))?
                .collect()
        };
        read().in_file(&self.database.name)
    }

    /// Counts what the games played.
    fn count_played(
        &mut self,
        single_games: SingleGames,
        workers: &Workers,
    ) -> Result<(), StoreError> {
        let counting = Counting::new(self.database, &self.info, workers);
        let book = &mut self.book;
        let kept: HashSet<PositionKey> = book.ids().map(|id| *book.node(id).key()).collect();
        let keys: HashMap<i64, PositionKey> =
            self.nodes.iter().map(|(row, node)| (*row, *book.node(*node).key())).collect();
        if single_games == SingleGames::Included {
            counting.all(|count| book.add_count(count))?;
        } else {
            let several = counting.several_games()?;
            let counts = counting.of(|hash, key| several.may_have(hash) || kept.contains(key))?;
            let counts = counts.iter().filter(|c| c.tally.games > 1 || kept.contains(&c.key));
            counts.for_each(|count| book.add_count(count));
        }
        let roots: HashMap<NodeId, usize> = book.roots().iter().copied().zip(0..).collect();
        book.sort_positions(|id, node| match (roots.get(&id), node.tally.games) {
            (Some(root), _) => (0, *root as u64, None, 0),
            // Of a single game, the positions follow each other: the last one was counted first.
            (None, 1) if !kept.contains(node.key()) => {
                let game = node.tally.examples().next().unwrap_or(0);
                (2, u64::from(game), None, usize::MAX - id.index())
            }
            (None, 0) if !kept.contains(node.key()) => (3, 0, None, id.index()),
            _ => {
                let (first, key) = row_rank(node.key());
                (1, first, Some(key), 0)
            }
        });
        for id in book.ids() {
            let Tally { games, wins, draws, losses, .. } = book.node(id).tally;
            if games > 1 || kept.contains(book.node(id).key()) {
                // Rows of positions say no more.
                book.set_tally(id, Tally::of_results(games, [wins, draws, losses]));
            }
        }
        let nodes = self.nodes.iter_mut();
        nodes.for_each(|(row, node)| *node = book.find(&keys[row]).unwrap_or(*node));
        Ok(())
    }

    fn read_played(&mut self) -> Result<(), StoreError> {
        let rows =
            self.rows("played_move", PLAYED_COLUMNS, "position_id", |row| read_played(row, 1))?;
        let mut before: Option<(i64, Board)> = None;
        for (position, (san, tally)) in rows {
            self.check(&tally)?;
            let board = match before {
                Some((id, board)) if id == position => board,
                _ => self.board(position)?,
            };
            before = Some((position, board));
            let (from, uci, to) = self.play(position, board, &san)?;
            self.book.set_played(from, uci, to, tally);
        }
        Ok(())
    }

    fn board(&self, position: i64) -> Result<Board, StoreError> {
        let node = self.node(position)?;
        let key = self.book.node(node).key;
        let position = key.to_position();
        position
            .map(|position| Board::from_position(&position))
            .map_err(|fault| self.damaged(&format!("{key}: {fault}")))
    }

    fn node(&self, position: i64) -> Result<NodeId, StoreError> {
        let missing = || self.damaged(&format!("no position {position}"));
        self.nodes.get(&position).copied().ok_or_else(missing)
    }

    /// A stored move: where it is played, as what, and where it leads.
    fn play(
        &mut self,
        position: i64,
        before: Board,
        san: &str,
    ) -> Result<(NodeId, UciMove, NodeId), StoreError> {
        let mut after = before;
        let played = after.play(san.as_bytes());
        let uci = played.ok().and_then(|()| UciMove::between(&before.key(), &after.key()));
        match uci {
            Some(uci) => Ok((self.node(position)?, uci, self.book.add_position(&after.key()))),
            None => Err(self.damaged(&format!("{san} is no move of {}", before.key()))),
        }
    }

    fn read_prepared(&mut self) -> Result<(), StoreError> {
        let table = format!("prepared_move {OF_CHAPTER}");
        // A move of rank 0 comes before those of all chapters.
        let order = "prepared_move.ordinal > 0, source.ordinal, source.id, chapter.ordinal,
             position_id, prepared_move.ordinal, san";
        let rows = self.rows(&table, "san", order, |row| row.get::<_, String>(1))?;
        let mut before: Option<(i64, Board)> = None;
        for (position, san) in rows {
            let board = match before {
                Some((id, board)) if id == position => board,
                _ => self.board(position)?,
            };
            before = Some((position, board));
            let (from, uci, to) = self.play(position, board, &san)?;
            self.book.prepare_edge(from, uci, to);
        }
        Ok(())
    }

    fn read_notes(&mut self) -> Result<(), StoreError> {
        let table = format!("repertoire_note {OF_CHAPTER}");
        let order = "source.ordinal, source.id, chapter.ordinal, repertoire_note.id";
        let columns = format!("san, {}", NOTE_COLUMNS.replace("source", "repertoire_note.source"));
        let rows = self.rows(&table, &columns, order, |row| {
            Ok((row.get::<_, Option<String>>(1)?, read_note(row, 2)?))
        })?;
        for (position, (san, note)) in rows {
            let Some(san) = san else {
                let node = self.node(position)?;
                self.book.merge_note(node, note);
                continue;
            };
            let board = self.board(position)?;
            let (from, uci, _) = self.play(position, board, &san)?;
            // Somebody may have deleted a move in SQL, and left its notes.
            if let Some(notes) = self.book.move_notes_mut(from, uci) {
                note.merge_into(notes);
            }
        }
        Ok(())
    }
}

/// The chapter of a row, and its source, in SQL.
const OF_CHAPTER: &str = "JOIN chapter ON chapter.id = chapter_id
     JOIN prepared_source AS source ON source.id = source_id";
