//! What single lines, words and comments mean to the splitter.

use memchr::{memchr2, memrchr, memrchr2};

use super::More;
use crate::pgn::movetext::result_length;
use crate::pgn::tags::{TagForm, tag_form};
use crate::pgn::text::{BYTE_ORDER_MARK, is_blank};
use crate::simd::{BLOCK, Simd, bits_of, bits_of_any};

/// How far back from the end of a stretch of movetext a result is looked for.
pub(super) const RESULT_LOOKBACK: usize = 64;

/// A first word longer than this is no move.
const MAX_FIRST_WORD: usize = 32;

/// What ends a comment, or may show that it was never closed.
pub(super) enum CommentEnd {
    Brace(usize),
    /// The start of a line with a quoted tag.
    TagLine(usize),
}

/// Returns what comes first: the end of a comment, or a tag line in it.
pub(super) fn comment_end(data: &[u8], from: usize) -> Option<CommentEnd> {
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

/// Whether `bytes` begin with the move number `1.` of White, not `1...`.
pub(super) fn is_move_number_one(bytes: &[u8]) -> bool {
    matches!(bytes, [b'1', b'.', rest @ ..] if rest.first() != Some(&b'.'))
}

/// Whether text before the first game is the movetext of a game without tags: it begins with a
/// move number, a move or a result. `None` if more bytes are needed to decide.
pub(super) fn begins_movetext(bytes: &[u8], more: More) -> Option<bool> {
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

/// Returns the length of the empty line at the start of `bytes`, if there is one.
pub(super) fn blank_line(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [b'\n', ..] => Some(1),
        [b'\r', b'\n', ..] => Some(2),
        _ => None,
    }
}

/// Returns where the last line of `data` begins, with the line end before it, or the end of `data`
/// if the line is so long that no tag can begin on it.
pub(super) fn last_line(data: &[u8]) -> usize {
    let tail = data.len().saturating_sub(512);
    memrchr(b'\n', &data[tail..]).map_or(data.len(), |n| tail + n)
}

/// Passes lines of movetext without comments, from the start of one on, as long as text of the same
/// game must follow. Returns the start of the first other line, which may be cut, and its end, if
/// it has no comment and the end has been seen.
///
/// Line ends are looked for in 64 bytes at once, since a call for each line costs more.
#[inline(always)]
pub(super) fn pass_text_lines<S: Simd>(
    simd: S,
    data: &[u8],
    from: usize,
) -> (usize, Option<usize>) {
    let mut line = from;
    let (blocks, _) = data[from..].as_chunks::<BLOCK>();
    for (index, block) in blocks.iter().enumerate() {
        let comments = bits_of_any(simd, block, *b"{;");
        // Those before the first comment.
        let mut line_ends = bits_of(simd, block, b'\n') & comments.wrapping_sub(1) & !comments;
        while line_ends != 0 {
            let line_end = from + index * BLOCK + line_ends.trailing_zeros() as usize;
            if !goes_on_after(data, line_end) {
                return (line, Some(line_end));
            }
            line = line_end + 1;
            line_ends &= line_ends - 1;
        }
        if comments != 0 {
            return (line, None);
        }
    }
    (line, None)
}

/// Whether a line ends in a word and movetext of the same game must follow, even if the word is a
/// result: another game without tags would begin with `1.`.
#[inline(always)]
fn goes_on_after(data: &[u8], line_end: usize) -> bool {
    let Some([.., before, last]) = data.get(..line_end) else { return false };
    let last = if *last == b'\r' { *before } else { *last };
    let Some([_, first, second, ..]) = data.get(line_end..) else { return false };
    // Nobody can predict whether a line begins with a letter or a digit: a table decides.
    let is_number_one = [*first, *second] == *b"1.";
    ENDS_TEXT[usize::from(last)] & BEGINS_TEXT[usize::from(*first)] & !is_number_one
}

/// By byte, whether a line begins with text: with a letter or a digit.
static BEGINS_TEXT: [bool; 256] = {
    let mut begins = [false; 256];
    let mut byte = 0;
    while byte < begins.len() {
        begins[byte] = (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    begins
};

/// By byte, whether a line ends in a word: as it begins, or with a sign of check or mate.
static ENDS_TEXT: [bool; 256] = {
    let mut ends = BEGINS_TEXT;
    ends[b'+' as usize] = true;
    ends[b'#' as usize] = true;
    ends
};

/// Whether the text before a line end or a comment ends in a result. `None` if it is blank.
#[inline]
pub(super) fn ends_in_result(text: &[u8]) -> Option<bool> {
    // Most lines end in a square, where two bytes decide.
    if ends_in_square(text) { Some(false) } else { ends_in_result_word(text) }
}

/// Whether the text after the last comment of a line ends in a result, if all comments of the line
/// are closed and text follows them. Then nothing else on the line matters. Games with clocks are
/// full of such lines.
pub(super) fn after_closed_comments(line: &[u8]) -> Option<bool> {
    let last_brace = memrchr2(b'{', b'}', line)?;
    if line[last_brace] == b'}' { ends_in_result(&line[last_brace + 1..]) } else { None }
}

/// Whether text ends in a square, and perhaps a carriage return.
#[inline(always)]
fn ends_in_square(text: &[u8]) -> bool {
    let Some([before, file, rank]) = text.last_chunk().copied() else { return false };
    let (file, rank) = if rank == b'\r' { (before, file) } else { (file, rank) };
    // One branch for both conditions.
    (file.wrapping_sub(b'a') < 8) & (rank.wrapping_sub(b'1') < 8)
}

/// By the two lowest bits of its last digit: which of eight bytes a result has with the blank
/// before it, and which it is. No result ends in 3, so nothing matches that.
static RESULTS: [(u64, u64); 4] = [
    (0xffff_ffff, u32::from_be_bytes(*b" 1-0") as u64),
    (0xffff_ffff, u32::from_be_bytes(*b" 0-1") as u64),
    (!0, u64::from_be_bytes(*b" 1/2-1/2")),
    (0, !0),
];

#[inline(never)]
pub(super) fn ends_in_result_word(text: &[u8]) -> Option<bool> {
    // As most games end. The last digit says which result it can be: nobody can predict that.
    let without_return = text.strip_suffix(b"\r").unwrap_or(text);
    if let Some(end) = without_return.last_chunk::<8>() {
        let (mask, result) = RESULTS[usize::from(end[7] & 3)];
        if u64::from_be_bytes(*end) & mask == result {
            return Some(true);
        }
    }
    let text = &text[text.len().saturating_sub(RESULT_LOOKBACK)..];
    // The last byte decides for most text.
    let end = text.iter().rposition(|b| !is_blank(*b))? + 1;
    match text[end - 1] {
        b'\n' | b'}' => return None,
        b'0' | b'1' | b'2' | b'*' | 0x80.. => {}
        _ => return Some(false),
    }
    let text = &text[..end];
    let word_at = text.iter().rposition(|b| b.is_ascii_whitespace() || *b == b'}');
    let is_line_start = word_at.is_none_or(|n| text[n] == b'\n');
    let word = &text[word_at.map_or(0, |n| n + 1)..];
    // Byte order marks are no part of it: what is before a game's first word may be out of sight,
    // and so may the first bytes of a mark.
    let mark_end = word.iter().position(|b| !BYTE_ORDER_MARK.contains(b)).unwrap_or(word.len());
    let word = &word[mark_end..];
    if word.is_empty() && is_line_start {
        return None;
    }
    Some(result_length(word) == Some(word.len()))
}
