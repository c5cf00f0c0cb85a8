//! The positions of a game, played as for a verdict.

use std::ops::ControlFlow;

use super::{error::GameError, header::Header};
use crate::{
    chess::{Chess, MoveNumber, Position, read_move},
    pgn::{Game, MainLine, Token},
};

/// A game that was played through.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Replay {
    /// The last position; `None` if the game has no start position.
    pub last: Option<Chess>,
    /// The number of moves of both sides that were played.
    pub plies: usize,
    /// What ended the game before its end.
    pub error: Option<GameError>,
}

/// Plays the main line of a game from its own start position, and calls `visit` with the ply of
/// every position and the position; the start has ply 0. `visit` may break off.
///
/// A move that cannot be played ends the replay, with the error that a verdict would have.
///
/// ```
/// use std::ops::ControlFlow;
/// use eco::{chess::{EnPassantMode, Fen}, classify::replay, pgn::Game};
///
/// let game = Game::from_bytes(b"1. e4 e5 2. Nf6 *");
/// let replayed = replay(&game, |_, _| ControlFlow::Continue(()));
/// assert_eq!(replayed.plies, 2);
/// assert_eq!(replayed.error.unwrap().to_string(), "move 2. Nf6: illegal");
/// let fen = Fen::from_position(&replayed.last.unwrap(), EnPassantMode::Legal);
/// assert_eq!(fen.to_string(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
/// ```
pub fn replay(game: &Game<'_>, mut visit: impl FnMut(usize, &Chess) -> ControlFlow<()>) -> Replay {
    let mut tags = game.tags();
    let header = Header::read_all(&mut tags);
    let mut position = match header.start() {
        Ok(start) => start.unwrap_or_default(),
        Err(error) => return Replay { last: None, plies: 0, error: Some(error) },
    };
    let mut plies = 0;
    let played = play(&mut position, &mut plies, tags.into_main_line(), &mut visit);
    let is_cut = game.is_cut() && !matches!(played, Err(GameError::Move { .. }));
    let played =
        if is_cut { Err(GameError::TooLong { bytes: game.bytes().len() }) } else { played };
    let damage = header.damage.map(|tag| GameError::from(&tag));
    Replay { last: Some(position), plies, error: damage.or(played.err()) }
}

fn play(
    position: &mut Chess,
    plies: &mut usize,
    main_line: MainLine<'_>,
    visit: &mut dyn FnMut(usize, &Chess) -> ControlFlow<()>,
) -> Result<(), GameError> {
    if visit(0, position).is_break() {
        return Ok(());
    }
    for token in main_line {
        let written = match token {
            Token::Move(written) => written,
            Token::Result(_) => break,
            Token::OpenComment => return Err(GameError::OpenComment),
            Token::OpenVariation => return Err(GameError::OpenVariation),
        };
        let m = read_move(position, written)
            .map_err(|fault| GameError::bad_move(MoveNumber::next_in(position), written, fault))?;
        position.play_unchecked(m);
        *plies += 1;
        if visit(*plies, position).is_break() {
            break;
        }
    }
    Ok(())
}
