//! Where games begin whatever came before.
//!
//! What a line means depends on what is before it: a tag line may be within a comment that began a
//! gigabyte earlier. But the splitter is a state machine, and at the start of a line it can be in a
//! few states only. So it is run from all of them at once. Most runs are in the same state again
//! after a line or two; where all runs find the start of a game at the same tag line, a game begins
//! there in every stream that goes on with these bytes. Nothing of the state before plays a part in
//! a game that begins with a tag, so the stream can be read from there on.
//!
//! The name of the first tag of a game, which begins another game when it is repeated, can be any.
//! In place of all names there are runs in which no name is repeated, and for each tag line another
//! one in which that line begins a game.
//!
//! If bytes are removed from the front, the runs of the rest are more, never fewer. So the first
//! such line of a stream comes no later than that of any stream that ends with the same bytes but
//! begins earlier there: parts that end where the next begin have each game once.

use memchr::{memchr, memchr_iter};

use super::{
    lines::More,
    splitter::{COMMENT_LOOKAHEAD, Splitter},
    starts::Starts,
};
use crate::pgn::{
    tags::TagLine,
    text::{BYTE_ORDER_MARK, count_blanks},
};

/// The number of bytes between two comparisons of the runs.
const STEP: usize = 4 * 1024;

/// Where a stream can be read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::pgn) enum Resume {
    /// From this offset on, where a game begins.
    At(usize),
    /// More bytes are needed to decide.
    Undecided,
    /// No such place before the end.
    Nowhere,
}

/// The least bytes with which ordinary games have an answer.
pub(in crate::pgn) const RESUME_WINDOW: usize = 2 * COMMENT_LOOKAHEAD;

/// Finds the first line after the first line end of `bytes` at which a game begins whatever came
/// before `bytes`.
pub(in crate::pgn) fn find_resume(bytes: &[u8], more: More) -> Resume {
    let unknown = if more == More::Yes { Resume::Undecided } else { Resume::Nowhere };
    let Some(line_end) = memchr(b'\n', bytes) else { return unknown };
    let mut runs = Runs::new(line_end + 1);
    let mut end = line_end + 1;
    while end < bytes.len() {
        let begin = end;
        end = bytes.len().min(end + STEP);
        let step_more = if end < bytes.len() { More::Yes } else { more };
        runs.begin_at_tags(bytes, begin, end);
        runs.scan(&bytes[..end], step_more);
        if let Some(at) = runs.common_start(bytes) {
            return Resume::At(at);
        }
    }
    unknown
}

/// The splitter from one of its states.
struct Run {
    splitter: Splitter,
    scanned: usize,
    /// Where it was begun. Starts before that are those of other runs.
    since: usize,
    starts: Vec<usize>,
}

impl Run {
    fn begins(&self, at: usize) -> bool {
        at < self.since || self.starts.binary_search(&at).is_ok()
    }

    /// Takes in a run that is in the same state: a game begins where it does in both.
    fn merge(&mut self, other: Self) {
        let (mut first, second) = if self.since <= other.since {
            (std::mem::take(&mut self.starts), other.starts)
        } else {
            (other.starts, std::mem::take(&mut self.starts))
        };
        let since = self.since.max(other.since);
        first.retain(|at| *at < since || second.binary_search(at).is_ok());
        self.since = self.since.min(other.since);
        self.starts = first;
    }
}

struct Runs(Vec<Run>);

impl Runs {
    /// Runs from all states at the start of the line at `at`.
    fn new(at: usize) -> Self {
        let run = |(splitter, scanned)| Run { splitter, scanned, since: at, starts: Vec::new() };
        Self(Splitter::all_at_line_start(at).map(run).collect())
    }

    /// Begins a run at each line from `begin` to `end` that may have a tag.
    fn begin_at_tags(&mut self, bytes: &[u8], begin: usize, end: usize) {
        for line_end in memchr_iter(b'\n', &bytes[begin - 1..end]) {
            let line = begin + line_end;
            if may_be_tag(&bytes[line..]) {
                let splitter = Splitter::in_movetext();
                self.0.push(Run { splitter, scanned: line, since: line, starts: Vec::new() });
            }
        }
    }

    fn scan(&mut self, bytes: &[u8], more: More) {
        let mut merged = Vec::<Run>::new();
        for mut run in self.0.drain(..) {
            if run.scanned < bytes.len() {
                let mut starts = Starts::default();
                run.scanned = run.splitter.scan(bytes, run.scanned, more, &mut starts);
                run.starts.extend(starts.all());
            }
            let is_same =
                |other: &&mut Run| other.scanned == run.scanned && other.splitter == run.splitter;
            match merged.iter_mut().find(is_same) {
                Some(other) => other.merge(run),
                None => merged.push(run),
            }
        }
        self.0 = merged;
    }

    /// The first tag line at which a game begins in all runs.
    fn common_start(&self, bytes: &[u8]) -> Option<usize> {
        let first = self.0.iter().min_by_key(|run| run.since)?;
        let is_common = |at: &usize| self.0.iter().all(|run| run.begins(*at));
        let mut starts = first.starts.iter().copied();
        starts.find(|at| is_common(at) && TagLine::read(&bytes[*at..]).is_some())
    }
}

/// Whether a line may begin with a tag.
fn may_be_tag(mut line: &[u8]) -> bool {
    loop {
        line = &line[count_blanks(line)..];
        match line.strip_prefix(BYTE_ORDER_MARK) {
            Some(rest) => line = rest,
            // A byte order mark that is cut off may be followed by one.
            None => return line.first().is_none_or(|byte| matches!(byte, b'[' | 0xef)),
        }
    }
}
