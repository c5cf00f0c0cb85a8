//! The moves of a kept game.

use super::asked_line::AskedLine;
use crate::{
    chess::{Chess, MoveNumber, read_fen, read_move},
    classify::Header,
    collection::{GameStart, KeptGame},
    pgn::{decode_text, is_standard_chess},
};

/// The line that a game followed; `None` if it is not known where it begins.
pub(super) fn kept_line(game: &KeptGame) -> Option<AskedLine> {
    let start = match game.start() {
        GameStart::Initial => Chess::default(),
        GameStart::SetUp => read_fen(game.tag("FEN")?.trim_ascii()).ok()?,
        GameStart::Unknown => return None,
    };
    let mut line = AskedLine::new(start);
    for uci in game.moves() {
        let Some(m) = uci.to_move(line.end()) else { break };
        if !line.play(m) {
            break;
        }
    }
    Some(line)
}

/// Why a game has moves that are not on its line, if it has.
pub(super) fn why_cut(game: &KeptGame, line: Option<&AskedLine>) -> Option<String> {
    let Some(line) = line else {
        let info = game.info();
        let header = Header::read(info.tags());
        let variant = header.played_variant();
        return Some(match game.tag("FEN") {
            Some(fen) if is_standard_chess(variant) => {
                format!("no position: {}", decode_text(fen))
            }
            _ => format!("variant {}", decode_text(variant)),
        });
    };
    let word = game.rest().split(|byte| *byte == b'\n').find(|word| !word.is_empty());
    let Some(word) = word else {
        let is_cut = line.moves().len() < game.moves().count();
        return is_cut.then(|| format!("only the first {} moves are shown", line.moves().len()));
    };
    let fault = read_move(line.end(), word).err()?;
    let number = MoveNumber::next_in(line.end());
    Some(format!("move {number} {}: {fault}", decode_text(word)))
}
