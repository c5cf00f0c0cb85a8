//! The first moves of a game, and the hash of its content.

use sha2::{Digest, Sha256};

use super::{
    played_game::{Fingerprint, PlayedGame},
    tags::GameTags,
};
use crate::{
    chess::{Board, Chess, Color, EnPassantMode, Fen, PositionKey, UciMove},
    classify::Header,
    pgn::{MainLine, Token, decode_text},
    select::GameResult,
};

/// The first moves of a game, and all its words.
pub(super) struct FirstMoves {
    board: Board,
    max_ply: usize,
    pub(super) plies: usize,
    moves: String,
    content: Sha256,
    pub(super) result: GameResult,
    pub(super) is_broken: bool,
}

impl FirstMoves {
    pub(super) fn new(start: Option<&Chess>, max_ply: usize) -> Self {
        Self {
            board: start.map_or_else(Board::default, Board::from_position),
            max_ply,
            plies: 0,
            moves: String::new(),
            content: Sha256::new(),
            result: GameResult::Unknown,
            is_broken: false,
        }
    }

    /// Calls `visit` with each position and the move played there, and with the last one without.
    pub(super) fn play(
        &mut self,
        line: MainLine<'_>,
        mut visit: impl FnMut(&PositionKey, Option<UciMove>),
    ) {
        for token in line {
            match token {
                Token::Move(word) => {
                    let checks = word.iter().rev().take_while(|b| matches!(b, b'+' | b'#')).count();
                    self.content.update(&word[..word.len() - checks]);
                    self.content.update(b" ");
                    if self.plies < self.max_ply && !self.is_broken {
                        self.step(word, &mut visit);
                    }
                }
                Token::Result(result) => self.result = GameResult::read(result),
                Token::OpenComment | Token::OpenVariation => self.is_broken = true,
            }
        }
        visit(self.board.key(), None);
    }

    fn step(&mut self, word: &[u8], visit: &mut impl FnMut(&PositionKey, Option<UciMove>)) {
        let before = *self.board.key();
        if self.board.play(word).is_err() {
            self.is_broken = true;
            return;
        }
        visit(&before, UciMove::between(&before, self.board.key()));
        if self.plies > 0 {
            self.moves.push(' ');
        }
        self.moves.push_str(&decode_text(word));
        self.plies += 1;
    }

    pub(super) fn into_game(
        mut self,
        tags: &GameTags<'_>,
        start: Option<&Chess>,
        result: GameResult,
    ) -> PlayedGame {
        let start = start.filter(|start| Board::from_position(start) != Board::default());
        let start = start.map(|start| Fen::from_position(start, EnPassantMode::Legal));
        let Header { white, black, date, .. } = &tags.header;
        let [white, black, date] = [white, black, date].map(|value| text(value.as_deref()));
        let others = [tags.info.tag("Site"), tags.info.tag("Round"), tags.time()];
        let [site, round, time] = others.map(|value| text(value.as_deref()));
        let start_text = start.as_ref().map(ToString::to_string).unwrap_or_default();
        for value in [&white, &black, &date, &site, &round, &time, result.as_str(), &start_text] {
            self.content.update(b"\n");
            self.content.update(value);
        }
        let digest = self.content.finalize();
        PlayedGame {
            fingerprint: Fingerprint(std::array::from_fn(|n| digest[n])),
            white,
            black,
            white_rating: tags.rating(Color::White),
            black_rating: tags.rating(Color::Black),
            date: tags.date(),
            result,
            site,
            start,
            moves: self.moves,
            plies: self.plies,
        }
    }
}

fn text(value: Option<&[u8]>) -> String {
    let text = decode_text(value.unwrap_or_default());
    // The PGN standard's marks of unknown values.
    if text.trim() == "?" { String::new() } else { text.trim().to_owned() }
}
