//! Field 1 of a FEN: the placement of the pieces.

use shakmaty::{Board, Piece, Square};

use super::{
    draft::{Draft, Repair, Word},
    fault::{FaultKind, FenField, Forgiven},
};

const PIECES: &str = "one of PNBRQKpnbrqk, a digit 1 to 8, or /";

impl Draft<'_> {
    /// Reads the placement.
    pub(super) fn read_placement(&mut self) {
        let Word { at, text } = self.word(FenField::Placement);
        if text.is_empty() {
            let found = "nothing".to_owned();
            return self.fault(
                Repair::Unknown,
                FaultKind::NoText,
                FenField::Placement,
                at,
                found,
                "a FEN",
            );
        }
        let before = self.faults.len();
        let (mut start, mut count) = (at, 0);
        for rank in text.split('/') {
            self.read_rank(count, rank, start);
            start += rank.len() + 1;
            count += 1;
            if count == 9 {
                let (found, field) = (ranks(text), FenField::Placement);
                self.fault(
                    Repair::Done,
                    FaultKind::RankCount,
                    field,
                    start - rank.len() - 2,
                    found,
                    "8 ranks",
                );
            }
        }
        if count < 8 {
            let (found, end) = (ranks(text), at + text.len());
            self.fault(
                Repair::Done,
                FaultKind::RankCount,
                FenField::Placement,
                end,
                found,
                "8 ranks",
            );
        }
        if self.faults.len() > before {
            match board_without_slashes(text).or_else(|| board_with_empty_ranks(text)) {
                Some(board) => self.setup.board = board,
                None => {
                    self.repair = Repair::Unknown;
                    self.is_unknown[FenField::Placement as usize] = true;
                }
            }
        }
    }

    /// Reads a rank that begins at byte `start` of the text. Index 0 is the eighth rank.
    fn read_rank(&mut self, index: usize, text: &str, start: usize) {
        let (mut files, mut overflow) = (0, None);
        let (mut has_fault, mut after_digit) = (false, false);
        for (at, c) in text.char_indices() {
            let is_digit = matches!(c, '1'..='8');
            if let ('1'..='8', Some(digit)) = (c, c.to_digit(10)) {
                files += digit as usize;
                if std::mem::replace(&mut after_digit, true) {
                    self.forgive(Forgiven::SplitDigits);
                }
            } else {
                match Piece::from_char(c) {
                    Some(piece) if index < 8 && files < 8 => {
                        let square = Square::new(((7 - index) * 8 + files) as u32);
                        self.setup.board.set_piece_at(square, piece);
                    }
                    Some(_) => {}
                    None => {
                        has_fault = true;
                        let (kind, found) = (FaultKind::PlacementLetter, format!("{c:?}"));
                        self.fault(
                            Repair::Done,
                            kind,
                            FenField::Placement,
                            start + at,
                            found,
                            PIECES,
                        );
                    }
                }
                files += 1;
            }
            after_digit = is_digit;
            if files > 8 {
                overflow.get_or_insert(at);
            }
        }
        if files != 8 && !has_fault && index < 8 {
            let found = format!("{files} square{} in rank {}", plural(files), 8 - index);
            let at = start + overflow.unwrap_or(text.len());
            self.fault(
                Repair::Done,
                FaultKind::RankLength,
                FenField::Placement,
                at,
                found,
                "8 squares",
            );
        }
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

fn ranks(text: &str) -> String {
    let count = text.split('/').count();
    format!("{count} rank{}", plural(count))
}

/// The only board that a placement with missing or surplus slashes can mean: one whose symbols fill
/// 64 squares, with no number that crosses the edge of the board.
fn board_without_slashes(text: &str) -> Option<Board> {
    let (mut board, mut count) = (Board::empty(), 0_usize);
    for c in text.chars().filter(|c| *c != '/') {
        let width = match c {
            '1'..='8' => c.to_digit(10)? as usize,
            _ => {
                let piece = Piece::from_char(c)?;
                let square = Square::try_from(u32::try_from(count).ok()? ^ 56).ok()?;
                board.set_piece_at(square, piece);
                1
            }
        };
        if count % 8 + width > 8 {
            return None;
        }
        count += width;
    }
    (count == 64).then_some(board)
}

/// The board of a placement in which nothing stands for an empty rank (`8//8`).
fn board_with_empty_ranks(text: &str) -> Option<Board> {
    let ranks: Vec<&str> = text.split('/').collect();
    let is_some = ranks.iter().any(|rank| !rank.is_empty());
    let ranks: Vec<&str> =
        ranks.into_iter().map(|rank| if rank.is_empty() { "8" } else { rank }).collect();
    // What is written must be whole, so that nothing else can be meant.
    let is_whole = |rank: &&str| {
        let widths = rank.chars().map(|c| match c {
            '1'..='8' => c.to_digit(10),
            _ => Piece::from_char(c).map(|_| 1),
        });
        widths.sum::<Option<u32>>() == Some(8)
    };
    let is_board = is_some && ranks.len() == 8 && ranks.iter().all(is_whole);
    is_board.then(|| board_without_slashes(&ranks.concat())).flatten()
}

/// The byte of the placement that stands for the piece on a square.
pub(super) fn offset_of(placement: &str, square: Square) -> Option<usize> {
    let mut at_square = 0_usize;
    for (at, c) in placement.char_indices() {
        match c {
            '/' => {}
            '1'..='8' => at_square += c.to_digit(10)? as usize,
            _ if at_square ^ 56 == square as usize => return Some(at),
            _ => at_square += 1,
        }
    }
    None
}
