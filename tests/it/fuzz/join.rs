//! The packed games of a collection with bytes changed, as in [`collection`](super::collection), and
//! joined twice: what is kept then is answered from, or is an error, soon and in bounded memory.

use std::{fs, path::Path};

use super::{collection, scratch};
use eco::{
    pipeline::Options,
    store::{CollectionBuild, CollectionSettings, Database, Kind, StoreError},
};

pub fn check_bytes(bytes: &[u8]) {
    let path = scratch("join").join("joined.db");
    let _ = fs::remove_file(&path);
    let part = collection::forged("join", bytes);
    match join(&part, &path).and_then(|games| collection::ask(&path).map(|found| [games, found])) {
        Ok(games) if bytes.is_empty() => assert_eq!(games, [40, 40]),
        Ok(_) => {}
        Err(error) => assert!(!bytes.is_empty() && !error.to_string().is_empty(), "{error}"),
    }
}

/// Joins a collection twice, and returns how many there are then.
fn join(part: &Path, path: &Path) -> Result<u64, StoreError> {
    let (workers, settings) = (Options::default().workers, CollectionSettings::default());
    let database = Database::open(part)?;
    let info = database.collection("all")?;
    let mut build = CollectionBuild::begin(path, "all", &settings, &workers)?;
    let joined = build.join(&[(&database, &info), (&database, &info)]);
    let finished = build.finish();
    assert_eq!(joined.is_err(), finished.is_err(), "{joined:?} {finished:?}");
    joined?;
    let joined = Database::open(path)?;
    joined.damage_of(Kind::Collection, "all")?;
    Ok(joined.collection("all")?.games)
}
