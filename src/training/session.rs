//! What is asked, in which order, and what the answers mean.

use std::collections::{HashSet, VecDeque};

use fastrand::Rng;

use super::choice::{Asked, Choice, Mode, Reason, SessionCounts, SessionOptions};
use super::{Card, Deck, Moment, Pause, Rating, Review, Standing, encounters::Encounters};

use crate::chess::{Board, UciMove};
use crate::repertoire::{BookLine, NodeId};

/// A position that is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Question {
    /// The number of its deck among those of the session.
    pub deck: usize,
    /// The position.
    pub id: NodeId,
    /// Why it is asked.
    pub reason: Reason,
    /// Whether it is to be learned: its answer is shown, and then asked.
    pub is_new: bool,
    /// A line to it.
    pub line: BookLine,
    /// Whether the line goes on from the question before.
    pub goes_on: bool,
    /// The number of questions that are still to be asked, this one included, apart from those on
    /// the way. A new position is two of them.
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

/// The answers of a session so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct SessionScore {
    /// Their number.
    pub answers: usize,
    /// The number of those that were right.
    pub right: usize,
}

/// A session of training with one deck or several. It ends when each position that is asked was
/// answered right once, and each that was new once more.
#[derive(Debug, Clone)]
pub struct Session {
    decks: Vec<Deck>,
    options: SessionOptions,
    encounters: Vec<Encounters>,
    rng: Rng,
    /// What is asked, without the question that is open.
    queue: VecDeque<(Asked, Reason)>,
    counts: SessionCounts,
    score: SessionScore,
    /// What was given its first answer in this session.
    learned: HashSet<Asked>,
    /// What has no answer any more, since it was taken back.
    forgotten: HashSet<Asked>,
    /// What was answered right in this session.
    right: HashSet<Asked>,
    open: Option<Question>,
    walk: Option<Walk>,
}

/// A line that is being played.
#[derive(Debug, Clone)]
struct Walk {
    deck: usize,
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
    /// A session with some decks.
    pub fn new(decks: Vec<Deck>, options: SessionOptions, now: Moment) -> Self {
        let encounters: Vec<Encounters> = decks.iter().map(Encounters::of).collect();
        let choice = Choice { decks: &decks, encounters: &encounters, options, now };
        let (queue, counts) = choice.queue();
        Self {
            encounters,
            options,
            rng: Rng::with_seed(options.seed),
            queue,
            counts,
            score: SessionScore::default(),
            learned: HashSet::new(),
            forgotten: HashSet::new(),
            right: HashSet::new(),
            open: None,
            walk: None,
            decks,
        }
    }

    /// The decks, with their cards as they were at the start.
    pub fn decks(&self) -> &[Deck] {
        &self.decks
    }

    /// One of the decks.
    ///
    /// # Panics
    ///
    /// If there is no deck of this number.
    pub fn deck(&self, number: usize) -> &Deck {
        &self.decks[number]
    }

    /// What was to be asked at the start.
    pub fn counts(&self) -> SessionCounts {
        self.counts
    }

    /// The answers so far, without those that were taken back.
    pub fn score(&self) -> SessionScore {
        self.score
    }

    /// The question that is open, or else the next one. `None` at the end.
    pub fn question(&mut self) -> Option<&Question> {
        if self.open.is_none() {
            self.open = match self.options.mode {
                Mode::Single => self.next_single(),
                Mode::Line => self.next_on_line(),
            };
        }
        self.open.as_ref()
    }

    /// Takes the answer to the open question: [judges](Self::judge) it, and [goes on](Self::take).
    pub fn answer(&mut self, given: Option<UciMove>, at: Moment) -> Option<Answer> {
        let answer = self.judge(given, at)?;
        self.take(&answer);
        Some(answer)
    }

    /// What an answer to the open question is worth; `None` given is no answer, or that the learner
    /// asked for it. Returns `None` if no question is open. Nothing changes until it is
    /// [taken](Self::take), so that what cannot be kept does not count.
    pub fn judge(&self, given: Option<UciMove>, at: Moment) -> Option<Answer> {
        let Question { deck, id, is_new, .. } = *self.open.as_ref()?;
        let (deck, mut answers) = (&self.decks[deck], self.decks[deck].answers(id));
        let main = *answers.first()?;
        if self.options.main_alone {
            answers.truncate(1);
        }
        let kind = kind(deck, id, &answers, given);
        let review = Review {
            key: deck.book().node(id).key,
            at,
            is_first: is_new,
            rating: if kind.is_right() { Rating::Good } else { Rating::Again },
            answer: given.filter(|uci| answers.contains(uci)).unwrap_or(main),
            given,
        };
        Some(Answer { kind, review })
    }

    /// Goes on after an answer. What was wrong or new is asked again, after everything else.
    pub fn take(&mut self, answer: &Answer) {
        let Some(Question { deck, id, is_new, .. }) = self.open.take() else { return };
        let (asked, is_right) = ((deck, id), answer.kind.is_right());
        self.score.answers += 1;
        self.score.right += usize::from(is_right);
        if is_new {
            self.learned.insert(asked);
            self.forgotten.remove(&asked);
        }
        if is_right {
            self.right.insert(asked);
        }
        if is_new || !is_right {
            let reason = if is_right { Reason::Learned } else { Reason::Missed };
            self.queue.push_back((asked, reason));
        }
        if let Some(walk) = &mut self.walk {
            (walk.is_asked, walk.given) = (true, answer.review.given.filter(|_| is_right));
        }
    }

    /// Asks a position next of which the last answer was taken back, whichever session it was given
    /// in; `card` is what those before it make. Returns whether the session has the position.
    pub fn ask_again(&mut self, deck: usize, review: &Review, card: Option<&Card>) -> bool {
        if self.score.answers > 0 {
            self.score.answers -= 1;
            let is_right = review.rating.is_right();
            self.score.right = self.score.right.saturating_sub(is_right.into());
        }
        let Some(id) = self.decks[deck].book().find(&review.key) else { return false };
        if !self.decks[deck].asks(id) {
            return false;
        }
        if let Some(Question { deck, id, reason, .. }) = self.open.take()
            && reason != Reason::OnTheWay
        {
            self.queue.push_front(((deck, id), reason));
        }
        let asked = (deck, id);
        self.queue.retain(|(queued, _)| *queued != asked);
        self.right.remove(&asked);
        let reason = match card {
            None => Reason::New,
            Some(card) if card.due == card.reviewed => Reason::Missed,
            Some(card) if review.at.has_come(card.due) => Reason::Due,
            Some(_) => Reason::Learned,
        };
        if card.is_none() {
            self.learned.remove(&asked);
            self.forgotten.insert(asked);
        }
        self.queue.push_front((asked, reason));
        self.walk = None;
        true
    }

    /// Asks a position of the open question no more, nor what a pause of it covers.
    pub fn pause(&mut self, pause: Pause) {
        let Some(Question { deck, id, reason, .. }) = self.open.take() else { return };
        self.queue.push_front(((deck, id), reason));
        self.decks[deck].pause(pause);
        let decks = &self.decks;
        self.queue.retain(|((deck, id), _)| decks[*deck].asks(*id));
        self.walk = None;
    }

    /// Whether a position has no answer that still is in the book.
    fn is_new(&self, asked: Asked) -> bool {
        let is_unknown = || !matches!(self.decks[asked.0].standing(asked.1), Standing::Known(_));
        !self.learned.contains(&asked) && (self.forgotten.contains(&asked) || is_unknown())
    }

    /// The number of questions that wait.
    fn left(&self) -> usize {
        let twice = self.queue.iter().filter(|(asked, _)| self.is_new(*asked));
        self.queue.len() + twice.count()
    }

    fn next_single(&mut self) -> Option<Question> {
        let left = self.left();
        let (asked, reason) = self.queue.pop_front()?;
        let (deck, id) = asked;
        let line = self.decks[deck].lines.line(id)?;
        let is_new = self.is_new(asked);
        Some(Question { deck, id, reason, is_new, line, goes_on: false, left })
    }

    fn next_on_line(&mut self) -> Option<Question> {
        loop {
            let mut walk = match self.walk.take() {
                Some(walk) => walk,
                None => self.begin_walk()?,
            };
            if let Some(reason) = self.reason_to_ask(&walk) {
                let left = self.left() + usize::from(reason == Reason::OnTheWay);
                let (deck, id) = (walk.deck, walk.here);
                self.queue.retain(|(asked, _)| *asked != (deck, id));
                let (line, goes_on) = (walk.played.clone(), walk.goes_on);
                walk.goes_on = true;
                self.walk = Some(walk);
                let is_new = self.is_new((deck, id));
                return Some(Question { deck, id, reason, is_new, line, goes_on, left });
            }
            self.walk = self.step(walk);
        }
    }

    fn begin_walk(&mut self) -> Option<Walk> {
        let ((deck, target), _) = *self.queue.front()?;
        let BookLine { root, moves } = self.encounters[deck].draw_to(target, &mut self.rng);
        Some(Walk {
            deck,
            played: BookLine { root, moves: Vec::new() },
            here: root,
            ahead: moves.into(),
            is_asked: false,
            given: None,
            goes_on: false,
        })
    }

    /// Why the position of a walk is asked, unless it was asked, or there is nothing to ask. What
    /// was learned waits for the end, and what is new for its day.
    fn reason_to_ask(&self, walk: &Walk) -> Option<Reason> {
        let asked = (walk.deck, walk.here);
        if walk.is_asked || !self.decks[walk.deck].asks(walk.here) {
            return None;
        }
        let is_again = |reason| matches!(reason, Reason::Learned | Reason::Missed);
        match self.queue.iter().find(|(queued, _)| *queued == asked) {
            Some((_, Reason::Learned)) => {
                let is_end = self.queue.iter().all(|(_, reason)| is_again(*reason));
                is_end.then_some(Reason::Learned)
            }
            Some((_, reason)) => Some(*reason),
            None if self.right.contains(&asked) || self.is_new(asked) => None,
            None => Some(Reason::OnTheWay),
        }
    }

    /// Plays the next move of a walk; `None` where it ends.
    fn step(&mut self, mut walk: Walk) -> Option<Walk> {
        let deck = &self.decks[walk.deck];
        let uci = match walk.ahead.pop_front() {
            Some(uci) => uci,
            None => {
                let queued = self.queue.iter().filter(|((deck, _), _)| *deck == walk.deck);
                let targets = queued.map(|((_, id), _)| *id);
                let encounters = &self.encounters[walk.deck];
                encounters.draw_on(deck, walk.here, targets, walk.given, &mut self.rng)?
            }
        };
        let moves = deck.book().moves(walk.here);
        walk.here = moves.iter().find(|edge| edge.uci == uci)?.to;
        walk.played.moves.push(uci);
        (walk.is_asked, walk.given) = (false, None);
        Some(walk)
    }
}

fn kind(deck: &Deck, id: NodeId, answers: &[UciMove], given: Option<UciMove>) -> AnswerKind {
    match given {
        None => AnswerKind::Shown,
        Some(uci) if answers.first() == Some(&uci) => AnswerKind::Main,
        Some(uci) if answers.contains(&uci) => AnswerKind::Alternative,
        Some(uci) if deck.book().mistake(id, uci).is_some() => AnswerKind::Mistake,
        Some(uci) if deck.book().moves(id).iter().any(|edge| edge.uci == uci) => AnswerKind::Wrong,
        Some(uci) if is_transposition(deck, id, uci) => AnswerKind::Transposition,
        Some(_) => AnswerKind::Wrong,
    }
}

/// Whether a move leads to a position that lines of the book reach.
fn is_transposition(deck: &Deck, id: NodeId, uci: UciMove) -> bool {
    let after = || {
        let position = deck.book().node(id).key.to_position().ok()?;
        let mut board = Board::from_position(&position);
        board.play(uci.to_string().as_bytes()).ok()?;
        let to = deck.book().find(&board.key())?;
        deck.lines.ply(to)
    };
    after().is_some()
}
