//! Classifying games, and the lines of a catalogue, by that catalogue.

use super::verdict::{GameError, NamedAt, Verdict};
use super::walk::{self, Extent, Walk};
use super::{header::Header, walk::FollowedWalk};
use crate::catalogue::{Catalogue, Line};
use crate::chess::{Board, Chess, Move, MoveFault, PackedSan, Position, UciMove};
use crate::pgn::{CountedLine, Game, MainLine};

/// A game with its verdict.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Classified<'g, 'c> {
    /// Its tags.
    pub header: Header<'g>,
    /// Its moves, for details that not all rows have.
    pub(crate) main_line: MainLine<'g>,
    /// Its opening.
    pub verdict: Verdict<'c>,
}

/// Classifies games by a catalogue. See the [module](super) for the rule.
///
/// ```
/// use eco::{catalogue::Catalogue, classify::Classifier};
///
/// let classifier = Classifier::new(Catalogue::builtin());
/// let verdict = classifier.classify_movetext(b"1. c4 c5 2. Nf3 Nf6 3. d4 e6");
/// let named = verdict.named.expect("the line is known");
/// assert_eq!(named.opening().code(), "A31");
/// assert_eq!((named.ply(), named.is_transposed()), (5, true));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Classifier<'c> {
    catalogue: &'c Catalogue,
    extent: Extent,
}

impl<'c> Classifier<'c> {
    /// A classifier that knows what `catalogue` knows.
    pub fn new(catalogue: &'c Catalogue) -> Self {
        Self { catalogue, extent: Extent::Decided }
    }

    /// A classifier that plays every game as far as the [rule](super) goes, even where no other
    /// name [can come](super#where-the-walk-ends-early). It returns the same names, reports more
    /// errors, and takes longer.
    #[must_use]
    pub fn exhaustive(self) -> Self {
        Self { extent: Extent::Exhaustive, ..self }
    }

    /// The catalogue.
    pub fn catalogue(&self) -> &'c Catalogue {
        self.catalogue
    }

    /// The opening of one game.
    // Inlined: to call it takes 1 % more time. What it returns is copied once all the same.
    #[inline(always)]
    pub fn classify<'g>(&self, game: &Game<'g>) -> Classified<'g, 'c> {
        let main_line = MainLine::from_movetext(b"");
        let mut classified =
            Classified { header: Header::default(), main_line, verdict: Verdict::NONE };
        let Classified { header, main_line, verdict } = &mut classified;
        *main_line = game.tags().visit(header);
        self.fill_verdict(header, &mut CountedLine::new(main_line.clone()), verdict);
        verdict.note_if_cut(game);
        classified
    }

    /// The opening of a game whose tags have been read. The main line is left where classifying
    /// ends, so that the rest can be read.
    #[inline]
    pub(crate) fn verdict_of(
        &self,
        game: &Game<'_>,
        header: &Header<'_>,
        line: &mut CountedLine<'_>,
    ) -> Verdict<'c> {
        let mut verdict = Verdict::NONE;
        self.fill_verdict(header, line, &mut verdict);
        verdict.note_if_cut(game);
        verdict
    }

    /// The opening of movetext without tags, from the standard position.
    pub fn classify_movetext(&self, movetext: &[u8]) -> Verdict<'c> {
        self.classify_tagged(&Header::default(), movetext)
    }

    /// The opening of movetext whose game has these tags, which say where it begins and of which
    /// variant it is.
    ///
    /// ```
    /// use eco::{catalogue::Catalogue, classify::{Classifier, Header}};
    ///
    /// let fen = b"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    /// let header = Header { fen: Some(fen.into()), ..Header::default() };
    /// let verdict = Classifier::new(Catalogue::builtin()).classify_tagged(&header, b"2. Nf3 d6");
    /// assert_eq!(verdict.named.unwrap().opening().code(), "B50");
    /// ```
    pub fn classify_tagged(&self, header: &Header<'_>, movetext: &[u8]) -> Verdict<'c> {
        let line = MainLine::from_movetext(movetext);
        let mut verdict = Verdict::NONE;
        self.fill_verdict(header, &mut CountedLine::new(line), &mut verdict);
        verdict
    }

    /// The opening of a game that is given by its moves, from the standard position. A move that is
    /// not legal ends it with an error.
    ///
    /// ```
    /// use eco::{catalogue::Catalogue, chess::{Chess, Position, read_move}, classify::Classifier};
    ///
    /// let mut position = Chess::default();
    /// let moves = ["g3", "f5", "d4"].map(|san| {
    ///     let m = read_move(&position, san.as_bytes()).unwrap();
    ///     position.play_unchecked(m);
    ///     m
    /// });
    /// let verdict = Classifier::new(Catalogue::builtin()).classify_moves(moves);
    /// assert_eq!(verdict.named.unwrap().opening().code(), "A81");
    /// ```
    pub fn classify_moves(&self, moves: impl IntoIterator<Item = Move>) -> Verdict<'c> {
        let mut walk = Walk::new(self.catalogue, None, self.extent);
        let mut position = Chess::default();
        for m in moves {
            if !position.is_legal(m) {
                let word = UciMove::from_move(m).to_string();
                let (number, fault) = (walk.move_number(), MoveFault::Illegal);
                let error = GameError::Move { number, word, fault };
                return Verdict { named: walk.named, error: Some(error) };
            }
            position.play_unchecked(m);
            walk.step_to(PackedSan::NONE, Board::from_position(&position));
            if walk.visit().is_break() {
                break;
            }
        }
        Verdict { named: walk.named, error: None }
    }

    /// The opening of one position, without any moves: ply 0.
    pub fn classify_position(&self, position: &Chess) -> Option<NamedAt<'c>> {
        Walk::new(self.catalogue, Some(position), self.extent).name_here()
    }

    /// Plays the main line and fills in the verdict, which must be [`Verdict::NONE`].
    fn fill_verdict(
        &self,
        header: &Header<'_>,
        line: &mut CountedLine<'_>,
        verdict: &mut Verdict<'c>,
    ) {
        let mut walk = Walk::new(self.catalogue, None, self.extent);
        // Most games have neither `FEN` nor `Variant`, and a walk is large to return.
        if !header.has_standard_start() {
            walk = match self.begin(header) {
                Ok(walk) => walk,
                Err(error) => {
                    verdict.error = Some(error);
                    return;
                }
            };
        }
        if let Err(error) = walk::play(&mut walk, line) {
            verdict.error = Some(error);
        }
        // A damaged tag outranks what is wrong with the moves.
        if let Some(tag) = &header.damage {
            verdict.error = Some(GameError::from(tag));
        }
        verdict.named = walk.named;
    }

    /// A walk from the standard position, of a game that the caller plays.
    pub(crate) fn follow(&self) -> FollowedWalk<'c> {
        FollowedWalk::new(Walk::new(self.catalogue, None, self.extent))
    }

    /// A walk at the start of a game.
    ///
    /// # Errors
    ///
    /// If the game is not classified at all.
    pub(super) fn begin(&self, header: &Header<'_>) -> Result<Walk<'c>, GameError> {
        Ok(Walk::new(self.catalogue, header.start()?.as_ref(), self.extent))
    }
}

/// The lines of a catalogue, by what classifying them returns.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Verification<'c> {
    /// The number of lines and positions that get their own name.
    pub confirmed: usize,
    /// The number of those whose position another master decides.
    pub overruled: usize,
    /// Those that never name anything, because an earlier line of their own master has the same
    /// moves or names the same position; each with the line that is found instead.
    pub hidden: Vec<(&'c Line, &'c Line)>,
    /// Those that are not found at their own position. There are none unless the classifier is
    /// wrong.
    pub lost: Vec<&'c Line>,
}

/// Classifies every line of a catalogue by its moves, and every position without a line by itself.
pub fn verify(catalogue: &Catalogue) -> Verification<'_> {
    let mut verification = Verification::default();
    for line in catalogue.lines() {
        let found = classified(catalogue, line);
        match found {
            Some(found) if std::ptr::eq(found, line) => verification.confirmed += 1,
            Some(found) if found.position != line.position => verification.lost.push(line),
            Some(found) if found.master != line.master => verification.overruled += 1,
            Some(found) => verification.hidden.push((line, found)),
            None => verification.lost.push(line),
        }
    }
    verification
}

/// The line that names the position of `line`, for a game that follows it.
fn classified<'c>(catalogue: &'c Catalogue, line: &'c Line) -> Option<&'c Line> {
    match catalogue.movetext(line) {
        Some(moves) if !moves.is_empty() => {
            let verdict = Classifier::new(catalogue).classify_movetext(moves.as_bytes());
            verdict.named.map(|named| named.line())
        }
        _ => catalogue.get(&catalogue.positions()[line.position].key),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::master::{Master, MasterFile, MasterInfo};

    fn master(name: &str, rows: &str) -> Master {
        let info = MasterInfo { name: name.to_owned(), ..MasterInfo::default() };
        let file = MasterFile { name, bytes: rows.as_bytes() };
        Master::read(info, &[file], None).unwrap().masters.swap_remove(0)
    }

    #[test]
    fn the_built_in_catalogue_names_what_it_says() {
        let verification = verify(Catalogue::builtin());
        assert_eq!(verification.confirmed, Catalogue::builtin().lines().len());
        assert_eq!(verification.overruled, 0);
        assert!(verification.hidden.is_empty() && verification.lost.is_empty());
    }

    #[test]
    fn lines_that_never_name_anything_are_listed() {
        let first = master(
            "first",
            "eco\tname\tpgn\tepd\nA80\tOne\t1. d4 f5 2. g3\nA81\tOther order\t1. g3 f5 2. d4\n\
             A82\tSame moves\t1. d4 f5 2. g3\nA83\tPosition\t\t\
             rnbqkbnr/ppppp1pp/8/5p2/3P4/6P1/PPP1PP1P/RNBQKBNR b KQkq -\n",
        );
        let second = master("second", "A84\tElsewhere\t1. d4 f5 2. g3\n");
        let (catalogue, faults) = Catalogue::from_masters([first, second]);
        assert_eq!(faults, []);
        let verification = verify(&catalogue);
        assert_eq!((verification.confirmed, verification.overruled), (2, 1));
        let hidden: Vec<&str> =
            verification.hidden.iter().map(|(line, _)| line.opening.name()).collect();
        assert_eq!(hidden, ["Same moves", "Position"]);
        assert!(verification.lost.is_empty());
    }
}
