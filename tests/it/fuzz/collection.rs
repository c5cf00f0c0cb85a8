//! The packed games of a collection with bytes changed: a question is answered or is an error, soon
//! and in bounded memory.
//!
//! The input lists changes: where, as three bytes, how many bytes, and these. Checksums are those of
//! the changed bytes, so that these are read.

use std::path::{Path, PathBuf};
use std::{fs, sync::OnceLock};

use super::{Choices, scratch};
use eco::{
    chess::{Chess, EnPassantMode, Position, PositionKey, read_move},
    collection::{PositionQuery, PositionStats},
    pipeline::Options,
    select::{Player, Selection, TagPart},
    store::{CollectionBuild, CollectionSettings, Explorer, StoreError},
};

pub fn check_bytes(bytes: &[u8]) {
    let result = ask(&forged("collection", bytes));
    match result {
        Ok(games) if bytes.is_empty() => assert_eq!(games, 40),
        Ok(_) => {}
        Err(error) => assert!(!bytes.is_empty() && !error.to_string().is_empty(), "{error}"),
    }
}

/// A file in the folder of a target, with the changes that the bytes list.
pub(super) fn forged(target: &str, bytes: &[u8]) -> PathBuf {
    let path = scratch(target).join("fuzzed.db");
    static VALID: OnceLock<Vec<u8>> = OnceLock::new();
    let valid = VALID.get_or_init(|| valid().expect("a database can be made"));
    fs::write(&path, valid).expect("the folder can be written");
    forge(&path, bytes).expect("a sound database can be changed");
    path
}

/// Makes the changes that the bytes list, in the blobs of the segments one after the other.
fn forge(path: &Path, bytes: &[u8]) -> rusqlite::Result<()> {
    let mut blobs = Vec::new();
    forge_blobs(path, |blob| blobs.extend_from_slice(blob))?;
    let mut choices = Choices::new(bytes);
    while !choices.rest().is_empty() {
        let at = (0..3).fold(0, |at, _| at << 8 | choices.below(256)) % blobs.len();
        let count = 1 + choices.below(16);
        for byte in blobs.iter_mut().skip(at).take(count) {
            *byte = choices.try_next().unwrap_or(0);
        }
    }
    let mut rest = &blobs[..];
    forge_blobs(path, |blob| {
        let (changed, others) = rest.split_at(blob.len());
        blob.copy_from_slice(changed);
        rest = others;
    })
}

/// Calls `change` with the bytes of each blob of all segments, which get the checksums of what they
/// become: of the number of the segment, the length of the kind and the kind, the number, the bytes.
fn forge_blobs(path: &Path, mut change: impl FnMut(&mut [u8])) -> rusqlite::Result<()> {
    let database = rusqlite::Connection::open(path)?;
    let transaction = database.unchecked_transaction()?;
    let sql = "SELECT id, segment_id, kind, number, bytes FROM segment_blob ORDER BY id";
    let blobs: Vec<(i64, i64, String, i64, Vec<u8>)> =
        database.prepare(sql)?.query_map([], |row| row.try_into())?.collect::<Result<_, _>>()?;
    for (id, segment, kind, number, mut bytes) in blobs {
        change(&mut bytes);
        let mut hasher = crc32fast::Hasher::new();
        [segment, kind.len() as i64].iter().for_each(|n| hasher.update(&n.to_le_bytes()));
        hasher.update(kind.as_bytes());
        hasher.update(&number.to_le_bytes());
        hasher.update(&bytes);
        let sql = "UPDATE segment_blob SET bytes = ?2, checksum = ?3 WHERE id = ?1";
        database.execute(sql, (id, bytes, i64::from(hasher.finalize())))?;
    }
    transaction.commit()
}

/// Forty games, of which many share moves, positions and texts.
fn games() -> String {
    let lines =
        ["e4 e5 Nf3 Nc6 Bb5 a6", "Nf3 Nc6 e4 e5 Bb5", "Nf3 Nf6 Ng1 Ng8 e4", "d4 d5 c4 {[%eval 1]}"];
    let game = |n: usize| {
        format!(
            "[Event \"Open {}\"]\n[Site \"https://x.org/{n}\"]\n[Date \"20{:02}.01.??\"]\n\
             [White \"A {}\"]\n[Black \"B\"]\n[WhiteElo \"{}\"]\n[BlackElo \"2000\"]\n\n{} 1-0\n\n",
            n % 3,
            n,
            n % 7,
            2000 + n,
            lines[n % lines.len()],
        )
    };
    (0..40).map(game).collect()
}

fn valid() -> Result<Vec<u8>, StoreError> {
    let path = scratch("collection").join("valid.db");
    let _ = fs::remove_file(&path);
    let (options, settings) = (Options::default(), CollectionSettings::default());
    let mut build = CollectionBuild::begin(&path, "all", &settings, &options.workers)?;
    build.add_pgn(games().as_bytes(), &Selection::default(), &options)?;
    build.finish()?;
    Ok(fs::read(&path).expect("it was just made"))
}

/// Asks what can be asked, and returns the number of games in the initial position.
pub(super) fn ask(path: &Path) -> Result<u64, StoreError> {
    let explorer = Explorer::open(path, &[])?;
    let mut query = PositionQuery::default();
    (query.top_games, query.recent_games) = (10, 10);
    (query.reached, query.history) = (true, true);
    let mut position = Chess::default();
    let key = |position: &Chess| PositionKey::from_position(position, EnPassantMode::Legal);
    let all = explorer.query(&key(&position), &query)?;
    for san in ["e4", "e5", "Nf3", "Nc6", "Bb5"] {
        let m = read_move(&position, san.as_bytes()).expect("the moves are legal");
        position.play_unchecked(m);
        games_of(&explorer, &explorer.query(&key(&position), &query)?)?;
    }
    query.selection.players = vec![Player::new("A 3")];
    query.selection.events = vec![TagPart::new("open")];
    query.selection.sites = vec![TagPart::new("x.org/3")];
    explorer.query(&key(&Chess::default()), &query)?;
    explorer.players("a", 9)?;
    Ok(all.score.games())
}

/// Reads the games that were found, whole.
fn games_of(explorer: &Explorer, stats: &PositionStats) -> Result<(), StoreError> {
    for found in stats.top_games.iter().chain(&stats.recent_games) {
        if let Some(game) = explorer.game(found.id)? {
            let _ = game.to_pgn();
        }
    }
    Ok(())
}
