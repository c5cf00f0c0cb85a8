//! The reader of FEN text: its fields, one after the other. There is no other reader.

use shakmaty::{Color, File, Rank, Square};

use super::{
    castling::may_castle,
    draft::{Draft, Repair, Word, quoted},
    fault::{FaultKind, FenField, Forgiven},
};
use crate::subslice::range_in;

impl<'t> Draft<'t> {
    /// Reads all fields of the text.
    pub(super) fn read(text: &'t str) -> Self {
        let mut draft = Self::new(text);
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
                    self.fault(Repair::Done, kind, field, at, quoted(text), expected);
                } else {
                    self.fault(Repair::Unknown, kind, field, at, quoted(text), expected);
                }
            }
        }
    }

    /// Records that a field is missing which cannot be guessed.
    fn missing(&mut self, field: FenField, expected: &'static str) {
        // If there is no FEN at all, that has been recorded.
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
                let (kind, found) = (FaultKind::CastlingLetter, format!("{c:?}"));
                self.fault(Repair::Unknown, kind, field, at + offset, found, expected);
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
            self.fault(Repair::Done, kind, field, at, quoted(text), expected);
        } else {
            self.fault(Repair::Unknown, kind, field, at, quoted(text), expected);
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
                self.fault(Repair::Unknown, kind, FenField::Fullmoves, at, found, "1 or more");
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
            self.fault(Repair::Done, kind, field, at, quoted(text), expected);
        } else if let (true, Ok(number)) = (is_number(text), text.parse()) {
            if text.len() > 1 && text.starts_with('0') {
                self.forgive(Forgiven::LeadingZeros);
            }
            return number;
        } else {
            let digits = text.bytes().take_while(u8::is_ascii_digit).count();
            let at = if digits == text.len() { at } else { at + digits };
            self.fault(Repair::Unknown, kind, field, at, quoted(text), expected);
        }
        default
    }
}

/// Whether it separates fields: any Unicode blank, or a byte order mark.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

/// Whether it is a dash: hyphens, en dash, em dash, minus.
fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// The square of the rook that a castling letter names.
fn rook_of(letter: char) -> Option<Square> {
    let rank = if letter.is_ascii_uppercase() { Rank::First } else { Rank::Eighth };
    let file = match letter.to_ascii_lowercase() {
        'k' => File::H,
        'q' => File::A,
        file => File::from_char(file)?,
    };
    Some(Square::from_coords(file, rank))
}
