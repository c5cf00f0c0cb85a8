//! The people who are asked for, and whether any game has them.
//!
//! The names nearest to theirs are looked for only as long as somebody is missing.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap, HashSet},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use eco::{
    chess::Color,
    pgn::decode_text,
    select::{GameInfo, NearestNames, Player, UnknownPlayer},
};

use crate::cli::outcome::Failure;

/// The people who are asked for.
pub(super) struct People {
    sought: Vec<Sought>,
    /// Whether there was a game at all.
    has_games: AtomicBool,
}

struct Sought {
    /// The name as it was typed.
    name: String,
    player: Player,
    is_found: AtomicBool,
    nearest: Mutex<NearestNames>,
    /// Names that may be other spellings of this one, and how many games have them.
    spellings: Mutex<BTreeMap<String, u64>>,
}

/// The number of games that have each of some names, as bytes of the file.
pub(super) type NameCounts = HashMap<Vec<u8>, u64>;

/// The most other spellings of a name that are listed.
const TOLD: usize = 4;

impl People {
    /// People of these names.
    pub(super) fn new(names: Vec<String>) -> Self {
        let sought = names.into_iter().map(|name| Sought {
            player: Player::new(&name),
            nearest: Mutex::new(NearestNames::new(Player::new(&name))),
            name,
            is_found: AtomicBool::new(false),
            spellings: Mutex::default(),
        });
        Self { sought: sought.collect(), has_games: AtomicBool::new(false) }
    }

    /// Whether nobody was asked for.
    pub(super) fn are_nobody(&self) -> bool {
        self.sought.is_empty()
    }

    /// Whether several people were asked for.
    pub(super) fn are_several(&self) -> bool {
        self.sought.len() > 1
    }

    /// Whether nobody is missing any more.
    pub(super) fn are_found(&self) -> bool {
        self.sought.iter().all(|sought| sought.is_found.load(Ordering::Relaxed))
    }

    /// Looks at the names in a game. Those of nobody who is missing go to `others`.
    pub(super) fn meet<'g>(&self, game: &GameInfo<'g>, others: &mut HashSet<Vec<u8>>) {
        self.has_games.store(true, Ordering::Relaxed);
        for name in [Color::White, Color::Black].iter().filter_map(|color| game.name(*color)) {
            if others.contains(&*name) {
                continue;
            }
            for sought in &self.sought {
                if sought.player.is_named(&name) {
                    sought.is_found.store(true, Ordering::Relaxed);
                }
            }
            others.insert(name.into_owned());
        }
    }

    /// Notes which of these names are nearest to those of people who are missing.
    pub(super) fn note(&self, names: &HashSet<Vec<u8>>) {
        for sought in self.sought.iter().filter(|s| !s.is_found.load(Ordering::Relaxed)) {
            let mut nearest = sought.nearest.lock().unwrap_or_else(PoisonError::into_inner);
            nearest.add(names.iter().map(|name| decode_text(name)));
        }
    }

    /// Counts a game for each of its names that may be another spelling of one that was asked for.
    pub(super) fn count_spellings(&self, game: &GameInfo<'_>, counts: &mut NameCounts) {
        if self.sought.is_empty() {
            return;
        }
        for name in [Color::White, Color::Black].iter().filter_map(|color| game.name(*color)) {
            let is_asked_for = || self.sought.iter().any(|sought| sought.player.is_named(&name));
            if self.sought.iter().any(|sought| sought.player.may_be(&name)) && !is_asked_for() {
                match counts.get_mut(&*name) {
                    Some(count) => *count += 1,
                    None => drop(counts.insert(name.into_owned(), 1)),
                }
            }
        }
    }

    /// Notes how many games have these names.
    pub(super) fn note_spellings(&self, counts: &NameCounts) {
        for (name, count) in counts {
            let meant = self.sought.iter().filter(|sought| sought.player.may_be(name));
            for sought in meant {
                let mut known = sought.spellings.lock().unwrap_or_else(PoisonError::into_inner);
                *known.entry(decode_text(name).into_owned()).or_default() += count;
            }
        }
    }

    /// Says which other spellings the input has of names that were asked for, and found.
    pub(super) fn other_spellings(&self) -> impl Iterator<Item = String> {
        self.sought.iter().filter_map(Sought::other_spellings)
    }

    /// Checks that everybody was found.
    ///
    /// # Errors
    ///
    /// If there were games, but none of somebody who was asked for.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let missing: Vec<&Sought> =
            self.sought.iter().filter(|s| !s.is_found.load(Ordering::Relaxed)).collect();
        if missing.is_empty() || !self.has_games.load(Ordering::Relaxed) {
            return Ok(());
        }
        let hint = ": `eco classify --fields white,black` lists the players";
        let Failure(text) = unknown(missing.iter().map(|sought| sought.unknown()), hint);
        Err(Failure(format!("{text}; nothing was written")))
    }
}

impl Sought {
    fn other_spellings(&self) -> Option<String> {
        let known = self.spellings.lock().unwrap_or_else(PoisonError::into_inner);
        let mut known: Vec<(&String, &u64)> = known.iter().collect();
        known.sort_by_key(|(_, games)| Reverse(*games));
        let told = known.iter().take(TOLD).map(|(name, games)| match games {
            1 => format!("'{name}' (1 game)"),
            _ => format!("'{name}' ({games} games)"),
        });
        let mut told: Vec<String> = told.collect();
        told.extend(known.len().checked_sub(TOLD + 1).map(|more| format!("{} more", more + 1)));
        let pronoun = if known.len() == 1 { "it" } else { "them" };
        (!known.is_empty()).then(|| {
            format!(
                "not counted: {}, perhaps also '{}'; name {pronoun} as well to count {pronoun}",
                told.join(", "),
                self.name,
            )
        })
    }

    fn unknown(&self) -> UnknownPlayer {
        let nearest = self.nearest.lock().unwrap_or_else(PoisonError::into_inner);
        nearest.unknown(&self.name)
    }
}

/// The failure of a run that asked for these players. Where no name is near, a hint says where the
/// names are.
pub(super) fn unknown(players: impl Iterator<Item = UnknownPlayer>, hint: &str) -> Failure {
    let advice = players.map(|player| match player.nearest.is_empty() {
        true => format!("{player}{hint}"),
        false => player.to_string(),
    });
    let advice: Vec<String> = advice.collect();
    Failure(advice.join("; "))
}
