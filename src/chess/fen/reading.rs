//! Everything that can be said of a text that is meant as a FEN.

use super::{
    draft::{Draft, decode},
    fault::{FaultClass, FenFault, Forgiven},
    fields::Fen,
    legality::check_legality,
};

/// All that can be said of a text that is meant as a FEN.
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
    /// Reads the text and looks for everything that can be wrong.
    #[must_use]
    pub fn from_ascii(text: &[u8]) -> Self {
        Self::from_text(&decode(text))
    }

    fn from_text(text: &str) -> Self {
        let mut draft = Draft::read(text);
        let fen = draft.is_readable().then(|| Fen::from_setup(draft.setup.clone()));
        check_legality(&mut draft);
        let repaired =
            draft.repair.is_certain().then(|| Fen::from_setup(draft.setup)).and_then(Self::healed);
        let (mut faults, omitted, forgiven) = (draft.faults, draft.omitted, draft.forgiven);
        faults.sort_by_key(FenFault::column);
        Self { fen, faults, omitted, forgiven, repaired }
    }

    /// A repaired FEN, if nothing is left in it that is worse than odd. What is impossible about
    /// one that could not be read comes out only now.
    fn healed(fen: Fen) -> Option<Fen> {
        let reading = Self::from_text(&fen.to_string());
        let is_healed = reading.class() <= Some(FaultClass::Odd);
        if is_healed { Some(fen) } else { reading.repaired }
    }

    /// The six fields, if they could be read; possible or not.
    #[must_use]
    pub fn fen(&self) -> Option<&Fen> {
        self.fen.as_ref()
    }

    /// Every fault, in the order of the text; of very many only the first that were found.
    #[must_use]
    pub fn faults(&self) -> &[FenFault] {
        &self.faults
    }

    /// How many more faults there are than [`faults`](Self::faults) tells.
    #[must_use]
    pub fn omitted(&self) -> usize {
        self.omitted
    }

    /// The class of the worst fault; `None` if there is none.
    #[must_use]
    pub fn class(&self) -> Option<FaultClass> {
        self.faults.iter().map(FenFault::class).max()
    }

    /// What was not as it should be, and was read nevertheless.
    #[must_use]
    pub fn forgiven(&self) -> &[Forgiven] {
        &self.forgiven
    }

    /// The FEN that must have been meant, if there are faults and each has one repair only. What
    /// stands on the board is believed: where another field contradicts it, that field is wrong.
    #[must_use]
    pub fn repaired(&self) -> Option<&Fen> {
        self.repaired.as_ref()
    }
}
