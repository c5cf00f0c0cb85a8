//! By what a kept game is known again.

use super::{game_id::GameId, kept_game::KeptGame};
use crate::{
    pgn::decode_text,
    select::{Fingerprint, Player, SameGame},
};

impl KeptGame {
    /// The identity that all games have in common that are the same by a rule.
    pub(crate) fn identity(&self, rule: SameGame) -> GameId {
        match rule {
            SameGame::Strict => self.id(),
            SameGame::Moves => self.identity_of_moves(),
        }
    }

    /// That of the players, whatever the spelling of their names, of the date, the start position
    /// and the moves.
    fn identity_of_moves(&self) -> GameId {
        let mut content = Vec::new();
        let mut add = |part: &[u8]| {
            content.extend_from_slice(&(part.len() as u64).to_be_bytes());
            content.extend_from_slice(part);
        };
        for color in ["White", "Black"] {
            let name = decode_text(self.tag(color).unwrap_or_default());
            add(Player::new(&name).as_str().as_bytes());
        }
        add(self.details().date.map(|date| date.to_string()).unwrap_or_default().as_bytes());
        match self.start_board() {
            Some(board) => add(board.key().to_string().as_bytes()),
            // Of another variant: nothing of it is played.
            None => {
                ["Variant", "FEN"].iter().for_each(|name| add(self.tag(name).unwrap_or_default()));
            }
        }
        add(self.codes());
        // A sign of check is no part of a move: the same content is the same game by every rule.
        let is_check = |byte: &u8| matches!(byte, b'+' | b'#');
        for word in self.rest_words() {
            let checks = word.iter().rev().take_while(|byte| is_check(byte)).count();
            add(&word[..word.len() - checks]);
        }
        Fingerprint::of_bytes(&content).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{collection::KeptGameReader, pgn::Game, select::Selection};

    #[test]
    fn games_of_one_content_are_the_same_by_every_rule() {
        let mut reader = KeptGameReader::new(Selection::default());
        let mut ids = |pgn: &str| {
            let game = reader.read(&Game::from_bytes(pgn.as_bytes())).unwrap();
            [SameGame::Strict, SameGame::Moves].map(|rule| game.identity(rule))
        };
        for (pgn, other, is_same) in [
            ("1. e4 e5 2. Ke2 *", "1. e4 e5 2. Ke2+ *", true),
            ("1. e4 e5 2. Ke3 *", "1. e4 e5 2. Ke3+ *", true),
            ("1. e4 e5 2. Ke3 Kd4# *", "1. e4 e5 2. Ke3 Kd4 *", true),
            ("1. e4 e5 2. Ke3 *", "1. e4 e5 2. Kd3 *", false),
            ("1. e4 e5 2. Ke3 *", "1. e4 e5 2. Ke3 Ke6 *", false),
        ] {
            let same = ids(pgn).into_iter().zip(ids(other)).map(|(a, b)| a == b);
            assert_eq!(same.collect::<Vec<_>>(), [is_same; 2], "{pgn} and {other}");
        }
    }
}
