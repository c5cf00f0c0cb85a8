//! New files that appear under their name only when they are complete.
//!
//! The new file is a temporary one in the folder of its target, locked by its process. The first
//! new file in a folder removes those without a lock: the processes that wrote them were killed.
//! The operating system gives up the lock with the process, so no process id can be mistaken for
//! another. Folders are searched once in a process, because a run may write thousands of files to
//! one. A program that a signal such as Ctrl-C ends can [remove](remove_all) its own files first.

use std::{
    collections::{BTreeSet, HashSet},
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, ErrorKind, Write},
    mem,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};
#[cfg(feature = "collection")]
use std::{ffi::OsString, time::Duration};

#[cfg(feature = "collection")]
use tempfile::TempPath;
use tempfile::{NamedTempFile, TempDir};

const PREFIX: &str = ".eco-";
const SUFFIX: &str = ".tmp";

/// What the name of a reserved file has after that of its lock file.
const NEW: &str = "-new";

/// How often a new temporary file is tried, if another run removes it as stale before it is locked.
const ATTEMPTS: usize = 10;

/// A file that takes its name on [`replace`](Self::replace) or [`place`](Self::place). Without that
/// it is removed.
#[derive(Debug)]
pub struct NewFile {
    target: PathBuf,
    temporary: NamedTempFile,
    /// Given up after the temporary file is gone, or has its name.
    _live: Live,
}

/// Who may read a new file before it has its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// As with any new file.
    Default,
    /// Its owner alone.
    Private,
}

impl NewFile {
    /// A new file in the folder of `target`.
    ///
    /// # Errors
    ///
    /// If no file can be made there.
    pub fn beside(target: &Path, access: Access) -> io::Result<Self> {
        let folder = folder_of(target);
        remove_stale_once(folder);
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        #[cfg(unix)]
        if access == Access::Default {
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        }
        #[cfg(not(unix))]
        let _ = access;
        for _ in 0..ATTEMPTS {
            let mut live = live();
            let temporary = builder.tempfile_in(folder).map_err(without_path)?;
            let _live = Live::begin(&mut live, temporary.path());
            drop(live);
            if holds_lock(temporary.as_file(), temporary.path()) {
                return Ok(Self { target: target.to_owned(), temporary, _live });
            }
        }
        Err(io::Error::other("temporary files are removed as soon as they are made"))
    }

    /// The file, for writing.
    #[must_use]
    pub fn file(&self) -> &File {
        self.temporary.as_file()
    }

    /// Takes the name, also from an existing file.
    ///
    /// # Errors
    ///
    /// If the file cannot be renamed. It is then removed.
    pub fn replace(self) -> io::Result<()> {
        self.temporary.persist(&self.target).map(drop).map_err(|error| error.error)
    }

    /// Takes the name, unless there is a file of that name.
    ///
    /// # Errors
    ///
    /// As for [`replace`](Self::replace); `AlreadyExists` if the name is taken.
    pub fn place(self) -> io::Result<()> {
        self.temporary.persist_noclobber(&self.target).map(drop).map_err(|error| error.error)
    }

    /// Makes a file of these bytes, which is on the disk before it has its name.
    ///
    /// # Errors
    ///
    /// If it cannot be written, or there is a file of that name.
    pub fn write(target: &Path, bytes: &[u8]) -> io::Result<()> {
        let file = Self::beside(target, Access::Default)?;
        file.file().write_all(bytes)?;
        file.file().sync_all()?;
        file.place()
    }
}

/// A path beside its target, for a file that another library writes until it takes the name of the
/// target. Without [`place`](Self::place) the file is removed.
///
/// One process at a time has the path of a target: a lock file beside it, `.eco-NAME.tmp`, says
/// which. The file itself, `.eco-NAME.tmp-new`, is not locked, because locks of the operating
/// system would keep out the library that writes it.
#[cfg(feature = "collection")]
#[derive(Debug)]
pub(crate) struct ReservedFile {
    target: PathBuf,
    /// Removed before the lock is.
    file: TempPath,
    _lock: NamedTempFile,
    _live: Live,
}

#[cfg(feature = "collection")]
impl ReservedFile {
    /// The path for a file that will be `target`, with these bytes to begin with; `None` if there
    /// is such a file by now, since another process may have placed it while this one waited.
    ///
    /// # Errors
    ///
    /// `WouldBlock` if another process has the path for longer than `patience`; if the file cannot
    /// be made.
    pub(crate) fn new(target: &Path, bytes: &[u8], patience: Duration) -> io::Result<Option<Self>> {
        let folder = folder_of(target);
        remove_stale_once(folder);
        let mut name = OsString::from(PREFIX);
        name.push(target.file_name().unwrap_or_default());
        name.push(SUFFIX);
        let (lock, _live) = lock_at(&folder.join(name), patience)?;
        if target.exists() {
            return Ok(None);
        }
        let file = TempPath::try_from_path(with_suffix(lock.path(), NEW))?;
        fs::write(&file, bytes)?;
        Ok(Some(Self { target: target.to_owned(), file, _lock: lock, _live }))
    }

    /// Where the file is until it has its name.
    pub(crate) fn path(&self) -> &Path {
        &self.file
    }

    /// The path that it is for.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// Gives the file its name, unless there is a file of that name. Nobody may have it open.
    ///
    /// # Errors
    ///
    /// `AlreadyExists` if the name is taken; if the file cannot be renamed. It is then removed.
    pub(crate) fn place(self) -> io::Result<()> {
        self.file.persist_noclobber(&self.target).map_err(|error| error.error)
    }
}

/// The lock file of this path, once no other process has it.
#[cfg(feature = "collection")]
fn lock_at(path: &Path, patience: Duration) -> io::Result<(NamedTempFile, Live)> {
    const PAUSE: Duration = Duration::from_millis(20);
    let mut left = patience;
    loop {
        let mut live = live();
        let file = File::options().create(true).truncate(false).write(true).open(path)?;
        if holds_lock(&file, path) {
            let lock = NamedTempFile::from_parts(file, TempPath::try_from_path(path)?);
            return Ok((lock, Live::begin(&mut live, path)));
        }
        drop(live);
        left = left.checked_sub(PAUSE).ok_or(io::ErrorKind::WouldBlock)?;
        std::thread::sleep(PAUSE);
    }
}

/// A path with this after its name.
fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(suffix);
    PathBuf::from(path)
}

/// A folder of files that takes its name, with all of them, on [`place`](Self::place). Without that
/// it is removed.
#[derive(Debug)]
pub struct NewFolder {
    target: PathBuf,
    temporary: TempDir,
    /// Held while the folder is written, so that nobody takes it for one of a killed process.
    lock: File,
    live: Live,
}

/// The name of the lock in a folder that is being written.
const LOCK: &str = ".eco-lock";

impl NewFolder {
    /// A new folder beside `target`, which must not exist, or be an empty folder.
    ///
    /// # Errors
    ///
    /// If it exists and is something else, or no folder can be made there.
    pub fn beside(target: &Path) -> io::Result<Self> {
        match fs::read_dir(target).map(|mut entries| entries.next().is_some()) {
            Ok(false) => {}
            Ok(true) => return Err(io::Error::new(ErrorKind::DirectoryNotEmpty, "is not empty")),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let folder = folder_of(target);
        fs::create_dir_all(folder)?;
        remove_stale_once(folder);
        let (temporary, lock, live) = locked_folder(folder, 0o777)?;
        Ok(Self { target: target.to_owned(), temporary, lock, live })
    }

    /// Opens a file in the folder for appending, and creates it if there is none.
    ///
    /// # Errors
    ///
    /// If it cannot be opened.
    pub fn append(&self, name: &str) -> io::Result<File> {
        OpenOptions::new().append(true).create(true).open(self.temporary.path().join(name))
    }

    /// Takes the name. All files are on the disk before that.
    ///
    /// # Errors
    ///
    /// If a file cannot be brought to the disk, or the folder cannot be renamed. It is then
    /// removed.
    pub fn place(self) -> io::Result<()> {
        let Self { target, temporary, lock, live } = self;
        sync_files(temporary.path())?;
        // Not everywhere does a folder take the place of another.
        match fs::remove_dir(&target) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        // Where this is not Unix, a folder that has an open file cannot be renamed.
        let lock = cfg!(unix).then_some(lock);
        // The lock file goes along: without it, nobody would remove what a killed run leaves.
        fs::rename(temporary.path(), &target)?;
        // It has another name now, so there is nothing to remove.
        let _ = temporary.keep();
        drop(live);
        fs::remove_file(target.join(LOCK))?;
        drop(lock);
        Ok(())
    }
}

/// A folder for files that only this process needs. It is removed when it is dropped, or, if the
/// process is killed, by the next one that makes such a folder.
#[derive(Debug)]
pub struct ScratchFolder {
    temporary: TempDir,
    /// Held as long as the folder is used.
    _lock: File,
    _live: Live,
}

impl ScratchFolder {
    /// A folder that no other user can look into, where the system has temporary files.
    ///
    /// # Errors
    ///
    /// If no folder can be made there.
    pub fn new() -> io::Result<Self> {
        Self::within(&std::env::temp_dir())
    }

    fn within(folder: &Path) -> io::Result<Self> {
        remove_stale_once(folder);
        let (temporary, _lock, _live) = locked_folder(folder, 0o700)?;
        Ok(Self { temporary, _lock, _live })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.temporary.path()
    }
}

/// A temporary folder with its lock. On Unix it has these permissions, as far as the user grants
/// them to new files.
fn locked_folder(folder: &Path, mode: u32) -> io::Result<(TempDir, File, Live)> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    #[cfg(not(unix))]
    let _ = mode;
    for _ in 0..ATTEMPTS {
        let mut all = live();
        let temporary = builder.tempdir_in(folder).map_err(without_path)?;
        let live = Live::begin(&mut all, temporary.path());
        drop(all);
        let path = temporary.path().join(LOCK);
        match File::create_new(&path) {
            Ok(lock) if holds_lock(&lock, &path) => return Ok((temporary, lock, live)),
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            // Another run has removed the folder as stale, or is about to.
            Ok(_) | Err(_) => {}
        }
    }
    Err(io::Error::other("temporary folders are removed as soon as they are made"))
}

/// Waits until the files of a folder, and their names, are on the disk.
fn sync_files(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.file_name().is_some_and(|name| name != LOCK) {
            // Windows syncs only what may be written.
            OpenOptions::new().append(true).open(path)?.sync_all()?;
        }
    }
    // Elsewhere a folder is no file.
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Whether this process has the lock of an open file now, and the file still has this path. If not,
/// another process has taken it for stale, or has removed it.
fn holds_lock(file: &File, path: &Path) -> bool {
    // Where there are no locks there is no clean-up either.
    let is_taken = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
    !is_taken && is_at(file, path)
}

/// The folder that a path is in.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether an open file is the one that has this path now.
#[cfg(unix)]
#[must_use]
pub fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let opened = file.metadata().ok().map(identity);
    opened.is_some() && opened == fs::metadata(path).ok().map(identity)
}

/// Whether an open file is the one that has this path now.
#[cfg(not(unix))]
#[must_use]
pub fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// The error without the path of the temporary file, which the user never named.
fn without_path(error: io::Error) -> io::Error {
    let text = error.to_string();
    match text.split_once(" at path ") {
        Some((reason, _)) => io::Error::new(error.kind(), reason.to_owned()),
        None => error,
    }
}

/// The temporary files and folders of this process.
static LIVE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn live() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A temporary file or folder, as long as it may be there.
#[derive(Debug)]
struct Live(PathBuf);

impl Live {
    fn begin(live: &mut BTreeSet<PathBuf>, path: &Path) -> Self {
        live.insert(path.to_owned());
        Self(path.to_owned())
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        live().remove(&self.0);
    }
}

/// Removes what this process has not given its name yet, for a program that is about to end without
/// coming to its own end. Threads that begin or end a new file from now on wait for that.
pub fn remove_all() {
    let live = live();
    live.iter().for_each(|path| remove(path));
    mem::forget(live);
}

/// Removes a temporary file or folder, if it is there.
fn remove(path: &Path) {
    let _ = fs::remove_file(with_suffix(path, NEW));
    if fs::remove_file(path).is_ok() {
        return;
    }
    for _ in 0..ATTEMPTS {
        // While the files of a folder are removed, a thread may write another one.
        match fs::remove_dir_all(path) {
            Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => {}
            Ok(()) | Err(_) => return,
        }
    }
}

/// The folders that were searched for stale files.
static SEARCHED: Mutex<Option<HashSet<PathBuf>>> = Mutex::new(None);

/// Removes the temporary files that killed runs have left in a folder, once in a process.
fn remove_stale_once(folder: &Path) {
    let mut searched = SEARCHED.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    if searched.get_or_insert_default().insert(folder.clone()) {
        remove_stale(&folder);
    }
}

fn remove_stale(folder: &Path) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_searched_for_stale_files_once() {
        let folder = tempfile::tempdir().unwrap();
        let stale = folder.path().join(".eco-dead.tmp");
        fs::write(&stale, "half a fi").unwrap();
        NewFile::write(&folder.path().join("first"), b"1").unwrap();
        assert!(!stale.exists(), "the first file of a run removes what a killed one left");
        fs::write(&stale, "half a fi").unwrap();
        NewFile::write(&folder.path().join("second"), b"2").unwrap();
        assert!(stale.exists(), "the folder was listed again, for every file in it");
    }

    #[test]
    #[cfg(feature = "collection")]
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

    #[test]
    fn a_name_that_is_taken_stays_with_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        NewFile::write(&path, b"1").unwrap();
        let error = NewFile::write(&path, b"2").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"1");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "litter");
    }
}
