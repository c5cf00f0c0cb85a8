//! What is prepared in a repertoire is changed: read whole, by source and chapter, and written
//! whole in one transaction.

use std::{num::NonZeroU32, path::Path, sync::Arc};

use hashbrown::HashMap;
use rusqlite::{Row, params};

use crate::chess::{Board, Chess, PositionKey, UciMove, play_as_san};
use crate::repertoire::{
    Book, BookRule, MoveCounters, NodeId, Note, Preparation, PreparedChapter, PreparedSource,
};
use crate::store::{Database, RepertoireCounts, RepertoireInfo, RepertoireSettings};
use crate::store::{StoreError, rows::Parsed};

impl Database {
    /// Adds the prepared moves of a book to the repertoire of this name, after those that it has,
    /// as a source without a name. Existing moves and notes are not added again. The repertoire is
    /// created if there is none, and so is the file.
    ///
    /// # Errors
    ///
    /// As for [`change_preparation`](Self::change_preparation).
    pub fn prepare(
        path: &Path,
        name: &str,
        settings: &RepertoireSettings,
        book: &Book,
    ) -> Result<RepertoireCounts, StoreError> {
        let change = |preparation: &mut Preparation| {
            preparation.merge(PreparedSource::of_book("", book.clone()));
            Ok(())
        };
        Self::change_preparation(path, name, settings, change)
    }

    /// Changes what is prepared in the repertoire of this name. The repertoire is created if there
    /// is none, and so is the file.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, is in use, or is no position database; or if the repertoire
    /// is for the other side. Those of `change`. The file is then what it was.
    pub fn change_preparation<E: From<StoreError>>(
        path: &Path,
        name: &str,
        settings: &RepertoireSettings,
        change: impl FnOnce(&mut Preparation) -> Result<(), E>,
    ) -> Result<RepertoireCounts, E> {
        let mut database = Self::begin_change(path)?;
        let info = database.set_up(name, settings)?;
        let mut preparation = database.read_preparation(&info)?;
        change(&mut preparation)?;
        database.write_preparation(&info, &preparation)?;
        database.commit()?;
        Ok(database.counts(&info)?)
    }

    /// What is prepared in a repertoire, by source and chapter.
    ///
    /// # Errors
    ///
    /// If there is no repertoire of this name, the file cannot be read, or it is damaged.
    pub fn preparation(&self, name: &str) -> Result<Preparation, StoreError> {
        self.read_preparation(&self.repertoire(name)?)
    }

    /// What is prepared in a repertoire.
    pub(super) fn read_preparation(
        &self,
        info: &RepertoireInfo,
    ) -> Result<Preparation, StoreError> {
        let mut reading = Reading::new(self, info)?;
        reading.read_starts()?;
        reading.read_moves()?;
        reading.read_notes()?;
        Ok(Preparation::new(reading.sources))
    }

    /// Writes what is prepared in place of what was.
    pub(super) fn write_preparation(
        &self,
        info: &RepertoireInfo,
        preparation: &Preparation,
    ) -> Result<(), StoreError> {
        self.execute("DELETE FROM prepared_source WHERE repertoire_id = ?1", [info.id])?;
        self.execute("DELETE FROM prepared_position WHERE repertoire_id = ?1", [info.id])?;
        for orphans in ORPHANS {
            self.execute(orphans, [])?;
        }
        let mut writing = Writing { database: self, info, rows: HashMap::new() };
        // Somebody may have deleted in SQL what a chapter had.
        let is_blank = |source: &&PreparedSource| source.chapters.iter().all(|c| c.book.is_blank());
        let sources = preparation.sources().iter().filter(|source| !is_blank(source));
        for (ordinal, source) in (1_i64..).zip(sources) {
            writing.write_source(ordinal, source)?;
        }
        Ok(())
    }
}

/// Removes rows whose source, chapter or position is gone. The `sqlite3` shell leaves them, where
/// it does not enforce foreign keys; they would belong to whatever gets the number next.
const ORPHANS: [&str; 4] = [
    "DELETE FROM chapter WHERE source_id NOT IN (SELECT id FROM prepared_source)",
    "DELETE FROM chapter_start WHERE chapter_id NOT IN (SELECT id FROM chapter)
         OR position_id NOT IN (SELECT id FROM prepared_position)",
    "DELETE FROM prepared_move WHERE chapter_id NOT IN (SELECT id FROM chapter)
         OR position_id NOT IN (SELECT id FROM prepared_position)",
    "DELETE FROM repertoire_note WHERE chapter_id NOT IN (SELECT id FROM chapter)
         OR position_id NOT IN (SELECT id FROM prepared_position)",
];

/// What is prepared, while it is written.
struct Writing<'d> {
    database: &'d Database,
    info: &'d RepertoireInfo,
    /// The rows of prepared positions.
    rows: HashMap<PositionKey, i64>,
}

impl Writing<'_> {
    fn insert(&self, sql: &str, values: impl rusqlite::Params) -> Result<i64, StoreError> {
        self.database.execute(sql, values)?;
        Ok(self.database.connection.last_insert_rowid())
    }

    fn write_source(&mut self, ordinal: i64, source: &PreparedSource) -> Result<(), StoreError> {
        let sql = "INSERT INTO prepared_source (repertoire_id, ordinal, name) VALUES (?1, ?2, ?3)";
        let id = self.insert(sql, params![self.info.id, ordinal, source.name])?;
        let chapters = source.chapters.iter().filter(|chapter| !chapter.book.is_blank());
        for (ordinal, chapter) in (1_i64..).zip(chapters) {
            let PreparedChapter { identity, study, name, tags, book } = chapter;
            let sql = "INSERT INTO chapter (source_id, ordinal, identity, study, name, tags)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
            let tags = serde_json::to_string(tags).expect("names and values are always JSON");
            let chapter = self.insert(sql, params![id, ordinal, identity, study, name, tags])?;
            self.write_chapter(chapter, book)?;
        }
        Ok(())
    }

    fn write_chapter(&mut self, chapter: i64, book: &Book) -> Result<(), StoreError> {
        let mut rows = vec![None; book.len()];
        for (id, is_prepared) in book.ids().zip(prepared_positions(book)) {
            if is_prepared {
                rows[id.index()] = Some(self.row(&book.node(id).key)?);
            }
        }
        let starts = book.roots().iter().filter_map(|id| Some((id, rows[id.index()]?)));
        for (ordinal, (id, row)) in (1_i64..).zip(starts) {
            let sql = "INSERT INTO chapter_start
                 (chapter_id, position_id, ordinal, move_number, halfmoves)
                 VALUES (?1, ?2, ?3, ?4, ?5)";
            let MoveCounters { halfmoves, fullmoves } = book.counters(*id);
            let values = params![chapter, row, ordinal, fullmoves.get(), halfmoves];
            self.database.execute(sql, values)?;
        }
        for id in book.ids() {
            if let Some(row) = rows[id.index()] {
                self.write_moves(chapter, (book, id, row))?;
            }
        }
        Ok(())
    }

    /// The row of a position, which is added if there is none.
    fn row(&mut self, key: &PositionKey) -> Result<i64, StoreError> {
        if let Some(row) = self.rows.get(key) {
            return Ok(*row);
        }
        let sql = "INSERT INTO prepared_position (repertoire_id, key) VALUES (?1, ?2)";
        let row = self.insert(sql, params![self.info.id, key.to_string()])?;
        self.rows.insert(*key, row);
        Ok(row)
    }

    fn write_moves(
        &self,
        chapter: i64,
        (book, id, row): (&Book, NodeId, i64),
    ) -> Result<(), StoreError> {
        let node = book.node(id);
        self.write_notes((row, None, chapter), &node.notes)?;
        let prepared = book.prepared_edges(id);
        if prepared.is_empty() {
            return Ok(());
        }
        let position = node.key.to_position();
        let position = position.map_err(|fault| self.database.damaged(&fault))?;
        for (place, (edge, prepared)) in (1_i64..).zip(prepared) {
            let ordinal = if prepared.is_chosen() { 0 } else { place };
            let san = san(&position, edge.uci);
            let sql = "INSERT INTO prepared_move (position_id, san, chapter_id, ordinal)
                 VALUES (?1, ?2, ?3, ?4)";
            self.database.execute(sql, params![row, san, chapter, ordinal])?;
            self.write_notes((row, Some(&san), chapter), &prepared.notes)?;
        }
        Ok(())
    }

    fn write_notes(
        &self,
        (position, san, chapter): (i64, Option<&str>, i64),
        notes: &[Note],
    ) -> Result<(), StoreError> {
        for Note { source, nags, comment } in notes {
            let nags: Vec<String> = nags.iter().map(ToString::to_string).collect();
            let nags = format!("[{}]", nags.join(","));
            let sql = "INSERT INTO repertoire_note
                 (position_id, san, chapter_id, source, nags, comment)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
            self.database.execute(sql, params![position, san, chapter, source, nags, comment])?;
        }
        Ok(())
    }
}

/// Which positions a prepared line has.
fn prepared_positions(book: &Book) -> Vec<bool> {
    let mut is_prepared = vec![false; book.len()];
    for id in book.ids() {
        is_prepared[id.index()] |= !book.node(id).notes.is_empty();
        for (edge, _) in book.prepared_edges(id) {
            is_prepared[id.index()] = true;
            is_prepared[edge.to.index()] = true;
        }
    }
    is_prepared
}

/// What is prepared, while it is read. Rows whose position, move or chapter is gone, since somebody
/// deleted it in SQL, are passed over.
struct Reading<'d> {
    database: &'d Database,
    info: &'d RepertoireInfo,
    sources: Vec<PreparedSource>,
    /// By the ids of the file: the places of sources and of chapters in them.
    chapters: HashMap<i64, (usize, usize)>,
    /// Those of the positions that are prepared.
    keys: HashMap<i64, PositionKey>,
}

/// Which rows of chapters belong to the repertoire.
const OF_REPERTOIRE: &str = "chapter_id IN (SELECT chapter.id FROM chapter
     JOIN prepared_source AS source ON source.id = source_id WHERE repertoire_id = ?1)";

impl<'d> Reading<'d> {
    fn new(database: &'d Database, info: &'d RepertoireInfo) -> Result<Self, StoreError> {
        let (sources, chapters, keys) = (Vec::new(), HashMap::new(), HashMap::new());
        let mut reading = Self { database, info, sources, chapters, keys };
        reading.read_chapters()?;
        let sql = "SELECT id, key FROM prepared_position WHERE repertoire_id = ?1";
        let keys = reading.rows(sql, |row| {
            let Parsed(key) = row.get(1)?;
            Ok((row.get::<_, i64>(0)?, key))
        })?;
        reading.keys.extend(keys);
        Ok(reading)
    }

    fn rows<T>(
        &self,
        sql: &str,
        read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        self.database.rows(sql, [self.info.id], read)
    }

    fn read_chapters(&mut self) -> Result<(), StoreError> {
        let sql = "SELECT source.name, chapter.id, identity, study, chapter.name, tags
             FROM prepared_source AS source JOIN chapter ON chapter.source_id = source.id
             WHERE repertoire_id = ?1 ORDER BY source.ordinal, source.id, chapter.ordinal";
        let text = |row: &Row<'_>, column| row.get::<_, String>(column);
        let color = self.info.color;
        let chapters = self.rows(sql, |row| {
            let book = Book::new(color, BookRule::default());
            let (identity, study, name) = (text(row, 2)?, text(row, 3)?, text(row, 4)?);
            let book = book.into();
            let chapter = PreparedChapter { identity, study, name, tags: Vec::new(), book };
            Ok((text(row, 0)?, row.get(1)?, chapter, text(row, 5)?))
        })?;
        for (source, id, mut chapter, tags) in chapters {
            chapter.tags = serde_json::from_str(&tags)
                .map_err(|fault| self.database.damaged(&format!("tags of a chapter: {fault}")))?;
            if self.sources.last().is_none_or(|last| last.name != source) {
                self.sources.push(PreparedSource { name: source, chapters: Vec::new() });
            }
            let at = self.sources.len() - 1;
            self.chapters.insert(id, (at, self.sources[at].chapters.len()));
            self.sources[at].chapters.push(chapter);
        }
        Ok(())
    }

    /// The book of a chapter, and a position of it.
    fn place(&mut self, chapter: i64, position: i64) -> Option<(&mut Book, PositionKey)> {
        let (source, chapter) = *self.chapters.get(&chapter)?;
        let key = *self.keys.get(&position)?;
        Some((Arc::make_mut(&mut self.sources[source].chapters[chapter].book), key))
    }

    fn read_starts(&mut self) -> Result<(), StoreError> {
        let sql = format!(
            "SELECT chapter_id, position_id, halfmoves, move_number
                 FROM chapter_start WHERE {OF_REPERTOIRE} ORDER BY chapter_start.ordinal"
        );
        let starts =
            self.rows(&sql, |row| Ok((row.get(0)?, row.get(1)?, read_counters(row, 2)?)))?;
        for (chapter, position, counters) in starts {
            if let Some((book, key)) = self.place(chapter, position) {
                book.add_root(&key);
                book.set_counters(&key, counters);
            }
        }
        Ok(())
    }

    fn read_moves(&mut self) -> Result<(), StoreError> {
        let sql = format!(
            "SELECT chapter_id, position_id, san, prepared_move.ordinal
                 FROM prepared_move WHERE {OF_REPERTOIRE}
                 ORDER BY position_id, chapter_id, prepared_move.ordinal, san"
        );
        let moves = self.rows(&sql, |row| {
            Ok((row.get(0)?, row.get(1)?, row.get::<_, String>(2)?, row.get::<_, i64>(3)?))
        })?;
        for (chapter, position, san, ordinal) in moves {
            let Some((_, key)) = self.place(chapter, position) else { continue };
            let (uci, to) = self.play(&key, &san)?;
            let Some((book, key)) = self.place(chapter, position) else { continue };
            let (from, to) = (book.add_position(&key), book.add_position(&to));
            book.prepare_edge(from, uci, to);
            if ordinal == 0 {
                book.choose(&key, uci);
            }
        }
        Ok(())
    }

    /// A stored move, and where it leads.
    fn play(&self, key: &PositionKey, san: &str) -> Result<(UciMove, PositionKey), StoreError> {
        let position = key.to_position().map_err(|fault| self.database.damaged(&fault))?;
        let before = Board::from_position(&position);
        let mut after = before;
        let played = after.play(san.as_bytes());
        let uci = played.ok().and_then(|()| UciMove::between(&before.key(), &after.key()));
        let illegal = || self.database.damaged(&format!("{san} is no move of {key}"));
        Ok((uci.ok_or_else(illegal)?, after.key()))
    }

    fn read_notes(&mut self) -> Result<(), StoreError> {
        let sql = format!(
            "SELECT chapter_id, position_id, san, source, nags, comment
                 FROM repertoire_note WHERE {OF_REPERTOIRE} ORDER BY repertoire_note.id"
        );
        let notes = self.rows(&sql, |row| {
            let san: Option<String> = row.get(2)?;
            Ok((row.get(0)?, row.get(1)?, san, read_note(row, 3)?))
        })?;
        for (chapter, position, san, note) in notes {
            let Some((_, key)) = self.place(chapter, position) else { continue };
            let uci = san.map(|san| self.play(&key, &san)).transpose()?.map(|(uci, _)| uci);
            let Some((book, key)) = self.place(chapter, position) else { continue };
            let id = book.add_position(&key);
            match uci {
                None => book.add_notes(id, [note]),
                Some(uci) => {
                    if let Some(notes) = book.move_notes_mut(id, uci) {
                        notes.push(note);
                    }
                }
            }
        }
        Ok(())
    }
}

fn san(position: &Chess, uci: UciMove) -> String {
    let m = uci.to_move(position).expect("it was prepared here");
    play_as_san(&mut position.clone(), m).to_string()
}

/// The counters where lines begin, from two columns: the half-move clock, and the move number.
fn read_counters(row: &Row<'_>, first: usize) -> rusqlite::Result<MoveCounters> {
    let fullmoves = NonZeroU32::new(row.get(first + 1)?).unwrap_or(NonZeroU32::MIN);
    Ok(MoveCounters { halfmoves: row.get(first)?, fullmoves })
}

/// A note, from the columns from `first` on: its source, its glyphs and its comment.
fn read_note(row: &Row<'_>, first: usize) -> rusqlite::Result<Note> {
    let nags: String = row.get(first + 1)?;
    let nags = nags.trim_matches(['[', ']']).split(',').flat_map(str::parse).collect();
    Ok(Note { source: row.get(first)?, nags, comment: row.get(first + 2)? })
}
