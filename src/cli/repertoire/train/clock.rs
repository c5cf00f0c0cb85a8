//! The time of answers.

use std::time::{SystemTime, UNIX_EPOCH};

use eco::{pgn::GameDate, training::Moment};

/// The clock of the computer, or one that stands still.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    fixed: Option<Moment>,
}

impl Clock {
    /// The clock of the computer, or one that stands at the beginning of a day.
    pub(super) fn new(day: Option<GameDate>) -> Self {
        Self { fixed: day.map(Moment::start_of) }
    }

    /// The time.
    pub(super) fn now(self) -> Moment {
        self.fixed.unwrap_or_else(|| {
            // A clock before 1970 is wrong; no card is older.
            let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            Moment::from_seconds(since.as_secs().cast_signed())
        })
    }
}
