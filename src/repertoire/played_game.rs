//! A game as far as a repertoire needs it: who played, and its first moves; and how it is read.

use std::borrow::Cow;
use std::num::{NonZeroU16, NonZeroU32};

use super::{Book, GameFacts, NodeId};
use crate::chess::{Board, Chess, Color, EnPassantMode, Fen, PositionKey, UciMove, play_as_san};
use crate::classify::Header;
use crate::pgn::{Game, GameDate, MainLine, PlayedAt, Token, decode_text};
use crate::select::{Content, Fingerprint, GameInfo, GameResult};
use crate::stats::Sample;

/// A game, as far as a repertoire needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedGame {
    /// Its identity.
    pub fingerprint: Fingerprint,
    /// The name of White; empty if unknown.
    pub white: String,
    /// The name of Black.
    pub black: String,
    /// The rating of White.
    pub white_rating: Option<NonZeroU16>,
    /// The rating of Black.
    pub black_rating: Option<NonZeroU16>,
    /// Its date.
    pub date: Option<GameDate>,
    /// When it was played.
    pub played_at: PlayedAt,
    /// How it ended.
    pub result: GameResult,
    /// The start position, unless that is the initial one.
    pub start: Option<Fen>,
    /// Its first moves, a [code](Board::play_code) each.
    pub(crate) codes: Vec<u8>,
}

impl PlayedGame {
    /// Reads a game up to a ply; `None` if it is of another variant, its start position is invalid,
    /// or none of its moves can be played.
    #[must_use]
    pub fn read(game: &Game<'_>, max_ply: usize) -> Option<Self> {
        let tags = GameTags::read(game);
        let start = tags.header.start().ok()?;
        let mut first = FirstMoves::new(start.as_ref(), max_ply);
        first.play(tags.info.main_line());
        // Without a result in the tags, the end of the moves may have one.
        let result = match tags.result() {
            GameResult::Unknown => first.result,
            known => known,
        };
        (!first.codes.is_empty()).then(|| first.into_game(&tags, start.as_ref(), result))
    }

    /// Its first moves in SAN, separated by blanks.
    #[must_use]
    pub fn movetext(&self) -> String {
        let start = self.start.as_ref().map(Fen::to_position);
        let Ok(mut position) = start.unwrap_or_else(|| Ok(Chess::default())) else {
            return String::new();
        };
        let mut words = Vec::with_capacity(self.codes.len());
        self.walk(|_, uci| {
            let played = uci.and_then(|uci| uci.to_move(&position));
            words.extend(played.map(|m| play_as_san(&mut position, m).to_string()));
        });
        words.join(" ")
    }

    /// Plays its moves. Calls `visit` with each position and the move played there, and with the
    /// last position without a move.
    pub(crate) fn walk(&self, mut visit: impl FnMut(&PositionKey, Option<UciMove>)) {
        let start =
            self.start.as_ref().map(|start| start.to_position().map(|p| Board::from_position(&p)));
        let Ok(mut board) = start.unwrap_or_else(|| Ok(Board::default())) else { return };
        for code in &self.codes {
            let before = board.key();
            let Some(uci) = board.play_code(*code) else { break };
            visit(&before, Some(uci));
        }
        visit(&board.key(), None);
    }

    /// The moves that it played in positions of a book. One that comes back to a position and plays
    /// the same there played it once.
    pub(super) fn moves_in(&self, book: &Book) -> Vec<(NodeId, UciMove)> {
        let mut played = Vec::new();
        self.walk(|key, uci| played.extend(book.find(key).zip(uci)));
        played.sort_unstable();
        played.dedup();
        played
    }

    /// The facts that a count for a side needs.
    #[must_use]
    pub(crate) fn facts(&self, number: Option<NonZeroU32>, side: Color) -> GameFacts {
        GameFacts {
            number,
            arrival: number.map_or(0, NonZeroU32::get),
            date: self.date,
            played_at: self.played_at,
            half_points: self.result.half_points(side),
            opponent: if side.is_white() { self.black_rating } else { self.white_rating },
        }
    }
}

/// The first moves of a game, and all its words.
struct FirstMoves {
    board: Board,
    max_ply: usize,
    codes: Vec<u8>,
    content: Content,
    result: GameResult,
    is_broken: bool,
}

impl FirstMoves {
    fn new(start: Option<&Chess>, max_ply: usize) -> Self {
        Self {
            board: start.map_or_else(Board::default, Board::from_position),
            max_ply,
            codes: Vec::new(),
            content: Content::default(),
            result: GameResult::Unknown,
            is_broken: false,
        }
    }

    /// Plays the main line.
    fn play(&mut self, line: MainLine<'_>) {
        for token in line {
            match token {
                Token::Move(word) => {
                    self.content.add_move(word);
                    if self.codes.len() < self.max_ply && !self.is_broken {
                        match self.board.play_to_code(word) {
                            Ok(Some(code)) => self.codes.push(code),
                            _ => self.is_broken = true,
                        }
                    }
                }
                Token::Result(result) => self.result = GameResult::read(result),
                Token::OpenComment | Token::OpenVariation => self.is_broken = true,
            }
        }
    }

    fn into_game(
        mut self,
        tags: &GameTags<'_>,
        start: Option<&Chess>,
        result: GameResult,
    ) -> PlayedGame {
        let start = start.filter(|start| Board::from_position(start) != Board::default());
        let start = start.map(|start| Fen::from_position(start, EnPassantMode::Legal));
        let Header { white, black, .. } = &tags.header;
        let [white, black] = [white, black].map(|value| known_text(value.as_deref()).into_owned());
        let fingerprint = self.content.fingerprint(&tags.info, result, start.as_ref());
        PlayedGame {
            fingerprint,
            white,
            black,
            white_rating: tags.rating(Color::White),
            black_rating: tags.rating(Color::Black),
            date: tags.info.date(),
            played_at: tags.info.played_at(),
            result,
            start,
            codes: self.codes,
        }
    }
}

/// The value of a tag for people; empty if it is unknown.
pub(crate) fn known_text(value: Option<&[u8]>) -> Cow<'_, str> {
    match decode_text(value.unwrap_or_default()) {
        Cow::Borrowed(text) => Cow::Borrowed(known(text)),
        Cow::Owned(text) => Cow::Owned(known(&text).to_owned()),
    }
}

/// Without spaces around it, and without the PGN standard's mark of unknown values.
fn known(text: &str) -> &str {
    let text = text.trim();
    if text == "?" { "" } else { text }
}

/// The tags of a game that matter here.
pub(super) struct GameTags<'a> {
    pub(super) header: Header<'a>,
    pub(super) info: GameInfo<'a>,
}

impl<'a> GameTags<'a> {
    pub(super) fn read(game: &Game<'a>) -> Self {
        let info = GameInfo::read(game);
        Self { header: Header::read(info.tags()), info }
    }

    /// The value of the `Result` tag.
    pub(super) fn result(&self) -> GameResult {
        self.header.result.as_deref().map_or(GameResult::Unknown, GameResult::read)
    }

    /// The facts that a count for a side needs, given the rest of the game.
    pub(super) fn facts(
        &self,
        number: Option<NonZeroU32>,
        result: GameResult,
        side: Color,
    ) -> GameFacts {
        let opponent = self.rating(!side);
        GameFacts {
            number,
            arrival: number.map_or(0, NonZeroU32::get),
            date: self.info.date(),
            played_at: self.info.played_at(),
            half_points: result.half_points(side),
            opponent,
        }
    }

    /// What statistics need, given the result, from a side.
    pub(super) fn sample(&self, result: GameResult, side: Color) -> Sample {
        let ratings = self.info.rating(side).zip(self.info.rating(!side));
        Sample { half_points: result.half_points(side), ratings, ..Sample::default() }
    }

    pub(super) fn rating(&self, color: Color) -> Option<NonZeroU16> {
        self.info.rating(color).and_then(NonZeroU16::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::Color,
        repertoire::Fingerprint,
        select::{Player, RatingOf, Selection, Selector, WantedResult},
    };

    fn read(game: &str) -> Option<PlayedGame> {
        PlayedGame::read(&Game::from_bytes(game.as_bytes()), 4)
    }

    fn print_of(game: &str) -> Fingerprint {
        read(game).unwrap().fingerprint
    }

    #[test]
    fn a_game_is_known_by_its_content() {
        let game =
            "[White \"Byrne\"]\n[Date \"1956.10.17\"]\n\n1. Nf3 Nf6 2. c4 g6 3. Nc3+ Bg7 0-1\n";
        for same in [
            "[Date \"1956.10.17\"]\r\n[ECO \"A15\"]\r\n[White \"Byrne\"]\r\n\r\n1.Nf3 {!} Nf6 2.c4 $1 g6 (2... d5) 3.Nc3 Bg7 0-1",
            "[White \"Byrne\"]\n[Date \"1956.10.17\"]\n[Result \"0-1\"]\n\nNf3 Nf6 c4 g6 Nc3 Bg7",
            "[White \" Byrne\"]\n[Black \"?\"]\n[Date \"1956.10.17\"]\n\n1. Nf3 Nf6 2. c4 g6 3. Nc3# Bg7 0-1",
        ] {
            assert_eq!(print_of(same), print_of(game), "for {same}");
        }
        for other in [
            "[White \"Byrne\"]\n[Date \"1956.10.17\"]\n\n1. Nf3 Nf6 2. c4 g6 3. Nc3+ Bg7 1-0",
            "[White \"Byrne\"]\n[Date \"1956.10.17\"]\n\n1. Nf3 Nf6 2. c4 g6 3. Nc3+ Bg7 4. d4 0-1",
            "[White \"Byrne\"]\n[Date \"1956.10.18\"]\n\n1. Nf3 Nf6 2. c4 g6 3. Nc3+ Bg7 0-1",
            "[White \"Byrne\"]\n[Date \"1956.10.17\"]\n[Round \"2\"]\n\n1. Nf3 Nf6 2. c4 g6 3. Nc3+ Bg7 0-1",
            "[Black \"Byrne\"]\n[Date \"1956.10.17\"]\n\n1. Nf3 Nf6 2. c4 g6 3. Nc3+ Bg7 0-1",
        ] {
            assert_ne!(print_of(other), print_of(game), "for {other}");
        }
    }

    /// Databases store these hashes, so every later release must compute the same.
    #[test]
    fn fingerprints_stay_what_they_are() {
        let game = "[White \"Byrne, Donald\"]\n[Black \"Fischer\"]\n\n1. Nf3 Nf6 0-1";
        let hex: String = print_of(game).0.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, "7ff1851b1dbb530ded0e21db40a615a0");
    }

    #[test]
    fn only_what_is_selected_is_taken() {
        let games = [
            "[White \"Byrne, D.\"]\n[Black \"Fischer\"]\n[Date \"1956.10.17\"]\n[WhiteElo \"2400\"]\n\n1. e4 0-1",
            "[White \"Fischer\"]\n[Black \"Byrne, D.\"]\n[Date \"1957.??.??\"]\n[BlackElo \"2500\"]\n\n1. d4 1-0",
            "[White \"Spassky\"]\n[Black \"D. Byrne\"]\n[WhiteElo \"2600\"]\n[BlackElo \"2300\"]\n\n1. c4 1/2-1/2",
            "[White \"Fischer\"]\n[Variant \"Chess960\"]\n\n1. g4 1-0",
            "[White \"Fischer\"]\n\n*",
            "[White \"fischer\"]\n\n1. e4 e5 2. Ke3 1-0",
        ];
        let all = Selection::default();
        let change = |change: &dyn Fn(&mut Selection)| {
            let mut selection = Selection::default();
            change(&mut selection);
            selection
        };
        let player = |name| vec![Player::new(name)];
        let date = |text: &str| Some(text.parse().unwrap());
        let (white, black) = (Some(Color::White), Some(Color::Black));
        for (selection, moves) in [
            (all.clone(), &["e4", "d4", "c4", "e4 e5"][..]),
            (change(&|s| (s.players, s.color) = (player("Fischer"), white)), &["d4", "e4 e5"]),
            (change(&|s| (s.players, s.color) = (player("D. Byrne"), black)), &["d4", "c4"]),
            (change(&|s| s.since = date("1956-10-18")), &["d4"]),
            (change(&|s| s.until = date("1957-06")), &["e4", "d4"]),
            (change(&|s| s.rating = Some(2300..=u16::MAX)), &["c4"]),
            (change(&|s| s.rating = Some(0..=2599)), &[]),
            (
                change(&|s| {
                    (s.players, s.color) = (player("Fischer"), white);
                    (s.rating, s.rating_of) = (Some(2450..=u16::MAX), RatingOf::Opponent);
                }),
                &["d4"],
            ),
            (
                change(&|s| {
                    let results = [GameResult::Draw, GameResult::BlackWins];
                    s.results = results.map(WantedResult::Is).to_vec();
                }),
                &["e4", "c4"],
            ),
        ] {
            let selector = Selector::from(selection.clone());
            let is_selected = |game: &&&str| {
                selector.select(&GameInfo::read(&Game::from_bytes(game.as_bytes()))).is_some()
            };
            let taken = games.iter().filter(is_selected).filter_map(|game| read(game));
            let taken: Vec<_> = taken.map(|game| game.movetext()).collect();
            assert_eq!(taken, moves, "for {selection:?}");
        }
    }

    #[test]
    fn a_game_walks_again_as_it_was_read() {
        let game = read("1. e4 e5 2. Ke2 Ke7 3. Ke3").unwrap();
        let mut walked = Vec::new();
        game.walk(|key, m| walked.push((*key, m.map(|m| m.to_string()))));
        let moves: Vec<_> = walked.iter().filter_map(|(_, m)| m.as_deref()).collect();
        assert_eq!(moves, ["e2e4", "e7e5", "e1e2", "e8e7"]);
        assert_eq!(game.movetext(), "e4 e5 Ke2 Ke7");
        assert_eq!(read("1. Ke4"), None);
    }
}
