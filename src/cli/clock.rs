//! The clock of the computer.

use std::time::{SystemTime, UNIX_EPOCH};

/// The seconds since the beginning of 1970, UTC; 0 before that.
pub(super) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_secs().cast_signed()
}
