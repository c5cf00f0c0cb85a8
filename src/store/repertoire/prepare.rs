//! Adds prepared moves, with their notes, to a repertoire.

use std::path::Path;

use hashbrown::HashSet;
use rusqlite::params;

use super::{
    count::Counting,
    info::{RepertoireCounts, RepertoireInfo, RepertoireSettings},
    rows::{NOTE_COLUMNS, position_id, read_note, san},
};
use crate::{
    chess::PositionKey,
    pipeline::Workers,
    repertoire::{Book, NodeId, Note},
    store::{
        database::Database,
        error::{InFile, StoreError},
    },
};

impl Database {
    /// Adds the prepared moves of a book to the repertoire of this name, after those that it has.
    /// Existing moves and notes are not added again. The repertoire is created if there is none,
    /// and so is the file.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, is in use, or is no position database; or if the repertoire
    /// is for the other side. The file is then what it was.
    pub fn prepare(
        path: &Path,
        name: &str,
        settings: &RepertoireSettings,
        book: &Book,
        workers: &Workers,
    ) -> Result<RepertoireCounts, StoreError> {
        let mut database = Self::begin_change(path)?;
        let info = database.set_up(name, settings)?;
        let added = database.write_prepared(&info, book)?;
        if !added.is_empty() && database.game_count(&info)? > 0 {
            // Positions of a single game were not stored.
            Counting::new(&database, &info, workers)?.write_of(&added)?;
        }
        database.commit()?;
        database.counts(&info)
    }

    /// Writes the prepared moves of a book, and returns the positions that were added.
    pub(super) fn write_prepared(
        &self,
        info: &RepertoireInfo,
        book: &Book,
    ) -> Result<HashSet<PositionKey>, StoreError> {
        let is_prepared = prepared_positions(book);
        let mut added = HashSet::new();
        let mut ids = vec![0; book.len()];
        for id in book.ids().filter(|id| is_prepared[id.index()]) {
            let key = book.node(id).key;
            let row =
                position_id(&self.connection, info.id, &key.to_string()).in_file(&self.name)?;
            let is_start = book.is_root(id);
            let sql = "UPDATE repertoire_position
                 SET is_prepared = 1, is_start = max(is_start, ?2)
                 WHERE id = ?1 AND (NOT is_prepared OR is_start < ?2)";
            if self.execute(sql, params![row, is_start])? > 0 {
                added.insert(key);
            }
            ids[id.index()] = row;
        }
        for id in book.ids().filter(|id| is_prepared[id.index()]) {
            self.write_prepared_moves(book, id, ids[id.index()])?;
        }
        Ok(added)
    }

    fn write_prepared_moves(&self, book: &Book, id: NodeId, row: i64) -> Result<(), StoreError> {
        let node = book.node(id);
        self.write_notes(row, None, &node.notes)?;
        let mut prepared: Vec<_> = node
            .edges
            .iter()
            .filter_map(|edge| Some((edge.prepared.as_ref()?, edge.uci)))
            .collect();
        prepared.sort_by_key(|(prepared, uci)| (prepared.ordinal, *uci));
        if prepared.is_empty() {
            return Ok(());
        }
        let position =
            node.key.to_position().map_err(|fault| StoreError::damaged(&self.name, &fault))?;
        for (prepared, uci) in prepared {
            let san = san(&position, uci);
            let sql = "INSERT INTO prepared_move (position_id, san, ordinal)
                 VALUES (?1, ?2, (SELECT coalesce(max(ordinal), 0) + 1 FROM prepared_move
                     WHERE position_id = ?1))
                 ON CONFLICT DO NOTHING";
            self.execute(sql, params![row, san])?;
            self.write_notes(row, Some(&san), &prepared.notes)?;
        }
        Ok(())
    }

    /// Adds notes on a position, or on a move of it, to the existing ones.
    fn write_notes(
        &self,
        position: i64,
        san: Option<&str>,
        notes: &[Note],
    ) -> Result<(), StoreError> {
        if notes.is_empty() {
            return Ok(());
        }
        let about = "position_id = ?1 AND san IS ?2";
        let read = || -> rusqlite::Result<Vec<Note>> {
            let sql =
                format!("SELECT {NOTE_COLUMNS} FROM repertoire_note WHERE {about} ORDER BY id");
            let mut known = self.connection.prepare_cached(&sql)?;
            known.query_map(params![position, san], |row| read_note(row, 0))?.collect()
        };
        let known = read().in_file(&self.name)?;
        let mut merged = known.clone();
        notes.iter().for_each(|note| note.clone().merge_into(&mut merged));
        if merged == known {
            return Ok(());
        }
        self.execute(
            &format!("DELETE FROM repertoire_note WHERE {about}"),
            params![position, san],
        )?;
        for Note { source, nags, comment } in merged {
            let nags: Vec<String> = nags.iter().map(ToString::to_string).collect();
            let nags = format!("[{}]", nags.join(","));
            let sql = "INSERT INTO repertoire_note (position_id, san, source, nags, comment)
                 VALUES (?1, ?2, ?3, ?4, ?5)";
            self.execute(sql, params![position, san, source, nags, comment])?;
        }
        Ok(())
    }
}

/// Which positions a prepared line has.
fn prepared_positions(book: &Book) -> Vec<bool> {
    let mut is_prepared = vec![false; book.len()];
    for id in book.ids() {
        is_prepared[id.index()] |= !book.node(id).notes.is_empty();
        for edge in book.node(id).edges.iter().filter(|edge| edge.prepared.is_some()) {
            is_prepared[id.index()] = true;
            is_prepared[edge.to.index()] = true;
        }
    }
    is_prepared
}
