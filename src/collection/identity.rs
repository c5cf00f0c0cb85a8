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
        add(self.rest());
        Fingerprint::of_bytes(&content).into()
    }
}
