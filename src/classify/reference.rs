//! The reference classifier: the obvious program, one step after another.
//!
//! `pgn-reader` reads the game, `shakmaty` lists the legal moves and plays them, a `HashMap` from
//! the text of a position to its lines finds the name, and a game followed a line if its moves are
//! equal to those of the line. It stays for good: the fast classifier is tested against it, and
//! `eco classify --reference` runs it.
//!
//! It reads only moves that `pgn-reader` reads. Damaged tags are reported, but what follows one may
//! be read in another way.

use std::collections::{HashMap, HashSet};

use super::verdict::{GameError, NamedAt, Verdict};
use super::{classifier::Classified, header::Header};
use crate::catalogue::Catalogue;
use crate::chess::{
    CastlingSide, Chess, Color, File, Move, MoveFault, MoveNumber, Position, PositionKey, Rank,
    Role, San, Square, read_fen,
};
use crate::pgn::plain::{PlainFault, PlainGame, read_plainly};
use crate::pgn::{Game, decode_text, decode_word, implied_variant, is_standard_chess};

/// A line, or a position without one.
#[derive(Debug)]
struct ReferenceLine {
    /// Its index in the catalogue.
    index: usize,
    master: usize,
    moves: Option<Vec<Move>>,
}

/// The obvious classifier.
///
/// ```
/// use eco::{catalogue::Catalogue, classify::reference::Reference};
///
/// let verdict = Reference::new(Catalogue::builtin()).verdict(b"1. g3 f5 2. d4 *");
/// assert_eq!(verdict.named.unwrap().opening().code(), "A81");
/// ```
#[derive(Debug)]
pub struct Reference<'c> {
    catalogue: &'c Catalogue,
    /// From the text of a position to the lines that name it, in the order of the catalogue.
    positions: HashMap<String, Vec<ReferenceLine>>,
    /// The irreversible features of all named positions.
    irreversible: HashSet<Irreversible>,
    max_ply: usize,
    min_pieces: usize,
    is_exhaustive: bool,
}

/// What a position has that can only become less.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Irreversible {
    /// White's pawns on the second rank and Black's on the seventh.
    home_pawns: [u64; 2],
    /// Whether White and Black may castle.
    castles: [bool; 2],
    pieces: usize,
}

impl Irreversible {
    fn of(position: &Chess) -> Self {
        let sides = [(Color::White, Rank::Second), (Color::Black, Rank::Seventh)];
        let home_pawns =
            sides.map(|(color, rank)| (position.board().by_piece(color.pawn()) & rank).0);
        let castles = sides.map(|(color, _)| position.castles().has_color(color));
        Self { home_pawns, castles, pieces: position.board().occupied().count() }
    }

    fn can_become(&self, later: &Self) -> bool {
        let sides = [0, 1];
        let has_pawns = |side: usize| later.home_pawns[side] & !self.home_pawns[side] == 0;
        let has_right = |side: usize| self.castles[side] || !later.castles[side];
        sides.iter().all(|side| has_pawns(*side) && has_right(*side)) && later.pieces <= self.pieces
    }
}

impl<'c> Reference<'c> {
    /// A classifier that knows what `catalogue` knows. It replays every line itself.
    pub fn new(catalogue: &'c Catalogue) -> Self {
        let mut positions: HashMap<String, Vec<ReferenceLine>> = HashMap::new();
        let (mut max_ply, mut min_pieces) = (40, 20);
        let mut irreversible = HashSet::new();
        for (index, line) in catalogue.lines().iter().enumerate() {
            let key = &catalogue.positions()[line.position].key;
            let position = key.to_position().expect("named positions are legal");
            irreversible.insert(Irreversible::of(&position));
            let moves = catalogue.moves(line);
            max_ply = max_ply.max(moves.as_ref().map_or(0, Vec::len));
            min_pieces = min_pieces.min(key.piece_count());
            let key = moves.as_ref().map_or_else(|| key.to_string(), |moves| text_after(moves));
            let line = ReferenceLine { index, master: line.master, moves };
            positions.entry(key).or_default().push(line);
        }
        Self { catalogue, positions, irreversible, max_ply, min_pieces, is_exhaustive: false }
    }

    /// As [`Classifier::exhaustive`](super::Classifier::exhaustive).
    #[must_use]
    pub fn exhaustive(self) -> Self {
        Self { is_exhaustive: true, ..self }
    }

    /// Whether no named position can be reached from here.
    fn is_decided(&self, position: &Chess) -> bool {
        let here = Irreversible::of(position);
        !self.irreversible.iter().any(|named| here.can_become(named))
    }

    /// The opening of one game, with the tags that a row needs.
    pub fn classify<'g>(&self, game: &Game<'g>) -> Classified<'g, 'c> {
        let header = Header::read(game.tags());
        let mut verdict = self.verdict(game.bytes());
        let is_classified =
            !matches!(verdict.error, Some(GameError::Variant { .. } | GameError::Fen(_)));
        if let Some(damaged) = header.damage.filter(|_| is_classified) {
            verdict.error = Some(GameError::from(&damaged));
        }
        verdict.note_if_cut(game);
        Classified { header, main_line: game.tags().into_main_line(), verdict }
    }

    /// The opening of one game, given as its bytes.
    pub fn verdict(&self, game: &[u8]) -> Verdict<'c> {
        let game = read_plainly(game);
        let tag = |name: &str| {
            let found = game.tags.iter().find(|(n, _)| n == name)?;
            Some(decode_text(&found.1).trim().to_owned()).filter(|value| !value.is_empty())
        };
        let implied = || {
            let mut tags = game.tags.iter();
            tags.find_map(|(name, value)| implied_variant(name.as_bytes(), value))
        };
        let has_variant = game.tags.iter().any(|(name, _)| name == "Variant");
        let other = match has_variant {
            true => tag("Variant").filter(|name| !is_standard_chess(name.as_bytes())),
            false => implied().map(|name| decode_text(name).trim().to_owned()),
        };
        if let Some(name) = other {
            return Verdict { named: None, error: Some(GameError::Variant { name }) };
        }
        match tag("FEN").filter(|fen| fen != "?").map(|fen| read_fen(fen.as_bytes())) {
            None => self.walk(Chess::default(), 1, &game),
            Some(Ok(start)) => self.walk(start, 0, &game),
            Some(Err(fault)) => Verdict { named: None, error: Some(GameError::Fen(fault)) },
        }
    }

    /// `first_ply` is 0 if the start position itself counts, otherwise 1.
    fn walk(&self, start: Chess, first_ply: usize, game: &PlainGame) -> Verdict<'c> {
        let from_initial = text_of(&start) == text_of(&Chess::default());
        let mut verdict = Verdict { named: None, error: None };
        let mut position = start;
        let mut played = Vec::new();
        let mut moves = game.moves.iter();
        loop {
            if position.board().occupied().count() < self.min_pieces
                || !self.is_exhaustive && self.is_decided(&position)
            {
                return verdict;
            }
            let known = self.positions.get(&text_of(&position));
            if let Some(lines) = known.filter(|_| played.len() >= first_ply) {
                let followed = Some(&played).filter(|_| from_initial);
                verdict.named = Some(self.name(lines, followed, played.len()));
            }
            if played.len() == self.max_ply {
                return verdict;
            }
            let number = MoveNumber::next_in(&position);
            let Some(san) = moves.next() else {
                verdict.error = game.fault.as_ref().map(|fault| end_of_game(number, fault));
                return verdict;
            };
            match find_legal(&position, san.san) {
                Ok(m) => {
                    position.play_unchecked(m);
                    played.push(m);
                }
                Err(fault) => {
                    verdict.error = Some(GameError::Move { number, word: san.to_string(), fault });
                    return verdict;
                }
            }
        }
    }

    /// The name of a position of these lines, reached by these moves from the initial position.
    fn name(&self, lines: &[ReferenceLine], played: Option<&Vec<Move>>, ply: usize) -> NamedAt<'c> {
        let mut followed =
            lines.iter().filter(|line| played.is_some() && line.moves.as_ref() == played);
        let has_followed = followed.clone().next().is_some();
        let of_decider = followed.find(|line| line.master == lines[0].master);
        let line = of_decider.unwrap_or(&lines[0]).index;
        let is_transposed = ply > 0 && !has_followed;
        NamedAt { catalogue: self.catalogue, line, ply, is_transposed }
    }
}

fn text_after(moves: &[Move]) -> String {
    let mut position = Chess::default();
    moves.iter().for_each(|m| position.play_unchecked(*m));
    text_of(&position)
}

fn text_of(position: &Chess) -> String {
    PositionKey::from(position).to_string()
}

fn end_of_game(number: MoveNumber, fault: &PlainFault) -> GameError {
    match fault {
        PlainFault::OpenComment => GameError::OpenComment,
        PlainFault::OpenVariation => GameError::OpenVariation,
        PlainFault::NotAMove(word) => {
            let word = decode_word(word);
            GameError::Move { number, word, fault: MoveFault::Unreadable }
        }
    }
}

/// The one legal move that fits, found among all of them.
fn find_legal(position: &Chess, san: San) -> Result<Move, MoveFault> {
    if san == San::Null {
        return Err(MoveFault::Null);
    }
    let legal = position.legal_moves();
    let fitting: Vec<&Move> = legal.iter().filter(|m| fits(san, **m)).collect();
    match fitting[..] {
        [] => Err(MoveFault::Illegal),
        [m] => Ok(*m),
        _ => Err(MoveFault::Ambiguous),
    }
}

fn fits(san: San, m: Move) -> bool {
    match san {
        San::Castle(side) => m.castling_side() == Some(side),
        San::Normal {
            role: Role::Pawn, file: Some(file), rank: Some(rank), to, promotion, ..
        } => {
            // Both squares are given: it may be any piece, and the king when it castles.
            let target = match m.castling_side() {
                Some(CastlingSide::KingSide) => Square::from_coords(File::G, rank),
                Some(CastlingSide::QueenSide) => Square::from_coords(File::C, rank),
                None => m.to(),
            };
            m.from() == Some(Square::from_coords(file, rank))
                && target == to
                && m.promotion() == promotion
        }
        San::Normal { role, file, rank, to, promotion, .. } => {
            let file = if role == Role::Pawn { file.or(Some(to.file())) } else { file };
            !m.is_castle()
                && m.role() == role
                && m.to() == to
                && m.promotion() == promotion
                && m.from().is_some_and(|from| {
                    file.is_none_or(|f| f == from.file()) && rank.is_none_or(|r| r == from.rank())
                })
        }
        San::Put { .. } | San::Null => false,
    }
}
