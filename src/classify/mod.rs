//! The verdict: which opening a game is.
//!
//! # The rule
//!
//! Play the main line from the game's own start position: the standard one, or that of its FEN tag.
//! The opening is that of the **last** position on the way that the catalogue knows, by whatever
//! moves it was reached. Positions count from after the first move on; the start position itself
//! counts only if a FEN tag sets it. The way ends
//!
//! * at ply 40, or at the length of the catalogue's longest line if that is more,
//! * at the first position with fewer than 20 pieces, or fewer than any position of the catalogue
//!   has if that is less,
//! * at the first position from which no named position can be reached any more, by the four
//!   conditions told in the catalogue's [`reach`](crate::catalogue::reach): around ply 20 in real games,
//! * at a null move, an illegal or ambiguous one, or a word that is no move,
//! * at the end of the main line.
//!
//! It never ends at a position without a name: a third of all games leave the named positions and
//! come back. With lichess's catalogue of the same date this gives the `ECO` and `Opening` that
//! lichess writes.
//!
//! Games of other variants (a `Variant` tag other than `Standard` or `From Position`) have no opening.
//! What is wrong with a game beyond the end of the way is not looked for.

mod memory;
pub mod reference;
mod verdict;

use std::borrow::Cow;

pub use verdict::{GameError, NamedAt, Verdict};

use self::memory::{From, Known, Memory, PlaceId};
use crate::{
    catalogue::{Catalogue, Left, NodeId, Word},
    chess::{Board, Chess, FenFault, MoveFault, MoveNumber, read_fen},
    pgn::{Game, MainLine, Tag, Token, decode_text},
};

/// The tags of a game that classifying and reports look at, as the file has them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Header<'a> {
    /// `White`.
    pub white: Option<Cow<'a, [u8]>>,
    /// `Black`.
    pub black: Option<Cow<'a, [u8]>>,
    /// `Result`.
    pub result: Option<Cow<'a, [u8]>>,
    /// `Date`, or `UTCDate` if there is none.
    pub date: Option<Cow<'a, [u8]>>,
    /// `FEN`.
    pub fen: Option<Cow<'a, [u8]>>,
    /// `Variant`.
    pub variant: Option<Cow<'a, [u8]>>,
    /// The first tag that is damaged.
    pub damage: Option<Tag<'a>>,
}

impl<'a> Header<'a> {
    fn read(tags: impl Iterator<Item = Tag<'a>>) -> Self {
        let mut header = Self::default();
        for tag in tags {
            header.set(tag);
        }
        header
    }

    fn set(&mut self, tag: Tag<'a>) {
        if tag.fault.is_some() {
            self.damage.get_or_insert(tag);
        }
        let field = match tag.name {
            b"White" => &mut self.white,
            b"Black" => &mut self.black,
            b"Result" => &mut self.result,
            b"FEN" => &mut self.fen,
            b"Variant" => &mut self.variant,
            b"Date" => {
                self.date = Some(tag.value());
                return;
            }
            b"UTCDate" => &mut self.date,
            _ => return,
        };
        field.get_or_insert_with(|| tag.value());
    }

    /// The variant, if it is one that is not classified.
    fn other_variant(&self) -> Option<&[u8]> {
        let variant = self.variant.as_deref()?.trim_ascii();
        let ours: [&[u8]; 4] = [b"", b"Standard", b"From Position", b"Chess"];
        (!ours.iter().any(|name| variant.eq_ignore_ascii_case(name))).then_some(variant)
    }

    /// Where the game starts: `None` for the standard position.
    fn start(&self) -> Result<Option<Chess>, FenFault> {
        match self.fen.as_deref().map(<[u8]>::trim_ascii) {
            None | Some(b"" | b"?") => Ok(None),
            Some(fen) => read_fen(fen).map(Some),
        }
    }
}

/// A game with its verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct Classified<'g, 'c> {
    /// What its tags say.
    pub header: Header<'g>,
    /// Which opening it is.
    pub verdict: Verdict<'c>,
}

/// Classifies games by a catalogue. See the [module](self) for the rule.
///
/// ```
/// use eco::{catalogue::Catalogue, classify::Classifier};
///
/// let classifier = Classifier::new(Catalogue::builtin());
/// let verdict = classifier.classify_movetext(b"1. c4 c5 2. Nf3 Nf6 3. d4 e6");
/// let named = verdict.named.expect("the line is known");
/// assert_eq!(named.opening().eco().as_str(), "A31");
/// assert_eq!((named.ply(), named.is_transposed()), (5, true));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Classifier<'c> {
    catalogue: &'c Catalogue,
}

impl<'c> Classifier<'c> {
    /// A classifier that knows what `catalogue` knows.
    #[must_use]
    pub fn new(catalogue: &'c Catalogue) -> Self {
        Self { catalogue }
    }

    /// The catalogue.
    #[must_use]
    pub fn catalogue(&self) -> &'c Catalogue {
        self.catalogue
    }

    /// The opening of one game. For many games, a [`Worker`] is faster.
    #[must_use]
    pub fn classify<'g>(&self, game: &Game<'g>) -> Classified<'g, 'c> {
        self.classify_with(game, None)
    }

    /// A worker that remembers what it has seen.
    #[must_use]
    pub fn worker(self) -> Worker<'c> {
        Worker { classifier: self, memory: Memory::default() }
    }

    fn classify_with<'g>(
        &self,
        game: &Game<'g>,
        memory: Option<&mut Memory>,
    ) -> Classified<'g, 'c> {
        let mut tags = game.tags();
        let header = Header::read(tags.by_ref());
        let mut verdict = self.verdict(&header, tags.into_main_line(), memory);
        let seems_open =
            matches!(verdict.error, None | Some(GameError::OpenComment | GameError::OpenVariation));
        if game.is_cut() && seems_open {
            verdict.error = Some(GameError::TooLong { bytes: game.bytes().len() });
        }
        Classified { header, verdict }
    }

    /// The opening of movetext without tags, from the initial position.
    #[must_use]
    pub fn classify_movetext(&self, movetext: &[u8]) -> Verdict<'c> {
        self.verdict(&Header::default(), MainLine::from_movetext(movetext), None)
    }

    /// The opening of one position, by its position alone: ply 0.
    #[must_use]
    pub fn classify_position(&self, position: &Chess) -> Option<NamedAt<'c>> {
        let mut walk = Walk::new(self.catalogue, Some(position), None);
        walk.look();
        walk.named
    }

    fn verdict(
        &self,
        header: &Header<'_>,
        main_line: MainLine<'_>,
        memory: Option<&mut Memory>,
    ) -> Verdict<'c> {
        if let Some(variant) = header.other_variant() {
            let name = decode_text(variant).into_owned();
            return Verdict { named: None, error: Some(GameError::Variant { name }) };
        }
        let start = match header.start() {
            Ok(start) => start,
            Err(fault) => return Verdict { named: None, error: Some(GameError::Fen(fault)) },
        };
        let mut walk = Walk::new(self.catalogue, start.as_ref(), memory);
        let walked = walk.play(main_line);
        let error = header.damage.map(|tag| GameError::from(&tag)).or(walked.err());
        Verdict { named: walk.named, error }
    }
}

/// A classifier for many games, one after the other: it remembers where their first moves led, in
/// a memory that is bounded. Its verdicts are those of [`Classifier::classify`].
#[derive(Debug)]
pub struct Worker<'c> {
    classifier: Classifier<'c>,
    memory: Memory,
}

impl<'c> Worker<'c> {
    /// The opening of one game.
    pub fn classify<'g>(&mut self, game: &Game<'g>) -> Classified<'g, 'c> {
        self.classifier.classify_with(game, Some(&mut self.memory))
    }
}

/// A game on its way through the catalogue.
struct Walk<'w, 'c> {
    catalogue: &'c Catalogue,
    memory: Option<&'w mut Memory>,
    place: Place,
    ply: usize,
    /// The number of the first move.
    first: MoveNumber,
    /// Whether the start position itself counts.
    counts_start: bool,
    /// The game has added to the memory what it may.
    has_learned: bool,
    named: Option<NamedAt<'c>>,
}

/// Where a game is.
enum Place {
    /// Its moves are those that a line begins with.
    OnLine(NodeId),
    /// It has left the lines, and came to where an earlier game had been.
    Known(PlaceId),
    /// It goes its own way.
    Off(Box<Known>),
}

/// Whether there is anything to be found further on.
#[derive(PartialEq, Eq)]
enum Way {
    Open,
    Over,
}

impl<'w, 'c> Walk<'w, 'c> {
    fn new(
        catalogue: &'c Catalogue,
        start: Option<&Chess>,
        memory: Option<&'w mut Memory>,
    ) -> Self {
        let mut walk = Self {
            catalogue,
            memory,
            place: Place::OnLine(NodeId::ROOT),
            ply: 0,
            first: start.map_or(MoveNumber::after(0), MoveNumber::of_next),
            counts_start: start.is_some(),
            has_learned: false,
            named: None,
        };
        let start = start.map(Board::of).filter(|board| board != catalogue.board(NodeId::ROOT));
        if let Some(board) = start {
            walk.place = Place::Off(Box::new(walk.known(board, catalogue.reachable(&board))));
        }
        walk
    }

    fn play(&mut self, main_line: MainLine<'_>) -> Result<(), GameError> {
        if self.counts_start && self.look() == Way::Over {
            return Ok(());
        }
        for token in main_line {
            match token {
                Token::Move(word) => self.step(word)?,
                Token::Result(_) => break,
                Token::OpenComment => return Err(GameError::OpenComment),
                Token::OpenVariation => return Err(GameError::OpenVariation),
            }
            if self.look() == Way::Over || self.ply == self.catalogue.depth() {
                break;
            }
        }
        Ok(())
    }

    fn step(&mut self, written: &[u8]) -> Result<(), GameError> {
        let word = Word::new(written);
        let from = match self.place {
            Place::OnLine(node) => {
                if let Some(child) = self.catalogue.follow(node, word) {
                    self.place = Place::OnLine(child);
                    self.ply += 1;
                    return Ok(());
                }
                From::Node(node)
            }
            Place::Known(place) => From::Place(place),
            Place::Off(_) => return self.step_off(written),
        };
        if let Some(place) = self.memory.as_ref().and_then(|memory| memory.recall(from, word)) {
            self.place = Place::Known(place);
            self.ply += 1;
            return Ok(());
        }
        self.step_away(from, written)
    }

    /// A move that neither a line nor the memory knows.
    fn step_away(&mut self, from: From, written: &[u8]) -> Result<(), GameError> {
        let (before, left) = match (from, &self.memory) {
            (From::Node(node), _) => (*self.catalogue.board(node), None),
            (From::Place(place), Some(memory)) => {
                let known = memory.known(place);
                (known.board, Some(known.left.clone()))
            }
            (From::Place(_), None) => unreachable!("a place is known from memory"),
        };
        let mut board = before;
        board.play(written).map_err(|fault| self.error(written, fault))?;
        self.ply += 1;
        let left = match (from, left) {
            (From::Place(_), Some(mut left)) => {
                self.catalogue.shrink(&before, &board, &mut left);
                left
            }
            (From::Place(_), None) => unreachable!("a place has its left"),
            (From::Node(node), _) => {
                // The move may be that of a line, only written in another way.
                if let Some(child) = self.catalogue.follow_to(node, &board) {
                    self.place = Place::OnLine(child);
                    return Ok(());
                }
                self.catalogue.reachable_off(node, &board)
            }
        };
        let known = self.known(board, left);
        self.place = match &mut self.memory {
            Some(memory) if !self.has_learned => {
                self.has_learned = true;
                match memory.learn(from, Word::new(written), known) {
                    Ok(place) => Place::Known(place),
                    Err(known) => Place::Off(Box::new(known)),
                }
            }
            _ => Place::Off(Box::new(known)),
        };
        Ok(())
    }

    fn step_off(&mut self, written: &[u8]) -> Result<(), GameError> {
        let Place::Off(known) = &mut self.place else { unreachable!("only called there") };
        let before = known.board;
        if let Err(fault) = known.board.play(written) {
            return Err(self.error(written, fault));
        }
        self.ply += 1;
        self.catalogue.shrink(&before, &known.board, &mut known.left);
        known.is_over = is_over(self.catalogue, &known.board, &known.left);
        known.name = name_on(self.catalogue, &known.board, known.is_over);
        Ok(())
    }

    fn known(&self, board: Board, left: Left) -> Known {
        let is_over = is_over(self.catalogue, &board, &left);
        Known { name: name_on(self.catalogue, &board, is_over), board, left, is_over }
    }

    fn error(&self, written: &[u8], fault: MoveFault) -> GameError {
        let word = decode_text(written).into_owned();
        GameError::Move { number: self.first.later(self.ply), word, fault }
    }

    /// Looks whether the position has a name, and whether any later one can have.
    fn look(&mut self) -> Way {
        let known = match &self.place {
            Place::OnLine(node) => {
                if let Some((position, is_line)) = self.catalogue.name_at(*node) {
                    self.name(position, !is_line);
                }
                return Way::Open;
            }
            Place::Known(place) => {
                self.memory.as_ref().map(|memory| memory.known(*place)).expect("it is from there")
            }
            Place::Off(known) => known,
        };
        let is_over = known.is_over;
        if let Some(position) = known.name {
            self.name(position, true);
        }
        if is_over { Way::Over } else { Way::Open }
    }

    fn name(&mut self, position: usize, by_other_moves: bool) {
        let is_transposed = self.ply > 0 && by_other_moves;
        self.named = Some(NamedAt::new(self.catalogue, position, self.ply, is_transposed));
    }
}

/// Whether nothing is to be found from here on, nor here.
fn is_over(catalogue: &Catalogue, board: &Board, left: &Left) -> bool {
    left.is_empty() || (board.occupied_count() as usize) < catalogue.pieces()
}

fn name_on(catalogue: &Catalogue, board: &Board, is_over: bool) -> Option<usize> {
    if is_over { None } else { catalogue.find(board.key()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classify(game: &str) -> (String, usize, bool, String) {
        let classifier = Classifier::new(Catalogue::builtin());
        let verdict = classifier.classify(&Game::from_bytes(game.as_bytes())).verdict;
        let error = verdict.error.map(|e| e.to_string()).unwrap_or_default();
        verdict.named.map_or((String::new(), 0, false, error.clone()), |named| {
            (named.opening().eco().to_string(), named.ply(), named.is_transposed(), error)
        })
    }

    fn verdict(
        eco: &str,
        ply: usize,
        transposed: bool,
        error: &str,
    ) -> (String, usize, bool, String) {
        (eco.to_owned(), ply, transposed, error.to_owned())
    }

    #[test]
    fn games_get_the_verdict_of_the_rule() {
        for (game, expected) in [
            ("1. e4 c5", verdict("B20", 2, false, "")),
            ("1. d4 f5 2. g3", verdict("A81", 3, false, "")),
            ("1. g3 f5 2. d4", verdict("A81", 3, true, "")),
            // The last named position wins, though the one before it has none.
            ("1. c4 d5 2. d4", verdict("D06", 3, true, "")),
            ("", verdict("", 0, false, "")),
            ("*", verdict("", 0, false, "")),
            // Damage ends the walk; what was known until then stands.
            ("1. e4 c5 2. Nf4 Nc6", verdict("B20", 2, false, "move 2. Nf4: illegal")),
            ("1. e4 c5 2. -- Nc6", verdict("B20", 2, false, "move 2. --: null move")),
            ("1. e4 c5 2. Sf3 Nc6", verdict("B20", 2, false, "move 2. Sf3: not a move")),
            ("1. e4 c5 {", verdict("B20", 2, false, "comment never closed")),
            ("1. e4 c5 (1... e5", verdict("B20", 2, false, "variation never closed")),
            ("1. e4 c5 1-0 2. Zz", verdict("B20", 2, false, "")),
            ("[White \"x\n\n1. e4 c5", verdict("B20", 2, false, "tag White: unterminated")),
            // Games with a start position of their own.
            (
                "[FEN \"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2\"]\n\n*",
                verdict("B20", 0, false, ""),
            ),
            (
                "[FEN \"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\"]\n\n2. Nf3",
                verdict("B27", 1, true, ""),
            ),
            (
                "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n1. e4 c5",
                verdict("B20", 2, false, ""),
            ),
            (
                "[FEN \"4k3/8/8/8/8/8/8/4K2x w - - 0 1\"]\n\n1. Kd1",
                verdict(
                    "",
                    0,
                    false,
                    "FEN: field 1 (placement), column 20: found 'x', expected one of \
                     PNBRQKpnbrqk, a digit 1 to 8, or /",
                ),
            ),
            (
                "[FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"]\n\n1... Nf3",
                verdict("B00", 0, false, "move 1... Nf3: illegal"),
            ),
            // Variants.
            (
                "[Variant \"Atomic\"]\n\n1. e4",
                verdict("", 0, false, "variant Atomic: not classified"),
            ),
            ("[Variant \"Chess960\"]\n", verdict("", 0, false, "variant Chess960: not classified")),
            ("[Variant \"From Position\"]\n\n1. e4 c5", verdict("B20", 2, false, "")),
            ("[Variant \"standard\"]\n\n1. e4 c5", verdict("B20", 2, false, "")),
        ] {
            assert_eq!(classify(game), expected, "for {game:?}");
        }
    }

    #[test]
    fn nothing_is_looked_for_beyond_ply_40() {
        let dance = "Nf3 Nf6 Ng1 Ng8 ".repeat(10);
        assert_eq!(classify(&format!("{dance} e4 c5 Zz")), verdict("A05", 38, true, ""));
        let shorter = "Nf3 Nf6 Ng1 Ng8 ".repeat(9);
        assert_eq!(
            classify(&format!("{shorter} e4 c5 Zz")),
            verdict("B20", 38, true, "move 20. Zz: not a move")
        );
    }

    #[test]
    fn every_built_in_line_classifies_as_itself() {
        let catalogue = Catalogue::builtin();
        let classifier = Classifier::new(catalogue);
        for line in catalogue.lines() {
            let verdict = classifier.classify_movetext(catalogue.movetext(line).as_bytes());
            let named = verdict.named.unwrap();
            assert_eq!(named.opening(), &line.opening, "{}", line.place);
            assert_eq!(named.ply(), catalogue.moves(line).len(), "{}", line.place);
            assert!(!named.is_transposed(), "{}", line.place);
        }
    }

    #[test]
    fn a_position_is_named_without_its_game() {
        let classifier = Classifier::new(Catalogue::builtin());
        let fen = b"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        let named = classifier.classify_position(&read_fen(fen).unwrap()).unwrap();
        assert_eq!(named.opening().name(), "Sicilian Defense");
        assert_eq!(classifier.classify_position(&Chess::default()), None);
    }
}
