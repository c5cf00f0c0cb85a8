//! New files and folders, and what is left of those that a run never finished.

use std::io::Write;
#[cfg(feature = "sqlite")]
use std::time::Duration;

use super::*;

#[test]
fn a_folder_is_searched_for_stale_files_once() {
    let folder = tempfile::tempdir().unwrap();
    let stale = folder.path().join(".eco-dead.tmp");
    fs::write(&stale, "half a fi").unwrap();
    let write = |name| NewFile::beside(&folder.path().join(name), Access::Default)?.replace();
    write("first").unwrap();
    assert!(!stale.exists(), "the first file of a run removes what a killed one left");
    fs::write(&stale, "half a fi").unwrap();
    write("second").unwrap();
    assert!(stale.exists(), "the folder was listed again, for every file in it");
}

#[test]
#[cfg(feature = "sqlite")]
fn one_at_a_time_has_the_path_of_a_new_file() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("x");
    let reserve = || ReservedFile::new(&target, b"1", Duration::from_millis(50));
    // What a killed run has left is no obstacle.
    fs::write(folder.path().join(".eco-x.tmp"), "").unwrap();
    fs::write(folder.path().join(".eco-x.tmp-new"), "half a fi").unwrap();
    let first = reserve().unwrap().unwrap();
    assert_eq!(fs::read(first.path()).unwrap(), b"1");
    assert_eq!(reserve().unwrap_err().kind(), io::ErrorKind::WouldBlock);
    drop(first);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "litter");
    reserve().unwrap().unwrap().place().unwrap();
    assert_eq!(fs::read(&target).unwrap(), b"1");
    assert!(reserve().unwrap().is_none(), "there is such a file");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "litter");
}

#[test]
fn a_folder_appears_with_all_its_files_or_not_at_all() {
    let place = tempfile::tempdir().unwrap();
    let names = || {
        let names = fs::read_dir(place.path()).unwrap();
        let mut names: Vec<_> = names.map(|e| e.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let target = place.path().join("out");
    let folder = NewFolder::beside(&target).unwrap();
    folder.append("a").unwrap().write_all(b"1").unwrap();
    drop(folder);
    assert!(names().is_empty(), "{:?}", names());
    fs::create_dir(&target).unwrap();
    let folder = NewFolder::beside(&target).unwrap();
    for text in ["1", "2"] {
        folder.append("a").unwrap().write_all(text.as_bytes()).unwrap();
    }
    // A second run leaves the folder of the first alone.
    remove_stale(place.path());
    folder.place().unwrap();
    assert_eq!(names(), ["out"]);
    assert_eq!(fs::read_dir(&target).unwrap().count(), 1);
    assert_eq!(fs::read(target.join("a")).unwrap(), b"12");
    let error = NewFolder::beside(&target).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DirectoryNotEmpty);
    assert!(NewFolder::beside(&target.join("a")).is_err());
}

#[test]
fn scratch_folders_are_removed_at_the_end_or_by_the_next_run() {
    let place = tempfile::tempdir().unwrap();
    let killed = place.path().join(".eco-dead.tmp");
    fs::create_dir(&killed).unwrap();
    fs::write(killed.join(LOCK), "").unwrap();
    fs::write(killed.join("games.db"), "x").unwrap();
    let one = ScratchFolder::within(place.path()).unwrap();
    assert!(!killed.exists());
    fs::write(one.path().join("games.db"), "x").unwrap();
    remove_stale(place.path());
    assert!(one.path().join("games.db").exists(), "its process lives");
    drop(one);
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
}

#[test]
fn folders_of_killed_runs_are_removed_and_no_others() {
    let place = tempfile::tempdir().unwrap();
    let [dead, early, foreign, live] = ["dead", "early", "foreign", "live"].map(|name| {
        let folder = place.path().join(format!(".eco-{name}.tmp"));
        fs::create_dir(&folder).unwrap();
        folder
    });
    for folder in [&dead, &live] {
        fs::write(folder.join(LOCK), "").unwrap();
        fs::write(folder.join("a.pgn"), "half a ga").unwrap();
    }
    fs::write(foreign.join("a.pgn"), "who knows whose").unwrap();
    let lock = File::open(live.join(LOCK)).unwrap();
    lock.lock().unwrap();
    remove_stale(place.path());
    assert!(!dead.exists(), "a folder whose process is gone");
    assert!(!early.exists(), "a folder whose process was killed before it had a lock");
    assert!(foreign.exists() && live.join("a.pgn").exists());
}

#[test]
fn a_folder_whose_name_was_taken_meanwhile_is_removed() {
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("out");
    let folder = NewFolder::beside(&target).unwrap();
    folder.append("a").unwrap().write_all(b"1").unwrap();
    fs::create_dir(&target).unwrap();
    fs::write(target.join("mine"), "").unwrap();
    assert!(folder.place().is_err());
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1, "litter");
    assert_eq!(fs::read_dir(&target).unwrap().count(), 1);
}

#[test]
fn a_lock_counts_only_for_the_file_that_has_the_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    let file = File::create_new(&path).unwrap();
    let other = File::open(&path).unwrap();
    other.lock().unwrap();
    assert!(!holds_lock(&file, &path), "another run is about to remove it");
    other.unlock().unwrap();
    assert!(holds_lock(&file, &path));
    fs::remove_file(&path).unwrap();
    assert!(!holds_lock(&file, &path), "another run has removed it");
}
