//! What killed runs have left.

use std::{
    collections::HashSet,
    fs::{self, File},
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use super::temporary::{LOCK, NEW, PREFIX, SUFFIX, is_at, with_suffix};

/// The folders that were searched for stale files.
static SEARCHED: Mutex<Option<HashSet<PathBuf>>> = Mutex::new(None);

/// Removes the temporary files that killed runs have left in a folder, once in a process.
pub(super) fn remove_stale_once(folder: &Path) {
    let mut searched = SEARCHED.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    if searched.get_or_insert_default().insert(folder.clone()) {
        remove_stale(&folder);
    }
}

pub(super) fn remove_stale(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_ours = name.starts_with(PREFIX) && name.ends_with(SUFFIX);
        if is_ours && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove_stale_folder(&entry.path());
        } else if is_ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            let path = entry.path();
            let stale = File::open(&path).ok().filter(|file| file.try_lock().is_ok());
            if stale.is_some_and(|file| is_at(&file, &path)) {
                // If it cannot be removed, the next run tries again.
                let _ = fs::remove_file(with_suffix(&path, NEW));
                let _ = fs::remove_file(path);
            }
        }
    }
}

/// Removes a temporary folder, unless its process lives.
fn remove_stale_folder(folder: &Path) {
    let path = folder.join(LOCK);
    match File::open(&path) {
        Ok(lock) if lock.try_lock().is_ok() && is_at(&lock, &path) => {
            let _ = fs::remove_dir_all(folder);
        }
        // Its process has not come to the lock; if it lives, it makes another folder.
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let _ = fs::remove_dir(folder);
        }
        Ok(_) | Err(_) => {}
    }
}
