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
        let is_name = |name: &str| !matches!(name.trim(), "" | "?");
        let named = games.into_iter().filter(|(name, _)| is_name(name));
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

    /// The names nearest to one that no game has; `None` if a game has it, or there are no games.
    pub(super) fn unknown(&self, name: &str) -> Option<UnknownPlayer> {
        let player = Player::new(name);
        if self.players.is_empty() || self.players.iter().any(|p| Player::new(&p.name) == player) {
            return None;
        }
        let mut nearest = NearestNames::new(player);
        nearest.add(self.players.iter().map(|player| &player.name));
        Some(nearest.unknown(name))
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
