//! Games that have something in common: when they were played, how fast, and against whom.

use std::{array, cmp::Reverse};

use crate::stats::figures::{Baseline, Figures};
use crate::stats::key::{GAP_BAND, GroupValue, gap_band, hour, season, speed, weekday};
use crate::stats::tally::{Addend, CompactTally, Tally};
use crate::stats::{game::ScoredGame, grouping::GroupBy};
use crate::{chess::Color, lists::TextSet, pgn::decode_text, select::Speed};

/// The openings, players and opponents that have a place of their own.
pub(super) const COMMONEST: usize = 20;

/// Games that have something in common.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Slice {
    /// What they have in common. It may be text of a file.
    pub label: String,
    /// The numbers.
    pub figures: Figures,
}

/// The bands of rating gaps from here on are one, and so are those on the other side: there are few
/// such games, and the expectation is the same beyond [400](crate::stats::expected_score).
const WIDEST_GAP: i32 = 5;

/// A field whose values are few numbers: the least, how many there are, and what they are called.
type Field = (i32, usize, fn(i32) -> String);

/// Speed, difference of ratings, day of the week, hour and season.
const FIELDS: [Field; 5] = [
    (0, Speed::ALL.len(), |n| label(&GroupBy::Speed, n)),
    (-WIDEST_GAP, 2 * WIDEST_GAP as usize + 1, gap_label),
    (0, 7, |n| label(&GroupBy::Weekday, n)),
    (0, 24, |n| label(&GroupBy::Hour, n)),
    (0, 4, |n| label(&GroupBy::Season, n)),
];

/// The games of each value of the [`FIELDS`]. Their tallies are lists, so none is looked up.
#[derive(Debug, Clone)]
pub(super) struct Occasions([Vec<Tally>; 5]);

impl Occasions {
    pub(super) fn new() -> Self {
        Self(FIELDS.map(|(_, values, _)| vec![Tally::default(); values]))
    }

    /// Counts a game for each of these sides. The addends are those of White and of Black.
    pub(super) fn add(
        &mut self,
        game: &ScoredGame<'_, '_>,
        sides: &[Color],
        addends: &[Addend; 2],
    ) {
        let (speed, weekday) = (speed(game), game.date.and_then(weekday));
        let (hour, season) = (game.time().and_then(hour), game.date.and_then(season));
        for side in sides {
            let gap =
                gap_band(game, *side).map(|gap| (gap / GAP_BAND).clamp(-WIDEST_GAP, WIDEST_GAP));
            let addend = &addends[usize::from(side.is_black())];
            let values = [speed, gap, weekday, hour, season];
            for ((tallies, (least, ..)), value) in self.0.iter_mut().zip(FIELDS).zip(values) {
                if let Some(value) = value {
                    tallies[(value - least) as usize].add_score(addend);
                }
            }
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        let tallies = self.0.iter_mut().flatten().zip(other.0.iter().flatten());
        tallies.for_each(|(own, other)| own.merge(other));
    }

    /// The values of each field that occur, in their order.
    pub(super) fn slices(&self, baseline: Baseline<'_>) -> [Vec<Slice>; 5] {
        array::from_fn(|field| {
            let (least, _, label) = FIELDS[field];
            let played = (least..).zip(&self.0[field]).filter(|(_, tally)| tally.games() > 0);
            let slice = |(value, tally): (i32, &Tally)| Slice {
                label: label(value),
                figures: baseline.figures(tally),
            };
            played.map(slice).collect()
        })
    }
}

fn label(field: &GroupBy, number: i32) -> String {
    GroupValue::of_number(field, number).to_text()
}

/// The limits of a band of rating gaps, of which the widest have one.
fn gap_label(band: i32) -> String {
    let limit = band.abs() * GAP_BAND - GAP_BAND / 2;
    match band {
        WIDEST_GAP.. => format!("+{limit} or more"),
        _ if band <= -WIDEST_GAP => format!("-{limit} or less"),
        _ => label(&GroupBy::RatingGap, band * GAP_BAND),
    }
}

/// Games counted by name.
#[derive(Debug, Clone, Default)]
pub(super) struct PeopleCounter {
    names: TextSet,
    /// The games of each name, by its number.
    tallies: Vec<CompactTally>,
    /// The games without a name.
    nameless: CompactTally,
}

/// Those with the most games.
pub(super) struct People {
    /// The number of all names.
    pub(super) count: usize,
    /// Those with the most games, by these and then by their names.
    pub(super) most: Vec<(String, Tally)>,
    /// All games, those without a name too.
    pub(super) all: Tally,
}

impl PeopleCounter {
    /// Counts a game for a name as it is in the file.
    pub(super) fn add(&mut self, name: Option<&[u8]>, game: &Addend) {
        match name {
            Some(name) => self.tally(name).add(game),
            None => self.nameless.add(game),
        }
    }

    fn tally(&mut self, name: &[u8]) -> &mut CompactTally {
        let number = self.names.number(name) as usize;
        // Numbers are given in order.
        if number == self.tallies.len() {
            self.tallies.push(CompactTally::default());
        }
        &mut self.tallies[number]
    }

    pub(super) fn size(&self) -> usize {
        self.tallies.len()
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.nameless.merge(&other.nameless);
        if self.tallies.is_empty() {
            *self = Self { nameless: self.nameless, ..other };
            return;
        }
        for (name, tally) in other.names.texts().iter().zip(&other.tallies) {
            self.tally(name).merge(tally);
        }
    }

    /// The names with the most games, without sorting the others.
    pub(super) fn finish(&self, most: usize) -> People {
        let mut all = self.nameless.to_tally();
        self.tallies.iter().for_each(|tally| all.merge(&tally.to_tally()));
        // Most names are ASCII, and of these different bytes are different texts.
        let (mut plain, mut others) = (Vec::new(), Vec::new());
        for (number, name) in (0..).zip(self.names.texts().iter()) {
            let tally = &self.tallies[number as usize];
            match name.is_ascii() {
                true => keep_most(&mut plain, (Reverse(tally.games()), name, number), most),
                false => others.push((decode_text(name), number)),
            }
        }
        let tally = |number: u32| self.tallies[number as usize].to_tally();
        let plain_count = self.tallies.len() - others.len();
        let plain = plain.into_iter().map(|(_, name, number)| (decode_text(name), tally(number)));
        let others = each_once(others.into_iter().map(|(text, n)| (text, tally(n))).collect());
        let count = plain_count + others.len();
        let mut found: Vec<_> = plain.chain(others).collect();
        found.sort_unstable_by(|(text, tally), (other_text, other)| {
            other.games().cmp(&tally.games()).then_with(|| text.cmp(other_text))
        });
        found.truncate(most);
        let most = found.into_iter().map(|(text, tally)| (text.into_owned(), tally)).collect();
        People { count, most, all }
    }
}

/// Inserts an item into a sorted list, which keeps the first ones.
fn keep_most<T: Ord>(list: &mut Vec<T>, item: T, most: usize) {
    if list.len() == most && list.last().is_none_or(|last| item > *last) {
        return;
    }
    let at = list.partition_point(|other| *other < item);
    list.insert(at, item);
    list.truncate(most);
}

/// Texts of which different bytes may be the same text.
fn each_once<T: Ord>(mut known: Vec<(T, Tally)>) -> Vec<(T, Tally)> {
    known.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    known.dedup_by(|(text, tally), (other, whole)| {
        let is_same = text == other;
        if is_same {
            whole.merge(tally);
        }
        is_same
    });
    known
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Catalogue;
    use crate::stats::{game::Comments, tally::Sample};
    use crate::{classify::Classifier, pgn};

    /// The games, each seen from White's side.
    fn occasions(games: &[&str]) -> Occasions {
        let classifier = Classifier::new(Catalogue::builtin());
        let mut occasions = Occasions::new();
        for tags in games {
            let pgn = format!("{tags}[Result \"1-0\"]\n\n1. e4 1-0\n");
            let game = pgn::games(pgn.as_bytes()).next().unwrap();
            let scored = ScoredGame::read(&classifier, &game);
            occasions.add(&scored, &[Color::White], &scored.addends(Comments::Skipped));
        }
        occasions
    }

    #[test]
    fn each_value_has_its_games() {
        const EVEN: &str = "[Date \"2024.01.01\"]\n[WhiteElo \"2000\"]\n[BlackElo \"2010\"]\n";
        const WIDE: &str = "[Date \"2024.12.??\"]\n[WhiteElo \"1000\"]\n[BlackElo \"2800\"]\n";
        const TIMED: &str = "[TimeControl \"180\"]\n[UTCTime \"23:59:00\"]\n";
        let mut all = occasions(&[EVEN, WIDE, "[Date \"????.??.??\"]\n"]);
        all.merge(&occasions(&[EVEN, TIMED]));
        let found = all.slices(Baseline { all: &Tally::default(), advantage: 0.0 });
        let found = found.each_ref().map(|slices| -> Vec<_> {
            slices.iter().map(|slice| (&*slice.label, slice.figures.games)).collect()
        });
        let expected: [&[(&str, u64)]; 5] = [
            &[("blitz", 1)],
            &[("-450 or less", 1), ("-49 to +49", 2)],
            &[("Monday", 2)],
            &[("23", 1)],
            &[("January-March", 2), ("October-December", 1)],
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn the_commonest_names_come_by_their_games_and_then_by_themselves() {
        // The same name as UTF-8 and as Latin-1.
        let names: [&[u8]; 9] =
            [b"Z", b"B", "\u{e9}".as_bytes(), b"A", b"\xe9", b"B", b"C", b"\xe8", b"\xe9"];
        let all = [("\u{e9}", 3), ("B", 2), ("A", 1), ("C", 1), ("Z", 1), ("\u{e8}", 1)];
        let game = Addend::new(Sample::default());
        for cut in 0..names.len() {
            let part = |names: &[&[u8]]| {
                let mut part = PeopleCounter::default();
                names.iter().for_each(|name| part.add(Some(name), &game));
                part.add(None, &game);
                part
            };
            let mut whole = part(&names[..cut]);
            whole.merge(part(&names[cut..]));
            for most in 0..8 {
                let found = whole.finish(most);
                assert_eq!((found.count, found.all.games()), (6, 11));
                let found: Vec<_> =
                    found.most.iter().map(|(name, tally)| (&**name, tally.games())).collect();
                assert_eq!(found, all[..most.min(6)]);
            }
        }
    }
}
