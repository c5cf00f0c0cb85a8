//! What was new in a game: its first position that no earlier game of a reference has.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::chess::{MoveNumber, PositionKey, SanPlus};
use crate::pgn::{Clock, GameDate, PlayedAt};
use crate::{classify::PlayedMove, collection::KeptGame, select::Fingerprint};

/// The games that are asked about.
#[derive(Debug, Clone, Default)]
pub struct AskedGames {
    places: HashMap<PositionKey, u32>,
    games: HashSet<Fingerprint>,
}

/// A game of the reference.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReferenceGame {
    /// Who played White.
    pub white: String,
    /// Who played Black.
    pub black: String,
    /// When.
    pub date: Option<GameDate>,
}

/// The positions of the games asked about that a reference game has.
#[derive(Debug, Clone)]
pub struct Sighting {
    entry: Entry,
    places: Vec<u32>,
}

impl AskedGames {
    /// Adds a game.
    ///
    /// # Panics
    ///
    /// At 2³² positions.
    pub fn add(&mut self, game: &KeptGame) {
        game.walk(usize::MAX, |key, _| {
            let next = u32::try_from(self.places.len()).expect("there are fewer positions");
            self.places.entry(*key).or_insert(next);
        });
        self.games.insert(game.fingerprint());
    }

    /// Looks through a game of the reference.
    pub fn sight(&self, game: &KeptGame) -> Sighting {
        let mut places = Vec::new();
        game.walk(usize::MAX, |key, _| places.extend(self.places.get(key)));
        // A game that comes back to a position counts once.
        places.sort_unstable();
        places.dedup();
        let [white, black] = ["White", "Black"].map(|tag| game.known_tag(tag).into_owned());
        let (fingerprint, details) = (game.fingerprint(), game.details());
        let game = Arc::new(ReferenceGame { white, black, date: details.date });
        let played_at = details.played_at;
        Sighting { entry: Entry { played_at, index: 0, fingerprint, game }, places }
    }
}

/// The games of a reference that reach positions of the games asked about.
///
/// The games asked about ([`AskedGames`]) are read first, so one pass over the reference is enough.
/// It takes about 200 bytes for each of their positions, however many games the reference has.
///
/// A game is earlier than another if it certainly is: by its date, or on the same day by its time,
/// if both times are UTC or both are local. Without a date, a reference game counts as earlier than
/// all others, and a game asked about as later than the whole reference. A game, identified by its
/// content, is never its own precedent.
///
/// The first of the later games is that of the earliest date; of one day that of the earliest time,
/// UTC times first, missing ones last; of equal ones the first in the reference.
///
/// ```
/// use eco::collection::KeptGameReader;
/// use eco::{pgn::Game, repertoire::{AskedGames, Precedents}, select::Selection};
///
/// let mut reader = KeptGameReader::new(Selection::default());
/// let mut read = |game: &str| reader.read(&Game::from_bytes(game.as_bytes())).unwrap();
/// let asked = read("[Date \"1956.10.17\"]\n\n1. Nf3 Nf6 2. c4 g6");
/// let mut index = AskedGames::default();
/// index.add(&asked);
/// let mut precedents = Precedents::new(&index);
/// precedents.add(index.sight(&read("[Date \"1923.05.01\"]\n\n1. c4 Nf6 2. Nf3 e6")));
/// let novelty = precedents.novelty(&asked).unwrap();
/// assert_eq!(novelty.ply, 1); // 1. Nf3 itself; 2. c4 comes back to what was known
/// ```
#[derive(Debug, Clone)]
pub struct Precedents<'a> {
    asked: &'a AskedGames,
    /// What is known of each position.
    known: Vec<Known>,
    /// How often the reference has each of the games asked about.
    same: HashMap<Fingerprint, u32>,
    games: u64,
}

/// What a reference has of a position.
#[derive(Debug, Clone, Default)]
struct Known {
    games: u32,
    /// The two earliest games of each clock, in case the first is the one asked about; sorted.
    earliest: Vec<Entry>,
}

#[derive(Debug, Clone)]
struct Entry {
    played_at: PlayedAt,
    /// Its index in the reference.
    index: u64,
    fingerprint: Fingerprint,
    game: Arc<ReferenceGame>,
}

/// What was new in a game.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Novelty {
    /// The ply.
    pub ply: usize,
    /// The move that brought it.
    pub played: PlayedMove,
    /// The position.
    pub key: PositionKey,
    /// The number of other games of the reference that have it; none of them is earlier.
    pub followers: u32,
    /// The first of those.
    pub first: Option<Arc<ReferenceGame>>,
}

impl Known {
    fn add(&mut self, entry: Entry) {
        self.games += 1;
        let at = self.earliest.partition_point(|kept| kept.rank() < entry.rank());
        let is_needed = |entry: &Entry, sooner: &[Entry]| {
            let mut rivals = sooner.iter().filter(|kept| kept.clock() == entry.clock());
            let first = rivals.next();
            first.is_none_or(|kept| kept.fingerprint != entry.fingerprint)
                && rivals.next().is_none()
        };
        if !is_needed(&entry, &self.earliest[..at]) {
            return;
        }
        self.earliest.insert(at, entry);
        // One that comes after it may be the same game, or one too many.
        let mut later = at + 1;
        while later < self.earliest.len() {
            let (sooner, rest) = self.earliest.split_at(later);
            if is_needed(&rest[0], sooner) {
                later += 1;
            } else {
                self.earliest.remove(later);
            }
        }
    }

    /// The games that are kept, but for this one; the earliest first.
    fn others(&self, than: &KeptGame) -> impl Iterator<Item = &Entry> {
        let fingerprint = than.fingerprint();
        self.earliest.iter().filter(move |entry| entry.fingerprint != fingerprint)
    }
}

impl Entry {
    fn rank(&self) -> impl Ord + use<> {
        (self.played_at.earliest_first(), self.index)
    }

    fn clock(&self) -> Option<Clock> {
        self.played_at.time().map(|(clock, _)| clock)
    }

    fn is_before(&self, game: &KeptGame) -> bool {
        let played_at = game.details().played_at;
        let has_date = |played_at: PlayedAt| played_at.date().is_some();
        !has_date(self.played_at) || !has_date(played_at) || self.played_at.is_before(played_at)
    }
}

impl<'a> Precedents<'a> {
    /// Without any game.
    pub fn new(asked: &'a AskedGames) -> Self {
        let known = vec![Known::default(); asked.places.len()];
        let same = asked.games.iter().map(|game| (*game, 0)).collect();
        Self { asked, known, same, games: 0 }
    }

    /// Counts in a game of the reference.
    pub fn add(&mut self, sighting: Sighting) {
        let Sighting { mut entry, places } = sighting;
        entry.index = self.games;
        self.games += 1;
        self.same.entry(entry.fingerprint).and_modify(|count| *count += 1);
        places.iter().for_each(|place| self.known[*place as usize].add(entry.clone()));
    }

    /// The number of reference games counted.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// What was new in one of the games asked about; `None` if nothing was. The position that it
    /// starts with does not count.
    pub fn novelty(&self, game: &KeptGame) -> Option<Novelty> {
        let mut keys = Vec::new();
        game.walk(usize::MAX, |key, _| keys.push(*key));
        let is_new = |ply: &usize| {
            let known = self.known_of(&keys[*ply]);
            !known.is_some_and(|known| known.others(game).any(|other| other.is_before(game)))
        };
        let ply = (1..keys.len()).find(is_new)?;
        let first = game.set_up().map_or(MoveNumber::after(0), |start| MoveNumber::next_in(&start));
        let known = self.known_of(&keys[ply]);
        let same = self.same.get(&game.fingerprint()).copied().unwrap_or(0);
        Some(Novelty {
            ply,
            played: PlayedMove {
                number: first.later(ply - 1),
                san: san_between(&keys[ply - 1], &keys[ply]),
            },
            key: keys[ply],
            followers: known.map_or(0, |known| known.games.saturating_sub(same)),
            first: known.and_then(|known| known.others(game).next()).map(|e| Arc::clone(&e.game)),
        })
    }

    fn known_of(&self, key: &PositionKey) -> Option<&Known> {
        self.asked.places.get(key).map(|place| &self.known[*place as usize])
    }
}

/// The move from one position to the next, as it is written.
fn san_between(before: &PositionKey, after: &PositionKey) -> String {
    let written = || {
        let position = before.to_position().ok()?;
        let m = crate::chess::UciMove::between(before, after)?.to_move(&position)?;
        Some(SanPlus::from_move(position, m).to_string())
    };
    written().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    fn game(date: &str, white: &str, moves: &str) -> KeptGame {
        KeptGame::of_pgn(&format!("[Date \"{date}\"]\n[White \"{white}\"]\n\n{moves}"), 40)
    }

    fn summary(asked: &KeptGame, reference: &[KeptGame]) -> Option<String> {
        let mut index = AskedGames::default();
        index.add(asked);
        let mut precedents = Precedents::new(&index);
        reference.iter().for_each(|game| precedents.add(index.sight(game)));
        let novelty = precedents.novelty(asked)?;
        let first = novelty.first.as_ref().map_or("none", |game| &game.white);
        Some(format!("{}: {} later, first {first}", novelty.played, novelty.followers))
    }

    #[test]
    fn a_novelty_is_the_first_position_without_an_earlier_game() {
        let reference = [
            game("1950.01.01", "A", "1. d4 Nf6 2. c4 e6 3. Nf3"),
            game("1960.01.01", "B", "1. d4 Nf6 2. c4 g6 3. Nc3"),
            game("1970.01.01", "C", "1. c4 Nf6 2. d4 g6 3. g3"),
            game("????", "D", "1. e4 c5"),
        ];
        for (date, moves, expected) in [
            ("1955.01.01", "1. d4 Nf6 2. c4 g6 3. Nc3", Some("2... g6: 2 later, first B")),
            ("1965.01.01", "1. d4 Nf6 2. c4 g6 3. g3", Some("3. g3: 1 later, first C")),
            ("1980.01.01", "1. d4 Nf6 2. c4 g6 3. g3 d5", Some("3... d5: 0 later, first none")),
            ("1980.01.01", "1. d4 Nf6 2. c4 g6 3. g3", None),
            // The same day is not earlier, nor is a year that only may be.
            ("1960.01.01", "1. d4 Nf6 2. c4 g6 3. Nc3", Some("2... g6: 2 later, first B")),
            ("1960", "1. d4 Nf6 2. c4 g6 3. Nc3", Some("2... g6: 2 later, first B")),
            // Without a date a game comes last here, and first in the reference.
            ("", "1. d4 Nf6 2. c4 g6 3. g3", None),
            ("1900.01.01", "1. e4 c5", None),
            ("1900.01.01", "1. d4 d5", Some("1. d4: 2 later, first A")),
        ] {
            let asked = game(date, "Z", moves);
            assert_eq!(summary(&asked, &reference).as_deref(), expected, "{date} {moves}");
        }
    }

    #[test]
    fn a_game_is_never_its_own_precedent() {
        let asked = game("", "A", "1. d4 Nf6");
        let same = || asked.clone();
        let later = game("2000.01.01", "B", "1. d4 Nf6");
        assert_eq!(summary(&asked, &[same()]).unwrap(), "1. d4: 0 later, first none");
        assert_eq!(summary(&asked, &[same(), later.clone()]), None);
        let dated = game("1990.01.01", "A", "1. d4 Nf6");
        let reference = [later.clone(), dated.clone(), dated.clone(), later];
        assert_eq!(summary(&dated, &reference).unwrap(), "1. d4: 2 later, first B");
    }

    #[test]
    fn games_from_a_position_are_numbered_from_there() {
        let fen = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 30\"]\n\n30... Kd7 31. e4";
        let asked = KeptGame::of_pgn(fen, 40);
        assert_eq!(summary(&asked, &[]).unwrap(), "30... Kd7: 0 later, first none");
    }
}
