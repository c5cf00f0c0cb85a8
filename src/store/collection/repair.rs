//! Finds what is damaged of collections, and takes it out.

use std::path::Path;

use super::list::{ListedCollection, SegmentRow};
use super::segments::{CACHE_BYTES, SegmentBlobs, after};
use super::{CollectionInfo, writing::Index};
use crate::collection::segment::{SegmentBuilder, SegmentReader};
use crate::collection::{KeptGame, segment::Cache};
use crate::pipeline::Workers;
use crate::store::{DamagedGames, Database, Kind, StoreError};

/// What became of the damaged segments of a collection.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Salvage {
    /// The number of their games that can be read. They are packed anew.
    pub kept: u64,
    /// The number of those that cannot, and are removed.
    pub lost: u64,
}

impl Database {
    /// What is damaged of the games of a collection or a repertoire; all of them are read.
    ///
    /// # Errors
    ///
    /// If there is none of the name, or the file cannot be read for another reason.
    pub fn damage_of(&self, kind: Kind, name: &str) -> Result<Vec<DamagedGames>, StoreError> {
        let Some(listed) = self.games_as_listed(kind, name)? else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        if !listed.is_sound() {
            gather(self.damaged_list(&listed), &mut found).map(drop)?;
        }
        for segment in &listed.segments {
            self.find_damage(*segment, &mut found)?;
        }
        Ok(found)
    }

    /// Removes the games of a collection or a repertoire that are damaged, in one transaction. The
    /// other games of their segments are packed anew.
    ///
    /// # Errors
    ///
    /// If there is none of the name, or the file cannot be written. It is then what it was.
    pub fn remove_damaged(
        path: &Path,
        kind: Kind,
        name: &str,
        workers: &Workers,
    ) -> Result<Salvage, StoreError> {
        let mut salvage = Salvage::default();
        Self::change(path, |database| {
            let Some(listed) = database.games_as_listed(kind, name)? else { return Ok(salvage) };
            let ListedCollection { info, segments, .. } = &listed;
            for segment in segments {
                let mut damage = Vec::new();
                database.find_damage(*segment, &mut damage)?;
                // A damaged list may say anything of a segment: what it says is made anew.
                if listed.is_sound() && damage.is_empty() {
                    continue;
                }
                let kept = database.salvage(info, *segment, workers)?;
                database.delete_segment(info, *segment)?;
                salvage.kept += kept.kept;
                salvage.lost += kept.lost;
            }
            database.seal(info.id)?;
            Ok(salvage)
        })
    }

    /// The collection of this name, or that of the games of a repertoire, whatever its checksum.
    fn games_as_listed(
        &self,
        kind: Kind,
        name: &str,
    ) -> Result<Option<ListedCollection>, StoreError> {
        let id = self.id_of(kind, name)?;
        self.find_unchecked(|listed| match kind {
            Kind::Repertoire => listed.repertoire == Some(id),
            _ => listed.info.id == id,
        })
    }

    /// Adds what is damaged of a segment.
    fn find_damage(
        &self,
        segment: SegmentRow,
        found: &mut Vec<DamagedGames>,
    ) -> Result<(), StoreError> {
        let cache = Cache::new(CACHE_BYTES);
        let reader = match self.segment_reader(segment, &cache) {
            Ok(reader) => reader,
            Err(error) => return gather(error, found).map(drop),
        };
        each_readable(&reader, |_, _| Ok(()), found)?;
        reader.other_faults().into_iter().try_for_each(|error| gather(error, found).map(drop))
    }

    /// Packs the games of a segment anew that can be read.
    fn salvage(
        &self,
        info: &CollectionInfo,
        segment: SegmentRow,
        workers: &Workers,
    ) -> Result<Salvage, StoreError> {
        let cache = Cache::new(CACHE_BYTES);
        let reader = match SegmentReader::new(SegmentBlobs::new(self, segment.id), &cache) {
            Ok(reader) => reader,
            Err(StoreError::DamagedGames { .. }) => {
                return Ok(Salvage { kept: 0, lost: segment.games.into() });
            }
            Err(error) => return Err(error),
        };
        let (count, max_ply) = (reader.header().games, reader.header().max_ply.into());
        let (mut games, mut kept) = (SegmentBuilder::new(max_ply), 0);
        let add = |game, arrival| {
            games.add(&game, arrival);
            kept += 1;
            if games.is_full() {
                let full = std::mem::replace(&mut games, SegmentBuilder::new(max_ply));
                self.write_segment(info, full, Index::Now, workers)?;
            }
            Ok(())
        };
        each_readable(&reader, add, &mut Vec::new())?;
        if games.len() > 0 {
            self.write_segment(info, games, Index::Now, workers)?;
        }
        Ok(Salvage { kept, lost: u64::from(count) - kept })
    }
}

/// Adds damage that an error reports, and returns the number in its segment of the game after it.
/// Any other error is one.
fn gather(error: StoreError, found: &mut Vec<DamagedGames>) -> Result<u32, StoreError> {
    let StoreError::DamagedGames { games: damage, .. } = error else { return Err(error) };
    let next = after(&damage);
    if !found.contains(&damage) {
        found.push(*damage);
    }
    Ok(next)
}

/// Calls `visit` with each game of a segment that can be read, and its number of arrival. Adds what
/// is damaged.
fn each_readable(
    reader: &SegmentReader<'_, SegmentBlobs<'_>>,
    mut visit: impl FnMut(KeptGame, u32) -> Result<(), StoreError>,
    found: &mut Vec<DamagedGames>,
) -> Result<(), StoreError> {
    let mut number = 0;
    while number < reader.header().games {
        let read = reader.known(number).and_then(|known| {
            let game = reader.game(number)?;
            Ok((game, known.facts.arrival(known.at)))
        });
        number = match read {
            Ok((game, arrival)) => {
                visit(game, arrival)?;
                number + 1
            }
            Err(error) => gather(error, found)?.max(number + 1),
        };
    }
    Ok(())
}
