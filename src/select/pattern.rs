//! What the positions of a game are asked for: keys, pawn structures, and material.
//!
//! A pattern is written as a player knows it: a [`PawnStructure`] as the placement of a FEN, in
//! which `?` may be anything, and [`Material`] as the name of an ending. The plain meaning is a
//! comparison in each position of the main line. Two facts save most of them: only moves of pawns
//! and captures change what patterns are about, and pawns that are gone do not come back. The
//! [`Traces`] of a kept game rule it out, as a rule, before it is played.

use std::{ops::ControlFlow, str::FromStr};

use crate::chess::{Board, PositionKey, Role};
use crate::quoted::Quoted;

/// A text is neither a structure nor material. Prints as the reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParsePatternError(String);

/// Where pawns stand, where none do, and where it does not matter. Other pieces never matter.
///
/// Parses from the placement of a FEN or a diagram: `P` and `p` are pawns, digits, dots, hyphens
/// and pieces have no pawn, and a square of `?` may have anything; a rank of one `?` is all such
/// squares. Of a whole FEN, the other fields are ignored.
///
/// ```
/// use eco::select::PawnStructure;
///
/// // White's isolated queen's pawn, whatever stands on the wings.
/// let isolated = "8/??3???/??2p???/??3???/??1P1???/??3???/??3???/8".parse::<PawnStructure>()?;
/// let rank_short = "8/8/8/3p4/3P3/8/8/8".parse::<PawnStructure>().unwrap_err();
/// assert_eq!(rank_short.to_string(), "rank 4 has 7 squares, not 8");
/// # Ok::<(), eco::select::ParsePatternError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PawnStructure {
    /// The squares that matter.
    known: u64,
    /// Of these, those with a pawn of White and of Black.
    pawns: [u64; 2],
}

impl FromStr for PawnStructure {
    type Err = ParsePatternError;

    fn from_str(text: &str) -> Result<Self, ParsePatternError> {
        let ranks: Vec<&str> = match text.contains('/') {
            true => text.split_whitespace().next().unwrap_or_default().split('/').collect(),
            // The squares of a diagram with edges are between them.
            false if text.contains('|') => {
                text.lines().filter_map(|l| l.split('|').nth(1)).collect()
            }
            false => text.trim().lines().collect(),
        };
        if ranks.len() != 8 {
            let expected = "expected the pawns of eight ranks, as in FEN, such as \
                            8/pp3ppp/2p5/3p4/3P4/4P3/PP3PPP/8";
            return Err(ParsePatternError(format!("{expected}, not {}", Quoted(text))));
        }
        let mut structure = Self { known: 0, pawns: [0; 2] };
        for (rank, squares) in (1..=8).rev().zip(ranks) {
            structure.read_rank(rank, squares.trim())?;
        }
        structure.known &= !ENDS;
        let fault = |reason: &str| Err(ParsePatternError(reason.to_owned()));
        if structure.known == 0 {
            return fault("no square matters");
        }
        if structure.pawns.iter().any(|pawns| pawns.count_ones() > 8) {
            return fault("no side has more than eight pawns");
        }
        Ok(structure)
    }
}

impl PawnStructure {
    fn read_rank(&mut self, rank: u32, squares: &str) -> Result<(), ParsePatternError> {
        if squares == "?" {
            return Ok(());
        }
        let (mut file, fault) = (0, |reason: String| Err(ParsePatternError(reason)));
        for c in squares.chars().filter(|c| !c.is_whitespace()) {
            let (width, side) = match c {
                '?' => (1, None),
                '1'..='8' => (c as u32 - '0' as u32, Some(None)),
                'P' | '♙' => (1, Some(Some(0))),
                'p' | '♟' => (1, Some(Some(1))),
                '.' | '·' | '-' | '♔'..='♞' => (1, Some(None)),
                c if "NBRQKnbrqk".contains(c) => (1, Some(None)),
                c => {
                    return fault(format!(
                        "rank {rank}: expected P, p, a digit or ?, not {}",
                        Quoted(c)
                    ));
                }
            };
            // What is beyond the edge is refused below.
            let squares = ((1_u64 << width) - 1) << file.min(8) << (8 * (rank - 1));
            file += width;
            let Some(pawn) = side else { continue };
            self.known |= squares;
            if let Some(side) = pawn {
                if !(2..=7).contains(&rank) {
                    return fault(format!("no pawn can stand on rank {rank}"));
                }
                self.pawns[side] |= squares;
            }
        }
        if file == 8 { Ok(()) } else { fault(format!("rank {rank} has {file} squares, not 8")) }
    }

    fn has(&self, pawns: [u64; 2]) -> bool {
        pawns.map(|pawns| pawns & self.known) == self.pawns
    }

    /// Whether a game with these traces may have had it.
    fn may_be_in(&self, traces: &Traces) -> bool {
        let half_known = files(!self.known & !ENDS);
        (0..2).all(|side| {
            let bare = !files(self.pawns[side]) & !half_known;
            (self.pawns[side] | u64::from(bare)) & !traces.0[side] == 0
        })
    }

    /// Whether pawns that stand so may come to stand as it says.
    fn may_follow(&self, pawns: [u64; 2]) -> bool {
        let [white, black] = pawns;
        // Black's pawns go as White's do on the board upside down.
        let reached = [reach(white), reach(black.swap_bytes()).swap_bytes()];
        (0..2).all(|side| {
            let wanted = self.pawns[side];
            wanted & !reached[side] == 0 && wanted.count_ones() <= pawns[side].count_ones()
        })
    }
}

/// The ranks that no pawn stands on.
const ENDS: u64 = 0xff00_0000_0000_00ff;

/// The files, a bit each, that some of these squares are on.
#[inline(always)]
const fn files(squares: u64) -> u8 {
    let squares = squares | squares >> 32;
    let squares = squares | squares >> 16;
    (squares | squares >> 8) as u8
}

/// The squares that White's pawns stand on or may come to.
fn reach(pawns: u64) -> u64 {
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    (0..5).fold(pawns, |reached, _| {
        let beside = (reached & !FILE_A) >> 1 | (reached & !(FILE_A << 7)) << 1;
        reached | (reached | beside) << 8
    })
}

/// The roles that a side has any number of.
const ROLES: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// The pieces of a side: the least and the most of each of [`ROLES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Force {
    least: [u8; 5],
    most: [u8; 5],
}

impl Force {
    /// Reads letters of pieces, of which one is the king, `*` for any number of a piece, and `+`
    /// for one or more.
    fn read(letters: &str) -> Option<Self> {
        let mut force = Self { least: [0; 5], most: [0; 5] };
        let mut rest = letters.strip_prefix('K')?.chars().peekable();
        while let Some(letter) = rest.next() {
            let role = "PNBRQ".find(letter)?;
            let sign = rest.next_if(|c| "*+".contains(*c));
            force.least[role] = force.least[role].checked_add(u8::from(sign != Some('*')))?;
            force.most[role] = match sign {
                Some(_) => u8::MAX,
                None => force.most[role].saturating_add(1),
            };
        }
        Some(force)
    }

    /// Whether a side with these traces may have had these pieces.
    fn may_be_of(&self, traces: u64) -> bool {
        let [most_pawns, most @ ..] = self.most;
        let most = most.iter().fold(1_u8, |sum, most| sum.saturating_add(*most));
        let left = (traces >> 56) as u8;
        left & 0xf <= most_pawns && left >> 4 <= most
    }

    /// Whether White (0) or Black (1) has these pieces.
    fn is_of(&self, side: usize, board: &Board) -> bool {
        (0..ROLES.len()).all(|at| {
            let count = board.pieces(ROLES[at])[side].count_ones() as u8;
            (self.least[at]..=self.most[at]).contains(&count)
        })
    }
}

/// The pieces that are left, of both sides.
///
/// Parses from the name of an ending as tablebases have it, of whichever colour: `KRPvKR`; or from
/// pieces as in FEN, where capitals are White's: `KRPkr`. `*` after a piece is any number of it,
/// `+` one or more: `KRP*vKRP*` are all endings of one rook each.
///
/// ```
/// use eco::select::Material;
///
/// assert!("KRPvKR".parse::<Material>().is_ok());
/// let fault = "KRP".parse::<Material>().unwrap_err();
/// assert!(fault.to_string().starts_with("expected the pieces of both sides, such as KRPvKR"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Material {
    sides: [Force; 2],
    /// Whether the first side may be Black as well.
    is_either: bool,
}

impl FromStr for Material {
    type Err = ParsePatternError;

    fn from_str(text: &str) -> Result<Self, ParsePatternError> {
        let read = || {
            let letters: String = text.chars().filter(|c| !c.is_whitespace()).collect();
            let versus = letters.split_once(['v', 'V']);
            let [first, second] = match versus {
                Some((first, second)) => [first, second].map(str::to_ascii_uppercase),
                None => {
                    let (white, black) = letters.split_at(letters.find('k')?);
                    if black.contains(|c: char| c.is_ascii_uppercase()) {
                        return None;
                    }
                    [white.to_owned(), black.to_ascii_uppercase()]
                }
            };
            let sides = [Force::read(&first)?, Force::read(&second)?];
            Some(Self { sides, is_either: versus.is_some() })
        };
        read().ok_or_else(|| {
            let expected = "expected the pieces of both sides, such as KRPvKR, KRP*vKRP* for any \
                            number of pawns, or KRPkr for those of White and Black";
            ParsePatternError(format!("{expected}, not {}", Quoted(text)))
        })
    }
}

impl Material {
    fn is_on(&self, board: &Board) -> bool {
        let [first, second] = &self.sides;
        first.is_of(0, board) && second.is_of(1, board)
            || self.is_either && first.is_of(1, board) && second.is_of(0, board)
    }

    /// Whether a game with these traces may have had it.
    fn may_be_in(&self, traces: &Traces) -> bool {
        let ([first, second], [white, black]) = (&self.sides, traces.0);
        first.may_be_of(white) && second.may_be_of(black)
            || self.is_either && first.may_be_of(black) && second.may_be_of(white)
    }
}

/// What the positions of a game had, each thing in one of them at least: enough to know of most
/// games that they had no position that is asked for.
///
/// Of White and of Black, the squares that pawns stood on. No pawn stands on the first rank or the
/// eighth, so these have other things: the files, a bit each, that were without pawns; the least
/// number of pawns, and that of other pieces, four bits each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Traces([u64; 2]);

impl Traces {
    /// The number of its bytes.
    pub(crate) const BYTES: usize = 16;

    /// Those of the positions of a line.
    pub(crate) fn of(boards: impl Iterator<Item = Board>) -> Self {
        let mut traces = Self::default();
        let last = boards.inspect(|board| traces.add(board)).last();
        last.iter().for_each(|last| traces.end(last));
        traces
    }

    /// Adds a position.
    #[inline(always)]
    pub(crate) fn add(&mut self, board: &Board) {
        let pawns = board.pieces(Role::Pawn).into_iter();
        let sides = self.0.iter_mut().zip(pawns);
        sides.for_each(|(traces, pawns)| *traces |= pawns | u64::from(!files(pawns)));
    }

    /// Ends the game in a position that was added. A side has never fewer pieces than in the end,
    /// unless a pawn promotes: one that comes to the last rank but one may.
    pub(crate) fn end(&mut self, last: &Board) {
        const NEARLY_THERE: [u64; 2] = [0xff << 48, 0xff << 8];
        let (pawns, all) = (last.pieces(Role::Pawn), last.sides());
        let count = |squares: u64| u64::from(squares.count_ones().min(15));
        self.0 = std::array::from_fn(|side| {
            let may_promote = self.0[side] & NEARLY_THERE[side] != 0;
            let pieces = if may_promote { 0 } else { count(all[side] & !pawns[side]) };
            self.0[side] | (pieces << 4 | count(pawns[side])) << 56
        });
    }

    /// As bytes.
    pub(crate) fn to_bytes(self) -> [u8; Self::BYTES] {
        (u128::from(self.0[0]) | u128::from(self.0[1]) << 64).to_le_bytes()
    }

    /// What [`to_bytes`](Self::to_bytes) wrote.
    pub(crate) fn from_bytes(bytes: [u8; Self::BYTES]) -> Self {
        let both = u128::from_le_bytes(bytes);
        Self([both as u64, (both >> 64) as u64])
    }
}

/// What is asked of the positions of a game.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WantedPositions<'s> {
    /// One of these must be reached, if there are any.
    pub(super) keys: &'s [PositionKey],
    /// Whether games that begin in another position are searched.
    pub(super) from_position: bool,
    /// A position must have one of these structures, if there are any, and one of these materials.
    pub(super) structures: &'s [PawnStructure],
    pub(super) materials: &'s [Material],
    /// The number of positions in a row that must have them; 0 is as 1.
    pub(super) lasting: usize,
}

/// What was found in a line so far.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SearchedLine {
    /// The ply at which a key was reached, and the first of those with the pattern.
    reached: Option<u32>,
    shown: Option<u32>,
    /// Whether the last position has the pattern, and how many in a row had it.
    has: bool,
    run: u32,
}

impl WantedPositions<'_> {
    /// Whether a game with these traces may have what is asked for.
    pub(crate) fn may_be_in(&self, traces: &Traces) -> bool {
        let Self { keys, structures, materials, .. } = *self;
        let pawns = |key| Board::from_key(key).pieces(Role::Pawn);
        let may_reach = |key| PawnStructure { known: !ENDS, pawns: pawns(key) }.may_be_in(traces);
        (keys.is_empty() || keys.iter().any(may_reach))
            && (structures.is_empty() || structures.iter().any(|s| s.may_be_in(traces)))
            && (materials.is_empty() || materials.iter().any(|m| m.may_be_in(traces)))
    }

    /// The ply of the first position of a line that has what is asked for: the pattern, if there is
    /// one, and else the key. `boards` are the positions of the line, in order.
    pub(crate) fn find(&self, boards: impl Iterator<Item = Board>) -> Option<usize> {
        let (mut line, mut before) = (SearchedLine::default(), None);
        for (ply, board) in boards.enumerate() {
            match self.search(&mut line, ply, before.as_ref(), &board) {
                ControlFlow::Break(found) => return found,
                ControlFlow::Continue(()) => before = Some(board),
            }
        }
        None
    }

    /// Searches the next position of a line; `before` is the last one. Breaks with what is found,
    /// once that is known.
    #[inline]
    pub(crate) fn search(
        &self,
        line: &mut SearchedLine,
        ply: usize,
        before: Option<&Board>,
        board: &Board,
    ) -> ControlFlow<Option<usize>> {
        const NEVER: ControlFlow<Option<usize>> = ControlFlow::Break(None);
        if before.is_none() && !self.from_position && *board != Board::default() {
            return NEVER;
        }
        if line.reached.is_none() && !self.keys.is_empty() {
            if self.keys.contains(&board.key()) {
                line.reached = Some(ply as u32);
            } else if !self.keys.iter().any(|key| may_follow(key, board)) {
                return NEVER;
            }
        }
        let asks_for_pattern = !(self.structures.is_empty() && self.materials.is_empty());
        if asks_for_pattern && line.shown.is_none() {
            let pawns = |board: &Board| board.pieces(Role::Pawn);
            let is_same =
                |before: &Board| pawns(before) == pawns(board) && !board.follows_capture(before);
            if !before.is_some_and(is_same) {
                let Some(has) = self.has_pattern(board) else { return NEVER };
                line.has = has;
            }
            line.run = if line.has { line.run + 1 } else { 0 };
            let is_shown = line.run > 0 && line.run as usize >= self.lasting;
            line.shown = is_shown.then(|| ply as u32 + 1 - line.run);
        }
        let is_reached = self.keys.is_empty() || line.reached.is_some();
        let found = if asks_for_pattern { line.shown } else { line.reached };
        match found.filter(|_| is_reached) {
            None => ControlFlow::Continue(()),
            found => ControlFlow::Break(found.map(|ply| ply as usize)),
        }
    }

    /// Whether a position has the structure and the material; `None` if no later one can either.
    fn has_pattern(&self, board: &Board) -> Option<bool> {
        let (structures, pawns) = (self.structures, board.pieces(Role::Pawn));
        let has_structure = structures.is_empty() || structures.iter().any(|s| s.has(pawns));
        if !has_structure && !structures.iter().any(|s| s.may_follow(pawns)) {
            return None;
        }
        let has_material = || self.materials.iter().any(|material| material.is_on(board));
        Some(has_structure && (self.materials.is_empty() || has_material()))
    }
}

/// Whether a game may come to a position after it had this board. Pieces do not come back, nor
/// pawns to their home squares, nor rights to castle.
fn may_follow(position: &PositionKey, board: &Board) -> bool {
    let position = Board::from_key(position);
    let ([white, black], [white_left, black_left]) = (position.home_pawns(), board.home_pawns());
    position.piece_count() <= board.piece_count()
        && white & !white_left == 0
        && black & !black_left == 0
        && position.castling_rights() & !board.castling_rights() == 0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::chess::{Chess, Color, EnPassantMode, Fen, Position, Square, play_as_san, read_fen};
    use crate::pgn::Game;
    use crate::select::{GameInfo, Selection};

    /// By square from a1: what a structure says of it in a text of 64 letters, the eighth rank
    /// first.
    fn letter(text: &str, square: Square) -> u8 {
        text.as_bytes()[(7 - square.rank() as usize) * 8 + square.file() as usize]
    }

    fn has_structure(text: &str, position: &Chess) -> bool {
        Square::ALL.into_iter().all(|square| {
            let piece = position.board().piece_at(square);
            let pawn = piece.filter(|piece| piece.role == Role::Pawn).map(|piece| piece.color);
            match letter(text, square) {
                b'P' => pawn == Some(Color::White),
                b'p' => pawn == Some(Color::Black),
                b'.' => pawn.is_none(),
                _ => true,
            }
        })
    }

    /// The pawns of a position as 64 letters, of which some squares may have anything.
    fn structure_of(position: &Chess, known: u64) -> String {
        let letters = (0..64).map(|at| {
            let square = Square::new((7 - at / 8) * 8 + at % 8);
            match position.board().piece_at(square) {
                _ if known >> at & 1 == 0 => '?',
                Some(piece) if piece.role == Role::Pawn => piece.char(),
                _ => '.',
            }
        });
        letters.collect()
    }

    /// The pieces of White and of Black, in the order in which [`Material`] may have them.
    fn material_of(position: &Chess) -> [String; 2] {
        [Color::White, Color::Black].map(|color| {
            let pieces = Square::ALL.map(|square| position.board().piece_at(square));
            let own = pieces.into_iter().flatten().filter(|piece| piece.color == color);
            let mut letters: Vec<char> = own.map(|piece| piece.role.upper_char()).collect();
            letters.sort_unstable_by_key(|letter| "KQRBNP".find(*letter));
            letters.into_iter().collect()
        })
    }

    /// Pieces as [`Material`] reads them: `v` is for either colour, another sign is of White's last
    /// piece, or of a pawn if there is none.
    fn written(sign: &str, [white, black]: &[String; 2]) -> String {
        let pawn = if white == "K" { "P" } else { "" };
        match sign {
            "v" => format!("{white} v {black}"),
            "" => format!("{white}{}", black.to_lowercase()),
            sign => format!("{white}{pawn}{sign}{}", black.to_lowercase()),
        }
    }

    /// Whether a position has the pieces that are written so.
    fn has_material(sign: &str, asked: &[String; 2], position: &Chess) -> bool {
        let mut found = material_of(position);
        if sign == "v" && found != *asked {
            found.reverse();
        }
        let ([white, black], [own, other]) = (asked, &found);
        if sign == "v" || sign.is_empty() {
            return found == *asked;
        }
        let last = white.chars().next_back().filter(|last| *last != 'K').unwrap_or('P');
        let count = |text: &str, role| text.chars().filter(|letter| *letter == role).count();
        other == black
            && "QRBNP".chars().all(|role| match (count(white, role), count(own, role)) {
                // One of them may be missing.
                (asked, found) if role == last && sign == "*" => found + 1 >= asked,
                (asked, found) if role == last => found >= asked.max(1),
                (asked, found) => found == asked,
            })
    }

    const STARTS: [&str; 4] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/ppq2ppp/2n1b3/3pP3/3Q4/2p2N2/PP1P1PPP/R3K2R w KQkq d6 0 10",
        "3r4/4P3/6k1/8/8/8/2p5/4K3 w - - 0 50",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ];

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 300,
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        /// The plain search looks at every square of every position.
        #[test]
        fn what_is_found_is_what_a_plain_search_finds(
            start in prop::sample::select(STARTS.to_vec()),
            choices in prop::collection::vec(any::<u16>(), 1..160),
            at: prop::sample::Index,
            known in prop_oneof![any::<u64>(), Just(u64::MAX), (0..64_u32).prop_map(|n| 1 << n)],
            asked in 1..4_usize,
            lasting in 0..5_usize,
            sign in prop::sample::select(vec!["", "*", "+", "v"]),
        ) {
            let mut position = read_fen(start.as_bytes()).unwrap();
            let fen = Fen::from_position(&position, EnPassantMode::Legal);
            let (mut positions, mut pgn) = (vec![position.clone()], format!("[FEN \"{fen}\"]\n\n"));
            for choice in choices {
                // Pawns move and pieces are taken more often than by chance.
                let legal = position.legal_moves();
                let (tame, wild): (Vec<_>, Vec<_>) =
                    legal.iter().partition(|m| !(m.is_capture() || m.role() == Role::Pawn));
                let all = if tame.is_empty() || choice % 2 == 1 && !wild.is_empty() { wild } else { tame };
                let Some(m) = all.get(usize::from(choice / 2) % all.len().max(1)) else { break };
                pgn += &format!("{} ", play_as_san(&mut position, *m));
                positions.push(position.clone());
            }
            let goal = at.get(&positions);
            let structure = structure_of(goal, known);
            let pieces = material_of(goal);
            let material = written(sign, &pieces);
            let (mut rows, lasting_text) = (String::new(), lasting.to_string());
            structure.as_bytes().chunks(8).for_each(|row| {
                rows += str::from_utf8(row).unwrap();
                rows.push('\n');
            });
            let mut conditions = vec![("from-position", "yes"), ("lasting", &*lasting_text)];
            let with_structure = asked & 1 == 1 && structure.contains(['P', 'p', '.']);
            if with_structure {
                conditions.push(("structure", &rows));
            }
            if asked & 2 == 2 || !with_structure {
                conditions.push(("material", &material));
            }
            let is_so: Vec<bool> = positions.iter().map(|position| {
                (!with_structure || has_structure(&structure, position))
                    && (asked & 2 == 0 && with_structure || has_material(sign, &pieces, position))
            }).collect();
            let expected = is_so.windows(lasting.max(1)).position(|run| run.iter().all(|is| *is));
            let selection = match Selection::from_conditions(conditions.iter().copied()) {
                Ok(selection) => selection,
                // Only the ends of the board matter.
                Err(fault) => {
                    prop_assert!(fault.to_string().ends_with("no square matters"), "{}", fault);
                    return Ok(());
                }
            };
            let traces = Traces::of(positions.iter().map(Board::from_position));
            prop_assert_eq!(Traces::from_bytes(traces.to_bytes()), traces);
            let may_be_in = selection.wanted_positions().is_none_or(|w| w.may_be_in(&traces));
            prop_assert!(may_be_in || expected.is_none(), "{:?} in {}", conditions, pgn);
            let found = selection.matches(&GameInfo::read(&Game::from_bytes(pgn.as_bytes())), || None);
            prop_assert_eq!(found.and_then(|found| found.ply), expected, "{:?} in {}", conditions, pgn);
            prop_assert_eq!(found.is_some(), expected.is_some());
        }

        /// Whatever is typed is read or refused.
        #[test]
        fn any_text_is_read_or_refused(text in "[Pp?1-9/ .|n\nKRv*+♟k-]{0,90}") {
            let _ = (text.parse::<PawnStructure>(), text.parse::<Material>());
        }
    }

    #[test]
    fn a_structure_is_written_as_a_fen_or_a_diagram() {
        let read = |text: &str| text.parse::<PawnStructure>();
        let carlsbad = read("8/pp3ppp/2p5/3p4/3P4/4P3/PP3PPP/8").unwrap();
        for same in [
            "r2q1rk1/pp1nbppp/2p2n2/3p2B1/3P4/2NBP3/PPQ2PPP/R3K1NR w KQ - 4 9",
            "........\npp...ppp\n..p.....\n...p....\n...P....\n....P...\nPP...PPP\n........\n",
            "  +-----------------+\n8 | r . . q . r k . |\n7 | p p . n b p p p |\n\
             6 | . . p . . n . . |\n5 | . . . p . . B . |\n4 | . . . P . . . . |\n\
             3 | . . N B P . . . |\n2 | P P Q . . P P P |\n1 | R . . . K . N R |\n  +---+\n    a b",
            "8/♟♟♝--♟♟♟/2♟5/3♟4/3♙4/4♙3/♙♙3♙♙♙/♔-6",
        ] {
            assert_eq!(read(same), Ok(carlsbad), "{same}");
        }
        assert_eq!(read("8/?/?/3p4/?/?/?/8"), read("8/????????/?/3p4/?/?/?/?"));
        assert_ne!(read("8/?/?/3p4/?/?/?/8"), read("8/?/?/???p????/?/?/?/8"));
        for (text, fault) in [
            ("", "expected the pawns of eight ranks, as in FEN, such as "),
            ("8/8", "expected the pawns of eight ranks"),
            ("8/8/8/3p5/8/8/8/8", "rank 5 has 9 squares, not 8"),
            ("8/8/8/3px3/8/8/8/8", "rank 5: expected P, p, a digit or ?, not 'x'"),
            ("3P4/8/8/8/8/8/8/8", "no pawn can stand on rank 8"),
            ("8/?/?/?/?/?/?/8", "no square matters"),
            ("8/8/8/8/8/7P/PPPPPPPP/8", "no side has more than eight pawns"),
        ] {
            let found = read(text).unwrap_err().to_string();
            assert!(found.starts_with(fault), "{text}: {found}");
        }
    }

    #[test]
    fn material_is_written_as_an_ending() {
        let read = |text: &str| text.parse::<Material>();
        for same in ["KRPvKR", "KPR v KR", "krpvkr", "KRPVKR"] {
            assert_eq!(read(same), read("KRPvKR"), "{same}");
        }
        assert_ne!(read("KRPkr"), read("KRPvKR"));
        assert_eq!(read("KRP+vKR"), read("KRPP*vKR"));
        for text in
            ["", "KR", "KRKR", "RvR", "KRPvKR vK", "KvKK", "KkK", "KvK3", "K*vK", "vK", "Kxk"]
        {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
