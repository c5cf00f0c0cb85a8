//! The rated games with what each question asks of them, for [findings](super::Findings).
//!
//! What is found depends on what was found before, so the games are gone through more than once,
//! and each is kept: in 32 bytes of an archive, in 52 of players. Of more than [`MOST`], those are
//! kept whose hash is low enough, which are the same in whatever order and parts games come.

use std::{borrow::Cow, collections::BTreeMap};

use super::axis::Axis;
use super::grouping::{GroupBy, Perspective, Subject};
use super::key::{GroupValue, NONE};
use super::{game::ScoredGame, openings::CatalogueGroups, openings::family, tally::Addend};
use crate::{chess::Color, select::GameInfo};

/// The most games that are kept.
const MOST: usize = 1 << 19;

/// Once there are this many games, room is made for all that may come.
const MANY: usize = MOST / 16;

/// The questions that are asked where none is chosen, whether of players alone, and their shares of
/// the error that is accepted. Openings have most values and fewest games each, so they have most.
const QUESTIONS: [(GroupBy, bool, u32); 11] = [
    (GroupBy::Color, true, 1),
    (GroupBy::Family, false, 8),
    (GroupBy::Variation, false, 8),
    (GroupBy::FirstMoves(1), false, 2),
    (GroupBy::FirstMoves(2), false, 2),
    (GroupBy::Speed, false, 1),
    (GroupBy::TimeControl, true, 1),
    (GroupBy::Hour, true, 1),
    (GroupBy::Weekday, true, 1),
    (GroupBy::RatingGap, true, 1),
    (GroupBy::Season, true, 1),
];

/// What is asked of the games: whether those with a value of a field are away from expectation.
#[derive(Debug, Clone)]
pub(super) struct Question {
    pub(super) field: GroupBy,
    /// Its share of the error, beside those of the others.
    pub(super) share: u32,
    /// The axis that has its values, or the parts of them.
    axis: usize,
}

impl Question {
    /// The field whose values those of a question add up.
    fn parts(field: &GroupBy) -> GroupBy {
        match field {
            GroupBy::Family => GroupBy::Variation,
            GroupBy::FirstMoves(1) => GroupBy::FirstMoves(2),
            other => other.clone(),
        }
    }

    /// The value that a part belongs to.
    fn whole(&self, part: GroupValue) -> GroupValue {
        match (&self.field, &part) {
            (GroupBy::Family, GroupValue::Text { text, .. }) => GroupValue::text(family(text)),
            (GroupBy::FirstMoves(1), GroupValue::Text { text, .. }) => {
                let end = text.match_indices(' ').nth(1).map_or(text.len(), |(end, _)| end);
                GroupValue::text(&text[..end])
            }
            _ => part,
        }
    }

    /// Its name: `opponent` is about how strong opponents are.
    pub(super) fn name(&self) -> String {
        match self.field {
            GroupBy::RatingGap => GroupBy::Opponent.column(),
            _ => self.field.column(),
        }
    }

    /// Whether the values of players with White are others than those with Black.
    pub(super) fn is_of_color(&self) -> bool {
        self.field.is_opening() || matches!(self.field, GroupBy::FirstMoves(_))
    }
}

/// A game with a result and both ratings.
#[derive(Debug, Clone, Copy)]
pub(super) struct RatedGame {
    /// The own rating less that of the opponent.
    pub(super) gap: i16,
    pub(super) half_points: u8,
    /// Whether it is seen from Black, as only games of players are.
    pub(super) is_black: bool,
    /// The date, as in [`Sample`](super::Sample); 0 if it is unknown.
    pub(super) date: u32,
}

#[derive(Debug, Clone)]
pub(super) struct Ledger {
    pub(super) subject: Subject,
    pub(super) questions: Vec<Question>,
    axes: Vec<Axis>,
    /// The value of each game on each axis, and then the hashes of the people it is dependent on.
    columns: Vec<Vec<u32>>,
    pub(super) games: Vec<RatedGame>,
    hashes: Vec<u32>,
    /// How often the number of games that are kept was halved.
    pub(super) halvings: u32,
}

impl Ledger {
    /// No games yet. `by` are the questions; none for [all](QUESTIONS).
    pub(super) fn new(groups: &mut CatalogueGroups<'_>, subject: Subject, by: &[GroupBy]) -> Self {
        let by: Vec<&GroupBy> = by
            .iter()
            .map(|field| if *field == GroupBy::Opponent { &GroupBy::RatingGap } else { field })
            .collect();
        let is_asked = |(field, is_of_players, _): &&(GroupBy, bool, u32)| match by[..] {
            [] => subject == Subject::Players || !is_of_players,
            _ => by.contains(&field),
        };
        let known = QUESTIONS.iter().filter(is_asked).map(|(field, _, share)| (field, *share));
        let is_known = |field: &GroupBy| QUESTIONS.iter().any(|(known, ..)| known == field);
        let others = by.iter().copied().filter(|field| !is_known(field));
        let (mut axes, mut questions) = (Vec::<Axis>::new(), Vec::new());
        for (field, share) in known.chain(others.map(|field| (field, 1))) {
            let parts = Question::parts(field);
            let axis = axes.iter().position(|axis| axis.by == parts).unwrap_or_else(|| {
                axes.push(Axis::new(parts.clone(), groups.by(&parts)));
                axes.len() - 1
            });
            questions.push(Question { field: field.clone(), share, axis });
        }
        let people = if subject == Subject::Archive { 2 } else { 1 };
        let columns = vec![Vec::new(); axes.len() + people];
        let (games, hashes) = (Vec::new(), Vec::new());
        Self { subject, questions, axes, columns, games, hashes, halvings: 0 }
    }

    pub(super) fn needs_more_tags(&self) -> bool {
        self.axes.iter().any(|axis| axis.by.needs_more_tags())
    }

    /// Keeps a game for each side that it is seen from, if it is rated and has a result, and in the
    /// sample.
    pub(super) fn add(
        &mut self,
        game: &ScoredGame<'_, '_>,
        info: Option<&GameInfo<'_>>,
        names: [Option<&[u8]>; 2],
        perspective: Perspective<'_>,
        addends: &[Addend; 2],
    ) {
        let sample = &addends[0].sample;
        if sample.half_points.is_none() || sample.ratings.is_none() {
            return;
        }
        let people = names.map(|name| name.map_or(NONE, hash));
        let (date, plies) = (sample.date.unwrap_or(0), sample.plies.unwrap_or(0) as u32);
        let time = hash(game.time().unwrap_or_default());
        let hash = hash_of_all([people[0], people[1], date, plies, time].map(u64::from));
        if !is_kept(hash, self.halvings) {
            return;
        }
        for side in perspective.sides(&[Color::White]) {
            let sample = addends[usize::from(side.is_black())].sample;
            let Some((half_points, (own, other))) = sample.half_points.zip(sample.ratings) else {
                continue;
            };
            if self.games.len() == MANY {
                self.reserve(MOST - MANY + 2);
            }
            for (axis, column) in self.axes.iter_mut().zip(&mut self.columns) {
                column.push(axis.id(game, *side, perspective, info));
            }
            for (column, side) in self.columns[self.axes.len()..].iter_mut().zip([!*side, *side]) {
                column.push(people[usize::from(side.is_black())]);
            }
            self.hashes.push(hash);
            self.games.push(RatedGame {
                gap: own as i16 - other as i16,
                half_points,
                is_black: side.is_black(),
                date: sample.date.unwrap_or(0),
            });
        }
        self.keep_most(self.halvings);
    }

    /// Makes room for more games at once: to grow step by step would copy the earlier ones each
    /// time.
    #[cold]
    fn reserve(&mut self, games: usize) {
        self.columns.iter_mut().for_each(|column| column.reserve_exact(games));
        self.games.reserve_exact(games);
        self.hashes.reserve_exact(games);
    }

    /// Drops games until there are not too many, and the number was halved this often.
    fn keep_most(&mut self, halvings: u32) {
        while self.halvings < halvings || self.games.len() > MOST {
            self.halvings += 1;
            let is_kept: Vec<bool> =
                self.hashes.iter().map(|hash| is_kept(*hash, self.halvings)).collect();
            self.columns.iter_mut().for_each(|column| retain(column, &is_kept));
            retain(&mut self.games, &is_kept);
            retain(&mut self.hashes, &is_kept);
        }
    }

    pub(super) fn merge(&mut self, mut other: Self) {
        if self.games.is_empty() {
            std::mem::swap(self, &mut other);
        }
        self.keep_most(other.halvings);
        other.keep_most(self.halvings);
        for (place, more) in other.columns.iter().enumerate() {
            let numbers = match self.axes.get_mut(place) {
                Some(axis) => axis.numbers_of_texts(&other.axes[place]),
                None => Vec::new(),
            };
            let own = |id: &u32| numbers.get(*id as usize).copied().unwrap_or(*id);
            self.columns[place].extend(more.iter().map(own));
        }
        self.games.extend(other.games);
        self.hashes.extend(other.hashes);
        self.keep_most(self.halvings);
    }

    /// What each game has in common with others whose results may depend on each other, once for
    /// each kind of dependence: the players of an archive; the opponents and the days of players.
    pub(super) fn clusters(&self) -> Vec<Cow<'_, [u32]>> {
        let days = || {
            let day =
                |game: &RatedGame| if game.date.is_multiple_of(100) { NONE } else { game.date };
            self.games.iter().map(day).collect()
        };
        let people = self.columns[self.axes.len()..].iter().map(Cow::from);
        people.chain((self.subject == Subject::Players).then(days)).collect()
    }

    /// The value of a question that each game has, by its place among these, which are sorted.
    /// Games that do not say have none, and of places there are as many as `is_enough` of their
    /// games.
    pub(super) fn values(
        &self,
        question: &Question,
        is_enough: impl Fn(u64) -> bool,
    ) -> (Vec<(Option<Color>, GroupValue)>, Vec<u32>) {
        let column = &self.columns[question.axis];
        let is_by_color = question.is_of_color() && self.subject == Subject::Players;
        // The numbers of a field are close together: each has a slot for either colour.
        let numbers = column.iter().filter(|id| **id != NONE).map(|id| *id as i32);
        let (least, most) = (numbers.clone().min().unwrap_or(0), numbers.max().unwrap_or(0));
        let slot = |id: u32, is_black: bool| {
            2 * (id as i32).wrapping_sub(least) as u32 as usize + usize::from(is_black)
        };
        let games = column.iter().zip(&self.games);
        let slots = games.map(|(id, game)| slot(*id, is_by_color && game.is_black));
        let mut counts = vec![0_u64; slot(most as u32, true) + 1];
        for slot in slots.clone() {
            if let Some(count) = counts.get_mut(slot) {
                *count += 1;
            }
        }
        let is_played = |id: &u32| counts[slot(*id, false)..][..2] != [0; 2];
        let ids = (least..=most).map(|id| id as u32).filter(is_played);
        let parts = self.axes[question.axis].values(ids);
        let mut values = BTreeMap::<(bool, GroupValue), (u64, Vec<usize>)>::new();
        for (part, id) in parts {
            let whole = question.whole(part);
            for is_black in [false, true] {
                let slot = slot(id, is_black);
                let Some(games) = counts.get(slot).filter(|games| **games > 0) else { continue };
                let (count, slots) = values.entry((is_black, whole.clone())).or_default();
                *count += games;
                slots.push(slot);
            }
        }
        values.retain(|_, (games, _)| is_enough(*games));
        let mut places = vec![NONE; counts.len()];
        for ((_, slots), place) in values.values().zip(0..) {
            slots.iter().for_each(|slot| places[*slot] = place);
        }
        let of_games = slots.map(|slot| places.get(slot).copied().unwrap_or(NONE)).collect();
        let side =
            |black: bool| is_by_color.then_some(if black { Color::Black } else { Color::White });
        (values.into_keys().map(|(black, value)| (side(black), value)).collect(), of_games)
    }
}

/// Whether a game is in the sample after this number of halvings.
fn is_kept(hash: u32, halvings: u32) -> bool {
    hash.leading_zeros() >= halvings
}

fn retain<T>(list: &mut Vec<T>, is_kept: &[bool]) {
    let mut is_kept = is_kept.iter();
    list.retain(|_| is_kept.next().is_some_and(|is_kept| *is_kept));
}

/// A hash that is the same on every machine.
fn hash(text: &[u8]) -> u32 {
    let (words, rest) = text.as_chunks();
    let bits = u8::BITS * (8 - rest.len() as u32);
    let last = match text.last_chunk() {
        Some(last) => u64::from_le_bytes(*last).checked_shr(bits).unwrap_or(0),
        None => rest.iter().rev().fold(0, |word, byte| word << u8::BITS | u64::from(*byte)),
    };
    hash_of_all(words.iter().map(|word| u64::from_le_bytes(*word)).chain([last]))
}

/// Words, each mixed into the last as at the end of MurmurHash3.
fn hash_of_all(words: impl IntoIterator<Item = u64>) -> u32 {
    let mixed = words.into_iter().fold(0x9e37_79b9_7f4a_7c15, |hash: u64, word| {
        let hash = (hash ^ word).wrapping_mul(0xff51_afd7_ed55_8ccd);
        hash ^ (hash >> u32::BITS)
    });
    (mixed >> u32::BITS) as u32
}

/// Whether this can be asked where findings are looked for: what a game turned out to be is none of
/// its causes, and in an archive each player is one of many.
pub fn is_question(field: &GroupBy, subject: Subject) -> bool {
    match field {
        GroupBy::Result | GroupBy::Termination | GroupBy::Player => false,
        GroupBy::Color | GroupBy::Opponent | GroupBy::Rated => subject == Subject::Players,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::game::Comments;
    use crate::{catalogue::Catalogue, classify::Classifier, pgn::games};

    /// Games between different people, by their numbers.
    fn ledger(numbers: std::ops::Range<usize>) -> Ledger {
        let catalogue = Catalogue::builtin();
        let classifier = Classifier::new(catalogue);
        let groups = &mut CatalogueGroups::new(catalogue);
        let mut ledger = Ledger::new(groups, Subject::Archive, &[]);
        for number in numbers {
            let pgn = format!(
                "[White \"P{number}\"]\n[Black \"B\"]\n[WhiteElo \"{}\"]\n[BlackElo \"2000\"]\n\
                 [Result \"1-0\"]\n\n1. e4 c5 1-0\n",
                1000 + number
            );
            let game = games(pgn.as_bytes()).next().unwrap();
            let scored = ScoredGame::read(&classifier, &game);
            let addends = &scored.addends(Comments::Skipped);
            ledger.add(&scored, None, scored.names(), Perspective::Everybody, addends);
        }
        ledger
    }

    #[test]
    fn a_hash_is_that_of_words_with_zeros_after_the_text() {
        let text = b"Nepomniachtchi, Ian Alexandrovich";
        for length in 0..=text.len() {
            let mut padded = text[..length].to_vec();
            padded.resize(8 * (length / 8 + 1), 0);
            let words = padded.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word));
            assert_eq!(hash(&text[..length]), hash_of_all(words), "{length}");
        }
    }

    #[test]
    fn a_sample_is_the_same_in_whatever_parts_games_come() {
        let mut whole = ledger(0..400);
        whole.keep_most(2);
        let gaps = |ledger: &Ledger| -> Vec<i16> { ledger.games.iter().map(|g| g.gap).collect() };
        let found = gaps(&whole);
        assert!((60..140).contains(&found.len()), "{} of 400 are about a fourth", found.len());
        for cut in [0, 1, 200, 399] {
            let (mut first, mut second) = (ledger(0..cut), ledger(cut..400));
            first.keep_most(1);
            second.keep_most(2);
            first.merge(second);
            assert_eq!((gaps(&first), first.halvings), (found.clone(), 2), "{cut}");
            assert!(first.columns.iter().all(|column| column.len() == found.len()));
        }
    }
}
