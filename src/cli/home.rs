//! The home: the folders of the user in which eco keeps a database and settings, unless it is given
//! other files. The only file that uses `etcetera`.

use std::path::{Path, PathBuf};
use std::{fs, io};

use etcetera::{BaseStrategy, choose_base_strategy};

/// The database of commands that name none. Without a folder of the user it is in the working
/// folder.
pub(super) fn database() -> PathBuf {
    let folder = choose_base_strategy().map(|folders| folders.data_dir().join("eco"));
    folder.unwrap_or_default().join("eco.db")
}

/// The file of settings.
pub(super) fn settings() -> PathBuf {
    let folder = choose_base_strategy().map(|folders| folders.config_dir().join("eco"));
    folder.unwrap_or_default().join("config.toml")
}

/// Whether this is the database of the home.
pub(super) fn is_database(path: &Path) -> bool {
    path == database()
}

/// Makes the folder of the database of the home, if that is what is to be written. Returns whether
/// the database is new, which the user should hear of.
pub(super) fn prepare(path: &Path) -> io::Result<bool> {
    if !is_database(path) || path.exists() {
        return Ok(false);
    }
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    Ok(true)
}
