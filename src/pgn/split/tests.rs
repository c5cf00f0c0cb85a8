//! The state machine against a plain version that sees everything at once.

use memchr::memchr;
use proptest::prelude::*;

use super::lines::{begins_movetext, ends_in_result, ends_in_result_word, is_move_number_one};
use super::{More, Starts, splitter::COMMENT_LOOKAHEAD};
use crate::pgn::tags::{TagFault, TagForm, TagLine, read_tag, tag_form};
use crate::pgn::text::{BYTE_ORDER_MARK, count_blanks};
use crate::pgn::{BlockOptions, Chunks, Tags};

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
        at += count_blanks(&data[at..line_end]);
        if at == line_end {
            if is_line_start {
                (tag_open, after_blank) = (false, true);
            }
            (at, is_line_start) = (at + 1, true);
            continue;
        }
        let is_tag = match tag_form(&data[at..]) {
            TagForm::Quoted => true,
            TagForm::Bare => first_tag.is_some() && !in_movetext,
            TagForm::None | TagForm::Undecided => false,
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
            (at, is_line_start) = if tag_open { (line_end + 1, true) } else { (at + taken, false) };
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
                at += count_blanks(&data[at..]);
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
                after_result = ends_in_result(&data[at..end]).unwrap_or(after_result);
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

/// After the comment, or the tag line that shows it to be open.
fn plain_comment_end(data: &[u8], at: usize) -> Result<usize, usize> {
    let close = memchr(b'}', &data[at..]).map_or(data.len(), |n| at + n);
    let line =
        (at + 1..close).find(|n| data[n - 1] == b'\n' && tag_form(&data[*n..]) == TagForm::Quoted);
    let Some(line) = line else { return Ok((close + 1).min(data.len())) };
    let near = &data[line..data.len().min(line + COMMENT_LOOKAHEAD)];
    match near.iter().find(|b| b"{}".contains(b)) {
        Some(b'}') => Ok(close + 1),
        _ => Err(line),
    }
}

fn split_in_blocks(data: &[u8], block_size: usize) -> Vec<usize> {
    split_by(data, BlockOptions { block_size, ..BlockOptions::default() })
}

fn split_by(data: &[u8], options: BlockOptions) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut all = Vec::new();
    for block in Chunks::new(data, options).blocks() {
        let block = block.unwrap();
        for game in block.games() {
            starts.push(all.len() + game.start());
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
        (format!("[Event \"1\"]\n[Event \"2\"]\n[Event \"3\"]\n[Site \"{:40}\"]\n*\n", ""), 3),
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
        // Brackets without a quoted value: tags among the tags, and nothing among the moves.
        ("[Event \"1\"]\n[White]\n[Event]\n[Black 2]\n\n1. e4 *".to_owned(), 2),
        ("[Event \"1\"]\n\n1. e4 e5\n[D] 2. Nf3 *".to_owned(), 1),
        ("1. e4 e5\n[diagram]\n2. Nf3\n  [Better was d5]\n[White to move\n*".to_owned(), 1),
        (format!("{ONE}\n[Event]\n{TWO}\n[Event 3]"), 2),
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
            assert_eq!(split_in_blocks(pgn.as_bytes(), block_size), split_plainly(pgn.as_bytes()));
        }
    }
}

/// The end of a line with comments is waited for, as long as the line is not too long.
#[test]
fn a_line_with_comments_is_the_same_wherever_it_is_cut() {
    let clocks = "1. e4 { [%clk 0:01:00] } 1... e5 { [%clk 0:01:00] } ";
    for (times, end, count) in
        [(1, "1-0", 3), (1, "2. d4", 2), (1, "{ 1-0 }", 2), (1, "; 1-0", 2), (40, "0-1", 3)]
    {
        let line = clocks.repeat(times) + end;
        let data = format!("[Event \"1\"]\n\n{line}\n1. d4 {{x}} 1... d5 *\n\n{TWO}");
        let plain = split_plainly(data.as_bytes());
        assert_eq!(plain.len(), count, "in {data:?}");
        for block_size in 1..data.len() + 2 {
            assert_eq!(split_in_blocks(data.as_bytes(), block_size), plain, "{block_size}: {data}");
        }
    }
}

fn fragment() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => prop::sample::select(vec![
            "[Event \"x\"]", "[Event \"y\"]\n", "[White \"a\"]\n", "[FEN \"a\"", "[Site x]\n", "\n[D] ", "\n[better d5]", "\n[Event ",
            "[Result \"1-0\"]*\n", "\n", "\n\n", "\r\n", " ", "\t", "{", "}", ";", "%", "(", ")", "1.", "1. e4 ", "e4",
            "Nf3 ", "1-0", "0-1\n", "*", "1/2-1/2", "[", "]", "\"", "\\", "\u{feff}", "text ",
            "Nf3\r\n", "O-O\n", "Rb1+\r\n", "e8=Q#\n", "Qa2\n", " 1-0\r\n", " *\r\n", " 1/2-1/2\n",
            "$1", "1...", "2. d4 ", "\n2. c4 {a} ", "\n[Event \"z\"]\n", "{a}", "{\n[Event \"q\"]\n",
        ]).prop_map(str::to_owned),
        1 => ".{0,8}",
    ]
}

/// The mark is before the game, and so not at hand any more once the game begins a block.
#[test]
fn a_result_after_a_byte_order_mark_is_one_at_any_block_size() {
    let many_marks = "\u{feff}".repeat(40);
    for data in [
        "\u{feff}1-0   \n1. e4 c5 *\n",
        "\n\u{feff}*\n1. d4 d5 \n",
        "\u{feff}1-0\n1. e4",
        "\u{feff}\u{feff}1-0\n1. e4 c5 *\n",
        &format!("{many_marks}1-0\n1. e4 c5 *\n"),
        "1. e4 e5 *\n\u{feff};[Event \"x\"]\n1. e4 e5 *\n",
    ] {
        let data = data.as_bytes();
        let whole = split_in_blocks(data, 1 << 20);
        assert_eq!(whole.len(), 2);
        for block_size in 1..140 {
            assert_eq!(split_in_blocks(data, block_size), whole, "{block_size}");
        }
    }
}

/// The tag, or the blanks, are not at hand any more once the game before is cut there.
#[test]
fn games_begin_in_the_same_places_wherever_those_before_are_cut() {
    for (data, count) in [
        ("[Event \"x\"]\n[Result \"0-1\"]*\n\n1. Nf3 d5 *\n", 2),
        ("[Event \"x\"]1-0\n1. Nf3 d5 *\n", 2),
        ("[Event \"x\"]\n[Site a]1/2-1/2\n1. Nf3 d5 *\n", 2),
        ("[Event \"x\"]\n{a}*\n1. Nf3 d5 *\n", 2),
        ("[Event \"x\"]\n1. e4 *\n \u{feff}\n1. Nf3 d5 *\n", 2),
        ("[Event \"x\"]\n1. e4 *\n{a}\u{feff}\n1. Nf3 d5 *\n", 2),
        ("[Event \"x\"]e4*\n\n1. Nf3 d5 *\n", 1),
    ] {
        let plain = split_plainly(data.as_bytes());
        assert_eq!(plain.len(), count, "in {data:?}");
        for (block_size, max_game) in (1..80).flat_map(|size| [(size, 1), (size, 20), (size, 99)]) {
            let options = BlockOptions { block_size, max_game };
            assert_eq!(split_by(data.as_bytes(), options), plain, "{options:?}: {data:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_cut_gives_the_games_that_one_look_gives(
        fragments in prop::collection::vec(fragment(), 0..40),
        block_size in 1_usize..200,
        max_game in 1_usize..100,
    ) {
        let data = fragments.concat().into_bytes();
        let plain = split_plainly(&data);
        prop_assert_eq!(split_in_blocks(&data, 1 << 20), plain.clone());
        prop_assert_eq!(split_in_blocks(&data, block_size), plain.clone());
        prop_assert_eq!(split_by(&data, BlockOptions { block_size, max_game }), plain);
    }

    #[test]
    fn tags_and_movetext_agree_with_the_split(
        fragments in prop::collection::vec(fragment(), 0..40),
    ) {
        let data = fragments.concat().into_bytes();
        for block in Chunks::new(&data[..], BlockOptions::default()).blocks() {
            for game in block.unwrap().games() {
                let mut tags = Tags::new(game.bytes(), &[]);
                let first = tags.next().map(|tag| tag.name.to_vec());
                prop_assert_eq!(first.is_some(), game.bytes()[0] == b'[' );
                tags.into_main_line().count();
            }
        }
    }
}

#[test]
fn only_whole_results_end_movetext() {
    for (text, is_result) in [
        ("e4 1-0", true),
        ("e4 0-1", true),
        ("1.e4 c5  1/2-1/2", true),
        ("e4 1/2", true),
        ("e4 *", true),
        ("1-0", true),
        ("0-1", true),
        ("1/2-1/2", true),
        (" 1/2-1/2", true),
        ("35. Bd3\n1/2-1/2", true),
        ("e4 {x}1-0", true),
        ("e4 1-1", false),
        ("e4 0-0", false),
        ("e4 3-0", false),
        ("e4 11-0", false),
        ("e4 1/2-1/3", false),
        ("e4 11/2-1/2", false),
        ("e4x1-0", false),
        ("e4-1/2-1/2", false),
        ("long move text with 1-p", false),
        ("long move text with q-1", false),
    ] {
        for end in ["", "\r", " ", "\t\r"] {
            let text = format!("{text}{end}");
            assert_eq!(ends_in_result_word(text.as_bytes()), Some(is_result), "{text:?}");
        }
    }
}

proptest! {
    #[test]
    fn a_square_is_no_result(
        text in "[ a-h*12/}\\r½-]{0,4}( ?(1-0|0-1|1/2-1/2|1/2|\\*|[a-h][1-8]|O|\\+|#|½))?\\r?",
    ) {
        let text = text.as_bytes();
        prop_assert_eq!(ends_in_result(text), ends_in_result_word(text));
        // With a blank after it, no result is found by its last bytes.
        prop_assert_eq!(ends_in_result_word(&[text, b" "].concat()), ends_in_result_word(text));
    }
}

const LINE: &[u8] = b"[A \"1\"]\n";

fn line() -> TagLine {
    TagLine::read_one(LINE).unwrap()
}

/// Two games at 10 and 100, with two tags and one.
fn two_games() -> Starts {
    let mut starts = Starts::default();
    starts.push(10);
    starts.push_tag(10, line());
    starts.push_tag(10 + LINE.len(), line());
    starts.push(100);
    starts.push_tag(100, line());
    starts
}

fn list(starts: &Starts) -> Vec<(usize, usize)> {
    starts.with_tags().map(|(at, tags)| (at, tags.len())).collect()
}

#[test]
fn tags_are_noted_as_long_as_they_follow_each_other() {
    let mut starts = two_games();
    starts.push_tag(110, line());
    assert_eq!(list(&starts), [(10, 2), (100, 1)]);
    starts.push_tag(100 + LINE.len(), line());
    assert_eq!(list(&starts), [(10, 2), (100, 2)]);
}

#[test]
fn a_game_that_was_begun_before_has_no_noted_tags() {
    let mut starts = Starts::default();
    starts.push_begun();
    starts.push_tag(0, line());
    assert_eq!(list(&starts), [(0, 0)]);
}

#[test]
fn later_starts_are_moved_and_go_on() {
    let mut starts = two_games();
    starts.append(&two_games(), 1000);
    starts.push_tag(1100 + LINE.len(), line());
    assert_eq!(list(&starts), [(10, 2), (100, 1), (1010, 2), (1100, 2)]);
    assert_eq!((starts.len(), starts.last()), (4, Some(1100)));
}

#[test]
fn the_last_game_goes_with_its_tags() {
    let mut starts = two_games();
    assert_eq!(starts.pop_from(101), None);
    assert_eq!(starts.pop_from(100), Some(100));
    starts.push_tag(100 + LINE.len(), line());
    assert_eq!(list(&starts), [(10, 2)]);
}
