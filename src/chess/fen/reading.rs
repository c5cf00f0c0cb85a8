//! The full report on a text that is meant as a FEN.

use shakmaty::{CastlingMode, Chess};

use super::{
    castling::rights_in_chess960,
    draft::{Draft, decode},
    fault::{FaultClass, FenFault, FenField, Forgiven},
    fields::Fen,
    legality::check_legality,
};

/// The full report on a text that is meant as a FEN.
///
/// ```
/// use eco::chess::{FaultClass, FaultKind, FenReading};
///
/// let reading = FenReading::from_ascii(b"4k3/8/8/8/4P3/8/8/4K3 b K e4 0 1");
/// let kinds: Vec<_> = reading.faults().iter().map(|fault| fault.kind()).collect();
/// assert_eq!(kinds, [FaultKind::CastlingNotAtHome, FaultKind::EnPassantOwnSquare]);
/// assert_eq!(reading.class(), Some(FaultClass::Impossible));
/// let repaired = reading.repaired().expect("both have one repair");
/// assert_eq!(repaired.to_string(), "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FenReading {
    fen: Option<Fen>,
    faults: Vec<FenFault>,
    omitted: usize,
    forgiven: Vec<Forgiven>,
    repaired: Option<Fen>,
}

impl FenReading {
    /// Reads the text and checks everything that can be wrong.
    #[must_use]
    pub fn from_ascii(text: &[u8]) -> Self {
        Self::from_text(&decode(text), CastlingMode::Standard)
    }

    /// Reads the text as [`from_ascii`](Self::from_ascii) does, with the castling rights of
    /// Chess960.
    #[must_use]
    pub fn of_chess960(text: &[u8]) -> Self {
        Self::from_text(&decode(text), CastlingMode::Chess960)
    }

    /// The same reading, of a text from which this was taken off before.
    #[must_use]
    pub fn after_forgiving(mut self, forgiven: &[Forgiven]) -> Self {
        self.forgiven.splice(0..0, forgiven.iter().copied());
        self
    }

    fn from_text(text: &str, mode: CastlingMode) -> Self {
        let mut draft = Draft::read(text);
        if mode == CastlingMode::Chess960 && draft.knows(&[FenField::Placement]) {
            draft.setup.castling_rights = rights_in_chess960(&draft.setup);
        }
        let fen = draft.is_readable().then(|| Fen::from_setup(draft.setup.clone()));
        check_legality(&mut draft, mode);
        let repaired = draft
            .repair
            .is_certain()
            .then(|| Fen::from_setup(draft.setup))
            .and_then(|fen| Self::if_sound(fen, mode));
        let (mut faults, omitted, forgiven) = (draft.faults, draft.omitted, draft.forgiven);
        faults.sort_by_key(FenFault::column);
        Self { fen, faults, omitted, forgiven, repaired }
    }

    /// A repaired FEN, if its worst fault is odd. Of a text that could not be read, only now is
    /// known what is impossible in it; that is repaired too, if it can be.
    fn if_sound(fen: Fen, mode: CastlingMode) -> Option<Fen> {
        let reading = Self::from_text(&fen.to_string(), mode);
        let is_sound = reading.class() <= Some(FaultClass::Odd);
        if is_sound { Some(fen) } else { reading.repaired }
    }

    /// The six fields, if they could be read; possible or not.
    #[must_use]
    pub fn fen(&self) -> Option<&Fen> {
        self.fen.as_ref()
    }

    /// Every fault, in the order of the text. There are at most 64; [`omitted`](Self::omitted)
    /// counts the rest.
    #[must_use]
    pub fn faults(&self) -> &[FenFault] {
        &self.faults
    }

    /// The number of faults that [`faults`](Self::faults) leaves out.
    #[must_use]
    pub fn omitted(&self) -> usize {
        self.omitted
    }

    /// The severity of the worst fault; `None` if there is no fault.
    #[must_use]
    pub fn class(&self) -> Option<FaultClass> {
        self.faults.iter().map(FenFault::class).max()
    }

    /// The deviations from the standard that were read nevertheless.
    #[must_use]
    pub fn forgiven(&self) -> &[Forgiven] {
        &self.forgiven
    }

    /// The FEN that must have been meant, if there are faults and each has exactly one repair. The
    /// placement is trusted: a field that contradicts it is wrong.
    #[must_use]
    pub fn repaired(&self) -> Option<&Fen> {
        self.repaired.as_ref()
    }

    /// The position, repaired if there are faults; `None` if it cannot be played.
    #[must_use]
    pub fn to_position(&self) -> Option<Chess> {
        self.repaired().or(self.fen())?.to_position().ok()
    }
}
