//! What a session asks, and in which order.

use std::collections::VecDeque;

use super::{Deck, Moment, Scheduler, Standing, encounters::Encounters};

use crate::{chess::UciMove, repertoire::NodeId};

/// How positions are asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Each by itself.
    #[default]
    Single,
    /// At the end of a line that is played from its start, the opponent's moves drawn by how often
    /// they are met. Each position on the way is asked once.
    Line,
}

/// What a session is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionOptions {
    /// How positions are asked.
    pub mode: Mode,
    /// The number of positions that may be new in a day, with those that were learned today.
    pub new: usize,
    /// The number of positions that may be asked again in a day, with those that were today.
    pub due: usize,
    /// What is due until then is asked as well; `None` for what is due now.
    pub until: Option<Moment>,
    /// What lines are drawn from: the same seed draws the same lines.
    pub seed: u64,
    /// Whether the main move alone is right.
    pub main_alone: bool,
}

impl SessionOptions {
    /// The default number of new positions in a day.
    pub const NEW: usize = 10;
    /// The default number of positions that are asked again in a day.
    pub const DUE: usize = 100;
}

impl Default for SessionOptions {
    fn default() -> Self {
        let (mode, until) = (Mode::Single, None);
        Self { mode, new: Self::NEW, due: Self::DUE, until, seed: 0, main_alone: false }
    }
}

/// Why a position is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// This number of games of the repertoire left the book there, and it was not asked since.
    Departures(u32),
    /// It is due.
    Due,
    /// Another move was learned there, which the book no longer has.
    Changed(UciMove),
    /// It was never asked.
    New,
    /// Its answer was wrong before.
    Missed,
    /// It was learned in this session.
    Learned,
    /// It is on the way.
    OnTheWay,
}

/// The number of positions that a session asks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct SessionCounts {
    /// Those where games left the book.
    pub departures: usize,
    /// Those that are due, or whose move is another than the one that was learned.
    pub due: usize,
    /// Those that are new.
    pub new: usize,
    /// Those that are left for another day.
    #[serde(skip)]
    pub later: usize,
}

/// A position of one of the decks, by the number of the deck.
pub(super) type Asked = (usize, NodeId);

/// Chooses what is asked.
pub(super) struct Choice<'c> {
    pub(super) decks: &'c [Deck],
    pub(super) encounters: &'c [Encounters],
    pub(super) options: SessionOptions,
    pub(super) now: Moment,
}

/// A position that may be asked, and why, after what it is sorted by: the lowest first.
type Found = ((u8, f64), Asked, Reason);

impl Choice<'_> {
    pub(super) fn queue(&self) -> (VecDeque<(Asked, Reason)>, SessionCounts) {
        let mut found: Vec<Found> = Vec::new();
        (0..self.decks.len()).for_each(|number| self.find(number, &mut found));
        found.sort_by(|(a, ..), (b, ..)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let (mut room, mut counts) = (self.room(), SessionCounts::default());
        found.retain(|(_, asked, reason)| {
            let fits = self.fits(*asked, &mut room);
            *match reason {
                _ if !fits => &mut counts.later,
                Reason::Departures(_) => &mut counts.departures,
                Reason::New => &mut counts.new,
                _ => &mut counts.due,
            } += 1;
            fits
        });
        (found.into_iter().map(|(_, asked, reason)| (asked, reason)).collect(), counts)
    }

    /// The options with the numbers of positions that may still be asked today.
    fn room(&self) -> SessionOptions {
        let today = || self.decks.iter().map(Deck::today);
        let learned: usize = today().map(|today| today.learned).sum();
        let asked: usize = today().map(|today| today.asked.len()).sum();
        let SessionOptions { new, due, .. } = self.options;
        let (new, due) = (new.saturating_sub(learned), due.saturating_sub(asked));
        SessionOptions { new, due, ..self.options }
    }

    /// Whether there is room for a position today, which it takes. What was asked again today has
    /// taken its room.
    fn fits(&self, (deck, id): Asked, room: &mut SessionOptions) -> bool {
        let deck = &self.decks[deck];
        let left = match deck.standing(id) {
            Standing::New => &mut room.new,
            _ if deck.today().asked.contains(&deck.book().node(id).key) => return true,
            _ => &mut room.due,
        };
        let fits = *left > 0;
        *left -= usize::from(fits);
        fits
    }

    /// What may be asked of a deck: the positions where most games left the book first, what is
    /// least likely to be remembered, and what games meet most often.
    fn find(&self, number: usize, found: &mut Vec<Found>) {
        let deck = &self.decks[number];
        let chances = self.chances(number);
        for id in deck.positions() {
            let (order, reason) = match (deck.open_departures(id), deck.standing(id)) {
                (Some(games), _) => ((0, -f64::from(games)), Reason::Departures(games)),
                (None, Standing::Changed(uci)) => ((1, 0.0), Reason::Changed(uci)),
                (None, Standing::Known(card)) if self.is_due(card.due) => {
                    ((1, Scheduler::recall(card, self.now).into()), Reason::Due)
                }
                (None, Standing::Known(_)) => continue,
                (None, Standing::New) => ((2, -chances[id.index()]), Reason::New),
            };
            found.push((order, (number, id), reason));
        }
    }

    fn is_due(&self, due: Moment) -> bool {
        self.now.has_come(due) || self.options.until.is_some_and(|until| due <= until)
    }

    /// How likely games meet positions. One that several lines reach is met more often than those
    /// before it, and comes after them.
    fn chances(&self, number: usize) -> Vec<f64> {
        let lines = &self.decks[number].lines;
        let mut chances = vec![0.0; self.decks[number].book().len()];
        for id in &lines.reached {
            let before =
                lines.last(*id).map_or(1.0, |(before, _): (NodeId, _)| chances[before.index()]);
            chances[id.index()] = self.encounters[number].chance(*id).min(before);
        }
        chances
    }
}
