//! What is prepared in a repertoire is changed: read whole, by source and chapter, and written
//! whole in one transaction.

use std::{collections::HashSet, mem, num::NonZeroU32, path::Path, sync::Arc};

use rusqlite::{Row, Transaction};

use super::journal::{Before, edit_kind};
use crate::chess::{Board, ParseKeyError, PositionKey, UciMove};
use crate::repertoire::{
    Book, BookRule, Edit, MoveCounters, Note, Preparation, PreparedChapter, PreparedSource,
};
use crate::store::{Database, RepertoireCounts, RepertoireInfo, RepertoireSettings};
use crate::store::{StoreError, rows::Parsed};
use crate::{executor::Executor, lists::Lists, pipeline::Workers};

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
        at: i64,
        book: &Book,
    ) -> Result<RepertoireCounts, StoreError> {
        let change = |preparation: &mut Preparation| {
            preparation.merge(PreparedSource::of_book("", book.clone()));
            preparation.edit_again();
            Ok("added".to_owned())
        };
        Self::change_preparation(path, name, settings, at, change)
    }

    /// Changes what is prepared in the repertoire of this name. The repertoire is created if there
    /// is none, and so is the file. `change` says what it did, for the [history](Self::history);
    /// `at` is when, in seconds since the beginning of 1970, UTC.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, is in use, or is no position database; or if the repertoire
    /// is for the other side. Those of `change`. The file is then what it was.
    pub fn change_preparation<E: From<StoreError>>(
        path: &Path,
        name: &str,
        settings: &RepertoireSettings,
        at: i64,
        change: impl FnOnce(&mut Preparation) -> Result<String, E>,
    ) -> Result<RepertoireCounts, E> {
        let mut database = Self::begin_change(path)?;
        let mut before = Before::of(&database, name)?;
        let mut preparation = before.preparation(&database)?;
        let info = database.set_up(name, settings)?;
        let what = change(&mut preparation)?;
        database.write_change(before, &info, &preparation, (at, &what))?;
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
        let reading = Reading::read(self, info, None)?;
        let edits = reading.read_edits()?;
        Ok(Preparation::new(reading.sources()).with_edits(edits))
    }

    /// The book of what is prepared in a repertoire.
    pub(super) fn read_book(&self, info: &RepertoireInfo) -> Result<Book, StoreError> {
        let whole = Some(Book::new(info.color, BookRule::default()));
        Ok(Reading::read(self, info, whole)?.whole.expect("it was set"))
    }
}

/// What is prepared, while it is read. Rows whose chapter somebody deleted in SQL are passed over.
struct Reading<'d> {
    database: &'d Database,
    info: &'d RepertoireInfo,
    /// The chapters in order, each with the name of its source.
    chapters: Vec<(String, PreparedChapter)>,
    /// Their ids in the file.
    ids: Vec<i64>,
    /// The lines of all chapters, if only those are wanted: [`Preparation::to_book`] is the plain
    /// form of it.
    whole: Option<Book>,
    /// All is of one moment.
    _snapshot: Option<Transaction<'d>>,
}

/// The prepared moves of a chapter as they are stored: of each its key and the move, and its place.
#[derive(Default)]
struct StoredMoves {
    texts: Lists<u8>,
    ordinals: Vec<i64>,
}

/// The moves that a thread plays at once: many chapters are too short for a batch of their own.
const MOVES_AT_ONCE: usize = 2000;

/// A prepared move that was played.
struct PlayedRow {
    key: PositionKey,
    uci: UciMove,
    to: PositionKey,
    ordinal: i64,
}

impl<'d> Reading<'d> {
    /// Reads all but the edits; the lines of all chapters into `whole`, if only those are wanted.
    fn read(
        database: &'d Database,
        info: &'d RepertoireInfo,
        whole: Option<Book>,
    ) -> Result<Self, StoreError> {
        let (chapters, ids) = (Vec::new(), Vec::new());
        let _snapshot = database.snapshot()?;
        let mut reading = Self { database, info, chapters, ids, whole, _snapshot };
        reading.read_chapters()?;
        reading.read_starts()?;
        reading.read_moves()?;
        reading.read_notes()?;
        Ok(reading)
    }

    fn read_chapters(&mut self) -> Result<(), StoreError> {
        let sql = "SELECT source.name, chapter.id, identity, study, chapter.name, tags
             FROM prepared_source AS source JOIN chapter ON chapter.source_id = source.id
             WHERE repertoire_id = ?1 ORDER BY source.ordinal, source.id, chapter.ordinal";
        let text = |row: &Row<'_>, column| row.get::<_, String>(column);
        let color = self.info.color;
        let chapters = self.database.rows(sql, [self.info.id], |row| {
            let book = Book::new(color, BookRule::default());
            let (identity, study, name) = (text(row, 2)?, text(row, 3)?, text(row, 4)?);
            let book = book.into();
            let chapter = PreparedChapter { identity, study, name, tags: Vec::new(), book };
            Ok((text(row, 0)?, row.get(1)?, chapter, text(row, 5)?))
        })?;
        for (source, id, mut chapter, tags) in chapters {
            chapter.tags = serde_json::from_str(&tags)
                .map_err(|fault| self.database.damaged(&format!("tags of a chapter: {fault}")))?;
            self.ids.push(id);
            self.chapters.push((source, chapter));
        }
        Ok(())
    }

    /// The chapters by their sources.
    fn sources(self) -> Vec<PreparedSource> {
        let mut sources: Vec<PreparedSource> = Vec::new();
        for (name, chapter) in self.chapters {
            match sources.last_mut().filter(|last| last.name == name) {
                Some(last) => last.chapters.push(chapter),
                None => sources.push(PreparedSource { name, chapters: vec![chapter] }),
            }
        }
        sources
    }

    /// The book that the rows of a chapter are added to.
    fn book(&mut self, chapter: usize) -> &mut Book {
        let chapter = &mut self.chapters[chapter].1;
        self.whole.as_mut().unwrap_or_else(|| Arc::make_mut(&mut chapter.book))
    }

    fn read_starts(&mut self) -> Result<(), StoreError> {
        let sql = "SELECT key, halfmoves, move_number FROM chapter_start
             WHERE chapter_id = ?1 ORDER BY ordinal";
        for chapter in 0..self.ids.len() {
            let starts = self.database.rows(sql, [self.ids[chapter]], |row| {
                let fullmoves = NonZeroU32::new(row.get(2)?).unwrap_or(NonZeroU32::MIN);
                Ok((read_key(row, 0)?, MoveCounters { halfmoves: row.get(1)?, fullmoves }))
            })?;
            let book = self.book(chapter);
            for (key, counters) in starts {
                // Of several chapters, the first says with which numbers lines begin.
                if !book.is_root(&key) {
                    book.add_root(&key);
                    book.set_counters(&key, counters);
                }
            }
        }
        Ok(())
    }

    /// Adds the moves of all chapters. They are played on several threads while others are read.
    fn read_moves(&mut self) -> Result<(), StoreError> {
        let database = self.database;
        let of_chapters: Vec<(usize, i64)> = self.ids.iter().copied().enumerate().collect();
        if self.whole.is_some() {
            // First the moves that come before those of other chapters.
            let sql = "SELECT DISTINCT chapter_id FROM prepared_move WHERE ordinal = 0";
            let chosen: HashSet<i64> =
                database.rows(sql, [], |row| row.get(0))?.into_iter().collect();
            for (chapter, id) in of_chapters.iter().filter(|(_, id)| chosen.contains(id)) {
                let mut played = play_all(&moves_of(database, *id)?);
                played.iter_mut().for_each(|all| all.retain(|played| played.ordinal == 0));
                self.add_moves(*chapter, played)?;
            }
        }
        Workers::default().run(
            |push| {
                let (mut several, mut moves) = (Vec::new(), 0);
                for (chapter, id) in &of_chapters {
                    let stored = moves_of(database, *id)?;
                    moves += stored.ordinals.len();
                    several.push((*chapter, stored));
                    if moves >= MOVES_AT_ONCE {
                        push(mem::take(&mut several))?;
                        moves = 0;
                    }
                }
                push(several)
            },
            |several| {
                let played = several.iter().map(|(chapter, stored)| (*chapter, play_all(stored)));
                played.collect::<Vec<_>>()
            },
            |mut several| several.drain(..).try_for_each(|(at, played)| self.add_moves(at, played)),
        )
    }

    fn add_moves(
        &mut self,
        chapter: usize,
        played: Result<Vec<PlayedRow>, String>,
    ) -> Result<(), StoreError> {
        let played = played.map_err(|fault| self.database.damaged(&fault))?;
        let is_whole = self.whole.is_some();
        let book = self.book(chapter);
        let mut last = None;
        for PlayedRow { key, uci, to, ordinal } in played {
            // The moves of a position follow each other.
            let known = last.filter(|(known, _)| *known == key).map(|(_, from)| from);
            let from = known.unwrap_or_else(|| book.add_position(&key));
            last = Some((key, from));
            let to = book.add_position(&to);
            book.prepare_edge(from, uci, to);
            if ordinal == 0 && !is_whole {
                book.choose(&key, uci);
            }
        }
        Ok(())
    }

    fn read_notes(&mut self) -> Result<(), StoreError> {
        let sql = "SELECT key, san, source, nags, comment FROM repertoire_note
             WHERE chapter_id = ?1 ORDER BY key, san, ordinal";
        let is_whole = self.whole.is_some();
        for chapter in 0..self.ids.len() {
            let notes = self.database.rows(sql, [self.ids[chapter]], |row| {
                Ok((read_key(row, 0)?, row.get::<_, String>(1)?, read_note(row, 2)?))
            })?;
            for (key, san, note) in notes {
                let uci = match san.as_str() {
                    "" => None,
                    san => Some(play(&key, san).map_err(|fault| self.database.damaged(&fault))?.0),
                };
                let book = self.book(chapter);
                let id = book.add_position(&key);
                let notes = match uci {
                    Some(uci) => book.move_notes_mut(id, uci),
                    None => Some(&mut book.node_mut(id).notes),
                };
                match notes {
                    Some(notes) if is_whole => note.merge_into(notes),
                    Some(notes) => notes.push(note),
                    // Its move was deleted in SQL.
                    None => {}
                }
            }
        }
        Ok(())
    }

    fn read_edits(&self) -> Result<Vec<Edit>, StoreError> {
        let sql = "SELECT key, move, what, said, replaced FROM repertoire_edit
             WHERE repertoire_id = ?1 ORDER BY ordinal";
        let rows = self.database.rows(sql, [self.info.id], |row| {
            let (what, said): (String, String) = (row.get(2)?, row.get(3)?);
            let Parsed(uci) = row.get(1)?;
            Ok((read_key(row, 0)?, uci, edit_kind(&what, said), row.get(4)?))
        })?;
        let edit = |(key, uci, kind, replaced): (_, _, Option<_>, _)| {
            let kind = kind.ok_or_else(|| self.database.damaged(&"an edit of a move"))?;
            Ok(Edit { key, uci, kind, replaced })
        };
        rows.into_iter().map(edit).collect()
    }
}

/// The moves of a chapter, those of a position one after the other.
fn moves_of(database: &Database, id: i64) -> Result<StoredMoves, StoreError> {
    let sql = "SELECT key, san, ordinal FROM prepared_move WHERE chapter_id = ?1 ORDER BY key";
    let mut moves = StoredMoves::default();
    let _: Vec<()> = database.rows(sql, [id], |row| {
        for column in 0..2 {
            moves.texts.push(row.get_ref(column)?.as_bytes()?);
        }
        moves.ordinals.push(row.get(2)?);
        Ok(())
    })?;
    Ok(moves)
}

/// Plays stored moves, those of a position in their order, or says which is none.
fn play_all(stored: &StoredMoves) -> Result<Vec<PlayedRow>, String> {
    let text = |number| {
        str::from_utf8(stored.texts.get(number)).map_err(|_| "bytes that are no text".to_owned())
    };
    let moves = stored.ordinals.iter().enumerate().map(|(at, ordinal)| {
        let key: PositionKey =
            text(2 * at)?.parse().map_err(|fault: ParseKeyError| fault.to_string())?;
        Ok((key, *ordinal, text(2 * at + 1)?))
    });
    let mut moves = moves.collect::<Result<Vec<_>, String>>()?;
    for there in moves.chunk_by_mut(|(a, ..), (b, ..)| a == b) {
        there.sort_unstable();
    }
    let played = moves.into_iter().map(|(key, ordinal, san)| {
        let (uci, to) = play(&key, san)?;
        Ok(PlayedRow { key, uci, to, ordinal })
    });
    played.collect()
}

/// A stored move, and where it leads.
fn play(key: &PositionKey, san: &str) -> Result<(UciMove, PositionKey), String> {
    let position = key.to_position().map_err(|fault| fault.to_string())?;
    let before = Board::from_position(&position);
    let mut after = before;
    let played = after.play(san.as_bytes());
    let uci = played.ok().and_then(|()| UciMove::between(&before.key(), &after.key()));
    Ok((uci.ok_or_else(|| format!("{san} is no move of {key}"))?, after.key()))
}

fn read_key(row: &Row<'_>, column: usize) -> rusqlite::Result<PositionKey> {
    row.get::<_, Parsed<PositionKey>>(column).map(|key| key.0)
}

/// A note, from the columns from `first` on: its source, its glyphs and its comment.
fn read_note(row: &Row<'_>, first: usize) -> rusqlite::Result<Note> {
    let nags: String = row.get(first + 1)?;
    let nags = nags.trim_matches(['[', ']']).split(',').flat_map(str::parse::<u8>).collect();
    Ok(Note { source: row.get(first)?, nags, comment: row.get(first + 2)? })
}
