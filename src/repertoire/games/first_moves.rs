//! The first moves of a game, and the hash of its content.

use std::borrow::Cow;

use super::{played_game::PlayedGame, tags::GameTags};
use crate::{
    chess::{Board, Chess, Color, EnPassantMode, Fen},
    classify::Header,
    pgn::{MainLine, Token, decode_text},
    select::{Content, GameResult},
};

/// The first moves of a game, and all its words.
pub(super) struct FirstMoves {
    board: Board,
    max_ply: usize,
    pub(super) codes: Vec<u8>,
    content: Content,
    pub(super) result: GameResult,
    pub(super) is_broken: bool,
}

impl FirstMoves {
    pub(super) fn new(start: Option<&Chess>, max_ply: usize) -> Self {
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
    pub(super) fn play(&mut self, line: MainLine<'_>) {
        for token in line {
            match token {
                Token::Move(word) => {
                    self.content.add_move(word);
                    if self.codes.len() < self.max_ply && !self.is_broken {
                        self.step(word);
                    }
                }
                Token::Result(result) => self.result = GameResult::read(result),
                Token::OpenComment | Token::OpenVariation => self.is_broken = true,
            }
        }
    }

    fn step(&mut self, word: &[u8]) {
        match self.board.play_to_code(word) {
            Ok(Some(code)) => self.codes.push(code),
            _ => self.is_broken = true,
        }
    }

    pub(super) fn into_game(
        mut self,
        tags: &GameTags<'_>,
        start: Option<&Chess>,
        result: GameResult,
    ) -> PlayedGame {
        let start = start.filter(|start| Board::from_position(start) != Board::default());
        let start = start.map(|start| Fen::from_position(start, EnPassantMode::Legal));
        let Header { white, black, .. } = &tags.header;
        let [white, black] = [white, black].map(|value| known_text(value.as_deref()).into_owned());
        let site = known_text(tags.info.tag("Site").as_deref()).into_owned();
        let fingerprint = self.content.fingerprint(&tags.info, result, start.as_ref());
        PlayedGame {
            fingerprint,
            white,
            black,
            white_rating: tags.rating(Color::White),
            black_rating: tags.rating(Color::Black),
            date: tags.date(),
            played_at: tags.info.played_at(),
            result,
            site,
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
