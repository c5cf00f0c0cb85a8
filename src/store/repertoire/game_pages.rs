//! The rows of the games of a new file, written as pages.
//!
//! It is the fast form of [`GameRow::add`], for a table without rows in a file that nobody else
//! has open. Rows wait in memory until all games are read, or until they take too much of it; then
//! statements go on.

use std::io;

use super::game_rows::GameRow;
use crate::{
    executor::Executor,
    pipeline::Workers,
    store::{
        btree::{PageFile, Record, Records, Tree, TreeKind},
        database::Database,
        error::{InFile, StoreError},
    },
};

/// What rows may take in memory, in bytes: some 350,000 games. In tests, six or so.
const MOST_BYTES: usize = if cfg!(test) { 250 } else { 24 << 20 };

/// The trees that are written, by the names of what they are the root of.
const GAMES: &str = "game";
const IDENTITIES: &str = "sqlite_autoindex_game_1";
const NAMES: [&str; 2] = ["game_by_white", "game_by_black"];

/// Rows of games on their way into a new file. Their ids count from 1.
#[derive(Default)]
pub(super) struct GamePages {
    repertoire: i64,
    rows: Records,
    record: Record,
    /// With the ids of the rows.
    identities: Vec<(i64, i64)>,
    /// Of White and Black.
    names: [Names; 2],
}

/// Names in the order of the rows.
#[derive(Default)]
struct Names {
    text: String,
    ends: Vec<usize>,
}

/// A name that sorts as its text does, with the id of its row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct SortedName<'a> {
    /// The first eight bytes, which are enough to tell most names apart.
    first: [u8; 8],
    text: &'a str,
    row: i64,
}

impl Names {
    fn push(&mut self, name: &str) {
        self.text.push_str(name);
        self.ends.push(self.text.len());
    }

    fn sorted(&self) -> Vec<SortedName<'_>> {
        let mut start = 0;
        let names = (1..).zip(&self.ends).map(|(row, end)| {
            let text = &self.text[start..*end];
            start = *end;
            let mut first = [0; 8];
            let known = text.len().min(first.len());
            first[..known].copy_from_slice(&text.as_bytes()[..known]);
            SortedName { first, text, row }
        });
        let mut names: Vec<SortedName<'_>> = names.collect();
        names.sort_unstable();
        names
    }

    /// The records of an index of the names.
    fn records(&self) -> Records {
        let (mut record, mut records) = (Record::default(), Records::default());
        for SortedName { text, row, .. } in self.sorted() {
            record.text(text);
            record.integer(row);
            records.push(row, &mut record);
        }
        records
    }
}

impl GamePages {
    /// No rows yet of the games of a repertoire; `None` if the file is not new, or has games.
    pub(super) fn begin(database: &Database, repertoire: i64) -> Result<Option<Self>, StoreError> {
        let has_games = "SELECT EXISTS (SELECT * FROM game)";
        let has_games = database.connection.query_row(has_games, [], |row| row.get::<_, bool>(0));
        let is_empty = !has_games.in_file(&database.name)?;
        Ok((is_empty && database.can_take_pages()?).then(|| Self { repertoire, ..Self::default() }))
    }

    /// Adds the row of a game, and returns its id.
    pub(super) fn add(&mut self, row: &GameRow<'_>) -> i64 {
        let id = self.identities.len() as i64 + 1;
        self.identities.push((row.identity(), id));
        row.names().into_iter().zip(&mut self.names).for_each(|(name, names)| names.push(name));
        row.write(self.repertoire, &mut self.record);
        self.rows.push(id, &mut self.record);
        id
    }

    /// Whether no more rows should be added.
    pub(super) fn is_full(&self) -> bool {
        self.rows.byte_count() >= MOST_BYTES
    }

    /// Writes all rows, and the indexes that the file has.
    pub(super) fn write(
        self,
        database: &mut Database,
        workers: &Workers,
    ) -> Result<(), StoreError> {
        let Self { repertoire, rows, mut identities, names, .. } = self;
        identities.sort_unstable();
        if identities.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Err(StoreError::damaged(&database.name, &"two games have one identity"));
        }
        let roots = database.roots([GAMES, IDENTITIES, NAMES[0], NAMES[1]])?;
        let Some(mut file) = database.end_of_new_file()? else {
            return Err(StoreError::damaged(&database.name, &"a new file is laid out otherwise"));
        };
        let write = || -> io::Result<()> {
            let mut images = Vec::new();
            let [white, black] = &names;
            let (white, black) = workers.join(|| white.records(), || black.records());
            let identities = identity_records(repertoire, &identities);
            let kinds = [TreeKind::Table, TreeKind::Index, TreeKind::Index, TreeKind::Index];
            for ((records, kind), root) in
                [rows, identities, white, black].iter().zip(kinds).zip(roots)
            {
                let Some(root) = root else { continue };
                images.push((root, write_tree(kind, records, &mut file)?));
            }
            file.finish(&images)
        };
        database.reopen_new(write)
    }
}

fn identity_records(repertoire: i64, identities: &[(i64, i64)]) -> Records {
    let (mut record, mut records) = (Record::default(), Records::default());
    for (identity, row) in identities {
        [repertoire, *identity, *row].into_iter().for_each(|value| record.integer(value));
        records.push(*row, &mut record);
    }
    records
}

/// Writes a tree, and returns its root.
fn write_tree(kind: TreeKind, records: &Records, file: &mut PageFile) -> io::Result<Vec<u8>> {
    let mut tree = Tree::new(kind, file);
    records.iter().try_for_each(|(id, record)| tree.push(id, record, file))?;
    tree.finish(file)
}
