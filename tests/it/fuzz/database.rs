//! A small position database with bytes changed: it opens or is refused, soon, no reader changes
//! the file, and its changes can be undone or not.
//!
//! The input lists changes: where, as three bytes, how many bytes, and these.

use std::{fs, path::Path, sync::OnceLock};

use super::{Choices, scratch};
use eco::{
    catalogue::Catalogue,
    chess::{Chess, Color, EnPassantMode, PositionKey},
    collection::PositionQuery,
    master::{Master, MasterFile, MasterInfo},
    pipeline::{Options, Workers},
    repertoire::{Book, BookRule},
    select::Selection,
    store::{
        CollectionBuild, CollectionSettings, Database, Explorer, RepertoireBuild,
        RepertoireSettings, StoreError,
    },
};

const MASTER: &str =
    "eco\tname\tpgn\nB00\tKing's Pawn Game\t1. e4\nB20\tSicilian Defense\t1. e4 c5\n";

const GAMES: &[u8] = b"[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 c5 2. Nf3 1-0\n\n\
    [White \"A\"]\n[Black \"C\"]\n[Date \"2020.01.02\"]\n\n1. e4 e5 1/2-1/2\n";

pub fn check_bytes(bytes: &[u8]) {
    let path = scratch("database").join("fuzzed.db");
    let file = mutated(bytes);
    fs::write(&path, &file).expect("the folder can be written");
    let result = read(&path);
    if bytes.is_empty() {
        assert!(result.is_ok(), "{result:?}");
    }
    if let Err(error) = result {
        assert!(!error.to_string().is_empty());
    }
    assert!(fs::read(&path).expect("it is still there") == file, "the file was changed");
    // Whatever the journal says, undoing comes to an end, and the file is still read or refused.
    let undo = || Database::undo(&path, None, &Workers::default());
    for _ in 0..MOST_CHANGES {
        if !matches!(undo(), Ok(Some(_))) {
            break;
        }
        let _ = read(&path);
    }
}

/// More changes than the database has.
const MOST_CHANGES: usize = 4;

/// The database, with the changes that the bytes list.
fn mutated(bytes: &[u8]) -> Vec<u8> {
    static VALID: OnceLock<Vec<u8>> = OnceLock::new();
    let mut file = VALID.get_or_init(|| valid().expect("a database can be made")).clone();
    let mut choices = Choices::new(bytes);
    while !choices.rest().is_empty() {
        let at = (0..3).fold(0, |at, _| at << 8 | choices.below(256)) % file.len();
        let count = 1 + choices.below(16);
        for byte in file.iter_mut().skip(at).take(count) {
            *byte = choices.try_next().unwrap_or(0);
        }
    }
    file
}

fn valid() -> Result<Vec<u8>, StoreError> {
    let path = scratch("database").join("valid.db");
    let _ = fs::remove_file(&path);
    let file = MasterFile { name: "a.tsv", bytes: MASTER.as_bytes() };
    let reading = Master::read(MasterInfo::default(), &[file], None).expect("it is a master");
    Database::ingest(&path, &Catalogue::from_masters(reading.masters).0)?;
    let settings = RepertoireSettings { color: Some(Color::White), ..Default::default() };
    let workers = Options::default().workers;
    let mut build = RepertoireBuild::begin(&path, "mine", &settings, &workers)?;
    build.add_pgn(GAMES, &Selection::default(), &Options::default())?;
    build.finish(0)?;
    let mut book = Book::new(Color::White, BookRule::default());
    book.prepare("1. e4 c5 2. c3").expect("the moves are legal");
    Database::prepare(&path, "mine", &settings, 0, &book)?;
    let (settings, options) = (CollectionSettings::default(), Options::default());
    let mut build = CollectionBuild::begin(&path, "games", &settings, &options.workers)?;
    build.add_pgn(GAMES, &Selection::default(), &options)?;
    build.finish()?;
    Ok(fs::read(&path).expect("it was just made"))
}

/// Reads all there is.
fn read(path: &Path) -> Result<(), StoreError> {
    let database = Database::open(path)?;
    let catalogue = database.catalogue();
    let made = database.catalogue_of_masters();
    for catalogue in catalogue.iter().chain(&made) {
        for line in catalogue.lines() {
            assert!(line.position < catalogue.positions().len());
            assert!(line.master < catalogue.masters().len());
        }
    }
    if let (Ok(catalogue), Ok(made)) = (&catalogue, &made)
        && database.keeps_catalogue_of(made)?
    {
        assert!(catalogue.to_masters() == made.to_masters(), "what is kept says something else");
    }
    let (faults, history) = (database.integrity_faults(), database.history(None));
    let repertoires = database.repertoires()?;
    for info in &repertoires {
        let counts = database.counts(info);
        let book = database.book_by(&info.name, info.rule);
        let games = match database.games_of(info)? {
            Some(games) => database.kept_games(&games, &mut drop),
            None => Ok(()),
        };
        let _ = (counts?, book?, games?);
    }
    let start = PositionKey::from_position(&Chess::default(), EnPassantMode::Legal);
    let stats = Explorer::open(path, &[])?.query(&start, &PositionQuery::default());
    let _ = (catalogue?, faults?, stats?, history?);
    Ok(())
}
