//! `/eco/collections`: what the server has.

use serde::Serialize;

use crate::web::{answer::Answer, fault::Fault, opened::Opened, roles::Roles};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Reply<'a> {
    version: &'static str,
    collections: Vec<CollectionObject<'a>>,
    masters: Option<&'a str>,
    lichess: Option<&'a str>,
    repertoires: Vec<RepertoireObject<'a>>,
    /// The repertoire that can be trained.
    training: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CollectionObject<'a> {
    name: &'a str,
    games: u64,
    counted: u64,
    max_ply: u32,
    since: Option<String>,
    until: Option<String>,
}

#[derive(Serialize)]
struct RepertoireObject<'a> {
    name: &'a str,
    color: String,
}

/// The collections and repertoires, and what the routes of lichess's API answer from.
pub(in crate::web) fn collections(
    opened: &Opened,
    roles: &Roles,
    training: Option<&str>,
) -> Result<Answer, Fault> {
    let collections = opened.collections().iter().map(|info| CollectionObject {
        name: &info.name,
        games: info.games,
        counted: info.counted_games,
        max_ply: info.max_ply,
        since: info.dates.map(|(since, _)| since.to_string()),
        until: info.dates.map(|(_, until)| until.to_string()),
    });
    let repertoires = opened
        .repertoires()
        .iter()
        .map(|info| RepertoireObject { name: &info.name, color: info.color.to_string() });
    Ok(Answer::json(&Reply {
        version: env!("CARGO_PKG_VERSION"),
        collections: collections.collect(),
        masters: roles.masters.as_deref(),
        lichess: roles.lichess.as_deref(),
        repertoires: repertoires.collect(),
        training,
    }))
}
