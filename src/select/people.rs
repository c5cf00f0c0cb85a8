//! The people who are asked for, and whether any game has them.
//!
//! The names nearest to theirs are looked for only as long as somebody is missing.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::{cmp::Reverse, sync::Mutex};

use super::nearest::{NearestNames, SoughtName, UnknownPlayer, listed};
use super::{game_info::GameInfo, player::Player};
use crate::{chess::Color, executor::lock, pgn::decode_text, quoted::counted};

/// The people who are asked for, whom many threads look for in games.
///
/// ```
/// use eco::{pgn::Game, select::{GameInfo, People}};
///
/// let people = People::new(vec!["Fisher, Robert".to_owned()]);
/// let game = Game::from_bytes(b"[White \"Fischer, Robert\"]\n\n1. c4 *");
/// people.in_block().meet(&GameInfo::read(&game));
/// let missing = people.missing();
/// assert_eq!(
///     missing[0].to_string(),
///     "no game has a player 'Fisher, Robert': the nearest name is 'Fischer, Robert'"
/// );
/// ```
#[derive(Debug)]
pub struct People {
    sought: Vec<Sought>,
    /// Whether there was a game at all.
    has_games: AtomicBool,
    is_mixed: AtomicBool,
}

#[derive(Debug)]
struct Sought {
    /// The name as it was typed.
    name: String,
    player: Player,
    is_found: AtomicBool,
    nearest: Mutex<NearestNames>,
    /// The names that a surname was met in.
    met: Mutex<BTreeSet<String>>,
    /// Names that may be other spellings of this one, and how many games have them.
    spellings: Mutex<BTreeMap<String, u64>>,
}

/// The number of games that have each of some names, as bytes of the file.
type NameCounts = HashMap<Vec<u8>, u64>;

/// The most other spellings of a name that are listed.
const TOLD: usize = 4;

impl People {
    /// People of these names.
    pub fn new(names: Vec<String>) -> Self {
        let sought = names.into_iter().map(|name| Sought {
            player: Player::asked(&name),
            nearest: Mutex::new(NearestNames::new(Player::new(&name))),
            name,
            is_found: AtomicBool::new(false),
            met: Mutex::default(),
            spellings: Mutex::default(),
        });
        let [has_games, is_mixed] = [false; 2].map(AtomicBool::new);
        Self { sought: sought.collect(), has_games, is_mixed }
    }

    /// Whether nobody was asked for.
    pub fn are_nobody(&self) -> bool {
        self.sought.is_empty()
    }

    /// Whether several people were asked for.
    pub fn are_several(&self) -> bool {
        self.sought.len() > 1
    }

    /// Whether nobody is missing any more. Another game may have another player of a surname.
    pub fn are_found(&self) -> bool {
        self.sought.iter().all(|s| s.is_found.load(Ordering::Relaxed) && !s.player.is_surname())
    }

    /// Whether a surname was met in spellings that cannot be of one person.
    pub fn are_mixed(&self) -> bool {
        self.is_mixed.load(Ordering::Relaxed)
    }

    /// Looks for them in games, which one thread reads.
    pub fn in_block(&self) -> BlockPeople<'_> {
        let others = (!self.are_found()).then(HashSet::new);
        BlockPeople { people: self, others, spellings: NameCounts::new() }
    }

    /// Looks for them among the names of players, each with the number of its games.
    pub(crate) fn meet_names<'n>(&self, names: &(impl Iterator<Item = (&'n [u8], u32)> + Clone)) {
        self.has_games.fetch_or(names.clone().next().is_some(), Ordering::Relaxed);
        let sought: Vec<_> = self.sought.iter().map(|s| SoughtName::new(&s.player)).collect();
        let may_be = |name: &&[u8]| sought.iter().any(|sought| sought.may_be(name));
        let near: Vec<&[u8]> = names.clone().map(|(name, _)| name).filter(may_be).collect();
        near.iter().for_each(|name| self.find(name));
        self.note(&near.iter().copied());
        let spellings = names.clone().filter(|(name, _)| self.is_spelling(name));
        self.note_spellings(
            &spellings.map(|(name, games)| (name.to_vec(), games.into())).collect(),
        );
    }

    /// Whether a name may be another spelling of one that was asked for, and is none of them.
    fn is_spelling(&self, name: &[u8]) -> bool {
        self.sought.iter().any(|sought| sought.player.may_be(name))
            && !self.sought.iter().any(|sought| sought.player.is_named(name))
    }

    fn find(&self, name: &[u8]) {
        for sought in self.sought.iter().filter(|sought| sought.player.is_named(name)) {
            sought.is_found.store(true, Ordering::Relaxed);
        }
    }

    /// Notes which of these names are nearest to those of people who are missing.
    fn note<'n>(&self, names: &(impl Iterator<Item = &'n [u8]> + Clone)) {
        for sought in self.sought.iter().filter(|s| !s.is_found.load(Ordering::Relaxed)) {
            let mut nearest = lock(&sought.nearest);
            nearest.add(names.clone().map(decode_text));
        }
        for sought in self.sought.iter().filter(|s| s.player.is_surname()) {
            let mut met = lock(&sought.met);
            let known = met.len();
            let asked = names.clone().filter(|name| sought.player.is_named(name));
            met.extend(asked.map(|name| decode_text(name).into_owned()));
            if met.len() > known && !sought.player.are_one(&met) {
                self.is_mixed.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Notes how many games have these names.
    fn note_spellings(&self, counts: &NameCounts) {
        for (name, count) in counts {
            let meant = self.sought.iter().filter(|sought| sought.player.may_be(name));
            for sought in meant {
                let mut known = lock(&sought.spellings);
                *known.entry(decode_text(name).into_owned()).or_default() += count;
            }
        }
    }

    /// Says in which spellings the games have a surname that was asked for, and which other ones
    /// they have of other names.
    pub fn spellings(&self) -> impl Iterator<Item = String> {
        self.sought.iter().filter_map(Sought::spellings)
    }

    /// Those whom no game had, once all are read, and surnames that cannot be of one person; nobody
    /// if there was no game.
    pub fn missing(&self) -> Vec<UnknownPlayer> {
        if !self.has_games.load(Ordering::Relaxed) {
            return Vec::new();
        }
        self.sought.iter().filter_map(Sought::unknown).collect()
    }
}

/// The names in the games of a block. They are noted when it is dropped.
#[derive(Debug)]
pub struct BlockPeople<'p> {
    people: &'p People,
    /// The names of nobody who is missing, if somebody is.
    others: Option<HashSet<Vec<u8>>>,
    /// How many games have other spellings of the names of people.
    spellings: NameCounts,
}

impl BlockPeople<'_> {
    /// Looks at the names in a game.
    pub fn meet(&mut self, game: &GameInfo<'_>) {
        let Some(others) = &mut self.others else { return };
        self.people.has_games.store(true, Ordering::Relaxed);
        for name in [Color::White, Color::Black].iter().filter_map(|color| game.name(*color)) {
            if others.contains(&*name) {
                continue;
            }
            self.people.find(&name);
            others.insert(name.into_owned());
        }
    }

    /// Counts a game for each of its names that may be another spelling of one that was asked for.
    pub fn count_spellings(&mut self, game: &GameInfo<'_>) {
        if self.people.are_nobody() {
            return;
        }
        for name in [Color::White, Color::Black].iter().filter_map(|color| game.name(*color)) {
            if self.people.is_spelling(&name) {
                match self.spellings.get_mut(&*name) {
                    Some(count) => *count += 1,
                    None => drop(self.spellings.insert(name.into_owned(), 1)),
                }
            }
        }
    }
}

impl Drop for BlockPeople<'_> {
    fn drop(&mut self) {
        if let Some(others) = &self.others {
            self.people.note(&others.iter().map(Vec::as_slice));
        }
        self.people.note_spellings(&self.spellings);
    }
}

impl Sought {
    fn spellings(&self) -> Option<String> {
        if self.player.is_surname() {
            let met = lock(&self.met);
            let is_one = met.iter().all(|name| Player::new(name).as_str() == self.player.as_str());
            return (!is_one).then(|| format!("player '{}': {}", self.name, listed(&*met)));
        }
        let known = lock(&self.spellings);
        let mut known: Vec<(&String, &u64)> = known.iter().collect();
        known.sort_by_key(|(_, games)| Reverse(*games));
        let told = known.iter().take(TOLD);
        let told = told.map(|(name, games)| format!("'{name}' ({})", counted(**games, "game")));
        let mut told: Vec<String> = told.collect();
        told.extend(known.len().checked_sub(TOLD + 1).map(|more| format!("{} more", more + 1)));
        let (what, pronoun) = match known.len() {
            1 => ("another spelling", "it"),
            _ => ("other spellings", "them"),
        };
        (!known.is_empty()).then(|| {
            format!(
                "not counted: {}, perhaps {what} of '{}'; name {pronoun} as well to count {pronoun}",
                told.join(", "),
                self.name,
            )
        })
    }

    fn unknown(&self) -> Option<UnknownPlayer> {
        if !self.is_found.load(Ordering::Relaxed) {
            return Some(lock(&self.nearest).unknown(&self.name));
        }
        let met = lock(&self.met);
        (!self.player.are_one(&met)).then(|| UnknownPlayer::several(&self.name, &met))
    }
}
