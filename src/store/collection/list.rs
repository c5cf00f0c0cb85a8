//! The collections of a file and their segments, as its tables list them.
//!
//! A list is short. It is always read whole and without an index, so that nothing can be missing
//! unnoticed: each collection has a checksum of its row and of those of its segments.

use std::{ops::Range, slice};

use rusqlite::{Row, params, types::ValueRef};

use super::checksum::Checksum;
use crate::store::{DamagedGames, Database, Kind, StoreError};
use crate::{pgn::GameDate, select::SameGame};

/// A collection as its database describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CollectionInfo {
    /// Its name.
    pub name: String,
    /// Positions are found up to this ply.
    pub max_ply: u32,
    /// Which games are the same: only the first of them is kept.
    pub same_game: SameGame,
    /// The number of games.
    pub games: u64,
    /// Those of them that have a result and begin in the initial position. Without further notice,
    /// only these are counted.
    pub counted_games: u64,
    /// The number of parts in which the games are packed.
    pub segments: u64,
    /// What they take in the file, in bytes.
    pub bytes: u64,
    /// The dates of the first and the last game.
    pub dates: Option<(GameDate, GameDate)>,
    pub(super) id: i64,
}

/// A segment of a collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) struct SegmentRow {
    pub(super) id: i64,
    pub(in crate::store) games: u32,
    pub(super) counted: i64,
    /// Those of its first and its last game.
    pub(super) dates: [Option<GameDate>; 2],
    pub(super) bytes: i64,
}

/// A collection and its segments, the oldest first.
#[derive(Debug)]
pub(in crate::store) struct ListedCollection {
    pub(in crate::store) info: CollectionInfo,
    pub(in crate::store) segments: Vec<SegmentRow>,
    /// The repertoire whose games they are.
    pub(in crate::store) repertoire: Option<i64>,
    checksum: i64,
}

/// All collections by name, and whether there are segments of none of them.
struct List {
    collections: Vec<ListedCollection>,
    has_orphans: bool,
}

impl ListedCollection {
    /// Adds a segment that is listed.
    fn add(&mut self, segment: SegmentRow) {
        let (info, [first, last]) = (&mut self.info, segment.dates);
        let natural = |number: i64| u64::try_from(number).unwrap_or(0);
        info.games += u64::from(segment.games);
        info.counted_games += natural(segment.counted);
        info.segments += 1;
        info.bytes += natural(segment.bytes);
        let earliest = info.dates.map(|dates| dates.0).into_iter().chain(first).min();
        let latest = info.dates.map(|dates| dates.1).into_iter().chain(last).max();
        info.dates = earliest.zip(latest);
        self.segments.push(segment);
    }

    /// What its checksum should be.
    fn expected_checksum(&self) -> i64 {
        let CollectionInfo { id, name, max_ply, same_game, .. } = &self.info;
        let start = Checksum::default()
            .number(*id)
            .text(name)
            .number((*max_ply).into())
            .text(same_game.name())
            .number(self.repertoire.unwrap_or(-1));
        let add = |sum: Checksum, segment: &SegmentRow| {
            let SegmentRow { id, games, counted, dates, bytes } = segment;
            let sum = sum.number(*id).number((*games).into()).number(*counted).number(*bytes);
            let number = |date: &Option<GameDate>| date.map_or(0, GameDate::number).into();
            dates.iter().fold(sum, |sum, date| sum.number(number(date)))
        };
        self.segments.iter().fold(start, add).finish()
    }

    /// Whether the list is as it was written.
    pub(super) fn is_sound(&self) -> bool {
        self.checksum == self.expected_checksum()
    }
}

/// A number as it stands there. What is none is damage, which the checksum finds.
fn number(row: &Row<'_>, column: usize) -> rusqlite::Result<i64> {
    Ok(row.get_ref(column)?.as_i64().unwrap_or(-1))
}

fn text<'r>(row: &'r Row<'_>, column: usize) -> rusqlite::Result<&'r str> {
    Ok(row.get_ref(column)?.as_str().unwrap_or_default())
}

fn read_collection(row: &Row<'_>) -> rusqlite::Result<ListedCollection> {
    let repertoire = match row.get_ref(4)? {
        ValueRef::Null => None,
        _ => Some(number(row, 4)?),
    };
    let info = CollectionInfo {
        id: number(row, 0)?,
        name: text(row, 1)?.to_owned(),
        max_ply: u32::try_from(number(row, 2)?).unwrap_or(0),
        same_game: text(row, 3)?.parse().unwrap_or(SameGame::Strict),
        games: 0,
        counted_games: 0,
        segments: 0,
        bytes: 0,
        dates: None,
    };
    Ok(ListedCollection { info, segments: Vec::new(), repertoire, checksum: number(row, 5)? })
}

/// A segment after the number of its collection.
fn read_segment(row: &Row<'_>) -> rusqlite::Result<(i64, SegmentRow)> {
    let date = |column| Ok::<_, rusqlite::Error>(text(row, column)?.parse().ok());
    let segment = SegmentRow {
        id: number(row, 1)?,
        games: u32::try_from(number(row, 2)?).unwrap_or(0),
        counted: number(row, 3)?,
        dates: [date(4)?, date(5)?],
        bytes: number(row, 6)?,
    };
    Ok((number(row, 0)?, segment))
}

impl Database {
    fn list(&self) -> Result<List, StoreError> {
        let _snapshot = self.snapshot()?;
        let sql = "SELECT id, name, max_ply, same_game, repertoire_id, checksum FROM collection
             ORDER BY id";
        let mut collections = self.rows(sql, [], read_collection)?;
        let sql = "SELECT collection_id, id, games, counted_games, first_date, last_date, bytes
             FROM segment ORDER BY id";
        let mut has_orphans = false;
        for (collection, segment) in self.rows(sql, [], read_segment)? {
            match collections.iter_mut().find(|listed| listed.info.id == collection) {
                Some(listed) => listed.add(segment),
                None => has_orphans = true,
            }
        }
        collections.sort_by(|a, b| a.info.name.cmp(&b.info.name));
        Ok(List { collections, has_orphans })
    }

    /// The collections, without those of repertoires, by name.
    pub(super) fn listed_collections(&self) -> Result<Vec<ListedCollection>, StoreError> {
        let List { mut collections, has_orphans } = self.list()?;
        self.check(&collections, has_orphans)?;
        collections.retain(|listed| listed.repertoire.is_none());
        Ok(collections)
    }

    /// Checks that collections are listed as they were written.
    fn check(&self, listed: &[ListedCollection], has_orphans: bool) -> Result<(), StoreError> {
        match listed.iter().find(|listed| !listed.is_sound()) {
            _ if has_orphans => Err(self.damaged(&"segments are of no collection")),
            Some(unsound) => Err(self.damaged_list(unsound)),
            None => Ok(()),
        }
    }

    /// The first collection that meets a condition. That there is none is known only if no list is
    /// damaged.
    pub(in crate::store) fn find_listed(
        &self,
        meets: impl Fn(&ListedCollection) -> bool,
    ) -> Result<Option<ListedCollection>, StoreError> {
        let List { mut collections, has_orphans } = self.list()?;
        let found = collections.iter().position(meets).map(|at| collections.swap_remove(at));
        match &found {
            Some(found) => self.check(slice::from_ref(found), false)?,
            None => self.check(&collections, has_orphans)?,
        }
        Ok(found)
    }

    /// The first collection that meets a condition, be its list damaged or not.
    pub(super) fn find_unchecked(
        &self,
        meets: impl Fn(&ListedCollection) -> bool,
    ) -> Result<Option<ListedCollection>, StoreError> {
        Ok(self.list()?.collections.into_iter().find(meets))
    }

    /// Writes the checksum of a collection after a change of its rows.
    pub(in crate::store) fn seal(&self, id: i64) -> Result<(), StoreError> {
        let found = self.find_unchecked(|listed| listed.info.id == id)?;
        let Some(checksum) = found.map(|listed| listed.expected_checksum()) else { return Ok(()) };
        let sql = "UPDATE collection SET checksum = ?2 WHERE id = ?1";
        self.execute(sql, params![id, checksum]).map(drop)
    }

    /// What a collection is to people: its kind and its name.
    fn title(&self, listed: &ListedCollection) -> (Kind, String) {
        let Some(repertoire) = listed.repertoire else {
            return (Kind::Collection, listed.info.name.clone());
        };
        let sql = "SELECT name FROM repertoire WHERE id = ?1";
        let names: Vec<String> = self.rows(sql, [repertoire], |row| row.get(0)).unwrap_or_default();
        (Kind::Repertoire, names.into_iter().next().unwrap_or_default())
    }

    /// The error of a damaged list.
    pub(super) fn damaged_list(&self, listed: &ListedCollection) -> StoreError {
        let (kind, which) = self.title(listed);
        let games = 1..=listed.info.games;
        self.damaged_games(DamagedGames { kind, which, games, segment: None, what: String::new() })
    }

    fn damaged_games(&self, games: DamagedGames) -> StoreError {
        StoreError::DamagedGames { name: self.name.clone(), games: Box::new(games) }
    }

    /// The error of a damaged segment: what is damaged, and the numbers of its games in the segment
    /// if not all are.
    pub(super) fn damaged_segment(
        &self,
        id: i64,
        of: Option<Range<u64>>,
        what: String,
    ) -> StoreError {
        let list = match self.list() {
            Ok(list) => list,
            Err(error) => return error,
        };
        let place = list.collections.iter().find_map(|listed| {
            let at = listed.segments.iter().position(|segment| segment.id == id)?;
            let games = |segment: &SegmentRow| u64::from(segment.games);
            let before: u64 = listed.segments[..at].iter().map(games).sum();
            Some((listed, before, games(&listed.segments[at])))
        });
        let Some((listed, before, count)) = place else {
            return self.damaged(&format_args!("segment {id}: {what}"));
        };
        let (kind, which) = self.title(listed);
        let all = before + 1..=before + count;
        let part = of.map(|of| before + of.start + 1..=before + of.end.min(count));
        let games = part.filter(|part| !part.is_empty()).unwrap_or(all.clone());
        self.damaged_games(DamagedGames { kind, which, games, segment: Some((id, all)), what })
    }
}
