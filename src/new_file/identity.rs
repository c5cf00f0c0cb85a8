//! Which file of the system a path or a stream leads to, and of what kind it is.

use std::{fs::File, io, path::Path};

use self::system::id_of;
pub use self::system::{AsStream, identity, kind_at, kind_of, names_of};

/// What a file has as long as it exists, under whichever name, and no other file: its device or
/// volume, and its number there.
pub type FileId = (u64, u64);

/// What a path or a stream leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A pipe or a socket.
    Pipe,
    /// A terminal, or another device of characters.
    Device,
    /// `/dev/null`, or `NUL`.
    Nowhere,
    /// A folder, or something else.
    Other,
}

/// Whether an open file is the one that has this path now.
pub fn is_at(file: &File, path: &Path) -> bool {
    id_of(file).is_ok_and(|id| identity(path).is_ok_and(|there| there == id))
}

/// The identity of the regular file that a stream leads to, if it does.
pub(crate) fn id_of_stream(stream: &impl AsStream) -> Option<FileId> {
    let file = system::file_of(stream).ok()?;
    (kind_of(&file).ok()? == FileKind::File).then(|| id_of(&file).ok())?
}

#[cfg(unix)]
mod system {
    use std::fs::{Metadata, metadata};
    pub use std::os::fd::AsFd as AsStream;
    use std::os::unix::fs::{FileTypeExt, MetadataExt};

    use super::{File, FileId, FileKind, Path, io};

    pub(super) fn file_of(stream: &impl AsStream) -> io::Result<File> {
        stream.as_fd().try_clone_to_owned().map(File::from)
    }

    /// The identity of the file that a path leads to: the same for two names of one file.
    ///
    /// # Errors
    ///
    /// If there is none, or it may not be looked at.
    pub fn identity(path: &Path) -> io::Result<FileId> {
        metadata(path).map(|metadata| (metadata.dev(), metadata.ino()))
    }

    /// The identity of an open file.
    pub(super) fn id_of(file: &File) -> io::Result<FileId> {
        file.metadata().map(|metadata| (metadata.dev(), metadata.ino()))
    }

    /// How many names an open file has.
    ///
    /// # Errors
    ///
    /// If it cannot be looked at.
    pub fn names_of(file: &File) -> io::Result<u64> {
        file.metadata().map(|metadata| metadata.nlink())
    }

    /// What a path leads to. A pipe is not opened.
    ///
    /// # Errors
    ///
    /// If there is nothing, or it may not be looked at.
    pub fn kind_at(path: &Path) -> io::Result<FileKind> {
        metadata(path).map(|metadata| kind(&metadata))
    }

    /// What a stream leads to.
    ///
    /// # Errors
    ///
    /// If it cannot be looked at.
    pub fn kind_of(stream: &impl AsStream) -> io::Result<FileKind> {
        file_of(stream)?.metadata().map(|metadata| kind(&metadata))
    }

    fn kind(found: &Metadata) -> FileKind {
        let kind = found.file_type();
        if kind.is_file() {
            FileKind::File
        } else if kind.is_fifo() || kind.is_socket() {
            FileKind::Pipe
        } else if kind.is_char_device() {
            let is_nowhere = metadata("/dev/null").is_ok_and(|null| null.rdev() == found.rdev());
            if is_nowhere { FileKind::Nowhere } else { FileKind::Device }
        } else {
            FileKind::Other
        }
    }
}

#[cfg(windows)]
mod system {
    use std::io::IsTerminal;
    pub use std::os::windows::io::AsHandle as AsStream;

    use winapi_util::Handle;
    use winapi_util::file::{Information, information, typ};

    use super::{File, FileId, FileKind, Path, io};

    pub(super) fn file_of(stream: &impl AsStream) -> io::Result<File> {
        stream.as_handle().try_clone_to_owned().map(File::from)
    }

    fn id(information: &Information) -> FileId {
        (information.volume_serial_number(), information.file_index())
    }

    /// The identity of the file that a path leads to: the same for two names of one file.
    ///
    /// # Errors
    ///
    /// If there is none, or it may not be looked at.
    pub fn identity(path: &Path) -> io::Result<FileId> {
        information(Handle::from_path_any(path)?).map(|found| id(&found))
    }

    /// The identity of an open file.
    pub(super) fn id_of(file: &File) -> io::Result<FileId> {
        information(file).map(|found| id(&found))
    }

    /// How many names an open file has.
    ///
    /// # Errors
    ///
    /// If it cannot be looked at.
    pub fn names_of(file: &File) -> io::Result<u64> {
        information(file).map(|found| found.number_of_links())
    }

    /// What a path leads to.
    ///
    /// # Errors
    ///
    /// If there is nothing, or it may not be looked at.
    pub fn kind_at(path: &Path) -> io::Result<FileKind> {
        if path.is_dir() { Ok(FileKind::Other) } else { kind_of(&File::open(path)?) }
    }

    /// What a stream leads to.
    ///
    /// # Errors
    ///
    /// If it cannot be looked at.
    pub fn kind_of(stream: &impl AsStream) -> io::Result<FileKind> {
        let file = file_of(stream)?;
        let kind = typ(&file)?;
        Ok(if kind.is_disk() {
            FileKind::File
        } else if kind.is_pipe() {
            FileKind::Pipe
        } else if !kind.is_char() {
            FileKind::Other
        } else if file.is_terminal() {
            FileKind::Device
        } else {
            FileKind::Nowhere
        })
    }
}
