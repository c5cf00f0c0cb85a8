//! A table that is part of the program, or made while it runs.

use std::ops::Deref;

/// As `Cow`, but for arrays and slices alike, and with one layout for both: to read it takes no
/// branch.
#[derive(Debug)]
pub(super) enum MaybeStatic<T: ?Sized + 'static> {
    /// Part of the program.
    Static(&'static T),
    /// Made while it runs.
    Owned(Box<T>),
}

impl<T: ?Sized> MaybeStatic<T> {
    /// What was made, to be changed.
    ///
    /// # Panics
    ///
    /// If it is part of the program.
    pub(super) fn as_mut(&mut self) -> &mut T {
        match self {
            Self::Static(_) => unreachable!("what is part of the program never changes"),
            Self::Owned(made) => made,
        }
    }
}

impl<T: ?Sized> Deref for MaybeStatic<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        match self {
            Self::Static(table) => table,
            Self::Owned(table) => table,
        }
    }
}

impl<T> From<Vec<T>> for MaybeStatic<[T]> {
    fn from(made: Vec<T>) -> Self {
        Self::Owned(made.into_boxed_slice())
    }
}
