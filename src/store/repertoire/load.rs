//! Loads a stored repertoire as a book.

use std::{collections::HashMap, path::Path};

use super::{
    count::{COUNT_MEMORY, folder_of},
    games::facts,
    info::RepertoireInfo,
    rows::{NOTE_COLUMNS, PLAYED_COLUMNS, read_note, read_played},
};
use crate::{
    chess::{Board, PositionKey, UciMove},
    pipeline::Workers,
    repertoire::{Book, BookRule, Counter, NodeId, PositionCount, Prepared, Tally},
    store::{
        database::Database,
        error::{InFile, StoreError},
    },
};

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
    pub(crate) fn book(&self, name: &str, single_games: SingleGames) -> Result<Book, StoreError> {
        let mut loading = Loading::new(self, self.repertoire(name)?, None)?;
        loading.read()?;
        if single_games == SingleGames::Included {
            loading.follow_single_games()?;
        }
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
        let single_games = if is_prepared || rule.min_games > 1 {
            SingleGames::Omitted
        } else {
            SingleGames::Included
        };
        let mut book = self.book(name, single_games)?;
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
        loading.read()?;
        if loading.nodes.is_empty()
            && let Some(count) = self.count_at(&loading.info, key, workers)?
        {
            loading.book.add_count(&count);
        }
        Ok(loading.book)
    }

    fn has_prepared(&self, info: &RepertoireInfo) -> Result<bool, StoreError> {
        // By the few positions that may have prepared moves, not by all moves of the file.
        let sql = "SELECT EXISTS (SELECT * FROM repertoire_position AS position
             WHERE repertoire_id = ?1 AND (is_prepared OR is_start)
                 AND EXISTS (SELECT * FROM prepared_move WHERE position_id = position.id))";
        let found = self.connection.query_row(sql, [info.id], |row| row.get(0));
        found.in_file(&self.name)
    }

    /// The moves played in a position, counted from the games.
    fn count_at(
        &self,
        info: &RepertoireInfo,
        key: &PositionKey,
        workers: &Workers,
    ) -> Result<Option<PositionCount>, StoreError> {
        let folder = folder_of(Path::new(self.connection.path().unwrap_or_default()));
        let mut counter = Counter::new(COUNT_MEMORY, folder);
        self.count_stored(info, workers, &mut counter, u32::MAX, |other| other == key)?;
        let (games, mut buckets) =
            counter.finish().map_err(|error| self.temporary_file_error(error))?;
        while let Some(bucket) =
            buckets.next_bucket().map_err(|error| self.temporary_file_error(error))?
        {
            if let Some(count) = bucket.count(&games, |_, _| true).pop() {
                return Ok(Some(count));
            }
        }
        Ok(None)
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

    /// The positions that are read, in SQL. One query for both cases would keep SQLite from using
    /// its index.
    fn positions(&self) -> &'static str {
        match self.only {
            Some(_) => "repertoire_id = ?1 AND key = ?2",
            None => "repertoire_id = ?1 AND ?2 IS NULL",
        }
    }

    fn read(&mut self) -> Result<(), StoreError> {
        self.read_positions()?;
        self.read_played()?;
        self.read_prepared()?;
        self.read_notes()
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
        let read = || -> rusqlite::Result<Vec<(i64, String, bool, Tally)>> {
            let sql = format!(
                "SELECT id, key, is_start, games, wins, draws, losses FROM repertoire_position
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
        let starts = rows.iter().filter(|row| row.2);
        let (first, others): (Vec<_>, Vec<_>) = starts.partition(|row| row.1 == initial);
        for (_, key, ..) in first.into_iter().chain(others) {
            let key = self.database.stored_key(key)?;
            self.book.add_root(&key);
        }
        for (id, key, _, tally) in rows {
            let key = self.database.stored_key(&key)?;
            self.check(&tally)?;
            let node = self.book.add_position(&key);
            self.book.set_tally(node, tally);
            self.nodes.insert(id, node);
        }
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
        let uci = played.ok().and_then(|()| UciMove::between(before.key(), after.key()));
        match uci {
            Some(uci) => Ok((self.node(position)?, uci, self.book.add_position(after.key()))),
            None => Err(self.damaged(&format!("{san} is no move of {}", before.key()))),
        }
    }

    fn read_prepared(&mut self) -> Result<(), StoreError> {
        let rows = self.rows("prepared_move", "san, ordinal", "position_id, ordinal", |row| {
            Ok((row.get::<_, String>(1)?, row.get(2)?))
        })?;
        for (position, (san, ordinal)) in rows {
            let board = self.board(position)?;
            let (from, uci, to) = self.play(position, board, &san)?;
            self.book.set_prepared(from, uci, to, Prepared { ordinal, notes: Vec::new() });
        }
        Ok(())
    }

    fn read_notes(&mut self) -> Result<(), StoreError> {
        let columns = format!("san, {NOTE_COLUMNS}");
        let rows = self.rows("repertoire_note", &columns, "id", |row| {
            Ok((row.get::<_, Option<String>>(1)?, read_note(row, 2)?))
        })?;
        for (position, (san, note)) in rows {
            let Some(san) = san else {
                let node = self.node(position)?;
                self.book.add_notes(node, [note]);
                continue;
            };
            let board = self.board(position)?;
            let (from, uci, _) = self.play(position, board, &san)?;
            match self.book.move_notes_mut(from, uci) {
                Some(notes) => notes.push(note),
                None => {
                    return Err(self.damaged(&format!("a note on {san}, which is not prepared")));
                }
            }
        }
        Ok(())
    }

    /// Follows the games that have a position alone. A position that is not stored belongs to one
    /// game, so the move of that game is all that is known of it.
    fn follow_single_games(&mut self) -> Result<(), StoreError> {
        let mut is_stored = vec![false; self.book.len()];
        self.nodes.values().for_each(|node| is_stored[node.index()] = true);
        let mut games: Vec<u32> = Vec::new();
        for id in self.book.ids().filter(|id| is_stored[id.index()]) {
            for edge in &self.book.node(id).edges {
                if edge.played.games == 1 && !is_stored[edge.to.index()] {
                    games.extend(edge.played.examples());
                }
            }
        }
        games.sort_unstable();
        games.dedup();
        games.into_iter().try_for_each(|game| self.follow(game, &is_stored))
    }

    /// Adds the positions that are not stored of the game that has them.
    fn follow(&mut self, number: u32, is_stored: &[bool]) -> Result<(), StoreError> {
        let game = self.database.game(number)?;
        let Some(facts) = facts(number, &game, self.info.color) else { return Ok(()) };
        let mut tally = Tally::default();
        tally.add(&facts);
        let book = &mut self.book;
        let mut before: Option<(NodeId, UciMove)> = None;
        game.walk(self.info.max_ply as usize, |key, uci| {
            let at = before.is_some() || !is_known(book, key, is_stored);
            let id = at.then(|| book.add_position(key));
            if let (Some((from, uci)), Some(to)) = (before.take(), id) {
                book.set_played(from, uci, to, tally);
            }
            if let Some(id) = id.filter(|id| is_stored.get(id.index()) != Some(&true)) {
                book.set_tally(id, tally);
                before = uci.map(|uci| (id, uci));
            }
        });
        Ok(())
    }
}

fn is_known(book: &Book, key: &PositionKey, is_stored: &[bool]) -> bool {
    book.find(key).is_some_and(|id| is_stored.get(id.index()) == Some(&true))
}
