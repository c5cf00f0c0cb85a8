//! The position database: a catalogue, repertoires and collections in one SQLite file. The door to
//! `rusqlite`.
//!
//! The file holds text that a person can read; hashes are for memory only. The file knows
//! that it is a position database (`application_id`) and of which schema (`user_version`), and
//! anything else is refused before it is touched. What is written is written in one transaction,
//! and a new file appears under its name only when it is whole.

mod catalogue;
mod collection;
mod database;
mod error;
mod kept;
mod repertoire;
mod rows;
mod schema;
mod session;

pub use collection::{
    CollectionBuild, CollectionInfo, CollectionReport, CollectionSettings, Explorer, Salvage,
    StoredGames, UnreadGames,
};
pub use database::Database;
use error::InFile;
pub use error::{DamagedGames, Kind, StoreError};
pub use repertoire::{
    BuildReport, RepertoireBuild, RepertoireChange, RepertoireCounts, RepertoireInfo,
    RepertoireSettings,
};

#[cfg(feature = "training")]
pub use repertoire::TrainingLog;

#[cfg(test)]
mod tests;
