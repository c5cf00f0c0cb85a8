//! Players or opponents, of whom only the commonest are shown.

use std::cmp::Reverse;

use crate::{
    pgn::decode_text,
    stats::{compact::CompactTally, sums::Addend, tally::Tally, texts::Texts},
};

/// Games counted by name.
#[derive(Debug, Clone, Default)]
pub(super) struct PeopleCounter {
    names: Texts,
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
    #[inline]
    pub(super) fn add(&mut self, name: Option<&[u8]>, game: &Addend) {
        match name {
            Some(name) => self.tally(name).add(game),
            None => self.nameless.add(game),
        }
    }

    #[inline]
    fn tally(&mut self, name: &[u8]) -> &mut CompactTally {
        let number = self.names.number(name) as usize;
        // Numbers are given in order.
        if number == self.tallies.len() {
            self.tallies.push(CompactTally::default());
        }
        &mut self.tallies[number]
    }

    /// The number of names so far.
    pub(super) fn size(&self) -> usize {
        self.tallies.len()
    }

    /// Adds the games of another part.
    pub(super) fn merge(&mut self, other: Self) {
        self.nameless.merge(&other.nameless);
        if self.tallies.is_empty() {
            *self = Self { nameless: self.nameless, ..other };
            return;
        }
        for (number, name) in other.names.iter() {
            self.tally(name).merge(&other.tallies[number as usize]);
        }
    }

    /// The names with the most games, without sorting the others.
    pub(super) fn finish(&self, most: usize) -> People {
        let mut all = self.nameless.to_tally();
        self.tallies.iter().for_each(|tally| all.merge(&tally.to_tally()));
        // Most names are ASCII, and of these different bytes are different texts.
        let (mut plain, mut others) = (Vec::new(), Vec::new());
        for (number, name) in self.names.iter() {
            let tally = &self.tallies[number as usize];
            match name.is_ascii() {
                true => keep_most(&mut plain, (Reverse(tally.games()), name, number), most),
                false => others.push((decode_text(name), number)),
            }
        }
        let tally = |number: u32| self.tallies[number as usize].to_tally();
        let plain_count = self.names.len() - others.len();
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
    use crate::stats::sample::Sample;

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
