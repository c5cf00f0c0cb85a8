//! Positions, moves and FEN: the door to `shakmaty`, which knows the rules of chess.
//!
//! This room adds the [`PositionKey`], the reading of FEN and EPD ([`fen`],
//! [`epd`]), the reading of moves as files and as people write them ([`read_move`],
//! [`read_typed`]), and messages that say what is wrong with any of these, and where. It knows
//! nothing of PGN, openings or files.
//!
//! Positions, moves, squares and roles are those of [`shakmaty`], whose version is part of the
//! public interface of this crate.

mod board;
pub mod epd;
pub mod fen;
mod key;
mod notation;
mod packed_san;
mod san;
mod typed;
mod uci;

pub(crate) use board::Board;
pub(crate) use board::CodedBoard;
pub use epd::Epd;
pub use fen::{FaultClass, FaultKind, Fen, FenFault, FenReading, Forgiven, read_fen};
pub use key::{ParseKeyError, PositionKey, polyglot_hash};
pub(crate) use notation::movetext;
pub use notation::{MoveNumber, end_name, long_algebraic, piece_name};
pub(crate) use packed_san::PackedSan;
pub use san::{MoveFault, read_move};
pub(crate) use san::{starts_with_figurine, without_checks};
pub use shakmaty::{
    self, Bitboard, CastlingSide, Chess, Color, EnPassantMode, File, Move, Piece, Position, Rank,
    Role, Square,
    san::{San, SanPlus},
};
pub use typed::{CastlingFault, Language, ParseLanguageError, TypedFault, read_typed};
pub use uci::{ParseUciError, UciMove};

/// Plays the legal move `m` and returns it as SAN with its sign of check or mate.
pub(crate) fn play_as_san(position: &mut Chess, m: Move) -> SanPlus {
    SanPlus::from_move_and_play_unchecked(position, m)
}

/// Implements `serde` for a type by its `Display` and `FromStr`.
macro_rules! serde_as_text {
    ($name:ty) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text =
                    <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(crate) use serde_as_text;

serde_as_text!(Fen);
serde_as_text!(PositionKey);
serde_as_text!(UciMove);

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use serde::{Serialize, de::DeserializeOwned};

    use super::*;
    use crate::opening::EcoCode;

    fn is_json_text<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, text: &str) {
        let json = serde_json::to_string(value).unwrap();
        assert_eq!(json, format!("\"{text}\""));
        assert_eq!(serde_json::from_str::<T>(&json).unwrap(), *value);
    }

    #[test]
    fn keys_moves_and_codes_are_text_in_json() {
        let fen: Fen = "4k3/8/8/8/8/8/8/4K2R w K - 3 7".parse().unwrap();
        is_json_text(&fen, "4k3/8/8/8/8/8/8/4K2R w K - 3 7");
        is_json_text(&fen.key(), "4k3/8/8/8/8/8/8/4K2R w K -");
        is_json_text(&"e1g1".parse::<UciMove>().unwrap(), "e1g1");
        is_json_text(&"B90a".parse::<EcoCode>().unwrap(), "B90a");
        let fault = serde_json::from_str::<PositionKey>("\"8/8 w - -\"").unwrap_err();
        assert!(fault.to_string().starts_with("not a position key: '8/8 w - -'"), "{fault}");
    }
}
