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
//! * at a null move, an illegal or ambiguous one, or a word that is no move,
//! * at the end of the main line.
//!
//! Where the master that decides at a position has several lines to it, the one that the game
//! followed gives the name, or else the first.
//!
//! It never ends at a position without a name: a third of all games leave the named positions and
//! come back. With lichess's catalogue of the same date this gives the `ECO` and `Opening` that
//! lichess writes.
//!
//! Games of other variants (a `Variant` tag other than `Standard` or `From Position`) have no opening.
//! What is wrong with a game beyond the end of the way is not looked for.
//!
//! # Why it may end early
//!
//! A [`Classifier`] does not go all this way: it ends as soon as no other name can come any more. That
//! changes no verdict but for errors behind that point, which are not told;
//! [`Classifier::to_the_limits`] finds them.
//!
//! Some things in chess only ever become less. From move to move, in every legal game,
//!
//! * a pawn that has left the rank where it began, or was taken there, never stands there again: no
//!   pawn moves backwards, none appears, and none can come from behind, since positions with pawns on
//!   the first or last rank are no positions (FENs and keys with such are refused). So the set of squares of the second rank with a white
//!   pawn, and of the seventh with a black one, only shrinks: 16 bits that go from 1 to 0 and never
//!   back;
//! * a right to castle never returns. So whether White may castle at all, and whether Black may, are
//!   two more such bits;
//! * the number of pieces on the board, pawns and kings among them, never grows: a capture takes one
//!   away, and a promotion puts a piece in the place of a pawn.
//!
//! Write `R(P)` for the set of those of the 18 bits that are 1 in the position `P`, and `n(P)` for its
//! number of pieces. If the position `T` can be reached from `P` by legal moves (or is `P`), then `R(T)`
//! is a subset of `R(P)`, and `n(T) <= n(P)`. So if no named position `T` fulfils both, none will be
//! reached however the game goes on; the last name stands, and with it the ply and whether it was
//! reached by transposition. Nothing of that depends on how the game began: it holds from any FEN.
//!
//! Both conditions are necessary, not sufficient: a game is often played on for some moves though its
//! name is decided. In return they are looked up at once. A table has for each of the 2^18 sets the
//! fewest pieces of a named position that needs no more than this set. For a set that is exactly that of
//! some named positions it begins with the fewest pieces of these; then, one bit after the other, each
//! set with the bit gets the lesser of its own number and that of the set without the bit, so that in
//! the end it is the least of all its subsets. A position is decided if it has fewer pieces than its
//! set's number. The reference classifier compares with all named positions, one by one.
//!
//! Master games are decided after 23 plies on average instead of 40.

mod lookup;
pub mod reference;
mod replay;
mod trace;
mod verdict;
mod verify;

use std::borrow::Cow;

pub use lookup::{Continuation, Lookup, Question, QuestionFault, lookup};
pub use replay::{Replay, replay};
pub use trace::{PlayedMove, Trace};
pub use verdict::{GameError, NamedAt, Verdict};
pub use verify::{Verification, verify};

use crate::{
    catalogue::{Catalogue, Horizon, NodeId, Stop},
    chess::{Board, Chess, MoveNumber, PackedSan, read_fen},
    pgn::{Game, MainLine, Tag, Tags, Token, WordsAhead, decode_text},
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
    /// What these tags of a game say.
    #[must_use]
    pub fn read(tags: impl Iterator<Item = Tag<'a>>) -> Self {
        let mut header = Self::default();
        for tag in tags {
            header.set(&tag, Tag::value);
        }
        header
    }

    /// What the tags of a game say; none are left then.
    pub(crate) fn read_all(tags: &mut Tags<'a>) -> Self {
        let mut header = Self::default();
        header.add_usual(tags, |_| ());
        for tag in tags {
            header.set(&tag, Tag::value);
        }
        header
    }

    #[inline(always)]
    fn set(&mut self, tag: &Tag<'a>, value: impl FnOnce(&Tag<'a>) -> Cow<'a, [u8]>) {
        if tag.fault.is_some() {
            self.damage.get_or_insert(*tag);
        }
        let field = match tag.name {
            b"White" => &mut self.white,
            b"Black" => &mut self.black,
            b"Result" => &mut self.result,
            b"FEN" => &mut self.fen,
            b"Variant" => &mut self.variant,
            b"Date" => {
                self.date = Some(value(tag));
                return;
            }
            b"UTCDate" => &mut self.date,
            _ => return,
        };
        field.get_or_insert_with(|| value(tag));
    }

    /// Adds what the tags of a game say as far as they are written as [nearly all are](Tags::each_usual);
    /// `each` is given these tags too.
    #[inline]
    pub(crate) fn add_usual(&mut self, tags: &mut Tags<'a>, mut each: impl FnMut(&Tag<'a>)) {
        tags.each_usual(|tag| {
            self.set(&tag, |tag| Cow::Borrowed(tag.raw_value));
            each(&tag);
        });
    }

    /// The variant, if it is one that is not classified.
    fn other_variant(&self) -> Option<&[u8]> {
        let variant = self.variant.as_deref()?.trim_ascii();
        let ours: [&[u8]; 4] = [b"", b"Standard", b"From Position", b"Chess"];
        (!ours.iter().any(|name| variant.eq_ignore_ascii_case(name))).then_some(variant)
    }

    /// Where the game starts: `None` for the standard position.
    ///
    /// # Errors
    ///
    /// If it is a game of another variant, or its FEN is no position.
    pub(crate) fn start(&self) -> Result<Option<Chess>, GameError> {
        if let Some(variant) = self.other_variant() {
            return Err(GameError::Variant { name: decode_text(variant).into_owned() });
        }
        match self.fen.as_deref().map(<[u8]>::trim_ascii) {
            None | Some(b"" | b"?") => Ok(None),
            Some(fen) => read_fen(fen).map(Some).map_err(GameError::Fen),
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
    extent: Extent,
}

/// How far games are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// While another name can still come.
    Name,
    /// As far as the rule goes.
    Limits,
}

impl<'c> Classifier<'c> {
    /// A classifier that knows what `catalogue` knows.
    #[must_use]
    pub fn new(catalogue: &'c Catalogue) -> Self {
        Self { catalogue, extent: Extent::Name }
    }

    /// A classifier that plays every game as far as the [rule](self) goes, also where no other name can
    /// come [any more](self#why-it-may-end-early). It gives the same names, finds more of what is wrong
    /// with games, and takes longer.
    #[must_use]
    pub fn to_the_limits(self) -> Self {
        Self { extent: Extent::Limits, ..self }
    }

    /// The catalogue.
    #[must_use]
    pub fn catalogue(&self) -> &'c Catalogue {
        self.catalogue
    }

    /// The opening of one game.
    #[must_use]
    #[inline]
    pub fn classify<'g>(&self, game: &Game<'g>) -> Classified<'g, 'c> {
        let mut tags = game.tags();
        let header = Header::read_all(&mut tags);
        self.classify_read(game, header, tags.into_main_line())
    }

    /// The opening of a game of which the tags are read already.
    #[must_use]
    #[inline]
    pub fn classify_read<'g>(
        &self,
        game: &Game<'g>,
        header: Header<'g>,
        main_line: MainLine<'_>,
    ) -> Classified<'g, 'c> {
        let mut verdict = self.verdict(&header, main_line);
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
        self.verdict(&Header::default(), MainLine::from_movetext(movetext))
    }

    /// The opening of one position, by its position alone: ply 0.
    #[must_use]
    pub fn classify_position(&self, position: &Chess) -> Option<NamedAt<'c>> {
        let walk = Walk::new(self.catalogue, Some(position), self.extent);
        walk.name_here()
    }

    fn verdict(&self, header: &Header<'_>, main_line: MainLine<'_>) -> Verdict<'c> {
        let mut walk = match self.begin(header) {
            Ok(walk) => walk,
            Err(error) => return Verdict { named: None, error: Some(error) },
        };
        let walked = walk.play(main_line);
        let error = header.damage.map(|tag| GameError::from(&tag)).or(walked.err());
        Verdict { named: walk.named, error }
    }

    /// A game at its start, unless it is not classified at all.
    #[inline]
    fn begin(&self, header: &Header<'_>) -> Result<Walk<'c>, GameError> {
        // Most games say neither, and what they would say takes some room to pass on.
        if header.fen.is_none() && header.variant.is_none() {
            return Ok(Walk::new(self.catalogue, None, self.extent));
        }
        Ok(Walk::new(self.catalogue, header.start()?.as_ref(), self.extent))
    }
}

/// A game on its way through the catalogue.
struct Walk<'c> {
    catalogue: &'c Catalogue,
    place: Place,
    ply: usize,
    extent: Extent,
    /// The number of the first move.
    first: MoveNumber,
    /// Whether the start position itself counts.
    counts_start: bool,
    named: Option<NamedAt<'c>>,
}

/// Where a game is.
enum Place {
    /// Its moves are those that a line begins with.
    OnLine(NodeId),
    /// It goes its own way.
    Off(Board),
}

/// Whether there is anything to be found further on.
#[derive(PartialEq, Eq)]
enum Way {
    Open,
    Over,
}

/// Where the way of a game ends that is off the lines.
#[derive(Clone, Copy)]
enum Limit<'c> {
    /// Where no other name can come.
    Decided(&'c Horizon),
    /// Where there are fewer pieces.
    Pieces(usize),
}

impl<'c> Limit<'c> {
    fn of(catalogue: &'c Catalogue, extent: Extent) -> Self {
        match extent {
            Extent::Name => Self::Decided(catalogue.horizon()),
            Extent::Limits => Self::Pieces(catalogue.pieces()),
        }
    }

    /// Whether a position is so far on that its name does not matter, nor anything later.
    #[inline(always)]
    fn is_behind(&self, board: &Board) -> bool {
        match self {
            Self::Decided(horizon) => horizon.is_behind(board),
            Self::Pieces(fewest) => board.piece_count() < *fewest,
        }
    }
}

impl<'c> Walk<'c> {
    #[inline]
    fn new(catalogue: &'c Catalogue, start: Option<&Chess>, extent: Extent) -> Self {
        let off =
            start.map(Board::from_position).filter(|board| board != catalogue.board(NodeId::ROOT));
        Self {
            catalogue,
            place: off.map_or(Place::OnLine(NodeId::ROOT), Place::Off),
            ply: 0,
            extent,
            first: start.map_or(MoveNumber::after(0), MoveNumber::next_in),
            counts_start: start.is_some(),
            named: None,
        }
    }

    fn play(&mut self, mut main_line: MainLine<'_>) -> Result<(), GameError> {
        if self.counts_start && self.look() == Way::Over {
            return Ok(());
        }
        let mut ahead = WordsAhead::new();
        let mut count = WordsAhead::MAX;
        loop {
            let wanted = count.min(self.catalogue.depth() - self.ply);
            let (words, behind) = main_line.usual_words(&mut ahead, wanted);
            let (played, way) = self.play_words(words);
            if way == Way::Over || self.ply == self.catalogue.depth() {
                return Ok(());
            }
            if played == wanted {
                main_line = behind;
                count = WordsAhead::MAX;
                continue;
            }
            // Seldom, so that reading again is less than telling where each word ends.
            let is_all = played == words.len();
            main_line = if is_all { behind } else { main_line.usual_words(&mut ahead, played).1 };
            // Where moves are written in another way, all ahead would be read in vain.
            count = if played == 0 { 1 } else { WordsAhead::MAX };
            match main_line.next() {
                Some(Token::Move(written)) => self.step(written)?,
                Some(Token::OpenComment) => return Err(GameError::OpenComment),
                Some(Token::OpenVariation) => return Err(GameError::OpenVariation),
                Some(Token::Result(_)) | None => return Ok(()),
            }
            if self.look() == Way::Over {
                return Ok(());
            }
        }
    }

    /// Plays words as long as they can be played in the usual way; how many that were. They lead no
    /// further than games are looked at.
    #[inline(always)]
    fn play_words(&mut self, words: &[PackedSan]) -> (usize, Way) {
        let mut played = 0;
        while let Place::OnLine(_) = self.place {
            played += self.follow_words(&words[played..]);
            let Some(word) = words.get(played) else { break };
            if !self.leave_by_word(*word) {
                return (played, Way::Open);
            }
            played += 1;
            if self.look() == Way::Over {
                return (played, Way::Over);
            }
        }
        let (played_off, way) = self.play_words_off(&words[played..]);
        (played + played_off, way)
    }

    /// Plays words as long as a line goes on with them; how many that were.
    #[inline(always)]
    fn follow_words(&mut self, words: &[PackedSan]) -> usize {
        let Place::OnLine(node) = self.place else { return 0 };
        let mut stop = self.catalogue.stop(node);
        let mut played = 0;
        let mut named = None;
        for word in words {
            let Some(next) = self.catalogue.follow(stop, *word) else { break };
            stop = next;
            played += 1;
            if stop.is_named() {
                named = Some((stop, played));
            }
        }
        self.place = Place::OnLine(stop.id());
        if let Some((stop, played)) = named {
            self.named = name_on_line(self.catalogue, stop, self.ply + played);
        }
        self.ply += played;
        played
    }

    /// Plays a move of a game on a line with which no line goes on in these words.
    #[inline(never)]
    fn leave_by_word(&mut self, word: PackedSan) -> bool {
        let Place::OnLine(node) = self.place else { return false };
        let mut board = *self.catalogue.board(node);
        let is_played = board.play_packed(word).is_some();
        if is_played {
            self.leave_line(node, board);
            self.ply += 1;
        }
        is_played
    }

    /// Plays words in a game that goes its own way, as long as they can be played in the usual way; how
    /// many that were.
    #[inline(always)]
    fn play_words_off(&mut self, words: &[PackedSan]) -> (usize, Way) {
        let Place::Off(board) = &mut self.place else { return (0, Way::Open) };
        let limit = Limit::of(self.catalogue, self.extent);
        let mut played = 0;
        for word in words {
            if board.play_packed(*word).is_none() {
                break;
            }
            played += 1;
            if limit.is_behind(board) {
                return (played, Way::Over);
            }
            if let Some(named) = name_off(self.catalogue, board, self.ply + played) {
                self.named = Some(named);
            }
        }
        self.ply += played;
        (played, Way::Open)
    }

    fn step(&mut self, written: &[u8]) -> Result<(), GameError> {
        let number = self.first.later(self.ply);
        let fail = |fault| GameError::bad_move(number, written, fault);
        match &mut self.place {
            Place::Off(board) => board.play(written).map_err(fail)?,
            Place::OnLine(node) => {
                let stop = self.catalogue.stop(*node);
                if let Some(child) = self.catalogue.follow(stop, PackedSan::new(written)) {
                    *node = child.id();
                } else {
                    let node = *node;
                    let mut board = *self.catalogue.board(node);
                    board.play(written).map_err(fail)?;
                    self.leave_line(node, board);
                }
            }
        }
        self.ply += 1;
        Ok(())
    }

    /// Goes from a place on a line to a board one move further.
    fn leave_line(&mut self, node: NodeId, board: Board) {
        // The move may be that of a line, only written in another way.
        let child = self.catalogue.follow_to(node, &board);
        self.place = child.map_or(Place::Off(board), Place::OnLine);
    }

    /// Looks whether the position has a name, and whether any later one is looked at.
    #[inline(never)]
    fn look(&mut self) -> Way {
        if let Place::Off(board) = &self.place
            && Limit::of(self.catalogue, self.extent).is_behind(board)
        {
            return Way::Over;
        }
        if let Some(named) = self.name_here() {
            self.named = Some(named);
        }
        if self.ply == self.catalogue.depth() { Way::Over } else { Way::Open }
    }

    /// The name of the position.
    #[inline(always)]
    fn name_here(&self) -> Option<NamedAt<'c>> {
        match &self.place {
            Place::OnLine(node) => {
                name_on_line(self.catalogue, self.catalogue.stop(*node), self.ply)
            }
            Place::Off(board) => name_off(self.catalogue, board, self.ply),
        }
    }

    /// The name by the order of the moves alone: that of a line which the game has followed to its
    /// end, just now.
    fn name_by_moves(&self) -> Option<NamedAt<'c>> {
        let Place::OnLine(_) = self.place else { return None };
        self.name_here().filter(|named| !named.is_transposed())
    }

    fn board(&self) -> &Board {
        match &self.place {
            Place::OnLine(node) => self.catalogue.board(*node),
            Place::Off(board) => board,
        }
    }
}

/// The name of a position that was reached after so many plies by the moves that lines have.
fn name_on_line<'c>(catalogue: &'c Catalogue, at: Stop<'_>, ply: usize) -> Option<NamedAt<'c>> {
    let (line, is_end) = at.name()?;
    Some(NamedAt::new(catalogue, line, ply, ply > 0 && !is_end))
}

/// The name of a position that was reached after so many plies by other moves.
#[inline(always)]
fn name_off<'c>(catalogue: &'c Catalogue, board: &Board, ply: usize) -> Option<NamedAt<'c>> {
    let position = catalogue.find(board.key())?;
    let line = catalogue.positions()[position].line;
    Some(NamedAt::new(catalogue, line, ply, ply > 0))
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
            let movetext = catalogue.movetext(line).unwrap();
            let verdict = classifier.classify_movetext(movetext.as_bytes());
            let named = verdict.named.unwrap();
            assert_eq!(named.opening(), &line.opening, "{}", line.place);
            assert_eq!(Some(named.ply()), catalogue.plies(line), "{}", line.place);
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
