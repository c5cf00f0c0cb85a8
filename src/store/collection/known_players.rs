//! The names of players, to be suggested.

use std::collections::HashMap;

use super::explored_segments::ExploredSegment;
use crate::{
    collection::segment::DictionaryKind,
    pgn::decode_text,
    select::{NearestNames, Player, UnknownPlayer, fold},
    store::error::StoreError,
};

/// The players of some segments.
#[derive(Debug)]
pub(super) struct KnownPlayers {
    /// The segments that they are of.
    segments: Vec<u64>,
    /// Those with the most games first.
    players: Vec<KnownPlayer>,
}

#[derive(Debug)]
struct KnownPlayer {
    folded: String,
    name: String,
    games: u64,
}

impl KnownPlayers {
    /// Reads the players of segments with these keys.
    pub(super) fn read(
        keys: Vec<u64>,
        segments: &[ExploredSegment<'_>],
    ) -> Result<Self, StoreError> {
        let mut games: HashMap<String, u64> = HashMap::new();
        for segment in segments {
            let players = segment.reader.dictionary(DictionaryKind::Players)?;
            for (name, count) in players.iter() {
                *games.entry(decode_text(name).into_owned()).or_default() += u64::from(count);
            }
        }
        let named = games.into_iter().filter(|(name, _)| is_name(name.as_bytes()));
        let player =
            |(name, games): (String, u64)| KnownPlayer { folded: fold(&name).into(), name, games };
        let mut players: Vec<_> = named.map(player).collect();
        players.sort_unstable_by(|a, b| b.games.cmp(&a.games).then_with(|| a.name.cmp(&b.name)));
        Ok(Self { segments: keys, players })
    }

    /// Whether they are those of the segments with these keys.
    pub(super) fn are_of(&self, keys: &[u64]) -> bool {
        self.segments == keys
    }

    /// The first players that have all words of a text.
    pub(super) fn find(&self, part: &str, limit: usize) -> Vec<(String, u64)> {
        let folded = fold(part);
        let words = folded.split(|c: char| !c.is_alphanumeric());
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let found = self.players.iter().filter(|p| words.iter().all(|w| p.folded.contains(w)));
        found.take(limit).map(|player| (player.name.clone(), player.games)).collect()
    }
}

/// The names nearest to one that no game of some segments has; `None` if a game has it, or there
/// are no games. The names are looked at where they are, and no list of all players is made.
pub(super) fn unknown(
    name: &str,
    segments: &[ExploredSegment<'_>],
) -> Result<Option<UnknownPlayer>, StoreError> {
    let (player, mut has_names) = (Player::new(name), false);
    let mut nearest = NearestNames::new(player.clone());
    for segment in segments {
        let players = segment.reader.dictionary(DictionaryKind::Players)?;
        let names = players.iter().map(|(name, _)| name).filter(|name| is_name(name));
        let mut names = names.peekable();
        has_names |= names.peek().is_some();
        let mut is_known = false;
        nearest.add(names.map_while(|name| {
            is_known = player.is_named(name);
            (!is_known).then(|| decode_text(name))
        }));
        if is_known {
            return Ok(None);
        }
    }
    Ok(has_names.then(|| nearest.unknown(name)))
}

/// Whether a value is the name of somebody.
fn is_name(value: &[u8]) -> bool {
    !matches!(value.trim_ascii(), b"" | b"?")
}
