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
//! So the runs do not know it: in none of them a name is repeated, and for each tag line there is
//! another one in which that line begins a game.
//!
//! That takes time in proportion to the bytes: there are few states, so there are few runs; and
//! what all runs have passed without a common start is forgotten.
//!
//! If bytes are removed from the front, the runs of the rest are more, never fewer. So the first
//! such line of a stream comes no later than that of any stream that ends with the same bytes but
//! begins earlier there: parts that end where the next begin have each game once.

use memchr::{memchr, memchr_iter};

use super::splitter::{COMMENT_LOOKAHEAD, Splitter, State};
use super::{More, Starts};
use crate::pgn::tags::TagLine;
use crate::pgn::text::{BYTE_ORDER_MARK, count_blanks};

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
    search(bytes, more).0
}

/// As [`find_resume`], with the cost: the number of bytes that were scanned and of starts that
/// were compared.
fn search(bytes: &[u8], more: More) -> (Resume, usize) {
    let unknown = if more == More::Yes { Resume::Undecided } else { Resume::Nowhere };
    let Some(line_end) = memchr(b'\n', bytes) else { return (unknown, 0) };
    let mut runs = Runs::new(line_end + 1);
    let mut end = line_end + 1;
    while end < bytes.len() {
        let begin = end;
        end = bytes.len().min(end + STEP);
        let step_more = if end < bytes.len() { More::Yes } else { more };
        runs.begin_at_tags(bytes, begin, end);
        runs.scan(&bytes[..end], step_more);
        if let Some(at) = runs.common_start(bytes) {
            return (Resume::At(at), runs.cost);
        }
        runs.forget_passed();
    }
    (unknown, runs.cost)
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
    /// Scans the rest of `bytes`, and returns the cost.
    fn scan(&mut self, bytes: &[u8], more: More) -> usize {
        let Some(cost) = bytes.len().checked_sub(self.scanned).filter(|left| *left > 0) else {
            return 0;
        };
        let mut starts = Starts::default();
        self.scanned = self.splitter.scan(bytes, self.scanned, more, &mut starts);
        self.starts.extend(starts.all());
        cost
    }

    fn is_like(&self, other: &Self) -> bool {
        self.scanned == other.scanned && self.splitter == other.splitter
    }

    fn begins(&self, at: usize) -> bool {
        at < self.since || self.starts.binary_search(&at).is_ok()
    }

    /// Takes in a run that is in the same state: a game begins where it does in both. Returns the
    /// cost.
    fn merge(&mut self, mut other: Self) -> usize {
        if other.since < self.since {
            std::mem::swap(self, &mut other);
        }
        let cost = self.starts.len();
        self.starts.retain(|at| other.begins(*at));
        cost
    }
}

/// The splitter from all of its states.
struct Runs {
    runs: Vec<Run>,
    /// Where the first line began.
    first_line: usize,
    /// Where the runs that begin in a comment go on from, while it goes on. They differ after it.
    in_comment: Option<usize>,
    cost: usize,
}

impl Runs {
    /// Runs from all states at the start of the line at `at`.
    fn new(at: usize) -> Self {
        // In a comment, a tag line is found by the line end before it.
        let mut runs = Self { runs: Vec::new(), first_line: at, in_comment: Some(at - 1), cost: 0 };
        runs.begin(Splitter::all_in(State::LineStart), at);
        runs
    }

    fn begin(&mut self, splitters: impl Iterator<Item = Splitter>, scanned: usize) {
        let since = self.first_line;
        let run = |splitter| Run { splitter, scanned, since, starts: Vec::new() };
        self.runs.extend(splitters.map(run));
    }

    /// Begins a run at each line from `begin` to `end` that may have a tag.
    ///
    /// A run takes in the one of the tag line before as soon as both are in the same state, so that
    /// many tag lines do not make many runs.
    fn begin_at_tags(&mut self, bytes: &[u8], begin: usize, end: usize) {
        let mut last: Option<Run> = None;
        for line_end in memchr_iter(b'\n', &bytes[begin - 1..end - 1]) {
            let line = begin + line_end;
            if !may_be_tag(&bytes[line..]) {
                continue;
            }
            let line_end = memchr(b'\n', &bytes[line..end]).map_or(end, |n| line + n + 1);
            let line_bytes = &bytes[..line_end];
            let splitter = Splitter::in_movetext();
            let mut run = Run { splitter, scanned: line, since: line, starts: Vec::new() };
            self.cost += run.scan(line_bytes, More::Yes);
            if let Some(mut before) = last.take() {
                self.cost += before.scan(line_bytes, More::Yes);
                if before.is_like(&run) {
                    self.cost += run.merge(before);
                } else {
                    self.runs.push(before);
                }
            }
            last = Some(run);
        }
        self.runs.extend(last);
    }

    fn scan(&mut self, bytes: &[u8], more: More) {
        self.scan_comment(bytes, more);
        let mut merged = Vec::<Run>::new();
        for mut run in self.runs.drain(..) {
            self.cost += run.scan(bytes, more);
            match merged.iter_mut().find(|other| other.is_like(&run)) {
                Some(other) => self.cost += other.merge(run),
                None => merged.push(run),
            }
        }
        self.runs = merged;
    }

    fn scan_comment(&mut self, bytes: &[u8], more: More) {
        let Some(from) = self.in_comment else { return };
        self.cost += bytes.len() - from;
        self.in_comment = Splitter::stay_in_comment(bytes, from, more);
        if self.in_comment.is_none() {
            self.begin(Splitter::all_in(State::Comment), from);
        }
    }

    /// The first tag line at which a game begins in all runs.
    fn common_start(&mut self, bytes: &[u8]) -> Option<usize> {
        if self.in_comment.is_some() {
            return None;
        }
        let first = self.runs.iter().min_by_key(|run| run.since)?;
        self.cost += first.starts.len();
        let is_common = |at: &usize| self.runs.iter().all(|run| run.begins(*at));
        let mut starts = first.starts.iter().copied();
        starts.find(|at| is_common(at) && TagLine::read_one(&bytes[*at..]).is_some())
    }

    /// Forgets the starts that all runs have passed, none of which is common.
    fn forget_passed(&mut self) {
        let scanned = self.runs.iter().map(|run| run.scanned).chain(self.in_comment);
        let Some(passed) = scanned.min() else { return };
        for run in &mut self.runs {
            self.cost += run.starts.len();
            run.starts.retain(|at| *at >= passed);
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What made the search take time that grew with the square of the length.
    #[test]
    fn the_cost_is_in_proportion_to_the_bytes() {
        let numbered = |n: usize| format!("[A{} \"z\"]\n", "b".repeat(n % 40));
        let varied: String = (0..5000).map(numbered).collect();
        for (repeated, limit) in [
            ("[Event \"z\"]\n", 30),
            ("[Event \"z\"]\n[Site \"z\"]\n", 30),
            (&*varied, 30),
            ("\n", 30),
            ("  [Event \"z\"]\n", 30),
            ("1. e4 e5 1-0\n\n1. d4 d5 0-1\n\n", 30),
            ("{\n", 30),
            ("words\n", 30),
            ("[Event \"z\n", 30),
            // A tag line in a comment is looked at until it is known whether the comment is closed.
            ("[Event \"z\"] {\n[Site \"z\"]\n", 400),
        ] {
            let shown = &repeated[..repeated.len().min(40)];
            let [least, most] = [50_000, 200_000].map(|size| {
                let text = format!("\n{}", repeated.repeat(size / repeated.len() + 1));
                let (found, cost) = search(text.as_bytes(), More::No);
                assert_eq!(found, Resume::Nowhere, "{shown:?}");
                cost.div_ceil(text.len())
            });
            assert!(most <= limit, "{most} looks at each byte: {shown:?}");
            assert!(most <= least + least / 4 + 1, "{least} looks, then {most}: {shown:?}");
        }
    }

    #[test]
    fn a_game_after_much_that_is_none_is_found() {
        for filler in ["[Event \"z\"]\n", "1. e4 e5 1-0\n\n", "\n", "words\n"] {
            // A comment or a tag that began before ends at once.
            let text = format!("\n}}\n\n{}1. c4 *\n\n", filler.repeat(20_000));
            let game = format!("{text}[Event \"x\"]\n\n1. d4 *\n");
            let found = find_resume(game.as_bytes(), More::No);
            assert_eq!(found, Resume::At(text.len()), "{filler:?}");
        }
    }
}
