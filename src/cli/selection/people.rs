//! The people who are asked for, and whether any game has them.
//!
//! A name that no game has is most often misspelled, so the nearest names of the games are offered.
//! They are looked for only as long as somebody is missing, and only the best are kept.

use std::{
    collections::HashSet,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use eco::{
    chess::Color,
    output::sanitize,
    pgn::decode_text,
    select::{GameInfo, Player},
};

use crate::cli::outcome::Failure;

/// The number of names that are offered for one.
const OFFERED: usize = 4;

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
    /// The nearest names of the games, each with its distance.
    nearest: Mutex<Vec<(usize, String)>>,
}

impl People {
    /// People of these names.
    pub(super) fn new(names: Vec<String>) -> Self {
        let sought = names.into_iter().map(|name| Sought {
            player: Player::new(&name),
            name,
            is_found: AtomicBool::new(false),
            nearest: Mutex::default(),
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
            let near = names.iter().filter_map(|name| {
                let name = decode_text(name);
                Some((distance(&sought.player, &Player::new(&name))?, name.into_owned()))
            });
            let near: Vec<_> = near.collect();
            let mut nearest = sought.nearest.lock().unwrap_or_else(PoisonError::into_inner);
            nearest.extend(near);
            nearest.sort();
            nearest.dedup();
            nearest.truncate(OFFERED);
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
        let advice: Vec<String> = missing.iter().map(|sought| sought.advice()).collect();
        Err(Failure(format!("{}; nothing was written", advice.join("; "))))
    }
}

impl Sought {
    fn advice(&self) -> String {
        let nearest = self.nearest.lock().unwrap_or_else(PoisonError::into_inner);
        let quoted = |name: &str| format!("'{}'", sanitize(name.as_bytes()));
        let names: Vec<String> = nearest.iter().map(|(_, name)| quoted(name)).collect();
        let hint = match &names[..] {
            [] => "`eco classify --fields white,black` lists the players".to_owned(),
            [name] => format!("the nearest name is {name}"),
            names => format!("the nearest names are {}", names.join(", ")),
        };
        format!("no game has a player {}: {hint}", quoted(&self.name))
    }
}

/// How far a name is from another, by words: a word that is there costs nothing, one that is
/// abbreviated or completed 1, another one twice the letters that differ; and each word beyond
/// those of the name costs 1. `None` if it is too far to be meant.
fn distance(sought: &Player, name: &Player) -> Option<usize> {
    let mut words: Vec<&str> = name.as_str().split(' ').filter(|word| !word.is_empty()).collect();
    let mut sum = 0;
    for word in sought.as_str().split(' ') {
        let cost = |other: &&str| match () {
            () if *other == word => 0,
            () if other.starts_with(word) || word.starts_with(other) => 1,
            () => 2 * edits(word, other),
        };
        let nearest = (0..words.len()).min_by_key(|at| cost(&words[*at]));
        sum += match nearest {
            Some(at) => cost(&words.swap_remove(at)).min(2 * word.len()),
            None => 2 * word.len(),
        };
    }
    sum += words.len();
    (sum <= sought.as_str().len().max(3)).then_some(sum)
}

/// The letters that are inserted, deleted, replaced, or exchanged with the next one, between two
/// words.
fn edits(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let (mut before, mut last): (Vec<usize>, Vec<usize>) = (Vec::new(), (0..=b.len()).collect());
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_the_one_that_was_meant() {
        let names = [
            "Fischer, Robert James",
            "Byrne, Donald",
            "Byrne, Robert E",
            "Spassky, Boris V",
            "DrNykterstein",
            "Gaprindashvili, Nona",
            "Petrosian, Tigran V",
            "Tal, Mihail",
        ];
        for (sought, nearest) in [
            ("Fisher, Bobby", Some("Fischer, Robert James")),
            ("Fischer", Some("Fischer, Robert James")),
            ("donlad byrne", Some("Byrne, Donald")),
            ("Byrne, R.", Some("Byrne, Robert E")),
            ("drnikterstein", Some("DrNykterstein")),
            ("Mikhail Tal", Some("Tal, Mihail")),
            ("Petrosjan, Tigran", Some("Petrosian, Tigran V")),
            ("Zukertort", None),
        ] {
            let player = Player::new(sought);
            let ranked = names
                .iter()
                .filter_map(|name| Some((distance(&player, &Player::new(name))?, *name)));
            assert_eq!(ranked.min().map(|(_, name)| name), nearest, "for {sought}");
        }
        assert_eq!(edits("carlsen", "calrsen"), 1);
        assert_eq!(edits("", "abc"), 3);
    }
}
