//! The people who are asked for, and whether any game has them.
//!
//! The names nearest to theirs are looked for only as long as somebody is missing.

use std::{
    collections::HashSet,
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
}

impl People {
    /// People of these names.
    pub(super) fn new(names: Vec<String>) -> Self {
        let sought = names.into_iter().map(|name| Sought {
            player: Player::new(&name),
            nearest: Mutex::new(NearestNames::new(Player::new(&name))),
            name,
            is_found: AtomicBool::new(false),
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
