//! Where games begin: the rule of [`crate::pgn`], as a state machine that can stop anywhere and go on
//! with more bytes.
//!
//! It looks at nothing but tags, the starts and ends of lines, braces and semicolons, so it runs at
//! nearly the speed of `memchr`. Its answer does not depend on how the bytes were cut into pieces; the tests hold it
//! against a plain version that sees everything at once.

use memchr::{memchr, memchr2, memchr3, memrchr2};

use super::{
    BYTE_ORDER_MARK, MAX_TAG_LENGTH, TagFault, is_blank,
    movetext::result_length,
    starts::Starts,
    tags::{TagForm, UsualTag, read_tag, tag_form},
};

/// How far behind a tag line inside a comment the brace is looked for that tells whether the
/// comment was ever closed.
pub const COMMENT_LOOKAHEAD: usize = 64 * 1024;

/// How far back from the end of a stretch of movetext a result is looked for.
const RESULT_LOOKBACK: usize = 64;

/// A first word longer than this is no move.
const MAX_FIRST_WORD: usize = 32;

/// Whether more bytes will follow those at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum More {
    Yes,
    No,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// At the first byte of a line.
    LineStart,
    /// Within the blanks that a line begins with.
    Indent,
    /// Behind a tag, on its line.
    AfterTag,
    /// Where movetext would begin if it is not only text before the first game.
    FirstWord,
    /// In movetext, or in the text before the first game.
    Text,
    /// In a line of which the rest means nothing.
    Ignored,
    /// Between braces.
    Comment,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    BeforeFirstGame,
    Tags,
    Movetext,
}

/// Finds where games begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Splitter {
    place: Place,
    section: Section,
    first_tag: Vec<u8>,
    /// The last tag was unterminated: text right below it belongs to it.
    is_tag_open: bool,
    /// The movetext so far ends in a result.
    is_after_result: bool,
    /// Nothing but blank lines since the last text.
    is_after_blank: bool,
    /// Up to where no comment begins in the data at hand; 0 where no data are.
    comment_at: usize,
}

/// What a step found: go on from there, or wait for more bytes and go on from there.
enum Step {
    On(usize),
    Wait(usize),
}

impl Splitter {
    pub(super) fn new() -> Self {
        Self {
            place: Place::LineStart,
            section: Section::BeforeFirstGame,
            first_tag: Vec::new(),
            is_tag_open: false,
            is_after_result: false,
            is_after_blank: false,
            comment_at: 0,
        }
    }

    /// Whether the movetext so far ends in a result, so that its game is whole.
    pub(super) fn is_after_result(&self) -> bool {
        self.is_after_result
    }

    /// Scans `data` from `from` on and adds where games begin, and the tags that they begin with, to `starts`. Returns up to where it
    /// came; it wants to go on from there, with more bytes behind, and with no byte before
    /// removed that is less than [`RESULT_LOOKBACK`] away.
    pub(super) fn scan(
        &mut self,
        data: &[u8],
        from: usize,
        more: More,
        starts: &mut Starts,
    ) -> usize {
        let at = self.scan_on(data, from, more, starts);
        self.comment_at = 0;
        at
    }

    fn scan_on(&mut self, data: &[u8], from: usize, more: More, starts: &mut Starts) -> usize {
        let mut at = from;
        while at < data.len() {
            let step = match self.place {
                Place::LineStart => self.at_line_start(data, at, more, starts),
                Place::Indent => self.at_indent(data, at, more, starts),
                Place::AfterTag => self.after_tag(data, at, more),
                Place::FirstWord => self.at_first_word(data, at, more, starts),
                Place::Text => self.in_text(data, at, more),
                Place::Ignored => self.in_ignored(data, at),
                Place::Comment => self.in_comment(data, at, more),
            };
            match step {
                Step::On(next) => at = next,
                Step::Wait(next) => return next,
            }
        }
        at
    }

    fn go(&mut self, place: Place, at: usize) -> Step {
        self.place = place;
        Step::On(at)
    }

    fn at_line_start(
        &mut self,
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
            if let Some(usual) = UsualTag::read(rest) {
                let name = usual.name(rest);
                // Most names are told by their first letters, without a call.
                let is_first = name.first() == self.first_tag.first() && name == self.first_tag;
                if self.section == Section::Tags && !is_first {
                    self.is_tag_open = false;
                } else {
                    self.begin_game(at, starts);
                    self.begin_tags(name);
                }
                starts.push_tag(at, usual);
                at += usual.line();
            } else if let Some(line) = blank_line(rest) {
                self.see_blank_line();
                at += line;
            } else {
                break rest;
            }
        };
        if self.goes_on_as_text(rest) {
            self.is_after_blank = false;
            return self.go(Place::Text, at);
        }
        if rest[0] == b'%' {
            return self.go(Place::Ignored, at + 1);
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
        self.go(Place::Indent, at)
    }

    /// Whether a line of movetext begins so that it can be nothing but text of the same game.
    fn goes_on_as_text(&self, line: &[u8]) -> bool {
        self.section == Section::Movetext
            && !self.may_begin_untagged()
            && line.first().is_some_and(u8::is_ascii_alphanumeric)
    }

    /// A line is blank.
    fn see_blank_line(&mut self) {
        self.is_tag_open = false;
        self.is_after_blank = true;
    }

    fn at_indent(&mut self, data: &[u8], at: usize, more: More, starts: &mut Starts) -> Step {
        let at = at + blanks(&data[at..]);
        let rest = &data[at..];
        match rest.first() {
            None => Step::Wait(at),
            Some(b'\n') => {
                self.see_blank_line();
                self.go(Place::LineStart, at + 1)
            }
            Some(b'[') => match tag_form(rest) {
                TagForm::Open if more == More::Yes => Step::Wait(at),
                TagForm::Quoted => self.in_tag(data, at, more, Some(starts)),
                TagForm::Bare if self.section != Section::BeforeFirstGame => {
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
    fn may_begin_untagged(&self) -> bool {
        self.is_after_result || (self.is_after_blank && self.first_tag.is_empty())
    }

    /// A line that is no tag line.
    fn begin_line(&mut self, at: usize, rest: &[u8]) -> Step {
        self.is_after_blank = false;
        if self.section == Section::Tags && self.is_tag_open {
            return self.go(Place::Ignored, at);
        }
        self.begin_text(at, rest)
    }

    /// Text that is no tag: movetext, unless no game has begun yet, or it is a comment that stands
    /// among the tags.
    fn begin_text(&mut self, at: usize, rest: &[u8]) -> Step {
        match (self.section, rest.first()) {
            (Section::BeforeFirstGame, _) => self.go(Place::FirstWord, at),
            (Section::Tags, Some(b'{' | b';')) => self.go(Place::Text, at),
            (Section::Tags | Section::Movetext, _) => {
                self.section = Section::Movetext;
                self.go(Place::Text, at)
            }
        }
    }

    /// Behind the `}` of a comment.
    fn after_comment(&mut self, at: usize) -> Step {
        match self.section {
            Section::BeforeFirstGame => self.go(Place::FirstWord, at),
            Section::Tags => self.go(Place::AfterTag, at),
            Section::Movetext => self.go(Place::Text, at),
        }
    }

    /// Sets whatever the state is made of but the place, which the caller sets, and what a tag sets: so
    /// nothing of the game before plays a part in this one.
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
        self.first_tag.extend_from_slice(name);
    }

    /// At a tag. Only the first of its line can begin a game, and only then are `starts` given.
    fn in_tag(&mut self, data: &[u8], at: usize, more: More, starts: Option<&mut Starts>) -> Step {
        let rest = &data[at..];
        let window = &rest[..rest.len().min(MAX_TAG_LENGTH)];
        let (tag, taken) = read_tag(window);
        let is_whole = match tag.fault {
            None => window[taken - 1] == b']' || blanks(&window[taken..]) < window.len() - taken,
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
        let place = if self.is_tag_open { Place::Ignored } else { Place::AfterTag };
        self.go(place, at + taken)
    }

    fn after_tag(&mut self, data: &[u8], at: usize, more: More) -> Step {
        let at = at + blanks(&data[at..]);
        let rest = &data[at..];
        match rest.first() {
            None => Step::Wait(at),
            Some(b'\n') => self.go(Place::LineStart, at + 1),
            Some(b'[') => match tag_form(rest) {
                TagForm::Open if more == More::Yes => Step::Wait(at),
                TagForm::Quoted | TagForm::Bare => self.in_tag(data, at, more, None),
                TagForm::Open | TagForm::None => self.begin_text(at, rest),
            },
            Some(_) => self.begin_text(at, rest),
        }
    }

    fn at_first_word(&mut self, data: &[u8], at: usize, more: More, starts: &mut Starts) -> Step {
        let at = at + blanks(&data[at..]);
        match begins_movetext(&data[at..], more) {
            Some(begins) => {
                if begins {
                    self.begin_game(at, starts);
                }
                self.go(Place::Text, at)
            }
            None => Step::Wait(at),
        }
    }

    fn in_text(&mut self, data: &[u8], mut at: usize, more: More) -> Step {
        // Where there are no comments, lines are passed over without looking for any.
        while let Some(found) = memchr(b'\n', self.without_comments(data, at)) {
            let end = at + found;
            self.see_end_of_text(&data[..end]);
            at = end + 1;
            if !self.goes_on_as_text(&data[at..]) {
                return self.go(Place::LineStart, at);
            }
            self.is_after_blank = false;
        }
        let Some(found) = memchr3(b'\n', b'{', b';', &data[at..]) else {
            return match more {
                More::No => Step::On(data.len()),
                More::Yes => Step::Wait(at.max(data.len().saturating_sub(RESULT_LOOKBACK))),
            };
        };
        let end = at + found;
        if data[end] == b'{'
            && data[..at].ends_with(b"\n")
            && let Some(line_end) = self.pass_closed_comments(data, end)
        {
            return self.go(Place::LineStart, line_end + 1);
        }
        self.see_end_of_text(&data[..end]);
        match data[end] {
            b'\n' => self.go(Place::LineStart, end + 1),
            b';' => self.go(Place::Ignored, end + 1),
            _ => self.go(Place::Comment, end + 1),
        }
    }

    /// The data from `at` to where the next comment can begin. Each byte is looked at once for all.
    fn without_comments<'d>(&mut self, data: &'d [u8], at: usize) -> &'d [u8] {
        if self.comment_at < at {
            let found = memchr2(b'{', b';', &data[at..]);
            self.comment_at = found.map_or(data.len(), |found| at + found);
        }
        &data[at..self.comment_at]
    }

    /// Text ends here, at the end of its line or before a comment.
    #[inline]
    fn see_end_of_text(&mut self, text: &[u8]) {
        if ends_in_square(text) {
            self.is_after_result = false;
        } else {
            self.see_unusual_end(text);
        }
    }

    #[inline(never)]
    fn see_unusual_end(&mut self, text: &[u8]) {
        if let Some(is_result) = ends_as_usual(text).or_else(|| ends_in_result(text)) {
            self.is_after_result = is_result;
        }
    }

    /// Where the line ends that goes on with a comment at `at`, if all its comments are closed on it and
    /// text follows them, as where clocks are noted: then nothing on it matters but its end.
    ///
    /// To be tried once a line, since it reads the whole line before it gives up.
    fn pass_closed_comments(&mut self, data: &[u8], at: usize) -> Option<usize> {
        let end = at + memchr2(b'\n', b';', &data[at..])?;
        let line = &data[at..end];
        let last_brace = memrchr2(b'{', b'}', line)?;
        let after = &line[last_brace + 1..];
        let is_closed = line[last_brace] == b'}' && data[end] == b'\n';
        if self.section != Section::Movetext || !is_closed {
            return None;
        }
        self.is_after_result = ends_in_result(after)?;
        Some(end)
    }

    fn in_ignored(&mut self, data: &[u8], at: usize) -> Step {
        match memchr(b'\n', &data[at..]) {
            Some(found) => self.go(Place::LineStart, at + found + 1),
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
            _ => self.go(Place::LineStart, tag_line),
        }
    }
}

/// What ends a comment, or may show it to be open.
enum CommentEnd {
    Brace(usize),
    /// The start of a line with a quoted tag.
    TagLine(usize),
}

/// What comes first: the end of a comment, or a tag line in it.
fn comment_end(data: &[u8], from: usize) -> Option<CommentEnd> {
    let mut at = from;
    loop {
        at += memchr2(b'}', b'\n', &data[at..])?;
        if data[at] == b'}' {
            return Some(CommentEnd::Brace(at));
        }
        at += 1;
        if data.get(at) == Some(&b'[') && tag_form(&data[at..]) == TagForm::Quoted {
            return Some(CommentEnd::TagLine(at));
        }
    }
}

fn blanks(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|b| is_blank(**b)).count()
}

/// `1.` of White, not `1...`.
fn is_move_number_one(bytes: &[u8]) -> bool {
    bytes.starts_with(b"1.") && bytes.get(2) != Some(&b'.')
}

/// Whether text before the first game is the movetext of a game without tags: it begins with a
/// move number, a move or a result. `None` if more bytes are needed to tell.
fn begins_movetext(bytes: &[u8], more: More) -> Option<bool> {
    let word = &bytes[..bytes.len().min(MAX_FIRST_WORD)];
    let end = word.iter().position(u8::is_ascii_whitespace);
    if end.is_none() && word.len() < MAX_FIRST_WORD && more == More::Yes {
        return None;
    }
    let word = &word[..end.unwrap_or(word.len())];
    let digits = word.iter().take_while(|b| b.is_ascii_digit()).count();
    let is_number = digits > 0 && word.get(digits).is_none_or(|b| *b == b'.');
    Some(is_number || result_length(word).is_some() || looks_like_move(word))
}

/// Whether a word begins a game without tags and numbers: `e4`, `Nf3`.
fn looks_like_move(word: &[u8]) -> bool {
    matches!(word, [b'a'..=b'h', b'3' | b'4'] | [b'N', b'a' | b'c' | b'f' | b'h', b'3'])
}

/// How many bytes an empty line at the start of `bytes` takes.
fn blank_line(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [b'\n', ..] => Some(1),
        [b'\r', b'\n', ..] => Some(2),
        _ => None,
    }
}

/// Whether text ends in a square, but for a carriage return: most lines of movetext do, and it is no
/// result then.
#[inline(always)]
fn ends_in_square(text: &[u8]) -> bool {
    let Some([before, file, rank]) = text.last_chunk().copied() else { return false };
    let (file, rank) = if rank == b'\r' { (before, file) } else { (file, rank) };
    // Both at once: one branch.
    (file.wrapping_sub(b'a') < 8) & (rank.wrapping_sub(b'1') < 8)
}

/// [`ends_in_result`] for other text that ends as most does; `None` says nothing.
fn ends_as_usual(text: &[u8]) -> Option<bool> {
    let line = text.strip_suffix(b"\r").unwrap_or(text);
    if let Some(b'+' | b'#' | b'O') = line.last() {
        return Some(false);
    }
    let results = [&b" 1-0"[..], b" 0-1", b" 1/2-1/2", b" *"];
    results.iter().any(|result| line.ends_with(result)).then_some(true)
}

/// Whether the text before a line end or a comment ends in a result; `None` if it is blank.
fn ends_in_result(text: &[u8]) -> Option<bool> {
    let text = &text[text.len().saturating_sub(RESULT_LOOKBACK)..];
    // Most text is told by its last byte.
    let end = text.iter().rposition(|b| !is_blank(*b))? + 1;
    match text[end - 1] {
        b'\n' | b'}' => return None,
        b'0' | b'1' | b'2' | b'*' | 0x80.. => {}
        _ => return Some(false),
    }
    let text = &text[..end];
    let word_at = text.iter().rposition(|b| b.is_ascii_whitespace() || *b == b'}');
    let word = &text[word_at.map_or(0, |n| n + 1)..];
    // A byte order mark is no part of it: what is before a game's first word may be out of sight.
    let word = word.strip_prefix(BYTE_ORDER_MARK).unwrap_or(word);
    Some(result_length(word) == Some(word.len()))
}

/// Where the last line of `data` begins, with its line end before it; the end if it is so long
/// that no tag can begin there any more.
fn last_line(data: &[u8]) -> usize {
    let tail = data.len().saturating_sub(512);
    memchr::memrchr(b'\n', &data[tail..]).map_or(data.len(), |n| tail + n)
}

#[cfg(test)]
mod tests;
