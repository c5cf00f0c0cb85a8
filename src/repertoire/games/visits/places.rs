//! Which position each visit is to, written by all threads.

use std::sync::atomic::{AtomicU32, Ordering};

/// By visit, which counted position it is a visit to.
pub(super) struct Places(Vec<AtomicU32>);

/// The number of a counted position: its part in the first eight bits, and its number there.
pub(super) type Place = u32;

/// A visit to a position that is not counted.
pub(super) const NOWHERE: Place = Place::MAX;

/// The most counted positions of a part.
pub(super) const MOST_PLACES: usize = 1 << 24;

impl Places {
    /// A number of visits to positions that are not counted.
    pub(super) fn nowhere(visits: usize) -> Self {
        Self((0..visits).map(|_| AtomicU32::new(NOWHERE)).collect())
    }

    /// Which position a visit is to.
    pub(super) fn of_visit(&self, visit: usize) -> Place {
        self.0[visit].load(Ordering::Relaxed)
    }

    /// Says which position a visit is to.
    pub(super) fn set(&self, visit: usize, place: Place) {
        self.0[visit].store(place, Ordering::Relaxed);
    }
}

/// Divides a place into its part and its number there.
pub(super) fn divided(place: Place) -> (usize, usize) {
    ((place >> 24) as usize, (place & 0xff_ffff) as usize)
}
