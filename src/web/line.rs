//! A line, of a request, a game or a pasted text, and what was played in the position at its end:
//! what both APIs write, each in its own form.

use serde::Serialize;

use super::{answer::Fault, request::Parameters};
use crate::chess::{
    Chess, Color, EnPassantMode, Fen, Move, MoveNumber, Position, PositionKey, UciMove,
    play_as_san, read_fen, read_move,
};
use crate::classify::{Header, NamedAt, Question, QuestionFault, named_positions};
use crate::collection::{FoundGame, GameStart, KeptGame, MoveStats, PositionStats, Score};
use crate::pgn::{decode_text, is_standard_chess};
use crate::{catalogue::Catalogue, opening::Opening, quoted::Quoted};

/// The most moves of a line. The longest games have about half as many.
pub(super) const MAX_MOVES: usize = 1200;

/// A legal move of a position.
#[derive(Debug, Clone)]
pub(super) struct PlayedMove {
    pub(super) m: Move,
    pub(super) san: String,
    /// The position after it.
    pub(super) after: Chess,
}

impl PlayedMove {
    pub(super) fn new(position: &Chess, m: Move) -> Self {
        let mut after = position.clone();
        let san = play_as_san(&mut after, m).to_string();
        Self { m, san, after }
    }

    /// `None` if the position does not have the move.
    pub(super) fn from_uci(position: &Chess, uci: UciMove) -> Option<Self> {
        Some(Self::new(position, uci.to_move(position)?))
    }

    pub(super) fn uci(&self) -> UciMove {
        UciMove::from_move(self.m)
    }
}

/// The line of the parameters `fen` and `play`.
pub(super) fn line_of(parameters: &Parameters) -> Result<Question, Fault> {
    line_from(parameters.get("fen"), parameters.list("play").unwrap_or_default())
}

/// The line from a position, as [`Question`] reads it, with these moves in UCI notation.
pub(super) fn line_from<'t>(
    fen: Option<&str>,
    play: impl IntoIterator<Item = &'t str>,
) -> Result<Question, Fault> {
    let mut line =
        fen.map_or_else(|| Ok(Question::initial()), str::parse).map_err(|fault| match fault {
            QuestionFault::Fen(fault) => Fault::parameter("fen", fault),
            other => Fault::parameter("fen", other),
        })?;
    for text in play {
        let ply = line.moves().len() + 1;
        let m = read_uci(line.end(), text).ok_or_else(|| {
            let reason = match text.parse::<UciMove>() {
                Ok(_) => "illegal",
                Err(_) => "not a move in UCI notation, such as e2e4",
            };
            Fault::parameter("play", format_args!("move {ply}, {}: {reason}", Quoted(text)))
        })?;
        if ply > MAX_MOVES {
            return Err(Fault::parameter("play", format_args!("more than {MAX_MOVES} moves")));
        }
        line.push(m);
    }
    Ok(line)
}

/// The line that a game followed; `None` if it is not known where it begins.
pub(super) fn line_of_game(game: &KeptGame) -> Option<Question> {
    let mut line = match game.start() {
        GameStart::Initial => Question::initial(),
        GameStart::SetUp => Question::from_position(&read_fen(game.tag("FEN")?.trim_ascii()).ok()?),
        GameStart::Unknown => return None,
    };
    for uci in game.moves().take(MAX_MOVES) {
        let Some(m) = uci.to_move(line.end()) else { break };
        line.push(m);
    }
    Some(line)
}

/// The named positions on a line, in order. The initial position has no name.
pub(super) fn names<'c>(line: &Question, catalogue: &'c Catalogue) -> Vec<NamedAt<'c>> {
    let start = Some(line.start()).filter(|start| **start != Chess::default());
    named_positions(catalogue, start, line.moves().iter().map(|played| played.san.as_bytes()))
}

/// Why a game has moves that are not on its line, if it has.
pub(super) fn why_cut(game: &KeptGame, line: Option<&Question>) -> Option<String> {
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

/// The legal move that a text means in UCI notation. Castling may be a move of the king, `e1g1`, or
/// of the king to its rook, `e1h1`.
fn read_uci(position: &Chess, text: &str) -> Option<Move> {
    let legal = position.legal_moves();
    let is_meant = |m: &&Move| uci_king_to_rook(**m) == text;
    let uci = text.parse::<UciMove>().ok();
    let by_king = || legal.iter().find(|m| Some(UciMove::from_move(**m)) == uci);
    // King to rook is tried first, since no other move of a king takes a piece of its own.
    legal.iter().find(is_meant).or_else(by_king).copied()
}

/// A move in UCI notation, with castling as the king taking its rook: `e1h1`.
pub(super) fn uci_king_to_rook(m: Move) -> String {
    match m {
        Move::Castle { king, rook } => format!("{king}{rook}"),
        other => UciMove::from_move(other).to_string(),
    }
}

/// A position as FEN of six fields.
pub(super) fn fen_of(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// The position that a line ends in, and the games that have it.
#[derive(Clone, Copy)]
pub(super) struct CountedPosition<'a> {
    pub(super) line: &'a Question,
    pub(super) catalogue: &'a Catalogue,
    pub(super) stats: &'a PositionStats,
}

/// A move that was played in a position.
pub(super) struct CountedMove<'a> {
    pub(super) played: PlayedMove,
    pub(super) stats: &'a MoveStats,
    pub(super) opening: Option<OpeningObject<'a>>,
}

impl<'a> CountedPosition<'a> {
    /// The first moves, no more than `limit`.
    pub(super) fn moves(self, limit: usize) -> impl Iterator<Item = CountedMove<'a>> {
        self.stats.moves.iter().take(limit).filter_map(move |stats| {
            let played = PlayedMove::from_uci(self.line.end(), stats.uci)?;
            let opening = OpeningObject::of(&played.after, self.catalogue);
            Some(CountedMove { played, stats, opening })
        })
    }
}

/// The name of a position. `eco` is empty if it has no code.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct OpeningObject<'c> {
    eco: &'c str,
    name: &'c str,
    #[serde(rename = "nameEn", skip_serializing_if = "Option::is_none")]
    english: Option<&'c str>,
}

impl<'c> OpeningObject<'c> {
    pub(super) fn of(position: &Chess, catalogue: &'c Catalogue) -> Option<Self> {
        catalogue.get(&PositionKey::from(position)).map(|line| (&line.opening).into())
    }
}

impl<'c> From<&'c Opening> for OpeningObject<'c> {
    fn from(opening: &'c Opening) -> Self {
        Self { eco: opening.code(), name: opening.name(), english: opening.original_name() }
    }
}

#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct MonthObject {
    pub(super) month: String,
    #[serde(flatten)]
    pub(super) score: Score,
}

#[derive(Debug, Serialize)]
pub(super) struct PlayerObject<'a> {
    pub(super) name: &'a str,
    pub(super) rating: Option<u16>,
}

impl<'a> PlayerObject<'a> {
    pub(super) fn of(game: &'a FoundGame, color: Color) -> Self {
        let side = usize::from(color.is_black());
        Self { name: &game.names[side], rating: game.ratings[side] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str) -> Result<Question, Fault> {
        line_of(&Parameters::read(query))
    }

    #[test]
    fn castling_is_read_in_both_notations() {
        for (side, san) in [("e1g1", "O-O"), ("e1h1", "O-O"), ("e1c1", "O-O-O"), ("e1a1", "O-O-O")]
        {
            let line = read(&format!("fen=4k3/8/8/8/8/8/8/R3K2R_w_KQ_-&play={side}")).unwrap();
            assert_eq!(line.moves()[0].san, san, "for {side}");
            let m = read_uci(line.start(), side).unwrap();
            assert_eq!(uci_king_to_rook(m), if san == "O-O" { "e1h1" } else { "e1a1" });
        }
        // A king that stands on e1 with its rook on f1 cannot take it.
        assert!(read("fen=4k3/8/8/8/8/8/8/4KR2_w_-_-&play=e1f1").is_err());
    }

    #[test]
    fn what_cannot_be_played_is_named() {
        for (query, text) in [
            ("play=e2e5", "play: move 1, 'e2e5': illegal"),
            ("play=e2e4,e4", "play: move 2, 'e4': not a move in UCI notation, such as e2e4"),
            ("play=e2e4,e7e8q", "play: move 2, 'e7e8q': illegal"),
            ("fen=x", "fen: 'x': not a FEN, not moves"),
            ("fen=8/8/8/x", "fen: field 1 (placement), column 7"),
            ("fen=8/8/8/8/8/8/8/8 w - -", "fen: "),
        ] {
            let fault = read(query).unwrap_err();
            assert!(fault.text.starts_with(text), "{query}: {}", fault.text);
            assert_eq!(fault.status, 400);
        }
        let dance = "g1f3,g8f6,f3g1,f6g8,".repeat(MAX_MOVES / 4);
        assert!(read(&format!("play={dance}")).is_ok());
        let fault = read(&format!("play={dance}e2e4")).unwrap_err();
        assert_eq!(fault.text, "play: more than 1200 moves");
    }

    #[test]
    fn what_is_forgiven() {
        for fen in [
            "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6",
            "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR_w_KQkq_-_0_2",
            "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w HAha - 0 2",
        ] {
            let line = read(&format!("fen={fen}")).expect(fen);
            let names = super::names(&line, Catalogue::builtin());
            assert_eq!(names.len(), 1, "{fen}");
            assert_eq!((names[0].opening().name(), names[0].ply()), ("Sicilian Defense", 0));
        }
        let line = read("play=").unwrap();
        assert_eq!(*line.start(), Chess::default());
        assert!(names(&line, Catalogue::builtin()).is_empty());
        assert_eq!(fen_of(line.end()), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    }
}
