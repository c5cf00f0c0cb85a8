//! The reader of FEN text; there is no other. A draft holds what was read so far, and the faults.
//!
//! Reading goes through all six fields despite faults, so that one run reports all of them.
//! Where something is wrong but can only be meant in one way, the draft holds what was meant, so
//! that a repair can be offered.

use std::borrow::Cow;

use shakmaty::{Board, Color, File, Piece, Rank, Setup, Square};

use super::fault::{FaultClass, FaultKind, FenFault, FenField, Forgiven};
use super::rights::may_castle;
use crate::quoted::{Quoted, counted};
use crate::{chess::notation::is_dash, subslice::range_in};

/// The most faults kept of one FEN. A megabyte of something else would have a million.
const MAX_FAULTS: usize = 64;

/// The most characters of a word that a fault quotes.
const MAX_FOUND: usize = 24;

/// Whether it is certain what was meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Repair {
    /// Nothing had to be repaired.
    NotNeeded,
    /// Everything that was wrong was repaired, in the only way there is.
    Done,
    /// Nobody can know what was meant.
    Unknown,
}

/// A word of the text, and the byte it begins at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word<'t> {
    pub(super) at: usize,
    pub(super) text: &'t str,
}

/// A FEN, as far as it has been read.
pub(super) struct Draft<'t> {
    pub(super) text: &'t str,
    /// The six fields; those that are missing are empty.
    pub(super) words: [Word<'t>; 6],
    /// What was read, and where that is wrong, what was meant.
    pub(super) setup: Setup,
    pub(super) faults: Vec<FenFault>,
    /// The number of faults beyond the most that are kept.
    pub(super) omitted: usize,
    pub(super) forgiven: Vec<Forgiven>,
    pub(super) repair: Repair,
    /// By field: whether it could not be read, and what was meant is unknown.
    is_unknown: [bool; 6],
}

/// The text as characters. What is not UTF-8 becomes a character that no FEN has.
pub(super) fn decode(text: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(text)
}

impl<'t> Draft<'t> {
    pub(super) fn word(&self, field: FenField) -> Word<'t> {
        self.words[field as usize]
    }

    /// Records a fault that was not repaired: nobody can know what was meant.
    pub(super) fn fault(
        &mut self,
        kind: FaultKind,
        field: FenField,
        at: usize,
        found: String,
        expected: impl Into<Cow<'static, str>>,
    ) {
        self.record(Repair::Unknown, kind, field, at, found, expected);
    }

    /// Records a fault that was repaired, in the only way there is.
    pub(super) fn repaired(
        &mut self,
        kind: FaultKind,
        field: FenField,
        at: usize,
        found: String,
        expected: impl Into<Cow<'static, str>>,
    ) {
        self.record(Repair::Done, kind, field, at, found, expected);
    }

    /// Records a fault. What is only odd may stay as it is.
    fn record(
        &mut self,
        repair: Repair,
        kind: FaultKind,
        field: FenField,
        at: usize,
        found: String,
        expected: impl Into<Cow<'static, str>>,
    ) {
        if repair == Repair::Done || kind.class() != FaultClass::Odd {
            self.repair = self.repair.max(repair);
        }
        self.is_unknown[field as usize] |=
            repair == Repair::Unknown && kind.class() == FaultClass::Syntax;
        if self.faults.len() < MAX_FAULTS {
            let column = self.text[..at].chars().count() + 1;
            let (found, expected) = (found.into(), expected.into());
            self.faults.push(FenFault { kind, field, column, found, expected });
        } else {
            self.omitted += 1;
        }
    }

    fn forgive(&mut self, what: Forgiven) {
        if !self.forgiven.contains(&what) {
            self.forgiven.push(what);
        }
    }

    /// Whether the values of these fields are known, from reading or from repair.
    pub(super) fn knows(&self, fields: &[FenField]) -> bool {
        fields.iter().all(|field| !self.is_unknown[*field as usize])
    }

    /// Whether the text could be read.
    pub(super) fn is_readable(&self) -> bool {
        self.faults.iter().all(|fault| fault.class() != FaultClass::Syntax)
    }
}

/// A word in quotes, or as much of it as fits in a message.
pub(super) fn quoted(word: &str) -> String {
    let mut chars = word.chars();
    match (chars.next(), chars.next()) {
        (None, _) => "nothing".to_owned(),
        (Some(c), None) => Quoted(c).to_string(),
        _ => match word.char_indices().nth(MAX_FOUND) {
            Some((end, _)) => format!("{}...", Quoted(&word[..end])),
            None => Quoted(word).to_string(),
        },
    }
}

impl<'t> Draft<'t> {
    /// Reads all fields of the text.
    pub(super) fn read(text: &'t str) -> Self {
        let mut draft = Self {
            text,
            words: [Word { at: text.trim_end().len(), text: "" }; 6],
            setup: Setup::empty(),
            faults: Vec::new(),
            omitted: 0,
            forgiven: Vec::new(),
            repair: Repair::NotNeeded,
            is_unknown: [false; 6],
        };
        let (count, trailing) = draft.split();
        draft.read_placement();
        draft.repair_missing_field(count);
        draft.read_side();
        draft.read_castling();
        draft.read_en_passant();
        draft.read_counters();
        if let Some(word) = trailing {
            let found = quoted(word.text);
            // A number may belong to the one before it.
            let is_apart = !word.text.starts_with(|c: char| c.is_ascii_digit());
            draft.record(
                if is_apart { Repair::Done } else { Repair::Unknown },
                FaultKind::Trailing,
                FenField::Fullmoves,
                word.at,
                found,
                "the end",
            );
        }
        draft
    }

    /// Splits the text into its fields. Returns the number of words, and the first word after the
    /// sixth.
    fn split(&mut self) -> (usize, Option<Word<'t>>) {
        let (text, mut count, mut end) = (self.text, 0, 0);
        let mut trailing = None;
        for word in text.split(is_blank).filter(|word| !word.is_empty()) {
            let at = range_in(word.as_bytes(), text.as_bytes()).start;
            if at != end + usize::from(count > 0) {
                self.forgive(Forgiven::Blanks);
            }
            end = at + word.len();
            match self.words.get_mut(count) {
                Some(field) => *field = Word { at, text: word },
                None => trailing = trailing.or(Some(Word { at, text: word })),
            }
            count += 1;
        }
        if end < text.len() && count > 0 {
            self.forgive(Forgiven::Blanks);
        }
        (count, trailing)
    }

    /// Handles `w KQkq 0 1` and `w - 0 1`: the en passant field is missing, and the counters stand
    /// a field too early.
    fn repair_missing_field(&mut self, count: usize) {
        let [_, _, third, fourth, fifth, _] = self.words;
        if count <= 5 && is_number(fourth.text) {
            (self.words[4], self.words[5]) = (fourth, fifth);
            self.words[3] = Word { at: fourth.at, text: "" };
            let expected = "- or a square such as e3, before the move counters";
            let found = quoted(fourth.text);
            // Three readings make the repair uncertain. A single dash may be the en passant field,
            // if the castling field is the missing one. A dash or another letter after KQkq may be
            // a slip for the blank. A single number may be that of the move.
            let letters = third.text.trim_end_matches(is_dash);
            let is_castling = match letters {
                "" => !may_castle(&self.setup),
                _ if letters.len() < third.text.len() => {
                    letters.bytes().all(|letter| b"KQkq".contains(&letter))
                }
                _ => true,
            };
            let is_certain = is_castling && (count == 5 || fourth.text == "0");
            self.record(
                if is_certain { Repair::Done } else { Repair::Unknown },
                FaultKind::MissingField,
                FenField::EnPassant,
                fourth.at,
                found,
                expected,
            );
        }
    }

    fn read_side(&mut self) {
        let Word { at, text } = self.word(FenField::Side);
        let (kind, field, expected) = (FaultKind::SideLetter, FenField::Side, "w or b");
        match text {
            "w" => self.setup.turn = Color::White,
            "b" => self.setup.turn = Color::Black,
            "" => self.missing(field, expected),
            _ => {
                let is = |name: &str| text.eq_ignore_ascii_case(name);
                if is("w") || is("white") || is("b") || is("black") {
                    self.setup.turn = Color::from_white(text.starts_with(['w', 'W']));
                    self.repaired(kind, field, at, quoted(text), expected);
                } else {
                    self.fault(kind, field, at, quoted(text), expected);
                }
            }
        }
    }

    /// Records that a field is missing which cannot be guessed.
    fn missing(&mut self, field: FenField, expected: &'static str) {
        // If there is no FEN at all, that has been recorded.
        if !self.word(FenField::Placement).text.is_empty() {
            let at = self.word(field).at;
            self.fault(FaultKind::MissingField, field, at, "nothing".to_owned(), expected);
        }
    }

    fn read_castling(&mut self) {
        let Word { at, text } = self.word(FenField::Castling);
        let (field, expected) = (FenField::Castling, "- or letters of KQkq");
        match text {
            "-" => return,
            "" => return self.missing(field, expected),
            _ if text.chars().all(is_dash) => return self.forgive(Forgiven::Dash),
            _ => {}
        }
        let mut last = None;
        for (offset, c) in text.char_indices() {
            if is_dash(c) {
                self.forgive(Forgiven::DashAmongLetters);
            } else if let Some(rook) = rook_of(c) {
                if !matches!(c, 'K' | 'Q' | 'k' | 'q') {
                    self.forgive(Forgiven::RookFiles);
                }
                // The order KQkq: White first, and the h-file first.
                let order = Some((rook.rank() as u8, 7 - rook.file() as u8));
                if self.setup.castling_rights.contains(rook) {
                    self.forgive(Forgiven::CastlingRepeated);
                } else if order < last {
                    self.forgive(Forgiven::CastlingOrder);
                }
                last = last.max(order);
                self.setup.castling_rights.add(rook);
            } else {
                let (kind, found) = (FaultKind::CastlingLetter, Quoted(c).to_string());
                self.fault(kind, field, at + offset, found, expected);
            }
        }
    }

    fn read_en_passant(&mut self) {
        let Word { at, text } = self.word(FenField::EnPassant);
        let (kind, field) = (FaultKind::EnPassantText, FenField::EnPassant);
        let expected = "- or a square such as e3";
        if text == "-" {
        } else if text.is_empty() {
            let is_reported = self.faults.iter().any(|fault| fault.field == field);
            if !is_reported {
                self.missing(field, expected);
            }
        } else if text.chars().all(is_dash) {
            self.forgive(Forgiven::Dash);
        } else if let Ok(square) = Square::from_ascii(text.as_bytes()) {
            self.setup.ep_square = Some(square);
        } else if let Ok(square) = Square::from_ascii(text.to_ascii_lowercase().as_bytes()) {
            self.setup.ep_square = Some(square);
            self.repaired(kind, field, at, quoted(text), expected);
        } else {
            self.fault(kind, field, at, quoted(text), expected);
        }
    }

    fn read_counters(&mut self) {
        let halfmoves = self.read_counter(FenField::Halfmoves, 0);
        let fullmoves = self.read_counter(FenField::Fullmoves, 1);
        self.setup.halfmoves = halfmoves;
        match fullmoves.try_into() {
            Ok(number) => self.setup.fullmoves = number,
            Err(_) => {
                let at = self.word(FenField::Fullmoves).at;
                let (kind, found) = (FaultKind::MoveNumberZero, "0".to_owned());
                self.fault(kind, FenField::Fullmoves, at, found, "1 or more");
            }
        }
    }

    fn read_counter(&mut self, field: FenField, default: u32) -> u32 {
        let Word { at, text } = self.word(field);
        let (kind, expected) = (FaultKind::CounterText, "a number below 2^32");
        let counters = [FenField::Halfmoves, FenField::Fullmoves];
        if text.is_empty() {
            if !self.forgiven.contains(&Forgiven::NoCounters)
                && !self.word(FenField::EnPassant).text.is_empty()
            {
                let is_first = field == FenField::Halfmoves;
                self.forgive(if is_first { Forgiven::NoCounters } else { Forgiven::NoMoveNumber });
            }
        } else if counters.iter().all(|f| self.word(*f).text.chars().all(is_dash)) {
            // Dashes for both counters mean that nobody counted.
            self.repaired(kind, field, at, quoted(text), expected);
        } else if let (true, Ok(number)) = (is_number(text), text.parse()) {
            if text.len() > 1 && text.starts_with('0') {
                self.forgive(Forgiven::LeadingZeros);
            }
            return number;
        } else {
            let digits = text.bytes().take_while(u8::is_ascii_digit).count();
            let at = if digits == text.len() { at } else { at + digits };
            self.fault(kind, field, at, quoted(text), expected);
        }
        default
    }
}

/// Whether it separates fields: any Unicode blank, or a byte order mark.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// The square of the rook that a castling letter names.
pub(super) fn rook_of(letter: char) -> Option<Square> {
    let rank = if letter.is_ascii_uppercase() { Rank::First } else { Rank::Eighth };
    let file = match letter.to_ascii_lowercase() {
        'k' => File::H,
        'q' => File::A,
        file => File::from_char(file)?,
    };
    Some(Square::from_coords(file, rank))
}

const PIECES: &str = "one of PNBRQKpnbrqk, a digit 1 to 8, or /";

impl Draft<'_> {
    /// Reads the placement.
    fn read_placement(&mut self) {
        let Word { at, text } = self.word(FenField::Placement);
        if text.is_empty() {
            let found = "nothing".to_owned();
            return self.fault(FaultKind::NoText, FenField::Placement, at, found, "a FEN");
        }
        let before = self.faults.len();
        let (mut start, mut count) = (at, 0);
        for rank in text.split('/') {
            self.read_rank(count, rank, start);
            start += rank.len() + 1;
            count += 1;
            if count == 9 {
                let (found, field) = (ranks(text), FenField::Placement);
                self.repaired(
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
            self.repaired(FaultKind::RankCount, FenField::Placement, end, found, "8 ranks");
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
                        let (kind, found) = (FaultKind::PlacementLetter, Quoted(c).to_string());
                        self.repaired(kind, FenField::Placement, start + at, found, PIECES);
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
            let found = format!("{} in rank {}", counted(files, "square"), 8 - index);
            let at = start + overflow.unwrap_or(text.len());
            self.repaired(FaultKind::RankLength, FenField::Placement, at, found, "8 squares");
        }
    }
}

fn ranks(text: &str) -> String {
    let count = text.split('/').count();
    counted(count, "rank")
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
