//! The state machine that finds where games begin.

use memchr::{memchr, memchr2, memchr3};

use super::lines::{
    CommentEnd, RESULT_LOOKBACK, after_closed_comments, begins_movetext, blank_line, comment_end,
    ends_in_result, is_move_number_one, last_line, pass_text_lines,
};
use super::{More, Starts};
use crate::pgn::tags::{MAX_TAG_LENGTH, TagFault, TagForm, TagLine, TagLines, read_tag, tag_form};
use crate::pgn::text::{BYTE_ORDER_MARK, count_blanks};
use crate::simd::{self, Kernel, Simd};

/// How many bytes from a tag line inside a comment on are searched for the brace that shows whether
/// the comment was ever closed.
pub(super) const COMMENT_LOOKAHEAD: usize = 64 * 1024;

/// The longest line with comments whose end is waited for, in bytes. To take a whole line at once
/// is much faster than to read it comment by comment, and in games with clocks each chunk ends
/// within such a line.
const MAX_AWAITED_LINE: usize = if cfg!(test) { 100 } else { 64 * 1024 };

/// What the next byte belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// At the first byte of a line.
    LineStart,
    /// Within the blanks that a line begins with.
    Indent,
    /// After a tag, on its line.
    AfterTag,
    /// Where movetext would begin if it is not only text before the first game.
    FirstWord,
    /// In movetext, or in the text before the first game.
    Text,
    /// In a line whose rest means nothing.
    Ignored,
    /// Between braces.
    Comment,
}

/// What part of a game was read last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    BeforeFirstGame,
    Tags,
    Movetext,
}

/// Whether the name of the first tag of a game is kept, to find out where it is repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FirstTags {
    Kept,
    /// A name that no tag has is kept in its place.
    Unknown,
}

/// A name that no tag has.
const NO_NAME: &[u8] = b"?";

/// Finds where games begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::pgn) struct Splitter {
    state: State,
    section: Section,
    /// The name of the first tag of the game. It is empty if the game has no tags.
    first_tag: Vec<u8>,
    first_tags: FirstTags,
    /// The last tag was unterminated: text right below it belongs to it.
    is_tag_open: bool,
    /// The movetext so far ends in a result.
    pub(in crate::pgn) is_after_result: bool,
    /// Nothing but blank lines since the last text.
    is_after_blank: bool,
}

/// The result of a step: go on from this offset, or wait for more bytes and then go on from it.
enum Step {
    On(usize),
    Wait(usize),
}

/// [`Splitter::scan`] as a kernel.
struct Scan<'a> {
    splitter: &'a mut Splitter,
    data: &'a [u8],
    from: usize,
    more: More,
    starts: &'a mut Starts,
}

impl Kernel for Scan<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> usize {
        let Self { splitter, data, from: mut at, more, starts } = self;
        while at < data.len() {
            let step = match splitter.state {
                State::LineStart => splitter.at_line_start(simd, data, at, more, starts),
                State::Indent => splitter.at_indent(data, at, more, starts),
                State::AfterTag => splitter.after_tag(data, at, more),
                State::FirstWord => splitter.at_first_word(data, at, more, starts),
                State::Text => splitter.in_text(simd, data, at, more),
                State::Ignored => splitter.in_ignored(data, at),
                State::Comment => splitter.in_comment(data, at, more),
            };
            match step {
                Step::On(next) => at = next,
                Step::Wait(next) => return next,
            }
        }
        at
    }
}

impl Splitter {
    pub(in crate::pgn) fn new() -> Self {
        Self {
            state: State::LineStart,
            section: Section::BeforeFirstGame,
            first_tag: Vec::new(),
            first_tags: FirstTags::Kept,
            is_tag_open: false,
            is_after_result: false,
            is_after_blank: false,
        }
    }

    /// The splitter in movetext, at the start of a line: where a tag begins a game. It does not
    /// know the names of first tags.
    pub(super) fn in_movetext() -> Self {
        Self {
            section: Section::Movetext,
            first_tag: NO_NAME.to_vec(),
            first_tags: FirstTags::Unknown,
            ..Self::new()
        }
    }

    /// All splitters that there can be in a state: within a comment, or at the start of a line that
    /// is not the first. The names of first tags are unknown. A flag that has no effect in a
    /// section, or before a game has begun, is not set.
    pub(super) fn all_in(state: State) -> impl Iterator<Item = Self> {
        let splitter = move |section, first_tag: &[u8], flags: [bool; 3]| Self {
            state,
            section,
            first_tag: first_tag.to_vec(),
            first_tags: FirstTags::Unknown,
            is_tag_open: flags[0],
            is_after_result: flags[1],
            is_after_blank: flags[2],
        };
        let flags = |bits: u8| (bits & 1 > 0, bits & 2 > 0);
        let before = [splitter(Section::BeforeFirstGame, b"", [false; 3])];
        let later = (0..4).flat_map(move |bits| {
            let (is_after_result, other) = flags(bits);
            let tags = splitter(Section::Tags, NO_NAME, [other, is_after_result, false]);
            let untagged = splitter(Section::Movetext, b"", [false, is_after_result, other]);
            let tagged = splitter(Section::Movetext, NO_NAME, [false, is_after_result, false]);
            // In a game with tags, blank lines have no effect.
            [tags, untagged].into_iter().chain((!other).then_some(tagged))
        });
        before.into_iter().chain(later)
    }

    /// Where to go on from in `data`, if a comment at `at` goes on to its end.
    pub(super) fn stay_in_comment(data: &[u8], at: usize, more: More) -> Option<usize> {
        let mut splitter = Self { state: State::Comment, ..Self::new() };
        match splitter.in_comment(data, at, more) {
            Step::Wait(next) => Some(next),
            Step::On(next) => (splitter.state == State::Comment).then_some(next),
        }
    }

    /// Scans `data` from `from` on, and adds where games begin, and the tags that they begin with,
    /// to `starts`.
    ///
    /// Returns the offset to go on from when more bytes are there. No game depends on the bytes
    /// before it any more, so they may be removed.
    pub(in crate::pgn) fn scan(
        &mut self,
        data: &[u8],
        from: usize,
        more: More,
        starts: &mut Starts,
    ) -> usize {
        simd::run(Scan { splitter: self, data, from, more, starts })
    }

    fn go(&mut self, state: State, at: usize) -> Step {
        self.state = state;
        Step::On(at)
    }

    #[inline(always)]
    fn at_line_start<S: Simd>(
        &mut self,
        simd: S,
        data: &[u8],
        mut at: usize,
        more: More,
        starts: &mut Starts,
    ) -> Step {
        // Tags and blank lines, as most of what is no movetext is.
        let rest = loop {
            let Some(rest) = data.get(at..).filter(|rest| !rest.is_empty()) else {
                return Step::On(at);
            };
            if let Some(lines) = TagLines::read(simd, rest) {
                self.note_tag_line(rest, at, lines.first, starts);
                if let Some(second) = lines.second {
                    let below = lines.first.line_length();
                    self.note_tag_line(&rest[below..], at + below, second, starts);
                }
                at += lines.length;
            } else if let Some(line) = blank_line(rest) {
                self.note_blank_line();
                at += line;
            } else {
                break rest;
            }
        };
        if self.must_be_movetext(rest) {
            self.section = Section::Movetext;
            self.is_after_blank = false;
            return self.go(State::Text, at);
        }
        if rest[0] == b'%' {
            return self.go(State::Ignored, at + 1);
        }
        if rest.len() < BYTE_ORDER_MARK.len()
            && BYTE_ORDER_MARK.starts_with(rest)
            && more == More::Yes
        {
            return Step::Wait(at);
        }
        if rest.starts_with(BYTE_ORDER_MARK) {
            // What follows the mark is at the start of its line still: "%" hides it.
            return Step::On(at + BYTE_ORDER_MARK.len());
        }
        self.go(State::Indent, at)
    }

    /// Notes a tag line that `rest` begins with.
    #[inline(always)]
    fn note_tag_line(&mut self, rest: &[u8], at: usize, line: TagLine, starts: &mut Starts) {
        let name = line.name(rest);
        // The first letter decides for most names, without a call.
        let is_first = name.first() == self.first_tag.first() && name == self.first_tag;
        if self.section == Section::Tags && !is_first {
            self.is_tag_open = false;
        } else {
            self.begin_game(at, starts);
            self.begin_tags(name);
        }
        starts.push_tag(at, line);
    }

    /// Whether a line begins so that it can be nothing but movetext of the game that has begun.
    #[inline(always)]
    fn must_be_movetext(&self, line: &[u8]) -> bool {
        let text_is_movetext = match self.section {
            Section::BeforeFirstGame => false,
            Section::Tags => !self.is_tag_open,
            Section::Movetext => !self.may_begin_untagged(),
        };
        text_is_movetext && line.first().is_some_and(u8::is_ascii_alphanumeric)
    }

    /// Notes that a line is blank.
    fn note_blank_line(&mut self) {
        self.is_tag_open = false;
        self.is_after_blank = true;
    }

    fn at_indent(&mut self, data: &[u8], at: usize, more: More, starts: &mut Starts) -> Step {
        let at = at + count_blanks(&data[at..]);
        let rest = &data[at..];
        match rest.first() {
            None => Step::Wait(at),
            Some(b'\n') => {
                self.note_blank_line();
                self.go(State::LineStart, at + 1)
            }
            Some(b'[') => match tag_form(rest) {
                TagForm::Undecided if more == More::Yes => Step::Wait(at),
                TagForm::Quoted => self.in_tag(data, at, more, Some(starts)),
                TagForm::Bare if self.section == Section::Tags => {
                    self.in_tag(data, at, more, Some(starts))
                }
                _ => self.begin_line(at, rest),
            },
            Some(_) if self.section == Section::Movetext && self.may_begin_untagged() => {
                if rest.len() < 3 && more == More::Yes {
                    return Step::Wait(at);
                }
                if is_move_number_one(rest) {
                    self.begin_game(at, starts);
                }
                self.begin_line(at, rest)
            }
            Some(_) => self.begin_line(at, rest),
        }
    }

    /// Whether a move number 1 would begin a game without tags.
    #[inline(always)]
    fn may_begin_untagged(&self) -> bool {
        self.is_after_result || (self.is_after_blank && self.first_tag.is_empty())
    }

    /// At a line that is no tag line.
    fn begin_line(&mut self, at: usize, rest: &[u8]) -> Step {
        self.is_after_blank = false;
        if self.section == Section::Tags && self.is_tag_open {
            return self.go(State::Ignored, at);
        }
        self.begin_text(at, rest)
    }

    /// At text that is no tag. It is movetext, unless no game has begun yet, or it is a comment
    /// among the tags.
    fn begin_text(&mut self, at: usize, rest: &[u8]) -> Step {
        match (self.section, rest.first()) {
            (Section::BeforeFirstGame, _) => self.go(State::FirstWord, at),
            (Section::Tags, Some(b'{' | b';')) => self.go(State::Text, at),
            (Section::Tags | Section::Movetext, _) => {
                self.section = Section::Movetext;
                self.go(State::Text, at)
            }
        }
    }

    /// After the `}` of a comment.
    fn after_comment(&mut self, at: usize) -> Step {
        match self.section {
            Section::BeforeFirstGame => self.go(State::FirstWord, at),
            Section::Tags => self.go(State::AfterTag, at),
            Section::Movetext => self.go(State::Text, at),
        }
    }

    /// Sets everything but `state`, which the caller sets, and what a tag sets. So nothing of the
    /// game before plays a part in this one.
    fn begin_game(&mut self, at: usize, starts: &mut Starts) {
        starts.push(at);
        self.section = Section::Movetext;
        self.first_tag.clear();
        self.is_after_result = false;
        self.is_after_blank = false;
    }

    /// The first tag of a game.
    fn begin_tags(&mut self, name: &[u8]) {
        self.section = Section::Tags;
        self.is_tag_open = false;
        self.first_tag.extend_from_slice(match self.first_tags {
            FirstTags::Kept => name,
            FirstTags::Unknown => NO_NAME,
        });
    }

    /// At a tag. Only the first of its line can begin a game, and only then are `starts` given.
    fn in_tag(&mut self, data: &[u8], at: usize, more: More, starts: Option<&mut Starts>) -> Step {
        let rest = &data[at..];
        let window = &rest[..rest.len().min(MAX_TAG_LENGTH)];
        let (tag, taken) = read_tag(window);
        let is_whole = match tag.fault {
            None => {
                window[taken - 1] == b']' || count_blanks(&window[taken..]) < window.len() - taken
            }
            Some(_) => taken < window.len(),
        };
        if !is_whole && window.len() < MAX_TAG_LENGTH && more == More::Yes {
            return Step::Wait(at);
        }
        let begins_game = match self.section {
            Section::BeforeFirstGame | Section::Movetext => true,
            Section::Tags => tag.name == self.first_tag,
        };
        if let (true, Some(starts)) = (begins_game, starts) {
            self.begin_game(at, starts);
            self.begin_tags(tag.name);
        }
        self.section = Section::Tags;
        self.is_tag_open = tag.fault == Some(TagFault::Unterminated);
        let state = if self.is_tag_open { State::Ignored } else { State::AfterTag };
        self.go(state, at + taken)
    }

    fn after_tag(&mut self, data: &[u8], at: usize, more: More) -> Step {
        let at = at + count_blanks(&data[at..]);
        let rest = &data[at..];
        match rest.first() {
            None => Step::Wait(at),
            Some(b'\n') => self.go(State::LineStart, at + 1),
            Some(b'[') => match tag_form(rest) {
                TagForm::Undecided if more == More::Yes => Step::Wait(at),
                TagForm::Quoted | TagForm::Bare => self.in_tag(data, at, more, None),
                TagForm::Undecided | TagForm::None => self.begin_text(at, rest),
            },
            Some(_) => self.begin_text(at, rest),
        }
    }

    fn at_first_word(&mut self, data: &[u8], at: usize, more: More, starts: &mut Starts) -> Step {
        let at = at + count_blanks(&data[at..]);
        match begins_movetext(&data[at..], more) {
            Some(begins) => {
                if begins {
                    self.begin_game(at, starts);
                }
                self.go(State::Text, at)
            }
            None => Step::Wait(at),
        }
    }

    #[inline(always)]
    fn in_text<S: Simd>(&mut self, simd: S, data: &[u8], mut at: usize, more: More) -> Step {
        if self.section == Section::Movetext {
            let (line, line_end) = pass_text_lines(simd, data, at);
            if line > at {
                self.end_text(&data[at..line - 1]);
                self.is_after_blank = false;
                at = line;
            }
            // It need not be looked for again.
            if let Some(line_end) = line_end {
                self.end_text(&data[at..line_end]);
                return self.go(State::LineStart, line_end + 1);
            }
        }
        let Some(found) = memchr3(b'\n', b'{', b';', &data[at..]) else {
            return match more {
                More::No => Step::On(data.len()),
                More::Yes => Step::Wait(at.max(data.len().saturating_sub(RESULT_LOOKBACK))),
            };
        };
        let end = at + found;
        if data[end] == b'{' && self.section == Section::Movetext && data[..at].ends_with(b"\n") {
            match memchr2(b'\n', b';', &data[end..]).map(|found| end + found) {
                Some(line_end) if data[line_end] == b'\n' => {
                    if let Some(is_result) = after_closed_comments(&data[end..line_end]) {
                        self.is_after_result = is_result;
                        return self.go(State::LineStart, line_end + 1);
                    }
                }
                None if more == More::Yes && data.len() - at <= MAX_AWAITED_LINE => {
                    return Step::Wait(at);
                }
                Some(_) | None => {}
            }
        }
        self.end_text(&data[at..end]);
        match data[end] {
            b'\n' => self.go(State::LineStart, end + 1),
            b';' => self.go(State::Ignored, end + 1),
            _ => self.go(State::Comment, end + 1),
        }
    }

    /// Text ends here, at the end of its line or before a comment. What is before it is no part of
    /// its words: a result may stand right after a tag.
    #[inline]
    fn end_text(&mut self, text: &[u8]) {
        if let Some(is_result) = ends_in_result(text) {
            self.is_after_result = is_result;
        }
    }

    fn in_ignored(&mut self, data: &[u8], at: usize) -> Step {
        match memchr(b'\n', &data[at..]) {
            Some(found) => self.go(State::LineStart, at + found + 1),
            None => Step::On(data.len()),
        }
    }

    fn in_comment(&mut self, data: &[u8], at: usize, more: More) -> Step {
        let tag_line = match comment_end(data, at) {
            Some(CommentEnd::Brace(brace)) => return self.after_comment(brace + 1),
            Some(CommentEnd::TagLine(tag_line)) => tag_line,
            None if more == More::No => return Step::On(data.len()),
            None => return Step::Wait(at.max(last_line(data))),
        };
        let window = &data[tag_line..data.len().min(tag_line + COMMENT_LOOKAHEAD)];
        let brace = memchr2(b'{', b'}', window).map(|n| tag_line + n);
        match brace {
            Some(brace) if data[brace] == b'}' => self.after_comment(brace + 1),
            None if window.len() < COMMENT_LOOKAHEAD && more == More::Yes => {
                Step::Wait(tag_line - 1)
            }
            _ => self.go(State::LineStart, tag_line),
        }
    }
}
