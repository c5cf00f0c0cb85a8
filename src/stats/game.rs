//! What is counted of a game, whichever side it is seen from.

use std::borrow::Cow;

use super::tally::{Outcome, Sample};
use crate::{
    chess::Color,
    classify::{Classifier, GameError, Header, NamedAt},
    pgn::{Game, GameDate, MainLine, Tag, TagVisitor},
    select::GameResult,
};

/// The highest rating; a greater number is no rating.
const MAX_RATING: u16 = 4000;

/// A game with all that is counted of it: ratings, result, date, length and opening.
///
/// Its tags are read once, and its moves are played only as far as classifying does.
#[derive(Debug, Clone)]
pub struct ScoredGame<'g, 'c> {
    pub(super) game: Game<'g>,
    pub(super) header: Header<'g>,
    ratings: [Option<u16>; 2],
    pub(super) result: GameResult,
    pub(super) date: Option<u32>,
    plies: usize,
    pub(super) named: Option<NamedAt<'c>>,
    error: Option<GameError>,
}

/// Whether a game is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Standard,
    OtherVariant,
}

/// The tags that are read.
#[derive(Default)]
struct ScoreTags<'a> {
    header: Header<'a>,
    ratings: [Option<Cow<'a, [u8]>>; 2],
}

impl<'a> TagVisitor<'a> for ScoreTags<'a> {
    #[inline(always)]
    fn visit(&mut self, tag: &Tag<'a>) {
        self.header.add(tag);
        let rating = match tag.name {
            b"WhiteElo" => &mut self.ratings[0],
            b"BlackElo" => &mut self.ratings[1],
            _ => return,
        };
        rating.get_or_insert_with(|| tag.value());
    }
}

impl<'g, 'c> ScoredGame<'g, 'c> {
    /// Reads and classifies a game.
    #[must_use]
    pub fn read(classifier: &Classifier<'c>, game: &Game<'g>) -> Self {
        let mut tags = game.tags();
        let mut read = ScoreTags::default();
        tags.visit(&mut read);
        let main_line = tags.into_main_line();
        let classified = classifier.classify_read(game, read.header, main_line.clone());
        let length = main_line.length();
        let header = classified.header;
        Self {
            game: *game,
            ratings: read.ratings.map(|value| rating(&value?)),
            result: result(header.result.as_deref(), length.result),
            date: header.date.as_deref().and_then(date),
            plies: length.plies,
            named: classified.verdict.named,
            error: classified.verdict.error,
            header,
        }
    }

    /// The last named position, which gives the opening.
    #[must_use]
    pub fn named(&self) -> Option<NamedAt<'c>> {
        self.named
    }

    /// What is wrong with the game, if anything.
    #[must_use]
    pub fn error(&self) -> Option<&GameError> {
        self.error.as_ref()
    }

    pub(super) fn kind(&self) -> Kind {
        match self.error {
            Some(GameError::Variant { .. }) => Kind::OtherVariant,
            _ => Kind::Standard,
        }
    }

    pub(super) fn rating(&self, side: Color) -> Option<u16> {
        self.ratings[usize::from(side.is_black())]
    }

    /// The name of the player of a side; none if it is empty or a question mark.
    pub(super) fn name(&self, side: Color) -> Option<&[u8]> {
        let name = if side.is_white() { &self.header.white } else { &self.header.black };
        known(name.as_deref()?)
    }

    /// The game from one side.
    #[inline]
    pub(super) fn sample(&self, side: Color) -> Sample {
        let (own, other) = (self.rating(side), self.rating(side.other()));
        Sample {
            outcome: self.outcome(side),
            ratings: own.zip(other),
            date: self.date,
            plies: Some(self.plies),
            exit: self.named.map(|named| named.ply()),
        }
    }

    /// How the game ended for a side.
    pub(super) fn outcome(&self, side: Color) -> Option<Outcome> {
        let for_white = match self.result {
            GameResult::WhiteWins => Outcome::Win,
            GameResult::Draw => Outcome::Draw,
            GameResult::BlackWins => Outcome::Loss,
            GameResult::Unknown => return None,
        };
        Some(if side.is_white() { for_white } else { for_white.reversed() })
    }

    /// The moves.
    pub(super) fn main_line(&self) -> MainLine<'g> {
        self.game.tags().into_main_line()
    }
}

/// A value without the blanks around it, unless it is one that stands for nothing.
pub(super) fn known(value: &[u8]) -> Option<&[u8]> {
    Some(value.trim_ascii()).filter(|value| !matches!(*value, b"" | b"?" | b"-"))
}

fn rating(value: &[u8]) -> Option<u16> {
    let text = str::from_utf8(value.trim_ascii()).ok()?;
    text.parse().ok().filter(|rating| (1..=MAX_RATING).contains(rating))
}

/// The result of the tag, or else that at the end of the moves.
fn result(tag: Option<&[u8]>, end: Option<&[u8]>) -> GameResult {
    let read = |text: Option<&[u8]>| match text {
        Some(b"1-0") => GameResult::WhiteWins,
        Some(b"0-1") => GameResult::BlackWins,
        Some(b"1/2-1/2") => GameResult::Draw,
        None | Some(b"*") => GameResult::Unknown,
        Some(other) => GameResult::read(other),
    };
    Some(read(tag)).filter(|known| *known != GameResult::Unknown).unwrap_or_else(|| read(end))
}

/// A date as a number, 20210513, with 0 for what is not known.
fn date(value: &[u8]) -> Option<u32> {
    if let Some(date) = whole_date(value) {
        return Some(date);
    }
    let date: GameDate = str::from_utf8(value).ok()?.parse().ok()?;
    Some(date.number())
}

/// A date as nearly all are written: `2021.05.13`.
#[inline]
fn whole_date(value: &[u8]) -> Option<u32> {
    let [y1, y2, y3, y4, b'.', m1, m2, b'.', d1, d2] = *value else { return None };
    let mut number = 0;
    for digit in [y1, y2, y3, y4, m1, m2, d1, d2] {
        if !digit.is_ascii_digit() {
            return None;
        }
        number = 10 * number + u32::from(digit - b'0');
    }
    let is_date = number >= 10_000
        && (1..=12).contains(&(number / 100 % 100))
        && (1..=31).contains(&(number % 100));
    is_date.then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Catalogue;

    fn read(game: &str) -> ScoredGame<'_, 'static> {
        let classifier = Classifier::new(Catalogue::builtin());
        ScoredGame::read(&classifier, &Game::from_bytes(game.as_bytes()))
    }

    #[test]
    fn a_game_is_seen_from_both_sides() {
        let game = read(
            "[White \" A \"]\n[Black \"?\"]\n[WhiteElo \"2000\"]\n[BlackElo \"2100\"]\n\
             [Date \"2021.05.??\"]\n[Result \"1-0\"]\n\n1. e4 c5 2. Ke2 1-0\n",
        );
        assert_eq!((game.name(Color::White), game.name(Color::Black)), (Some(&b"A"[..]), None));
        let white = game.sample(Color::White);
        assert_eq!((white.outcome, white.ratings), (Some(Outcome::Win), Some((2000, 2100))));
        assert_eq!((white.date, white.plies, white.exit), (Some(20_210_500), Some(3), Some(3)));
        let black = game.sample(Color::Black);
        assert_eq!((black.outcome, black.ratings), (Some(Outcome::Loss), Some((2100, 2000))));
    }

    #[test]
    fn the_moves_have_the_result_if_the_tag_has_none() {
        for (game, outcome) in [
            ("[Result \"*\"]\n\n1. e4 0-1", Some(Outcome::Loss)),
            ("[Result \"1/2\"]\n\n1. e4 *", Some(Outcome::Draw)),
            ("1. e4 {x} 1-0", Some(Outcome::Win)),
            ("[Result \"*\"]\n\n1. e4 *", None),
        ] {
            assert_eq!(read(game).outcome(Color::White), outcome, "{game:?}");
        }
    }

    #[test]
    fn dates_are_read_as_everywhere() {
        for text in
            ["2021.05.13", "2021.13.01", "2021.05.00", "0000.01.01", "2021-05-13", "2021", "x"]
        {
            let plain = text.parse::<GameDate>().ok().map(GameDate::number);
            assert_eq!(date(text.as_bytes()), plain, "{text:?}");
        }
    }
}
