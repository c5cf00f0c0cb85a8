//! The texts of a table with the most games, without sorting the others.

use std::{borrow::Cow, cmp::Ordering};

use super::{axis::NONE, table::Table, tally::Tally};

/// The texts with the most games.
pub(super) struct Commonest {
    /// The number of all texts.
    pub(super) count: usize,
    /// Those with the most games, by these and then by themselves.
    pub(super) most: Vec<(String, Tally)>,
    /// All games, those without a text too.
    pub(super) all: Tally,
}

/// A text and its games.
type Known<'t> = (Cow<'t, str>, Cow<'t, Tally>);

impl Commonest {
    /// The texts of the first field of a table.
    pub(super) fn new(table: &Table, most: usize) -> Self {
        let values = table.first_values();
        let mut all = Tally::default();
        table.by_first_value().for_each(|(_, tally)| all.merge(tally));
        let known = table.by_first_value().filter(|(id, _)| *id != NONE);
        let text = |(id, tally)| (values.text(id), Cow::Borrowed(tally));
        // Most names are ASCII, and of these different bytes are different texts.
        let (plain, others): (Vec<_>, Vec<_>) =
            known.partition(|(id, _)| values.bytes(*id).is_ascii());
        let mut known: Vec<Known<'_>> = plain.into_iter().map(text).collect();
        known.extend(each_once(others.into_iter().map(text).collect()));
        let count = known.len();
        if most < count {
            known.select_nth_unstable_by(most, by_games);
            known.truncate(most);
        }
        known.sort_unstable_by(by_games);
        let most = known.into_iter().map(|(text, tally)| (text.into_owned(), tally.into_owned()));
        Self { count, most: most.collect(), all }
    }
}

/// Texts of which different bytes may be the same text.
fn each_once(mut known: Vec<Known<'_>>) -> Vec<Known<'_>> {
    known.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    known.dedup_by(|(text, tally), (other, whole)| {
        let is_same = text == other;
        if is_same {
            whole.to_mut().merge(tally);
        }
        is_same
    });
    known
}

/// Those with more games first, and of equals by their texts.
fn by_games((text, tally): &Known<'_>, (other_text, other): &Known<'_>) -> Ordering {
    other.games().cmp(&tally.games()).then_with(|| text.cmp(other_text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        catalogue::Catalogue,
        chess::Color,
        classify::Classifier,
        pgn::games,
        stats::{
            game::ScoredGame, group_by::GroupBy, grouping::Grouping, openings::CatalogueGroups,
            perspective::Perspective, tally::Addend,
        },
    };

    #[test]
    fn the_commonest_names_come_by_their_games_and_then_by_themselves() {
        // The same name as UTF-8 and as Latin-1.
        let names: [&[u8]; 9] =
            [b"Z", b"B", "\u{e9}".as_bytes(), b"A", b"\xe9", b"B", b"C", b"\xe8", b"\xe9"];
        let mut pgn = Vec::new();
        for name in names {
            pgn.extend([b"[White \"", name, b"\"]\n[Black \"?\"]\n\n1. e4 *\n\n"].concat());
        }
        let catalogue = Catalogue::builtin();
        let classifier = Classifier::new(catalogue);
        let groups = &mut CatalogueGroups::new(catalogue);
        let mut table = Table::new(groups, &Grouping::new(vec![GroupBy::Player]));
        for game in games(&pgn) {
            let game = ScoredGame::read(&classifier, &game);
            let addends = &Color::ALL.map(|side| Addend::new(game.sample(side)));
            table.add(&game, None, "x", Perspective::Everybody, addends);
        }
        let all = [("\u{e9}", 3), ("B", 2), ("A", 1), ("C", 1), ("Z", 1), ("\u{e8}", 1)];
        for most in 0..8 {
            let found = Commonest::new(&table, most);
            assert_eq!((found.count, found.all.games()), (6, 18));
            let found: Vec<_> =
                found.most.iter().map(|(name, tally)| (&**name, tally.games())).collect();
            assert_eq!(found, all[..most.min(6)]);
        }
    }
}
