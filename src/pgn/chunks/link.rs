//! How chunks become blocks one after the other, on any threads.
//!
//! A chunk needs the [`Carry`] of the one before it. Whoever makes a block takes its chunk and all
//! chunks before it that nobody has begun, back to one that is done or that another thread has
//! taken, and waits only for that one. So a thread waits only for a chunk that comes before all
//! those it has taken itself; no circle of waiting threads can arise, and one thread alone never
//! waits. The thread that hands out chunks has taken none while it does, so it may wait for any.

use std::mem;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::carry::{Carry, Raw, SpeculativeSplit};
use super::plain_file::Unread;
use crate::{executor::lock, pgn::game::Block};

/// A chunk that nobody has begun.
pub(super) enum Pending {
    Ready(Raw),
    Unread(Unread),
}

impl Pending {
    pub(super) fn read(self) -> Raw {
        match self {
            Self::Ready(raw) => raw,
            Self::Unread(chunk) => chunk.read(),
        }
    }
}

/// A chunk and its state, shared with the chunk after it.
pub(super) struct Link {
    state: Mutex<State>,
    changed: Condvar,
}

enum State {
    /// Nobody has begun the chunk. The link is that of the chunk before.
    Waiting(Box<Pending>, Arc<Link>),
    /// A thread has taken the chunk.
    Taken,
    /// The chunk is split. The block and the carry are here until they are fetched.
    Done(Option<Box<Block>>, Option<Box<Carry>>),
    /// The chunk was dropped, or its thread panicked.
    Lost,
}

impl Link {
    pub(super) fn waiting(chunk: Pending, before: Arc<Self>) -> Arc<Self> {
        Self::new(State::Waiting(Box::new(chunk), before))
    }

    pub(super) fn done(block: Option<Block>, carry: Option<Carry>) -> Arc<Self> {
        Self::new(State::Done(block.map(Box::new), carry.map(Box::new)))
    }

    fn new(state: State) -> Arc<Self> {
        Arc::new(Self { state: Mutex::new(state), changed: Condvar::new() })
    }

    fn set(&self, state: State) {
        // Nothing panics between two states: what is read meanwhile leaves a chunk lost.
        *lock(&self.state) = state;
        self.changed.notify_all();
    }

    /// Waits while another thread has the chunk.
    fn wait(&self) -> MutexGuard<'_, State> {
        let is_taken = |state: &mut State| matches!(state, State::Taken);
        self.changed.wait_while(lock(&self.state), is_taken).unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the chunk has been read, or never will be.
    pub(super) fn is_read(&self) -> bool {
        match &*lock(&self.state) {
            State::Waiting(chunk, _) => matches!(**chunk, Pending::Ready(_)),
            State::Taken => false,
            State::Done(..) | State::Lost => true,
        }
    }

    /// Reads the chunk if nobody has begun it, or waits until another thread has read and split it.
    pub(super) fn read(&self) {
        // Locked until it is read, since a thread that finds it taken waits for it to be split.
        let mut state = self.wait();
        *state = match mem::replace(&mut *state, State::Lost) {
            State::Waiting(chunk, before) => {
                State::Waiting(Box::new(Pending::Ready(chunk.read())), before)
            }
            other => other,
        };
    }

    fn fetch_block(&self) -> Block {
        match &mut *self.wait() {
            State::Done(block, _) => block.take().map(|block| *block).unwrap_or_default(),
            State::Waiting(..) | State::Taken | State::Lost => Block::default(),
        }
    }

    fn fetch_carry(&self) -> Option<Box<Carry>> {
        match &mut *self.wait() {
            State::Done(_, carry) => carry.take(),
            State::Waiting(..) | State::Taken | State::Lost => None,
        }
    }
}

/// A chunk that this thread has taken. It is lost if the thread panics.
struct Taken {
    link: Arc<Link>,
    raw: Option<Raw>,
    split: Option<SpeculativeSplit>,
    is_done: bool,
}

impl Taken {
    /// Takes the chunk if nobody has begun it, reads it, and splits it on speculation. Returns the
    /// link before it too.
    fn take(link: &Arc<Link>) -> Option<(Self, Arc<Link>)> {
        let mut state = lock(&link.state);
        let (chunk, before) = match mem::replace(&mut *state, State::Taken) {
            State::Waiting(chunk, before) => (chunk, before),
            other => {
                *state = other;
                return None;
            }
        };
        drop(state);
        let mut taken = Self { link: Arc::clone(link), raw: None, split: None, is_done: false };
        let raw = chunk.read();
        taken.split = SpeculativeSplit::new(raw.bytes(), raw.more());
        taken.raw = Some(raw);
        Some((taken, before))
    }

    /// Makes the block.
    fn finish(&mut self, carry: &mut Carry) -> Option<Block> {
        let raw = self.raw.take()?;
        Some(carry.take(raw, self.split.take()))
    }

    fn set(&mut self, state: State) {
        self.is_done = true;
        self.link.set(state);
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        if !self.is_done {
            self.link.set(State::Lost);
        }
    }
}

/// The owner of a link's block.
pub(super) struct LinkHandle(pub(super) Arc<Link>);

impl LinkHandle {
    pub(super) fn into_block(self) -> Block {
        let Some((own, mut before)) = Taken::take(&self.0) else { return self.0.fetch_block() };
        // Later chunks first.
        let mut taken = vec![own];
        while let Some((earlier, its_before)) = Taken::take(&before) {
            taken.push(earlier);
            before = its_before;
        }
        let mut carry = before.fetch_carry();
        let mut blocks = None;
        while let (Some(mut chunk), Some(mut known)) = (taken.pop(), carry.take()) {
            let Some(block) = chunk.finish(&mut known) else { break };
            if taken.is_empty() {
                chunk.set(State::Done(None, Some(known)));
                blocks = Some(block);
            } else {
                chunk.set(State::Done(Some(Box::new(block)), None));
                carry = Some(known);
            }
        }
        // Those that are left are lost, since one before them was.
        blocks.unwrap_or_default()
    }
}

impl Drop for LinkHandle {
    fn drop(&mut self) {
        let mut state = lock(&self.0.state);
        if matches!(*state, State::Waiting(..)) {
            *state = State::Lost;
        }
    }
}
