//! The reference classifier: the obvious program, one step after the other.
//!
//! `pgn-reader` reads the game, `shakmaty` lists the legal moves and plays them, a `HashMap` from the
//! text of a position to its name answers, and whether a game followed a line is found by
//! comparing it with every line of the position. It stays for good: what is fast is tested
//! against it.
//!
//! It knows only moves in algebraic notation as `pgn-reader` does, and no damaged tags.

use std::collections::{HashMap, HashSet};

use crate::{
    catalogue::Catalogue,
    chess::{
        CastlingSide, Chess, Color, EnPassantMode, File, Move, MoveNumber, Position, PositionKey,
        Rank, Role, San, Square, piece_count, read_fen,
    },
    opening::Opening,
    pgn::{
        decode_text,
        plain::{PlainFault, PlainGame, read_plainly},
    },
};

/// What the reference classifier says of a game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlainVerdict {
    /// The ECO code; empty if there is no opening.
    pub eco: String,
    /// The full name.
    pub name: String,
    /// After how many plies it was reached.
    pub ply: usize,
    /// Whether by another move order than any line has.
    pub transposed: bool,
    /// What is wrong with the game; empty if nothing is.
    pub error: String,
}

impl From<&super::Verdict<'_>> for PlainVerdict {
    fn from(verdict: &super::Verdict<'_>) -> Self {
        let error = verdict.error.as_ref().map(ToString::to_string).unwrap_or_default();
        verdict.named.map_or_else(
            || Self { error: error.clone(), ..Self::default() },
            |named| Self {
                eco: named.opening().eco().to_string(),
                name: named.opening().name().to_owned(),
                ply: named.ply(),
                transposed: named.is_transposed(),
                error: error.clone(),
            },
        )
    }
}

/// A line, or a position without one.
#[derive(Debug)]
struct PlainLine {
    master: usize,
    opening: Opening,
    moves: Option<Vec<Move>>,
}

/// The obvious classifier.
#[derive(Debug)]
pub struct Reference {
    /// From the text of a position to what names it, in the order of the catalogue.
    positions: HashMap<String, Vec<PlainLine>>,
    /// What is left in named positions of what never comes back.
    remains: HashSet<Remains>,
    depth: usize,
    pieces: usize,
    is_whole: bool,
}

/// What is left in a position of what only ever becomes less.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Remains {
    /// White's pawns on the second rank and Black's on the seventh.
    home_pawns: [u64; 2],
    /// Whether White and Black may castle.
    castles: [bool; 2],
    pieces: usize,
}

impl Remains {
    fn of(position: &Chess) -> Self {
        let sides = [(Color::White, Rank::Second), (Color::Black, Rank::Seventh)];
        let home_pawns =
            sides.map(|(color, rank)| (position.board().by_piece(color.pawn()) & rank).0);
        let castles = sides.map(|(color, _)| position.castles().has_color(color));
        Self { home_pawns, castles, pieces: piece_count(position) }
    }

    fn can_become(&self, later: &Self) -> bool {
        let sides = [0, 1];
        let has_pawns = |side: usize| later.home_pawns[side] & !self.home_pawns[side] == 0;
        let has_right = |side: usize| self.castles[side] || !later.castles[side];
        sides.iter().all(|side| has_pawns(*side) && has_right(*side)) && later.pieces <= self.pieces
    }
}

impl Reference {
    /// A classifier that knows what `catalogue` knows. It replays every line itself.
    #[must_use]
    pub fn new(catalogue: &Catalogue) -> Self {
        let mut positions: HashMap<String, Vec<PlainLine>> = HashMap::new();
        let (mut depth, mut pieces) = (40, 20);
        let mut remains = HashSet::new();
        for line in catalogue.lines() {
            let key = &catalogue.positions()[line.position].key;
            remains.insert(Remains::of(&key.to_position().expect("named positions are legal")));
            let moves = catalogue.moves(line);
            depth = depth.max(moves.as_ref().map_or(0, Vec::len));
            pieces = pieces.min(key.piece_count());
            let key = moves.as_ref().map_or_else(|| key.to_string(), |moves| text_behind(moves));
            let (master, opening) = (line.master, line.opening.clone());
            positions.entry(key).or_default().push(PlainLine { master, opening, moves });
        }
        Self { positions, remains, depth, pieces, is_whole: false }
    }

    /// As [`Classifier::to_the_limits`](super::Classifier::to_the_limits).
    #[must_use]
    pub fn to_the_limits(self) -> Self {
        Self { is_whole: true, ..self }
    }

    /// Whether no named position can be reached any more.
    fn is_decided(&self, position: &Chess) -> bool {
        let here = Remains::of(position);
        !self.remains.iter().any(|named| here.can_become(named))
    }

    /// The opening of one game, given as its bytes.
    #[must_use]
    pub fn classify(&self, game: &[u8]) -> PlainVerdict {
        let game = read_plainly(game);
        let tag = |name: &str| {
            let found = game.tags.iter().find(|(n, _)| n == name)?;
            Some(decode_text(&found.1).trim().to_owned()).filter(|value| !value.is_empty())
        };
        let variant = tag("Variant").unwrap_or_else(|| "Standard".to_owned());
        if !["standard", "from position", "chess"].contains(&variant.to_lowercase().as_str()) {
            let error = format!("variant {variant}: not classified");
            return PlainVerdict { error, ..PlainVerdict::default() };
        }
        match tag("FEN").filter(|fen| fen != "?").map(|fen| read_fen(fen.as_bytes())) {
            None => self.walk(Chess::default(), 1, &game),
            Some(Ok(start)) => self.walk(start, 0, &game),
            Some(Err(fault)) => {
                PlainVerdict { error: format!("FEN: {fault}"), ..PlainVerdict::default() }
            }
        }
    }

    /// `first_ply` is 0 if the start position itself counts, otherwise 1.
    fn walk(&self, start: Chess, first_ply: usize, game: &PlainGame) -> PlainVerdict {
        let from_initial = text_of(&start) == text_of(&Chess::default());
        let mut verdict = PlainVerdict::default();
        let mut position = start;
        let mut played = Vec::new();
        let mut moves = game.moves.iter();
        loop {
            if piece_count(&position) < self.pieces || !self.is_whole && self.is_decided(&position)
            {
                return verdict;
            }
            let known = self.positions.get(&text_of(&position));
            if let Some(lines) = known.filter(|_| played.len() >= first_ply) {
                let mut followed = lines
                    .iter()
                    .filter(|line| from_initial && line.moves.as_ref() == Some(&played));
                let followed_a_line = followed.clone().next().is_some();
                let of_decider = followed.find(|line| line.master == lines[0].master);
                let opening = &of_decider.unwrap_or(&lines[0]).opening;
                verdict.eco = opening.eco().to_string();
                verdict.name = opening.name().to_owned();
                verdict.ply = played.len();
                verdict.transposed = !played.is_empty() && !followed_a_line;
            }
            if played.len() == self.depth {
                return verdict;
            }
            let number = MoveNumber::next_in(&position);
            let Some(san) = moves.next() else {
                verdict.error = end_of_game(number, game.fault.as_ref());
                return verdict;
            };
            match find_legal(&position, san.san) {
                Ok(m) => {
                    position.play_unchecked(m);
                    played.push(m);
                }
                Err(why) => {
                    verdict.error = format!("move {number} {}: {why}", san);
                    return verdict;
                }
            }
        }
    }
}

fn text_behind(moves: &[Move]) -> String {
    let mut position = Chess::default();
    moves.iter().for_each(|m| position.play_unchecked(*m));
    text_of(&position)
}

fn text_of(position: &Chess) -> String {
    PositionKey::from_position(position, EnPassantMode::Legal).to_string()
}

fn end_of_game(number: MoveNumber, fault: Option<&PlainFault>) -> String {
    match fault {
        None => String::new(),
        Some(PlainFault::OpenComment) => "comment never closed".to_owned(),
        Some(PlainFault::OpenVariation) => "variation never closed".to_owned(),
        Some(PlainFault::NotAMove(word)) => {
            format!("move {number} {}: not a move", decode_text(word))
        }
    }
}

/// The one legal move that fits, by looking at all of them.
fn find_legal(position: &Chess, san: San) -> Result<Move, &'static str> {
    if san == San::Null {
        return Err("null move");
    }
    let legal = position.legal_moves();
    let fitting: Vec<&Move> = legal.iter().filter(|m| fits(san, **m)).collect();
    match fitting[..] {
        [] => Err("illegal"),
        [m] => Ok(*m),
        _ => Err("ambiguous"),
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
