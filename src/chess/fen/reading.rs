//! The reader of FEN text. There is no other.
//!
//! It goes through all six fields whatever it finds, so that every fault is told at once. Where
//! something is wrong but can only be meant in one way, it reads what was meant, so that a repair
//! can be offered; a [`Fen`](super::Fen) comes of it only if nothing was wrong.

use std::borrow::Cow;

use shakmaty::{Board, Color, File, Piece, Rank, Setup, Square};

use super::{
    fault::{FaultClass, FaultKind, FenFault, FenField, Forgiven},
    legality::may_castle,
};

/// So many faults of one FEN are told. A megabyte of something else would have a million.
const MAX_FAULTS: usize = 64;

/// So many characters of a word are told.
const MAX_FOUND: usize = 24;

const PIECES: &str = "one of PNBRQKpnbrqk, a digit 1 to 8, or /";

/// Whether it is known what was meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Repair {
    /// Nothing had to be put right.
    NotNeeded,
    /// Everything that was wrong was put right, in the only way there is.
    Done,
    /// Nobody can know what was meant.
    Unknown,
}

impl Repair {
    pub(super) fn is_certain(self) -> bool {
        self == Self::Done
    }
}

/// A word of the text, and the byte it begins at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word<'t> {
    pub(super) at: usize,
    pub(super) text: &'t str,
}

/// A FEN as far as it was read.
pub(super) struct Draft<'t> {
    text: &'t str,
    words: [Word<'t>; 6],
    /// What was read, and where that is wrong, what was meant.
    pub(super) setup: Setup,
    pub(super) faults: Vec<FenFault>,
    /// How many faults were too many to be told.
    pub(super) omitted: usize,
    pub(super) forgiven: Vec<Forgiven>,
    pub(super) repair: Repair,
    /// By field: whether it could not be read, and nobody can know what was meant.
    is_dark: [bool; 6],
}

/// The text as characters. What is not UTF-8 becomes a character that no FEN has.
pub(super) fn decode(text: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(text)
}

impl<'t> Draft<'t> {
    pub(super) fn read(text: &'t str) -> Self {
        let mut draft = Self {
            text,
            words: [Word { at: text.trim_end().len(), text: "" }; 6],
            setup: Setup::empty(),
            faults: Vec::new(),
            omitted: 0,
            forgiven: Vec::new(),
            repair: Repair::NotNeeded,
            is_dark: [false; 6],
        };
        let (count, trailing) = draft.split();
        draft.placement();
        draft.put_missing_field_right(count);
        draft.side();
        draft.castling();
        draft.en_passant();
        draft.counters();
        if let Some(word) = trailing {
            let found = quoted(word.text);
            // A number may belong to the one before it.
            let is_apart = !word.text.starts_with(|c: char| c.is_ascii_digit());
            draft.fault(
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

    /// Cuts the text into its fields; gives how many words there are, and the first behind the fields.
    fn split(&mut self) -> (usize, Option<Word<'t>>) {
        let (text, mut count, mut end) = (self.text, 0, 0);
        let mut trailing = None;
        for word in text.split(is_blank).filter(|word| !word.is_empty()) {
            let at = word.as_ptr() as usize - text.as_ptr() as usize;
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

    /// `w KQkq 0 1` and `w - 0 1` lack a dash, and the counters stand a field too early.
    fn put_missing_field_right(&mut self, count: usize) {
        let [_, _, third, fourth, fifth, _] = self.words;
        if count <= 5 && is_number(fourth.text) {
            (self.words[4], self.words[5]) = (fourth, fifth);
            self.words[3] = Word { at: fourth.at, text: "" };
            let expected = "- or a square such as e3, before the move counters";
            let found = quoted(fourth.text);
            // A dash may be the field that is left, a dash or another letter among KQkq the slip that
            // took the blank away, and one number alone that of the move.
            let letters = third.text.trim_end_matches(is_dash);
            let is_castling = match letters {
                "" => !may_castle(&self.setup),
                _ if letters.len() < third.text.len() => {
                    letters.bytes().all(|letter| b"KQkq".contains(&letter))
                }
                _ => true,
            };
            let is_certain = is_castling && (count == 5 || fourth.text == "0");
            self.fault(
                if is_certain { Repair::Done } else { Repair::Unknown },
                FaultKind::MissingField,
                FenField::EnPassant,
                fourth.at,
                found,
                expected,
            );
        }
    }

    pub(super) fn word(&self, field: FenField) -> Word<'t> {
        self.words[field as usize]
    }

    /// Tells a fault. `repair` says whether it was put right; what is only odd may stay.
    pub(super) fn fault(
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
        self.is_dark[field as usize] |=
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

    /// Whether it is known what these fields say, by reading or by repair.
    pub(super) fn knows(&self, fields: &[FenField]) -> bool {
        fields.iter().all(|field| !self.is_dark[*field as usize])
    }

    /// Whether the text could be read.
    pub(super) fn is_readable(&self) -> bool {
        self.faults.iter().all(|fault| fault.class() != FaultClass::Syntax)
    }

    fn placement(&mut self) {
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
            self.rank(count, rank, start);
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
            match board_without_slashes(text) {
                Some(board) => self.setup.board = board,
                None => {
                    self.repair = Repair::Unknown;
                    self.is_dark[FenField::Placement as usize] = true;
                }
            }
        }
    }

    /// Reads a rank, the eighth first, that begins at a byte of the text.
    fn rank(&mut self, index: usize, text: &str, start: usize) {
        let (mut files, mut overflow) = (0, None);
        let (mut is_strange, mut after_digit) = (false, false);
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
                        is_strange = true;
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
        if files != 8 && !is_strange && index < 8 {
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

    fn side(&mut self) {
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
                    self.fault(Repair::Done, kind, field, at, quoted(text), expected);
                } else {
                    self.fault(Repair::Unknown, kind, field, at, quoted(text), expected);
                }
            }
        }
    }

    /// A field is missing that cannot be guessed.
    fn missing(&mut self, field: FenField, expected: &'static str) {
        // Where there is no FEN at all, that was said already.
        if !self.word(FenField::Placement).text.is_empty() {
            let at = self.word(field).at;
            self.fault(
                Repair::Unknown,
                FaultKind::MissingField,
                field,
                at,
                "nothing".to_owned(),
                expected,
            );
        }
    }

    fn castling(&mut self) {
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
                // KQkq: White first, from the h-file on.
                let order = Some((rook.rank() as u8, 7 - rook.file() as u8));
                if order <= last {
                    self.forgive(Forgiven::CastlingOrder);
                }
                last = last.max(order);
                self.setup.castling_rights.add(rook);
            } else {
                let (kind, found) = (FaultKind::CastlingLetter, format!("{c:?}"));
                self.fault(Repair::Unknown, kind, field, at + offset, found, expected);
            }
        }
    }

    fn en_passant(&mut self) {
        let Word { at, text } = self.word(FenField::EnPassant);
        let (kind, field) = (FaultKind::EnPassantText, FenField::EnPassant);
        let expected = "- or a square such as e3";
        if text == "-" {
        } else if text.is_empty() {
            let is_told = self.faults.iter().any(|fault| fault.field == field);
            if !is_told {
                self.missing(field, expected);
            }
        } else if text.chars().all(is_dash) {
            self.forgive(Forgiven::Dash);
        } else if let Ok(square) = Square::from_ascii(text.as_bytes()) {
            self.setup.ep_square = Some(square);
        } else if let Ok(square) = Square::from_ascii(text.to_ascii_lowercase().as_bytes()) {
            self.setup.ep_square = Some(square);
            self.fault(Repair::Done, kind, field, at, quoted(text), expected);
        } else {
            self.fault(Repair::Unknown, kind, field, at, quoted(text), expected);
        }
    }

    fn counters(&mut self) {
        let halfmoves = self.counter(FenField::Halfmoves, 0);
        let fullmoves = self.counter(FenField::Fullmoves, 1);
        self.setup.halfmoves = halfmoves;
        match fullmoves.try_into() {
            Ok(number) => self.setup.fullmoves = number,
            Err(_) => {
                let at = self.word(FenField::Fullmoves).at;
                let (kind, found) = (FaultKind::MoveNumberZero, "0".to_owned());
                self.fault(Repair::Unknown, kind, FenField::Fullmoves, at, found, "1 or more");
            }
        }
    }

    fn counter(&mut self, field: FenField, usual: u32) -> u32 {
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
            // Dashes for both say that nobody has counted.
            self.fault(Repair::Done, kind, field, at, quoted(text), expected);
        } else if let (true, Ok(number)) = (is_number(text), text.parse()) {
            return number;
        } else {
            let digits = text.bytes().take_while(u8::is_ascii_digit).count();
            let at = if digits == text.len() { at } else { at + digits };
            self.fault(Repair::Unknown, kind, field, at, quoted(text), expected);
        }
        usual
    }
}

/// Blanks, those of books among them, and a byte order mark.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

/// The dashes of books: hyphens, en dash, em dash, minus.
fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

fn ranks(text: &str) -> String {
    let count = text.split('/').count();
    format!("{count} rank{}", plural(count))
}

/// A word in quotes, or as much of it as anybody wants to see.
pub(super) fn quoted(word: &str) -> String {
    let mut chars = word.chars();
    match (chars.next(), chars.next()) {
        (None, _) => "nothing".to_owned(),
        (Some(c), None) => format!("{c:?}"),
        _ => match word.char_indices().nth(MAX_FOUND) {
            Some((end, _)) => format!("{:?}...", &word[..end]),
            None => format!("{word:?}"),
        },
    }
}

/// The square of the rook that a castling letter speaks of.
fn rook_of(letter: char) -> Option<Square> {
    let rank = if letter.is_ascii_uppercase() { Rank::First } else { Rank::Eighth };
    let file = match letter.to_ascii_lowercase() {
        'k' => File::H,
        'q' => File::A,
        file => File::from_char(file)?,
    };
    Some(Square::from_coords(file, rank))
}

/// The only board that a placement can mean whose slashes are missing or too many: one whose
/// symbols fill 64 squares, none of them lying across the edge.
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

/// The byte of the placement that puts a piece on a square.
pub(super) fn place_of(placement: &str, square: Square) -> Option<usize> {
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
