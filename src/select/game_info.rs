//! What a game says of itself.

use std::{borrow::Cow, iter};

use super::pattern::WantedPositions;
use super::tag_value::{GameResult, Speed, read_date, read_played_at, read_rating};
use crate::chess::{Board, CodedBoard, Color};
use crate::classify::Header;
use crate::pgn::{Game, GameDate, MainLine, PlayedAt, Tag, Token, decode_text};

/// What a game says of itself: its tags, and what can be derived from them and from the words of
/// its main line. No move is played.
///
/// Of tags with one name the first counts. Reading costs a fraction of classifying, so
/// [`Header`](crate::classify::Header) has only the tags that a verdict needs.
///
/// ```
/// use eco::{chess::Color, pgn::Game, select::{GameInfo, Speed}};
///
/// let game = b"[Event \"Rated Blitz game\"]\n[Site \"https://lichess.org/abcdefgh\"]\n\
///     [WhiteElo \"2345\"]\n[TimeControl \"180+2\"]\n\n1. e4 c5 1-0\n";
/// let info = GameInfo::read(&Game::from_bytes(game));
/// assert_eq!(info.rating(Color::White), Some(2345));
/// assert_eq!(info.speed(), Some(Speed::Blitz));
/// assert_eq!(info.is_rated(), Some(true));
/// assert_eq!(info.link().as_deref(), Some("https://lichess.org/abcdefgh"));
/// assert_eq!(info.plies(), 2);
/// ```
#[derive(Debug, Clone)]
pub struct GameInfo<'a> {
    game: Game<'a>,
    tags: Vec<Tag<'a>>,
    moves: Moves<'a>,
}

/// What is known of the main line of a game.
#[derive(Debug, Clone)]
enum Moves<'a> {
    /// It can be read.
    Written(MainLine<'a>),
    /// Its words were counted, and its end read.
    Counted { plies: usize, result: GameResult, codes: &'a [u8] },
}

impl Default for GameInfo<'_> {
    /// What a game of no bytes says.
    fn default() -> Self {
        Self::read(&Game::from_bytes(b""))
    }
}

impl<'a> GameInfo<'a> {
    /// Reads the tags of a game.
    pub fn read(game: &Game<'a>) -> Self {
        let moves = Moves::Written(MainLine::from_movetext(b""));
        // Few games have more tags than this.
        let mut info = Self { game: *game, tags: Vec::with_capacity(16), moves };
        info.read_next(game);
        info
    }

    /// Reads the tags of another game instead, into the same memory.
    pub fn read_next(&mut self, game: &Game<'a>) {
        self.game = *game;
        self.tags.clear();
        let mut tags = game.tags();
        self.tags.extend(tags.by_ref());
        self.moves = Moves::Written(tags.into_main_line());
    }

    /// What a game says of which only the tags are at hand: `plies` is the number of its
    /// half-moves, as written, `result` how its moves end, and `codes` are those that can be
    /// played.
    pub(crate) fn of_tags(
        tags: impl Iterator<Item = Tag<'a>>,
        (plies, result): (usize, GameResult),
        codes: &'a [u8],
    ) -> Self {
        let moves = Moves::Counted { plies, result, codes };
        Self { game: Game::from_bytes(b""), tags: tags.collect(), moves }
    }

    pub(crate) fn tags(&self) -> impl Iterator<Item = Tag<'a>> + '_ {
        self.tags.iter().copied()
    }

    pub(crate) fn main_line(&self) -> MainLine<'a> {
        match &self.moves {
            Moves::Written(line) => line.clone(),
            Moves::Counted { .. } => MainLine::from_movetext(b""),
        }
    }

    /// The game.
    pub fn game(&self) -> &Game<'a> {
        &self.game
    }

    /// The value of the first tag of this name, which must be written as in the game.
    pub fn tag(&self, name: &str) -> Option<Cow<'a, [u8]>> {
        let found = self.tags.iter().find(|tag| tag.name == name.as_bytes());
        found.map(Tag::value)
    }

    /// The value of a [tag](Self::tag) as text.
    pub fn tag_text(&self, name: &str) -> Option<Cow<'a, str>> {
        self.tag(name).map(|value| match value {
            Cow::Borrowed(bytes) => decode_text(bytes),
            Cow::Owned(bytes) => decode_text(&bytes).into_owned().into(),
        })
    }

    /// The name of who has this colour: `White` or `Black`.
    pub fn name(&self, color: Color) -> Option<Cow<'a, [u8]>> {
        self.tag(if color.is_white() { "White" } else { "Black" })
    }

    /// The rating of who has this colour, from `WhiteElo` or `BlackElo`: a number from 1 to 4000.
    pub fn rating(&self, color: Color) -> Option<u16> {
        read_rating(&self.tag(if color.is_white() { "WhiteElo" } else { "BlackElo" })?)
    }

    /// How the game ended: as `Result` says, or else as the end of its moves does.
    pub fn result(&self) -> GameResult {
        GameResult::of_game(self.tag("Result").as_deref(), || match &self.moves {
            Moves::Written(line) => line.clone().find_map(|token| match token {
                Token::Result(result) => Some(result),
                Token::Move(_) | Token::OpenComment | Token::OpenVariation => None,
            }),
            Moves::Counted { result, .. } => Some(result.as_str().as_bytes()),
        })
    }

    /// The date, as far as it is known: the last `Date`, or else the first `UTCDate`.
    pub fn date(&self) -> Option<GameDate> {
        read_date(&self.date_value()?)
    }

    /// When it was played: `UTCDate` with `UTCTime`, if both are known; else `Date` with `Time`, or
    /// the [date](Self::date) alone. Games are ordered by it.
    pub fn played_at(&self) -> PlayedAt {
        // A time does not belong to the date of another clock.
        let time = self.tag("Date").and_then(|_| self.tag("Time"));
        let [utc_date, utc_time] = ["UTCDate", "UTCTime"].map(|name| self.tag(name));
        read_played_at(self.date(), time.as_deref(), [utc_date.as_deref(), utc_time.as_deref()])
    }

    /// The value of the tag that says the date.
    pub(crate) fn date_value(&self) -> Option<Cow<'a, [u8]>> {
        let last = self.tags.iter().rev().find(|tag| tag.name == b"Date");
        last.map(Tag::value).or_else(|| self.tag("UTCDate"))
    }

    /// The speed, from `TimeControl`.
    pub fn speed(&self) -> Option<Speed> {
        Speed::of_time_control(str::from_utf8(&self.tag("TimeControl")?).ok()?)
    }

    /// Whether the game counts for ratings: by a tag `Rated`, or by the first word of `Event`,
    /// which is `Rated` or `Casual` on lichess.
    pub fn is_rated(&self) -> Option<bool> {
        let says = |value: Option<Cow<'_, [u8]>>, yes: &[&str], no: &[&str]| {
            let value = value?;
            let word = value.trim_ascii().split(u8::is_ascii_whitespace).next()?;
            let is_one_of =
                |words: &[&str]| words.iter().any(|w| word.eq_ignore_ascii_case(w.as_bytes()));
            is_one_of(yes).then_some(true).or_else(|| is_one_of(no).then_some(false))
        };
        let tag = says(
            self.tag("Rated"),
            &["rated", "true", "yes", "1"],
            &["casual", "unrated", "false", "no", "0"],
        );
        tag.or_else(|| says(self.tag("Event"), &["rated"], &["casual"]))
    }

    /// The address of the game on the web: that in `Link`, or in `Site` if it leads to more than a
    /// site; or that on lichess or chess.com of which `GameId` is the end.
    pub fn link(&self) -> Option<Cow<'a, str>> {
        let is_address = |text: &Cow<'_, str>| is_address(text);
        if let Some(link) = self.tag_text("Link").filter(is_address) {
            return Some(link);
        }
        let site = self.tag_text("Site");
        if let Some(site) = site.as_ref().filter(|site| is_address(site) && has_path(site)) {
            return Some(site.clone());
        }
        let id = self.tag_text("GameId")?;
        let site = site.unwrap_or_default().to_ascii_lowercase();
        let is_lichess_id =
            matches!(id.len(), 8 | 12) && id.bytes().all(|b| b.is_ascii_alphanumeric());
        if is_lichess_id && (site.is_empty() || site.contains("lichess")) {
            return Some(format!("https://lichess.org/{id}").into());
        }
        let is_number = !id.is_empty() && id.len() <= 20 && id.bytes().all(|b| b.is_ascii_digit());
        (is_number && site.contains("chess.com"))
            .then(|| format!("https://www.chess.com/game/live/{id}").into())
    }

    /// The number of half-moves of the main line, as written: they may be illegal.
    pub fn plies(&self) -> usize {
        match &self.moves {
            Moves::Written(line) => {
                line.clone().filter(|token| matches!(token, Token::Move(_))).count()
            }
            Moves::Counted { plies, .. } => *plies,
        }
    }

    /// The ply at which the main line first has what is wanted.
    pub(super) fn find(&self, wanted: &WantedPositions<'_>) -> Option<usize> {
        let start = Header::read(self.tags()).start().ok()?;
        let start = start.as_ref().map_or_else(Board::default, Board::from_position);
        match &self.moves {
            Moves::Written(line) => {
                let mut words = line.clone().filter_map(|token| match token {
                    Token::Move(word) => Some(word),
                    Token::Result(_) | Token::OpenComment | Token::OpenVariation => None,
                });
                wanted.find(iter::successors(Some(start), |before| {
                    let mut board = *before;
                    board.play(words.next()?).ok().map(|()| board)
                }))
            }
            Moves::Counted { codes, .. } => {
                wanted.find(CodedBoard::from(start).line(codes).map(|(board, _)| board))
            }
        }
    }
}

/// Whether a text is an address, and nothing else.
fn is_address(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let is_plain = |byte: u8| byte.is_ascii_graphic() && !b"\"'<>\\`".contains(&byte);
    rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(is_plain))
}

/// Whether an address leads further than to a site.
fn has_path(address: &str) -> bool {
    let host = address.split_once("://").map_or(address, |(_, rest)| rest);
    host.split_once('/').is_some_and(|(_, path)| !path.is_empty())
}

#[cfg(test)]
mod tests {
    use std::str::FromStr;

    use super::*;
    use crate::pgn::Clock;

    fn game(tags: &[(&str, &str)], moves: &str) -> String {
        let tags = tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n"));
        tags.collect::<String>() + "\n" + moves
    }

    #[test]
    fn ratings_are_numbers_that_ratings_can_be() {
        for (value, rating) in [
            ("2345", Some(2345)),
            (" 1500 ", Some(1500)),
            ("4000", Some(4000)),
            ("4001", None),
            ("0", None),
            ("", None),
            ("?", None),
            ("-", None),
            ("99999", None),
            ("2345.5", None),
        ] {
            let game = game(&[("BlackElo", value)], "*");
            let info = GameInfo::read(&Game::from_bytes(game.as_bytes()));
            assert_eq!(info.rating(Color::Black), rating, "for {value:?}");
            assert_eq!(info.rating(Color::White), None);
        }
    }

    #[test]
    fn games_are_rated_by_a_tag_or_by_their_event() {
        for (tags, rated) in [
            (&[("Event", "Rated Blitz game")][..], Some(true)),
            (&[("Event", "rated bullet game")], Some(true)),
            (&[("Event", "Casual Chess960 game")], Some(false)),
            (&[("Event", "Ratedness Open")], None),
            (&[("Event", "Linares")], None),
            (&[("Rated", "true")], Some(true)),
            (&[("Rated", "No"), ("Event", "Rated game")], Some(false)),
            (&[("Rated", "?"), ("Event", "Rated game")], Some(true)),
            (&[("Event", "")], None),
            (&[], None),
        ] {
            let game = game(tags, "*");
            let info = GameInfo::read(&Game::from_bytes(game.as_bytes()));
            assert_eq!(info.is_rated(), rated, "for {tags:?}");
        }
    }

    #[test]
    fn links_are_addresses_of_games() {
        let com = "https://www.chess.com/game/live/123";
        for (tags, link) in [
            (&[("Site", "https://lichess.org/abcdefgh")][..], Some("https://lichess.org/abcdefgh")),
            (&[("Site", "Chess.com"), ("Link", com)], Some(com)),
            (&[("Site", "https://lichess.org"), ("Link", com)], Some(com)),
            (
                &[("Site", "https://lichess.org"), ("GameId", "abcdEFG1")],
                Some("https://lichess.org/abcdEFG1"),
            ),
            (&[("GameId", "abcdEFG1")], Some("https://lichess.org/abcdEFG1")),
            (&[("Site", "Chess.com"), ("GameId", "123")], Some(com)),
            (&[("Site", "https://lichess.org/")], None),
            (&[("Site", "Linares"), ("GameId", "abcdEFG1")], None),
            (&[("GameId", "abc/../x")], None),
            (&[("Link", "javascript:alert(1)")], None),
            (&[("Link", "https://x.org/<script>")], None),
            (&[("Link", "https://")], None),
            (&[("Site", "https://x.org/a b")], None),
            (&[], None),
        ] {
            let game = game(tags, "*");
            let info = GameInfo::read(&Game::from_bytes(game.as_bytes()));
            assert_eq!(info.link().as_deref(), link, "for {tags:?}");
        }
    }

    #[test]
    fn the_end_of_the_moves_has_the_result_if_no_tag_does() {
        for (value, moves, result) in [
            ("1-0", "1. e4 0-1", "1-0"),
            ("*", "1. e4 0-1", "0-1"),
            ("?", "1. nonsense 1/2-1/2", "1/2-1/2"),
            ("*", "1. e4 {1-0", "*"),
            ("", "", "*"),
        ] {
            let game = game(&[("Result", value)], moves);
            let info = GameInfo::read(&Game::from_bytes(game.as_bytes()));
            assert_eq!(info.result().as_str(), result, "for {value:?} and {moves:?}");
        }
    }

    #[test]
    fn the_first_tag_of_a_name_counts_and_the_last_date() {
        let tags = [
            ("White", "A"),
            ("White", "B"),
            ("UTCDate", "2020.01.01"),
            ("Date", "2021.01.01"),
            ("Date", "2022.01.01"),
            ("X", "a \\\"b\\\""),
        ];
        let game = game(&tags, "1. e4 (1. d4) e5 $1 {x} 2. Ke8 *");
        let game = Game::from_bytes(game.as_bytes());
        let mut info = GameInfo::default();
        assert_eq!((info.name(Color::White), info.plies()), (None, 0));
        info.read_next(&game);
        assert_eq!(info.name(Color::White).as_deref(), Some(&b"A"[..]));
        assert_eq!(info.date().unwrap().to_string(), "2022-01-01");
        assert_eq!(info.tag_text("X").as_deref(), Some("a \"b\""));
        assert_eq!(info.plies(), 3);
    }

    #[test]
    fn a_time_goes_with_the_date_of_its_clock() {
        let day = |date: &str| GameDate::from_str(date).ok();
        let utc = |date, seconds| PlayedAt::new(day(date), Some((Clock::Utc, seconds)));
        let local = |date, seconds| PlayedAt::new(day(date), Some((Clock::Local, seconds)));
        let alone = |date| PlayedAt::new(day(date), None);
        let (d, t, ud, ut) = ("Date", "Time", "UTCDate", "UTCTime");
        for (tags, expected) in [
            (&[(ud, "2021.05.13"), (ut, "00:00:07")][..], utc("2021-05-13", 7)),
            (
                &[(d, "2021.05.12"), (t, "23:00:07"), (ud, "2021.05.13"), (ut, "01:00:07")],
                utc("2021-05-13", 3607),
            ),
            (
                &[(d, "2021.05.12"), (t, "23:00:07"), (ud, "2021.05.13")],
                local("2021-05-12", 82_807),
            ),
            (&[(d, "2021.05.12"), (ud, "2021.05.13"), (ut, "24:00:00")], alone("2021-05-12")),
            (&[(d, "2021.05.12"), (ut, "01:00:07")], alone("2021-05-12")),
            (&[(ud, "2021.05.13"), (t, "01:00:07")], alone("2021-05-13")),
            (&[(ud, "2021.05.??"), (ut, "01:00:07")], alone("2021-05")),
            (&[(d, "2021.05.12"), (t, " 23:59:59 ")], local("2021-05-12", 86_399)),
            (&[(d, "2021.05.12"), (t, "23:60:59")], alone("2021-05-12")),
            (&[(d, "2021.05.12"), (t, "23:59")], alone("2021-05-12")),
            (&[(d, "????.??.??"), (t, "23:59:59")], alone("")),
            (&[], alone("")),
        ] {
            let game = game(tags, "*");
            let info = GameInfo::read(&Game::from_bytes(game.as_bytes()));
            assert_eq!(info.played_at(), expected, "for {tags:?}");
        }
    }
}
