//! New files that appear under their name only when they are complete.
//!
//! The new file is a temporary one in the folder of its target, locked by its process. The first
//! new file in a folder removes those without a lock: the processes that wrote them were killed.
//! The operating system gives up the lock with the process, so no process id can be mistaken for
//! another. Folders are searched once in a process, because a run may write thousands of files to
//! one. A program that a signal such as Ctrl-C ends can [remove](remove_all) its own files first.

mod file;
mod folder;
mod live;
#[cfg(feature = "collection")]
mod reserved;
mod stale;
mod temporary;

pub use file::{Access, NewFile};
pub use folder::{NewFolder, ScratchFolder};
pub use live::remove_all;
#[cfg(feature = "collection")]
pub(crate) use reserved::ReservedFile;
pub use temporary::{folder_of, is_at};

#[cfg(test)]
mod tests;
