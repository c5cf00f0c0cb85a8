//! The positions of a game, played as for a verdict.

use std::ops::ControlFlow;

use super::{header::Header, verdict::GameError};
use crate::chess::{Chess, Move, MoveNumber, Position, read_move};
use crate::pgn::{Game, Item, Movetext};

/// A game that was played through.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Replay {
    /// The last position; `None` if the game has no start position.
    pub last: Option<Chess>,
    /// The number of moves of both sides that were played.
    pub plies: usize,
    /// What ended the game before its end.
    pub error: Option<GameError>,
    /// The variations with a move that cannot be played, of those that were played.
    pub broken_variations: usize,
    /// The variations that were left out because they are nested too deep: more than 64 levels.
    pub skipped_variations: usize,
}

/// What is wrong with a game that was played as far as it can be: a damaged tag outranks its moves.
fn error_of(
    game: &Game<'_>,
    header: &Header<'_>,
    played: Result<(), GameError>,
) -> Option<GameError> {
    let is_cut = game.is_cut() && !matches!(played, Err(GameError::Move { .. }));
    let too_long = is_cut.then(|| GameError::TooLong { bytes: game.bytes().len() });
    header.damage.as_ref().map(GameError::from).or(too_long).or(played.err())
}

/// A position of a game, as [`replay_all`] reaches it.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Step<'s> {
    /// The moves of both sides before it; the start has none.
    pub ply: usize,
    /// The position.
    pub position: &'s Chess,
    /// The position before the last move, and that move; `None` at the start.
    pub last: Option<(&'s Chess, Move)>,
    /// 0 in the main line, 1 in a variation of it, and so on.
    pub depth: usize,
    /// The comments between the last move and the next.
    pub comments: &'s [&'s [u8]],
}

/// The depth at which variations are skipped, so that nesting takes no memory.
const MAX_DEPTH: usize = 64;

/// Plays a game from its own start position, with the variations of its moves if they are wanted,
/// and calls `visit` with every position; it may break off. The moves of a variation come after the
/// move that it replaces. The rest of a variation with a move that cannot be played is left out,
/// and counted, and so are variations in more than 64 others.
///
/// ```
/// use std::ops::ControlFlow;
/// use eco::{classify::{Variations, replay_all}, pgn::Game};
///
/// let game = Game::from_bytes(b"1. e4 {best} (1. d4 d5) e5 *");
/// let mut steps = Vec::new();
/// replay_all(&game, Variations::Played, |step| {
///     steps.push((step.ply, step.depth, step.comments.len()));
///     ControlFlow::Continue(())
/// });
/// assert_eq!(steps, [(0, 0, 0), (1, 0, 1), (1, 1, 0), (2, 1, 0), (2, 0, 0)]);
/// ```
///
/// A move that cannot be played ends the replay, with the error that a verdict would have.
///
/// ```
/// use std::ops::ControlFlow;
/// use eco::{chess::{EnPassantMode, Fen}, pgn::Game};
/// use eco::classify::{Variations, replay_all};
///
/// let game = Game::from_bytes(b"1. e4 e5 2. Nf6 *");
/// let replayed = replay_all(&game, Variations::Skipped, |_| ControlFlow::Continue(()));
/// assert_eq!(replayed.plies, 2);
/// assert_eq!(replayed.error.unwrap().to_string(), "move 2. Nf6: illegal");
/// let fen = Fen::from_position(&replayed.last.unwrap(), EnPassantMode::Legal);
/// assert_eq!(fen.to_string(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
/// ```
pub fn replay_all(
    game: &Game<'_>,
    variations: Variations,
    visit: impl FnMut(&Step<'_>) -> ControlFlow<()>,
) -> Replay {
    let (mut header, mut tags) = (Header::default(), game.tags());
    tags.visit(&mut header);
    let start = match header.start() {
        Ok(start) => start.unwrap_or_default(),
        Err(error) => return Replay { error: Some(error), ..Replay::default() },
    };
    let mut walker = Walker {
        at: Branch { position: start, last: None, ply: 0, is_over: false },
        stack: Vec::new(),
        skipped: 0,
        variations,
        is_pending: true,
        comments: Vec::new(),
        replay: Replay::default(),
        visit,
    };
    let played = walker.play(tags.into_movetext());
    let error = error_of(game, &header, played);
    let Branch { position, ply, .. } = walker.stack.into_iter().next().unwrap_or(walker.at);
    Replay { last: Some(position), plies: ply, error, ..walker.replay }
}

/// Whether variations are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variations {
    /// Only the main line is played.
    Skipped,
    /// They are played too.
    Played,
}

/// A place in a line, from which a variation may branch off.
#[derive(Debug, Clone)]
struct Branch {
    position: Chess,
    last: Option<(Chess, Move)>,
    ply: usize,
    /// A move of the variation could not be played.
    is_over: bool,
}

/// Plays a movetext with its variations.
struct Walker<'g, V> {
    at: Branch,
    /// The lines that the open variations branch off from.
    stack: Vec<Branch>,
    /// The open variations that are skipped.
    skipped: usize,
    variations: Variations,
    /// Whether the position has not been visited yet, because comments may follow.
    is_pending: bool,
    comments: Vec<&'g [u8]>,
    /// The variations that were broken and left out so far.
    replay: Replay,
    visit: V,
}

impl<'g, V: FnMut(&Step<'_>) -> ControlFlow<()>> Walker<'g, V> {
    fn play(&mut self, movetext: Movetext<'g>) -> Result<(), GameError> {
        for item in movetext {
            let flow = match item {
                Item::Move(word) if self.skipped == 0 && !self.at.is_over => {
                    let flow = self.visit_pending();
                    if flow.is_continue() {
                        self.make_move(word)?;
                    }
                    flow
                }
                Item::Comment(text) if self.skipped == 0 && self.is_pending => {
                    self.comments.push(text);
                    ControlFlow::Continue(())
                }
                Item::Open => self.open(),
                Item::Close => self.close(),
                Item::Result(_) if self.stack.is_empty() && self.skipped == 0 => break,
                Item::OpenComment | Item::OpenVariation => {
                    let is_done = self.visit_pending().is_break();
                    let comment = item == Item::OpenComment;
                    let error =
                        if comment { GameError::OpenComment } else { GameError::OpenVariation };
                    return if is_done { Ok(()) } else { Err(error) };
                }
                _ => ControlFlow::Continue(()),
            };
            if flow.is_break() {
                return Ok(());
            }
        }
        let _ = self.visit_pending();
        Ok(())
    }

    fn visit_pending(&mut self) -> ControlFlow<()> {
        if !std::mem::take(&mut self.is_pending) {
            return ControlFlow::Continue(());
        }
        let Branch { position, last, ply, .. } = &self.at;
        let flow = (self.visit)(&Step {
            ply: *ply,
            position,
            last: last.as_ref().map(|(before, m)| (before, *m)),
            depth: self.stack.len(),
            comments: &self.comments,
        });
        self.comments.clear();
        flow
    }

    fn make_move(&mut self, word: &[u8]) -> Result<(), GameError> {
        let position = &self.at.position;
        match read_move(position, word) {
            Ok(m) => {
                let before = position.clone();
                self.at.position.play_unchecked(m);
                self.at.last = Some((before, m));
                self.at.ply += 1;
                self.is_pending = true;
                Ok(())
            }
            Err(fault) if self.stack.is_empty() => {
                Err(GameError::bad_move(MoveNumber::next_in(position), word, fault))
            }
            Err(_) => {
                self.at.is_over = true;
                self.replay.broken_variations += 1;
                Ok(())
            }
        }
    }

    /// Goes into a variation: back before the last move.
    fn open(&mut self) -> ControlFlow<()> {
        if self.skipped > 0
            || self.variations == Variations::Skipped
            || self.stack.len() == MAX_DEPTH
        {
            self.skipped += 1;
            self.replay.skipped_variations += usize::from(self.variations == Variations::Played);
            return ControlFlow::Continue(());
        }
        let flow = self.visit_pending();
        self.stack.push(self.at.clone());
        match self.at.last.take() {
            Some((before, _)) => {
                self.at.position = before;
                self.at.ply -= 1;
            }
            // Nothing comes before a first move.
            None => self.at.is_over = true,
        }
        flow
    }

    fn close(&mut self) -> ControlFlow<()> {
        if self.skipped > 0 {
            self.skipped -= 1;
            return ControlFlow::Continue(());
        }
        let flow = self.visit_pending();
        if let Some(branch) = self.stack.pop() {
            self.at = branch;
        }
        flow
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Token;

    fn steps(movetext: &str, variations: Variations) -> (Vec<String>, Replay) {
        let mut steps = Vec::new();
        let replayed = replay_all(&Game::from_bytes(movetext.as_bytes()), variations, |step| {
            let m = step.last.map_or_else(String::new, |(before, m)| {
                crate::chess::San::from_move(before, m).to_string()
            });
            steps.push(format!("{}{m}{}", ">".repeat(step.depth), "!".repeat(step.comments.len())));
            ControlFlow::Continue(())
        });
        (steps, replayed)
    }

    #[test]
    fn variations_branch_off_before_the_move_that_they_replace() {
        let text = "1. e4 {a} (1. d4 d5 (1... Nf6 {b}) 2. c4) (1. c4) e5 2. Nf3 (2. Zz Nc3) Nc6 *";
        let (all, replayed) = steps(text, Variations::Played);
        let expected = ["", "e4!", ">d4", ">d5", ">>Nf6!", ">c4", ">c4", "e5", "Nf3", "Nc6"];
        assert_eq!(all, expected);
        assert_eq!((replayed.plies, replayed.broken_variations), (4, 1));
        assert_eq!(replayed.error, None);
        let (main, skipped) = steps(text, Variations::Skipped);
        assert_eq!(main, ["", "e4!", "e5", "Nf3", "Nc6"]);
        assert_eq!(skipped.last, replayed.last);
    }

    #[test]
    fn variations_that_are_too_deep_are_counted() {
        for (depth, skipped) in [(MAX_DEPTH, 0), (MAX_DEPTH + 1, 1), (MAX_DEPTH + 9, 9)] {
            let text = format!("1. e4 {}{} e5 *", "(1. d4 ".repeat(depth), ")".repeat(depth));
            let (steps, replayed) = self::steps(&text, Variations::Played);
            assert_eq!((replayed.plies, replayed.skipped_variations), (2, skipped), "{depth}");
            assert_eq!(steps.len(), 3 + depth - skipped, "{depth}");
            assert_eq!(self::steps(&text, Variations::Skipped).1.skipped_variations, 0);
        }
    }

    /// The obvious implementation, for the main line alone.
    fn replay_plainly(game: &Game<'_>) -> Replay {
        let mut header = Header::default();
        let main_line = game.tags().visit(&mut header);
        let mut replay = Replay::default();
        let mut position = header.start().unwrap().unwrap_or_default();
        let play = || {
            for token in main_line {
                let written = match token {
                    Token::Move(written) => written,
                    Token::Result(_) => break,
                    Token::OpenComment => return Err(GameError::OpenComment),
                    Token::OpenVariation => return Err(GameError::OpenVariation),
                };
                let number = MoveNumber::next_in(&position);
                let m = read_move(&position, written)
                    .map_err(|fault| GameError::bad_move(number, written, fault))?;
                position.play_unchecked(m);
                replay.plies += 1;
            }
            Ok(())
        };
        let played = play();
        Replay { last: Some(position), error: error_of(game, &header, played), ..replay }
    }

    #[test]
    fn the_main_line_is_that_of_the_plain_replay() {
        for text in [
            "1. e4 e5 2. Nf6 *",
            "1. e4 (1. d4",
            "1. e4 {",
            "(1. e4) 1. d4 d5 ) 2. c4 1-0 e6",
            &format!("1. e4 {} e5", "(".repeat(100_000)),
            &format!("1. e4 {}{} e5", "(".repeat(1000), ")".repeat(1000)),
        ] {
            let game = Game::from_bytes(text.as_bytes());
            let plain = replay_plainly(&game);
            for variations in [Variations::Skipped, Variations::Played] {
                let all = replay_all(&game, variations, |_| ControlFlow::Continue(()));
                let short = &text[..text.len().min(40)];
                assert_eq!((&all.last, all.plies), (&plain.last, plain.plies), "{short}");
                assert_eq!(all.error, plain.error, "{short}");
            }
        }
    }
}
