//! Where games begin: the rule of [`crate::pgn`], as a state machine that can stop anywhere and go on
//! with more bytes.
//!
//! It looks at nothing but line starts, braces and semicolons, so it runs at the speed of
//! `memchr`. Its answer does not depend on how the bytes were cut into pieces; the tests hold it
//! against a plain version that sees everything at once.

use memchr::{memchr, memchr2, memchr3};

use super::{
    BYTE_ORDER_MARK, MAX_TAG_LENGTH, TagFault, is_blank,
    movetext::result_length,
    tags::{TagForm, read_tag, read_usual_tag, tag_form},
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
#[derive(Debug)]
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
        }
    }

    /// Whether the movetext so far ends in a result, so that its game is whole.
    pub(super) fn is_after_result(&self) -> bool {
        self.is_after_result
    }

    /// Scans `data` from `from` on and adds where games begin to `starts`. Returns up to where it
    /// came; it wants to go on from there, with more bytes behind, and with no byte before
    /// removed that is less than [`RESULT_LOOKBACK`] away.
    pub(super) fn scan(
        &mut self,
        data: &[u8],
        from: usize,
        more: More,
        starts: &mut Vec<usize>,
    ) -> usize {
        let mut at = from;
        while at < data.len() {
            let step = match self.place {
                Place::LineStart => self.at_line_start(data, at, more),
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

    fn at_line_start(&mut self, data: &[u8], at: usize, more: More) -> Step {
        let rest = &data[at..];
        if let (Section::Tags, Some((tag, taken))) = (self.section, read_usual_tag(rest))
            && tag.name != self.first_tag
        {
            self.is_tag_open = false;
            return Step::On(at + taken + 1 + usize::from(rest[taken] == b'\r'));
        }
        if self.section == Section::Movetext
            && !self.may_begin_untagged()
            && rest[0].is_ascii_alphanumeric()
        {
            // Nothing but text can begin so.
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

    fn at_indent(&mut self, data: &[u8], at: usize, more: More, starts: &mut Vec<usize>) -> Step {
        let at = at + blanks(&data[at..]);
        let rest = &data[at..];
        match rest.first() {
            None => Step::Wait(at),
            Some(b'\n') => {
                self.is_tag_open = false;
                self.is_after_blank = true;
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
        match (self.section, rest.first()) {
            (Section::Tags, _) if self.is_tag_open => self.go(Place::Ignored, at),
            _ => self.begin_text(at, rest),
        }
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

    fn begin_game(&mut self, at: usize, starts: &mut Vec<usize>) {
        starts.push(at);
        self.section = Section::Movetext;
        self.first_tag.clear();
        self.is_after_result = false;
        self.is_after_blank = false;
    }

    /// At a tag. Only the first of its line can begin a game, and only then are `starts` given.
    fn in_tag(
        &mut self,
        data: &[u8],
        at: usize,
        more: More,
        starts: Option<&mut Vec<usize>>,
    ) -> Step {
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
            self.first_tag.extend_from_slice(tag.name);
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

    fn at_first_word(
        &mut self,
        data: &[u8],
        at: usize,
        more: More,
        starts: &mut Vec<usize>,
    ) -> Step {
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

    fn in_text(&mut self, data: &[u8], at: usize, more: More) -> Step {
        let Some(found) = memchr3(b'\n', b'{', b';', &data[at..]) else {
            return match more {
                More::No => Step::On(data.len()),
                More::Yes => Step::Wait(at.max(data.len().saturating_sub(RESULT_LOOKBACK))),
            };
        };
        let end = at + found;
        if let Some(is_result) = ends_in_result(&data[..end]) {
            self.is_after_result = is_result;
        }
        match data[end] {
            b'\n' => self.go(Place::LineStart, end + 1),
            b';' => self.go(Place::Ignored, end + 1),
            _ => self.go(Place::Comment, end + 1),
        }
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

/// Whether the text before a line end or a comment ends in a result; `None` if it is blank.
fn ends_in_result(text: &[u8]) -> Option<bool> {
    let text = &text[text.len().saturating_sub(RESULT_LOOKBACK)..];
    if let [.., b'a'..=b'z' | b'3'..=b'9' | b'.' | b'+' | b'!'] = text {
        return Some(false);
    }
    let line_at = memchr::memrchr(b'\n', text).map_or(0, |n| n + 1);
    let text = text[line_at..].trim_ascii_end();
    if matches!(text.last(), None | Some(b'}')) {
        return None;
    }
    let word_at = text.iter().rposition(|b| b.is_ascii_whitespace() || *b == b'}');
    let word = &text[word_at.map_or(0, |n| n + 1)..];
    Some(result_length(word) == Some(word.len()))
}

/// Where the last line of `data` begins, with its line end before it; the end if it is so long
/// that no tag can begin there any more.
fn last_line(data: &[u8]) -> usize {
    let tail = data.len().saturating_sub(512);
    memchr::memrchr(b'\n', &data[tail..]).map_or(data.len(), |n| tail + n)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pgn::{BlockOptions, Blocks, Tags};

    /// The rule of [`crate::pgn`], read off all bytes at once, line by line.
    fn split_plainly(data: &[u8]) -> Vec<usize> {
        let mut starts = Vec::new();
        let mut first_tag: Option<Vec<u8>> = None;
        let (mut in_movetext, mut tag_open, mut after_result) = (false, false, false);
        let (mut after_blank, mut is_line_start) = (false, true);
        let mut at = 0;
        while at < data.len() {
            while is_line_start && data[at..].starts_with(BYTE_ORDER_MARK) {
                at += 3;
            }
            let line_end = memchr(b'\n', &data[at..]).map_or(data.len(), |n| at + n);
            if is_line_start && data.get(at) == Some(&b'%') {
                at = line_end + 1;
                continue;
            }
            at += blanks(&data[at..line_end]);
            if at == line_end {
                if is_line_start {
                    (tag_open, after_blank) = (false, true);
                }
                (at, is_line_start) = (at + 1, true);
                continue;
            }
            let is_tag = match tag_form(&data[at..]) {
                TagForm::Quoted => true,
                TagForm::Bare => first_tag.is_some(),
                TagForm::None | TagForm::Open => false,
            };
            if is_tag {
                let (tag, taken) = read_tag(&data[at..]);
                let repeats = first_tag.as_deref().is_none_or(|name| name == tag.name);
                if is_line_start && (in_movetext || repeats) {
                    starts.push(at);
                    (first_tag, in_movetext) = (Some(tag.name.to_vec()), false);
                    (after_result, after_blank) = (false, false);
                }
                tag_open = tag.fault == Some(TagFault::Unterminated);
                (at, is_line_start) =
                    if tag_open { (line_end + 1, true) } else { (at + taken, false) };
                continue;
            }
            if tag_open {
                (at, is_line_start) = (line_end + 1, true);
                continue;
            }
            let is_untagged = first_tag.as_ref().is_some_and(Vec::is_empty);
            let may_begin = in_movetext && (after_result || (after_blank && is_untagged));
            if is_line_start && may_begin && is_move_number_one(&data[at..]) {
                starts.push(at);
                (first_tag, after_result) = (Some(Vec::new()), false);
            }
            after_blank &= !is_line_start;
            // Text, up to the end of its line; comments may span lines.
            is_line_start = true;
            loop {
                if first_tag.is_none() {
                    at += blanks(&data[at..]);
                    if begins_movetext(&data[at..], More::No) == Some(true) {
                        starts.push(at);
                        first_tag = Some(Vec::new());
                        (after_result, after_blank) = (false, false);
                    }
                }
                in_movetext |= first_tag.is_some() && !matches!(data.get(at), Some(b'{' | b';'));
                let special = data[at..].iter().position(|b| b"\n;{".contains(b));
                let end = special.map_or(data.len(), |n| at + n);
                if end < data.len() {
                    after_result = ends_in_result(&data[..end]).unwrap_or(after_result);
                }
                if data.get(end) != Some(&b'{') {
                    at = memchr(b'\n', &data[end..]).map_or(data.len(), |n| end + n + 1);
                    break;
                }
                match plain_comment_end(data, end + 1) {
                    Ok(next) => at = next,
                    Err(tag_line) => {
                        at = tag_line;
                        break;
                    }
                }
                if first_tag.is_some() && !in_movetext {
                    // Still among the tags.
                    is_line_start = false;
                    break;
                }
            }
        }
        starts
    }

    /// Behind the comment, or the tag line that shows it to be open.
    fn plain_comment_end(data: &[u8], at: usize) -> Result<usize, usize> {
        let close = memchr(b'}', &data[at..]).map_or(data.len(), |n| at + n);
        let line = (at + 1..close)
            .find(|n| data[n - 1] == b'\n' && tag_form(&data[*n..]) == TagForm::Quoted);
        let Some(line) = line else { return Ok((close + 1).min(data.len())) };
        let near = &data[line..data.len().min(line + COMMENT_LOOKAHEAD)];
        match near.iter().find(|b| b"{}".contains(b)) {
            Some(b'}') => Ok(close + 1),
            _ => Err(line),
        }
    }

    fn split_in_blocks(data: &[u8], block_size: usize) -> Vec<usize> {
        let mut starts = Vec::new();
        let mut all = Vec::new();
        for block in Blocks::new(data, BlockOptions { block_size, ..BlockOptions::default() }) {
            let block = block.unwrap();
            for game in block.games() {
                let offset = game.bytes().as_ptr() as usize - block.bytes().as_ptr() as usize;
                starts.push(all.len() + offset);
                assert_eq!(game.number(), starts.len() as u64);
            }
            all.extend_from_slice(block.bytes());
        }
        assert_eq!(all, data, "the blocks are not the input");
        starts
    }

    fn games(pgn: &str) -> Vec<&str> {
        let starts = split_plainly(pgn.as_bytes());
        let ends = starts.iter().skip(1).copied().chain([pgn.len()]);
        starts.iter().zip(ends).map(|(start, end)| pgn[*start..end].trim()).collect()
    }

    const ONE: &str = "[Event \"1\"]\n\n1. e4 *";
    const TWO: &str = "[Event \"2\"]\n\n1. d4 *";

    #[test]
    fn games_begin_where_the_rule_says() {
        for (pgn, count) in [
            (String::new(), 0),
            ("\n \n".to_owned(), 0),
            ("no chess in here\nat all {1. e4}".to_owned(), 0),
            (ONE.to_owned(), 1),
            (format!("{ONE}\n\n{TWO}\n"), 2),
            (format!("{ONE}\n{TWO}"), 2),
            (format!("{ONE}\r\n\r\n{TWO}\r\n"), 2),
            (format!("\u{feff}{ONE}\n\u{feff}{TWO}"), 2),
            (format!("Games of the week\n\n{ONE}\n  {TWO}"), 2),
            ("[Event \"1\"]\n[Event \"2\"]\n".to_owned(), 2),
            ("[FEN \"1\"]\n[Result \"*\"]\n\n[FEN \"2\"]\n[Result \"*\"]\n".to_owned(), 2),
            ("[Event \"a \"b\" c\"]\n[White \"w\"]\n\n1. e4".to_owned(), 1),
            ("[Event \"1\"]\n; note\n[White \"w\"]\n{note}\n[Black \"b\"]\n1. e4".to_owned(), 1),
            ("[Event \"1\n[%foo\n[White \"w\"]\n\n1. e4".to_owned(), 1),
            ("[package]\nname = 1\n[lib]\n".to_owned(), 0),
            ("1. e4 c5\n\n1. d4 d5\n\n1. c4".to_owned(), 3),
            ("1. e4 e5 ; 1-0\n{x}\n1. Nf3 d5".to_owned(), 1),
            (format!("1. e4 e5 1-0{}\n1. Nf3", " ".repeat(30)), 2),
            ("[Event \"1\"]\n\n[White \"2\"]\n\n1. e4 *".to_owned(), 1),
            ("[Event \"1\"] [White \"2\"] 1. e4 *\n[Event \"1\"] 1. d4".to_owned(), 2),
            ("[Event \"1\nover two lines\"]\n[White \"2\"]\n\n1. e4".to_owned(), 1),
            // Without tags.
            ("1. e4 e5 1-0\n\n1. d4 d5 0-1\n".to_owned(), 2),
            ("1. e4 e5 1-0\n1. d4 d5 0-1\n1. c4".to_owned(), 3),
            ("1. e4 e5 1-0 {flag}\n; note\n1. d4 d5 0-1\n".to_owned(), 2),
            ("1. e4 e5\n\n1... c5 1-0\n".to_owned(), 1),
            ("text %2. d4 [Event \"x\"]".to_owned(), 0),
            ("{see 1-0}\n\n1. e4 e5".to_owned(), 1),
            ("e4 e5 Nf3 Nc6".to_owned(), 1),
            // Comments.
            (format!("1. e4 {{quoted:\n\n{TWO}\n}} e5 *\n\n{TWO}"), 2),
            (format!("1. e4 {{never closed\n\n{TWO}"), 2),
            (format!("1. e4 {{never closed\n\n{TWO} {{closed}}"), 2),
            (format!("{ONE} ; {{ no comment\n{TWO} }}"), 2),
            (format!("{ONE}\n% {{ no comment\n{TWO}"), 2),
            (format!("[Event \"{{\"]\n\n1. e4 *\n\n{TWO}"), 2),
            (format!("{ONE}\n[%clk 1:00] {{\n[%eval 1] }}"), 1),
        ] {
            let found = games(&pgn);
            assert_eq!(found.len(), count, "{found:?} in {pgn:?}");
        }
    }

    #[test]
    fn a_long_comment_with_a_tag_line_is_open_unless_closed_nearby() {
        for (length, count) in [(COMMENT_LOOKAHEAD - 100, 1), (COMMENT_LOOKAHEAD, 2)] {
            let pgn = format!("1. e4 {{\n[Event \"x\"]\n{}}} e5", "z".repeat(length));
            assert_eq!(split_plainly(pgn.as_bytes()).len(), count);
            for block_size in [1, 1000, 50_000, 1 << 20] {
                assert_eq!(
                    split_in_blocks(pgn.as_bytes(), block_size),
                    split_plainly(pgn.as_bytes())
                );
            }
        }
    }

    fn piece() -> impl Strategy<Value = String> {
        prop_oneof![
            6 => prop::sample::select(vec![
                "[Event \"x\"]", "[Event \"y\"]\n", "[White \"a\"]\n", "[FEN \"a\"", "[Site x]\n",
                "\n", "\n\n", "\r\n", " ", "\t", "{", "}", ";", "%", "(", ")", "1.", "1. e4 ", "e4",
                "Nf3 ", "1-0", "0-1\n", "*", "1/2-1/2", "[", "]", "\"", "\\", "\u{feff}", "text ",
                "$1", "1...", "2. d4 ", "\n[Event \"z\"]\n", "{a}", "{\n[Event \"q\"]\n",
            ]).prop_map(str::to_owned),
            1 => ".{0,8}",
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_cut_gives_the_games_that_one_look_gives(
            pieces in prop::collection::vec(piece(), 0..40),
            block_size in 1_usize..200,
        ) {
            let data = pieces.concat().into_bytes();
            let plain = split_plainly(&data);
            prop_assert_eq!(split_in_blocks(&data, 1 << 20), plain.clone());
            prop_assert_eq!(split_in_blocks(&data, block_size), plain);
        }

        #[test]
        fn tags_and_movetext_agree_with_the_split(
            pieces in prop::collection::vec(piece(), 0..40),
        ) {
            let data = pieces.concat().into_bytes();
            for block in Blocks::new(&data[..], BlockOptions::default()) {
                for game in block.unwrap().games() {
                    let mut tags = Tags::new(game.bytes());
                    let first = tags.next().map(|tag| tag.name.to_vec());
                    prop_assert_eq!(first.is_some(), game.bytes()[0] == b'[' );
                    tags.into_main_line().count();
                }
            }
        }
    }
}
