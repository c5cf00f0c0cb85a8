//! What is asked, in which order, and what the answers mean.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet, VecDeque};

use fastrand::Rng;

use super::encounters::Encounters;
use super::{Deck, Moment, Rating, Review, Scheduler, Standing};

use crate::chess::{Board, UciMove};
use crate::repertoire::{BookLine, NodeId};

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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SessionOptions {
    /// How positions are asked.
    pub mode: Mode,
    /// The number of positions that may be new.
    pub new: usize,
    /// What is due until then is asked as well; `None` for what is due now.
    pub until: Option<Moment>,
    /// What lines are drawn from: the same seed draws the same lines.
    pub seed: u64,
    /// Whether the main move alone is right.
    pub main_alone: bool,
}

/// Why a position is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// So many games of the repertoire left the book there, and it was not asked since.
    Departures(u32),
    /// It is due.
    Due,
    /// Another move was learned there, which the book no longer has.
    Changed(UciMove),
    /// It was never asked.
    New,
    /// Its answer was wrong before.
    Missed,
    /// It is on the way.
    OnTheWay,
}

/// A position that is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Question {
    /// The position.
    pub id: NodeId,
    /// Why it is asked.
    pub reason: Reason,
    /// A line to it.
    pub line: BookLine,
    /// Whether the line goes on from the question before.
    pub goes_on: bool,
    /// The number of positions that are still to be asked, this one included, apart from those on
    /// the way.
    pub left: usize,
}

/// What an answer is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AnswerKind {
    /// It is the main move of the book.
    Main,
    /// It is another move of the book.
    Alternative,
    /// It leads to another position of the book.
    Transposition,
    /// It is a [mistake](crate::repertoire::Book::is_mistake) that the book knows.
    Mistake,
    /// It is not in the book.
    Wrong,
    /// There was none.
    Shown,
}

impl AnswerKind {
    /// Whether it is right.
    #[must_use]
    pub fn is_right(self) -> bool {
        !matches!(self, Self::Mistake | Self::Wrong | Self::Shown)
    }
}

/// An answer to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// What it is worth.
    pub kind: AnswerKind,
    /// What is to be kept of it.
    pub review: Review,
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
    /// New ones that are left for later.
    #[serde(skip)]
    pub later: usize,
}

/// A session of training. It ends when each position that is asked was answered right once.
#[derive(Debug, Clone)]
pub struct Session {
    deck: Deck,
    mode: Mode,
    main_alone: bool,
    encounters: Encounters,
    rng: Rng,
    /// What is asked, without the question that is open.
    queue: VecDeque<(NodeId, Reason)>,
    counts: SessionCounts,
    /// What has an answer that still is in the book, some of them since this session.
    known: HashSet<NodeId>,
    /// What was answered right in this session.
    right: HashSet<NodeId>,
    open: Option<Question>,
    walk: Option<Walk>,
}

/// A line that is being played.
#[derive(Debug, Clone)]
struct Walk {
    /// The moves that were played.
    played: BookLine,
    here: NodeId,
    /// The moves to the position that the line was drawn to.
    ahead: VecDeque<UciMove>,
    /// Whether the position was asked.
    is_asked: bool,
    /// The answer there, if it was right.
    given: Option<UciMove>,
    /// Whether anything was asked.
    goes_on: bool,
}

impl Session {
    /// A session with a deck.
    #[must_use]
    pub fn new(deck: Deck, options: SessionOptions, now: Moment) -> Self {
        let encounters = Encounters::of(&deck);
        let known = |id: &NodeId| matches!(deck.standing(*id), Standing::Known(_));
        let known = deck.positions().filter(known).collect();
        let (queue, counts) = Choice { deck: &deck, encounters: &encounters, options, now }.queue();
        Self {
            encounters,
            mode: options.mode,
            main_alone: options.main_alone,
            rng: Rng::with_seed(options.seed),
            queue,
            counts,
            known,
            right: HashSet::new(),
            open: None,
            walk: None,
            deck,
        }
    }

    /// The positions, with their cards as they were at the start.
    #[must_use]
    pub fn deck(&self) -> &Deck {
        &self.deck
    }

    /// What was to be asked at the start.
    #[must_use]
    pub fn counts(&self) -> SessionCounts {
        self.counts
    }

    /// The question that is open, or else the next one. `None` at the end.
    pub fn question(&mut self) -> Option<&Question> {
        if self.open.is_none() {
            self.open = match self.mode {
                Mode::Single => self.next_single(),
                Mode::Line => self.next_on_line(),
            };
        }
        self.open.as_ref()
    }

    /// Takes the answer to the open question; `None` is none, or that the learner asked for it.
    /// What was wrong is asked again, after everything else. Returns `None` if no question is open.
    pub fn answer(&mut self, given: Option<UciMove>, at: Moment) -> Option<Answer> {
        let Question { id, .. } = self.open.take()?;
        let mut answers = self.deck.answers(id);
        let main = *answers.first()?;
        if self.main_alone {
            answers.truncate(1);
        }
        let kind = self.kind(id, &answers, given);
        let review = Review {
            key: *self.deck.book().node(id).key(),
            at,
            is_first: self.known.insert(id),
            rating: if kind.is_right() { Rating::Good } else { Rating::Again },
            answer: given.filter(|uci| answers.contains(uci)).unwrap_or(main),
            given,
        };
        if kind.is_right() {
            self.right.insert(id);
        } else {
            self.queue.push_back((id, Reason::Missed));
        }
        if let Some(walk) = &mut self.walk {
            (walk.is_asked, walk.given) = (true, given.filter(|_| kind.is_right()));
        }
        Some(Answer { kind, review })
    }

    fn kind(&self, id: NodeId, answers: &[UciMove], given: Option<UciMove>) -> AnswerKind {
        match given {
            None => AnswerKind::Shown,
            Some(uci) if answers.first() == Some(&uci) => AnswerKind::Main,
            Some(uci) if answers.contains(&uci) => AnswerKind::Alternative,
            Some(uci) if self.deck.book().mistake(id, uci).is_some() => AnswerKind::Mistake,
            Some(uci) if self.deck.answers(id).contains(&uci) => AnswerKind::Wrong,
            Some(uci) if self.is_transposition(id, uci) => AnswerKind::Transposition,
            Some(_) => AnswerKind::Wrong,
        }
    }

    /// Whether a move leads to a position that lines of the book reach.
    fn is_transposition(&self, id: NodeId, uci: UciMove) -> bool {
        let after = || {
            let position = self.deck.book().node(id).key().to_position().ok()?;
            let mut board = Board::from_position(&position);
            board.play(uci.to_string().as_bytes()).ok()?;
            let to = self.deck.book().find(&board.key())?;
            self.deck.lines().ply(to)
        };
        after().is_some()
    }

    fn next_single(&mut self) -> Option<Question> {
        let left = self.queue.len();
        let (id, reason) = self.queue.pop_front()?;
        let line = self.deck.lines().line(id)?;
        Some(Question { id, reason, line, goes_on: false, left })
    }

    fn next_on_line(&mut self) -> Option<Question> {
        loop {
            let mut walk = match self.walk.take() {
                Some(walk) => walk,
                None => self.begin_walk()?,
            };
            if let Some(reason) = self.reason_to_ask(&walk) {
                let left = self.queue.len() + usize::from(reason == Reason::OnTheWay);
                self.queue.retain(|(id, _)| *id != walk.here);
                let (id, line, goes_on) = (walk.here, walk.played.clone(), walk.goes_on);
                walk.goes_on = true;
                self.walk = Some(walk);
                return Some(Question { id, reason, line, goes_on, left });
            }
            self.walk = self.step(walk);
        }
    }

    fn begin_walk(&mut self) -> Option<Walk> {
        let (target, _) = *self.queue.front()?;
        let BookLine { root, moves } = self.encounters.draw_to(target, &mut self.rng);
        Some(Walk {
            played: BookLine { root, moves: Vec::new() },
            here: root,
            ahead: moves.into(),
            is_asked: false,
            given: None,
            goes_on: false,
        })
    }

    /// Why the position of a walk is asked, unless it was asked, or there is nothing to ask.
    fn reason_to_ask(&self, walk: &Walk) -> Option<Reason> {
        if walk.is_asked || !self.deck.asks(walk.here) {
            return None;
        }
        let queued = self.queue.iter().find(|(id, _)| *id == walk.here);
        let on_the_way = (!self.right.contains(&walk.here)).then_some(Reason::OnTheWay);
        queued.map(|(_, reason)| *reason).or(on_the_way)
    }

    /// Plays the next move of a walk; `None` where it ends.
    fn step(&mut self, mut walk: Walk) -> Option<Walk> {
        let uci = match walk.ahead.pop_front() {
            Some(uci) => uci,
            None => {
                let targets: Vec<NodeId> = self.queue.iter().map(|(id, _)| *id).collect();
                self.encounters.draw_on(
                    &self.deck,
                    walk.here,
                    targets,
                    walk.given,
                    &mut self.rng,
                )?
            }
        };
        let moves = self.deck.book().moves(walk.here);
        walk.here = moves.iter().find(|edge| edge.uci() == uci)?.to();
        walk.played.moves.push(uci);
        (walk.is_asked, walk.given) = (false, None);
        Some(walk)
    }
}

/// Chooses what is asked.
struct Choice<'c> {
    deck: &'c Deck,
    encounters: &'c Encounters,
    options: SessionOptions,
    now: Moment,
}

impl Choice<'_> {
    fn queue(&self) -> (VecDeque<(NodeId, Reason)>, SessionCounts) {
        let (departures, skipped) = self.departures();
        let due = self.due(&departures);
        let taken = departures.iter().filter(|(id, _)| self.is_new(*id)).count();
        let mut new = self.new_ones();
        let later = new.len().saturating_sub(self.options.new - taken) + skipped;
        new.truncate(self.options.new - taken);
        let counts =
            SessionCounts { departures: departures.len(), due: due.len(), new: new.len(), later };
        let reasons = |ids: Vec<NodeId>, reason| ids.into_iter().map(move |id| (id, reason));
        let all = departures.into_iter().chain(due).chain(reasons(new, Reason::New));
        (all.collect(), counts)
    }

    fn is_new(&self, id: NodeId) -> bool {
        self.deck.standing(id) == Standing::New
    }

    /// The positions where games left the book, those that most games left first, and the number
    /// of those that must wait since they are new.
    fn departures(&self) -> (Vec<(NodeId, Reason)>, usize) {
        let found = self.deck.positions();
        let mut found: Vec<(u32, NodeId)> =
            found.filter_map(|id| Some((self.deck.open_departures(id)?, id))).collect();
        found.sort_by_key(|(games, _)| Reverse(*games));
        let all = found.len();
        let mut room = self.options.new;
        found.retain(|(_, id)| {
            let fits = !self.is_new(*id) || room > 0;
            room -= usize::from(fits && self.is_new(*id));
            fits
        });
        let skipped = all - found.len();
        (found.into_iter().map(|(games, id)| (id, Reason::Departures(games))).collect(), skipped)
    }

    /// What is due, the least likely to be remembered first.
    fn due(&self, departures: &[(NodeId, Reason)]) -> Vec<(NodeId, Reason)> {
        let mut due: Vec<(f32, NodeId, Reason)> = Vec::new();
        let departures: HashSet<NodeId> = departures.iter().map(|(id, _)| *id).collect();
        for id in self.deck.positions().filter(|id| !departures.contains(id)) {
            match self.deck.standing(id) {
                Standing::Known(card) if self.is_due(card.due) => {
                    due.push((Scheduler::recall(card, self.now), id, Reason::Due));
                }
                Standing::Changed(uci) => due.push((0.0, id, Reason::Changed(uci))),
                Standing::Known(_) | Standing::New => {}
            }
        }
        due.sort_by(|a, b| a.0.total_cmp(&b.0));
        due.into_iter().map(|(_, id, reason)| (id, reason)).collect()
    }

    fn is_due(&self, due: Moment) -> bool {
        self.now.has_come(due) || self.options.until.is_some_and(|until| due <= until)
    }

    /// What is new and no game left the book there, what games meet most often first. A position
    /// that several lines reach is met more often than those before it, and comes after them.
    fn new_ones(&self) -> Vec<NodeId> {
        let lines = self.deck.lines();
        let mut chances = HashMap::new();
        for id in lines.reached() {
            let before = lines.last(*id).and_then(|(before, _)| chances.get(&before)).copied();
            let chance = self.encounters.chance(*id);
            chances.insert(*id, before.map_or(chance, |before: f64| chance.min(before)));
        }
        let is_left = |id: &NodeId| self.deck.open_departures(*id).is_some();
        let new = self.deck.positions().filter(|id| self.is_new(*id) && !is_left(id));
        let mut new: Vec<NodeId> = new.collect();
        new.sort_by(|a, b| chances[b].total_cmp(&chances[a]));
        new
    }
}
