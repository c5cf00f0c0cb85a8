//! Finds out why a word that has the form of a move cannot be played.

use shakmaty::{Bitboard, CastlingSide, Chess, File, Piece, Position, Rank, Role, Square, attacks};

use super::fault::{CastlingFault, TypedFault};
use super::language::Language;
use crate::chess::san::{Word, legal_moves_meant};

/// Returns why a word with the form of a move means no legal move.
pub(super) fn why_not(position: &Chess, word: Word, language: Language) -> TypedFault {
    match word {
        Word::Null => TypedFault::Null,
        Word::Castle(wing) => {
            let why = why_no_castling(position, wing).unwrap_or(CastlingFault::NoRight);
            TypedFault::NoCastling { color: position.turn(), wing, why }
        }
        Word::Piece { role, file, rank, to, promotion } => {
            let within = file.map_or(Bitboard::FULL, Bitboard::from)
                & rank.map_or(Bitboard::FULL, Bitboard::from);
            let why = Why { position, word, within, to, promotion, language };
            match (role, within.single_square()) {
                (None, Some(from)) => why.not_from(from),
                (None, None) => why.not_by(Role::Pawn),
                (Some(role), _) => why.not_by(role),
            }
        }
    }
}

/// A move that cannot be played, while the reason is looked for.
struct Why<'p> {
    position: &'p Chess,
    word: Word,
    /// The squares that the word allows as origin.
    within: Bitboard,
    to: Square,
    promotion: Option<Role>,
    /// The language of the piece letters.
    language: Language,
}

impl Why<'_> {
    fn not_from(&self, from: Square) -> TypedFault {
        match self.position.board().piece_at(from) {
            None => TypedFault::EmptyOrigin(from),
            Some(piece) if piece.color != self.position.turn() => {
                if self.is_move_of_other_side() {
                    return TypedFault::WrongSide(self.position.turn());
                }
                TypedFault::NotYours { piece, on: from }
            }
            Some(piece) => self.not_by(piece.role),
        }
    }

    fn not_by(&self, role: Role) -> TypedFault {
        let board = self.position.board();
        let color = self.position.turn();
        let piece = role.of(color);
        let own = board.by_piece(piece) & self.within;
        if self.is_move_of_other_side() && self.reaching(piece, own).is_empty() {
            return TypedFault::WrongSide(color);
        }
        let is_push = role == Role::Pawn && (self.within & self.to.file()).any();
        if own.is_empty() && !(is_push && board.piece_at(self.to).is_some()) {
            return TypedFault::NoPiece { piece, within: self.within };
        }
        match board.piece_at(self.to) {
            Some(there) if there.color == color => {
                return TypedFault::OwnPiece { piece: there, on: self.to };
            }
            Some(blocker) if role == Role::Pawn && self.is_straight() => {
                return TypedFault::PawnBlocked { blocker, at: self.to };
            }
            _ => {}
        }
        let reaching = self.reaching(piece, own);
        if let Some(from) = reaching.first() {
            return self.why_illegal(piece, from);
        }
        self.why_unreachable(piece, own)
    }

    /// Whether a pawn move is a push: without a file, or with that of its target.
    fn is_straight(&self) -> bool {
        self.within == Bitboard::FULL || (self.within & self.to.file()).any()
    }

    fn is_move_of_other_side(&self) -> bool {
        let other = self.position.clone().swap_turn();
        other.is_ok_and(|other| !legal_moves_meant(&other, self.word).is_empty())
    }

    /// The own pieces that reach the target as they move, whether their king is attacked then or
    /// not.
    fn reaching(&self, piece: Piece, own: Bitboard) -> Bitboard {
        let board = self.position.board();
        let (to, occupied) = (self.to, board.occupied());
        if piece.role != Role::Pawn {
            return own & attacks::attacks(to, piece, occupied);
        }
        let back = piece.color.fold_wb(-8, 8);
        let takes = board.by_color(!piece.color).contains(to)
            || self.position.maybe_ep_square() == Some(to);
        let mut reaching = Bitboard::EMPTY;
        if takes && self.within != Bitboard::FULL {
            reaching |= attacks::pawn_attacks(!piece.color, to);
        }
        if !occupied.contains(to)
            && let Some(one) = to.offset(back)
        {
            reaching.add(one);
            let home = piece.color.fold_wb(Rank::Second, Rank::Seventh);
            if let Some(two) = one.offset(back).filter(|two| two.rank() == home)
                && !occupied.contains(one)
            {
                reaching.add(two);
            }
        }
        own & reaching
    }

    /// Why a piece that reaches the target must not go there.
    fn why_illegal(&self, piece: Piece, from: Square) -> TypedFault {
        let board = self.position.board();
        let last = piece.color.fold_wb(Rank::Eighth, Rank::First);
        let promotes = piece.role == Role::Pawn && self.to.rank() == last;
        match self.promotion {
            None if promotes => return TypedFault::NoPromotion(self.to, self.language),
            Some(Role::King | Role::Pawn) => return TypedFault::WrongPromotion(self.language),
            Some(_) if !promotes => return TypedFault::WrongPromotion(self.language),
            _ => {}
        }
        let Some(king) = board.king_of(piece.color) else {
            return TypedFault::NoPiece { piece: piece.color.king(), within: Bitboard::FULL };
        };
        let mut after = board.clone();
        after.discard_piece_at(from);
        if piece.role == Role::Pawn
            && !board.occupied().contains(self.to)
            && from.file() != self.to.file()
        {
            after.discard_piece_at(Square::from_coords(self.to.file(), from.rank()));
        }
        after.set_piece_at(self.to, piece);
        let is_king = piece.role == Role::King;
        let square = if is_king { self.to } else { king };
        let attackers = after.attacks_to(square, !piece.color, after.occupied());
        let attacker = attackers.first().and_then(|at| Some((at, board.piece_at(at)?)));
        match attacker {
            Some((at, checker)) if is_king => TypedFault::IntoCheck { to: self.to, checker, at },
            Some((at, checker)) if self.position.checkers().contains(at) => {
                TypedFault::LeftInCheck { king, checker, at }
            }
            Some((at, pinner)) => TypedFault::Pinned { piece, from, king, pinner, at },
            None => self.why_unreachable(piece, Bitboard::from_square(from)),
        }
    }

    /// Why none of the own pieces reaches the target.
    fn why_unreachable(&self, piece: Piece, own: Bitboard) -> TypedFault {
        let board = self.position.board();
        let to = self.to;
        if piece.role == Role::Pawn {
            return self.why_no_pawn(piece, own);
        }
        for from in own & attacks::attacks(to, piece, Bitboard::EMPTY) {
            let between = attacks::between(from, to) & board.occupied();
            let nearest = between.into_iter().min_by_key(|at| at.distance(from));
            if let Some((at, blocker)) = nearest.and_then(|at| Some((at, board.piece_at(at)?))) {
                return TypedFault::Blocked { piece, from, to, blocker, at };
            }
        }
        TypedFault::Unreachable { piece, from: own, to }
    }

    fn why_no_pawn(&self, piece: Piece, own: Bitboard) -> TypedFault {
        let board = self.position.board();
        let to = self.to;
        let takes_from = own & attacks::pawn_attacks(!piece.color, to);
        if !self.is_straight() {
            if takes_from.any() {
                return TypedFault::NothingToTake(to);
            }
            return TypedFault::Unreachable { piece, from: own, to };
        }
        let back = piece.color.fold_wb(-8, 8);
        let home = piece.color.fold_wb(Rank::Second, Rank::Seventh);
        let one = to.offset(back);
        let two = one.and_then(|one| one.offset(back)).filter(|two| two.rank() == home);
        if let (Some(at), Some(from)) = (one, two.filter(|two| own.contains(*two)))
            && let Some(blocker) = board.piece_at(at)
        {
            return TypedFault::Blocked { piece, from, to, blocker, at };
        }
        let on_file = own & to.file();
        if on_file.is_empty() {
            let within = self.within & to.file();
            return TypedFault::NoPiece { piece, within };
        }
        TypedFault::Unreachable { piece, from: on_file, to }
    }
}

fn why_no_castling(position: &Chess, wing: CastlingSide) -> Option<CastlingFault> {
    let (board, color) = (position.board(), position.turn());
    let king = board.king_of(color)?;
    let home = Square::from_coords(File::E, wing.king_to(color).rank());
    if king != home {
        return Some(CastlingFault::NotAtHome { piece: color.king(), home });
    }
    let corner = if wing.is_king_side() { File::H } else { File::A };
    let corner = Square::from_coords(corner, home.rank());
    if board.piece_at(corner) != Some(color.rook()) {
        return Some(CastlingFault::NotAtHome { piece: color.rook(), home: corner });
    }
    position.castles().rook(color, wing)?;
    let path = position.castles().path(color, wing) & board.occupied();
    if let Some(at) = path.first() {
        return Some(CastlingFault::Blocked { blocker: board.piece_at(at)?, at });
    }
    if let Some(at) = position.checkers().first() {
        return Some(CastlingFault::InCheck { checker: board.piece_at(at)?, at });
    }
    let to = wing.king_to(color);
    attacks::between(king, to).with(to).into_iter().find_map(|square| {
        let at = board.attacks_to(square, !color, board.occupied().without(king)).first()?;
        Some(CastlingFault::Attacked { attacker: board.piece_at(at)?, at, square })
    })
}
