//! The journal of a repertoire: each change is written as the rows that it removes and adds, which
//! are kept, so that it can be undone.

use std::io::{Read, Write};
use std::{collections::HashSet, iter::once, path::Path, sync::Arc};

use hashbrown::HashMap;
use rusqlite::{CachedStatement, OptionalExtension, ToSql, params, params_from_iter};
use serde::{Deserialize, Serialize};

use crate::repertoire::{Book, Edit, MoveCounters, Note, Preparation, PreparedChapter};
use crate::repertoire::{EditKind, NodeId};
use crate::store::{Database, InFile, Kind, RepertoireInfo, StoreError};
use crate::{chess::play_as_san, pipeline::Workers};

/// A change of a repertoire that can be undone.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RepertoireChange {
    /// Its number; later changes have greater ones.
    pub id: i64,
    /// The repertoire.
    pub repertoire: String,
    /// When it was made, as `2026-11-23 18:30`, UTC; empty if no year of four digits has it.
    pub at: String,
    /// What was done, in words.
    pub what: String,
}

/// When a change is made, in seconds since the beginning of 1970, UTC, and what is done, in words.
pub(super) type Entry<'e> = (i64, &'e str);

/// A row of the settings of a repertoire, or of what is prepared in it, by natural keys.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Part {
    kind: PartKind,
    /// The chapter that it belongs to, or is; a source is chapter 0 of itself.
    at: Option<Place>,
    /// The values of its columns, those of its key first. SQLite gives each the type of its column.
    values: Vec<String>,
}

/// Rows are added in this order, and removed in the opposite one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
enum PartKind {
    Name,
    Removed,
    Rule,
    Player,
    Edit,
    Source,
    Chapter,
    Start,
    Move,
    Note,
}

/// Where a chapter is: the name of its source, and its number there from 1.
type Place = (Arc<str>, i64);

/// What a change removes and adds.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Difference {
    gone: Vec<Part>,
    come: Vec<Part>,
}

/// A repertoire before it is changed.
pub(super) struct Before {
    info: Option<RepertoireInfo>,
    /// What is prepared, if that is to be changed.
    preparation: Option<Preparation>,
    /// The number of arrival of the first game that comes with the change.
    pub(super) first_arrival: Option<u32>,
}

impl Before {
    /// A repertoire, of which what is prepared stays as it is; there may be none yet.
    pub(super) fn of(database: &Database, name: &str) -> Result<Self, StoreError> {
        let info = database.find_repertoire(name)?;
        Ok(Self { info, preparation: None, first_arrival: None })
    }

    /// What is prepared, to be changed.
    pub(super) fn preparation(&mut self, database: &Database) -> Result<Preparation, StoreError> {
        let info = self.info.as_ref();
        let known = info.map(|info| database.read_preparation(info)).transpose()?;
        Ok(self.preparation.insert(known.unwrap_or_default()).clone())
    }
}

impl Database {
    /// Writes what is prepared in a repertoire now, if that was to be changed, and the change.
    /// Its settings and games are in the file already. A change that changes nothing is not noted.
    pub(super) fn write_change(
        &self,
        before: Before,
        info: &RepertoireInfo,
        preparation: &Preparation,
        entry: Entry<'_>,
    ) -> Result<(), StoreError> {
        let mut difference = match before.preparation {
            Some(known) => self.write_preparation(info, &known, preparation)?,
            None => Difference::default(),
        };
        let settings = [before.info.as_ref(), Some(info)].map(|info| info.map_or(vec![], settings));
        let [gone, come] = settings;
        difference.gone.splice(0..0, without(&gone, &come));
        difference.come.splice(0..0, without(&come, &gone));
        let Difference { gone, come } = &difference;
        if gone.is_empty() && come.is_empty() && before.first_arrival.is_none() {
            return Ok(());
        }
        self.note(info, entry, before.first_arrival, &difference)
    }

    /// Writes the rows by which one preparation differs from the one that the file has.
    fn write_preparation(
        &self,
        info: &RepertoireInfo,
        known: &Preparation,
        preparation: &Preparation,
    ) -> Result<Difference, StoreError> {
        // What is left of them would belong to whatever gets the number next.
        ORPHANS.iter().try_for_each(|orphans| self.execute(orphans, []).map(drop))?;
        let stored: HashSet<Place> = self.chapter_ids(info)?.into_keys().collect();
        if stored != chapters(known).into_iter().map(|(at, _)| at).collect() {
            // Somebody removed rows in SQL: what is left is written anew, which is no change.
            self.execute("DELETE FROM prepared_source WHERE repertoire_id = ?1", [info.id])?;
            self.execute("DELETE FROM repertoire_edit WHERE repertoire_id = ?1", [info.id])?;
            let left = of_preparation(&Preparation::default(), known);
            let left = left.map_err(|fault| self.damaged(&fault))?;
            self.write_parts(info, &[], &left.come)?;
        }
        let difference =
            of_preparation(known, preparation).map_err(|fault| self.damaged(&fault))?;
        self.write_parts(info, &difference.gone, &difference.come)?;
        Ok(difference)
    }

    fn note(
        &self,
        info: &RepertoireInfo,
        (at, what): Entry<'_>,
        first_arrival: Option<u32>,
        difference: &Difference,
    ) -> Result<(), StoreError> {
        let sql =
            "INSERT INTO repertoire_change (repertoire_id, made_at, what, first_arrival, rows)
             VALUES (?1, ?2, ?3, ?4, ?5)";
        let rows = difference.pack();
        self.execute(sql, params![info.id, at, what, first_arrival, rows]).map(drop)
    }

    /// The changes of a repertoire, or of all, that can be undone, the last one first. Those of the
    /// repertoires that were removed last are among them.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or has no repertoire of this name.
    pub fn history(&self, repertoire: Option<&str>) -> Result<Vec<RepertoireChange>, StoreError> {
        let id = repertoire.map(|name| self.find_with_history(name)).transpose()?;
        let sql = "SELECT change.id, name,
                 coalesce(strftime('%Y-%m-%d %H:%M', made_at, 'unixepoch'), ''), what
             FROM repertoire_change AS change
             JOIN repertoire ON repertoire.id = repertoire_id
             WHERE ?1 IS NULL OR repertoire_id = ?1 ORDER BY change.id DESC";
        self.rows(sql, [id], |row| {
            let (id, repertoire) = (row.get(0)?, row.get(1)?);
            Ok(RepertoireChange { id, repertoire, at: row.get(2)?, what: row.get(3)? })
        })
    }

    /// The repertoire of this name, or else the one that was removed last.
    fn find_with_history(&self, name: &str) -> Result<i64, StoreError> {
        let sql = "SELECT id FROM repertoire WHERE name = ?1 ORDER BY is_removed, id DESC LIMIT 1";
        let found = self.connection.query_row(sql, [name], |row| row.get(0)).optional();
        found.in_file(&self.name)?.ok_or_else(|| self.no_such(Kind::Repertoire, name))
    }

    /// Undoes the last change of a repertoire, or of the file. A repertoire that the change made is
    /// gone then. Returns the change; `None` if there is none to undo.
    ///
    /// # Errors
    ///
    /// If there is no repertoire of this name; if what the change left was changed by other means,
    /// such as SQL, or another repertoire has the name now, or the change made the repertoire and
    /// it has been trained since; if the file cannot be written. It is then what it was.
    pub fn undo(
        path: &Path,
        repertoire: Option<&str>,
        workers: &Workers,
    ) -> Result<Option<RepertoireChange>, StoreError> {
        Self::change(path, |database| {
            let last = database.history(repertoire)?.into_iter().next();
            last.iter().try_for_each(|change| database.undo_change(change, workers))?;
            Ok(last)
        })
    }

    fn undo_change(&self, change: &RepertoireChange, workers: &Workers) -> Result<(), StoreError> {
        let name = &change.repertoire;
        let sql = "SELECT repertoire_id, first_arrival, rows FROM repertoire_change WHERE id = ?1";
        let (id, first, rows): (i64, Option<u32>, Vec<u8>) = self
            .connection
            .query_row(sql, [change.id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
            .in_file(&self.name)?;
        let Difference { gone, come } = Difference::unpack(&rows)
            .ok_or_else(|| self.damaged(&format!("change {} of {name}", change.id)))?;
        self.execute("DELETE FROM repertoire_change WHERE id = ?1", [change.id])?;
        let name_in = |parts: &[Part]| {
            let name = parts.iter().find(|part| part.kind == PartKind::Name)?;
            name.values.first().cloned()
        };
        if name_in(&come).is_some() && name_in(&gone).is_none() {
            return self.unmake(id, name);
        }
        let is_removal = come.iter().any(|part| part.kind == PartKind::Removed);
        let back = name_in(&gone).or_else(|| is_removal.then(|| name.clone()));
        if let Some(back) = back
            && self.find_repertoire(&back)?.is_some()
        {
            let what = "is there already; `eco db rename` gives it another name".to_owned();
            return Err(self.unfit(Kind::Repertoire, &back, what));
        }
        let info = self.repertoire_where("id = ?1", [id])?;
        let info = info.ok_or_else(|| self.damaged(&format!("change {}", change.id)))?;
        self.write_parts(&info, &come, &gone)?;
        let Some(first) = first else { return Ok(()) };
        match self.games_of(&info)? {
            Some(games) => {
                let is_of_change = |_: &_, arrival| arrival >= first;
                self.remove_where(&games, workers, is_of_change).map(drop)
            }
            None => Ok(()),
        }
    }

    /// Removes a repertoire that a change made, and that has not been trained.
    fn unmake(&self, id: i64, name: &str) -> Result<(), StoreError> {
        let sql = "SELECT count(*) FROM training_review WHERE repertoire_id = ?1";
        let answers = self.connection.query_row(sql, [id], |row| row.get::<_, i64>(0));
        if answers.in_file(&self.name)? > 0 {
            let what = "has been trained; `eco db remove` removes it".to_owned();
            return Err(self.unfit(Kind::Repertoire, name, what));
        }
        self.execute("DELETE FROM repertoire WHERE id = ?1", [id]).map(drop)
    }

    /// Marks a repertoire as removed. Those that were removed before can no longer be brought back.
    pub(in crate::store) fn remove_repertoires(
        &self,
        names: &[&str],
        at: i64,
    ) -> Result<(), StoreError> {
        self.execute("DELETE FROM repertoire WHERE is_removed = 1", [])?;
        for name in names {
            let info = self.repertoire(name)?;
            let come = vec![Part::new(PartKind::Removed, None, [])];
            self.write_parts(&info, &[], &come)?;
            self.note(&info, (at, "removed"), None, &Difference { gone: Vec::new(), come })?;
        }
        Ok(())
    }

    /// Gives a repertoire another name.
    pub(in crate::store) fn rename_repertoire(
        &self,
        name: &str,
        new: &str,
        at: i64,
    ) -> Result<(), StoreError> {
        let info = self.repertoire(name)?;
        let [gone, come] =
            [name, new].map(|name| vec![Part::new(PartKind::Name, None, [name.to_owned()])]);
        self.write_parts(&info, &gone, &come)?;
        let what = format!("renamed from {name}");
        self.note(&info, (at, &what), None, &Difference { gone, come })
    }

    /// The chapters of a repertoire in the file, by where they are.
    fn chapter_ids(&self, info: &RepertoireInfo) -> Result<HashMap<Place, i64>, StoreError> {
        let sql = "SELECT source.name, chapter.ordinal, chapter.id FROM prepared_source AS source
             JOIN chapter ON source_id = source.id WHERE repertoire_id = ?1";
        let rows = self.rows(sql, [info.id], |row| {
            let name: String = row.get(0)?;
            Ok(((name.into(), row.get(1)?), row.get(2)?))
        })?;
        Ok(rows.into_iter().collect())
    }

    /// Removes and adds rows.
    ///
    /// # Errors
    ///
    /// If one of those to be removed is not there, or the file cannot be written.
    fn write_parts(
        &self,
        info: &RepertoireInfo,
        gone: &[Part],
        come: &[Part],
    ) -> Result<(), StoreError> {
        let chapters = self.chapter_ids(info)?;
        let stays: HashSet<&Place> = come.iter().filter_map(Part::frame).collect();
        for part in gone.iter().rev() {
            let (_, remove) = part.kind.sql();
            if remove.is_empty() || part.frame().is_some_and(|frame| stays.contains(frame)) {
                // It is changed, not removed: what comes in place of it is written over it.
                continue;
            }
            if self.run_part(remove, info, &chapters, part)? == 0 {
                let what = "was changed by other means since".to_owned();
                return Err(self.unfit(Kind::Repertoire, &info.name, what));
            }
        }
        let (frames, rest) =
            come.split_at(come.partition_point(|part| part.kind <= PartKind::Chapter));
        for parts in [frames, rest] {
            let chapters = self.chapter_ids(info)?;
            for part in parts {
                self.run_part(part.kind.sql().0, info, &chapters, part)?;
            }
        }
        Ok(())
    }

    /// Runs a statement for a row; returns the number of rows that it changed. Its first parameter
    /// is the id of the chapter that the row belongs to, or else of the repertoire; the others are
    /// the first values of the row.
    fn run_part(
        &self,
        sql: &str,
        info: &RepertoireInfo,
        chapters: &HashMap<Place, i64>,
        part: &Part,
    ) -> Result<usize, StoreError> {
        let id = match &part.at {
            Some(at) if part.kind > PartKind::Chapter => chapters.get(at).copied(),
            _ => Some(info.id),
        };
        let run = |mut statement: CachedStatement<'_>| {
            let values = part.values.iter().map(|value| value as &dyn ToSql);
            let values = once(&id as &dyn ToSql).chain(values).take(statement.parameter_count());
            statement.execute(params_from_iter(values))
        };
        self.connection.prepare_cached(sql).and_then(run).in_file(&self.name)
    }
}

impl PartKind {
    /// The statement that adds a row, and the one that removes it; that is empty where the row that
    /// comes in its place is written over it.
    fn sql(self) -> (&'static str, &'static str) {
        match self {
            Self::Name => ("UPDATE repertoire SET name = ?2 WHERE id = ?1", ""),
            Self::Removed => (
                "UPDATE repertoire SET is_removed = 1 WHERE id = ?1",
                "UPDATE repertoire SET is_removed = 0 WHERE id = ?1",
            ),
            Self::Rule => ("UPDATE repertoire SET mine = ?2, theirs = ?3 WHERE id = ?1", ""),
            Self::Player => (
                "INSERT INTO repertoire_player (repertoire_id, name) VALUES (?1, ?2)",
                "DELETE FROM repertoire_player WHERE repertoire_id = ?1 AND name = ?2",
            ),
            Self::Edit => (
                "INSERT INTO repertoire_edit
                     (repertoire_id, ordinal, key, move, what, said, replaced)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                "DELETE FROM repertoire_edit WHERE repertoire_id = ?1 AND ordinal = ?2",
            ),
            Self::Source => (
                "INSERT INTO prepared_source (repertoire_id, name, ordinal) VALUES (?1, ?2, ?3)
                 ON CONFLICT (repertoire_id, name) DO UPDATE SET ordinal = excluded.ordinal",
                "DELETE FROM prepared_source WHERE repertoire_id = ?1 AND name = ?2",
            ),
            Self::Chapter => (
                "INSERT INTO chapter (source_id, ordinal, identity, study, name, tags)
                 SELECT id, ?3, ?4, ?5, ?6, ?7 FROM prepared_source
                 WHERE repertoire_id = ?1 AND name = ?2
                 ON CONFLICT (source_id, ordinal) DO UPDATE SET identity = excluded.identity,
                     study = excluded.study, name = excluded.name, tags = excluded.tags",
                "DELETE FROM chapter WHERE ordinal = ?3 AND source_id =
                     (SELECT id FROM prepared_source WHERE repertoire_id = ?1 AND name = ?2)",
            ),
            Self::Start => (
                "INSERT OR REPLACE INTO chapter_start
                     (chapter_id, key, ordinal, move_number, halfmoves)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
                "DELETE FROM chapter_start WHERE chapter_id = ?1 AND key = ?2",
            ),
            Self::Move => (
                "INSERT OR REPLACE INTO prepared_move (chapter_id, key, san, ordinal)
                 VALUES (?1, ?2, ?3, ?4)",
                "DELETE FROM prepared_move WHERE chapter_id = ?1 AND key = ?2 AND san = ?3",
            ),
            Self::Note => (
                "INSERT OR REPLACE INTO repertoire_note
                     (chapter_id, key, san, ordinal, source, nags, comment)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                "DELETE FROM repertoire_note
                 WHERE chapter_id = ?1 AND key = ?2 AND san = ?3 AND ordinal = ?4",
            ),
        }
    }
}

/// Removes rows whose source or chapter is gone. The `sqlite3` shell leaves them, where it does not
/// enforce foreign keys.
const ORPHANS: [&str; 4] = [
    "DELETE FROM chapter WHERE source_id NOT IN (SELECT id FROM prepared_source)",
    "DELETE FROM chapter_start WHERE chapter_id NOT IN (SELECT id FROM chapter)",
    "DELETE FROM prepared_move WHERE chapter_id NOT IN (SELECT id FROM chapter)",
    "DELETE FROM repertoire_note WHERE chapter_id NOT IN (SELECT id FROM chapter)",
];

impl Part {
    fn new(kind: PartKind, at: Option<&Place>, values: impl Into<Vec<String>>) -> Self {
        Self { kind, at: at.cloned(), values: values.into() }
    }

    /// What other rows belong to, whatever else it says.
    fn frame(&self) -> Option<&Place> {
        let is_frame = matches!(self.kind, PartKind::Source | PartKind::Chapter);
        self.at.as_ref().filter(|_| is_frame)
    }
}

/// Those of the first that the second has not.
fn without(first: &[Part], second: &[Part]) -> Vec<Part> {
    let second: HashSet<&Part> = second.iter().collect();
    first.iter().filter(|part| !second.contains(part)).cloned().collect()
}

/// The settings of a repertoire.
fn settings(info: &RepertoireInfo) -> Vec<Part> {
    let rule = [info.rule.mine.to_string(), info.rule.theirs.to_string()];
    let mut parts = vec![
        Part::new(PartKind::Name, None, [info.name.clone()]),
        Part::new(PartKind::Rule, None, rule),
    ];
    let players = info.players.iter();
    parts.extend(players.map(|name| Part::new(PartKind::Player, None, [name.clone()])));
    parts
}

/// The chapters that have anything, where they are.
fn chapters(preparation: &Preparation) -> Vec<(Place, &PreparedChapter)> {
    let mut all = Vec::new();
    for source in preparation.sources() {
        let chapters = source.chapters.iter().filter(|chapter| !chapter.book.is_blank());
        let name: Arc<str> = source.name.as_str().into();
        all.extend((1..).zip(chapters).map(|(number, chapter)| ((name.clone(), number), chapter)));
    }
    all
}

/// What one preparation has and another has not, by the rows of the chapters that differ.
fn of_preparation(before: &Preparation, after: &Preparation) -> Result<Difference, String> {
    let [old, new] = [before, after].map(chapters);
    let of_place: HashMap<&Place, &PreparedChapter> =
        old.iter().map(|(at, chapter)| (at, *chapter)).collect();
    let is_same = |at: &Place, chapter: &PreparedChapter| {
        let old = of_place.get(at);
        old.is_some_and(|old| Arc::ptr_eq(&old.book, &chapter.book) && *old == chapter)
    };
    let same: HashSet<&Place> =
        new.iter().filter(|(at, chapter)| is_same(at, chapter)).map(|(at, _)| at).collect();
    let [gone, come] = [(before, &old), (after, &new)].map(|(preparation, chapters)| {
        let mut parts = edits(preparation);
        let mut sources: Vec<&Arc<str>> = chapters.iter().map(|((name, _), _)| name).collect();
        sources.dedup();
        parts.extend((1..).zip(sources).map(|(ordinal, name): (i64, _)| {
            let values = [name.to_string(), ordinal.to_string()];
            Part::new(PartKind::Source, Some(&(name.clone(), 0)), values)
        }));
        for (at, chapter) in chapters.iter().filter(|(at, _)| !same.contains(at)) {
            add_chapter(at, chapter, &mut parts)?;
        }
        parts.sort_by_key(|part| part.kind);
        Ok::<_, String>(parts)
    });
    let (gone, come) = (gone?, come?);
    Ok(Difference { gone: without(&gone, &come), come: without(&come, &gone) })
}

fn edits(preparation: &Preparation) -> Vec<Part> {
    let edits = (1..).zip(preparation.edits()).map(|(ordinal, edit): (i64, _)| {
        let Edit { key, uci, kind, replaced } = edit;
        let (what, said) = match kind {
            EditKind::Cut => ("cut", String::new()),
            EditKind::Main => ("main", String::new()),
            EditKind::Comment(text) => ("comment", text.clone()),
            EditKind::Glyph(nag) => ("glyph", nag.to_string()),
            EditKind::NoGlyphs => ("no-glyphs", String::new()),
        };
        let [ordinal, key, uci] = [ordinal.to_string(), key.to_string(), uci.to_string()];
        let values = [ordinal, key, uci, what.to_owned(), said, replaced.clone()];
        Part::new(PartKind::Edit, None, values)
    });
    edits.collect()
}

/// The kind of an edit, from the words of its row.
pub(super) fn edit_kind(what: &str, said: String) -> Option<EditKind> {
    Some(match what {
        "cut" => EditKind::Cut,
        "main" => EditKind::Main,
        "comment" => EditKind::Comment(said),
        "glyph" => EditKind::Glyph(said.parse().ok()?),
        "no-glyphs" => EditKind::NoGlyphs,
        _ => return None,
    })
}

/// Adds the rows of a chapter.
fn add_chapter(at: &Place, chapter: &PreparedChapter, parts: &mut Vec<Part>) -> Result<(), String> {
    let PreparedChapter { identity, study, name, tags, book } = chapter;
    let tags = serde_json::to_string(tags).expect("names and values are always JSON");
    let [identity, study, name] = [identity, study, name].map(String::clone);
    let values = [at.0.to_string(), at.1.to_string(), identity, study, name, tags];
    parts.push(Part::new(PartKind::Chapter, Some(at), values));
    let is_prepared = prepared_positions(book);
    let starts = book.roots().iter().filter(|id| is_prepared[id.index()]);
    for (ordinal, id) in (1_i64..).zip(starts) {
        let MoveCounters { halfmoves, fullmoves } = book.counters(*id);
        let numbers = [ordinal, fullmoves.get().into(), halfmoves.into()];
        let [ordinal, fullmoves, halfmoves] = numbers.map(|number| number.to_string());
        let values = [book.node(*id).key.to_string(), ordinal, fullmoves, halfmoves];
        parts.push(Part::new(PartKind::Start, Some(at), values));
    }
    for id in book.ids().filter(|id| is_prepared[id.index()]) {
        add_moves(at, (book, id), parts)?;
    }
    Ok(())
}

/// Adds the rows of a position: its moves, and what is said of it and them.
fn add_moves(at: &Place, (book, id): (&Book, NodeId), parts: &mut Vec<Part>) -> Result<(), String> {
    let node = book.node(id);
    let key = node.key.to_string();
    let add_notes = |san: &str, notes: &[Note], parts: &mut Vec<Part>| {
        for (ordinal, Note { source, nags, comment }) in (1_i64..).zip(notes) {
            let nags = serde_json::to_string(nags).expect("numbers are always JSON");
            let (ordinal, source) = (ordinal.to_string(), source.clone());
            let values = [key.clone(), san.to_owned(), ordinal, source, nags, comment.clone()];
            parts.push(Part::new(PartKind::Note, Some(at), values));
        }
    };
    add_notes("", &node.notes, parts);
    let prepared = book.prepared_edges(id);
    if prepared.is_empty() {
        return Ok(());
    }
    let position = node.key.to_position().map_err(|fault| fault.to_string())?;
    for (place, (edge, prepared)) in (1_i64..).zip(prepared) {
        let ordinal = if prepared.is_chosen() { 0 } else { place };
        let m = edge.uci.to_move(&position).expect("it was prepared here");
        let san = play_as_san(&mut position.clone(), m).to_string();
        add_notes(&san, &prepared.notes, parts);
        let values = [key.clone(), san, ordinal.to_string()];
        parts.push(Part::new(PartKind::Move, Some(at), values));
    }
    Ok(())
}

/// Which positions prepared lines have.
fn prepared_positions(book: &Book) -> Vec<bool> {
    let mut is_prepared = vec![false; book.len()];
    for id in book.ids() {
        is_prepared[id.index()] |= book.prepares_anything(id);
        book.prepared_edges(id).iter().for_each(|(edge, _)| is_prepared[edge.to.index()] = true);
    }
    is_prepared
}

/// How much the rows are compressed; more takes longer than it saves.
const LEVEL: i32 = 3;

/// The most bytes of rows that are read of a change.
const MAX_ROWS: u64 = 512 << 20;

impl Difference {
    fn pack(&self) -> Vec<u8> {
        let pack = || -> std::io::Result<Vec<u8>> {
            let mut encoder = zstd::Encoder::new(Vec::new(), LEVEL)?;
            encoder.include_checksum(true)?;
            serde_json::to_writer(&mut encoder, self)?;
            encoder.flush()?;
            encoder.finish()
        };
        pack().expect("memory can be written")
    }

    fn unpack(bytes: &[u8]) -> Option<Self> {
        let rows = zstd::Decoder::new(bytes).ok()?.take(MAX_ROWS);
        serde_json::from_reader(std::io::BufReader::new(rows)).ok()
    }
}
