//! A position or a line as a person types it: the one reader of positions.

use super::trace::PlayedMove;
use crate::catalogue::{Catalogue, Line, Query};
use crate::chess::fen::{address_words, complete_fen, is_address, split_fen, unwrap_fen};
use crate::chess::{
    Chess, EnPassantMode, Epd, FaultClass, Fen, FenFault, FenReading, Forgiven, Language, Move,
    PositionKey, TypedFault,
};
use crate::pgn::{TypedError, play_typed};
use crate::{chess::epd::EpdFault, opening::EcoCode, subslice::range_in};

/// The position to look up: by itself, or at the end of a line. Text is tried in this order:
///
/// 1. a FEN or EPD of one to six fields, also in a tag or in an address of lichess or chess.com,
///    with or without moves after it;
/// 2. moves from the initial position, in any of the languages, with commas or underscores for
///    blanks;
/// 3. a code, such as `B90`, and then the name of an opening: their shortest line, and moves may
///    follow.
///
/// What was forgiven or chosen is among the [`notes`](Self::notes).
///
/// ```
/// use eco::classify::Question;
///
/// let najdorf: Question = "sicilian najdorf".parse()?;
/// assert_eq!(najdorf.moves().last().unwrap().to_string(), "5... a6");
/// let fault = "1.e4 e5 Nf4".parse::<Question>().unwrap_err();
/// assert_eq!(
///     fault.to_string(),
///     "'1.e4 e5 Nf4': column 9, move 2. Nf4: the white knights on b1 and g1 cannot go to f4"
/// );
/// # Ok::<(), eco::classify::QuestionFault>(())
/// ```
#[derive(Debug, Clone)]
pub struct Question {
    /// The positions from the start to the one in question.
    positions: Vec<Chess>,
    moves: Vec<PlayedMove>,
    made: Vec<Move>,
    /// The position that it begins in, if that was given.
    epd: Option<Epd>,
    notes: Vec<String>,
    correction: Option<String>,
}

/// Why text is neither a position nor a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QuestionFault {
    /// It looks like a FEN and is not one.
    #[error("FEN: {0}")]
    Fen(#[from] FenFault),
    /// The operations after a FEN cannot be read.
    #[error(transparent)]
    Operations(EpdFault),
    /// It begins with moves, and one of them cannot be played.
    #[error("'{text}': {fault}")]
    Moves {
        /// The text, or its beginning.
        text: String,
        /// Why not.
        #[source]
        fault: TypedError,
    },
    /// It is none of all that is tried.
    #[error("'{text}': {}", unknown(.fault))]
    Unknown {
        /// The text, or its beginning.
        text: String,
        /// Why it is not a line of moves.
        fault: TypedError,
    },
    /// It is near to the name of an opening, where a guess is not enough.
    #[error("{0}")]
    Slip(String),
    /// It is the address of something else.
    #[error("'{0}': {about}; copy the FEN or the moves from its page", about = about_address(.0))]
    Address(String),
    /// It is empty, or has comments only.
    #[error("no position and no moves")]
    Empty,
}

impl From<EpdFault> for QuestionFault {
    fn from(fault: EpdFault) -> Self {
        match fault {
            EpdFault::Fen(fault) => Self::Fen(fault),
            other => Self::Operations(other),
        }
    }
}

/// What a text is not, whose first word is no move.
fn unknown(fault: &TypedError) -> String {
    match fault {
        TypedError::Move { fault: TypedFault::Unreadable(_), .. } => {
            "not a FEN, not moves, and not the code or name of an opening".to_owned()
        }
        fault => format!("{fault}; not a code or a name either"),
    }
}

/// What an address is of. A game on lichess has 8 or 12 letters and digits.
fn about_address(text: &str) -> &'static str {
    let path = text.split_once("://").map_or(text, |(_, rest)| rest);
    let mut folders = path.split(['/', '?', '#']);
    let is_lichess = folders.next().is_some_and(|site| site.starts_with("lichess"));
    let is_id = |id: &str| {
        matches!(id.len(), 8 | 12) && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    let has_id = is_lichess && folders.next().is_some_and(is_id);
    match has_id || ["/game/", "/live/", "/daily/"].iter().any(|folder| path.contains(folder)) {
        true => "the address of a game does not hold its moves",
        false => "this address has no position",
    }
}

/// The most characters of a text that an error repeats.
const MAX_QUOTED: usize = 60;

fn quoted(text: &str) -> String {
    let end = text.char_indices().nth(MAX_QUOTED).map(|(end, _)| end);
    end.map_or_else(|| text.to_owned(), |end| format!("{}...", &text[..end]))
}

impl Question {
    /// The initial position.
    pub fn initial() -> Self {
        Self {
            positions: vec![Chess::default()],
            moves: Vec::new(),
            made: Vec::new(),
            epd: None,
            notes: Vec::new(),
            correction: None,
        }
    }

    /// A position.
    ///
    /// # Errors
    ///
    /// If no game can have it.
    pub fn from_fen(fen: &Fen) -> Result<Self, FenFault> {
        let epd = Some(Epd::new(fen.clone()));
        Ok(Self { positions: vec![fen.to_position()?], epd, ..Self::initial() })
    }

    /// This position.
    pub fn from_position(position: &Chess) -> Self {
        let fen = Fen::from_position(position, EnPassantMode::Legal);
        let epd = (*position != Chess::default()).then(|| Epd::new(fen));
        Self { positions: vec![position.clone()], epd, ..Self::initial() }
    }

    /// Reads text as [`Question`] says. `languages` are tried one after the other before all
    /// others; the catalogue is asked for codes and names only.
    ///
    /// # Errors
    ///
    /// [`QuestionFault`], or why there is no catalogue.
    pub fn read<'c, E: From<QuestionFault>>(
        text: &str,
        languages: &[Language],
        catalogue: impl FnOnce() -> Result<&'c Catalogue, E>,
    ) -> Result<Self, E> {
        let (mut question, moves) = Self::begin(text, languages, catalogue)?;
        let before = text.chars().count().saturating_sub(moves.chars().count());
        question.play(&moves, languages).map_err(|fault| QuestionFault::Moves {
            text: quoted(text.trim()),
            fault: fault.after_columns(before),
        })?;
        Ok(question)
    }

    /// Reads the position that text begins with, as [`read`](Self::read) does, and returns the
    /// moves that follow it.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read), but for moves after the first.
    pub fn begin<'c, E: From<QuestionFault>>(
        text: &str,
        languages: &[Language],
        catalogue: impl FnOnce() -> Result<&'c Catalogue, E>,
    ) -> Result<(Self, String), E> {
        let text = text.trim().trim_start_matches('\u{feff}').trim_start();
        if let Some(rest) = after_word(text, "startpos") {
            return Ok((Self::initial(), without_moves(rest).to_owned()));
        }
        let (plain, forgiven) = unwrap_fen(text);
        let is_address = is_address(text) && !forgiven.contains(&Forgiven::Address);
        if !is_address && (!forgiven.is_empty() || Self::looks_like_fen(&plain)) {
            return Ok(Self::begin_with_fen(&plain, languages)?);
        }
        let address = || QuestionFault::Address(quoted(text));
        let plain =
            if is_address { address_words(text).ok_or_else(address)? } else { plain.into_owned() };
        // One character for another, so that columns stay what they are.
        let plain = plain.replace([',', '_'], " ");
        let (_, made, fault) = play_in_some(&Chess::default(), &plain, languages);
        let Some(fault) = fault.filter(|_| made.is_empty()) else {
            return match made.is_empty() {
                true => Err(QuestionFault::Empty.into()),
                false => Ok((Self::initial(), plain)),
            };
        };
        let catalogue = catalogue()?;
        Self::begin_with_opening(&plain, catalogue).ok_or_else(|| match is_address {
            true => address().into(),
            false => QuestionFault::Unknown { text: quoted(text), fault }.into(),
        })
    }

    fn begin_with_fen(text: &str, languages: &[Language]) -> Result<(Self, String), QuestionFault> {
        let (fen, rest) = split_short(text);
        let (fen, missing) = complete_fen(fen);
        let epd: Epd = fen.trim().parse()?;
        let mut question = Self::from_fen(epd.fen())?;
        question.note_forgiven(&missing, epd.fen());
        question.epd = Some(epd);
        // Operations end with semicolons, and so do lines of moves with a comment.
        let may_be_operations = rest.contains([';', '"']);
        if !may_be_operations || !play_in_some(question.end(), rest, languages).1.is_empty() {
            return Ok((question, without_moves(rest).to_owned()));
        }
        question.epd = Some(complete_fen(text).0.trim().parse()?);
        Ok((question, String::new()))
    }

    fn note_forgiven(&mut self, missing: &[Forgiven], fen: &Fen) {
        let reading = FenReading::from_ascii(fen.to_string().as_bytes());
        let is_impossible = |fault: &&FenFault| fault.class() == FaultClass::Impossible;
        let faults = reading.faults.iter().filter(is_impossible).map(FenFault::in_words);
        let all: Vec<String> = missing.iter().map(Forgiven::to_string).chain(faults).collect();
        if !all.is_empty() {
            self.notes.push(format!("forgiven: {}", all.join("; ")));
        }
    }

    /// The shortest line of the code or the name that text begins with, and the moves after it. A
    /// name with slips is the nearest, unless a part of the text is a name as it stands.
    fn begin_with_opening(text: &str, catalogue: &Catalogue) -> Option<(Self, String)> {
        let text = text.trim();
        let first = text.split_whitespace().next()?;
        let is_code = first.to_uppercase().parse::<EcoCode>().is_ok();
        let has_digit = |word: &str| word.bytes().any(|byte| byte.is_ascii_digit());
        let moves = text.split_whitespace().skip(1).find(|word| has_digit(word));
        let moves =
            moves.map_or(text.len(), |word| range_in(word.as_bytes(), text.as_bytes()).start);
        let code = if is_code { first.len() } else { moves };
        let mut ends = vec![text.len(), moves, code];
        ends.dedup();
        let mut with_slips = None;
        for end in ends {
            let (name, rest) = text.split_at(end);
            let name = name.trim_end();
            let query = catalogue.understand(&Query::new(name));
            let is_word = |word: &String| word.len() > 2 && !has_digit(word);
            let has_name = query.words.iter().any(is_word);
            let is_meant = has_name || is_code && name.len() == first.len();
            let Some(line) = catalogue.shortest_line(&query).filter(|_| is_meant) else { continue };
            let question = Self::of_line(&query, name, line, catalogue)?;
            // Words after a code may be its name with slips; moves have a digit, or are castling.
            let is_sure = query.correction().is_none() && (rest.is_empty() || has_digit(rest));
            match is_sure {
                true => return Some((question, rest.to_owned())),
                false => with_slips = with_slips.or(Some((question, rest.to_owned()))),
            }
        }
        with_slips
    }

    fn of_line(query: &Query, name: &str, line: &Line, catalogue: &Catalogue) -> Option<Self> {
        let (mut question, moves) = match catalogue.moves(line) {
            Some(moves) => {
                let mut question = Self::initial();
                moves.into_iter().for_each(|m| question.push(m));
                (question, catalogue.movetext(line))
            }
            None => {
                let key = catalogue.positions()[line.position].key;
                let fen: Fen = key.to_string().parse().ok()?;
                (Self::from_fen(&fen).ok()?, Some(key.to_string()))
            }
        };
        let moves = moves.unwrap_or_default();
        question.correction = query.correction();
        question.notes.extend(question.correction.clone());
        question.notes.push(format!("'{name}' is {}: {moves}", line.opening));
        Some(question)
    }

    /// Plays moves as [`play_typed`] reads them, in the first of the languages in which all can be
    /// played, or, if the first of these (English, if there is none) does not know a letter, in any
    /// other, if all such languages mean the same moves.
    ///
    /// # Errors
    ///
    /// The first move that cannot be played; those before it are.
    pub fn play(&mut self, moves: &str, languages: &[Language]) -> Result<(), TypedError> {
        let (language, made, fault) = play_in_some(self.end(), moves, languages);
        made.into_iter().for_each(|m| self.push(m));
        if language != languages.first().copied().unwrap_or_default() {
            self.notes.push(format!("the moves are read in {language}"));
        }
        fault.map_or(Ok(()), Err)
    }

    /// Plays a legal move.
    pub(crate) fn push(&mut self, m: Move) {
        let mut position = self.end().clone();
        self.moves.push(PlayedMove::play(&mut position, m));
        self.made.push(m);
        self.positions.push(position);
    }

    /// Takes back all moves but the first of this number.
    #[cfg(feature = "web")]
    pub(crate) fn cut_at(&mut self, plies: usize) {
        self.moves.truncate(plies);
        self.made.truncate(plies);
        self.positions.truncate(plies + 1);
    }

    /// The position that it begins in.
    pub fn start(&self) -> &Chess {
        &self.positions[0]
    }

    /// The position in question.
    pub fn end(&self) -> &Chess {
        self.positions.last().expect("there is a start")
    }

    /// Whether the position that it begins in was given.
    pub fn is_set_up(&self) -> bool {
        self.epd.is_some()
    }

    /// The FEN that it begins with, and its operations.
    pub fn epd(&self) -> Option<&Epd> {
        self.epd.as_ref()
    }

    /// The moves that lead to the position; empty if it was given by itself.
    pub fn moves(&self) -> &[PlayedMove] {
        &self.moves
    }

    /// Each move with the positions before it and after it.
    pub fn steps(&self) -> impl Iterator<Item = (&Chess, Move, &Chess)> {
        let around = self.positions.windows(2);
        self.made.iter().zip(around).map(|(m, around)| (&around[0], *m, &around[1]))
    }

    /// What was forgiven in a FEN, what a name with slips was taken for, which line a name stands
    /// for, which language moves are in: a line of each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// What a name with slips was taken for; one of the [notes](Self::notes).
    pub fn correction(&self) -> Option<&str> {
        self.correction.as_deref()
    }

    /// The key of the position in question.
    pub fn key(&self) -> PositionKey {
        PositionKey::from(self.end())
    }

    /// Whether text is read as a FEN or EPD: its first word has the ranks of a board.
    pub fn looks_like_fen(text: &str) -> bool {
        text.split_whitespace().next().is_some_and(|word| word.matches('/').count() >= 3)
    }
}

/// Reads as [`Question::read`] does, in English first, with the names of the built-in catalogue,
/// and without slips.
impl std::str::FromStr for Question {
    type Err = QuestionFault;

    fn from_str(text: &str) -> Result<Self, QuestionFault> {
        let question: Self =
            Self::read(text, &[], || Ok::<_, QuestionFault>(Catalogue::builtin()))?;
        match question.correction {
            Some(correction) => Err(QuestionFault::Slip(correction)),
            None => Ok(question),
        }
    }
}

/// The language in which moves are read, the moves up to the first that cannot be played, and why.
fn play_in_some(
    start: &Chess,
    moves: &str,
    languages: &[Language],
) -> (Language, Vec<Move>, Option<TypedError>) {
    let play = |language| {
        let mut made = Vec::new();
        let ended = play_typed(start.clone(), moves, language, |m, _| made.push(m));
        (language, made, ended.err())
    };
    let whole = |language: &Language| Some(play(*language)).filter(|played| played.2.is_none());
    let first = play(languages.first().copied().unwrap_or_default());
    let Some(fault) = &first.2 else { return first };
    let has_unknown_letter =
        matches!(fault, TypedError::Move { fault: TypedFault::Unreadable(_), .. });
    let preferred = languages.iter().skip(1).find_map(whole);
    let other = preferred.or_else(|| {
        let mut others = Language::ALL.iter().filter(|_| has_unknown_letter).filter_map(whole);
        let found = others.next()?;
        others.all(|other| other.1 == found.1).then_some(found)
    });
    other.unwrap_or(first)
}

/// What follows a word that a text begins with.
fn after_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let rest = text.strip_prefix(word)?;
    rest.chars().next().is_none_or(|c| c.is_whitespace() || c == ';').then_some(rest)
}

/// The moves after a position, without the word that UCI has before them.
fn without_moves(rest: &str) -> &str {
    after_word(rest.trim_start(), "moves").unwrap_or(rest)
}

/// The FEN at the beginning of a line, which may lack fields, and what follows it.
fn split_short(line: &str) -> (&str, &str) {
    /// What the fields after the first look like. No move looks like the first two.
    const FIELDS: [fn(&str) -> bool; 3] = [
        |word| matches!(word, "w" | "b"),
        |word| word.bytes().all(|b| b"KQkq-".contains(&b)),
        |word| matches!(word.as_bytes(), [b'-'] | [b'a'..=b'h', b'3' | b'6']),
    ];
    let words: Vec<&str> = line.split_whitespace().take(6).collect();
    let fits = words.iter().skip(1).zip(FIELDS).take_while(|(word, fits)| fits(word)).count();
    let has_later_field =
        words.iter().skip(1 + fits).any(|word| *word == "-" || word.parse::<u32>().is_ok());
    let is_short = fits < FIELDS.len() && !has_later_field;
    if !is_short {
        return split_fen(line);
    }
    let moves = words[..=fits].iter().fold(line, |rest, word| &rest.trim_start()[word.len()..]);
    line.split_at(line.len() - moves.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_tried_as_fen_address_moves_code_and_name() {
        let sicilian = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR";
        let under = format!("{sicilian}_w_KQkq_-_0_2");
        let najdorf = "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6";
        let is_najdorf = format!("B90 Sicilian Defense: Najdorf Variation: {najdorf}");
        for (text, moves, note) in [
            ("1. g3 f5 2. d4", "g3 f5 d4", ""),
            ("1.d4,f5,g3", "d4 f5 g3", ""),
            ("e4_c5_Nf3", "e4 c5 Nf3", ""),
            ("1.E4 c5 NF3", "e4 c5 Nf3", ""),
            ("e4 e5 nf3 nc6 bb5", "e4 e5 Nf3 Nc6 Bb5", ""),
            ("startpos moves e2e4 c7c5", "e4 c5", ""),
            ("1. e4 e5 2. Cf3", "e4 e5 Nf3", "the moves are read in French"),
            ("1.e4 e5 2.Sf3 {gut, nicht?}", "e4 e5 Nf3", "the moves are read in German"),
            ("1. Кf3 d5", "Nf3 d5", "the moves are read in Russian"),
            (
                sicilian,
                "",
                "forgiven: no side to move: White; no castling rights: none; no en passant square: none",
            ),
            (
                &format!("{sicilian} w Nf3 d6"),
                "Nf3 d6",
                "forgiven: no castling rights: none; no en passant square: none",
            ),
            (&format!("{sicilian} w KQkq - moves g1f3"), "Nf3", ""),
            (&format!("{sicilian} w KQkq - bm Nf3; id \"x\";"), "", ""),
            (
                &format!(
                    "{} w KQkq - 0 2",
                    sicilian.replace("1PPP", "KPPP").replace("RNBQK", "RNBQ1")
                ),
                "",
                "forgiven: field 3 (castling rights), column 51: found 'K'",
            ),
            (&format!("[FEN \"{sicilian} w KQkq - 0 2\"] 2. Nf3"), "Nf3", ""),
            (&format!("https://lichess.org/analysis/standard/{under}"), "", ""),
            (&format!("https://www.chess.com/analysis?fen={under}&flip=true"), "", ""),
            ("https://lichess.org/analysis/pgn/e4_e5_Nf3", "e4 e5 Nf3", ""),
            ("https://lichess.org/opening/Caro-Kann_Defense/e4_c6", "e4 c6", ""),
            (
                "https://www.chess.com/openings/Caro-Kann-Defense",
                "e4 c6",
                "'Caro Kann Defense' is B10 ",
            ),
            ("B90", najdorf, &format!("'B90' is {is_najdorf}")),
            ("b90 6.Be3", &format!("{najdorf} 6. Be3"), "'b90' is "),
            ("najdorf", najdorf, &format!("'najdorf' is {is_najdorf}")),
            ("najdorf,Be3 e5", &format!("{najdorf} Be3 e5"), "'najdorf' is "),
            ("caro_kann", "e4 c6", "'caro kann' is B10 "),
            ("caro kann advance", "e4 c6 d4 d5 e5", "'caro kann advance' is B12 "),
        ] {
            let question: Question = text.parse().unwrap_or_else(|fault| panic!("{text}: {fault}"));
            let sans: Vec<&str> = question.moves().iter().map(|m| m.san.as_str()).collect();
            let wanted: Vec<&str> =
                moves.split(' ').filter(|word| !word.is_empty() && !word.ends_with('.')).collect();
            assert_eq!(sans, wanted, "{text}");
            let notes = question.notes().join("\n");
            assert!(
                notes.starts_with(note) && notes.is_empty() == note.is_empty(),
                "{text}: {notes}"
            );
            assert_eq!(question.steps().count(), sans.len(), "{text}");
        }
    }

    #[test]
    fn the_fault_says_what_text_was_read_as_and_how_far() {
        let none = "not a FEN, not moves, and not the code or name of an opening";
        for (text, fault) in [
            ("", "no position and no moves"),
            ("1. {e4}", "no position and no moves"),
            (
                "1. e4 e5 2. Ke3",
                "'1. e4 e5 2. Ke3': column 13, move 2. Ke3: the white king on e1 cannot go to e3",
            ),
            ("1. e4 {", "'1. e4 {': comment never closed"),
            (
                "1. d4 d5 2. Sc3 e6 3. e3 e5 4. Se2",
                "'1. d4 d5 2. Sc3 e6 3. e3 e5 4. Se2': column 13, move 2. Sc3: not a move in English",
            ),
            (
                "Nf4",
                "'Nf4': column 1, move 1. Nf4: the white knights on b1 and g1 cannot go to f4; not a code or a name either",
            ),
            ("qzxv", &format!("'qzxv': {none}")),
            (
                "e2-e5",
                "'e2-e5': column 1, move 1. e2-e5: the white pawn on e2 cannot go to e5; not a code or a name either",
            ),
            ("B9", &format!("'B9': {none}")),
            (
                "najdorf Nb8",
                "'najdorf Nb8': column 9, move 6. Nb8: the white knights on c3 and d4 cannot go to b8",
            ),
            ("rnbqkbnr/pppppppp/8/8 w", "FEN: field 1 (placement)"),
            ("8/8/8/8/8/8/8/8 w - - 0 1", "FEN: "),
            ("[FEN \"x\"]", "FEN: "),
            (
                "https://lichess.org/AbCdEfGh",
                "'https://lichess.org/AbCdEfGh': the address of a game does not hold its moves; copy ",
            ),
            (
                "https://www.chess.com/game/live/123",
                "'https://www.chess.com/game/live/123': the address of a game ",
            ),
            (
                "https://lichess.org/@/somebody/all",
                "'https://lichess.org/@/somebody/all': this address has no position; copy ",
            ),
        ] {
            let found = text.parse::<Question>().unwrap_err().to_string();
            assert!(found.starts_with(fault), "{text}: {found}");
        }
    }
}
