//! What is counted of a game, whichever side it is seen from, and games that are examples.

use std::{borrow::Cow, cell::OnceCell};

use super::tally::{Addend, Sample};
use crate::chess::Color;
use crate::classify::{Classifier, GameError, Header, NamedAt};
use crate::pgn::{
    CountedLine, FirstMoves, Game, GameDate, MainLine, PlayedAt, Tag, TagVisitor, decode_text,
};
use crate::select::{GameInfo, GameResult, OpeningPhase, Speed};
use crate::select::{read_date, read_played_at, read_rating};

/// A game with all that is counted of it: ratings, result, date, length and opening.
///
/// Its tags are read once, and its moves are played only as far as classifying does.
#[derive(Debug, Clone)]
pub struct ScoredGame<'g, 'c> {
    pub(super) game: Game<'g>,
    tags: ScoreTags<'g>,
    pub(super) main_line: MainLine<'g>,
    pub(super) first_moves: FirstMoves,
    ratings: [Option<u16>; 2],
    pub(super) result: GameResult,
    /// A number, 20210513, with 0 for what is not known.
    pub(super) date: Option<u32>,
    plies: usize,
    pub(super) named: Option<NamedAt<'c>>,
    error: Option<GameError>,
    /// The speed, once it was asked for.
    speed: OnceCell<Option<Speed>>,
}

/// Whether it is counted what comments say of the opening, which takes time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comments {
    Read,
    Skipped,
}

/// The first of each of these tags.
#[derive(Debug, Clone, Default)]
struct ScoreTags<'a> {
    header: Header<'a>,
    ratings: [Option<Cow<'a, [u8]>>; 2],
    utc_time: Option<Cow<'a, [u8]>>,
    time: Option<Cow<'a, [u8]>>,
    utc_date: Option<Cow<'a, [u8]>>,
    has_local_date: bool,
}

impl<'a> TagVisitor<'a> for ScoreTags<'a> {
    #[inline(always)]
    fn visit(&mut self, tag: &Tag<'a>) {
        self.header.visit(tag);
        let value = match tag.name {
            b"WhiteElo" => &mut self.ratings[0],
            b"BlackElo" => &mut self.ratings[1],
            b"UTCTime" => &mut self.utc_time,
            b"Time" => &mut self.time,
            b"UTCDate" => &mut self.utc_date,
            b"Date" => {
                self.has_local_date = true;
                return;
            }
            _ => return,
        };
        value.get_or_insert_with(|| tag.value());
    }
}

impl<'g, 'c> ScoredGame<'g, 'c> {
    /// Reads and classifies a game.
    pub fn read(classifier: &Classifier<'c>, game: &Game<'g>) -> Self {
        let mut tags = ScoreTags::default();
        let main_line = game.tags().visit(&mut tags);
        let mut line = CountedLine::new(main_line.clone());
        let header = &tags.header;
        let verdict = classifier.verdict_of(game, header, &mut line);
        let first_moves = line.first;
        let length = line.length();
        Self {
            game: *game,
            ratings: tags.ratings.each_ref().map(|value| read_rating(value.as_ref()?)),
            result: GameResult::of_game(header.result.as_deref(), || length.result),
            date: header.date.as_deref().and_then(read_date).map(GameDate::number),
            plies: length.plies,
            main_line,
            first_moves,
            named: verdict.named,
            error: verdict.error,
            speed: OnceCell::new(),
            tags,
        }
    }

    /// The last named position, which gives the opening.
    pub fn named(&self) -> Option<NamedAt<'c>> {
        self.named
    }

    /// What is wrong with the game, if anything.
    pub fn error(&self) -> Option<&GameError> {
        self.error.as_ref()
    }

    /// Whether it is of another variant, so that it is not counted.
    pub(super) fn is_variant(&self) -> bool {
        matches!(self.error, Some(GameError::Variant { .. }))
    }

    pub(super) fn header(&self) -> &Header<'g> {
        &self.tags.header
    }

    pub(super) fn rating(&self, side: Color) -> Option<u16> {
        self.ratings[usize::from(side.is_black())]
    }

    /// The name of the player of a side; none if it is empty or a question mark.
    pub(super) fn name(&self, side: Color) -> Option<&[u8]> {
        let header = self.header();
        let name = if side.is_white() { &header.white } else { &header.black };
        known(name.as_deref()?)
    }

    /// The names of White and of Black.
    pub(super) fn names(&self) -> [Option<&[u8]>; 2] {
        Color::ALL.map(|side| self.name(side))
    }

    /// What its comments say of its opening.
    #[inline(never)]
    fn opening_phase(&self) -> OpeningPhase {
        let book = self.named.map(|named| named.ply());
        OpeningPhase::of_book(self.main_line.clone(), self.header(), book)
    }

    fn sample(&self, side: Color, phase: &OpeningPhase) -> Sample {
        let (own, other) = (self.rating(side), self.rating(side.other()));
        Sample {
            half_points: self.result.half_points(side),
            ratings: own.zip(other),
            date: self.date,
            plies: Some(self.plies),
            exit: self.named.map(|named| named.ply()),
            eval: phase.eval_book.map(|eval| if side.is_white() { eval } else { -eval }),
            time: phase.time_book[usize::from(side.is_black())],
        }
    }

    /// What it adds for White and for Black.
    pub(super) fn addends(&self, comments: Comments) -> [Addend; 2] {
        let phase = match comments {
            Comments::Read => self.opening_phase(),
            Comments::Skipped => OpeningPhase::default(),
        };
        Color::ALL.map(|side| Addend::new(self.sample(side, &phase)))
    }

    fn played_at(&self) -> PlayedAt {
        let tags = &self.tags;
        let time = tags.time.as_deref().filter(|_| tags.has_local_date);
        let date = self.date.and_then(GameDate::from_number);
        read_played_at(date, time, [tags.utc_date.as_deref(), tags.utc_time.as_deref()])
    }

    /// The time of day at which it began.
    pub(super) fn time(&self) -> Option<&[u8]> {
        self.tags.utc_time.as_deref().or(self.tags.time.as_deref())
    }

    pub(super) fn time_control(&self) -> Option<&[u8]> {
        known(self.header().time_control.as_deref()?)
    }

    pub(super) fn speed(&self) -> Option<Speed> {
        *self.speed.get_or_init(|| {
            Speed::of_time_control(str::from_utf8(self.header().time_control.as_deref()?).ok()?)
        })
    }
}

/// A value without the blanks around it, unless it is one that stands for nothing.
pub(super) fn known(value: &[u8]) -> Option<&[u8]> {
    Some(value.trim_ascii()).filter(|value| !matches!(*value, b"" | b"?" | b"-"))
}

/// This many games are kept of each group, won and lost.
const MAX: usize = 3;

/// A game that is one of those behind a number.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[non_exhaustive]
pub struct Example {
    /// When it was played, which decides what is latest.
    #[serde(skip)]
    pub(crate) played_at: PlayedAt,
    /// The date as a number, 20210513, with 0 for what is not known.
    pub date: u32,
    /// The name of the source.
    pub source: String,
    /// The number of the game in its source, from 1.
    pub number: u64,
    /// The name of White.
    pub white: String,
    /// The name of Black.
    pub black: String,
    /// The result, as PGN writes it.
    pub result: String,
    /// The address of the game on the web.
    pub link: Option<String>,
}

/// The latest games of a group, by [`PlayedAt`]; of equal ones those of the last source, and there
/// the last ones.
///
/// Those of parts together are those of the whole, in any order.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Examples {
    /// Games that the side won, the latest first.
    pub won: Vec<Example>,
    /// Games that it lost, the latest first.
    pub lost: Vec<Example>,
}

impl Examples {
    // Few tables keep examples.
    #[inline(never)]
    pub(super) fn add(&mut self, game: &ScoredGame<'_, '_>, side: Color, source: &str) {
        let list = match game.result.half_points(side) {
            Some(2) => &mut self.won,
            Some(0) => &mut self.lost,
            _ => return,
        };
        let key = (game.played_at(), game.date.unwrap_or(0), source, game.game.number());
        let is_later =
            |last: &Example| key > (last.played_at, last.date, last.source.as_str(), last.number);
        if list.len() < MAX || list.last().is_some_and(is_later) {
            insert(list, example(game, source));
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        other.won.iter().for_each(|example| insert(&mut self.won, example.clone()));
        other.lost.iter().for_each(|example| insert(&mut self.lost, example.clone()));
    }
}

/// Inserts a game into a list, the latest first, and drops the earliest of too many.
fn insert(list: &mut Vec<Example>, example: Example) {
    let at = list.partition_point(|other| *other > example);
    list.insert(at, example);
    list.truncate(MAX);
}

fn example(game: &ScoredGame<'_, '_>, source: &str) -> Example {
    let name = |side| decode_text(game.name(side).unwrap_or(b"?")).into_owned();
    Example {
        played_at: game.played_at(),
        date: game.date.unwrap_or(0),
        source: source.to_owned(),
        number: game.game.number(),
        white: name(Color::White),
        black: name(Color::Black),
        result: game.result.as_str().to_owned(),
        link: GameInfo::read(&game.game).link().map(Cow::into_owned),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::catalogue::Catalogue;

    fn read(game: &str) -> ScoredGame<'_, 'static> {
        let classifier = Classifier::new(Catalogue::builtin());
        ScoredGame::read(&classifier, &Game::from_bytes(game.as_bytes()))
    }

    fn sample(game: &ScoredGame<'_, '_>, side: Color) -> Sample {
        game.addends(Comments::Read)[usize::from(side.is_black())].sample
    }

    #[test]
    fn a_game_is_seen_from_both_sides() {
        let game = read(
            "[White \" A \"]\n[Black \"?\"]\n[WhiteElo \"2000\"]\n[BlackElo \"2100\"]\n\
             [Date \"2021.05.??\"]\n[Result \"1-0\"]\n\n1. e4 c5 2. Ke2 1-0\n",
        );
        assert_eq!((game.name(Color::White), game.name(Color::Black)), (Some(&b"A"[..]), None));
        let white = sample(&game, Color::White);
        assert_eq!((white.half_points, white.ratings), (Some(2), Some((2000, 2100))));
        assert_eq!((white.date, white.plies, white.exit), (Some(20_210_500), Some(3), Some(3)));
        let black = sample(&game, Color::Black);
        assert_eq!((black.half_points, black.ratings), (Some(0), Some((2100, 2000))));
    }

    #[test]
    fn comments_are_read_at_the_last_named_position_if_they_are_asked_for() {
        let game = read(
            "[TimeControl \"60+0\"]\n\n1. e4 {[%clk 0:00:58]} c5 {[%clk 0:00:57] [%eval 0.3]} \
             2. a4 {[%eval -0.5] [%clk 0:00:51]} h5 {[%eval 0.9] [%clk 0:00:45]} 1-0\n",
        );
        assert_eq!(game.named().map(|named| named.ply()), Some(3));
        let (white, black) = (sample(&game, Color::White), sample(&game, Color::Black));
        assert_eq!((white.eval, white.time), (Some(-50), Some(7)));
        assert_eq!((black.eval, black.time), (Some(50), Some(0)));
        let skipped = game.addends(Comments::Skipped)[0].sample;
        assert_eq!(skipped, Sample { eval: None, time: None, ..white });
    }

    #[test]
    fn the_moves_have_the_result_if_the_tag_has_none() {
        for (game, half_points) in [
            ("[Result \"*\"]\n\n1. e4 0-1", Some(0)),
            ("[Result \"1/2\"]\n\n1. e4 *", Some(1)),
            ("1. e4 {x} 1-0", Some(2)),
            ("[Result \"*\"]\n\n1. e4 *", None),
        ] {
            assert_eq!(sample(&read(game), Color::White).half_points, half_points, "{game:?}");
        }
    }

    /// Tags and moves, of which some are nonsense, or there more than once.
    fn text() -> impl Strategy<Value = String> {
        let result =
            prop::sample::select(vec!["1-0", "0-1", "1/2-1/2", "1/2", "*", " 1-0 ", "", "x"]);
        let rating =
            prop::sample::select(vec!["2000", " 1500 ", "0", "4000", "4001", "?", "+7", ""]);
        let date =
            prop::sample::select(vec!["2021.05.13", "2021.??.13", "2021.02", "0000.01.01", "x"]);
        let tag = prop_oneof![
            result.clone().prop_map(|value| ("Result", value)),
            (prop::sample::select(vec!["WhiteElo", "BlackElo"]), rating),
            (prop::sample::select(vec!["Date", "UTCDate"]), date),
            (
                prop::sample::select(vec!["Time", "UTCTime"]),
                prop::sample::select(vec!["09:59:59", "23:00:00", "x"]),
            ),
            (Just("TimeControl"), prop::sample::select(vec!["180+2", "?", "1/86400", "60"])),
        ];
        let tags = prop::collection::vec(tag, 0..6);
        let moves =
            prop::sample::select(vec!["", "1. e4", "1. e4 {1-0} c5", "1. e4 (1. d4 0-1) e5"]);
        (tags, moves, result).prop_map(|(tags, moves, end)| {
            let tags = tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n"));
            format!("{}\n{moves} {end}\n", tags.collect::<String>())
        })
    }

    proptest! {
        #[test]
        fn what_is_counted_is_what_is_selected_by(text in text()) {
            let (scored, game) = (read(&text), Game::from_bytes(text.as_bytes()));
            let info = GameInfo::read(&game);
            for color in Color::ALL {
                prop_assert_eq!(scored.rating(color), info.rating(color));
            }
            prop_assert_eq!(scored.result, info.result());
            prop_assert_eq!(scored.date, info.date().map(GameDate::number));
            prop_assert_eq!(scored.played_at(), info.played_at());
            prop_assert_eq!(scored.plies, info.plies());
            prop_assert_eq!(scored.speed(), info.speed());
        }
    }
}
