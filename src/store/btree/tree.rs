//! A tree of pages, made of rows or entries in their order.
//!
//! A leaf is filled until the next cell does not fit. It is then written, and a cell that refers
//! to it goes to the page above, and so on. The last page of the highest level is the root.

use std::io;

use super::{page_file::PageFile, record::push_varint};

/// What a tree holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) enum TreeKind {
    /// The rows of a table, by their ids. All are in leaves.
    Table,
    /// The entries of an index, or the rows of a table without ids. Some are between leaves.
    Index,
}

/// A tree that is being written.
#[derive(Debug)]
pub(in crate::store) struct Tree {
    kind: TreeKind,
    page_size: usize,
    /// The pages that are being filled, one of each level, the leaf first.
    levels: Vec<Page>,
    /// The id of the last row.
    last: i64,
    /// The next cell.
    cell: Vec<u8>,
}

/// A page that is being filled.
#[derive(Debug, Default)]
struct Page {
    cells: Vec<u8>,
    /// Where each cell ends.
    ends: Vec<usize>,
}

impl Tree {
    /// An empty tree in pages of a file.
    pub(in crate::store) fn new(kind: TreeKind, file: &PageFile) -> Self {
        let levels = vec![Page::default()];
        Self { kind, page_size: file.page_size(), levels, last: 0, cell: Vec::new() }
    }

    /// Adds a record after the others. In a table, `id` is the id of the row.
    ///
    /// # Errors
    ///
    /// If a page cannot be written.
    pub(in crate::store) fn push(
        &mut self,
        id: i64,
        record: &[u8],
        file: &mut PageFile,
    ) -> io::Result<()> {
        let mut cell = std::mem::take(&mut self.cell);
        cell.clear();
        push_varint(&mut cell, record.len() as u64);
        if self.kind == TreeKind::Table {
            push_varint(&mut cell, id.cast_unsigned());
        }
        let (here, overflow) = record.split_at(self.local(record.len()));
        cell.extend_from_slice(here);
        if !overflow.is_empty() {
            let first = self.push_overflow(overflow, file)?;
            cell.extend_from_slice(&first.to_be_bytes());
        }
        self.add(0, &cell, file)?;
        (self.cell, self.last) = (cell, id);
        Ok(())
    }

    /// The number of bytes of a record of this length that are in its cell; the others are in
    /// pages of their own. The formulas are those of the file format, where `usable` is U.
    fn local(&self, length: usize) -> usize {
        let usable = self.page_size;
        let most = match self.kind {
            TreeKind::Table => usable - 35,
            TreeKind::Index => (usable - 12) * 64 / 255 - 23,
        };
        if length <= most {
            return length;
        }
        let least = (usable - 12) * 32 / 255 - 23;
        let fit = least + (length - least) % (usable - 4);
        if fit <= most { fit } else { least }
    }

    /// Writes the rest of a record, the last page first, since each refers to the next.
    fn push_overflow(&self, rest: &[u8], file: &mut PageFile) -> io::Result<u32> {
        let mut next = 0_u32;
        for part in rest.chunks(self.page_size - 4).rev() {
            let mut page = Vec::with_capacity(self.page_size);
            page.extend_from_slice(&next.to_be_bytes());
            page.extend_from_slice(part);
            page.resize(self.page_size, 0);
            next = file.append(&page)?;
        }
        Ok(next)
    }

    /// Adds a cell to the page of a level, or to a new one if it is full.
    fn add(&mut self, level: usize, cell: &[u8], file: &mut PageFile) -> io::Result<()> {
        if self.levels.len() == level {
            self.levels.push(Page::default());
        }
        if !self.levels[level].has_room(cell.len(), level, self.page_size) {
            let divider = self.close(level, file)?;
            self.add(level + 1, &divider, file)?;
        }
        self.levels[level].push(cell);
        Ok(())
    }

    /// Writes the page of a level, and returns the cell that refers to it.
    fn close(&mut self, level: usize, file: &mut PageFile) -> io::Result<Vec<u8>> {
        let page = &mut self.levels[level];
        let (mut right, mut key) = (None, Vec::new());
        match (self.kind, level) {
            (TreeKind::Table, 0) => push_varint(&mut key, self.last.cast_unsigned()),
            // The last entry stands between this leaf and the next.
            (TreeKind::Index, 0) => key = page.pop(),
            // The last cell is divided: what it refers to is the last child of the page, and its
            // key goes up.
            (_, _) => {
                let last = page.pop();
                let (child, rest) = last.split_at(4);
                right = Some([child[0], child[1], child[2], child[3]]);
                key.extend_from_slice(rest);
            }
        }
        let number = file.append(&page.image(self.kind, right, self.page_size))?;
        page.clear();
        Ok([&number.to_be_bytes()[..], &key].concat())
    }

    /// Writes all pages but the root, which is returned.
    ///
    /// # Errors
    ///
    /// If a page cannot be written.
    pub(in crate::store) fn finish(self, file: &mut PageFile) -> io::Result<Vec<u8>> {
        let Self { kind, page_size, levels, .. } = self;
        let mut image = Vec::new();
        for (level, page) in levels.iter().enumerate() {
            let right = match level {
                0 => None,
                _ => Some(file.append(&image)?.to_be_bytes()),
            };
            image = page.image(kind, right, page_size);
        }
        Ok(image)
    }
}

impl Page {
    fn has_room(&self, cell: usize, level: usize, page_size: usize) -> bool {
        let header = if level == 0 { 8 } else { 12 };
        header + 2 * (self.ends.len() + 1) + self.cells.len() + cell <= page_size
    }

    fn push(&mut self, cell: &[u8]) {
        self.cells.extend_from_slice(cell);
        self.ends.push(self.cells.len());
    }

    /// Takes the last cell. A full page has several.
    fn pop(&mut self) -> Vec<u8> {
        self.ends.pop();
        self.cells.split_off(self.ends.last().copied().unwrap_or(0))
    }

    fn clear(&mut self) {
        self.cells.clear();
        self.ends.clear();
    }

    /// The bytes of the page. Inner pages have a last child, `right`.
    fn image(&self, kind: TreeKind, right: Option<[u8; 4]>, page_size: usize) -> Vec<u8> {
        let code: u8 = match (kind, right) {
            (TreeKind::Table, None) => 0x0d,
            (TreeKind::Table, Some(_)) => 0x05,
            (TreeKind::Index, None) => 0x0a,
            (TreeKind::Index, Some(_)) => 0x02,
        };
        let content = page_size - self.cells.len();
        let mut page = Vec::with_capacity(page_size);
        // No free bytes before, between or after the cells; 65,536 is written as 0.
        page.extend_from_slice(&[code, 0, 0]);
        page.extend_from_slice(&(self.ends.len() as u16).to_be_bytes());
        page.extend_from_slice(&(content as u16).to_be_bytes());
        page.push(0);
        page.extend(right.into_iter().flatten());
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        for start in starts.take(self.ends.len()) {
            page.extend_from_slice(&((content + start) as u16).to_be_bytes());
        }
        page.resize(content, 0);
        page.extend_from_slice(&self.cells);
        page
    }
}
