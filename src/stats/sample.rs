//! What is counted of a game, seen from one side.

/// How a game ended for the side whose game it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Won.
    Win,
    /// Drawn.
    Draw,
    /// Lost.
    Loss,
}

impl Outcome {
    pub(super) fn half_points(self) -> u64 {
        match self {
            Self::Win => 2,
            Self::Draw => 1,
            Self::Loss => 0,
        }
    }

    /// How it ended for the other side.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Draw => Self::Draw,
            Self::Loss => Self::Win,
        }
    }
}

/// What a tally takes of a game, seen from one side.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sample {
    /// How the game ended; `None` without a result.
    pub outcome: Option<Outcome>,
    /// The rating of this side and that of the opponent, if both are known.
    pub ratings: Option<(u16, u16)>,
    /// The date as a number, 20210513, where unknown parts are 0; `None` without a year.
    pub date: Option<u32>,
    /// The number of plies.
    pub plies: Option<usize>,
    /// The ply of the last named position.
    pub exit: Option<usize>,
}

impl Sample {
    /// The same game, seen from the other side.
    pub(super) fn reversed(self) -> Self {
        Self {
            outcome: self.outcome.map(Outcome::reversed),
            ratings: self.ratings.map(|(own, opponent)| (opponent, own)),
            ..self
        }
    }
}
