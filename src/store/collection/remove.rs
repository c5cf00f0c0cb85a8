//! Games are removed from a collection.

use std::{ops::ControlFlow, path::Path};

use super::{games::SegmentRow, info::CollectionInfo, new_segment::CollectedGames};
use crate::{
    collection::KeptGame,
    pipeline::Workers,
    select::Selection,
    store::{database::Database, error::StoreError},
};

impl Database {
    /// Removes the selected games from a collection, and returns their number. Openings are those
    /// that the games had when they were added.
    ///
    /// # Errors
    ///
    /// If there is no collection of this name, or the file cannot be written. It is then what it
    /// was.
    pub fn remove_games(
        path: &Path,
        name: &str,
        selection: &Selection,
        workers: &Workers,
    ) -> Result<u64, StoreError> {
        let mut database = Self::begin_to_change(path)?;
        let info = database.collection(name)?;
        let mut removed = 0;
        for segment in database.segments(&info)? {
            removed += database.remove_of_segment(&info, segment, selection, workers)?;
        }
        database.commit()?;
        Ok(removed)
    }

    /// Writes a segment without its selected games, if it has any.
    fn remove_of_segment(
        &self,
        info: &CollectionInfo,
        segment: SegmentRow,
        selection: &Selection,
        workers: &Workers,
    ) -> Result<u64, StoreError> {
        let mut left = CollectedGames::new(info.max_ply);
        let keep = |game: KeptGame| {
            if !game.is_selected(selection) {
                left.add(&game);
            }
            Ok(ControlFlow::Continue(()))
        };
        let _ = self.each_kept_game(segment, keep)?;
        let removed = segment.games as usize - left.len();
        if removed > 0 {
            self.delete_segment(segment)?;
            if left.len() > 0 {
                self.write_segment(info, left, workers)?;
            }
        }
        Ok(removed as u64)
    }
}
